import {
  type Fields,
  filled,
  type Kept,
  listOf,
  MINUTE_S,
  type Operations,
  patched,
  sent,
  shown,
  textOf,
  type WorkOSRequest,
} from './workos.ts'

/** Refuses an external id and domains that another organization has. */
function checkUnique(workos: WorkOSRequest, own?: Kept): void {
  const { external_id, domain_data } = workos.body
  const twin = external_id ? workos.records.organizations.find({ external_id }) : undefined
  if (twin !== undefined && twin.id !== own?.id)
    workos.refuse('external_id_already_used', 'The external_id is already in use.')
  const isClaimed = listOf(domain_data).some(({ domain }) => {
    const found = workos.records.organization_domains.find({ domain: textOf(domain).toLowerCase() })
    return found !== undefined && found.organization_id !== own?.id
  })
  const message = 'A domain of this organization is in use by another organization.'
  if (isClaimed) workos.refuse('domain_already_exists', message, 409)
}

const addDomain = (workos: WorkOSRequest, { id }: Kept, { domain, state }: Fields): Kept =>
  workos.create('organization_domains', {
    domain: textOf(domain).toLowerCase(),
    organization_id: id,
    ...(state === 'verified'
      ? { state, verification_strategy: 'manual' }
      : { state: state ?? 'pending', verification_token: workos.id(), verification_prefix: 'backlot-verification' }),
  })

const BELOW = ['organization_memberships', 'organization_domains', 'connections', 'directories', 'invitations'] as const

/** The contact that the path names. */
const contactOf = (workos: WorkOSRequest): Kept => {
  const { id, contact_id } = workos.path
  workos.find('organizations')
  return workos.findBy('it_contacts', { id: contact_id ?? '', organization_id: id ?? '' }, contact_id)
}

const notify = (workos: WorkOSRequest): object => {
  contactOf(workos)
  return workos.done()
}

export const organizations: Operations = {
  'GET /organizations': (workos) => {
    const { search = '', domains } = workos.query
    const wanted = domains?.split(',')
    const owners = workos.records.organization_domains.where(({ domain }) => wanted?.includes(textOf(domain)) ?? false)
    const found = workos.records.organizations.where(
      ({ id, name }) =>
        textOf(name).includes(search) && (!wanted || owners.some(({ organization_id }) => organization_id === id)),
    )
    return workos.list(found, (organization) => workos.toOrganization(organization as Kept))
  },
  'POST /organizations': (workos) => {
    checkUnique(workos)
    const { body } = workos
    const made = workos.create('organizations', filled(body, 'name external_id metadata'))
    for (const domain of listOf(body.domain_data)) addDomain(workos, made, domain)
    return workos.toOrganization(made)
  },
  'GET /organizations/{id}': (workos) => workos.toOrganization(workos.find('organizations')),
  'GET /organizations/external_id/{external_id}': (workos) => {
    const { external_id = '' } = workos.path
    return workos.toOrganization(workos.findBy('organizations', { external_id }, external_id))
  },
  'PUT /organizations/{id}': (workos) => {
    const organization = workos.find('organizations')
    checkUnique(workos, organization)
    const { body } = workos
    const changed = workos.update('organizations', organization, {
      ...filled(body, 'name'),
      ...sent(body, 'external_id stripe_customer_id'),
      metadata: patched(organization.metadata, body.metadata),
    })
    if (body.domain_data !== undefined) workos.removeAll('organization_domains', { organization_id: organization.id })
    for (const domain of listOf(body.domain_data)) addDomain(workos, organization, domain)
    return workos.toOrganization(changed)
  },
  'DELETE /organizations/{id}': (workos) => {
    const { id } = workos.find('organizations')
    for (const collection of [...BELOW, 'groups', 'roles'] as const)
      workos.removeAll(collection, { organization_id: id })
    workos.records.organizations.remove(id)
    return {}
  },
  'GET /organizations/{id}/audit_logs_retention': (workos) => ({
    retention_period_in_days: workos.find('organizations').retention ?? null,
  }),
  'PUT /organizations/{id}/audit_logs_retention': (workos) => {
    const [count, unit = ''] = textOf(workos.body.retention_period).split('_')
    const retention = Number(count) * (unit.startsWith('MONTH') ? 30 : 365)
    workos.update('organizations', workos.find('organizations'), { retention })
    return { retention_period_in_days: retention }
  },
  'POST /organization_domains': (workos) => {
    const organization = workos.find('organizations', workos.body.organization_id)
    const domain = textOf(workos.body.domain).toLowerCase()
    if (workos.records.organization_domains.some({ domain }))
      workos.refuse('domain_already_exists', 'Domain already exists.', 409)
    return addDomain(workos, organization, { domain })
  },
  'GET /organization_domains/{id}': (workos) => workos.find('organization_domains'),
  'POST /organization_domains/{id}/verify': (workos) => {
    const domain = workos.find('organization_domains')
    if (domain.state === 'verified') workos.refuse('domain_already_verified', 'Domain is already verified.')
    workos.records.timers.create({ at: workos.later(MINUTE_S), stage: 'domain', subject: domain.id })
    return domain
  },
  'DELETE /organization_domains/{id}': (workos) => workos.remove('organization_domains'),
  'GET /organizations/{id}/it_contacts': (workos) => {
    const { id } = workos.find('organizations')
    const found = workos.records.it_contacts.where({ organization_id: id }).reverse()
    return workos.whole(found.map((contact) => shown('it_contacts', contact)))
  },
  'POST /organizations/{id}/it_contacts': (workos) => {
    const { id } = workos.find('organizations')
    const fields = { organization_id: id, ...filled(workos.body, 'email') }
    return shown('it_contacts', workos.create('it_contacts', fields))
  },
  'DELETE /organizations/{id}/it_contacts/{contact_id}': (workos) => workos.remove('it_contacts', contactOf(workos)),
  'POST /organizations/{id}/it_contacts/{contact_id}/invite': notify,
  'POST /organizations/{id}/it_contacts/{contact_id}/revoke': notify,
}

/** The group that the path names. */
const groupOf = (workos: WorkOSRequest): Kept => {
  const { organization_id = '', group_id = '' } = workos.path
  workos.find('organizations', organization_id)
  return workos.findBy('groups', { id: group_id, organization_id }, group_id)
}

/** Adds a membership to the group, or removes it. */
function joinGroup(workos: WorkOSRequest, id: string, isIn: boolean): Kept {
  const group = groupOf(workos)
  if (isIn) workos.find('organization_memberships', id)
  workos.join('groups', group, { list: 'member_ids', id, isIn })
  const data = { group_id: group.id, organization_membership_id: id }
  workos.happen(isIn ? 'group.member_added' : 'group.member_removed', data)
  return group
}

export const groups: Operations = {
  'GET /organizations/{organization_id}/groups': (workos) => {
    const { id } = workos.find('organizations', workos.path.organization_id)
    return workos.list(workos.records.groups.where({ organization_id: id }), (group) => shown('groups', group))
  },
  'POST /organizations/{organization_id}/groups': (workos) => {
    const { id } = workos.find('organizations', workos.path.organization_id)
    return shown('groups', workos.create('groups', { organization_id: id, ...filled(workos.body, 'name description') }))
  },
  'GET /organizations/{organization_id}/groups/{group_id}': (workos) => shown('groups', groupOf(workos)),
  'PATCH /organizations/{organization_id}/groups/{group_id}': (workos) => {
    const fields = { ...filled(workos.body, 'name'), ...sent(workos.body, 'description') }
    return shown('groups', workos.update('groups', groupOf(workos), fields))
  },
  'DELETE /organizations/{organization_id}/groups/{group_id}': (workos) => workos.remove('groups', groupOf(workos)),
  'POST /organizations/{organization_id}/groups/{group_id}/organization-memberships': (workos) =>
    shown('groups', joinGroup(workos, textOf(workos.body.organization_membership_id), true)),
  'DELETE /organizations/{organization_id}/groups/{group_id}/organization-memberships/{membership_id}': (workos) => {
    joinGroup(workos, workos.path.membership_id ?? '', false)
    return workos.done()
  },
}
