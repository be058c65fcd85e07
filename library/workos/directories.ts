import { connect } from './sso.ts'
import {
  DAY_S,
  type Due,
  type Fields,
  filled,
  HOUR_S,
  idsOf,
  type Kept,
  MINUTE_S,
  type Operations,
  sent,
  shown,
  textOf,
  toDirectory,
  WorkOS,
  type WorkOSRequest,
} from './workos.ts'

const toMember = (workos: WorkOS, member: Kept): Fields => ({
  ...shown('directory_users', member),
  emails: [{ primary: true, type: 'work', value: member.email ?? null }],
  groups: idsOf(member.group_ids).flatMap((id) => workos.records.directory_groups.get(id) ?? []),
})

/** Where users and groups of a directory are. */
const below = ({ id, organization_id = null }: Kept): Fields => ({ directory_id: id, organization_id })

/** The event of a user who joins a group, or leaves it. */
const happenInGroup = (workos: WorkOS, isIn: boolean, member: Kept, group: Kept): void =>
  workos.happen(`dsync.group.user_${isIn ? 'added' : 'removed'}`, {
    directory_id: group.directory_id ?? null,
    user: shown('directory_users', member),
    group,
  })

/** Puts the user that the path names into the group, or takes it out. */
function joinGroup(workos: WorkOSRequest, isIn: boolean): Kept {
  const group = workos.find('directory_groups')
  const member = workos.find('directory_users', workos.path.user_id)
  const changed = workos.join('directory_users', member, { list: 'group_ids', id: group.id, isIn })
  happenInGroup(workos, isIn, member, group)
  return changed
}

/** Changes a user, and sends what it was. */
function change(workos: WorkOS, member: Kept, fields: Fields): Kept {
  const changed = workos.update('directory_users', member, fields)
  const previous_attributes = Object.fromEntries(Object.keys(fields).map((name) => [name, member[name] ?? null]))
  workos.happen('dsync.user.updated', { ...shown('directory_users', changed), previous_attributes })
  return changed
}

/** Refuses a list without its directory. */
function checkDirectory(workos: WorkOSRequest, other: 'group' | 'user'): void {
  const { directory } = workos.query
  const message = `Either directory or ${other} must be given.`
  if (!directory && !workos.query[other]) workos.refuse('invalid_request_parameters', message, 422)
  workos.findNamed('directories', directory)
}

const USER = 'email first_name last_name job_title idp_id custom_attributes state'

/** Endpoints that only backlot has. */
const helpers: Operations = {
  'POST /test_helpers/directories': (workos) => {
    const { id, name = '' } = workos.find('organizations', workos.body.organization_id)
    const fields = filled(workos.body, 'name type domain')
    return workos.create('directories', { organization_id: id, name, ...fields, external_key: workos.id() })
  },
  'POST /test_helpers/directories/{id}/users': (workos) => {
    const { email = null } = workos.body
    const member = workos.create('directory_users', {
      ...{ idp_id: workos.code(20), ...filled(workos.body, USER), ...below(workos.find('directories')) },
      raw_attributes: { emails: [{ primary: true, value: email }] },
    })
    return toMember(workos, member)
  },
  'PATCH /test_helpers/directory_users/{id}': (workos) =>
    toMember(workos, change(workos, workos.find('directory_users'), sent(workos.body, USER))),
  'DELETE /test_helpers/directory_users/{id}': (workos) => workos.remove('directory_users'),
  'POST /test_helpers/directories/{id}/groups': (workos) => {
    const { name = null } = workos.body
    const fields = { idp_id: workos.code(20), ...filled(workos.body, 'name idp_id') }
    return workos.create('directory_groups', {
      ...{ ...fields, ...below(workos.find('directories')) },
      raw_attributes: { name },
    })
  },
  'PATCH /test_helpers/directory_groups/{id}': (workos) => {
    const group = workos.find('directory_groups')
    const changed = workos.update('directory_groups', group, sent(workos.body, 'name'))
    workos.happen('dsync.group.updated', { ...changed, previous_attributes: { name: group.name ?? null } })
    return changed
  },
  'DELETE /test_helpers/directory_groups/{id}': (workos) => {
    const { id } = workos.find('directory_groups')
    for (const member of workos.records.directory_users.where(({ group_ids }) => idsOf(group_ids).includes(id)))
      workos.join('directory_users', member, { list: 'group_ids', id, isIn: false })
    return workos.remove('directory_groups')
  },
  'PUT /test_helpers/directory_groups/{id}/users/{user_id}': (workos) => toMember(workos, joinGroup(workos, true)),
  'DELETE /test_helpers/directory_groups/{id}/users/{user_id}': (workos) => {
    joinGroup(workos, false)
    return workos.done()
  },
}

export const directories: Operations = {
  'GET /directories': (workos) => {
    const { organization_id = null, search = '' } = workos.query
    const found = workos.matching('directories', { organization_id })
    return workos.list(found.filter(({ name }) => textOf(name).includes(search)))
  },
  'GET /directories/{id}': (workos) => workos.find('directories'),
  'DELETE /directories/{id}': (workos) => {
    const directory = workos.find('directories')
    workos.happen('dsync.deleted', toDirectory({ ...directory, state: 'unlinked' }))
    for (const collection of ['directory_users', 'directory_groups'] as const)
      workos.removeAll(collection, { directory_id: directory.id })
    workos.records.directories.remove(directory)
    return {}
  },
  'GET /directory_users': (workos) => {
    checkDirectory(workos, 'group')
    const { directory = null, group } = workos.query
    const found = workos.matching('directory_users', { directory_id: directory })
    const members = group ? found.filter(({ group_ids }) => idsOf(group_ids).includes(group)) : found
    return workos.list(members, (member) => toMember(workos, member))
  },
  'GET /directory_groups': (workos) => {
    checkDirectory(workos, 'user')
    const { directory = null, user } = workos.query
    const found = workos.matching('directory_groups', { directory_id: directory })
    const ids = user ? idsOf(workos.records.directory_users.get(user)?.group_ids) : undefined
    return workos.list(ids ? found.filter(({ id }) => ids.includes(id)) : found)
  },
  'GET /directory_users/{id}': (workos) => toMember(workos, workos.find('directory_users')),
  'GET /directory_groups/{id}': (workos) => workos.find('directory_groups'),
  'POST /portal/generate_link': (workos) => {
    const { intent, organization, success_url, return_url } = workos.body
    const link = workos.create('portal_links', {
      token: workos.hex(),
      intent: textOf(intent),
      organization_id: workos.find('organizations', organization).id,
      success_url: success_url ?? return_url ?? null,
      expires_at: workos.later(5 * MINUTE_S),
    })
    return { link: `${workos.of.origin}/portal/launch?secret=${link.token}` }
  },
  'GET /portal/launch': (workos) => {
    const launch = workos.records.portal_links.find({ token: workos.query.secret ?? '' })
    const organization = workos.records.organizations.get(textOf(launch?.organization_id))
    if (!launch || !organization || workos.isPast(launch.expires_at))
      return workos.refuse('link_expired', 'The link is not valid any more.', 404)
    const { id, name = '' } = organization
    if (launch.intent === 'sso') connect(workos, organization)
    if (launch.intent === 'dsync') {
      const directory = workos.create('directories', { organization_id: id, name, external_key: workos.id() })
      plan(workos, MINUTE_S, 'sync', directory)
    }
    if (launch.intent === 'domain_verification')
      for (const domain of workos.records.organization_domains.where({ organization_id: id, state: 'pending' }))
        verify(workos, domain)
    workos.records.portal_links.remove(launch)
    return workos.redirect(textOf(launch.success_url) || 'https://app.example')
  },
  ...helpers,
}

const verify = (workos: WorkOS, domain: Kept): Kept =>
  workos.update('organization_domains', domain, { state: 'verified' })

const plan = (workos: WorkOS, seconds: number, stage: keyof typeof STAGES, { id }: Kept): Kept =>
  workos.records.timers.create({ at: workos.later(seconds), stage, subject: id })

const PEOPLE = [
  { first_name: 'Ada', last_name: 'Lovelace', job_title: 'Mathematician' },
  { first_name: 'Grace', last_name: 'Hopper', job_title: 'Admiral' },
]

/** The first users of a new directory, and what becomes of them. */
function sync(workos: WorkOS, directory: Kept): void {
  const { organization_id = '' } = directory
  const name = 'Engineering'
  const place = below(directory)
  const group = workos.create('directory_groups', { ...place, name, idp_id: '100', raw_attributes: { name } })
  const host = workos.records.organization_domains.find({ organization_id })?.domain ?? 'example.com'
  const members = PEOPLE.map((person, at) => {
    const userName = person.first_name.toLowerCase()
    const fields = { idp_id: `${at + 1}`, email: `${userName}@${host}`, group_ids: [group.id] }
    const member = workos.create('directory_users', { ...place, ...person, ...fields, raw_attributes: { userName } })
    happenInGroup(workos, true, member, group)
    return member
  })
  const [ada, grace] = members
  if (ada) plan(workos, HOUR_S, 'promote', ada)
  if (grace) plan(workos, DAY_S, 'leave', grace)
}

/** What a timer does, and with which records. */
const STAGES = {
  domain: { of: 'organization_domains', run: (workos: WorkOS, domain: Kept) => void verify(workos, domain) },
  sync: { of: 'directories', run: sync },
  promote: {
    of: 'directory_users',
    run: (workos: WorkOS, member: Kept) => void change(workos, member, { job_title: 'Head of Engineering' }),
  },
  leave: {
    of: 'directory_users',
    run: (workos: WorkOS, member: Kept) => void change(workos, member, { state: 'inactive' }),
  },
} as const

/** Does what a timer is for. */
export const fire = (due: Due): void => {
  const { stage, subject, id } = due.record
  const workos = new WorkOS(due)
  const { of, run } = STAGES[stage as keyof typeof STAGES]
  const record = workos.records[of].get(textOf(subject))
  if (record !== undefined) run(workos, record)
  workos.records.timers.remove(id)
}
