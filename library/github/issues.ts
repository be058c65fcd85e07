import { lacking } from './compare.ts'
import {
  type Fields,
  type GitHubRequest,
  idsOf,
  type Json,
  type Operations,
  sorted,
  textOf,
  textsOf,
} from './github.ts'
import {
  addEvent,
  changedSince,
  close,
  freshIssue,
  issueOf,
  labelIdsOf,
  makeIssue,
  reopen,
  sayAssignees,
  sayLabels,
  sayMilestone,
  setAssignees,
  setLabels,
  setMilestone,
  tellIssue,
} from './issue-changes.ts'
import { issuesFound } from './issue-search.ts'
import { toIssue, toIssueEvent, toIssueEventWithIssue, toIssueWithRepo } from './show-issue.ts'

const ISSUES = '/repos/{owner}/{repo}/issues'
const ONE = `${ISSUES}/{issue_number}`
const READERS = ['none', 'pull', 'read']
/** Events of the timeline alone. */
const OF_TIMELINE = ['commented', 'reviewed', 'cross-referenced']

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== ''
export const mayTriage = ({ role }: GitHubRequest): boolean => !READERS.includes(role)
const show = (github: GitHubRequest, issue: Fields): Fields => toIssue(github, freshIssue(github, issue))

/** The ids of the people whom the body names; unknown names are left out. */
const assigneesOfBody = (github: GitHubRequest): Json[] => {
  const { assignees, assignee } = github.body
  const logins = [...textsOf(assignees), ...(isGiven(assignee) ? [textOf(assignee)] : [])]
  return [...new Set(logins.flatMap((login) => github.accountNamed(login)?.id ?? []))]
}

/** Refuses assignees and a milestone that are not there. */
function checkParts(github: GitHubRequest): void {
  const unknown = textsOf(github.body.assignees).find((login) => github.accountNamed(login) === undefined)
  const { milestone: value } = github.body
  if (isGiven(value) && milestoneNumbered(github, value) === undefined)
    github.invalid({ value, resource: 'Issue', field: 'milestone', code: 'invalid' })
  if (unknown !== undefined) github.invalid({ value: unknown, resource: 'Issue', field: 'assignees', code: 'invalid' })
}

const milestoneNumbered = ({ records, repo }: GitHubRequest, number: Json | undefined): Fields | undefined =>
  isGiven(number) ? records.milestones.find({ repository_id: repo.id ?? null, number: Number(number) }) : undefined

function createIssue(github: GitHubRequest): object {
  const { repo, body } = github
  if (repo.has_issues === false) github.refuse(410, 'Issues has been disabled in this repository.')
  if (!isGiven(body.title)) github.invalid({ resource: 'Issue', field: 'title', code: 'missing_field' })
  // https://docs.github.com/rest/issues/issues#create-an-issue: of others, labels and the like are dropped.
  const isFull = mayTriage(github)
  if (isFull) checkParts(github)
  const label_ids = isFull ? labelIdsOf(github, repo, body.labels) : []
  const assignee_ids = isFull ? assigneesOfBody(github) : []
  const milestone = isFull ? milestoneNumbered(github, body.milestone) : undefined
  const parts = { label_ids, assignee_ids, milestone_id: milestone?.id ?? null }
  const issue = makeIssue(github, repo, { title: body.title ?? null, body: body.body ?? null, ...parts })
  tellIssue(github, issue, 'opened')
  sayLabels(github, issue, 'labeled', label_ids)
  sayAssignees(github, issue, 'assigned', assignee_ids)
  if (milestone !== undefined) sayMilestone(github, issue, milestone)
  return github.created(show(github, issue))
}

/** What of an issue's texts the body changes, and from what. */
const textChanges = ({ body }: GitHubRequest, before: Fields): Fields =>
  Object.fromEntries(
    ['title', 'body']
      .filter((name) => isGiven(body[name]) && body[name] !== before[name])
      .map((name) => [name, { from: before[name] ?? null }]),
  )

/** Sets the texts of an issue. @param extra further changes for the event */
export function editTexts(github: GitHubRequest, issue: Fields, extra: Fields = {}): void {
  const { title, body } = github.body
  const changes = { ...textChanges(github, issue), ...extra }
  github.update('issues', issue, { title: title ?? issue.title ?? null, ...(body !== undefined && { body }) })
  if (changes.title !== undefined)
    addEvent(github, issue, 'renamed', { rename: { from: issue.title ?? null, to: title ?? null } })
  if (Object.keys(changes).length > 0) tellIssue(github, issue, 'edited', { changes })
}

function changeIssue(github: GitHubRequest): Fields {
  const issue = issueOf(github)
  const { repo, body } = github
  const isFull = mayTriage(github)
  if (!isFull && issue.user_id !== github.actorId) github.refuse(403, 'Must have admin rights to Repository.')
  if (isFull) checkParts(github)
  editTexts(github, issue)
  const { state, state_reason, labels, assignees, assignee, milestone } = body
  if (state === 'closed' && issue.state === 'open') close(github, issue, { state_reason: state_reason ?? 'completed' })
  if (state === 'open' && issue.state === 'closed') reopen(github, issue, { state_reason: 'reopened' })
  if (!isFull) return show(github, issue)
  if (labels != null) setLabels(github, issue, labelIdsOf(github, repo, labels))
  if (assignees != null || assignee != null) setAssignees(github, issue, assigneesOfBody(github))
  if (milestone !== undefined) setMilestone(github, issue, milestoneNumbered(github, milestone))
  return show(github, issue)
}

/** The ids of issues that mention somebody. */
function mentioning({ records }: GitHubRequest, login: Json): Json[] {
  const all = { issues: [...records.issues], comments: [...records.comments] }
  const found = issuesFound({ terms: { mentions: [login] }, ...all })
  return Array.isArray(found) ? found.map((issue) => (issue as Fields).id ?? null) : []
}

/** The issues of lists, by the query. @param isAmong whether one is of the list's repositories */
function listed(github: GitHubRequest, isAmong: (issue: Fields) => boolean, isRepos = false): Fields[] {
  const { records, query, actor } = github
  const filter = isRepos ? undefined : (query.filter ?? 'assigned')
  const whom = (given: Json | undefined, kind: string) => given ?? (filter === kind ? actor?.login : undefined)
  const idOf = (login: Json | undefined) => github.accountNamed(login)?.id ?? -1
  const [assignee, creator] = [whom(query.assignee, 'assigned'), whom(query.creator, 'created')]
  const mentioned = whom(query.mentioned, 'mentioned')
  const ids = mentioned === undefined ? undefined : mentioning(github, mentioned)
  const { state = 'open', milestone, labels, sort = 'created', direction = 'desc' } = query
  const milestoneId = isRepos ? (milestoneNumbered(github, milestone)?.id ?? -1) : -1
  const keys = textOf(labels).toLowerCase().split(',').filter(Boolean)
  const isOf = (value: Json | undefined, wanted: Json | undefined, is: () => boolean) =>
    !isGiven(wanted) || (wanted === '*' ? isGiven(value) : wanted === 'none' ? !isGiven(value) : is())
  const isRecent = changedSince(github)
  const found = records.issues.where((issue) => {
    const assignees = idsOf(issue.assignee_ids)
    const names = idsOf(issue.label_ids).map((id) => records.labels.get(id as number)?.key)
    return (
      isAmong(issue) &&
      (state === 'all' || issue.state === state) &&
      (creator === undefined || issue.user_id === idOf(creator)) &&
      isOf(assignees[0], assignee, () => assignees.includes(idOf(assignee))) &&
      isOf(issue.milestone_id, milestone, () => issue.milestone_id === milestoneId) &&
      (ids === undefined || ids.includes(issue.id ?? null)) &&
      isRecent(issue) &&
      keys.every((key) => names.includes(key))
    )
  })
  const commented = (issue: Fields) => ({ ...issue, comments: records.comments.count({ issue_id: issue.id ?? null }) })
  const counted = sort === 'comments' ? found.map(commented) : found
  const by = { updated: 'updated_at', comments: 'comments' }[textOf(sort)] ?? 'created_at'
  const isDescending = direction !== 'asc'
  return sorted(sorted(counted, 'id', isDescending), by, isDescending)
}

const all = (github: GitHubRequest): object =>
  github.page(
    listed(github, () => true),
    (issue) => toIssueWithRepo(github, issue),
  )

const setLock =
  (locked: boolean): Operations[string] =>
  (github) => {
    const issue = issueOf(github)
    const active_lock_reason = locked ? (github.body.lock_reason ?? null) : null
    github.update('issues', issue, { locked, active_lock_reason })
    const event = locked ? 'locked' : 'unlocked'
    addEvent(github, issue, event)
    tellIssue(github, issue, event)
    return github.empty
  }

const assign =
  (next: (ids: Json[], named: Json[]) => Json[], isNew: boolean): Operations[string] =>
  (github) => {
    const issue = issueOf(github)
    setAssignees(github, issue, next(idsOf(issue.assignee_ids), assigneesOfBody(github)))
    return isNew ? github.created(show(github, issue)) : show(github, issue)
  }

/** The sub-issue that the body names. */
const childOf = ({ records, body }: GitHubRequest): Fields | undefined =>
  records.issues.get(body.sub_issue_id as number)

/** Puts an issue below another or takes it away, and says so of both. https://docs.github.com/webhooks/webhook-events-and-payloads#sub_issues */
function setParent(github: GitHubRequest, parent: Fields, child: Fields, isBelow: boolean): object {
  github.records.issues.update(child.id as number, { parent_issue_id: isBelow ? parent.id : null } as Fields)
  const [parent_issue, sub_issue] = [show(github, parent), show(github, child)]
  const ids = { parent_issue_id: parent.id ?? null, sub_issue_id: child.id ?? null }
  for (const [part, issue] of Object.entries({ sub_issue: parent, parent_issue: child })) {
    const action = `${part}_${isBelow ? 'added' : 'removed'}`
    addEvent(github, issue, action)
    github.happen(github.repo, `sub_issues.${action}`, { action, ...ids, parent_issue, sub_issue })
  }
  return parent_issue
}

function addChild(github: GitHubRequest): object {
  const issue = issueOf(github)
  const child = childOf(github) ?? github.gone()
  if (child.parent_issue_id != null && github.body.replace_parent !== true)
    github.custom('SubIssue', 'Issue may not contain duplicate sub-issues')
  return github.created(setParent(github, issue, child, true))
}

const events = ({ records }: GitHubRequest, test: Fields): Fields[] =>
  records.issue_events.where(test).filter(({ event }) => !OF_TIMELINE.includes(textOf(event)))

export const issues: Operations = {
  [`GET ${ISSUES}`]: (github) => {
    const { id } = github.repo
    const found = listed(github, ({ repository_id }) => repository_id === id, true)
    return github.page(found, (issue) => toIssue(github, issue))
  },
  [`POST ${ISSUES}`]: createIssue,
  'GET /issues': all,
  'GET /user/issues': all,
  'GET /orgs/{org}/issues': (github) => {
    const { id } = github.organization
    const repos = new Set(github.records.repos.where({ owner_id: id ?? null }).map((repo) => repo.id))
    const found = listed(github, ({ repository_id }) => repos.has(repository_id))
    return github.page(found, (issue) => toIssueWithRepo(github, issue))
  },
  [`GET ${ONE}`]: (github) => toIssue(github, issueOf(github)),
  [`PATCH ${ONE}`]: changeIssue,
  [`PUT ${ONE}/lock`]: setLock(true),
  [`DELETE ${ONE}/lock`]: setLock(false),
  [`POST ${ONE}/assignees`]: assign((ids, named) => [...new Set([...ids, ...named])], true),
  [`DELETE ${ONE}/assignees`]: assign(lacking, false),
  [`GET ${ONE}/events`]: (github) =>
    github.page(events(github, { issue_id: issueOf(github).id ?? null }).toReversed(), (event) =>
      toIssueEvent(github, event),
    ),
  [`GET ${ISSUES}/events`]: (github) =>
    github.page(events(github, { repository_id: github.repo.id ?? null }), (event) =>
      toIssueEventWithIssue(github, event),
    ),
  [`GET ${ISSUES}/events/{event_id}`]: (github) => {
    const id = Number(github.path.event_id)
    return toIssueEventWithIssue(github, github.find('issue_events', id, { repository_id: github.repo.id ?? null }))
  },
  [`GET ${ONE}/sub_issues`]: (github) => {
    const below = github.records.issues.where({ parent_issue_id: issueOf(github).id ?? null })
    return github.page(below.toReversed(), (issue) => toIssue(github, issue))
  },
  [`POST ${ONE}/sub_issues`]: addChild,
  [`DELETE ${ONE}/sub_issue`]: (github) => {
    const issue = issueOf(github)
    const child = childOf(github)
    if (child === undefined || child.parent_issue_id !== issue.id) return github.gone()
    return setParent(github, issue, child, false)
  },
  [`GET ${ONE}/parent`]: (github) =>
    toIssue(github, github.records.issues.get(issueOf(github).parent_issue_id as number) ?? github.gone()),
}
