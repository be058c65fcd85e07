import {
  API,
  type Fields,
  fieldsOf,
  idsOf,
  type Json,
  nodeId,
  type Reader,
  SITE,
  sent,
  sha1,
  textOf,
} from './records.ts'
import { personOf, toTeam } from './show-accounts.ts'
import { reactionsOf, toIssue } from './show-issue.ts'
import { associationOf, nameOf, toRepo, toShortRepo } from './show-repo.ts'

/** The branch that a pull request is from, or to. */
function sideOf(reader: Reader, ref: Json | undefined, sha: Json | undefined, repository_id: Json | undefined): Fields {
  const repo = reader.records.repos.get(repository_id as number)
  const user = personOf(reader, repo?.owner_id)
  return {
    ...{ label: `${user?.login ?? ''}:${ref}`, ref: ref ?? null, sha: sha ?? null, user },
    repo: repo ? toRepo(reader, repo) : null,
  }
}

const toAutoMerge = (reader: Reader, { enabled_by_id, ...merge }: Fields): Fields => ({
  ...{ enabled_by: personOf(reader, enabled_by_id), merge_method: 'merge', commit_title: null, commit_message: null },
  ...merge,
})

/** A pull request of a list. */
export function toListedPull(reader: Reader, pull: Fields): Fields {
  const { records } = reader
  const { id = null, number = null, head_sha, base_sha } = pull
  const issue = records.issues.get(pull.issue_id as number) ?? {}
  const repo = nameOf(reader, pull)
  const at = `${API}/repos/${repo}`
  const [url, issue_url, html_url] = [
    `${at}/pulls/${number}`,
    `${at}/issues/${number}`,
    `${SITE}/${repo}/pull/${number}`,
  ]
  const links = {
    ...{ review_comments: `${url}/comments`, review_comment: `${at}/pulls/comments{/number}` },
    ...{ comments: `${issue_url}/comments`, statuses: `${at}/statuses/${head_sha}`, commits: `${url}/commits` },
  }
  const addresses = Object.entries(links).map(([name, href]) => [`${name}_url`, href])
  const hrefs = Object.entries({ self: url, html: html_url, issue: issue_url, ...links })
  return {
    ...{ url, id, node_id: nodeId('PR_', id), html_url, diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch` },
    ...{ issue_url, number, ...Object.fromEntries(addresses) },
    ...sent(
      toIssue(reader, issue),
      'state locked title user body created_at updated_at closed_at assignee assignees labels milestone active_lock_reason author_association',
    ),
    merged_at: pull.merged_at ?? null,
    // Before the merge: of the trial.
    merge_commit_sha: pull.merge_commit_sha ?? sha1(`${base_sha}...${head_sha}`),
    requested_reviewers: idsOf(pull.reviewer_ids).flatMap((one) => personOf(reader, one) ?? []),
    requested_teams: idsOf(pull.team_ids).flatMap((one) => {
      const team = records.teams.get(one as number)
      return team ? toTeam(reader, team) : []
    }),
    draft: pull.draft ?? null,
    head: sideOf(reader, pull.head_ref, head_sha, pull.head_repository_id),
    base: sideOf(reader, pull.base_ref, base_sha, pull.base_repository_id),
    _links: Object.fromEntries(hrefs.map(([name, href]) => [name, { href }])),
    auto_merge: pull.auto_merge == null ? null : toAutoMerge(reader, fieldsOf(pull.auto_merge)),
  }
}

/** A pull request as in the own answer. */
export function toPull(reader: Reader, pull: Fields): Fields {
  const { merged = null, draft, id = null, issue_id = null } = pull
  return {
    ...toListedPull(reader, pull),
    ...(pull.totals as Fields),
    ...{ merged, merged_by: personOf(reader, pull.merged_by_id) },
    comments: reader.records.comments.count({ issue_id }),
    review_comments: reader.records.review_comments.count({ pull_id: id }),
    ...sent(pull, 'maintainer_can_modify'),
    mergeable: merged === true ? null : true,
    mergeable_state: merged === true ? 'unknown' : draft === true ? 'draft' : 'clean',
    rebaseable: true,
  }
}

export function toReview(reader: Reader, review: Fields): Fields {
  const { id = null, pull_number, submitted_at } = review
  const repo = nameOf(reader, review)
  const html_url = `${SITE}/${repo}/pull/${pull_number}#pullrequestreview-${id}`
  const pull_request_url = `${API}/repos/${repo}/pulls/${pull_number}`
  return {
    ...{ node_id: nodeId('PRR_', id), user: personOf(reader, review.user_id), html_url, pull_request_url },
    ...{ ...sent(review, 'id body state commit_id'), author_association: associationOf(reader, review) },
    _links: { html: { href: html_url }, pull_request: { href: pull_request_url } },
    ...(submitted_at != null && { submitted_at }),
  }
}

/** A review in an event. */
export const toHookReview = (reader: Reader, review: Fields): Fields => ({
  ...toReview(reader, review),
  state: textOf(review.state).toLowerCase(),
})

export function toReviewComment(reader: Reader, comment: Fields): Fields {
  const { id = null, pull_number, position = null, commit_id = null, line = null, start_line = null } = comment
  const repo = nameOf(reader, comment)
  const url = `${API}/repos/${repo}/pulls/comments/${id}`
  const html_url = `${SITE}/${repo}/pull/${pull_number}#discussion_r${id}`
  const pull_request_url = `${API}/repos/${repo}/pulls/${pull_number}`
  return {
    ...{ url, pull_request_review_id: comment.review_id ?? null, node_id: nodeId('PRRC_', id) },
    ...sent(comment, 'id diff_hunk path body created_at updated_at start_side side subject_type'),
    ...{ position, original_position: position, commit_id, original_commit_id: commit_id },
    ...{ line, original_line: line, start_line, original_start_line: start_line },
    ...{ user: personOf(reader, comment.user_id), html_url, pull_request_url },
    author_association: associationOf(reader, comment),
    _links: { self: { href: url }, html: { href: html_url }, pull_request: { href: pull_request_url } },
    reactions: reactionsOf(reader, 'review_comments', id, url),
    ...(comment.in_reply_to_id != null && { in_reply_to_id: comment.in_reply_to_id }),
  }
}

/** The pull requests whose newest commit this is, as checks and workflow runs show them. */
export function pullsOfHead(reader: Reader, { repository_id = null, head_sha = null }: Fields): Fields[] {
  const { pulls, repos } = reader.records
  const repoAt = (id: Json | undefined) => toShortRepo(repos.get(id as number) ?? {})
  return pulls
    .where({ head_repository_id: repository_id, head_sha })
    .toReversed()
    .map(({ id = null, number = null, ...pull }) => ({
      ...{ id, number, url: `${API}/repos/${nameOf(reader, pull)}/pulls/${number}` },
      head: { ref: pull.head_ref ?? null, sha: pull.head_sha ?? null, repo: repoAt(pull.head_repository_id) },
      base: { ref: pull.base_ref ?? null, sha: pull.base_sha ?? null, repo: repoAt(pull.base_repository_id) },
    }))
}
