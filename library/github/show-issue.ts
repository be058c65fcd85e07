import { REACTIONS } from './reactions.ts'
import { API, type Fields, fieldsOf, idsOf, type Json, nodeId, type Reader, SITE, sent } from './records.ts'
import { personOf } from './show-accounts.ts'
import { toApp } from './show-app.ts'
import { associationOf, nameOf, repoOf, toRepo } from './show-repo.ts'

/** The app's own user. */
const BOT_ID = 4

/** How often each reaction is below something. */
export function reactionsOf({ records }: Reader, subject_type: string, id: Json | undefined, at: string): Fields {
  const all = records.reactions.where({ subject_type, subject_id: id ?? null })
  const counts = REACTIONS.map((name) => [name, all.filter(({ content }) => content === name).length])
  return { url: `${at}/reactions`, total_count: all.length, ...Object.fromEntries(counts) }
}

export function toLabel(reader: Reader, label: Fields): Fields {
  const url = `${API}/repos/${nameOf(reader, label)}/labels/${String(label.name).replaceAll(' ', '%20')}`
  return { node_id: nodeId('LA_', label.id), url, ...sent(label, 'id name color default description') }
}

export function toMilestone(reader: Reader, milestone: Fields): Fields {
  const { id = null, number } = milestone
  const repo = nameOf(reader, milestone)
  const url = `${API}/repos/${repo}/milestones/${number}`
  const count = (state: string) => reader.records.issues.count({ milestone_id: id, state })
  return {
    ...{ url, html_url: `${SITE}/${repo}/milestone/${number}`, labels_url: `${url}/labels` },
    ...{ node_id: nodeId('MI_', id), creator: personOf(reader, milestone.creator_id) },
    ...{ open_issues: count('open'), closed_issues: count('closed') },
    ...sent(milestone, 'id number title description state created_at updated_at due_on closed_at'),
  }
}

const people = (reader: Reader, ids: Json | undefined): Fields[] =>
  idsOf(ids).flatMap((id): Fields[] => {
    const user = personOf(reader, id)
    return user ? [user] : []
  })

/** What only the issue of a pull request shows. */
function pullParts({ records }: Reader, { id = null, number }: Fields, repo: Json): Fields {
  const pull = records.pulls.find({ issue_id: id })
  const html_url = `${SITE}/${repo}/pull/${number}`
  return {
    draft: pull?.draft ?? null,
    pull_request: {
      ...{ url: `${API}/repos/${repo}/pulls/${number}`, html_url },
      ...{ diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch`, merged_at: pull?.merged_at ?? null },
    },
  }
}

export function toIssue(reader: Reader, issue: Fields): Fields {
  const { records } = reader
  const { id = null, number, is_pull, user_id, milestone_id } = issue
  const repo = nameOf(reader, issue)
  const url = `${API}/repos/${repo}/issues/${number}`
  const milestone = milestone_id == null ? undefined : records.milestones.get(milestone_id as number)
  const total = records.issues.count({ parent_issue_id: id })
  const completed = total === 0 ? 0 : records.issues.count({ parent_issue_id: id, state: 'closed' })
  const labels = idsOf(issue.label_ids).flatMap((one): Fields[] => {
    const label = records.labels.get(one as number)
    return label ? [label] : []
  })
  return {
    ...{ url, repository_url: `${API}/repos/${repo}`, labels_url: `${url}/labels{/name}` },
    ...{ comments_url: `${url}/comments`, events_url: `${url}/events`, timeline_url: `${url}/timeline` },
    ...{ html_url: `${SITE}/${repo}/${is_pull === true ? 'pull' : 'issues'}/${number}`, node_id: nodeId('I_', id) },
    ...{ user: personOf(reader, user_id), labels: labels.map((label) => toLabel(reader, label)) },
    ...{ assignee: people(reader, issue.assignee_ids)[0] ?? null, assignees: people(reader, issue.assignee_ids) },
    milestone: milestone ? toMilestone(reader, milestone) : null,
    comments: records.comments.count({ issue_id: id }),
    sub_issues_summary: {
      ...{ total, completed, percent_completed: Math.round((completed * 100) / Math.max(1, total)) },
    },
    ...sent(issue, 'id number title state locked created_at updated_at closed_at active_lock_reason body state_reason'),
    author_association: associationOf(reader, issue),
    ...(is_pull === true && pullParts(reader, issue, repo)),
    closed_by: personOf(reader, issue.closed_by_id),
    reactions: reactionsOf(reader, 'issues', id, url),
    performed_via_github_app: user_id === BOT_ID ? toApp(reader) : null,
  }
}

/** An issue of lists over many repositories. */
export const toIssueWithRepo = (reader: Reader, issue: Fields): Fields => ({
  ...toIssue(reader, issue),
  repository: toRepo(reader, repoOf(reader, issue)),
})

export function toComment(reader: Reader, comment: Fields): Fields {
  const { id = null, issue_id = null, issue_number, user_id } = comment
  const repo = nameOf(reader, comment)
  const url = `${API}/repos/${repo}/issues/comments/${id}`
  const kind = reader.records.pulls.some({ issue_id }) ? 'pull' : 'issues'
  return {
    ...{ url, html_url: `${SITE}/${repo}/${kind}/${issue_number}#issuecomment-${id}` },
    ...{ issue_url: `${API}/repos/${repo}/issues/${issue_number}`, node_id: nodeId('IC_', id) },
    ...{ user: personOf(reader, user_id), ...sent(comment, 'id created_at updated_at body') },
    ...{ author_association: associationOf(reader, comment), reactions: reactionsOf(reader, 'comments', id, url) },
    performed_via_github_app: user_id === BOT_ID ? toApp(reader) : null,
  }
}

export function toCommitComment(reader: Reader, comment: Fields): Fields {
  const { id = null, commit_id } = comment
  const repo = nameOf(reader, comment)
  const url = `${API}/repos/${repo}/comments/${id}`
  return {
    ...{ node_id: nodeId('CC_', id), url, html_url: `${SITE}/${repo}/commit/${commit_id}#commitcomment-${id}` },
    ...sent(comment, 'id body path position line commit_id created_at updated_at'),
    ...{ reactions: reactionsOf(reader, 'commit_comments', id, url), user: personOf(reader, comment.user_id) },
    author_association: associationOf(reader, comment),
  }
}

/** What happened to an issue. */
export function toIssueEvent(reader: Reader, event: Fields): Fields {
  const { id = null, created_at = null } = event
  return {
    ...{ id, node_id: nodeId('EV_', id), url: `${API}/repos/${nameOf(reader, event)}/issues/events/${id}` },
    ...{ actor: personOf(reader, event.actor_id), event: event.event ?? null, commit_id: null, commit_url: null },
    ...{ created_at, performed_via_github_app: null, ...fieldsOf(event.details) },
  }
}

/** The same, with its issue. */
export function toIssueEventWithIssue(reader: Reader, event: Fields): Fields {
  const issue = reader.records.issues.get(event.issue_id as number)
  return { ...toIssueEvent(reader, event), ...(issue && { issue: toIssue(reader, issue) }) }
}
