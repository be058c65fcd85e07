import { addBoard } from './agile.ts'
import {
  add,
  type Context,
  type Fields,
  fail,
  failField,
  fieldsOf,
  find,
  findProject,
  hasWords,
  isAsked,
  type Json,
  type Kept,
  known,
  linkTo,
  meOf,
  nextOf,
  noContent,
  type Operations,
  oldest,
  pathProject,
  removeOf,
  type Shown,
  same,
  showUser,
  textsOf,
  toPage,
  toTime,
  type Work,
  windowOf,
} from './context.ts'
import { avatarsOf, CUSTOM_KINDS, type Field, fieldsIn, showFact } from './fields.ts'
import { happen } from './hooks.ts'
import { changeIssue } from './issues.ts'
import { readJql } from './jql.ts'
import { CATEGORIES, OPTIONS, type OptionList, showCategory, showOption } from './scheme.ts'

const showGroups = (context: Context, { groups }: Kept): Shown => {
  const items = context.records.groups
    .where(({ name }) => (groups as Json[]).includes(name ?? null))
    .map(({ id, name }) => ({ name, groupId: id, self: linkTo(context, `group?groupId=${id}`) }))
  return { size: items.length, items }
}

const findUsers = (context: Context): (Shown | null)[] => {
  const { query, accountId } = context.query
  const { startAt, maxResults } = windowOf(context)
  return oldest(context, 'users')
    .filter(
      ({ id, displayName, emailAddress }) =>
        (accountId ?? id) === id && hasWords(query, `${displayName} ${emailAddress}`),
    )
    .slice(startAt, startAt + maxResults)
    .map(({ id }) => showUser(context, id))
}

const showAll = (work: Work, list: OptionList): unknown[] => OPTIONS[list].map(({ id }) => showOption(work, list, id))

const showFilter = (
  context: Context,
  { id, name, description, jql, owner, favourite, sharePermissions }: Kept,
): Shown => {
  const searchUrl = linkTo(context, `search?jql=${encodeURIComponent(String(jql))}`)
  const addresses = {
    self: linkTo(context, `filter/${id}`),
    viewUrl: `https://jira.example/issues/?filter=${id}`,
    searchUrl,
  }
  const subscriptions = { size: 0, items: [], 'max-results': 0, 'start-index': 0, 'end-index': 0 }
  const facts = { id, name, description, jql, owner: showUser(context, owner), favourite, sharePermissions }
  return { ...addresses, ...facts, favouritedCount: Number(favourite), editPermissions: [], subscriptions }
}

const FILTER: Fields = { jql: '', description: '', favourite: false, sharePermissions: [] }

/** The given fields of a filter, whose JQL is read. */
function toFilter(context: Context, own?: Kept): Fields {
  const facts: Fields = { ...FILTER, ...own, ...pick(context.body, ['name', ...Object.keys(FILTER)]) }
  const { name, jql } = facts
  if (typeof name !== 'string' || name === '')
    return failField(context, 'name', 'You must specify a name to save this filter as.')
  if (context.records.filters.some((one) => one.id !== own?.id && same(one.name, name)))
    return failField(context, 'filterName', 'Filter with same name already exists.')
  readJql(context, String(jql))
  return facts
}

const PERMISSIONS = [
  ...['BROWSE_PROJECTS', 'CREATE_ISSUES', 'EDIT_ISSUES', 'DELETE_ISSUES', 'ASSIGN_ISSUES', 'TRANSITION_ISSUES'],
  ...['ADD_COMMENTS', 'WORK_ON_ISSUES', 'LINK_ISSUES', 'ADMINISTER_PROJECTS', 'ADMINISTER'],
]

/** A project. @param isWhole whether with its components, versions, types and roles */
function showProject(work: Work, project: Kept, isWhole = true): Shown {
  const { id, key, name, description, lead, assigneeType, projectTypeKey } = project
  const facts = { simplified: false, style: 'classic', isPrivate: false, properties: {} }
  const whole = (): Shown => ({
    description,
    lead: showUser(work, lead),
    assigneeType,
    components: oldest(work, 'components', { project: id }).map((one) => showComponent(work, one)),
    versions: oldest(work, 'versions', { project: id }).map((one) => showVersion(work, one)),
    issueTypes: showAll(work, 'issuetype'),
    roles: rolesOf(work, project),
  })
  const expand = 'description,lead,issueTypes,url,projectKeys,permissions,insight'
  const names = {
    expand,
    self: linkTo(work, `project/${id}`),
    id,
    key,
    name,
    avatarUrls: avatarsOf(id),
    projectTypeKey,
  }
  return { ...names, ...facts, ...(isWhole && whole()) }
}

const rolesOf = (work: Work, { id }: Kept): Shown =>
  Object.fromEntries(OPTIONS.role.map((one) => [one.name, linkTo(work, `project/${id}/role/${one.id}`)]))

function showVersion(work: Work, { id, project, startDate, releaseDate, ...version }: Kept): Shown {
  const { name, description, archived, released } = version
  const overdue = releaseDate && released === false && String(releaseDate) < work.now.toISOString().slice(0, 10)
  const facts = { id, name, description, archived, released, ...known({ startDate, releaseDate, overdue }) }
  return { self: linkTo(work, `version/${id}`), ...facts, projectId: Number(project) }
}

function showComponent(work: Work, { id, project, name, description, lead, assigneeType }: Kept): Shown {
  const { key, lead: own } = fieldsOf(work.records.projects.get(String(project)))
  const person = assigneeType === 'COMPONENT_LEAD' ? lead : assigneeType === 'PROJECT_LEAD' ? own : null
  const user = person == null ? {} : { assignee: showUser(work, person), realAssignee: showUser(work, person) }
  const types = { assigneeType, realAssigneeType: assigneeType, isAssigneeTypeValid: person != null }
  const facts = { id, name, description, ...known({ lead: showUser(work, lead) }), ...user, ...types }
  return { self: linkTo(work, `component/${id}`), ...facts, project: key, projectId: Number(project) }
}

const tellVersion = (context: Context, verb: string, version: Kept): void =>
  happen(context, `jira:version_${verb}`, (of) => ({ version: showVersion(of, version) }))
const tellProject = (context: Context, verb: string, project: Kept): void =>
  happen(context, `project_${verb}`, (of) => {
    const facts = { id: Number(project.id), projectLead: showUser(of, project.lead) }
    return { project: { ...showProject(of, project, false), ...facts } }
  })

function checkProject(context: Context, { key, name, leadAccountId }: Fields, own?: Kept): void {
  const errors: Record<string, string> = {}
  const other = (test: (one: Kept) => boolean) =>
    [...context.records.projects].find((one) => one.id !== own?.id && test(one))
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
  if (leadAccountId !== undefined && context.records.users.get(String(leadAccountId)) === undefined)
    errors.projectLead = 'The project lead does not exist.'
  if (Object.keys(errors).length > 0) fail(context, 400, [], errors)
}

/** Given fields of a record, by their names. */
const pick = (body: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name] ?? null]])))
/** The same, with a lead. */
const withLead = (body: Fields, ...names: string[]): Fields => ({
  ...pick(body, ['name', 'description', 'assigneeType', ...names]),
  ...(body.leadAccountId !== undefined && { lead: body.leadAccountId }),
})
const VERSION_FIELDS = ['name', 'description', 'archived', 'released', 'startDate', 'releaseDate']

/** The project of a new part, whose name is free. */
function homeOf(context: Context, collection: 'components' | 'versions', taken: string): { project: string } {
  const { project, projectId, name } = context.body
  const of = `${projectId === undefined ? 'key' : 'id'} '${projectId ?? project}'`
  const { id } =
    findProject(context, projectId ?? project) ?? fail(context, 404, `No project could be found with ${of}.`)
  if (typeof name !== 'string' || name === '')
    return failField(context, 'name', `You must specify a valid ${collection.slice(0, -1)} name`)
  return context.records[collection].where({ project: id }).some((one) => same(one.name, name))
    ? failField(context, 'name', taken)
    : { project: id }
}

/** Removes a part from issues, or replaces it. */
function replaceIn(context: Context, names: readonly string[], id: string, by?: unknown): void {
  for (const issue of context.records.issues) {
    const values = fieldsOf(issue.values)
    const change = names.flatMap((name): [string, Json][] => {
      const ids = values[name] as string[]
      const others = ids.filter((one) => one !== id)
      return others.length === ids.length ? [] : [[name, by === undefined ? others : [...others, String(by)]]]
    })
    if (change.length > 0) changeIssue(context, issue, Object.fromEntries(change))
  }
}

/** Those with the words of `query`, in the order of `orderBy`. */
function matching({ query: { query, orderBy = '' } }: Context, list: Kept[]): Kept[] {
  const [, sign, name = ''] = /^([-+]?)(.*)$/.exec(String(orderBy)) ?? []
  const found = list.filter(({ key = '', name }) => hasWords(query, `${key} ${name}`))
  if (name !== '' && name !== 'sequence') found.sort((a, b) => String(a[name]).localeCompare(String(b[name])))
  return sign === '-' ? found.reverse() : found
}

/** Operations that list options, and show one. */
const listing = (list: OptionList, absent: string): Operations => ({
  [`GET ${list}`]: (context) => showAll(context, list),
  [`GET ${list}/{id}`]: (context) =>
    showOption(context, list, context.path.id) ?? fail(context, 404, absent.replace('{id}', String(context.path.id))),
})

const SCOPES = ['read:jira-work', 'write:jira-work', 'read:jira-user']

/** The site of a token of OAuth 2.0. */
export const sites = ({ origin: url }: Context): object => [
  {
    id: '00000000-0000-4000-8000-000000000c1d',
    url,
    name: 'backlot',
    scopes: SCOPES,
    avatarUrl: 'https://avatars.example/site.png',
  },
]

export const site: Operations = {
  'GET myself': (context) => {
    const me = meOf(context)
    const { size, items } = showGroups(context, me)
    const groups = { size, items: textsOf(context.query.expand).includes('groups') ? items : [] }
    const facts = { groups, applicationRoles: { size: 1, items: [] }, expand: 'groups,applicationRoles' }
    return { ...showUser(context, me.id), ...facts }
  },
  'GET mypreferences/locale': (context) => ({ locale: meOf(context).locale }),
  'GET serverInfo': ({ origin, now }) => ({
    ...{ baseUrl: origin, displayUrl: origin, serverTitle: 'Jira', serverTimeZone: 'Etc/UTC', deploymentType: 'Cloud' },
    ...{ version: '1001.0.0-SNAPSHOT', versionNumbers: [1001, 0, 0], buildNumber: 100_300, scmInfo: '0'.repeat(40) },
    buildDate: '2026-01-01T00:00:00.000+0000',
    serverTime: toTime(now.toISOString()),
    defaultLocale: { locale: 'en_US' },
  }),
  'GET mypermissions': (context) => {
    const asked = textsOf(context.query.permissions)
    if (asked.length === 0) return fail(context, 400, "The 'permissions' query parameter is required.")
    const unknown = asked.filter((name) => !PERMISSIONS.includes(name))
    if (unknown.length > 0) return fail(context, 400, `Unrecognized permission(s): ${unknown.join(', ')}`)
    const show = (key: string): Shown => {
      const type = key === 'ADMINISTER' ? 'GLOBAL' : 'PROJECT'
      return { id: String(PERMISSIONS.indexOf(key)), key, name: key, type, description: '', havePermission: true }
    }
    return { permissions: Object.fromEntries(asked.map((key) => [key, show(key)])) }
  },
  'GET user': (context) => {
    const { accountId, expand } = context.query
    if (accountId === undefined)
      return fail(context, 400, 'Either the accountId or the key query parameter must be provided.')
    const user = find(context, 'users', accountId)
    const groups = textsOf(expand).includes('groups') ? showGroups(context, user) : undefined
    return { ...showUser(context, user.id), ...known({ groups }) }
  },
  'GET user/search': (context) =>
    context.query.query === undefined && context.query.accountId === undefined
      ? fail(context, 400, "The 'query' parameter is required.")
      : findUsers(context),
  'GET users/search': findUsers,
  'GET user/assignable/search': findUsers,
  'GET user/bulk': (context) => {
    const ids = textsOf(context.query.accountId)
    const found = oldest(context, 'users').filter(({ id }) => ids.includes(id))
    return toPage(context, found, ({ id }) => showUser(context, id))
  },
  'GET groups/picker': ({ query, records }) => {
    const groups = [...records.groups]
      .filter(({ name }) => hasWords(query.query, String(name)))
      .map(({ id, name }) => ({ name, html: name, groupId: id, labels: [] }))
    return { header: `Showing ${groups.length} of ${groups.length} matching groups`, total: groups.length, groups }
  },
  'GET group/member': (context) => {
    const { groupId, groupname } = context.query
    const by = groupId === undefined ? 'name' : 'id'
    const { name = null } =
      [...context.records.groups].find((one) => one.id === groupId || same(one.name, groupname)) ??
      fail(context, 404, `Group with ${by} '${groupId ?? groupname}' does not exist.`)
    const members = oldest(context, 'users').filter(({ groups }) => (groups as Json[]).includes(name))
    const page = toPage(context, members, ({ id }) => showUser(context, id))
    return { self: linkTo(context, 'group/member'), ...page }
  },
  ...listing('issuetype', 'The issue type does not exist.'),
  ...listing('status', 'The status does not exist.'),
  ...listing('priority', 'The priority does not exist.'),
  ...listing('resolution', 'The resolution does not exist.'),
  ...listing('issueLinkType', "No issue link type with id '{id}' found."),
  'GET issueLinkType': (context) => ({ issueLinkTypes: showAll(context, 'issueLinkType') }),
  'GET priority/search': (context) => {
    const found = OPTIONS.priority.filter(({ id }) => isAsked(context.query.id, id))
    return toPage(context, found, ({ id }) => ({ ...showOption(context, 'priority', id), isDefault: id === '3' }))
  },
  'GET statuses/search': (context) =>
    toPage(context, OPTIONS.status, ({ id, name, statusCategory: { key } }) => {
      const statusCategory = { new: 'TODO', indeterminate: 'IN_PROGRESS', done: 'DONE' }[key]
      return { id, name, description: '', statusCategory, scope: { type: 'GLOBAL' } }
    }),
  'GET statuscategory': (context) => CATEGORIES.map((one) => showCategory(context, one)),
  'GET role': (context) =>
    OPTIONS.role.map((one) => ({ ...showOption(context, 'role', one.id), id: Number(one.id), actors: [] })),
  'GET field': (context) => fieldsIn(context).map(showFact),
  'POST field': (context) => {
    const { name, type, description = '' } = context.body
    const kind = CUSTOM_KINDS[String(type)]
    const types = Object.keys(CUSTOM_KINDS).join(', ')
    if (typeof name !== 'string' || name === '')
      return failField(context, 'name', 'You must specify a name for the custom field.')
    if (kind === undefined)
      return failField(context, 'type', `The custom field type '${type}' does not exist here. Send one of ${types}.`)
    const id = `customfield_${nextOf(context, 'fields', 10_040)}`
    const field = context.records.fields.create({ id, name, kind, custom: String(type), description })
    return context.respond({ status: 201, body: showFact(field as unknown as Field) })
  },
  'POST filter': (context) =>
    showFilter(context, add(context, 'filters', { owner: meOf(context).id, ...toFilter(context) })),
  'GET filter/search': (context) => {
    const found = oldest(context, 'filters').filter(({ name }) => hasWords(context.query.filterName, String(name)))
    return { self: linkTo(context, 'filter/search'), ...toPage(context, found, (one) => showFilter(context, one)) }
  },
  'GET filter/my': (context) =>
    oldest(context, 'filters', { owner: meOf(context).id }).map((one) => showFilter(context, one)),
  'GET filter/{id}': (context) => showFilter(context, find(context, 'filters')),
  'PUT filter/{id}': (context) => {
    const own = find(context, 'filters')
    return showFilter(context, context.records.filters.update(own.id, toFilter(context, own)))
  },
  'DELETE filter/{id}': (context) => {
    removeOf(context, 'filters')
    return noContent(context)
  },
  'GET dashboard': (context) => {
    const facts = { id: '10000', name: 'Default dashboard', isFavourite: false, popularity: 1, systemDashboard: true }
    const dashboards = [{ ...facts, self: linkTo(context, 'dashboard/10000'), sharePermissions: [] }]
    return { startAt: 0, maxResults: 20, total: 1, dashboards }
  },
  'GET project': (context) => oldest(context, 'projects').map((one) => showProject(context, one, false)),
  'GET project/search': (context) => {
    const { keys, id: ids, typeKey } = context.query
    const found = oldest(context, 'projects').filter(
      ({ id, key, projectTypeKey }) => isAsked(keys, key) && isAsked(ids, id) && isAsked(typeKey, projectTypeKey),
    )
    const expand = textsOf(context.query.expand)
    const page = toPage(context, matching(context, found), (one) => {
      const { lead, description, issueTypes } = showProject(context, one)
      const more = Object.entries({ lead, description, issueTypes }).filter(([name]) => expand.includes(name))
      return { ...showProject(context, one, false), ...Object.fromEntries(more) }
    })
    return { self: linkTo(context, 'project/search'), ...page }
  },
  'POST project': (context) => {
    const { leadAccountId = context.body.lead ?? null, projectTypeKey = 'software', projectTemplateKey } = context.body
    const body = { ...context.body, leadAccountId } as Fields
    checkProject(context, body)
    const usual = {
      description: '',
      assigneeType: 'UNASSIGNED',
      projectTypeKey: String(projectTypeKey),
      last_number: 0,
    }
    const project = add(context, 'projects', { ...usual, ...withLead(body, 'key') }, 10_001)
    tellProject(context, 'created', project)
    const [kind] = /scrum|kanban/.exec(String(projectTemplateKey)) ?? []
    if (kind !== undefined) addBoard(context, project, kind)
    const { id, key } = project
    return context.respond({ status: 201, body: { self: linkTo(context, `project/${id}`), id: Number(id), key } })
  },
  'GET project/{projectIdOrKey}': (context) => showProject(context, pathProject(context)),
  'PUT project/{projectIdOrKey}': (context) => {
    const { records, body } = context
    const project = pathProject(context)
    checkProject(context, body, project)
    const changed = records.projects.update(project.id, withLead(body, 'key'))
    if (changed.key !== project.key)
      for (const { id, key } of records.issues.where({ project: project.id }))
        records.issues.update(id, { key: String(key).replace(/^.*-/, `${changed.key}-`) })
    tellProject(context, 'updated', changed)
    return showProject(context, changed)
  },
  'DELETE project/{projectIdOrKey}': (context) => {
    const { records } = context
    const project = pathProject(context)
    for (const name of ['issues', 'versions', 'components', 'boards'] as const)
      for (const { id } of records[name].where({ project: project.id })) records[name].remove(id)
    records.projects.remove(project.id)
    tellProject(context, 'deleted', project)
    return noContent(context)
  },
  'GET project/{projectIdOrKey}/statuses': (context) => {
    pathProject(context)
    const statuses = showAll(context, 'status')
    return OPTIONS.issuetype.map(({ id, name, subtask }) => {
      return { self: linkTo(context, `issuetype/${id}`), id, name, subtask, statuses }
    })
  },
  'GET project/{projectIdOrKey}/components': (context) => showProject(context, pathProject(context)).components,
  'GET project/{projectIdOrKey}/versions': (context) => showProject(context, pathProject(context)).versions,
  'GET project/{projectIdOrKey}/version': (context) => {
    const found = oldest(context, 'versions', { project: pathProject(context).id }).filter(({ archived, released }) =>
      isAsked(context.query.status, archived ? 'archived' : released ? 'released' : 'unreleased'),
    )
    return toPage(context, matching(context, found), (one) => showVersion(context, one))
  },
  'GET project/{projectIdOrKey}/role': (context) => rolesOf(context, pathProject(context)),
  'POST version': (context) => {
    const home = homeOf(context, 'versions', 'A version with this name already exists in this project.')
    const usual = { description: '', archived: false, released: false }
    const version = add(context, 'versions', { ...usual, ...pick(context.body, VERSION_FIELDS), ...home })
    tellVersion(context, 'created', version)
    return showVersion(context, version)
  },
  'GET version/{id}': (context) => showVersion(context, find(context, 'versions')),
  'PUT version/{id}': (context) => {
    const before = find(context, 'versions')
    const version = context.records.versions.update(before.id, pick(context.body, VERSION_FIELDS))
    tellVersion(context, 'updated', version)
    if (version.released !== before.released)
      tellVersion(context, version.released === true ? 'released' : 'unreleased', version)
    const { moveUnfixedIssuesTo } = context.body
    if (version.released === true && moveUnfixedIssuesTo !== undefined)
      for (const issue of context.records.issues) {
        const { fixVersions, resolution } = fieldsOf(issue.values) as { fixVersions: string[]; resolution: Json }
        const others = fixVersions.filter((one) => one !== version.id)
        const next = String(moveUnfixedIssuesTo).replace(/^.*\//, '')
        if (resolution === null && others.length < fixVersions.length)
          changeIssue(context, issue, { fixVersions: [...others, next] })
      }
    return showVersion(context, version)
  },
  'DELETE version/{id}': (context) => {
    const version = find(context, 'versions')
    replaceIn(context, ['fixVersions'], version.id, context.query.moveFixIssuesTo)
    replaceIn(context, ['versions'], version.id, context.query.moveAffectedIssuesTo)
    removeOf(context, 'versions')
    tellVersion(context, 'deleted', version)
    return noContent(context)
  },
  'POST component': (context) => {
    const taken = `A component with the name ${context.body.name} already exists in this project.`
    const home = homeOf(context, 'components', taken)
    const usual = { description: '', assigneeType: 'PROJECT_DEFAULT', lead: null }
    return showComponent(context, add(context, 'components', { ...usual, ...withLead(context.body), ...home }))
  },
  'GET component/{id}': (context) => showComponent(context, find(context, 'components')),
  'PUT component/{id}': (context) => {
    const { id } = find(context, 'components')
    return showComponent(context, context.records.components.update(id, withLead(context.body)))
  },
  'DELETE component/{id}': (context) => {
    replaceIn(context, ['components'], find(context, 'components').id, context.query.moveIssuesTo)
    removeOf(context, 'components')
    return noContent(context)
  },
}
