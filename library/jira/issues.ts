import {
  type Context,
  type Due,
  type Fields,
  fail,
  fieldsOf,
  issueOf,
  type Json,
  type Kept,
  linkTo,
  listOf,
  meOf,
  nextOf,
  type Shown,
  textsOf,
  toPage,
  type Work,
} from './context.ts'
import { changesOf, type Field, fieldsIn, readValues, showMeta } from './fields.ts'
import { happenTo } from './hooks.ts'
import { categoryOf, isSubtask, OPTIONS, optionOf, showOption, TRANSITIONS } from './scheme.ts'
import { addComment, addLink, addWorklog } from './talk.ts'
import {
  askedOf,
  editMeta,
  isEditable,
  isOnCreate,
  linksOf,
  showChange,
  showIssue,
  showTransitions,
  subtasksOf,
} from './view.ts'

export const pathIssue = (context: Context): Kept => issueOf(context, context.path.issueIdOrKey)

const EMPTY: Fields = {
  labels: [],
  components: [],
  fixVersions: [],
  versions: [],
  status: '10000',
  priority: '3',
  resolution: null,
  assignee: null,
}

/** Creates an issue. @returns it, or the errors by field */
export function createIssue(context: Context, given: Fields): { issue?: Kept; errors?: Record<string, string> } {
  const { records, now } = context
  const { project: named, issuetype } = fieldsOf(given.fields)
  const { id, key } = fieldsOf(named)
  const project = records.projects.get(String(id)) ?? records.projects.find({ key: String(key).toUpperCase() })
  const errors: Record<string, string> = {}
  if (project === undefined) errors.project = 'Specify a valid project ID or key'
  if (issuetype === undefined) errors.issuetype = 'Specify an issue type'
  if (fieldsOf(given.fields).summary === undefined) errors.summary = 'You must specify a summary of the issue.'
  if (project === undefined) return { errors }
  const me = meOf(context).id
  const time = now.toISOString()
  const base: Fields = { ...EMPTY, project: project.id, creator: me, reporter: me, created: time, updated: time }
  const read = readValues(context, given, { project, values: base }, { errors, allowed: isOnCreate })
  if (isSubtask(read) && read.parent == null && errors.parent === undefined)
    errors.issuetype ??= 'Issue type is a sub-task but parent issue key or id not specified.'
  checkParent(context, read, errors)
  if (Object.keys(errors).length > 0) return { errors }
  const number = Number(project.last_number ?? 0) + 1
  records.projects.update(project.id, { last_number: number })
  const values = {
    ...base,
    ...(project.assigneeType === 'PROJECT_LEAD' && { assignee: project.lead ?? null }),
    ...read,
  }
  const issueId = nextOf(context, 'issues')
  const issue = records.issues.create({
    id: String(issueId),
    key: `${project.key}-${number}`,
    project: project.id,
    values: { ...values, customfield_10019: rankOf(issueId) },
    rank: issueId,
    parent: read.parent ?? null,
    status_at: time,
    watchers: [me],
    voters: [],
    properties: Object.fromEntries(listOf(given.properties).map(({ key, value }) => [String(key), value ?? null])),
  })
  happenTo(context, 'jira:issue_created', issue, { issue_event_type_name: 'issue_created' })
  addParts(context, issue, fieldsOf(given.update))
  return { issue }
}

export const rankOf = (rank: number): string =>
  `0|i${Math.round(rank * 8)
    .toString(36)
    .padStart(5, '0')}:`

/** A sub-task needs a parent at the level of its own project, others an epic. */
function checkParent({ records }: Work, values: Fields, errors: Record<string, string>): void {
  const above = records.issues.get(String(values.parent ?? ''))
  if (above === undefined || typeof values.issuetype !== 'string') return
  const level = (type: Json | undefined): number => Number(optionOf('issuetype', type)?.hierarchyLevel ?? 0)
  if (level(fieldsOf(above.values).issuetype) !== level(values.issuetype) + 1)
    errors.parent ??= 'Given parent work item does not belong to appropriate hierarchy.'
}

/** What `update` adds as records of their own. */
function addParts(context: Context, issue: Kept, update: Fields): void {
  for (const { add } of listOf(update.comment)) if (add !== undefined) addComment(context, issue, fieldsOf(add))
  for (const { add } of listOf(update.worklog)) if (add !== undefined) addWorklog(context, issue, fieldsOf(add))
  for (const { add } of listOf(update.issuelinks)) {
    const { type, outwardIssue, inwardIssue } = fieldsOf(add)
    const own = { key: issue.key ?? null }
    if (add !== undefined)
      addLink(context, { type: type ?? null, inwardIssue: inwardIssue ?? own, outwardIssue: outwardIssue ?? own })
  }
}

/** Changes values of an issue, with its changelog and event. */
export function changeIssue(work: Work, { id }: Kept, change: Fields, event = 'issue_updated'): Kept {
  const { records, now } = work
  const issue = issueOf(work, id)
  const before = fieldsOf(issue.values)
  const items = changesOf(work, before, { ...before, ...change })
  const time = now.toISOString()
  if (items.length === 0) return issue
  const isMoved = change.status !== undefined && change.status !== before.status
  const changed = records.issues.update(id, {
    values: { ...before, ...change, updated: time },
    ...(isMoved && { status_at: time }),
    ...(change.parent !== undefined && { parent: change.parent }),
  })
  noteChange(work, changed, items, event)
  return changed
}

/** Adds to the changelog of an issue. */
export function noteChange(work: Work, issue: Kept, items: Fields[], event = 'issue_updated'): void {
  const change = { issue: issue.id, author: meOf(work).id, created: work.now.toISOString(), items }
  const { id } = work.records.changes.create({ id: String(nextOf(work, 'changes')), ...change })
  happenTo(work, 'jira:issue_updated', issue, { issue_event_type_name: event, changelog: { id, items } })
}

function editIssue(
  context: Context,
  issue: Kept,
  given: Fields,
  allowed: (field: Field) => boolean,
  more: Fields = {},
): Kept {
  const { records } = context
  const project = records.projects.get(String(issue.project)) as Kept
  const values = fieldsOf(issue.values)
  const errors: Record<string, string> = {}
  const change = readValues(context, given, { project, values }, { errors, allowed })
  if (change.parent !== undefined || change.issuetype !== undefined)
    checkParent(context, { ...values, ...change }, errors)
  if (Object.keys(errors).length > 0) return fail(context, 400, [], errors)
  const isAssigned = Object.keys(change).join() === 'assignee'
  const changed = changeIssue(
    context,
    issue,
    { ...more, ...change },
    more.status === undefined ? (isAssigned ? 'issue_assigned' : 'issue_updated') : 'issue_generic',
  )
  addParts(context, changed, fieldsOf(given.update))
  return changed
}

/** What a status makes of the resolution. */
const withStatus = ({ now }: Work, status: string): Fields =>
  categoryOf(status) === 'done'
    ? { status, resolution: '10000', resolutiondate: now.toISOString() }
    : { status, resolution: null, resolutiondate: null }

/** Moves an issue by time: what a plan's `due` steps call. */
const moveTo = (status: string) => (work: Due) => {
  changeIssue(work, work.record, withStatus(work, status), 'issue_generic')
}

const noContent = (context: Context): object => context.respond({ status: 204 })
const created = (context: Context, { id, key }: Kept): Shown => ({ id, key, self: linkTo(context, `issue/${id}`) })
const isOnTransition = (field: Field): boolean => field.id === 'resolution' || isEditable(field)

const typeMeta = (context: Context, list = OPTIONS.issuetype.map(({ id }) => id)): Shown[] =>
  list.map((id) => ({ ...showOption(context, 'issuetype', id), untranslatedName: optionOf('issuetype', id)?.name }))

const createMeta = (context: Context, project: Kept): Shown[] =>
  fieldsIn(context)
    .filter(isOnCreate)
    .map((field) => showMeta(context, field, project))

const pathProject = (context: Context): Kept => {
  const { projects } = context.records
  const name = String(context.path.projectIdOrKey)
  return (
    projects.get(name) ??
    projects.find({ key: name.toUpperCase() }) ??
    fail(context, 404, `No project could be found with key '${name}'.`)
  )
}

export const issues = {
  'POST /rest/api/3/issue': (context: Context) => {
    const { issue, errors } = createIssue(context, context.body)
    return issue === undefined ? fail(context, 400, [], errors) : created(context, issue)
  },
  'POST /rest/api/3/issue/bulk': (context: Context) => {
    const all = listOf(context.body.issueUpdates).map((one) => createIssue(context, one))
    const errors = all.flatMap(({ errors }, failedElementNumber) =>
      errors === undefined
        ? []
        : [{ status: 400, elementErrors: { errorMessages: [], errors, status: 400 }, failedElementNumber }],
    )
    const body = { issues: all.flatMap(({ issue }) => (issue === undefined ? [] : [created(context, issue)])), errors }
    return context.respond({ status: body.issues.length > 0 || all.length === 0 ? 201 : 400, body })
  },
  'POST /rest/api/3/issue/bulkfetch': (context: Context) => {
    const { issueIdsOrKeys, ...given } = context.body
    const { fields, expand } = askedOf(given)
    const names = [...new Set((issueIdsOrKeys as unknown[]).map(String))]
    const { issues } = context.records
    const find = (name: string) => issues.get(name) ?? issues.find({ key: name.toUpperCase() })
    const issueErrors = names
      .filter((name) => find(name) === undefined)
      .map((id) => ({ id, errorMessage: 'Issue does not exist or you do not have permission to see it.' }))
    return {
      expand: '',
      issues: names
        .flatMap((name) => find(name) ?? [])
        .map((one) => showIssue(context, one, fields.length > 0 ? fields : ['*navigable'], expand)),
      issueErrors,
    }
  },
  'GET /rest/api/3/issue/createmeta': (context: Context) => {
    const { projectKeys, projectIds, issuetypeNames, issuetypeIds, expand } = context.query
    const wants = (value: unknown, ...lists: unknown[]): boolean => {
      const wanted = lists.flatMap(textsOf)
      return wanted.length === 0 || wanted.includes(String(value))
    }
    const isWhole = String(expand).includes('issuetypes.fields')
    const typesOf = (project: Kept): Shown[] =>
      typeMeta(context)
        .filter(({ id, name }) => (issuetypeIds ? wants(id, issuetypeIds) : wants(name, issuetypeNames)))
        .map((type) => ({
          ...type,
          ...(isWhole && { fields: Object.fromEntries(createMeta(context, project).map((one) => [one.key, one])) }),
        }))
    const found = [...context.records.projects].filter(({ id, key }) =>
      projectIds ? wants(id, projectIds) : wants(key, projectKeys),
    )
    return {
      projects: found.toReversed().map((one) => ({
        self: linkTo(context, `project/${one.id}`),
        id: one.id,
        key: one.key,
        name: one.name,
        issuetypes: typesOf(one),
      })),
    }
  },
  'GET /rest/api/3/issue/createmeta/{projectIdOrKey}/issuetypes': (context: Context) => {
    pathProject(context)
    return toPage(context, typeMeta(context), (one) => one, 'issueTypes')
  },
  'GET /rest/api/3/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}': (context: Context) => {
    const project = pathProject(context)
    if (optionOf('issuetype', context.path.issueTypeId) === undefined)
      return fail(context, 404, 'The issue type does not exist.')
    return toPage(context, createMeta(context, project), (one) => one, 'fields')
  },
  'GET /rest/api/3/issue/{issueIdOrKey}': (context: Context) => {
    const issue = pathIssue(context)
    const { fields, expand } = askedOf(context.query)
    return {
      ...showIssue(context, issue, fields.length > 0 ? fields : undefined, expand),
      ...(context.query.properties !== undefined && { properties: issue.properties }),
    }
  },
  'PUT /rest/api/3/issue/{issueIdOrKey}': (context: Context) => {
    const issue = editIssue(context, pathIssue(context), context.body, isEditable)
    const { properties } = context.body
    for (const { key, value = null } of listOf(properties))
      context.records.issues.update(issue.id, {
        properties: { ...fieldsOf(issueOf(context, issue.id).properties), [String(key)]: value },
      })
    return context.query.returnIssue === true
      ? context.respond({ status: 200, body: showIssue(context, issueOf(context, issue.id)) })
      : noContent(context)
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}': (context: Context) => {
    const { records, query } = context
    const issue = pathIssue(context)
    const below = subtasksOf(context, issue)
    if (below.length > 0 && String(query.deleteSubtasks) !== 'true')
      return fail(
        context,
        400,
        `The issue '${issue.key}' has subtasks.  You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks.`,
      )
    for (const one of [...below, issue]) {
      happenTo(context, 'jira:issue_deleted', one)
      for (const link of linksOf(context, one)) records.links.remove(link.id)
      for (const name of ['comments', 'worklogs', 'attachments', 'changes', 'remote_links'] as const)
        for (const { id } of records[name].where({ issue: one.id })) records[name].remove(id)
      records.issues.remove(one.id)
    }
    for (const { id, values } of records.issues.where({ parent: issue.id }))
      records.issues.update(id, { parent: null, values: { ...fieldsOf(values), parent: null } })
    return noContent(context)
  },
  'PUT /rest/api/3/issue/{issueIdOrKey}/assignee': (context: Context) => {
    const { accountId, name } = context.body
    if (accountId === undefined && name !== undefined)
      return fail(context, 400, "'accountId' must be the only user identifying query parameter in GDPR strict mode.")
    editIssue(
      context,
      pathIssue(context),
      { fields: { assignee: accountId == null ? null : { accountId } } },
      isEditable,
    )
    return noContent(context)
  },
  'GET /rest/api/3/issue/{issueIdOrKey}/editmeta': (context: Context) => ({
    fields: editMeta(context, pathIssue(context)),
  }),
  'GET /rest/api/3/issue/{issueIdOrKey}/transitions': (context: Context) => {
    pathIssue(context)
    const { transitionId, expand } = context.query
    const all = showTransitions(context, String(expand).includes('transitions.fields') ? {} : undefined)
    return {
      expand: 'transitions',
      transitions: all.filter(({ id }) => transitionId === undefined || id === String(transitionId)),
    }
  },
  'POST /rest/api/3/issue/{issueIdOrKey}/transitions': (context: Context) => {
    const issue = pathIssue(context)
    const { id } = fieldsOf(context.body.transition)
    if (id === undefined) return fail(context, 400, "Missing 'transition' identifier")
    const transition = TRANSITIONS.find((one) => one.id === String(id))
    if (transition === undefined) return fail(context, 400, `Transition id '${id}' is not valid for this issue.`)
    editIssue(context, issue, context.body, isOnTransition, withStatus(context, transition.to))
    return noContent(context)
  },
  'GET /rest/api/3/issue/{issueIdOrKey}/changelog': (context: Context) =>
    toPage(context, context.records.changes.where({ issue: pathIssue(context).id }).toReversed(), (one) =>
      showChange(context, one),
    ),
  'GET /rest/api/3/issue/{issueIdOrKey}/properties': (context: Context) => ({
    keys: Object.keys(fieldsOf(pathIssue(context).properties)).map((key) => ({
      key,
      self: propertyLink(context, key),
    })),
  }),
  'GET /rest/api/3/issue/{issueIdOrKey}/properties/{propertyKey}': (context: Context) => {
    const key = String(context.path.propertyKey)
    const { [key]: value } = fieldsOf(pathIssue(context).properties)
    return value === undefined ? fail(context, 404, `The property with key '${key}' does not exist.`) : { key, value }
  },
  'PUT /rest/api/3/issue/{issueIdOrKey}/properties/{propertyKey}': (context: Context) => {
    const issue = pathIssue(context)
    const key = String(context.path.propertyKey)
    const properties = fieldsOf(issue.properties)
    context.records.issues.update(issue.id, { properties: { ...properties, [key]: context.body } })
    return context.respond({ status: properties[key] === undefined ? 201 : 200, body: {} })
  },
  'DELETE /rest/api/3/issue/{issueIdOrKey}/properties/{propertyKey}': (context: Context) => {
    const issue = pathIssue(context)
    const { [String(context.path.propertyKey)]: gone, ...properties } = fieldsOf(issue.properties)
    if (gone === undefined)
      return fail(context, 404, `The property with key '${context.path.propertyKey}' does not exist.`)
    context.records.issues.update(issue.id, { properties })
    return noContent(context)
  },
  startIssue: moveTo('3'),
  finishIssue: moveTo('10001'),
}

const propertyLink = (context: Context, key: string): string =>
  linkTo(context, `issue/${context.path.issueIdOrKey}/properties/${key}`)
