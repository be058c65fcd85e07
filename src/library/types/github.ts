/** Types of GitHub-compatible API 2022-11-28, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    secrets: {
      readonly id: number
      scope: string
      name: string
      visibility: string | null
      created_at: string
      updated_at: string
    }
    variables: {
      readonly id: number
      scope: string
      name: string
      value: string
      visibility: string | null
      created_at: string
      updated_at: string
    }
    environments: {
      readonly id: number
      repository_id: number
      name: string
      rules: unknown[]
      deployment_branch_policy: { [name: string]: unknown } | null
      created_at: string
      updated_at: string
    }
    teams: {
      readonly id: number
      org_id: number
      name: string
      slug: string
      description: string | null
      privacy: string
      notification_setting: string
      permission: string
      parent_id: number | null
      member_ids: unknown[]
      maintainer_ids: unknown[]
      grants: unknown[]
      created_at: string
      updated_at: string
    }
    notifications: {
      readonly id: number
      user_id: number
      repository_id: number
      reason: string
      unread: boolean
      subject: { [name: string]: unknown }
      created_at: string
      updated_at: string
      last_read_at: string | null
    }
    gist_comments: {
      readonly id: number
      gist_id: number
      user_id: number
      body: string
      created_at: string
      updated_at: string
    }
    user_keys: { readonly id: number; user_id: number; kind: string; title: string; key: string; created_at: string }
    rulesets: {
      readonly id: number
      name: string
      target: string
      source_type: string
      source: string
      enforcement: string
      bypass_actors: { [name: string]: unknown }[]
      conditions: { [name: string]: unknown }
      rules: { [name: string]: unknown }[]
      created_at: string
      updated_at: string
    }
    deploy_keys: {
      readonly id: number
      repository_id: number
      title: string
      key: string
      read_only: boolean
      created_at: string
    }
    assets: {
      readonly id: number
      repository_id: number
      release_id: number
      name: string
      label: string | null
      content_type: string
      size: number
      created_at: string
      uploader_id: number
    }
    deployments: {
      readonly id: number
      repository_id: number
      sha: string
      ref: string
      task: string
      payload: { [name: string]: unknown }
      environment: string
      description: string | null
      creator_id: number
      transient_environment: boolean
      production_environment: boolean
      created_at: string
      updated_at: string
    }
    deployment_statuses: {
      readonly id: number
      repository_id: number
      deployment_id: number
      state: string
      description: string
      environment: string
      environment_url: string
      log_url: string
      creator_id: number
      created_at: string
    }
    workflow_runs: {
      readonly id: number
      repository_id: number
      workflow_id: number
      name: string
      path: string
      run_number: number
      event: string
      status: string
      conclusion: string | null
      head_branch: string
      head_sha: string
      actor_id: number
      inputs: { [name: string]: unknown }
      advance_due: string | null
      created_at: string
      updated_at: string
    }
    gists: {
      readonly id: number
      public: boolean
      description: string | null
      files: { [name: string]: unknown }
      owner_id: number
      created_at: string
      updated_at: string
      key: string
    }
    users: {
      readonly id: number
      login: string
      key: string
      type: string
      me: boolean
      name: string | null
      email: string | null
      company: string | null
      blog: string
      location: string | null
      bio: string | null
      description: string | null
      twitter_username: string | null
      hireable: boolean | null
      site_admin: boolean
      following: number[]
      members: number[]
      created_at: string
      updated_at: string
    }
    repos: {
      readonly id: number
      name: string
      full_name: string
      key: string
      owner_id: number
      parent_id: number | null
      private: boolean
      visibility: string
      description: string | null
      homepage: string | null
      fork: boolean
      default_branch: string
      archived: boolean
      disabled: boolean
      is_template: boolean
      has_issues: boolean
      has_projects: boolean
      has_wiki: boolean
      has_pages: boolean
      has_downloads: boolean
      has_discussions: boolean
      topics: string[]
      language: string | null
      license: { [name: string]: unknown } | null
      size: number
      web_commit_signoff_required: boolean
      allow_squash_merge: boolean
      allow_merge_commit: boolean
      allow_rebase_merge: boolean
      allow_auto_merge: boolean
      allow_update_branch: boolean
      delete_branch_on_merge: boolean
      squash_merge_commit_title: string
      squash_merge_commit_message: string
      merge_commit_title: string
      merge_commit_message: string
      stars: number[]
      watchers: number[]
      last_number: number
      last_milestone: number
      story: number
      story_due: string | null
      created_at: string
      updated_at: string
      pushed_at: string
    }
    refs: {
      readonly id: number
      repository_id: number
      ref: string
      sha: string
      is_tag: boolean
      protected: boolean
      rules: { [name: string]: unknown }
    }
    commits: {
      readonly id: number
      repository_id: number
      sha: string
      message: string
      author: { [name: string]: unknown }
      committer: { [name: string]: unknown }
      author_id: number
      committer_id: number
      tree_sha: string
      parents: string[]
      ancestors: string[]
      depth: number
    }
    trees: { readonly id: number; repository_id: number; sha: string; files: unknown[] }
    blobs: { readonly id: number; repository_id: number; sha: string; content: string; size: number }
    tags: {
      readonly id: number
      repository_id: number
      sha: string
      tag: string
      message: string
      object: string
      type: string
      tagger: { [name: string]: unknown }
    }
    commit_comments: {
      readonly id: number
      repository_id: number
      commit_id: string
      body: string
      path: string | null
      position: number | null
      line: number | null
      user_id: number
      created_at: string
      updated_at: string
    }
    collaborators: { readonly id: number; repository_id: number; user_id: number; permission: string }
    issues: {
      readonly id: number
      repository_id: number
      parent_issue_id: number | null
      number: number
      title: string
      body: string | null
      state: 'open' | 'closed'
      state_reason: string | null
      locked: boolean
      active_lock_reason: string | null
      user_id: number
      is_pull: boolean
      label_ids: number[]
      assignee_ids: number[]
      milestone_id: number | null
      closed_at: string | null
      closed_by_id: number | null
      created_at: string
      updated_at: string
    }
    pulls: {
      readonly id: number
      repository_id: number
      issue_id: number
      number: number
      head_ref: string
      head_sha: string
      head_repository_id: number
      base_ref: string
      base_sha: string
      base_repository_id: number
      draft: boolean
      merged: boolean
      merged_at: string | null
      merged_by_id: number | null
      merge_commit_sha: string | null
      maintainer_can_modify: boolean
      reviewer_ids: number[]
      review_due: string | null
    }
    comments: {
      readonly id: number
      repository_id: number
      issue_id: number
      issue_number: number
      user_id: number
      body: string
      created_at: string
      updated_at: string
    }
    labels: {
      readonly id: number
      repository_id: number
      name: string
      key: string
      color: string
      description: string | null
      default: boolean
    }
    milestones: {
      readonly id: number
      repository_id: number
      number: number
      title: string
      description: string | null
      state: 'open' | 'closed'
      creator_id: number
      due_on: string | null
      closed_at: string | null
      created_at: string
      updated_at: string
    }
    issue_events: {
      readonly id: number
      repository_id: number
      issue_id: number
      event: string
      actor_id: number
      details: { [name: string]: unknown }
      created_at: string
    }
    reactions: {
      readonly id: number
      repository_id: number
      subject_type: string
      subject_id: number
      user_id: number
      content: string
      created_at: string
    }
    reviews: {
      readonly id: number
      repository_id: number
      pull_id: number
      pull_number: number
      user_id: number
      body: string
      state: string
      commit_id: string | null
      submitted_at: string | null
    }
    review_comments: {
      readonly id: number
      repository_id: number
      pull_id: number
      pull_number: number
      review_id: number | null
      in_reply_to_id: number | null
      path: string
      position: number | null
      line: number | null
      side: string
      start_line: number | null
      start_side: string | null
      subject_type: string
      diff_hunk: string
      commit_id: string
      body: string
      user_id: number
      created_at: string
      updated_at: string
    }
    statuses: {
      readonly id: number
      repository_id: number
      sha: string
      state: string
      context: string
      description: string | null
      target_url: string | null
      creator_id: number
      created_at: string
      updated_at: string
    }
    check_suites: {
      readonly id: number
      repository_id: number
      head_sha: string
      head_branch: string | null
      status: string
      conclusion: string | null
      created_at: string
      updated_at: string
    }
    check_runs: {
      readonly id: number
      repository_id: number
      suite_id: number
      name: string
      head_sha: string
      external_id: string
      details_url: string | null
      status: string
      conclusion: string | null
      started_at: string | null
      completed_at: string | null
      output: { [name: string]: unknown }
      advance_due: string | null
    }
    releases: {
      readonly id: number
      repository_id: number
      tag_name: string
      target_commitish: string
      name: string | null
      body: string | null
      draft: boolean
      prerelease: boolean
      author_id: number
      created_at: string
      published_at: string | null
    }
    hooks: {
      readonly id: number
      repository_id: number | null
      active: boolean
      events: string[]
      config: { [name: string]: unknown }
      secret: string
      org_id: number | null
      created_at: string
      updated_at: string
    }
    happenings: {
      readonly id: number
      type: string
      repository_id: number
      hook_id: number | null
      org_id: number
      is_again: boolean
      created_at: string
      payload: { [name: string]: unknown }
    }
  }
  events: {
    'check_run.completed': components['schemas']['payload']
    'check_run.created': components['schemas']['payload']
    'check_run.rerequested': components['schemas']['payload']
    'check_suite.completed': components['schemas']['payload']
    'check_suite.requested': components['schemas']['payload']
    'check_suite.rerequested': components['schemas']['payload']
    'commit_comment.created': components['schemas']['payload']
    create: components['schemas']['payload']
    delete: components['schemas']['payload']
    fork: components['schemas']['payload']
    'issue_comment.created': components['schemas']['payload']
    'issue_comment.deleted': components['schemas']['payload']
    'issue_comment.edited': components['schemas']['payload']
    'issues.assigned': components['schemas']['payload']
    'issues.closed': components['schemas']['payload']
    'issues.demilestoned': components['schemas']['payload']
    'issues.edited': components['schemas']['payload']
    'issues.labeled': components['schemas']['payload']
    'issues.locked': components['schemas']['payload']
    'issues.milestoned': components['schemas']['payload']
    'issues.opened': components['schemas']['payload']
    'issues.reopened': components['schemas']['payload']
    'issues.unassigned': components['schemas']['payload']
    'issues.unlabeled': components['schemas']['payload']
    'issues.unlocked': components['schemas']['payload']
    'label.created': components['schemas']['payload']
    'label.deleted': components['schemas']['payload']
    'label.edited': components['schemas']['payload']
    'member.added': components['schemas']['payload']
    'member.removed': components['schemas']['payload']
    'milestone.closed': components['schemas']['payload']
    'milestone.created': components['schemas']['payload']
    'milestone.deleted': components['schemas']['payload']
    'milestone.edited': components['schemas']['payload']
    'milestone.opened': components['schemas']['payload']
    ping: components['schemas']['payload']
    'pull_request.assigned': components['schemas']['payload']
    'pull_request.closed': components['schemas']['payload']
    'pull_request.demilestoned': components['schemas']['payload']
    'pull_request.edited': components['schemas']['payload']
    'pull_request.labeled': components['schemas']['payload']
    'pull_request.locked': components['schemas']['payload']
    'pull_request.milestoned': components['schemas']['payload']
    'pull_request.opened': components['schemas']['payload']
    'pull_request.reopened': components['schemas']['payload']
    'pull_request.review_request_removed': components['schemas']['payload']
    'pull_request.review_requested': components['schemas']['payload']
    'pull_request.synchronize': components['schemas']['payload']
    'pull_request.unassigned': components['schemas']['payload']
    'pull_request.unlabeled': components['schemas']['payload']
    'pull_request.unlocked': components['schemas']['payload']
    'pull_request_review.dismissed': components['schemas']['payload']
    'pull_request_review.edited': components['schemas']['payload']
    'pull_request_review.submitted': components['schemas']['payload']
    'pull_request_review_comment.created': components['schemas']['payload']
    'pull_request_review_comment.deleted': components['schemas']['payload']
    'pull_request_review_comment.edited': components['schemas']['payload']
    push: components['schemas']['payload']
    'release.created': components['schemas']['payload']
    'release.deleted': components['schemas']['payload']
    'release.edited': components['schemas']['payload']
    'release.prereleased': components['schemas']['payload']
    'release.published': components['schemas']['payload']
    'release.released': components['schemas']['payload']
    'repository.archived': components['schemas']['payload']
    'repository.created': components['schemas']['payload']
    'repository.deleted': components['schemas']['payload']
    'repository.edited': components['schemas']['payload']
    'repository.privatized': components['schemas']['payload']
    'repository.publicized': components['schemas']['payload']
    'repository.renamed': components['schemas']['payload']
    'repository.unarchived': components['schemas']['payload']
    repository_dispatch: components['schemas']['payload']
    'star.created': components['schemas']['payload']
    'star.deleted': components['schemas']['payload']
    status: components['schemas']['payload']
    'deployment.created': components['schemas']['payload']
    'deployment_status.created': components['schemas']['payload']
    workflow_dispatch: components['schemas']['payload']
    'workflow_run.requested': components['schemas']['payload']
    'workflow_run.in_progress': components['schemas']['payload']
    'workflow_run.completed': components['schemas']['payload']
    'watch.started': components['schemas']['payload']
    'team.created': components['schemas']['payload']
    'team.edited': components['schemas']['payload']
    'team.deleted': components['schemas']['payload']
    'membership.added': components['schemas']['payload']
    'membership.removed': components['schemas']['payload']
  }
}

export interface components {
  schemas: {
    branch_end: {
      label: string
      ref: string
      sha: string
      user: components['schemas']['person']
      repo: components['schemas']['repository']
    }
    check_run: {
      id: number
      node_id: string
      url: string
      html_url: string
      name: string
      head_sha: string
      external_id: string
      status: string
      conclusion: string | null
      started_at: string | null
      completed_at: string | null
      output: { [name: string]: unknown }
      check_suite: { [name: string]: unknown }
      app: { [name: string]: unknown }
      pull_requests: unknown
    }
    check_suite: {
      id: number
      node_id: string
      url: string
      head_branch: string | null
      head_sha: string
      status: string
      conclusion: string | null
      app: { [name: string]: unknown }
      created_at: string
      updated_at: string
    }
    hook: {
      id: number
      type: string
      name: string
      active: boolean
      events: string[]
      config: { [name: string]: unknown }
      url: string
      ping_url: string
      created_at: string
      updated_at: string
      last_response: { [name: string]: unknown }
    }
    issue: {
      id: number
      node_id?: string
      url?: string
      html_url?: string
      repository_url?: string
      number: number
      title: string
      body?: string | null
      state: 'open' | 'closed'
      state_reason?: string | null
      locked?: boolean
      user?: components['schemas']['person'] | null
      labels: components['schemas']['label'][]
      assignee?: components['schemas']['person'] | null
      assignees: components['schemas']['person'][]
      milestone?: components['schemas']['milestone'] | null
      comments: number
      pull_request?: { [name: string]: unknown }
      closed_by?: components['schemas']['person'] | null
      closed_at?: string | null
      created_at?: string
      updated_at?: string
      author_association?: string
    }
    label: {
      id: number
      node_id: string
      url: string
      name: string
      color: string
      default: boolean
      description: string | null
    }
    milestone: {
      id: number
      node_id: string
      url: string
      number: number
      title: string
      description: string | null
      state: 'open' | 'closed'
      creator: components['schemas']['person'] | null
      open_issues: number
      closed_issues: number
      due_on: string | null
      closed_at: string | null
      created_at: string
      updated_at: string
    }
    organization_simple: {
      login: string
      id: number
      node_id: string
      url: string
      repos_url: string
      hooks_url: string
      members_url: string
      avatar_url: string
      description: string | null
    }
    payload: {
      action?: string
      number?: number
      issue?: components['schemas']['issue']
      pull_request?: components['schemas']['pull']
      comment?: { [name: string]: unknown }
      review?: components['schemas']['review']
      label?: components['schemas']['label']
      milestone?: components['schemas']['milestone']
      assignee?: components['schemas']['person']
      changes?: { [name: string]: unknown }
      release?: components['schemas']['release']
      check_run?: components['schemas']['check_run']
      check_suite?: components['schemas']['check_suite']
      ref?: string
      before?: string
      after?: string
      commits?: unknown
      head_commit?: { [name: string]: unknown } | null
      hook_id?: number
      hook?: components['schemas']['hook']
      repository?: components['schemas']['repository']
      organization?: components['schemas']['organization_simple']
      sender: components['schemas']['person']
    }
    person: {
      login: string
      id: number
      node_id: string
      avatar_url: string
      url: string
      html_url: string
      type: string
      site_admin: boolean
    }
    pull: {
      id: number
      node_id?: string
      url?: string
      html_url?: string
      number: number
      state: 'open' | 'closed'
      locked?: boolean
      title: string
      body?: string | null
      user?: components['schemas']['person'] | null
      labels?: components['schemas']['label'][]
      assignees?: components['schemas']['person'][]
      milestone?: components['schemas']['milestone'] | null
      requested_reviewers?: components['schemas']['person'][]
      draft?: boolean
      head: components['schemas']['branch_end']
      base: components['schemas']['branch_end']
      merged: boolean
      mergeable?: boolean | null
      mergeable_state?: string
      merged_at?: string | null
      merged_by?: components['schemas']['person'] | null
      merge_commit_sha?: string | null
      comments?: number
      review_comments?: number
      commits?: number
      additions?: number
      deletions?: number
      changed_files?: number
      closed_at?: string | null
      created_at?: string
      updated_at?: string
    }
    release: {
      id: number
      node_id: string
      url: string
      html_url: string
      upload_url: string
      tag_name: string
      target_commitish: string
      name: string | null
      body: string | null
      draft: boolean
      prerelease: boolean
      author: components['schemas']['person'] | null
      assets: unknown
      created_at: string
      published_at: string | null
    }
    repository: {
      id: number
      node_id: string
      name: string
      full_name: string
      owner: components['schemas']['person']
      private: boolean
      visibility: string
      html_url: string
      url: string
      description: string | null
      homepage: string | null
      fork: boolean
      default_branch: string
      archived: boolean
      topics: string[]
      language: string | null
      stargazers_count: number
      watchers_count: number
      forks_count: number
      open_issues_count: number
      has_issues: boolean
      permissions: { [name: string]: unknown }
      created_at: string
      updated_at: string
      pushed_at: string
    }
    review: {
      id: number
      node_id: string
      user: components['schemas']['person'] | null
      body: string
      state: string
      html_url: string
      pull_request_url: string
      commit_id: string | null
      submitted_at: string | null
      author_association: string
    }
  }
}
