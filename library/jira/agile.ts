import { changeIssue, isDone } from './change-issue.ts'
import { tell } from './hooks.ts'
import { rankOf } from './issues.ts'
import type { Fields, Jira, Json, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, hasWords, idOf, isAsked, isEpic, isSubtask, known, pick, ref, textsOf, valuesOf } from './jira.ts'
import { findIssues, toIssuePage, toTokenPage } from './search.ts'
import { showIssue } from './show-issue.ts'

const SPRINT = 'customfield_10020'
const POINTS = 'customfield_10016'
const PROJECT = ['id', 'key', 'name', 'projectTypeKey', 'simplified', 'avatarUrls']

const estimate = ({ issue }: Jira): Shown => ({ fieldId: POINTS, value: valuesOf(issue)[POINTS] ?? null })

/** A board of all issues of a project, or of those of a filter. */
export function addBoard(jira: Jira, { id, key }: Kept, type: string, more: Fields = {}): Kept {
  const facts = { name: `${key} board`, type, isPrivate: false, _project: ref('projects', id), ...more }
  return jira.add('boards', '/rest/agile/1.0/board', facts, 2)
}

const boardOf = (jira: Jira): Kept => jira.find('boards', jira.path.boardId)
const sprintsOf = (values: Fields): Json[] => [values[SPRINT] ?? []].flat()

/** An issue with the fields that the agile API alone has. */
function showAgile(jira: Jira, issue: Kept, given: Fields = jira.query, usual?: string): Shown {
  const values = valuesOf(issue)
  const sprints = sprintsOf(values).flatMap((one) => jira.deref(one) ?? [])
  const isClosed = ({ state }: Kept): boolean => state === 'closed'
  const [closed, open] = [sprints.filter(isClosed), sprints.find((one) => !isClosed(one))]
  const epic = jira.deref(values.parent)
  const more = {
    flagged: false,
    sprint: open === undefined ? null : jira.whole('sprints', open),
    ...(closed.length > 0 && { closedSprints: jira.shown('sprints', closed) }),
    epic: epic !== undefined && isEpic(valuesOf(epic)) ? showEpic(jira, epic) : null,
  }
  const shown = showIssue(jira, issue, given, usual)
  const names = textsOf(given.fields)
  const isAll = names.every((name) => /^[*-]/.test(name))
  const asked = Object.entries(more).filter(([name]) => isAll || names.includes(name))
  return { ...shown, fields: { ...fieldsOf(shown.fields), ...Object.fromEntries(asked) } }
}

type Test = (values: Fields) => boolean

/** The issues of a board, in its order, and those of the request's JQL among them. */
function boardIssues(jira: Jira, test: Test = () => true): Kept[] {
  const { _project, _filter } = boardOf(jira)
  return among(jira, jira.deref(_filter)?.jql ?? `project = ${idOf(_project)} ORDER BY rank`, test)
}

function among(jira: Jira, order: unknown, test: Test): Kept[] {
  const found = findIssues(jira, order).filter((issue) => test(valuesOf(issue)))
  const { jql } = jira.query
  if (jql === undefined || jql === '') return found
  const ids = new Set(found.map(({ id }) => id))
  return findIssues(jira, jql).filter(({ id }) => ids.has(id))
}

/** Whether an issue of a board is in no sprint that is open. */
const isInBacklog =
  (jira: Jira): Test =>
  (values) => {
    const isClosed = (sprint: Json): boolean => jira.deref(sprint)?.state === 'closed'
    return !isDone(jira, values) && !isEpic(values) && sprintsOf(values).every(isClosed)
  }

function changeSprint(jira: Jira, isWhole: boolean): Shown {
  const { body, records } = jira
  const sprint = jira.find('sprints')
  const before = sprint.state
  const { state = isWhole ? 'future' : before } = body
  const cleared = isWhole ? { name: null, goal: null, startDate: null, endDate: null } : {}
  const change = { ...cleared, ...pick(body, 'name', 'goal', 'startDate', 'endDate', 'autoStartStop') }
  const next: Fields = { ...sprint, ...change }
  checkSprint(jira, next)
  if (state === 'active' && before === 'future') {
    if (next.startDate == null || next.endDate == null)
      jira.fail(400, 'Start date and end date have to be set to start the sprint.')
    if (records.sprints.some({ originBoardId: sprint.originBoardId ?? null, state: 'active' }))
      jira.fail(400, 'Board already has an active sprint. Complete the active sprint to start a new one.')
  } else if (state !== before && !(state === 'closed' && before === 'active'))
    jira.fail(400, `A sprint that is ${before} cannot become ${state}.`)
  const changed = records.sprints.update(sprint, { ...change, ...dueOf(next) })
  return jira.whole('sprints', state === before ? tell(jira, 'sprint_updated', changed) : advanceSprint(jira, changed))
}

function checkSprint(jira: Jira, { name, startDate, endDate }: Fields): void {
  if (typeof name !== 'string' || name === '') jira.failField('name', 'The sprint name is required.')
  if (String(name).length > 30) jira.failField('name', 'The sprint name must be shorter than 30 characters.')
  for (const [field, date] of Object.entries(known({ startDate, endDate })))
    if (Number.isNaN(Date.parse(String(date)))) jira.failField(field, `The date '${date}' is not valid.`)
  if (startDate != null && endDate != null && Date.parse(String(startDate)) >= Date.parse(String(endDate)))
    jira.fail(400, 'The start date of a sprint must be before the end date.')
}

/** When the clock starts or closes a sprint: with `autoStartStop` only. */
function dueOf({ autoStartStop, state, startDate, endDate }: Fields): Fields {
  const date = autoStartStop !== true || state === 'closed' ? null : state === 'future' ? startDate : endDate
  return { _due: date == null ? null : new Date(String(date)).toISOString() }
}

/** Starts a sprint, or closes it: issues that are not done go back to the backlog. */
export function advanceSprint(jira: Jira, sprint: Kept): Kept {
  const [now, isStart] = [jira.now.toISOString(), sprint.state === 'future']
  const change = isStart ? { state: 'active', activatedDate: now } : { state: 'closed', completeDate: now }
  const changed = jira.records.sprints.update(sprint, { ...change, ...dueOf({ ...sprint, ...change }) })
  return tell(jira, isStart ? 'sprint_started' : 'sprint_closed', changed)
}

const issuesOf = (jira: Jira): Kept[] => [jira.body.issues ?? []].flat().map((key) => jira.find('issues', key))

/** Puts issues into a sprint, or none. */
function moveAll(jira: Jira, sprint: Fields | null): void {
  for (const issue of issuesOf(jira)) {
    const past = sprintsOf(valuesOf(issue)).filter((one) => jira.deref(one)?.state === 'closed')
    const next = sprint === null ? past : [...past, sprint]
    changeIssue(jira, issue, { [SPRINT]: next.length > 0 ? next : null })
  }
  if ((jira.body.rankBeforeIssue ?? jira.body.rankAfterIssue) !== undefined) rank(jira)
}

function rank(jira: Jira): void {
  const { rankBeforeIssue, rankAfterIssue } = jira.body
  const { issues } = jira.records
  const moved = issuesOf(jira)
  const ids = new Set(moved.map(({ id }) => id))
  const others = [...issues].filter(({ id }) => !ids.has(id)).sort((a, b) => Number(a._rank) - Number(b._rank))
  const mark = jira.find('issues', rankBeforeIssue ?? rankAfterIssue)
  const at = others.findIndex(({ id }) => id === mark.id) + (rankBeforeIssue === undefined ? 1 : 0)
  const low = Number(others[at - 1]?._rank ?? 0)
  const high = Number(others[at]?._rank ?? Number(others.at(-1)?._rank ?? 0) + moved.length + 1)
  for (const [place, { id, fields }] of moved.entries()) {
    const now = low + ((high - low) * (place + 1)) / (moved.length + 1)
    issues.update(id, { _rank: now, fields: { ...fieldsOf(fields), customfield_10019: rankOf(now) } })
  }
}

function epicOf(jira: Jira, name: unknown = jira.path.epicIdOrKey): Kept {
  const epic = jira.find('issues', name)
  return isEpic(valuesOf(epic)) ? epic : jira.fail(404, `The requested epic '${name}' is not an epic.`)
}

const showEpic = (jira: Jira, { id, key, fields, _color = 'color_1', _done }: Kept): Shown => {
  const { summary, customfield_10011: name } = fieldsOf(fields)
  const names = { id: Number(id), key, self: jira.link(`/rest/agile/1.0/epic/${id}`), name: name ?? summary }
  return { ...names, summary, color: { key: _color }, done: _done ?? isDone(jira, fieldsOf(fields)) }
}

/** Whether an issue is in the epic of the path, or in none. */
const inEpic = (jira: Jira, name: unknown): Test => {
  if (name === 'none') return (values) => values.parent == null && !isEpic(values)
  const { id } = epicOf(jira, name)
  return ({ parent }) => idOf(parent) === id
}
const inSprint = (jira: Jira): Test => {
  const { id } = jira.find('sprints', jira.path.sprintId)
  return (values) => sprintsOf(values).some((one) => idOf(one) === String(id))
}

/** Lists of issues, at the addresses of both agile APIs: one pages by number, the other by token. */
const LISTINGS: Readonly<Record<string, (jira: Jira) => Kept[]>> = {
  'board/{boardId}/issue': (jira) => boardIssues(jira),
  'board/{boardId}/backlog': (jira) => boardIssues(jira, isInBacklog(jira)),
  'board/{boardId}/sprint/{sprintId}/issue': (jira) => boardIssues(jira, inSprint(jira)),
  'board/{boardId}/epic/{epicId}/issue': (jira) => boardIssues(jira, inEpic(jira, jira.path.epicId)),
  'sprint/{sprintId}/issue': (jira) => among(jira, 'ORDER BY rank', inSprint(jira)),
  'epic/{epicIdOrKey}/issue': (jira) => among(jira, 'ORDER BY rank', inEpic(jira, jira.path.epicIdOrKey)),
}

/** A board that has sprints. */
const scrumOf = (jira: Jira, id: unknown): Kept => {
  const board = jira.find('boards', id)
  return board.type === 'kanban' ? jira.fail(400, 'The board does not support sprints') : board
}

export const listings: Operations = Object.fromEntries(
  Object.entries(LISTINGS).flatMap(([path, issues]) => [
    [
      `GET /rest/agile/1.0/${path}`,
      (jira) => toIssuePage(jira, issues(jira), (one) => showAgile(jira, one, jira.query, '*navigable')),
    ],
    [`GET /rest/software/1.0/${path}`, (jira) => toTokenPage(jira, issues(jira), '*navigable', showAgile)],
  ]),
)

export const agile: Operations = {
  'GET board': (jira) => {
    const { projectKeyOrId, type, name } = jira.query
    const _project = projectKeyOrId && ref('projects', jira.find('projects', projectKeyOrId).id)
    const all = jira.all('boards', _project ? { _project } : {})
    const found = all.filter((one) => isAsked(type, one.type) && hasWords(name, one.name))
    return jira.list('boards', found)
  },
  'POST board': (jira) => {
    const { name = null, type, filterId, location } = jira.body
    if (jira.lookUp('filters', filterId) === undefined)
      jira.failField('filterId', 'The filter does not exist, or you cannot view it.')
    const { projectKeyOrId = jira.all('projects')[0]?.id ?? '' } = fieldsOf(location)
    const more = { name, _filter: ref('filters', filterId) }
    return jira.whole('boards', addBoard(jira, jira.find('projects', projectKeyOrId), String(type), more))
  },
  'GET board/{boardId}': (jira) => jira.whole('boards', boardOf(jira)),
  'DELETE board/{boardId}': (jira) => void jira.remove('boards'),
  'GET board/{boardId}/configuration': (jira) => {
    const { id, name, type, _filter } = boardOf(jira)
    const toStatus = (one: Kept) => ({ name: one.name, statuses: [jira.whole('statuses', one, ['id'])] })
    return {
      ...{ id, name, self: jira.link(`/rest/agile/1.0/board/${id}/configuration`), type },
      columnConfig: { columns: jira.all('statuses').map(toStatus), constraintType: 'issueCount' },
      estimation: { type: 'field', field: { fieldId: POINTS, displayName: 'Story Points' } },
      ranking: { rankCustomFieldId: 10_019 },
      ...(_filter !== undefined && { filter: { id: idOf(_filter) } }),
    }
  },
  'GET board/{boardId}/project': (jira) =>
    jira.page([boardOf(jira)], ({ _project }) =>
      jira.whole('projects', jira.find('projects', idOf(_project)), PROJECT),
    ),
  'GET board/{boardId}/version': (jira) =>
    jira.list('versions', jira.all('versions', { projectId: Number(idOf(boardOf(jira)._project)) })),
  'GET board/{boardId}/quickfilter': (jira) => boardOf(jira) && jira.page([], (one) => one),
  'GET board/filter/{id}': (jira) => jira.list('boards', jira.all('boards', { _filter: ref('filters', jira.path.id) })),
  'GET board/{boardId}/sprint': (jira) => {
    const { id: originBoardId } = scrumOf(jira, jira.path.boardId)
    const found = jira.all('sprints', { originBoardId }).filter(({ state }) => isAsked(jira.query.state, state))
    return jira.list('sprints', found)
  },
  'GET board/{boardId}/epic': (jira) => {
    const epics = boardIssues(jira, isEpic).map((one) => showEpic(jira, one))
    const asked = epics.filter(({ done }) => isAsked(jira.query.done, done))
    return jira.page(asked, (one) => one)
  },
  'POST sprint': (jira) => {
    const { id: originBoardId } = scrumOf(jira, jira.body.originBoardId)
    const given = pick(jira.body, 'name', 'goal', 'startDate', 'endDate', 'autoStartStop')
    const facts = { goal: '', ...given, state: 'future', createdDate: jira.now.toISOString(), originBoardId }
    checkSprint(jira, facts)
    const sprint = jira.add('sprints', '/rest/agile/1.0/sprint', { ...facts, ...dueOf(facts) }, 1)
    return jira.respond(201, jira.whole('sprints', tell(jira, 'sprint_created', sprint)))
  },
  'GET sprint/{sprintId}': (jira) => jira.whole('sprints', jira.find('sprints')),
  'POST sprint/{sprintId}': (jira) => changeSprint(jira, false),
  'PUT sprint/{sprintId}': (jira) => changeSprint(jira, true),
  'DELETE sprint/{sprintId}': (jira) => {
    const sprint = jira.find('sprints')
    if (sprint.state !== 'future') jira.fail(400, 'Only future sprints can be deleted.')
    for (const issue of among(jira, '', inSprint(jira))) changeIssue(jira, issue, { [SPRINT]: null })
    tell(jira, 'sprint_deleted', jira.remove('sprints'))
  },
  'POST sprint/{sprintId}/issue': (jira) => {
    const { id, state } = jira.find('sprints')
    if (state === 'closed') jira.fail(400, 'Issues cannot be moved to a closed sprint.')
    return moveAll(jira, ref('sprints', id))
  },
  'POST backlog/issue': (jira) => moveAll(jira, null),
  'POST backlog/{boardId}/issue': (jira) => boardOf(jira) && moveAll(jira, null),
  'GET issue/{issueIdOrKey}/estimation': estimate,
  'PUT issue/{issueIdOrKey}/estimation': (jira) => {
    const { value = null } = jira.body
    changeIssue(jira, jira.issue, { [POINTS]: value === null ? null : Number(value) })
    return estimate(jira)
  },
  'PUT issue/rank': rank,
  'GET issue/{issueIdOrKey}': (jira) => showAgile(jira, jira.issue),
  'GET epic/{epicIdOrKey}': (jira) => showEpic(jira, epicOf(jira)),
  'POST epic/{epicIdOrKey}': (jira) => {
    const epic = epicOf(jira)
    const { name: customfield_10011, summary, color, done } = jira.body
    changeIssue(jira, epic, pick({ customfield_10011, summary } as Fields, 'customfield_10011', 'summary'))
    const facts = known({ _color: fieldsOf(color).key, _done: done }) as Fields
    return showEpic(jira, jira.records.issues.update(jira.find('issues', epic.id), facts))
  },
  'POST epic/{epicIdOrKey}/issue': (jira) => {
    const parent = jira.path.epicIdOrKey === 'none' ? null : ref('issues', epicOf(jira).id)
    for (const issue of issuesOf(jira)) {
      if (isSubtask(valuesOf(issue))) jira.fail(400, `Sub-tasks cannot be in an epic: ${issue.key}`)
      changeIssue(jira, issue, { parent })
    }
  },
}
