import {
  add,
  type Context,
  type Due,
  type Fields,
  fail,
  failField,
  fieldsOf,
  find,
  findIssue,
  findProject,
  isAsked,
  isDocument,
  issueOf,
  type Json,
  type Kept,
  known,
  linkTo,
  listOf,
  meOf,
  NO_ISSUE,
  nextOf,
  noContent,
  type Operations,
  oldest,
  pathIssue,
  pathProject,
  removeOf,
  type Shown,
  showUser,
  toDocument,
  toPage,
  type Work,
} from './context.ts'
import { changesOf, type Field, fieldsIn, readValues, showBrief, showMeta, toSeconds } from './fields.ts'
import { happen, happenTo } from './hooks.ts'
import { categoryOf, isSubtask, OPTIONS, optionOf, showOption, TRANSITIONS } from './scheme.ts'
import {
  askedOf,
  editMeta,
  isEditable,
  linksOf,
  showAttachment,
  showChange,
  showComment,
  showIssue,
  showLink,
  showTransitions,
  showVotes,
  showWatchers,
  showWorklog,
  subtasksOf,
} from './view.ts'

const EMPTY: Fields = {
  ...{ labels: [], components: [], fixVersions: [], versions: [] },
  ...{ status: '10000', priority: '3', resolution: null, assignee: null },
}
const isOnCreate = ({ isFixed }: Field): boolean => isFixed !== true

/** Creates an issue. @returns it, or the errors by field */
function createIssue(context: Context, given: Fields): { issue?: Kept; errors?: Record<string, string> } {
  const { project: named, issuetype, summary } = fieldsOf(given.fields)
  const project = findProject(context, fieldsOf(named).id ?? fieldsOf(named).key)
  const errors: Record<string, string> = {}
  if (project === undefined) errors.project = 'Specify a valid project ID or key'
  if (issuetype === undefined) errors.issuetype = 'Specify an issue type'
  if (summary === undefined) errors.summary = 'You must specify a summary of the issue.'
  if (project === undefined) return { errors }
  const me = meOf(context).id
  const time = context.now.toISOString()
  const base: Fields = { ...EMPTY, project: project.id, creator: me, reporter: me, created: time, updated: time }
  const read = readValues(context, given, { project, values: base }, { errors, allowed: isOnCreate })
  if (isSubtask(read) && read.parent == null && errors.parent === undefined)
    errors.issuetype ??= 'Issue type is a sub-task but parent issue key or id not specified.'
  checkParent(context, read, errors)
  if (Object.keys(errors).length > 0) return { errors }
  const number = Number(project.last_number ?? 0) + 1
  context.records.projects.update(project.id, { last_number: number })
  const assignee = project.assigneeType === 'PROJECT_LEAD' ? (project.lead ?? null) : null
  const rank = nextOf(context, 'issues')
  const issue = context.records.issues.create({
    id: String(rank),
    key: `${project.key}-${number}`,
    project: project.id,
    values: { ...base, assignee, ...read, customfield_10019: rankOf(rank) },
    ...{ rank, parent: read.parent ?? null, status_at: time, watchers: [me], voters: [] },
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
  const added = (name: string): Fields[] => listOf(update[name]).flatMap(({ add }) => (add ? [fieldsOf(add)] : []))
  const own = { key: issue.key ?? null }
  for (const one of added('comment')) addComment(context, issue, one)
  for (const one of added('worklog')) addWorklog(context, issue, one)
  for (const one of added('issuelinks')) addLink(context, { inwardIssue: own, outwardIssue: own, ...one })
}

/** Changes values of an issue, with its changelog and event. */
export function changeIssue(work: Work, { id }: Kept, change: Fields, event = 'issue_updated'): Kept {
  const issue = issueOf(work, id)
  const before = fieldsOf(issue.values)
  const items = changesOf(work, before, { ...before, ...change })
  const time = work.now.toISOString()
  if (items.length === 0) return issue
  const changed = work.records.issues.update(id, {
    values: { ...before, ...change, updated: time },
    ...(change.status !== undefined && change.status !== before.status && { status_at: time }),
    ...(change.parent !== undefined && { parent: change.parent }),
  })
  noteChange(work, changed, items, event)
  return changed
}

/** Adds to the changelog of an issue. */
function noteChange(work: Work, issue: Kept, items: Fields[], event = 'issue_updated'): void {
  const change = { issue: issue.id, author: meOf(work).id, created: work.now.toISOString(), items }
  const { id } = add(work, 'changes', change)
  happenTo(work, 'jira:issue_updated', issue, { issue_event_type_name: event, changelog: { id, items } })
}

/** An item of a changelog, of what is no field. */
const itemOf = (field: string, fieldId: string, from: string | null, to: string | null, text = to): Fields => ({
  ...{ field, fieldtype: 'jira', fieldId, from, fromString: from, to, toString: text },
})

function editIssue(context: Context, issue: Kept, given: Fields, allowed = isEditable, more: Fields = {}): Kept {
  const project = context.records.projects.get(String(issue.project)) as Kept
  const values = fieldsOf(issue.values)
  const errors: Record<string, string> = {}
  const change = readValues(context, given, { project, values }, { errors, allowed })
  if (change.parent !== undefined || change.issuetype !== undefined)
    checkParent(context, { ...values, ...change }, errors)
  if (Object.keys(errors).length > 0) return fail(context, 400, [], errors)
  const event = Object.keys(change).join() === 'assignee' ? 'issue_assigned' : 'issue_updated'
  const whole = { ...more, ...change }
  const changed = changeIssue(context, issue, whole, more.status === undefined ? event : 'issue_generic')
  addParts(context, changed, fieldsOf(given.update))
  return changed
}

/** What a status makes of the resolution. */
const withStatus = ({ now }: Work, status: string): Fields =>
  categoryOf(status) === 'done'
    ? { status, resolution: '10000', resolutiondate: now.toISOString() }
    : { status, resolution: null, resolutiondate: null }

/** Moves an issue by time: what a plan's `due` steps call. */
export const moveTo = (status: string) => (work: Due) => {
  changeIssue(work, work.record, withStatus(work, status), 'issue_generic')
}

const showCreated = (context: Context, { id, key }: Kept): Shown => ({ id, key, self: linkTo(context, `issue/${id}`) })

const typeMeta = (context: Context): Shown[] =>
  OPTIONS.issuetype.map(({ id, name }) => ({ ...showOption(context, 'issuetype', id), untranslatedName: name }))
const createMeta = (context: Context, project: Kept): Shown[] =>
  fieldsIn(context)
    .filter(isOnCreate)
    .map((field) => showMeta(context, field, project))

/** A rich text of a request: a document, in version 2 a text. */
function toBody(work: Work, value: Json | undefined, name: string): Fields {
  const isText = work.version === 2
  if (isText && typeof value === 'string' && value.trim() !== '') return toDocument(value)
  if (value !== undefined && !isText && isDocument(value)) return value
  if (value === undefined || value === null || value === '') return fail(work, 400, 'Comment body can not be empty!')
  const wanted = isText ? 'a string' : 'an Atlassian Document (see the Atlassian Document Format)'
  return fail(work, 400, 'Comment body is not valid!', { [name]: `Operation value must be ${wanted}` })
}

const edited = (work: Work): Fields => ({ updateAuthor: meOf(work).id, updated: work.now.toISOString() })
const stamp = (work: Work): Fields => ({ author: meOf(work).id, created: work.now.toISOString(), ...edited(work) })

function tellComment(context: Context, verb: string, issue: Kept, comment: Kept): void {
  const toFacts = (of: Work): Shown => {
    const { fields, ...brief } = showBrief(of, issue)
    const assignee = showUser(of, fieldsOf(issue.values).assignee)
    return { comment: showComment(of, comment), issue: { ...brief, fields: { ...(fields as Shown), assignee } } }
  }
  happen(context, `comment_${verb}`, toFacts, issue)
}

function addComment(context: Context, issue: Kept, { body, visibility = null }: Fields): Kept {
  const facts = { issue: issue.id, body: toBody(context, body, 'body'), visibility, ...stamp(context) }
  const comment = add(context, 'comments', facts)
  const values = { ...fieldsOf(issueOf(context, issue.id).values), updated: context.now.toISOString() }
  context.records.issues.update(issue.id, { values })
  tellComment(context, 'created', issue, comment)
  return comment
}

/** A comment or worklog of the issue of the path. */
function partOf(context: Context, collection: 'comments' | 'worklogs'): [Kept, Kept] {
  const issue = pathIssue(context)
  return [issue, find(context, collection, context.path.id, issue)]
}

/** Adds seconds to what was spent on an issue, and takes them from the remaining estimate. */
function spend(context: Context, issue: Kept, seconds: number): void {
  const { adjustEstimate = 'auto', newEstimate, reduceBy } = context.query
  const tracking = fieldsOf(fieldsOf(issueOf(context, issue.id).values).timetracking)
  const { spent, remaining: left } = tracking
  const by = adjustEstimate === 'auto' ? seconds : adjustEstimate === 'manual' ? (toSeconds(reduceBy) ?? 0) : 0
  const reduced = left == null ? null : Math.max(0, Number(left) - by)
  const remaining = adjustEstimate === 'new' ? (toSeconds(newEstimate) ?? 0) : reduced
  const now = Number(spent ?? 0) + seconds
  const changed = changeIssue(context, issue, { timetracking: { ...tracking, spent: now, remaining } })
  const item = itemOf('timespent', 'timespent', spent ? String(spent) : null, String(now))
  noteChange(context, changed, [item], 'worklog_updated')
}

function secondsOf(context: Context, { timeSpent, timeSpentSeconds }: Fields): number {
  const seconds = timeSpentSeconds ?? (timeSpent === undefined ? undefined : toSeconds(timeSpent))
  if (timeSpent === undefined && timeSpentSeconds === undefined)
    return failField(context, 'timeLogged', 'You must indicate the time spent working.')
  return typeof seconds === 'number' && seconds >= 60
    ? seconds
    : failField(context, 'timeLogged', 'Invalid time duration entered.')
}

/** The given fields of a worklog. */
function toWorklog(context: Context, { comment, started }: Fields): Fields {
  if (started !== undefined && Number.isNaN(Date.parse(String(started))))
    return failField(context, 'started', 'Error parsing time, expected yyyy-MM-ddTHH:mm:ss.SSSZ.')
  return {
    ...(comment !== undefined && { comment: toBody(context, comment, 'comment') }),
    ...(started !== undefined && { started: new Date(String(started)).toISOString() }),
  }
}

const tellWorklog = (context: Context, verb: string, issue: Kept, worklog: Kept): void =>
  happen(context, `worklog_${verb}`, (of) => ({ worklog: showWorklog(of, worklog) }), issue)

function addWorklog(context: Context, issue: Kept, given: Fields): Kept {
  const seconds = secondsOf(context, given)
  const usual = { comment: null, started: context.now.toISOString() }
  const facts = { issue: issue.id, seconds, ...usual, ...toWorklog(context, given), ...stamp(context) }
  const worklog = add(context, 'worklogs', facts)
  tellWorklog(context, 'created', issue, worklog)
  spend(context, issue, seconds)
  return worklog
}

/** Links two issues. */
function addLink(context: Context, { type, inwardIssue, outwardIssue, comment }: Fields): void {
  const { id, name } = fieldsOf(type)
  const found =
    optionOf('issueLinkType', id ?? name) ?? fail(context, 404, `No issue link type with name '${name ?? id}' found.`)
  const named = (one: Json | undefined): Kept => issueOf(context, fieldsOf(one).key ?? fieldsOf(one).id)
  const [inward, outward] = [named(inwardIssue), named(outwardIssue)]
  if (inward.id === outward.id) fail(context, 400, 'You cannot link an issue to itself.')
  tellLink(context, 'created', add(context, 'links', { type: found.id, inward: inward.id, outward: outward.id }))
  const item = (words: Json | undefined, { key }: Kept): Fields =>
    itemOf('Link', 'issuelinks', null, String(key), `This issue ${words} ${key}`)
  noteChange(context, inward, [item(found.outward, outward)])
  noteChange(context, outward, [item(found.inward, inward)])
  if (comment !== undefined) addComment(context, inward, fieldsOf(comment))
}

const tellLink = (context: Context, verb: string, { id, inward, outward, type }: Kept): void =>
  happen(context, `issuelink_${verb}`, (of) => {
    const ends = { sourceIssueId: Number(inward), destinationIssueId: Number(outward) }
    return { issueLink: { id: Number(id), ...ends, issueLinkType: showOption(of, 'issueLinkType', type) } }
  })

/** Adds a user to watchers or voters, or removes one. */
function join(context: Context, list: 'watchers' | 'voters', user: string, isIn: boolean): object {
  const issue = pathIssue(context)
  const others = (issue[list] as string[]).filter((one) => one !== user)
  context.records.issues.update(issue.id, { [list]: isIn ? [...others, user] : others })
  return noContent(context)
}

const watch = (context: Context, accountId: unknown, isIn: boolean): object => {
  const user = accountId === undefined ? meOf(context) : context.records.users.get(String(accountId))
  return join(context, 'watchers', user?.id ?? fail(context, 404, 'The user does not exist.'), isIn)
}

/** A property of the issue of the path, in the list of them. */
function propertyOf(context: Context): { issue: Kept; key: string; kept: Fields; value: Json | undefined } {
  const issue = pathIssue(context)
  const key = String(context.path.propertyKey)
  const kept = fieldsOf(issue.properties)
  return { issue, key, kept, value: kept[key] }
}
const noProperty = (context: Context, key: string): never =>
  fail(context, 404, `The property with key '${key}' does not exist.`)

/** A list of comments or worklogs. */
function pageOf(context: Context, collection: 'comments' | 'worklogs', show: (work: Work, one: Kept) => Shown): Shown {
  const all = oldest(context, collection, { issue: pathIssue(context).id })
  if (String(context.query.orderBy).startsWith('-')) all.reverse()
  const { isLast: _, ...page } = toPage(context, all, (one) => show(context, one), collection)
  return page
}

export const issues: Operations = {
  'POST issue': (context) => {
    const { issue, errors } = createIssue(context, context.body)
    return issue === undefined ? fail(context, 400, [], errors) : showCreated(context, issue)
  },
  'POST issue/bulk': (context) => {
    const all = listOf(context.body.issueUpdates).map((one) => createIssue(context, one))
    const issues = all.flatMap(({ issue }) => (issue === undefined ? [] : [showCreated(context, issue)]))
    const errors = all.flatMap(({ errors }, failedElementNumber) => {
      const elementErrors = { errorMessages: [], errors, status: 400 }
      return errors === undefined ? [] : [{ status: 400, elementErrors, failedElementNumber }]
    })
    return context.respond({ status: issues.length > 0 || all.length === 0 ? 201 : 400, body: { issues, errors } })
  },
  'POST issue/bulkfetch': (context) => {
    const { issueIdsOrKeys, ...given } = context.body
    const { fields = ['*navigable'], expand } = askedOf(given)
    const names = [...new Set((issueIdsOrKeys as unknown[]).map(String))]
    const absent = names.filter((name) => findIssue(context, name) === undefined)
    const found = names.flatMap((name) => findIssue(context, name) ?? [])
    const issues = found.map((one) => showIssue(context, one, fields, expand))
    return { expand: '', issues, issueErrors: absent.map((id) => ({ id, errorMessage: NO_ISSUE })) }
  },
  'GET issue/createmeta': (context) => {
    const { projectKeys, projectIds, issuetypeNames, issuetypeIds, expand } = context.query
    const types = typeMeta(context).filter(({ id, name }) => isAsked(issuetypeIds, id) && isAsked(issuetypeNames, name))
    const fieldsFor = (project: Kept): Shown =>
      String(expand).includes('issuetypes.fields')
        ? { fields: Object.fromEntries(createMeta(context, project).map((one) => [one.key, one])) }
        : {}
    const projects = oldest(context, 'projects')
      .filter(({ id, key }) => isAsked(projectIds, id) && isAsked(projectKeys, key))
      .map((one) => {
        const issuetypes = types.map((type) => ({ ...type, ...fieldsFor(one) }))
        return { self: linkTo(context, `project/${one.id}`), id: one.id, key: one.key, name: one.name, issuetypes }
      })
    return { projects }
  },
  'GET issue/createmeta/{projectIdOrKey}/issuetypes': (context) => {
    pathProject(context)
    return toPage(context, typeMeta(context), (one) => one, 'issueTypes')
  },
  'GET issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}': (context) => {
    const fields = createMeta(context, pathProject(context))
    return optionOf('issuetype', context.path.issueTypeId) === undefined
      ? fail(context, 404, 'The issue type does not exist.')
      : toPage(context, fields, (one) => one, 'fields')
  },
  'GET issue/{issueIdOrKey}': (context) => {
    const issue = pathIssue(context)
    const { fields, expand } = askedOf(context.query)
    const properties = context.query.properties === undefined ? undefined : issue.properties
    return { ...showIssue(context, issue, fields, expand), ...known({ properties }) }
  },
  'PUT issue/{issueIdOrKey}': (context) => {
    const { id, properties } = editIssue(context, pathIssue(context), context.body)
    const given = listOf(context.body.properties).map(({ key, value = null }) => [key, value])
    if (given.length > 0)
      context.records.issues.update(id, { properties: { ...fieldsOf(properties), ...Object.fromEntries(given) } })
    return context.query.returnIssue === true
      ? context.respond({ status: 200, body: showIssue(context, issueOf(context, id)) })
      : noContent(context)
  },
  'DELETE issue/{issueIdOrKey}': (context) => {
    const { records, query } = context
    const issue = pathIssue(context)
    const below = subtasksOf(context, issue)
    const hint = "You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks."
    if (below.length > 0 && String(query.deleteSubtasks) !== 'true')
      return fail(context, 400, `The issue '${issue.key}' has subtasks.  ${hint}`)
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
  'PUT issue/{issueIdOrKey}/assignee': (context) => {
    const { accountId, name } = context.body
    if (accountId === undefined && name !== undefined)
      return fail(context, 400, "'accountId' must be the only user identifying query parameter in GDPR strict mode.")
    const assignee = accountId == null ? null : ({ accountId } as Fields)
    editIssue(context, pathIssue(context), { fields: { assignee } })
    return noContent(context)
  },
  'GET issue/{issueIdOrKey}/editmeta': (context) => ({ fields: editMeta(context, pathIssue(context)) }),
  'GET issue/{issueIdOrKey}/transitions': (context) => {
    pathIssue(context)
    const { transitionId, expand } = context.query
    const all = showTransitions(context, String(expand).includes('transitions.fields') ? {} : undefined)
    return { expand: 'transitions', transitions: all.filter(({ id }) => isAsked(transitionId, id)) }
  },
  'POST issue/{issueIdOrKey}/transitions': (context) => {
    const issue = pathIssue(context)
    const { id } = fieldsOf(context.body.transition)
    if (id === undefined) return fail(context, 400, "Missing 'transition' identifier")
    const transition = TRANSITIONS.find((one) => one.id === String(id))
    if (transition === undefined) return fail(context, 400, `Transition id '${id}' is not valid for this issue.`)
    const isOnScreen = (field: Field): boolean => field.id === 'resolution' || isEditable(field)
    editIssue(context, issue, context.body, isOnScreen, withStatus(context, transition.to))
    return noContent(context)
  },
  'GET issue/{issueIdOrKey}/changelog': (context) => {
    const changes = oldest(context, 'changes', { issue: pathIssue(context).id })
    return toPage(context, changes, (one) => showChange(context, one))
  },
  'GET issue/{issueIdOrKey}/properties': (context) => {
    const self = `issue/${context.path.issueIdOrKey}/properties`
    const names = Object.keys(propertyOf(context).kept)
    return { keys: names.map((key) => ({ key, self: linkTo(context, `${self}/${key}`) })) }
  },
  'GET issue/{issueIdOrKey}/properties/{propertyKey}': (context) => {
    const { key, value } = propertyOf(context)
    return value === undefined ? noProperty(context, key) : { key, value }
  },
  'PUT issue/{issueIdOrKey}/properties/{propertyKey}': (context) => {
    const { issue, key, kept, value } = propertyOf(context)
    context.records.issues.update(issue.id, { properties: { ...kept, [key]: context.body } })
    return context.respond({ status: value === undefined ? 201 : 200, body: {} })
  },
  'DELETE issue/{issueIdOrKey}/properties/{propertyKey}': (context) => {
    const { issue, key, kept, value } = propertyOf(context)
    const { [key]: _, ...properties } = kept
    if (value === undefined) return noProperty(context, key)
    context.records.issues.update(issue.id, { properties })
    return noContent(context)
  },
  'GET issue/{issueIdOrKey}/comment': (context) => pageOf(context, 'comments', showComment),
  'POST issue/{issueIdOrKey}/comment': (context) =>
    showComment(context, addComment(context, pathIssue(context), context.body)),
  'GET issue/{issueIdOrKey}/comment/{id}': (context) => showComment(context, partOf(context, 'comments')[1]),
  'PUT issue/{issueIdOrKey}/comment/{id}': (context) => {
    const [issue, { id }] = partOf(context, 'comments')
    const change = { body: toBody(context, context.body.body, 'body'), ...edited(context) }
    const comment = context.records.comments.update(id, change)
    tellComment(context, 'updated', issue, comment)
    return showComment(context, comment)
  },
  'DELETE issue/{issueIdOrKey}/comment/{id}': (context) => {
    const [issue, comment] = partOf(context, 'comments')
    context.records.comments.remove(comment.id)
    tellComment(context, 'deleted', issue, comment)
    return noContent(context)
  },
  'GET issue/{issueIdOrKey}/worklog': (context) => pageOf(context, 'worklogs', showWorklog),
  'POST issue/{issueIdOrKey}/worklog': (context) =>
    showWorklog(context, addWorklog(context, pathIssue(context), context.body)),
  'GET issue/{issueIdOrKey}/worklog/{id}': (context) => showWorklog(context, partOf(context, 'worklogs')[1]),
  'PUT issue/{issueIdOrKey}/worklog/{id}': (context) => {
    const { body } = context
    const [issue, { id, seconds: before }] = partOf(context, 'worklogs')
    const isSpent = body.timeSpent !== undefined || body.timeSpentSeconds !== undefined
    const seconds = isSpent ? secondsOf(context, body) : Number(before)
    const worklog = context.records.worklogs.update(id, { seconds, ...toWorklog(context, body), ...edited(context) })
    tellWorklog(context, 'updated', issue, worklog)
    if (seconds !== before) spend(context, issue, seconds - Number(before))
    return showWorklog(context, worklog)
  },
  'DELETE issue/{issueIdOrKey}/worklog/{id}': (context) => {
    const [issue, worklog] = partOf(context, 'worklogs')
    context.records.worklogs.remove(worklog.id)
    tellWorklog(context, 'deleted', issue, worklog)
    spend(context, issue, -Number(worklog.seconds))
    return noContent(context)
  },
  'POST issue/{issueIdOrKey}/attachments': (context) => {
    const issue = pathIssue(context)
    if (context.headers['x-atlassian-token'] !== 'no-check')
      return context.respond({ status: 403, headers: { 'content-type': 'text/plain' }, body: 'XSRF check failed' })
    if (context.files.length === 0) return fail(context, 400, 'No file was attached.')
    return context.files.map(({ name, type, size, base64 }) => {
      const facts = { issue: issue.id, filename: name, mimeType: type ?? 'application/octet-stream', size, base64 }
      const one = add(context, 'attachments', {
        ...facts,
        author: meOf(context).id,
        created: context.now.toISOString(),
      })
      happen(context, 'attachment_created', (of) => ({ attachment: showAttachment(of, one) }), issue)
      noteChange(context, issue, [itemOf('Attachment', 'attachment', null, one.id, name)])
      return showAttachment(context, one)
    })
  },
  'GET attachment/meta': () => ({ enabled: true, uploadLimit: 8 * 2 ** 20 }),
  'GET attachment/{id}': (context) => {
    const one = find(context, 'attachments')
    return { ...showAttachment(context, one), id: Number(one.id) }
  },
  'GET attachment/content/{id}': (context) => {
    const { base64, mimeType, filename } = find(context, 'attachments')
    if (base64 === null) return fail(context, 413, 'Files over 8 MB are not kept.')
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(String(filename))}`
    const headers = { 'content-type': String(mimeType), 'content-disposition': disposition }
    return context.respond({ status: 200, headers, body: Buffer.from(String(base64), 'base64') })
  },
  'DELETE attachment/{id}': (context) => {
    const one = removeOf(context, 'attachments')
    happen(context, 'attachment_deleted', (of) => ({ attachment: showAttachment(of, one) }))
    return noContent(context)
  },
  'POST issueLink': (context) => {
    addLink(context, context.body)
    return context.respond({ status: 201 })
  },
  'GET issueLink/{linkId}': (context) => showLink(context, find(context, 'links', context.path.linkId)),
  'DELETE issueLink/{linkId}': (context) => {
    tellLink(context, 'deleted', removeOf(context, 'links', context.path.linkId))
    return noContent(context)
  },
  'GET issue/{issueIdOrKey}/watchers': (context) => {
    const issue = pathIssue(context)
    const watchers = (issue.watchers as string[]).map((id) => showUser(context, id))
    return { ...showWatchers(context, issue), watchers }
  },
  'POST issue/{issueIdOrKey}/watchers': (context) => {
    const accountId: unknown = context.body
    return watch(context, typeof accountId === 'string' ? accountId : undefined, true)
  },
  'DELETE issue/{issueIdOrKey}/watchers': (context) => watch(context, context.query.accountId, false),
  'GET issue/{issueIdOrKey}/votes': (context) => {
    const issue = pathIssue(context)
    return { ...showVotes(context, issue), voters: (issue.voters as string[]).map((id) => showUser(context, id)) }
  },
  'POST issue/{issueIdOrKey}/votes': (context) =>
    fieldsOf(pathIssue(context).values).reporter === meOf(context).id
      ? fail(context, 404, 'You cannot vote for an issue you have reported.')
      : join(context, 'voters', meOf(context).id, true),
  'DELETE issue/{issueIdOrKey}/votes': (context) => join(context, 'voters', meOf(context).id, false),
  'GET issue/{issueIdOrKey}/remotelink': (context) =>
    oldest(context, 'remote_links', { issue: pathIssue(context).id }).map(
      ({ id, global_id: globalId, relationship, object, application }) => {
        const self = linkTo(context, `issue/${context.path.issueIdOrKey}/remotelink/${id}`)
        return { id: Number(id), self, ...known({ globalId, relationship }), application: application ?? {}, object }
      },
    ),
  'POST issue/{issueIdOrKey}/remotelink': (context) => {
    const { globalId: global_id = null, relationship = null, object = null, application = null } = context.body
    const { remote_links } = context.records
    const issue = pathIssue(context).id
    const absent = ['url', 'title'].find((name) => typeof fieldsOf(object)[name] !== 'string')
    if (absent !== undefined) return failField(context, absent, `'${absent}' is required.`)
    const old = global_id === null ? undefined : remote_links.find({ issue, global_id })
    const facts = { issue, global_id, relationship, object, application }
    const { id } = old ? remote_links.update(old.id, facts) : add(context, 'remote_links', facts)
    const self = linkTo(context, `issue/${context.path.issueIdOrKey}/remotelink/${id}`)
    return context.respond({ status: old ? 200 : 201, body: { id: Number(id), self } })
  },
  'DELETE issue/{issueIdOrKey}/remotelink/{linkId}': (context) => {
    pathIssue(context)
    removeOf(context, 'remote_links', context.path.linkId)
    return noContent(context)
  },
}
