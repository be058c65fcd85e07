import {
  type Clerk,
  type ClerkRequest,
  contains,
  DAY_MS,
  type Fields,
  fieldsOf,
  filled,
  isMissing,
  type Kept,
  type Operations,
  textOf,
  textsOf,
} from './clerk.ts'
import { patchedMetadata, usersWith } from './users.ts'
import { toMembership, toOrganization, toOrgDomain, toOrgInvitation } from './views.ts'

const METADATA = 'public_metadata private_metadata'
const INVITATION_DAYS = 30

/** The organization that the path names by its id or its slug. */
export function organizationOf(clerk: ClerkRequest): Kept {
  const { organizations } = clerk.records
  const id = clerk.path.organization_id ?? ''
  return organizations.get(id) ?? organizations.find({ slug: id }) ?? clerk.gone('organization', id)
}

/** The record of the path's organization with these values. */
function findIn(
  clerk: ClerkRequest,
  collection: 'memberships' | 'org_invitations' | 'org_domains',
  { what, param, field = 'id' }: { what: string; param: string; field?: string },
): Kept {
  const organization = organizationOf(clerk)
  const value = clerk.path[param] ?? ''
  const test = { organization_id: organization.id, [field]: value }
  return clerk.records[collection].find(test) ?? clerk.gone(what, value)
}

const membershipIn = (clerk: ClerkRequest): Kept =>
  findIn(clerk, 'memberships', { what: 'organization membership', param: 'user_id', field: 'user_id' })

const invitationIn = (clerk: ClerkRequest): Kept =>
  findIn(clerk, 'org_invitations', { what: 'organization invitation', param: 'invitation_id' })

const domainIn = (clerk: ClerkRequest): Kept =>
  findIn(clerk, 'org_domains', { what: 'organization domain', param: 'domain_id' })

/** Changes an organization. Returns what the answer and the event show. */
function changeOrganization(clerk: ClerkRequest, organization: Kept, fields: Fields): Fields {
  const shown = toOrganization(clerk.update('organizations', organization, fields))
  clerk.happen('organization.updated', shown)
  return shown
}

function changeMembership(clerk: ClerkRequest, membership: Kept, fields: Fields): Fields {
  const shown = toMembership(clerk.update('memberships', membership, fields), clerk)
  clerk.happen('organizationMembership.updated', shown)
  return shown
}

function changeInvitation(clerk: ClerkRequest, status: 'accepted' | 'revoked', fields: Fields = {}): Fields {
  const invitation = invitationIn(clerk)
  if (invitation.status !== 'pending')
    clerk.refuse({
      code: 'organization_invitation_not_pending',
      text: 'organization invitation not pending',
      long: 'The organization invitation is no longer pending.',
      status: 400,
    })
  const shown = toOrgInvitation(clerk.update('org_invitations', invitation, { ...fields, status }), clerk)
  clerk.happen(`organizationInvitation.${status}`, shown)
  return shown
}

function join(clerk: Clerk, member: { organization_id: string; user_id: string; role: string }): Fields {
  const shown = toMembership(clerk.create('memberships', member), clerk)
  clerk.happen('organizationMembership.created', shown)
  return shown
}

/** Refuses a role that there is not. */
function checkRole(clerk: ClerkRequest): string {
  const key = textOf(clerk.body.role)
  const text = 'Organization role not found'
  const fault = {
    code: 'resource_not_found',
    text,
    long: 'No role was found with this key.',
    name: 'role',
    status: 404,
  }
  return clerk.records.roles.some({ key }) ? key : clerk.refuse(fault)
}

const isMember = ({ records }: Clerk, organization_id: string, user_id: Fields[string] | undefined): boolean =>
  records.memberships.some({ organization_id, user_id: textOf(user_id) })

const refuseMember = (clerk: ClerkRequest, name?: string): never =>
  clerk.refuse({
    code: 'already_a_member_in_organization',
    text: 'Already a member',
    long: 'User is already a member of the organization.',
    ...(name && { name }),
    status: 400,
  })

/** Refuses a member over the limit of the organization; 0 is no limit. */
function checkQuota(clerk: ClerkRequest, { id, max_allowed_memberships }: Kept, ofInvitations = false): void {
  const { memberships, org_invitations } = clerk.records
  const pending = ofInvitations ? org_invitations.count({ organization_id: id, status: 'pending' }) : 0
  const limit = Number(max_allowed_memberships)
  if (limit <= 0 || memberships.count({ organization_id: id }) + pending < limit) return
  const including = ofInvitations ? ', including outstanding invitations' : ''
  clerk.refuse({
    code: 'organization_membership_quota_exceeded',
    text: 'organization membership quota exceeded',
    long: `You have reached your limit of organization memberships${including}.`,
    status: 403,
  })
}

function invite(clerk: ClerkRequest, organization: Kept, body: Fields): Fields {
  clerk.need('email_address role', body)
  const { records } = clerk
  const { role, inviter_user_id } = body
  const email_address = textOf(body.email_address).toLowerCase()
  if (!records.roles.some({ key: textOf(role) })) clerk.gone('role', role)
  if (!isMissing(inviter_user_id)) clerk.find('users', inviter_user_id)
  const holder = records.email_addresses.find({ email_address })
  if (holder && isMember(clerk, organization.id, holder.user_id)) refuseMember(clerk, 'email_address')
  if (records.org_invitations.some({ organization_id: organization.id, email_address, status: 'pending' }))
    refuseInvited(clerk)
  checkQuota(clerk, organization, true)
  const made = clerk.create('org_invitations', {
    ...filled(body, `role ${METADATA}`),
    email_address,
    organization_id: organization.id,
    expires_at: invitationEnd(clerk, body),
  })
  const shown = toOrgInvitation(made, clerk)
  clerk.happen('organizationInvitation.created', shown)
  return shown
}

/** Refuses a second invitation of an address. */
export const refuseInvited = (clerk: ClerkRequest): never =>
  clerk.refuse({
    code: 'duplicate_record',
    text: 'duplicate invitation',
    long: 'There are already pending invitations for this email address.',
    name: 'email_address',
    status: 400,
  })

/** When an invitation expires. */
export const invitationEnd = ({ ms }: Clerk, { expires_in_days }: Fields): number =>
  ms + Number(expires_in_days ?? INVITATION_DAYS) * DAY_MS

/** The bodies of a request with a list. */
export const bodiesOf = ({ of }: ClerkRequest): Fields[] => (Array.isArray(of.body) ? of.body.map(fieldsOf) : [])

/** A name for addresses: small letters and digits, and a dash for anything else. */
const dashed = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const withCount = (clerk: Clerk, organization: Kept): Fields => ({
  ...toOrganization(organization),
  members_count: clerk.records.memberships.count({ organization_id: organization.id }),
})

/** An organization, with the number of its members if the query asks for it. */
const toAsked = (clerk: ClerkRequest, organization: Kept): Fields =>
  clerk.query.include_members_count === 'true' ? withCount(clerk, organization) : toOrganization(organization)

const setsLogo = (has_image: boolean) => (clerk: ClerkRequest) =>
  changeOrganization(clerk, organizationOf(clerk), { has_image })

export const organizations: Operations = {
  'POST /v1/organizations': (clerk) => {
    const { body, records } = clerk
    const slug = textOf(body.slug)
    if (slug !== '' && !/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(slug))
      clerk.refuse({
        code: 'form_param_format_invalid',
        text: 'is invalid',
        long: 'A slug has small letters and digits and dashes.',
        name: 'slug',
      })
    clerk.need('name')
    const founder = isMissing(body.created_by) ? undefined : clerk.find('users', body.created_by)
    const wanted = slug || dashed(textOf(body.name))
    const isTaken = records.organizations.some({ slug: wanted })
    if (slug !== '' && isTaken) clerk.taken('slug')
    const organization = clerk.create('organizations', {
      ...filled(body, `name created_by max_allowed_memberships ${METADATA}`),
      slug: isTaken ? `${wanted}-${clerk.ms}` : wanted,
    })
    clerk.happen('organization.created', toOrganization(organization))
    if (founder) join(clerk, { organization_id: organization.id, user_id: founder.id, role: 'org:admin' })
    return withCount(clerk, organization)
  },
  'GET /v1/organizations': (clerk) => {
    const { query, records } = clerk
    const words = clerk.param('query')
    const named = records.organizations.where((organization) =>
      ['name', 'slug', 'id'].some((name) => contains(organization[name], words)),
    )
    const listed = clerk.among(named, 'id', 'organization_id')
    const own = clerk.among([...records.memberships], 'user_id').map(({ organization_id }) => organization_id)
    const found = query.user_id === undefined ? listed : listed.filter(({ id }) => own.includes(id))
    return clerk.list(clerk.ordered(found), (organization) => toAsked(clerk, organization))
  },
  'GET /v1/organizations/{organization_id}': (clerk) => toAsked(clerk, organizationOf(clerk)),
  'PATCH /v1/organizations/{organization_id}': (clerk) => {
    const organization = organizationOf(clerk)
    const slug = textOf(clerk.body.slug)
    if (slug !== '' && clerk.records.organizations.some((other) => other.slug === slug && other.id !== organization.id))
      clerk.taken('slug')
    const fields = filled(clerk.body, `name slug max_allowed_memberships admin_delete_enabled ${METADATA}`)
    return changeOrganization(clerk, organization, fields)
  },
  'PATCH /v1/organizations/{organization_id}/metadata': (clerk) => {
    const organization = organizationOf(clerk)
    return changeOrganization(clerk, organization, patchedMetadata(organization, clerk.body))
  },
  'PUT /v1/organizations/{organization_id}/metadata': (clerk) =>
    changeOrganization(clerk, organizationOf(clerk), filled(clerk.body, METADATA)),
  'PUT /v1/organizations/{organization_id}/logo': setsLogo(true),
  'DELETE /v1/organizations/{organization_id}/logo': setsLogo(false),
  'DELETE /v1/organizations/{organization_id}': (clerk) => {
    const organization = organizationOf(clerk)
    for (const collection of ['memberships', 'org_invitations', 'org_domains'] as const)
      clerk.removeAll(collection, 'organization_id', organization.id)
    const shown = clerk.remove('organizations', organization)
    clerk.happen('organization.deleted', shown)
    return shown
  },
}

const byOrganization = '/v1/organizations/{organization_id}'

export const memberships: Operations = {
  'GET /v1/organization_memberships': (clerk) =>
    clerk.list(clerk.ordered([...clerk.records.memberships]), (membership) => toMembership(membership, clerk)),
  [`GET ${byOrganization}/memberships`]: (clerk) => {
    const { email_address } = clerk.query
    const words = clerk.param('query')
    const own = clerk.records.memberships.where({ organization_id: organizationOf(clerk).id })
    const emails = textsOf([email_address ?? []].flat()).map((email) => email.toLowerCase())
    const holders = clerk.records.email_addresses.where((one) => emails.includes(textOf(one.email_address)))
    const known = words === '' ? undefined : usersWith(clerk, words)
    const found = clerk
      .among(clerk.among(own, 'role'), 'user_id')
      .filter(({ user_id }) => email_address === undefined || holders.some((one) => one.user_id === user_id))
      .filter(({ user_id }) => known === undefined || known.has(user_id ?? null))
    return clerk.list(clerk.ordered(found), (membership) => toMembership(membership, clerk))
  },
  [`POST ${byOrganization}/memberships`]: (clerk) => {
    const organization = organizationOf(clerk)
    clerk.need('user_id role')
    const user = clerk.userOfBody()
    const role = checkRole(clerk)
    if (isMember(clerk, organization.id, user.id)) refuseMember(clerk)
    checkQuota(clerk, organization)
    return join(clerk, { organization_id: organization.id, user_id: user.id, role })
  },
  [`PATCH ${byOrganization}/memberships/{user_id}`]: (clerk) => {
    const membership = membershipIn(clerk)
    clerk.need('role')
    return changeMembership(clerk, membership, { role: checkRole(clerk) })
  },
  [`PATCH ${byOrganization}/memberships/{user_id}/metadata`]: (clerk) => {
    const membership = membershipIn(clerk)
    return changeMembership(clerk, membership, patchedMetadata(membership, clerk.body))
  },
  [`DELETE ${byOrganization}/memberships/{user_id}`]: (clerk) => {
    const membership = membershipIn(clerk)
    const shown = toMembership(membership, clerk)
    clerk.records.memberships.remove(membership)
    clerk.happen('organizationMembership.deleted', shown)
    return shown
  },
}

export const orgInvitations: Operations = {
  [`POST ${byOrganization}/invitations`]: (clerk) => invite(clerk, organizationOf(clerk), clerk.body),
  [`POST ${byOrganization}/invitations/bulk`]: (clerk) => {
    const organization = organizationOf(clerk)
    const data = bodiesOf(clerk).map((body) => invite(clerk, organization, body))
    return { data, total_count: data.length }
  },
  [`GET ${byOrganization}/invitations`]: (clerk) => {
    const own = clerk.records.org_invitations.where({ organization_id: organizationOf(clerk).id })
    const found = clerk.among(clerk.among(own, 'status'), 'email_address')
    return clerk.list(clerk.ordered(found), (invitation) => toOrgInvitation(invitation, clerk))
  },
  [`GET ${byOrganization}/invitations/{invitation_id}`]: (clerk) => toOrgInvitation(invitationIn(clerk), clerk),
  [`POST ${byOrganization}/invitations/{invitation_id}/revoke`]: (clerk) => changeInvitation(clerk, 'revoked'),
  'POST /v1/test_helpers/organizations/{organization_id}/invitations/{invitation_id}/accept': (clerk) => {
    const { organization_id, role } = invitationIn(clerk)
    const user = clerk.userOfBody()
    const shown = changeInvitation(clerk, 'accepted', { user_id: user.id })
    join(clerk, { organization_id: textOf(organization_id), user_id: user.id, role: textOf(role) })
    return shown
  },
}

export const orgDomains: Operations = {
  [`GET ${byOrganization}/domains`]: (clerk) =>
    clerk.list(clerk.records.org_domains.where({ organization_id: organizationOf(clerk).id }), toOrgDomain),
  [`POST ${byOrganization}/domains`]: (clerk) => {
    const organization = organizationOf(clerk)
    clerk.need('name')
    const name = textOf(clerk.body.name).toLowerCase()
    if (clerk.records.org_domains.some({ name })) clerk.taken('name', 'domain')
    const fields = filled(clerk.body, 'enrollment_mode verified')
    const shown = toOrgDomain(clerk.create('org_domains', { ...fields, name, organization_id: organization.id }))
    clerk.happen('organizationDomain.created', shown)
    return shown
  },
  [`PATCH ${byOrganization}/domains/{domain_id}`]: (clerk) => {
    const fields = filled(clerk.body, 'enrollment_mode verified')
    const shown = toOrgDomain(clerk.update('org_domains', domainIn(clerk), fields))
    clerk.happen('organizationDomain.updated', shown)
    return shown
  },
  [`DELETE ${byOrganization}/domains/{domain_id}`]: (clerk) => {
    const shown = clerk.remove('org_domains', domainIn(clerk))
    clerk.happen('organizationDomain.deleted', shown)
    return shown
  },
}
