import { type Fields, type GitHubRequest, type Operations, sorted } from './github.ts'
import { addEvent, changedSince, crossRefer, freshIssue, issueOf } from './issue-changes.ts'
import { toComment, toIssue } from './show-issue.ts'

const REPO = '/repos/{owner}/{repo}/issues'
const ON_ISSUE = `${REPO}/{issue_number}/comments`
const ONE = `${REPO}/comments/{comment_id}`

/** Comments by `sort` and `direction`; those of one time by their ids. */
export function sortedComments({ query }: GitHubRequest, comments: readonly Fields[]): Fields[] {
  const isDescending = query.direction === 'desc'
  const by = query.sort === 'updated' || query.sort === 'updated_at' ? 'updated_at' : 'created_at'
  return sorted(sorted(comments, 'id', isDescending), by, isDescending)
}

const commentOf = (github: GitHubRequest): Fields =>
  github.find('comments', github.path.comment_id, { repository_id: github.repo.id ?? null })

/** Refuses who may neither push nor has written the comment. */
export function checkAuthor(github: GitHubRequest, { user_id }: Fields): void {
  if (['none', 'pull', 'read', 'triage'].includes(github.role) && user_id !== github.actorId)
    github.refuse(403, 'Must have admin rights to Repository.')
}

const happen = (github: GitHubRequest, action: string, comment: Fields, extra: Fields = {}): Fields => {
  const issue = toIssue(github, freshIssue(github, { id: comment.issue_id ?? null }))
  const shown = toComment(github, comment)
  github.happen(github.repo, `issue_comment.${action}`, { action, issue, comment: shown, ...extra })
  return shown
}

function create(github: GitHubRequest): object {
  const issue = issueOf(github)
  const { body, actorId, role } = github
  if (issue.locked === true && ['none', 'pull', 'read'].includes(role))
    github.refuse(403, 'Unable to create comment because issue is locked.')
  if (body.body === '') github.invalid({ resource: 'IssueComment', field: 'body', code: 'missing_field' })
  const { id: issue_id = null, number: issue_number = null, repository_id = null } = issue
  const fields = { repository_id, issue_id, issue_number, body: body.body ?? null, user_id: actorId }
  const comment = github.create('comments', fields)
  github.update('issues', issue, {})
  addEvent(github, issue, 'commented', { note_id: comment.id ?? null })
  crossRefer(github, issue, body.body)
  return github.created(happen(github, 'created', comment))
}

export const comments: Operations = {
  [`GET ${ON_ISSUE}`]: (github) => {
    const found = github.records.comments.where({ issue_id: issueOf(github).id ?? null })
    return github.page(found.filter(changedSince(github)).toReversed(), (one) => toComment(github, one))
  },
  [`POST ${ON_ISSUE}`]: create,
  [`GET ${REPO}/comments`]: (github) => {
    const found = github.records.comments.where({ repository_id: github.repo.id ?? null })
    const shown = sortedComments(github, found.filter(changedSince(github)))
    return github.page(shown, (one) => toComment(github, one))
  },
  [`GET ${ONE}`]: (github) => toComment(github, commentOf(github)),
  [`PATCH ${ONE}`]: (github) => {
    const before = commentOf(github)
    checkAuthor(github, before)
    const comment = github.update('comments', before, { body: github.body.body ?? null })
    return happen(github, 'edited', comment, { changes: { body: { from: before.body ?? null } } })
  },
  [`DELETE ${ONE}`]: (github) => {
    const { comments: all, issue_events } = github.records
    const comment = commentOf(github)
    checkAuthor(github, comment)
    happen(github, 'deleted', comment)
    all.remove(comment.id as number)
    const note = issue_events.find({ event: 'commented', 'details.note_id': comment.id ?? null })
    if (note !== undefined) issue_events.remove(note.id as number)
    return github.empty
  },
}
