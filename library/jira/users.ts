import type { Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, hasWords, isAsked, same, textsOf } from './jira.ts'

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

/** The group that a request names. */
function groupOf(jira: Jira): Kept {
  const { groupId, groupname } = jira.query
  const absent = `Group with ${groupId === undefined ? 'name' : 'id'} '${groupId ?? groupname}' does not exist.`
  return (
    jira.records.groups.find((one) => one.groupId === groupId || same(one.name, groupname)) ?? jira.fail(404, absent)
  )
}

const membersOf = (jira: Jira, { name = null }: Kept): Kept[] =>
  jira.all('users').filter(({ _groups }) => [_groups].flat().includes(name))

/** Puts a user into a group, or takes one out. */
function setMember(jira: Jira, user: Kept, { name = null }: Kept, isIn: boolean): void {
  const others = [user._groups ?? []].flat().filter((one) => one !== name)
  jira.records.users.update(user, { _groups: isIn ? [...others, name] : others })
}

function showGroup(jira: Jira, group: Kept): Shown {
  const items = jira.shown('users', membersOf(jira, group))
  const users = { size: items.length, items, 'max-results': 50, 'start-index': 0, 'end-index': 0 }
  return { ...jira.whole('groups', group), users, expand: 'users' }
}

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
    return jira.list('users', found, 10)
  },
  'POST user': (jira) => {
    const { emailAddress, displayName = String(emailAddress).replace(/@.*/, ''), products } = jira.body
    if (jira.records.users.some((one) => same(one.emailAddress, emailAddress)))
      jira.failField('emailAddress', 'A user with that email address already exists.')
    const _groups = textsOf(products).includes('jira-software') ? ['jira-software-users'] : []
    const accountId = `712020:${jira.of.id()}`
    const picture = `https://avatars.example/${accountId.slice(-4)}.png`
    const avatarUrls = { '48x48': picture, '24x24': picture, '16x16': picture, '32x32': picture }
    const facts = { accountType: 'atlassian', active: true, timeZone: 'Etc/UTC', locale: 'en_US', avatarUrls }
    const self = `user?accountId=${encodeURIComponent(accountId)}`
    const own = { accountId, self, emailAddress, displayName, ...facts, _groups }
    return jira.respond(201, showUser(jira, jira.records.users.create(own)))
  },
  'DELETE user': (jira) => void jira.records.users.remove(jira.find('users', jira.query.accountId)),
  'GET groups/picker': pickGroups,
  'GET group/bulk': (jira) => {
    const { groupId: ids, groupName: names } = jira.query
    const found = jira.all('groups').filter(({ groupId, name }) => isAsked(ids, groupId) && isAsked(names, name))
    return jira.page(found, ({ name, groupId }) => ({ name, groupId }))
  },
  'POST group': (jira) => {
    const { name } = jira.body
    if (jira.records.groups.some((one) => same(one.name, name)))
      jira.fail(400, `The group with name '${name}' already exists.`)
    const groupId = jira.of.id()
    return jira.respond(
      201,
      showGroup(jira, jira.records.groups.create({ groupId, self: `group?groupId=${groupId}`, name })),
    )
  },
  'DELETE group': (jira) => {
    const group = groupOf(jira)
    for (const user of membersOf(jira, group)) setMember(jira, user, group, false)
    jira.records.groups.remove(group)
    return jira.of.respond?.({ status: 200 })
  },
  'GET group/member': (jira) => jira.list('users', membersOf(jira, groupOf(jira))),
  'POST group/user': (jira) => {
    const [group, user] = [groupOf(jira), jira.find('users', jira.body.accountId)]
    if (membersOf(jira, group).some(({ accountId }) => accountId === user.accountId))
      jira.fail(400, `Cannot add user. User '${user.displayName}' is already a member of '${group.name}'.`)
    setMember(jira, user, group, true)
    return jira.respond(201, showGroup(jira, group))
  },
  'DELETE group/user': (jira) => {
    setMember(jira, jira.find('users', jira.query.accountId), groupOf(jira), false)
    return jira.of.respond?.({ status: 200 })
  },
}
