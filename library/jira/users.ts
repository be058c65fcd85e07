import type { Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, hasWords, same, textsOf } from './jira.ts'

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
  const users = findActive(jira).map(({ accountId, accountType, displayName, avatarUrls }) => {
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

function findUsers(jira: Jira, isListed: (user: Kept) => unknown = () => true): Shown[] {
  const { query, accountId, startAt = 0, maxResults = 50 } = jira.query
  const isFound = ({ accountId: id, displayName, emailAddress }: Kept): boolean =>
    (accountId ?? id) === id && hasWords(query, `${displayName} ${emailAddress}`)
  const found = jira.all('users').filter((user) => isListed(user) && isFound(user))
  return jira.shown('users', found.slice(Number(startAt), Number(startAt) + Number(maxResults)))
}

const findActive = (jira: Jira): Shown[] => findUsers(jira, ({ active }) => active)

export const users: Operations = {
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
  ...{ 'GET users': (jira) => findUsers(jira), 'GET users/search': (jira) => findUsers(jira) },
  ...{ 'GET user/assignable/search': findActive, 'GET user/assignable/multiProjectSearch': findActive },
  'GET user/search': (jira) =>
    jira.query.query === undefined && jira.query.accountId === undefined
      ? jira.fail(400, "The 'query' parameter is required.")
      : findActive(jira),
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
    const isNamed = (one: Kept): boolean => one.groupId === groupId || same(one.name, groupname)
    const { name = null } = jira.records.groups.find(isNamed) ?? jira.fail(404, absent)
    const members = jira.all('users').filter(({ _groups }) => [_groups].flat().includes(name))
    return { self: jira.link('group/member'), ...jira.list('users', members) }
  },
}
