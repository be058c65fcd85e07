import {
  type Context,
  type Fields,
  fail,
  type Json,
  type Kept,
  linkTo,
  meOf,
  nextOf,
  type Shown,
  same,
  showUser,
  textsOf,
  toPage,
  toTime,
  windowOf,
} from './context.ts'
import { CUSTOM_KINDS, fieldsIn, showFact } from './fields.ts'
import { readJql } from './jql.ts'
import { CATEGORIES, OPTIONS, type OptionList, showCategory, showOption } from './scheme.ts'

const noContent = (context: Context): object => context.respond({ status: 204 })

const showGroups = (context: Context, { groups }: Kept): Shown => {
  const items = context.records.groups
    .where(({ name }) => (groups as Json[]).includes(name ?? null))
    .map(({ id, name }) => ({ name, groupId: id, self: linkTo(context, `group?groupId=${id}`) }))
  return { size: items.length, items }
}

function userOf(context: Context): Kept {
  const { accountId } = context.query
  if (accountId === undefined)
    return fail(context, 400, 'Either the accountId or the key query parameter must be provided.')
  return (
    context.records.users.get(String(accountId)) ??
    fail(context, 404, 'Specified user does not exist or you do not have required permissions')
  )
}

/** Users whose name or e-mail address has the words of the query, by number of page. */
function findUsers(context: Context): Kept[] {
  const { query = '', accountId } = context.query
  const words = String(query).toLowerCase()
  const all = [...context.records.users].toReversed()
  return all.filter(
    ({ id, displayName, emailAddress }) =>
      (accountId === undefined || id === accountId) && `${displayName} ${emailAddress}`.toLowerCase().includes(words),
  )
}

const showUsers = (context: Context): (Shown | null)[] => {
  const { startAt, maxResults } = windowOf(context)
  return findUsers(context)
    .slice(startAt, startAt + maxResults)
    .map(({ id }) => showUser(context, id))
}

/** Operations that list options, and show one. */
const listing = (list: OptionList, message: string) => ({
  [`GET /rest/api/3/${list}`]: (context: Context) => OPTIONS[list].map(({ id }) => showOption(context, list, id)),
  [`GET /rest/api/3/${list}/{id}`]: (context: Context) =>
    showOption(context, list, context.path.id) ?? fail(context, 404, message),
})

const listed = (context: Context, list: OptionList) => {
  const options: readonly { id: string; name: string }[] = OPTIONS[list]
  const ids = textsOf(context.query.id)
  return options.filter(({ id }) => ids.length === 0 || ids.includes(id))
}

const groupOf = (context: Context): Kept => {
  const { groupId, groupname } = context.query
  const found = [...context.records.groups].find(({ id, name }) => id === groupId || same(name, groupname))
  return (
    found ??
    fail(context, 404, `Group with ${groupId === undefined ? 'name' : 'id'} '${groupId ?? groupname}' does not exist.`)
  )
}

const showFilter = (
  context: Context,
  { id, name, description, jql, owner, favourite, sharePermissions }: Kept,
): Shown => ({
  self: linkTo(context, `filter/${id}`),
  id,
  name,
  description,
  owner: showUser(context, owner),
  jql,
  viewUrl: `https://jira.example/issues/?filter=${id}`,
  searchUrl: linkTo(context, `search?jql=${encodeURIComponent(String(jql))}`),
  favourite,
  favouritedCount: favourite === true ? 1 : 0,
  sharePermissions,
  editPermissions: [],
  subscriptions: { size: 0, items: [], 'max-results': 0, 'start-index': 0, 'end-index': 0 },
})

const filterOf = (context: Context): Kept =>
  context.records.filters.get(context.path.id) ??
  fail(context, 400, `The selected filter with id '${context.path.id}' does not exist.`)

/** The given fields of a filter, whose JQL is read. */
function toFilter(context: Context, own?: Kept): Fields {
  const {
    name = own?.name,
    jql = own?.jql ?? '',
    description = own?.description ?? '',
    favourite = own?.favourite ?? false,
    sharePermissions = own?.sharePermissions ?? [],
  } = context.body
  if (typeof name !== 'string' || name === '')
    return fail(context, 400, [], { name: 'You must specify a name to save this filter as.' })
  if (context.records.filters.some((one) => one.id !== own?.id && same(one.name, name)))
    return fail(context, 400, [], { filterName: 'Filter with same name already exists.' })
  readJql(context, String(jql))
  return { name, jql, description, favourite, sharePermissions }
}

const DASHBOARD = {
  id: '10000',
  name: 'Default dashboard',
  description: '',
  isFavourite: false,
  popularity: 1,
  systemDashboard: true,
  sharePermissions: [{ id: 10_000, type: 'global' }],
  editPermissions: [],
}
const showDashboard = (context: Context): Shown => ({
  ...DASHBOARD,
  self: linkTo(context, 'dashboard/10000'),
  view: 'https://jira.example/jira/dashboards/10000',
})

const PERMISSIONS = [
  'BROWSE_PROJECTS',
  'CREATE_ISSUES',
  'EDIT_ISSUES',
  'DELETE_ISSUES',
  'ASSIGN_ISSUES',
  'TRANSITION_ISSUES',
  'ADD_COMMENTS',
  'WORK_ON_ISSUES',
  'LINK_ISSUES',
  'ADMINISTER_PROJECTS',
  'ADMINISTER',
]

export const site = {
  /** The site of a token of OAuth 2.0. */
  'GET /oauth/token/accessible-resources': ({ origin }: Context) => {
    const scopes = ['read:jira-work', 'write:jira-work', 'read:jira-user']
    return [
      {
        id: '00000000-0000-4000-8000-000000000c1d',
        url: origin,
        name: 'backlot',
        scopes,
        avatarUrl: 'https://avatars.example/site.png',
      },
    ]
  },
  'GET /rest/api/3/myself': (context: Context) => {
    const me = meOf(context)
    const expand = textsOf(context.query.expand)
    const groups = showGroups(context, me)
    return {
      ...showUser(context, me.id),
      groups: expand.includes('groups') ? groups : { size: groups.size, items: [] },
      applicationRoles: { size: 1, items: [] },
      expand: 'groups,applicationRoles',
    }
  },
  'GET /rest/api/3/serverInfo': (context: Context) => ({
    baseUrl: context.origin,
    displayUrl: context.origin,
    version: '1001.0.0-SNAPSHOT',
    versionNumbers: [1001, 0, 0],
    deploymentType: 'Cloud',
    buildNumber: 100_300,
    buildDate: '2026-01-01T00:00:00.000+0000',
    serverTime: toTime(context.now.toISOString()),
    scmInfo: '0'.repeat(40),
    serverTitle: 'Jira',
    serverTimeZone: 'Etc/UTC',
    defaultLocale: { locale: 'en_US' },
  }),
  'GET /rest/api/3/mypermissions': (context: Context) => {
    const asked = textsOf(context.query.permissions)
    if (asked.length === 0) return fail(context, 400, "The 'permissions' query parameter is required.")
    const unknown = asked.filter((name) => !PERMISSIONS.includes(name))
    if (unknown.length > 0) return fail(context, 400, `Unrecognized permission(s): ${unknown.join(', ')}`)
    const show = (key: string): Shown => ({
      id: String(PERMISSIONS.indexOf(key)),
      key,
      name: key,
      type: key === 'ADMINISTER' ? 'GLOBAL' : 'PROJECT',
      description: '',
      havePermission: true,
    })
    return { permissions: Object.fromEntries(asked.map((key) => [key, show(key)])) }
  },
  'GET /rest/api/3/user': (context: Context) => {
    const user = userOf(context)
    return {
      ...showUser(context, user.id),
      ...(textsOf(context.query.expand).includes('groups') && { groups: showGroups(context, user) }),
    }
  },
  'GET /rest/api/3/user/search': (context: Context) =>
    context.query.query === undefined && context.query.accountId === undefined
      ? fail(context, 400, "The 'query' parameter is required.")
      : showUsers(context),
  'GET /rest/api/3/users/search': showUsers,
  'GET /rest/api/3/user/assignable/search': showUsers,
  'GET /rest/api/3/user/bulk': (context: Context) => {
    const ids = textsOf(context.query.accountId)
    return toPage(
      context,
      [...context.records.users].toReversed().filter(({ id }) => ids.includes(id)),
      ({ id }) => showUser(context, id),
    )
  },
  'GET /rest/api/3/groups/picker': (context: Context) => {
    const words = String(context.query.query ?? '').toLowerCase()
    const groups = [...context.records.groups]
      .filter(({ name }) => String(name).includes(words))
      .map(({ id, name }) => ({ name, html: name, groupId: id, labels: [] }))
    return { header: `Showing ${groups.length} of ${groups.length} matching groups`, total: groups.length, groups }
  },
  'GET /rest/api/3/group/member': (context: Context) => {
    const { name } = groupOf(context)
    const members = [...context.records.users].filter(({ groups }) => (groups as Json[]).includes(name ?? null))
    return {
      self: linkTo(context, 'group/member'),
      ...toPage(context, members.toReversed(), ({ id }) => showUser(context, id)),
    }
  },
  ...listing('issuetype', 'The issue type does not exist.'),
  ...listing('status', 'The status does not exist.'),
  ...listing('priority', 'The priority does not exist.'),
  ...listing('resolution', 'The resolution does not exist.'),
  'GET /rest/api/3/priority/search': (context: Context) =>
    toPage(context, listed(context, 'priority'), ({ id }) => ({
      ...showOption(context, 'priority', id),
      isDefault: id === '3',
    })),
  'GET /rest/api/3/statuses/search': (context: Context) =>
    toPage(context, OPTIONS.status, ({ id, name, statusCategory: { key } }) => {
      const statusCategory = { new: 'TODO', indeterminate: 'IN_PROGRESS', done: 'DONE' }[key]
      return { id, name, description: '', statusCategory, scope: { type: 'GLOBAL' } }
    }),
  'GET /rest/api/3/statuscategory': (context: Context) => CATEGORIES.map((one) => showCategory(context, one)),
  'GET /rest/api/3/issueLinkType': (context: Context) => ({
    issueLinkTypes: OPTIONS.issueLinkType.map(({ id }) => showOption(context, 'issueLinkType', id)),
  }),
  'GET /rest/api/3/issueLinkType/{id}': (context: Context) =>
    showOption(context, 'issueLinkType', context.path.id) ??
    fail(context, 404, `No issue link type with id '${context.path.id}' found.`),
  'GET /rest/api/3/role': (context: Context) =>
    OPTIONS.role.map(({ id, ...facts }) => ({
      self: linkTo(context, `role/${id}`),
      ...facts,
      id: Number(id),
      actors: [],
    })),
  'GET /rest/api/3/field': (context: Context) => fieldsIn(context).map(showFact),
  'POST /rest/api/3/field': (context: Context) => {
    const { name, type, description = '' } = context.body
    const kind = CUSTOM_KINDS[String(type)]
    if (typeof name !== 'string' || name === '')
      return fail(context, 400, [], { name: 'You must specify a name for the custom field.' })
    if (kind === undefined)
      return fail(context, 400, [], {
        type: `The custom field type '${type}' does not exist here. Send one of ${Object.keys(CUSTOM_KINDS).join(', ')}.`,
      })
    const id = `customfield_${nextOf(context, 'fields', 10_040)}`
    const field = context.records.fields.create({ id, name, kind, custom: String(type), description })
    return context.respond({ status: 201, body: showFact(field as unknown as Parameters<typeof showFact>[0]) })
  },
  'POST /rest/api/3/filter': (context: Context) => {
    const filter = context.records.filters.create({
      id: String(nextOf(context, 'filters')),
      owner: meOf(context).id,
      ...toFilter(context),
    })
    return showFilter(context, filter)
  },
  'GET /rest/api/3/filter/search': (context: Context) => {
    const words = String(context.query.filterName ?? '').toLowerCase()
    const found = [...context.records.filters]
      .toReversed()
      .filter(({ name }) => String(name).toLowerCase().includes(words))
    return { self: linkTo(context, 'filter/search'), ...toPage(context, found, (one) => showFilter(context, one)) }
  },
  'GET /rest/api/3/filter/my': (context: Context) =>
    context.records.filters
      .where({ owner: meOf(context).id })
      .toReversed()
      .map((one) => showFilter(context, one)),
  'GET /rest/api/3/filter/{id}': (context: Context) => showFilter(context, filterOf(context)),
  'PUT /rest/api/3/filter/{id}': (context: Context) => {
    const own = filterOf(context)
    return showFilter(context, context.records.filters.update(own.id, toFilter(context, own)))
  },
  'DELETE /rest/api/3/filter/{id}': (context: Context) => {
    context.records.filters.remove(filterOf(context).id)
    return noContent(context)
  },
  'GET /rest/api/3/dashboard': (context: Context) => ({
    startAt: 0,
    maxResults: 20,
    total: 1,
    dashboards: [showDashboard(context)],
  }),
  'GET /rest/api/3/dashboard/{id}': (context: Context) =>
    context.path.id === DASHBOARD.id
      ? showDashboard(context)
      : fail(context, 404, `The dashboard with id '${context.path.id}' does not exist.`),
}
