import { changeIssue, happenTo, withStatus } from './change-issue.ts'
import { automaticAssignee, type Field, readValues } from './fields.ts'
import type { Fields, Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, idOf, isAsked, isSubtask, known, listOf, ref, textsOf, toTime, valuesOf } from './jira.ts'
import { addParts, parts } from './parts.ts'
import { isEditable, isOnCreate, metaOf, projectOf, showIssue, subtasksOf } from './show-issue.ts'

const EMPTY = { labels: [], components: [], fixVersions: [], versions: [] }

/** Creates an issue. @returns it, or the errors by field */
function createIssue(jira: Jira, given: Fields): { issue?: Kept; errors?: Record<string, string> } {
  const { project: named, issuetype, summary } = fieldsOf(given.fields)
  const project = jira.lookUp('projects', idOf(named) ?? fieldsOf(named).key)
  const errors: Record<string, string> = {}
  if (project === undefined) errors.project = 'Specify a valid project ID or key'
  if (issuetype === undefined) errors.issuetype = 'Specify an issue type'
  if (summary === undefined) errors.summary = 'You must specify a summary of the issue.'
  if (project === undefined) return { errors }
  const time = toTime(jira.now)
  const people = { creator: jira.who, reporter: jira.who }
  const usual = { ...EMPTY, status: ref('statuses', 10_000), priority: ref('priorities', 3) }
  const times = { created: time, updated: time, statuscategorychangedate: time }
  const base: Fields = { ...usual, ...people, ...times, project: ref('projects', project.id) }
  const read = readValues(jira, given, base, { errors, allowed: isOnCreate })
  if (isSubtask(read) && read.parent == null && errors.parent === undefined)
    errors.issuetype ??= 'Issue type is a sub-task but parent issue key or id not specified.'
  checkParent(jira, read, errors)
  if (Object.keys(errors).length > 0) return { errors }
  const { assignee } = fieldsOf(given.fields)
  const isAutomatic =
    read.assignee === undefined || [fieldsOf(assignee).id, fieldsOf(assignee).accountId].includes('-1')
  const number = Number(project._last ?? 0) + 1
  jira.records.projects.update(project, { _last: number })
  const id = jira.next('issues')
  const issue = jira.records.issues.create({
    ...{ id, self: `issue/${id}`, key: `${project.key}-${number}` },
    fields: {
      ...base,
      ...read,
      ...(isAutomatic && { assignee: automaticAssignee(jira, { ...base, ...read }) }),
      customfield_10019: rankOf(Number(id)),
    },
    ...{ _rank: Number(id), _watchers: [jira.who], _voters: [], _properties: propertiesOf(given) },
  })
  happenTo(jira, 'jira:issue_created', issue, { issue_event_type_name: 'issue_created' })
  addParts(jira, issue, fieldsOf(given.update))
  return { issue }
}

const propertiesOf = ({ properties }: Fields): Fields =>
  Object.fromEntries(listOf(properties).map(({ key, value = null }) => [String(key), value]))

export function rankOf(rank: number): string {
  const digits = Math.round(rank * 8).toString(36)
  return `0|i${digits.padStart(5, '0')}:`
}

/** A sub-task needs a parent at the level of its own project, others an epic. */
function checkParent(jira: Jira, values: Fields, errors: Record<string, string>): void {
  const above = jira.deref(values.parent)
  const level = ({ issuetype }: Fields): number => Number(jira.deref(issuetype)?.hierarchyLevel ?? 0)
  if (above !== undefined && values.issuetype != null && level(valuesOf(above)) !== level(values) + 1)
    errors.parent ??= 'Given parent work item does not belong to appropriate hierarchy.'
}

export function editIssue(jira: Jira, issue: Kept, given: Fields, allowed = isEditable, more: Fields = {}): void {
  const twice = Object.keys(fieldsOf(given.fields)).find((name) => name in fieldsOf(given.update))
  if (twice !== undefined) jira.fail(400, `Field '${twice}' cannot appear in both 'fields' and 'update'`)
  const errors: Record<string, string> = {}
  const change = readValues(jira, given, valuesOf(issue), { errors, allowed })
  if (change.parent !== undefined || change.issuetype !== undefined)
    checkParent(jira, { ...valuesOf(issue), ...change }, errors)
  if (Object.keys(errors).length > 0) jira.fail(400, [], errors)
  const event = Object.keys(change).join() === 'assignee' ? 'issue_assigned' : 'issue_updated'
  changeIssue(jira, issue, { ...more, ...change }, more.status === undefined ? event : 'issue_generic')
  addParts(jira, issue, fieldsOf(given.update))
}

/** Removes an issue with its subtasks, and what belongs to them. */
export function removeIssue(jira: Jira, issue: Kept): void {
  const { records } = jira
  for (const one of [...subtasksOf(jira, issue), issue]) {
    happenTo(jira, 'jira:issue_deleted', one)
    const [me, _issue] = [ref('issues', one.id), one.id]
    for (const name of ['comments', 'worklogs', 'attachments', 'changes', 'remote_links'] as const)
      for (const part of records[name].where({ _issue })) records[name].remove(part)
    for (const side of ['inwardIssue', 'outwardIssue'])
      for (const link of records.links.where({ [side]: me })) records.links.remove(link)
    records.issues.remove(one)
  }
  for (const child of records.issues.where({ 'fields.parent': ref('issues', issue.id) }))
    records.issues.update(child, { fields: { ...valuesOf(child), parent: null } })
}

export const issues: Operations = {
  ...parts,
  'POST issue': (jira) => {
    const { issue, errors } = createIssue(jira, jira.body)
    return issue === undefined ? jira.fail(400, [], errors) : jira.whole('issues', issue, ['id', 'key'])
  },
  'POST issue/bulk': (jira) => {
    const all = listOf(jira.body.issueUpdates).map((one) => createIssue(jira, one))
    const issues = all.flatMap(({ issue }) => (issue ? [jira.whole('issues', issue, ['id', 'key'])] : []))
    const errors = all.flatMap(({ errors }, failedElementNumber) => {
      const elementErrors = { errorMessages: [], errors, status: 400 }
      return errors === undefined ? [] : [{ status: 400, elementErrors, failedElementNumber }]
    })
    return jira.respond(issues.length > 0 || all.length === 0 ? 201 : 400, { issues, errors })
  },
  'POST issue/bulkfetch': (jira) => {
    const names = [...new Set([jira.body.issueIdsOrKeys].flat().map(String))]
    const found = names.map((name) => ({ id: name, issue: jira.lookUp('issues', name) }))
    const issues = found.flatMap(({ issue }) => (issue ? [showIssue(jira, issue, jira.body, '*navigable')] : []))
    const errorMessage = 'Issue does not exist or you do not have permission to see it.'
    const issueErrors = found.flatMap(({ id, issue }) => (issue ? [] : [{ id, errorMessage }]))
    return { expand: '', issues, issueErrors }
  },
  'GET issue/createmeta/{projectIdOrKey}/issuetypes': (jira) => {
    jira.find('projects', jira.path.projectIdOrKey)
    return jira.page(jira.shown('issuetypes'), (one) => ({ ...one, untranslatedName: one.name }), 'issueTypes')
  },
  'GET issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}': (jira) => {
    jira.find('issuetypes')
    const fields = metaOf(jira, jira.find('projects', jira.path.projectIdOrKey), isOnCreate)
    return jira.page(Object.values(fields), (one) => one, 'fields')
  },
  'GET issue/createmeta': (jira) => {
    const { projectIds, projectKeys, issuetypeIds, issuetypeNames, expand } = jira.query
    const isWhole = textsOf(expand).includes('projects.issuetypes.fields')
    const types = jira
      .shown('issuetypes')
      .filter(({ id, name }) => isAsked(issuetypeIds, id) && isAsked(issuetypeNames, name))
    const asked = jira.all('projects').filter(({ id, key }) => isAsked(projectIds, id) && isAsked(projectKeys, key))
    const projects = asked.map((project) => {
      const fields = isWhole ? { expand: 'fields', fields: metaOf(jira, project, isOnCreate) } : {}
      const issuetypes = types.map((one) => ({ ...one, ...fields }))
      return { ...jira.whole('projects', project, ['id', 'key', 'name', 'avatarUrls']), issuetypes }
    })
    return { expand: 'projects', projects }
  },
  'GET issue/{issueIdOrKey}': (jira) => {
    const properties = jira.query.properties && jira.issue._properties
    return { ...showIssue(jira, jira.issue, jira.query), ...known({ properties }) }
  },
  'PUT issue/{issueIdOrKey}': (jira) => {
    editIssue(jira, jira.issue, jira.body)
    const _properties = { ...fieldsOf(jira.issue._properties), ...propertiesOf(jira.body) }
    jira.records.issues.update(jira.issue, { _properties })
    if (jira.query.returnIssue === true) return jira.respond(200, showIssue(jira, jira.issue))
  },
  'DELETE issue/{issueIdOrKey}': (jira) => {
    const { query, issue } = jira
    const hint = "You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks."
    if (subtasksOf(jira, issue).length > 0 && String(query.deleteSubtasks) !== 'true')
      jira.fail(400, `The issue '${issue.key}' has subtasks.  ${hint}`)
    removeIssue(jira, issue)
  },
  'PUT issue/{issueIdOrKey}/assignee': (jira) => {
    const { accountId = null, name } = jira.body
    if (accountId === null && name !== undefined)
      jira.fail(400, "'accountId' must be the only user identifying query parameter in GDPR strict mode.")
    editIssue(jira, jira.issue, { fields: { assignee: accountId === null ? null : { accountId } } })
  },
  'GET issue/{issueIdOrKey}/editmeta': (jira) => ({
    fields: metaOf(jira, projectOf(jira, jira.issue), isEditable),
  }),
  'GET issue/{issueIdOrKey}/transitions': (jira) => {
    const { transitionId, expand } = jira.issue && jira.query
    const more = String(expand).includes('transitions.fields') ? { fields: {} } : {}
    const asked = jira.all('transitions').filter(({ id }) => isAsked(transitionId, id))
    return { expand: 'transitions', transitions: asked.map((one) => ({ ...jira.whole('transitions', one), ...more })) }
  },
  'POST issue/{issueIdOrKey}/transitions': (jira) => {
    const id = idOf(jira.body.transition) ?? jira.fail(400, "Missing 'transition' identifier")
    const wrong = `Transition id '${id}' is not valid for this issue.`
    const { to } = (jira.issue && jira.lookUp('transitions', id)) ?? jira.fail(400, wrong)
    const isOnScreen = (field: Field): boolean => field.id === 'resolution' || isEditable(field)
    editIssue(jira, jira.issue, jira.body, isOnScreen, withStatus(jira, fieldsOf(to)))
  },
  'POST issue/{issueIdOrKey}/changelog/list': (jira) => {
    const isNamed = ({ id }: Kept): boolean => [jira.body.changelogIds ?? []].flat().map(String).includes(String(id))
    return jira.list('changes', jira.all('changes', { _issue: jira.issue.id }).filter(isNamed))
  },
  'POST changelog/bulkfetch': (jira) => {
    const { issueIdsOrKeys, fieldIds, maxResults = 1_000, nextPageToken: token = '0' } = jira.body
    const issues = [issueIdsOrKeys ?? []].flat().flatMap((name) => jira.lookUp('issues', name) ?? [])
    const isOf = ({ fieldId }: Fields): boolean => isAsked(fieldIds, fieldId)
    const all = issues.flatMap(({ id }) =>
      jira.all('changes', { _issue: id }).filter(({ items }) => listOf(items).some(isOf)),
    )
    const [start, end] = [Number(token), Number(token) + Number(maxResults)]
    const page = all.slice(start, end)
    const historyOf = (one: Kept): Shown => ({
      ...jira.whole('changes', one),
      created: Date.parse(String(one.created)),
    })
    const issueChangeLogs = issues.flatMap(({ id: issueId }) => {
      const changeHistories = page.filter(({ _issue }) => _issue === issueId).map(historyOf)
      return changeHistories.length > 0 ? [{ issueId, changeHistories }] : []
    })
    return { issueChangeLogs, ...(end < all.length && { nextPageToken: String(end) }) }
  },
  'GET issue/{issueIdOrKey}/changelog': (jira) =>
    jira.list('changes', jira.all('changes', { _issue: jira.issue.id }), 100),
}
