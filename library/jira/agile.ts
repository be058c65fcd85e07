import {
  add,
  agileLink,
  type Context,
  type Due,
  type Fields,
  fail,
  failField,
  fieldsOf,
  find,
  hasWords,
  isAsked,
  issueOf,
  type Kept,
  known,
  noContent,
  type Operations,
  oldest,
  projectOf,
  removeOf,
  type Shown,
  toPage,
  type Work,
} from './context.ts'
import { avatarsOf } from './fields.ts'
import { happen } from './hooks.ts'
import { changeIssue, rankOf } from './issues.ts'
import { isDone } from './jql.ts'
import { isSubtask, OPTIONS, showOption } from './scheme.ts'
import { findIssues, toIssuePage, toTokenPage } from './search.ts'
import { showIssue } from './view.ts'

const SPRINT = 'customfield_10020'

/** A board of all issues of a project, or of those of a filter. */
export function addBoard(work: Work, project: Kept, type: string, given?: string, filter: string | null = null): Kept {
  const name = given ?? `${project.key} board`
  return add(work, 'boards', { name, type, project: project.id, filter }, 2)
}

function showBoard(work: Work, { id, name, type, project }: Kept): Shown {
  const { key: projectKey, name: projectName, projectTypeKey } = fieldsOf(work.records.projects.get(String(project)))
  const displayName = `${projectName} (${projectKey})`
  const names = { displayName, projectName, projectKey, projectTypeKey, name: displayName }
  const location = { projectId: Number(project), ...names, avatarURI: avatarsOf(project)['24x24'] }
  return { id: Number(id), self: agileLink(work, `board/${id}`), name, type, location, isPrivate: false }
}

function showSprint(work: Work, { id, board, due_at: _, autoStartStop, ...facts }: Kept): Shown {
  const names = { id: Number(id), self: agileLink(work, `sprint/${id}`), originBoardId: Number(board) }
  return { ...names, ...known(facts), ...(autoStartStop === true && { autoStartStop }) }
}

const boardOf = (context: Context): Kept => find(context, 'boards', context.path.boardId)
const sprintOf = (context: Context): Kept => find(context, 'sprints', context.path.sprintId)
const sprintsOf = (values: Fields): string[] => (values[SPRINT] ?? []) as string[]
const isEpic = ({ issuetype }: Fields): boolean => issuetype === '10000'

type Test = (values: Fields, issue: Kept) => boolean
const filterBy = (issues: readonly Kept[], test: Test): Kept[] =>
  issues.filter((issue) => test(fieldsOf(issue.values), issue))

/** The issues of a board, in its order, and those of the request's JQL among them. */
function boardIssues(context: Context, test: Test = () => true): Kept[] {
  const { project, filter } = boardOf(context)
  const saved = filter === null ? undefined : context.records.filters.get(String(filter))
  return among(context, filterBy(findIssues(context, saved?.jql ?? `project = ${project} ORDER BY rank`), test))
}

function among(context: Context, issues: Kept[]): Kept[] {
  const { jql } = context.query
  if (jql === undefined || jql === '') return issues
  const ids = new Set(issues.map(({ id }) => id))
  return findIssues(context, jql).filter(({ id }) => ids.has(id))
}

const byRank = (context: Context, test: Test): Kept[] => filterBy(findIssues(context, 'ORDER BY rank'), test)

const inSprint =
  ({ id }: Kept): Test =>
  (values) =>
    sprintsOf(values).includes(id)

/** Whether an issue of a board is in no sprint that is open. */
const isInBacklog =
  ({ records }: Context): Test =>
  (values, issue) =>
    !isDone(issue) && !isEpic(values) && sprintsOf(values).every((id) => records.sprints.get(id)?.state === 'closed')

const SPRINT_FIELDS = ['name', 'goal', 'startDate', 'endDate']

function changeSprint(context: Context, isWhole: boolean): Shown {
  const sprint = sprintOf(context)
  const { board = null, state: before = null } = sprint
  const { state = isWhole ? 'future' : before, autoStartStop = sprint.autoStartStop ?? false, ...body } = context.body
  const names = SPRINT_FIELDS.filter((name) => isWhole || body[name] !== undefined)
  const change = { ...Object.fromEntries(names.map((name) => [name, body[name] ?? null])), autoStartStop } as Fields
  const next: Fields = { ...sprint, ...change }
  checkSprint(context, next)
  if (state === 'active' && before === 'future') {
    if (next.startDate == null || next.endDate == null)
      return fail(context, 400, 'Start date and end date have to be set to start the sprint.')
    if (context.records.sprints.some({ board, state: 'active' }))
      return fail(context, 400, 'Board already has an active sprint. Complete the active sprint to start a new one.')
  } else if (state !== before && !(state === 'closed' && before === 'active'))
    return fail(context, 400, `A sprint that is ${before} cannot become ${state}.`)
  const changed = context.records.sprints.update(sprint.id, { ...change, ...dueOf(next) })
  if (state !== before) return showSprint(context, advance(context, changed))
  tellSprint(context, 'updated', changed)
  return showSprint(context, changed)
}

function checkSprint(context: Context, { name, startDate, endDate }: Fields): void {
  if (typeof name !== 'string' || name === '') failField(context, 'name', 'The sprint name is required.')
  if (String(name).length > 30) failField(context, 'name', 'The sprint name must be shorter than 30 characters.')
  for (const [field, date] of Object.entries(known({ startDate, endDate })))
    if (Number.isNaN(Date.parse(String(date)))) failField(context, field, `The date '${date}' is not valid.`)
  if (startDate != null && endDate != null && Date.parse(String(startDate)) >= Date.parse(String(endDate)))
    fail(context, 400, 'The start date of a sprint must be before the end date.')
}

/** When the clock starts or closes a sprint: with `autoStartStop` only. */
function dueOf({ autoStartStop, state, startDate, endDate }: Fields): Fields {
  const date = autoStartStop !== true || state === 'closed' ? null : state === 'future' ? startDate : endDate
  return { due_at: date == null ? null : new Date(String(date)).toISOString() }
}

const tellSprint = (work: Work, verb: string, sprint: Kept): void =>
  happen(work, `sprint_${verb}`, (of) => ({ sprint: showSprint(of, sprint) }))

/** Starts a sprint, or closes it: issues that are not done go back to the backlog. */
function advance(work: Work, sprint: Kept): Kept {
  const [now, isStart] = [work.now.toISOString(), sprint.state === 'future']
  const change = isStart ? { state: 'active', activatedDate: now } : { state: 'closed', completeDate: now }
  const changed = work.records.sprints.update(sprint.id, { ...change, ...dueOf({ ...sprint, ...change }) })
  tellSprint(work, isStart ? 'started' : 'closed', changed)
  return changed
}

const issuesOf = (context: Context): Kept[] => (context.body.issues as unknown[]).map((key) => issueOf(context, key))

/** Puts issues into a sprint, or none. */
function moveAll(context: Context, sprint: string | null): object {
  const { rankBeforeIssue, rankAfterIssue } = context.body
  for (const issue of issuesOf(context)) {
    const past = sprintsOf(fieldsOf(issue.values)).filter((id) => context.records.sprints.get(id)?.state === 'closed')
    const next = sprint === null ? past : [...past, sprint]
    changeIssue(context, issue, { [SPRINT]: next.length > 0 ? next : null })
  }
  return rankBeforeIssue === undefined && rankAfterIssue === undefined ? noContent(context) : rank(context)
}

function rank(context: Context): object {
  const { rankBeforeIssue, rankAfterIssue } = context.body
  const { issues } = context.records
  const moved = issuesOf(context)
  const ids = new Set(moved.map(({ id }) => id))
  const others = [...issues].filter(({ id }) => !ids.has(id)).sort((a, b) => Number(a.rank) - Number(b.rank))
  const mark = issueOf(context, rankBeforeIssue ?? rankAfterIssue)
  const at = others.findIndex(({ id }) => id === mark.id) + (rankBeforeIssue === undefined ? 1 : 0)
  const low = Number(others[at - 1]?.rank ?? 0)
  const high = Number(others[at]?.rank ?? Number(others.at(-1)?.rank ?? 0) + moved.length + 1)
  for (const [place, { id, values }] of moved.entries()) {
    const now = low + ((high - low) * (place + 1)) / (moved.length + 1)
    issues.update(id, { rank: now, values: { ...fieldsOf(values), customfield_10019: rankOf(now) } })
  }
  return noContent(context)
}

function epicOf(context: Context): Kept {
  const { epicIdOrKey: name } = context.path
  const epic = issueOf(context, name)
  return isEpic(fieldsOf(epic.values)) ? epic : fail(context, 404, `The requested epic '${name}' is not an epic.`)
}

const showEpic = (work: Work, epic: Kept): Shown => {
  const { summary, customfield_10011: name = summary } = fieldsOf(epic.values)
  const names = { id: Number(epic.id), key: epic.key, self: agileLink(work, `epic/${epic.id}`), name: name ?? summary }
  return { ...names, summary, color: { key: 'color_1' }, done: isDone(epic) }
}

const ofEpic =
  ({ id }: Kept): Test =>
  ({ parent }) =>
    parent === id
const isWithoutEpic: Test = (values) => values.parent == null && !isEpic(values)
const isNone = ({ path }: Context): boolean => (path.epicIdOrKey ?? path.epicId) === 'none'

/** Lists of issues, at the addresses of both agile APIs: one pages by number, the other by token. */
const listings: Readonly<Record<string, (context: Context) => Kept[]>> = {
  'board/{boardId}/issue': (context) => boardIssues(context),
  'board/{boardId}/backlog': (context) => boardIssues(context, isInBacklog(context)),
  'board/{boardId}/sprint/{sprintId}/issue': (context) => boardIssues(context, inSprint(sprintOf(context))),
  'board/{boardId}/epic/{epicId}/issue': (context) =>
    boardIssues(context, isNone(context) ? isWithoutEpic : ofEpic(issueOf(context, context.path.epicId))),
  'sprint/{sprintId}/issue': (context) => among(context, byRank(context, inSprint(sprintOf(context)))),
  'epic/{epicIdOrKey}/issue': (context) =>
    among(context, byRank(context, isNone(context) ? isWithoutEpic : ofEpic(epicOf(context)))),
}

/** The board of a request, if it has sprints. */
const scrumOf = (context: Context, id: unknown): Kept => {
  const board = find(context, 'boards', id)
  return board.type === 'kanban' ? fail(context, 400, 'The board does not support sprints') : board
}

export const listed: Operations = Object.fromEntries(
  Object.entries(listings).flatMap(([path, issues]) => [
    [`GET /rest/agile/1.0/${path}`, (context) => toIssuePage(context, issues(context))],
    [`GET /rest/software/1.0/${path}`, (context) => toTokenPage(context, issues(context), ['*navigable'])],
  ]),
)

export const agile: Operations = {
  'GET board': (context) => {
    const { projectKeyOrId, type, name } = context.query
    const of = projectKeyOrId === undefined ? {} : { project: projectOf(context, projectKeyOrId).id }
    const found = oldest(context, 'boards', of).filter(
      (one) => isAsked(type, one.type) && hasWords(name, `${one.name}`),
    )
    return toPage(context, found, (one) => showBoard(context, one))
  },
  'POST board': (context) => {
    const { name, type, filterId, location } = context.body
    const filter =
      context.records.filters.get(String(filterId)) ??
      failField(context, 'filterId', 'The filter does not exist, or you cannot view it.')
    const { projectKeyOrId } = fieldsOf(location)
    const project = projectKeyOrId ? projectOf(context, projectKeyOrId) : oldest(context, 'projects')[0]
    if (project === undefined) return fail(context, 400, 'A board needs a project.')
    return showBoard(context, addBoard(context, project, String(type), String(name), filter.id))
  },
  'GET board/{boardId}': (context) => showBoard(context, boardOf(context)),
  'DELETE board/{boardId}': (context) => {
    removeOf(context, 'boards', context.path.boardId)
    return noContent(context)
  },
  'GET board/{boardId}/configuration': (context) => {
    const { id, name, type, filter } = boardOf(context)
    const columns = OPTIONS.status.map((one) => {
      return { name: one.name, statuses: [{ id: one.id, self: showOption(context, 'status', one.id)?.self }] }
    })
    return {
      ...{ id: Number(id), name, self: agileLink(context, `board/${id}/configuration`), type },
      columnConfig: { columns, constraintType: 'issueCount' },
      estimation: { type: 'field', field: { fieldId: 'customfield_10016', displayName: 'Story Points' } },
      ranking: { rankCustomFieldId: 10_019 },
      ...(filter !== null && { filter: { id: filter } }),
    }
  },
  'GET board/{boardId}/sprint': (context) => {
    const { id: board } = scrumOf(context, context.path.boardId)
    const found = oldest(context, 'sprints', { board }).filter(({ state }) => isAsked(context.query.state, state))
    return toPage(context, found, (one) => showSprint(context, one))
  },
  'GET board/{boardId}/epic': (context) => {
    const { done } = context.query
    const epics = boardIssues(context, (values, issue) => isEpic(values) && isAsked(done, isDone(issue)))
    return toPage(context, epics, (one) => showEpic(context, one))
  },
  'POST sprint': (context) => {
    const { originBoardId, name, goal = '', startDate, endDate, autoStartStop = false } = context.body as Fields
    const { id: board } = scrumOf(context, originBoardId)
    const dates = { startDate: startDate ?? null, endDate: endDate ?? null, createdDate: context.now.toISOString() }
    const facts: Fields = { board, name: name ?? null, goal, ...dates, autoStartStop, state: 'future' }
    checkSprint(context, facts)
    const sprint = add(context, 'sprints', { ...facts, ...dueOf(facts) }, 1)
    tellSprint(context, 'created', sprint)
    return context.respond({ status: 201, body: showSprint(context, sprint) })
  },
  'GET sprint/{sprintId}': (context) => showSprint(context, sprintOf(context)),
  'POST sprint/{sprintId}': (context) => changeSprint(context, false),
  'PUT sprint/{sprintId}': (context) => changeSprint(context, true),
  'DELETE sprint/{sprintId}': (context) => {
    const sprint = sprintOf(context)
    if (sprint.state !== 'future') return fail(context, 400, 'Only future sprints can be deleted.')
    for (const issue of byRank(context, inSprint(sprint))) changeIssue(context, issue, { [SPRINT]: null })
    context.records.sprints.remove(sprint.id)
    tellSprint(context, 'deleted', sprint)
    return noContent(context)
  },
  'POST sprint/{sprintId}/issue': (context) => {
    const { id, state } = sprintOf(context)
    return state === 'closed' ? fail(context, 400, 'Issues cannot be moved to a closed sprint.') : moveAll(context, id)
  },
  'POST backlog/issue': (context) => moveAll(context, null),
  'PUT issue/rank': rank,
  'GET issue/{issueIdOrKey}': (context) => showIssue(context, issueOf(context, context.path.issueIdOrKey)),
  'GET epic/{epicIdOrKey}': (context) => showEpic(context, epicOf(context)),
  'POST epic/{epicIdOrKey}/issue': (context) => {
    const parent = isNone(context) ? null : epicOf(context).id
    for (const issue of issuesOf(context)) {
      if (isSubtask(issue.values)) return fail(context, 400, `Sub-tasks cannot be in an epic: ${issue.key}`)
      changeIssue(context, issue, { parent })
    }
    return noContent(context)
  },
}

/** A sprint with `autoStartStop`, at its start and at its end. */
export const advanceSprint = (work: Due): void => {
  advance(work, work.record)
}
