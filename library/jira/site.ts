import { addBoard, findIssues, toIssuePage, toTokenPage } from './agile.ts'
import { changeIssue } from './change-issue.ts'
import { happen, tell } from './hooks.ts'
import type { Collection, Fields, Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, hasWords, idOf, isAsked, listOf, pick, ref, same, textsOf, valuesOf } from './jira.ts'
import { readJql } from './jql.ts'

const headerOf = ({ length }: readonly unknown[], noun: string): Shown => ({
  header: `Showing ${length} of ${length} matching ${noun}`,
  total: length,
})

function pickGroups(jira: Jira): Shown {
  const groups = [...jira.records.groups]
    .filter(({ name }) => hasWords(jira.query.query, name))
    .map(({ groupId, name }) => ({ name, html: name, groupId, labels: [] }))
  return { ...headerOf(groups, 'groups'), groups }
}

function pickUsers(jira: Jira): Shown {
  const users = findUsers(jira).map(({ accountId, accountType, displayName, avatarUrls }) => {
    const facts = { accountId, accountType, displayName, html: displayName }
    return { ...facts, avatarUrl: fieldsOf(avatarUrls)['24x24'] }
  })
  return { ...headerOf(users, 'users'), users }
}

const groupsOf = (jira: Jira, { _groups }: Kept): Shown[] =>
  jira.shown(
    'groups',
    jira.records.groups.where(({ name }) => [_groups].flat().includes(name ?? null)),
  )

/** A user with the number of groups, and with the groups if they are asked for. */
function showUser(jira: Jira, user: Kept): Shown {
  const own = groupsOf(jira, user)
  const items = textsOf(jira.query.expand).includes('groups') ? own : []
  const facts = { groups: { size: own.length, items }, applicationRoles: { size: 1, items: [] } }
  return { ...jira.whole('users', user), ...facts, expand: 'groups,applicationRoles' }
}

function findUsers(jira: Jira): Shown[] {
  const { query, accountId, startAt = 0, maxResults = 50 } = jira.query
  const isFound = ({ accountId: id, displayName, emailAddress }: Kept): boolean =>
    (accountId ?? id) === id && hasWords(query, `${displayName} ${emailAddress}`)
  const found = jira.all('users').filter(isFound)
  return jira.shown('users', found.slice(Number(startAt), Number(startAt) + Number(maxResults)))
}

/** The given fields of a filter, whose JQL is read. */
function toFilter(jira: Jira, own?: Kept): Fields {
  const usual = { jql: '', description: '', favourite: false, sharePermissions: [], editPermissions: [] }
  const facts: Fields = { ...usual, ...own, ...pick(jira.body, 'name', ...Object.keys(usual)) }
  if (typeof facts.name !== 'string' || facts.name === '')
    jira.failField('name', 'You must specify a name to save this filter as.')
  if (jira.records.filters.some((one) => one.id !== own?.id && same(one.name, facts.name)))
    jira.failField('filterName', 'Filter with same name already exists.')
  readJql(jira, String(facts.jql))
  return facts
}

/** A project as lists show it. */
const inList = (jira: Jira, { lead: _, description: __, assigneeType: ___, ...project }: Kept): Shown =>
  jira.whole('projects', project)

const rolesOf = (jira: Jira, { id }: Kept): Shown =>
  Object.fromEntries(jira.all('roles').map((one) => [one.name, jira.link(`project/${id}/role/${one.id}`)]))

const showProject = (jira: Jira, project: Kept): Shown => {
  const of = { projectId: Number(project.id) }
  const components = jira.shown('components', jira.all('components', of))
  const parts = {
    components,
    versions: jira.shown('versions', jira.all('versions', of)),
    roles: rolesOf(jira, project),
  }
  return { ...jira.whole('projects', project), ...parts, issueTypes: jira.shown('issuetypes') }
}

function tellProject(jira: Jira, verb: string, project: Kept): void {
  const toFacts = (of: Jira) => ({ ...inList(of, project), id: Number(project.id), projectLead: of.show(project.lead) })
  happen(jira, `project_${verb}`, (of) => ({ project: toFacts(of) }))
}

function checkProject(jira: Jira, { key, name, leadAccountId }: Fields, own?: Kept): void {
  const errors: Record<string, string> = {}
  const other = (test: (one: Kept) => boolean) => jira.records.projects.find((one) => one.id !== own?.id && test(one))
  const byKey = other((one) => same(one.key, key))
  if (key !== undefined && !/^[A-Z][A-Z0-9_]{1,9}$/.test(String(key)))
    errors.projectKey =
      'Project keys must start with an uppercase letter, followed by one or more uppercase alphanumeric characters.'
  else if (key !== undefined && byKey !== undefined)
    errors.projectKey = `Project '${byKey.name}' uses this project key.`
  if (name === '' || (own === undefined && name === undefined))
    errors.projectName = 'You must specify a valid project name.'
  else if (name !== undefined && other((one) => same(one.name, name)) !== undefined)
    errors.projectName = 'A project with that name already exists.'
  if (own === undefined && leadAccountId === undefined) errors.projectLead = 'You must specify a valid project lead.'
  if (leadAccountId !== undefined && jira.lookUp('users', leadAccountId) === undefined)
    errors.projectLead = 'The project lead does not exist.'
  if (Object.keys(errors).length > 0) jira.fail(400, [], errors)
}

/** Given fields of a record, with its lead. */
const withLead = (body: Fields, ...names: string[]): Fields => ({
  ...pick(body, 'name', 'description', 'assigneeType', ...names),
  ...(body.leadAccountId !== undefined && { lead: ref('users', body.leadAccountId) }),
})
const toVersion = ({ body }: Jira): Fields =>
  pick(body, 'name', 'description', 'archived', 'released', 'startDate', 'releaseDate')

/** Creates a version or a component in its project, where its name is free. */
function addPart(jira: Jira, noun: 'version' | 'component', facts: Fields): Kept {
  const { project, projectId, name } = jira.body
  const of = `${projectId === undefined ? 'key' : 'id'} '${projectId ?? project}'`
  const absent = `No project could be found with ${of}.`
  const { id } = jira.lookUp('projects', projectId ?? project) ?? jira.fail(404, absent)
  const own = { projectId: Number(id), description: '', ...facts }
  if (typeof name !== 'string' || name === '') jira.failField('name', `You must specify a valid ${noun} name`)
  const subject = noun === 'version' ? 'A version with this name' : `A component with the name ${name}`
  if (jira.all(`${noun}s`, { projectId: own.projectId }).some((one) => same(one.name, name)))
    jira.failField('name', `${subject} already exists in this project.`)
  return jira.add(`${noun}s`, noun, own)
}

/** Replaces a part of issues, or takes it out. */
function replaceIn(
  jira: Jira,
  name: string,
  list: Collection,
  id: unknown,
  by?: unknown,
  test = (_: Kept) => true,
): void {
  for (const issue of jira.records.issues.where(test)) {
    const kept = [valuesOf(issue)[name] ?? []].flat()
    const others = kept.filter((one) => idOf(one) !== id)
    if (others.length < kept.length)
      changeIssue(jira, issue, { [name]: by === undefined ? others : [...others, ref(list, by)] })
  }
}

/** Removes the version of the path, and puts others into issues in its place. */
function removeVersion(jira: Jira, fixed?: unknown, affected?: unknown): void {
  const version = jira.find('versions', jira.path.id)
  replaceIn(jira, 'fixVersions', 'versions', version.id, fixed)
  replaceIn(jira, 'versions', 'versions', version.id, affected)
  jira.records.versions.remove(version)
  tell(jira, 'jira:version_deleted', version)
}

const isOpen = (issue: Kept): boolean => valuesOf(issue).resolution == null

/** Issues with a version or a component in a field. */
const within = (jira: Jira, name: string, { id }: Kept): Kept[] =>
  jira.records.issues.where((issue) => [valuesOf(issue)[name] ?? []].flat().some((one) => idOf(one) === id))

/** The one context of a custom field. */
function contextOf(jira: Jira): { id: string; name: unknown } {
  const { fieldId = '', contextId } = jira.path
  const { custom, name, schema }: Fields = jira.lookUp('fields', fieldId) ?? {}
  const id = String(fieldsOf(schema).customId)
  if (custom !== true || (contextId ?? id) !== id)
    jira.fail(404, `The custom field '${fieldId}' or its context was not found.`)
  return { id, name }
}
const optionsOf = (jira: Jira): Kept[] => jira.all('options', { _field: `customfield_${contextOf(jira).id}` })
const showOption = ({ id, value, _parent = null }: Kept): Shown => ({
  ...{ id, value, disabled: false },
  ...(_parent !== null && { optionId: _parent }),
})

/** Those with the words of `query`, in the order of `orderBy`. */
function matching({ query: { query, orderBy = '' } }: Jira, list: Kept[]): Kept[] {
  const [, sign, by = ''] = /^([-+]?)(.*)$/.exec(String(orderBy)) ?? []
  const found = list.filter(({ key = '', name }) => hasWords(query, `${key} ${name}`))
  if (by !== '' && by !== 'sequence') found.sort((a, b) => String(a[by]).localeCompare(String(b[by])))
  return sign === '-' ? found.reverse() : found
}

const LISTS: Readonly<Record<string, Collection>> = {
  ...{ issuetype: 'issuetypes', status: 'statuses', priority: 'priorities', resolution: 'resolutions', role: 'roles' },
  ...{ statuscategory: 'categories', field: 'fields' },
}
const READS: Readonly<Record<string, Collection>> = {
  ...{ issuetype: 'issuetypes', status: 'statuses', priority: 'priorities', resolution: 'resolutions' },
  ...{ issueLinkType: 'link_types', filter: 'filters', version: 'versions', component: 'components' },
}

const byToken = (jira: Jira): Shown => toTokenPage(jira, findIssues(jira, { ...jira.query, ...jira.body }.jql, true))
const byNumber = (jira: Jira): Shown => toIssuePage(jira, findIssues(jira, { ...jira.query, ...jira.body }.jql))

export const site: Operations = {
  ...Object.fromEntries(Object.entries(LISTS).map(([path, list]) => [`GET ${path}`, (jira) => jira.shown(list)])),
  ...Object.fromEntries(
    Object.entries(READS).map(([path, list]) => [`GET ${path}/{id}`, (jira) => jira.whole(list, jira.find(list))]),
  ),
  'GET search/jql': byToken,
  'POST search/jql': byToken,
  'GET search': byNumber,
  'POST search': byNumber,
  'POST search/approximate-count': (jira) => ({ count: findIssues(jira, jira.body.jql, true).length }),
  'POST jql/match': (jira) => {
    const { jqls, issueIds } = jira.body
    const isNamed = ({ id }: Kept): boolean => [issueIds ?? []].flat().map(Number).includes(Number(id))
    const matches = [jqls ?? []].flat().map((jql) => {
      let matchedIssues: number[] = []
      const error = jira.refusalOf(() => {
        matchedIssues = findIssues(jira, jql)
          .filter(isNamed)
          .map(({ id }) => Number(id))
      })
      return { matchedIssues, errors: error === undefined ? [] : [error] }
    })
    return { matches }
  },
  'GET issue/picker': (jira) => {
    const { currentJQL, query } = jira.query
    const found = findIssues(jira, currentJQL).filter((one) => hasWords(query, `${one.key} ${valuesOf(one).summary}`))
    const issues = found.slice(0, 20).map((one) => {
      const [{ id, key }, { summary }] = [one, valuesOf(one)]
      return { id: Number(id), key, keyHtml: key, summary, summaryText: summary }
    })
    return {
      sections: [{ id: 'cs', label: 'Current Search', sub: `Showing ${issues.length} matching issues`, issues }],
    }
  },
  'GET label': (jira) => {
    const labels = new Set([...jira.records.issues].flatMap((issue) => textsOf(valuesOf(issue).labels)))
    return jira.page([...labels].sort(), (one) => one, 'values', 1_000)
  },
  'GET myself': (jira) => showUser(jira, jira.me),
  'GET mypreferences/locale': (jira) => ({ locale: jira.me.locale }),
  'GET mypermissions': (jira) => {
    const asked = textsOf(jira.query.permissions)
    if (asked.length === 0) jira.fail(400, "The 'permissions' query parameter is required.")
    const all = jira.all('permissions')
    const unknown = asked.filter((name) => !all.some(({ key }) => key === name))
    if (unknown.length > 0) jira.fail(400, `Unrecognized permission(s): ${unknown.join(', ')}`)
    const found = all.filter(({ key }) => asked.includes(String(key)))
    return { permissions: Object.fromEntries(found.map((one) => [one.key, one])) }
  },
  'GET user': (jira) => {
    const { accountId } = jira.query
    if (accountId === undefined) jira.fail(400, 'Either the accountId or the key query parameter must be provided.')
    return showUser(jira, jira.find('users', accountId))
  },
  'GET user/search': (jira) =>
    jira.query.query === undefined && jira.query.accountId === undefined
      ? jira.fail(400, "The 'query' parameter is required.")
      : findUsers(jira),
  ...Object.fromEntries(
    ['users', 'users/search', 'user/assignable/search', 'user/assignable/multiProjectSearch'].map((path) => [
      `GET ${path}`,
      findUsers,
    ]),
  ),
  'GET user/picker': pickUsers,
  'GET groupuserpicker': (jira) => ({ users: pickUsers(jira), groups: pickGroups(jira) }),
  'GET user/groups': (jira) => groupsOf(jira, jira.find('users', jira.query.accountId)),
  'GET user/bulk': (jira) => {
    const ids = textsOf(jira.query.accountId)
    const found = jira.all('users').filter(({ accountId }) => ids.includes(String(accountId)))
    return jira.list('users', found)
  },
  'GET groups/picker': pickGroups,
  'GET group/member': (jira) => {
    const { groupId, groupname } = jira.query
    const absent = `Group with ${groupId === undefined ? 'name' : 'id'} '${groupId ?? groupname}' does not exist.`
    const test = (one: Kept): boolean => one.groupId === groupId || same(one.name, groupname)
    const { name = null } = jira.records.groups.find(test) ?? jira.fail(404, absent)
    const members = jira.all('users').filter(({ _groups }) => [_groups].flat().includes(name))
    return { self: jira.link('group/member'), ...jira.list('users', members) }
  },
  'GET issueLinkType': (jira) => ({ issueLinkTypes: jira.shown('link_types') }),
  'GET priority/search': (jira) => {
    const found = jira.all('priorities').filter(({ id }) => isAsked(jira.query.id, id))
    return jira.page(found, (one) => ({ ...jira.whole('priorities', one), isDefault: one.id === '3' }))
  },
  'GET statuses/search': (jira) =>
    jira.page(jira.all('statuses'), ({ id, name, description, statusCategory: of }) => {
      const statusCategory = { 2: 'TODO', 4: 'IN_PROGRESS', 3: 'DONE' }[String(idOf(of))]
      return { id, name, description, statusCategory, scope: { type: 'GLOBAL' } }
    }),
  'GET field/search': (jira) => {
    const { id: ids, type } = jira.query
    const isFound = ({ id, custom }: Kept): boolean =>
      isAsked(ids, id) && isAsked(type, custom === true ? 'custom' : 'system')
    return jira.list('fields', matching(jira, jira.all('fields').filter(isFound)))
  },
  'GET field/{fieldId}/context': (jira) =>
    jira.page([contextOf(jira)], ({ id, name }) => ({
      ...{ id, name: `Default Configuration Scheme for ${name}`, description: '' },
      ...{ isGlobalContext: true, isAnyIssueType: true },
    })),
  'GET field/{fieldId}/context/{contextId}/option': (jira) => jira.page(optionsOf(jira), showOption),
  'POST field/{fieldId}/context/{contextId}/option': (jira) => {
    const [{ fieldId }, known] = [jira.path, optionsOf(jira)]
    const made = listOf(jira.body.options).map(({ value = '', optionId: _parent = null }) => {
      if (_parent !== null && !known.some(({ id }) => id === _parent)) jira.fail(404, `There is no option ${_parent}.`)
      if (known.some((one) => (one._parent ?? null) === _parent && same(one.value, value)))
        jira.fail(400, `An option with the value '${value}' exists already.`)
      const id = jira.next('options')
      return jira.records.options.create({
        id,
        self: `customFieldOption/${id}`,
        value,
        _parent,
        _field: fieldId ?? null,
      })
    })
    return { options: made.map(showOption) }
  },
  'PUT field/{fieldId}/context/{contextId}/option': (jira) => {
    const changed = listOf(jira.body.options).map((one) => {
      const { id } = optionsOf(jira).find(({ id }) => id === one.id) ?? jira.fail(404, `There is no option ${one.id}.`)
      return jira.records.options.update(id, pick(one, 'value'))
    })
    return { options: changed.map(showOption) }
  },
  'DELETE field/{fieldId}/context/{contextId}/option/{optionId}': (jira) =>
    optionsOf(jira).some(({ id }) => id === jira.path.optionId)
      ? void jira.remove('options')
      : jira.fail(404, `There is no option ${jira.path.optionId}.`),
  'GET issuetype/project': (jira) => jira.find('projects', jira.query.projectId) && jira.shown('issuetypes'),
  'POST field': (jira) => {
    const { name = '', type = '', description = '' } = jira.body
    const schema = jira.lookUp('field_types', type)?.schema
    const types = jira.all('field_types').map(({ id }) => id)
    const absent = `The custom field type '${type}' does not exist here. Send one of ${types.join(', ')}.`
    if (name === '') jira.failField('name', 'You must specify a name for the custom field.')
    if (schema === undefined) jira.failField('type', absent)
    const customId = Number(jira.next('fields', 10_040))
    const [id, clauseNames] = [`customfield_${customId}`, [`cf[${customId}]`, name]]
    const facts = {
      name,
      description,
      custom: true,
      clauseNames,
      schema: { ...fieldsOf(schema), custom: type, customId },
    }
    return jira.respond(201, jira.whole('fields', jira.records.fields.create({ id, key: id, ...facts })))
  },
  'POST filter': (jira) => {
    const subscriptions = { size: 0, items: [], 'max-results': 0, 'start-index': 0, 'end-index': 0 }
    return jira.whole('filters', jira.add('filters', 'filter', { owner: jira.who, subscriptions, ...toFilter(jira) }))
  },
  'GET filter/search': (jira) => {
    const found = jira.all('filters').filter(({ name }) => hasWords(jira.query.filterName, name))
    const page = jira.page(found, (one) => ({ ...jira.whole('filters', one), subscriptions: [] }))
    return { self: jira.link('filter/search'), ...page }
  },
  'GET filter/favourite': (jira) => jira.shown('filters', jira.all('filters', { favourite: true })),
  'PUT filter/{id}/favourite': (jira) => jira.change('filters', { favourite: true }),
  'DELETE filter/{id}/favourite': (jira) => jira.change('filters', { favourite: false }),
  'GET filter/my': (jira) => jira.shown('filters', jira.all('filters', { owner: jira.who })),
  'PUT filter/{id}': (jira) => jira.change('filters', toFilter(jira, jira.find('filters'))),
  'DELETE filter/{id}': (jira) => void jira.remove('filters'),
  'GET project': (jira) => jira.all('projects').map((one) => inList(jira, one)),
  'GET project/search': (jira) => {
    const { keys, id: ids, typeKey, expand } = jira.query
    const isFound = ({ id, key, projectTypeKey }: Kept): boolean =>
      isAsked(keys, key) && isAsked(ids, id) && isAsked(typeKey, projectTypeKey)
    const found = jira.all('projects').filter(isFound)
    const page = jira.page(matching(jira, found), (one) => {
      const { lead, description, issueTypes } = showProject(jira, one)
      const more = Object.entries({ lead, description, issueTypes }).filter(([name]) => textsOf(expand).includes(name))
      return { ...inList(jira, one), ...Object.fromEntries(more) }
    })
    return { self: jira.link('project/search'), ...page }
  },
  'POST project': (jira) => {
    const { lead, leadAccountId = lead, projectTypeKey = 'software', projectTemplateKey } = jira.body
    const body = { ...jira.body, ...(leadAccountId !== undefined && { leadAccountId }) }
    checkProject(jira, body)
    const usual = { description: '', assigneeType: 'UNASSIGNED', projectTypeKey, _last: 0 }
    const made = jira.add('projects', 'project', { ...usual, ...withLead(body, 'key') }, 10_001)
    const picture = `https://avatars.example/${made.id}.svg`
    const avatarUrls = { '48x48': picture, '24x24': picture, '16x16': picture, '32x32': picture }
    const project = jira.records.projects.update(made, { avatarUrls })
    tellProject(jira, 'created', project)
    const [kind] = /scrum|kanban/.exec(String(projectTemplateKey)) ?? []
    if (kind !== undefined) addBoard(jira, project, kind)
    return jira.respond(201, { ...jira.whole('projects', project, ['key']), id: Number(project.id) })
  },
  'GET project/{projectIdOrKey}': (jira) => showProject(jira, jira.find('projects')),
  'PUT project/{projectIdOrKey}': (jira) => {
    const { issues, projects } = jira.records
    const project = jira.find('projects')
    checkProject(jira, jira.body, project)
    const changed = projects.update(project, withLead(jira.body, 'key'))
    if (changed.key !== project.key)
      for (const issue of issues.where({ 'fields.project': ref('projects', project.id) }))
        issues.update(issue, { key: String(issue.key).replace(/^.*-/, `${changed.key}-`) })
    tellProject(jira, 'updated', changed)
    return showProject(jira, changed)
  },
  'DELETE project/{projectIdOrKey}': (jira) => {
    const { id } = jira.find('projects')
    const mine = ref('projects', id)
    const parts = { issues: { 'fields.project': mine }, versions: { projectId: Number(id) } }
    const others = { components: { projectId: Number(id) }, boards: { _project: mine } }
    for (const [name, equal] of Object.entries({ ...parts, ...others }))
      for (const one of jira.all(name as Collection, equal)) jira.records[name as Collection].remove(one)
    tellProject(jira, 'deleted', jira.remove('projects'))
  },
  'GET project/{projectIdOrKey}/statuses': (jira) => {
    jira.find('projects', jira.path.projectIdOrKey)
    const show = (one: Kept): Shown => jira.whole('issuetypes', one, ['id', 'name', 'subtask'])
    return jira.all('issuetypes').map((one) => ({ ...show(one), statuses: jira.shown('statuses') }))
  },
  'GET project/{projectIdOrKey}/components': (jira) => showProject(jira, jira.find('projects')).components,
  'GET project/{projectIdOrKey}/versions': (jira) => showProject(jira, jira.find('projects')).versions,
  'GET project/{projectIdOrKey}/version': (jira) => {
    const all = jira.all('versions', { projectId: Number(jira.find('projects', jira.path.projectIdOrKey).id) })
    const stateOf = ({ archived, released }: Kept) => (archived ? 'archived' : released ? 'released' : 'unreleased')
    const found = all.filter((one) => isAsked(jira.query.status, stateOf(one)))
    return jira.list('versions', matching(jira, found))
  },
  'GET project/{projectIdOrKey}/component': (jira) => {
    const all = jira.all('components', { projectId: Number(jira.find('projects').id) })
    const withCount = (one: Kept) => ({
      ...jira.whole('components', one),
      issueCount: within(jira, 'components', one).length,
    })
    return jira.page(matching(jira, all), withCount)
  },
  'GET project/{projectIdOrKey}/role': (jira) => rolesOf(jira, jira.find('projects')),
  'POST version': (jira) => {
    const version = addPart(jira, 'version', { archived: false, released: false, ...toVersion(jira) })
    return jira.whole('versions', tell(jira, 'jira:version_created', version))
  },
  'PUT version/{id}': (jira) => {
    const before = jira.find('versions')
    const version = jira.records.versions.update(before, toVersion(jira))
    tell(jira, 'jira:version_updated', version)
    if (version.released !== before.released)
      tell(jira, `jira:version_${version.released === true ? 'released' : 'unreleased'}`, version)
    const next = jira.body.moveUnfixedIssuesTo
    if (version.released === true && next !== undefined)
      replaceIn(jira, 'fixVersions', 'versions', version.id, String(next).replace(/^.*\//, ''), isOpen)
    return jira.whole('versions', version)
  },
  'GET version/{id}/relatedIssueCounts': (jira) => {
    const [version, self] = [jira.find('versions'), jira.link(`version/${jira.path.id}`)]
    const [issuesFixedCount, issuesAffectedCount] = ['fixVersions', 'versions'].map(
      (name) => within(jira, name, version).length,
    )
    return { self, issuesFixedCount, issuesAffectedCount, issueCountWithCustomFieldsShowingVersion: 0 }
  },
  'GET version/{id}/unresolvedIssueCount': (jira) => {
    const all = within(jira, 'fixVersions', jira.find('versions'))
    const self = jira.link(`version/${jira.path.id}`)
    return { self, issuesUnresolvedCount: all.filter(isOpen).length, issuesCount: all.length }
  },
  'GET component/{id}/relatedIssueCounts': (jira) => {
    const issueCount = within(jira, 'components', jira.find('components')).length
    return { self: jira.link(`component/${jira.path.id}`), issueCount }
  },
  'DELETE version/{id}': (jira) => removeVersion(jira, jira.query.moveFixIssuesTo, jira.query.moveAffectedIssuesTo),
  'POST version/{id}/removeAndSwap': (jira) =>
    removeVersion(jira, jira.body.moveFixIssuesTo, jira.body.moveAffectedIssuesTo),
  'PUT version/{id}/mergeto/{moveIssuesTo}': (jira) => {
    const { id } = jira.find('versions')
    removeVersion(jira, id, id)
  },
  'POST component': (jira) =>
    jira.whole('components', addPart(jira, 'component', { assigneeType: 'PROJECT_DEFAULT', ...withLead(jira.body) })),
  'PUT component/{id}': (jira) => jira.change('components', withLead(jira.body)),
  'DELETE component/{id}': (jira) => {
    replaceIn(jira, 'components', 'components', jira.find('components').id, jira.query.moveIssuesTo)
    jira.remove('components')
  },
}
