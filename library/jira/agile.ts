import {
  agileLink,
  type Context,
  type Due,
  type Fields,
  fail,
  fieldsOf,
  issueOf,
  type Kept,
  nextOf,
  projectOf,
  type Shown,
  textsOf,
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

const noContent = (context: Context): object => context.respond({ status: 204 })
const SPRINT = 'customfield_10020'

/** A board of all issues of a project, or of those of a filter. */
export function addBoard(
  context: Context,
  project: Kept,
  type: string,
  name = `${project.key} board`,
  filter: string | null = null,
): Kept {
  const id = String(nextOf(context, 'boards', 2))
  return context.records.boards.create({ id, name, type, project: project.id, filter })
}

function showBoard(work: Work, { id, name, type, project }: Kept): Shown {
  const { key, name: projectName, projectTypeKey } = fieldsOf(work.records.projects.get(String(project)))
  const location = {
    projectId: Number(project),
    displayName: `${projectName} (${key})`,
    projectName,
    projectKey: key,
    projectTypeKey,
    avatarURI: avatarsOf(project)['24x24'],
    name: `${projectName} (${key})`,
  }
  return { id: Number(id), self: agileLink(work, `board/${id}`), name, type, location, isPrivate: false }
}

const showSprint = (
  work: Work,
  { id, name, state, board, goal, startDate, endDate, completeDate, activatedDate, createdDate, autoStartStop }: Kept,
): Shown => ({
  id: Number(id),
  self: agileLink(work, `sprint/${id}`),
  state,
  name,
  ...(startDate != null && { startDate }),
  ...(endDate != null && { endDate }),
  ...(activatedDate != null && { activatedDate }),
  ...(completeDate != null && { completeDate }),
  createdDate,
  originBoardId: Number(board),
  ...(goal != null && { goal }),
  ...(autoStartStop === true && { autoStartStop }),
})

const boardOf = (context: Context): Kept =>
  context.records.boards.get(String(context.path.boardId)) ??
  fail(
    context,
    404,
    'The requested board cannot be viewed because it either does not exist or you do not have permission to view it.',
  )
const sprintOf = (context: Context): Kept =>
  context.records.sprints.get(String(context.path.sprintId)) ?? fail(context, 404, 'Sprint does not exist')

/** The issues of a board, in its order, and those of the request's JQL among them. */
function boardIssues(
  context: Context,
  { project, filter }: Kept,
  test: (values: Fields, issue: Kept) => boolean = () => true,
): Kept[] {
  const saved = filter === null ? undefined : context.records.filters.get(String(filter))
  const all = findIssues(context, saved === undefined ? `project = ${project} ORDER BY rank` : `${saved.jql}`)
  return among(
    context,
    all.filter((issue) => test(fieldsOf(issue.values), issue)),
  )
}

function among(context: Context, issues: readonly Kept[]): Kept[] {
  const { jql } = context.query
  if (jql === undefined || jql === '') return [...issues]
  const ids = new Set(issues.map(({ id }) => id))
  return findIssues(context, String(jql)).filter(({ id }) => ids.has(id))
}

const inSprint =
  (id: string) =>
  (values: Fields): boolean =>
    ((values[SPRINT] ?? []) as string[]).includes(id)

/** Whether an issue of a board is in no sprint that is open. */
const isInBacklog =
  ({ records }: Context) =>
  (values: Fields, issue: Kept): boolean =>
    !isDone(issue) &&
    values.issuetype !== '10000' &&
    !((values[SPRINT] ?? []) as string[]).some((id) => records.sprints.get(id)?.state !== 'closed')

const SPRINT_FIELDS = ['name', 'goal', 'startDate', 'endDate']

function changeSprint(context: Context, sprint: Kept, isWhole: boolean): Shown {
  const {
    state = isWhole ? 'future' : sprint.state,
    autoStartStop = sprint.autoStartStop ?? false,
    ...body
  } = context.body
  const given = Object.fromEntries(
    SPRINT_FIELDS.flatMap((name) => (body[name] === undefined && !isWhole ? [] : [[name, body[name] ?? null]])),
  ) as Fields
  const next: Fields = { ...sprint, ...given, autoStartStop }
  checkSprint(context, next)
  if (state !== sprint.state) {
    if (state === 'active' && sprint.state === 'future') {
      if (next.startDate == null || next.endDate == null)
        return fail(context, 400, 'Start date and end date have to be set to start the sprint.')
      if (context.records.sprints.some({ board: sprint.board ?? null, state: 'active' }))
        return fail(context, 400, 'Board already has an active sprint. Complete the active sprint to start a new one.')
    } else if (!(state === 'closed' && sprint.state === 'active'))
      return fail(context, 400, `A sprint that is ${sprint.state} cannot become ${state}.`)
  }
  const changed = context.records.sprints.update(sprint.id, {
    ...given,
    autoStartStop,
    ...dueOf({ ...next, state: sprint.state ?? null }),
  })
  if (state === sprint.state) tellSprint(context, 'updated', changed)
  return showSprint(
    context,
    state === sprint.state ? changed : state === 'active' ? start(context, changed) : close(context, changed),
  )
}

function checkSprint(context: Context, { name, startDate, endDate }: Fields): void {
  if (typeof name !== 'string' || name === '') fail(context, 400, [], { name: 'The sprint name is required.' })
  if (String(name).length > 30) fail(context, 400, [], { name: 'The sprint name must be shorter than 30 characters.' })
  const bad = Object.entries({ startDate, endDate }).find(
    ([, date]) => date != null && Number.isNaN(Date.parse(String(date))),
  )
  if (bad !== undefined) fail(context, 400, [], { [bad[0]]: `The date '${bad[1]}' is not valid.` })
  if (startDate != null && endDate != null && Date.parse(String(startDate)) >= Date.parse(String(endDate)))
    fail(context, 400, 'The start date of a sprint must be before the end date.')
}

const iso = (date: unknown): string | null => (date == null ? null : new Date(String(date)).toISOString())
/** When the clock starts or closes a sprint: with `autoStartStop` only. */
const dueOf = ({ autoStartStop, state, startDate, endDate }: Fields): Fields => ({
  due_at: autoStartStop !== true || state === 'closed' ? null : iso(state === 'future' ? startDate : endDate),
})

const tellSprint = (work: Work, verb: string, sprint: Kept): void =>
  happen(work, `sprint_${verb}`, (of) => ({ sprint: showSprint(of, sprint) }))

function start(work: Work, sprint: Kept): Kept {
  const state = { state: 'active', activatedDate: work.now.toISOString() }
  const changed = work.records.sprints.update(sprint.id, { ...state, ...dueOf({ ...sprint, ...state }) })
  tellSprint(work, 'started', changed)
  return changed
}

/** Closes a sprint: issues that are not done go back to the backlog. */
function close(work: Work, sprint: Kept): Kept {
  const changed = work.records.sprints.update(sprint.id, {
    state: 'closed',
    completeDate: work.now.toISOString(),
    due_at: null,
  })
  tellSprint(work, 'closed', changed)
  return changed
}

/** Puts issues into a sprint, or none. */
function moveAll(context: Context, sprint: string | null): object {
  const { issues, rankBeforeIssue, rankAfterIssue } = context.body
  const moved = (issues as unknown[]).map((key) => issueOf(context, key))
  for (const issue of moved) {
    const past = ((fieldsOf(issue.values)[SPRINT] ?? []) as string[]).filter(
      (id) => context.records.sprints.get(id)?.state === 'closed',
    )
    const next = sprint === null ? past : [...past, sprint]
    changeIssue(context, issue, { [SPRINT]: next.length > 0 ? next : null })
  }
  if (rankBeforeIssue !== undefined || rankAfterIssue !== undefined) rank(context, moved)
  return noContent(context)
}

function rank(context: Context, moved: readonly Kept[]): void {
  const { rankBeforeIssue, rankAfterIssue } = context.body
  const ids = new Set(moved.map(({ id }) => id))
  const others = [...context.records.issues]
    .filter(({ id }) => !ids.has(id))
    .sort((a, b) => Number(a.rank) - Number(b.rank))
  const mark = issueOf(context, rankBeforeIssue ?? rankAfterIssue)
  const at = others.findIndex(({ id }) => id === mark.id) + (rankBeforeIssue === undefined ? 1 : 0)
  const [low, high] = [
    Number(others[at - 1]?.rank ?? 0),
    Number(others[at]?.rank ?? Number(others.at(-1)?.rank ?? 0) + moved.length + 1),
  ]
  for (const [place, { id }] of moved.entries()) {
    const now = low + ((high - low) * (place + 1)) / (moved.length + 1)
    const { values } = issueOf(context, id)
    context.records.issues.update(id, { rank: now, values: { ...fieldsOf(values), customfield_10019: rankOf(now) } })
  }
}

function epicOf(context: Context): Kept {
  const epic = issueOf(context, context.path.epicIdOrKey)
  return fieldsOf(epic.values).issuetype === '10000'
    ? epic
    : fail(context, 404, `The requested epic '${context.path.epicIdOrKey}' is not an epic.`)
}

const showEpic = (work: Work, epic: Kept): Shown => {
  const { summary, customfield_10011: name } = fieldsOf(epic.values)
  return {
    id: Number(epic.id),
    key: epic.key,
    self: agileLink(work, `epic/${epic.id}`),
    name: name ?? summary,
    summary,
    color: { key: 'color_1' },
    done: isDone(epic),
  }
}

const ofEpic =
  ({ id }: Kept) =>
  (values: Fields): boolean =>
    values.parent === id
const isWithoutEpic = (values: Fields): boolean => values.parent == null && values.issuetype !== '10000'

/** Lists of issues, at the addresses of both agile APIs: one pages by number, the other by token. */
const listings = {
  'board/{boardId}/issue': (context: Context) => boardIssues(context, boardOf(context)),
  'board/{boardId}/backlog': (context: Context) => boardIssues(context, boardOf(context), isInBacklog(context)),
  'board/{boardId}/sprint/{sprintId}/issue': (context: Context) =>
    boardIssues(context, boardOf(context), inSprint(sprintOf(context).id)),
  'board/{boardId}/epic/{epicId}/issue': (context: Context) =>
    boardIssues(
      context,
      boardOf(context),
      context.path.epicId === 'none' ? isWithoutEpic : ofEpic(issueOf(context, context.path.epicId)),
    ),
  'sprint/{sprintId}/issue': (context: Context) => among(context, byRank(context, inSprint(sprintOf(context).id))),
  'epic/{epicIdOrKey}/issue': (context: Context) =>
    among(context, byRank(context, context.path.epicIdOrKey === 'none' ? isWithoutEpic : ofEpic(epicOf(context)))),
}

const byRank = (context: Context, test: (values: Fields) => boolean): Kept[] =>
  findIssues(context, 'ORDER BY rank').filter(({ values }) => test(fieldsOf(values)))

export const agile = {
  ...Object.fromEntries(
    Object.entries(listings).flatMap(([path, find]) => [
      [`GET /rest/agile/1.0/${path}`, (context: Context) => toIssuePage(context, find(context))],
      [`GET /rest/software/1.0/${path}`, (context: Context) => toTokenPage(context, find(context), ['*navigable'])],
    ]),
  ),
  'GET /rest/agile/1.0/board': (context: Context) => {
    const { projectKeyOrId, type, name = '' } = context.query
    const project = projectKeyOrId === undefined ? undefined : projectOf(context, projectKeyOrId).id
    const types = textsOf(type)
    const found = [...context.records.boards]
      .toReversed()
      .filter(
        (one) =>
          (project === undefined || one.project === project) &&
          (types.length === 0 || types.includes(String(one.type))) &&
          String(one.name).toLowerCase().includes(String(name).toLowerCase()),
      )
    return toPage(context, found, (one) => showBoard(context, one))
  },
  'POST /rest/agile/1.0/board': (context: Context) => {
    const { name, type, filterId, location } = context.body
    const filter =
      context.records.filters.get(String(filterId)) ??
      fail(context, 400, [], { filterId: 'The filter does not exist, or you cannot view it.' })
    const named = fieldsOf(location).projectKeyOrId
    const project = named === undefined ? [...context.records.projects].at(-1) : projectOf(context, named)
    if (project === undefined) return fail(context, 400, 'A board needs a project.')
    return showBoard(context, addBoard(context, project, String(type), String(name), filter.id))
  },
  'GET /rest/agile/1.0/board/{boardId}': (context: Context) => showBoard(context, boardOf(context)),
  'DELETE /rest/agile/1.0/board/{boardId}': (context: Context) => {
    context.records.boards.remove(boardOf(context).id)
    return noContent(context)
  },
  'GET /rest/agile/1.0/board/{boardId}/configuration': (context: Context) => {
    const board = boardOf(context)
    const columns = OPTIONS.status.map(({ id, name }) => ({
      name,
      statuses: [{ id, self: showOption(context, 'status', id)?.self }],
    }))
    const field = { fieldId: 'customfield_10016', displayName: 'Story Points' }
    const facts = {
      type: board.type,
      columnConfig: { columns, constraintType: 'issueCount' },
      estimation: { type: 'field', field },
      ranking: { rankCustomFieldId: 10_019 },
    }
    return {
      id: Number(board.id),
      name: board.name,
      self: agileLink(context, `board/${board.id}/configuration`),
      ...facts,
      ...(board.filter !== null && { filter: { id: board.filter } }),
    }
  },
  'GET /rest/agile/1.0/board/{boardId}/sprint': (context: Context) => {
    const board = boardOf(context)
    if (board.type === 'kanban') return fail(context, 400, 'The board does not support sprints')
    const states = textsOf(context.query.state)
    const found = context.records.sprints
      .where({ board: board.id })
      .toReversed()
      .filter(({ state }) => states.length === 0 || states.includes(String(state)))
    return toPage(context, found, (one) => showSprint(context, one))
  },
  'GET /rest/agile/1.0/board/{boardId}/epic': (context: Context) => {
    const { done } = context.query
    const epics = boardIssues(
      context,
      boardOf(context),
      ({ issuetype }, issue) => issuetype === '10000' && (done === undefined || String(done) === String(isDone(issue))),
    )
    return toPage(context, epics, (one) => showEpic(context, one))
  },
  'POST /rest/agile/1.0/sprint': (context: Context) => {
    const {
      originBoardId,
      name = null,
      goal = '',
      startDate = null,
      endDate = null,
      autoStartStop = false,
    } = context.body
    const board = context.records.boards.get(String(originBoardId))
    if (board === undefined)
      return fail(
        context,
        404,
        'The requested board cannot be viewed because it either does not exist or you do not have permission to view it.',
      )
    if (board.type === 'kanban') return fail(context, 400, 'The board does not support sprints')
    const facts = {
      board: board.id,
      name,
      goal,
      startDate,
      endDate,
      autoStartStop,
      state: 'future',
      createdDate: context.now.toISOString(),
    }
    checkSprint(context, facts)
    const sprint = context.records.sprints.create({
      id: String(nextOf(context, 'sprints', 1)),
      ...facts,
      ...dueOf(facts),
    })
    tellSprint(context, 'created', sprint)
    return context.respond({ status: 201, body: showSprint(context, sprint) })
  },
  'GET /rest/agile/1.0/sprint/{sprintId}': (context: Context) => showSprint(context, sprintOf(context)),
  'POST /rest/agile/1.0/sprint/{sprintId}': (context: Context) => changeSprint(context, sprintOf(context), false),
  'PUT /rest/agile/1.0/sprint/{sprintId}': (context: Context) => changeSprint(context, sprintOf(context), true),
  'DELETE /rest/agile/1.0/sprint/{sprintId}': (context: Context) => {
    const sprint = sprintOf(context)
    if (sprint.state !== 'future') return fail(context, 400, 'Only future sprints can be deleted.')
    for (const issue of byRank(context, inSprint(sprint.id))) changeIssue(context, issue, { [SPRINT]: null })
    context.records.sprints.remove(sprint.id)
    tellSprint(context, 'deleted', sprint)
    return noContent(context)
  },
  'POST /rest/agile/1.0/sprint/{sprintId}/issue': (context: Context) => {
    const sprint = sprintOf(context)
    return sprint.state === 'closed'
      ? fail(context, 400, 'Issues cannot be moved to a closed sprint.')
      : moveAll(context, sprint.id)
  },
  'POST /rest/agile/1.0/backlog/issue': (context: Context) => moveAll(context, null),
  'PUT /rest/agile/1.0/issue/rank': (context: Context) => {
    rank(
      context,
      (context.body.issues as unknown[]).map((key) => issueOf(context, key)),
    )
    return noContent(context)
  },
  'GET /rest/agile/1.0/issue/{issueIdOrKey}': (context: Context) =>
    showIssue(context, issueOf(context, context.path.issueIdOrKey)),
  'GET /rest/agile/1.0/epic/{epicIdOrKey}': (context: Context) => showEpic(context, epicOf(context)),
  'POST /rest/agile/1.0/epic/{epicIdOrKey}/issue': (context: Context) => {
    const parent = context.path.epicIdOrKey === 'none' ? null : epicOf(context).id
    for (const key of context.body.issues as unknown[]) {
      const issue = issueOf(context, key)
      if (isSubtask(issue.values)) return fail(context, 400, `Sub-tasks cannot be in an epic: ${issue.key}`)
      changeIssue(context, issue, { parent })
    }
    return noContent(context)
  },
  /** A sprint with `autoStartStop`, at its start and at its end. */
  advanceSprint: (work: Due) => {
    if (work.record.state === 'future') start(work, work.record)
    else close(work, work.record)
  },
}
