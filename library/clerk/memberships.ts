import { type Clerk, type ClerkRequest, type Fields, type Kept, type Operations, textOf, textsOf } from './clerk.ts'
import { patchedMetadata, usersWith } from './users.ts'
import { toMembership } from './views.ts'

function changeMembership(clerk: ClerkRequest, membership: Kept, fields: Fields): Fields {
  return clerk.happen(
    'organizationMembership.updated',
    toMembership(clerk.update('memberships', membership, fields), clerk),
  )
}

export function join(clerk: Clerk, member: { organization_id: string; user_id: string; role: string }): Fields {
  return clerk.happen('organizationMembership.created', toMembership(clerk.create('memberships', member), clerk))
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

export const isMember = ({ records }: Clerk, organization_id: string, user_id: Fields[string] | undefined): boolean =>
  records.memberships.some({ organization_id, user_id: textOf(user_id) })

export const refuseMember = (clerk: ClerkRequest, name?: string): never =>
  clerk.refuse({
    code: 'already_a_member_in_organization',
    text: 'Already a member',
    long: 'User is already a member of the organization.',
    ...(name && { name }),
    status: 400,
  })

/** Refuses a member over the limit of the organization; 0 is no limit. */
export function checkQuota(clerk: ClerkRequest, { id, max_allowed_memberships }: Kept, ofInvitations = false): void {
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

const MEMBERSHIPS = '/v1/organizations/{organization_id}/memberships'

export const memberships: Operations = {
  'GET /v1/organization_memberships': (clerk) =>
    clerk.list(clerk.ordered([...clerk.records.memberships]), (membership) => toMembership(membership, clerk)),
  [`GET ${MEMBERSHIPS}`]: (clerk) => {
    const { email_address } = clerk.query
    const words = clerk.param('query')
    const own = clerk.records.memberships.where({ organization_id: clerk.organization.id })
    const emails = textsOf([email_address ?? []].flat()).map((email) => email.toLowerCase())
    const holders = clerk.records.email_addresses.where((one) => emails.includes(textOf(one.email_address)))
    const known = words === '' ? undefined : usersWith(clerk, words)
    const found = clerk
      .among(clerk.among(own, 'role'), 'user_id')
      .filter(({ user_id }) => email_address === undefined || holders.some((one) => one.user_id === user_id))
      .filter(({ user_id }) => known === undefined || known.has(user_id ?? null))
    return clerk.list(clerk.ordered(found), (membership) => toMembership(membership, clerk))
  },
  [`POST ${MEMBERSHIPS}`]: (clerk) => {
    const organization = clerk.organization
    clerk.need('user_id role')
    const user = clerk.userOfBody()
    const role = checkRole(clerk)
    if (isMember(clerk, organization.id, user.id)) refuseMember(clerk)
    checkQuota(clerk, organization)
    return join(clerk, { organization_id: organization.id, user_id: user.id, role })
  },
  [`PATCH ${MEMBERSHIPS}/{user_id}`]: (clerk) => {
    const membership = clerk.findInOrganization('memberships')
    clerk.need('role')
    return changeMembership(clerk, membership, { role: checkRole(clerk) })
  },
  [`PATCH ${MEMBERSHIPS}/{user_id}/metadata`]: (clerk) => {
    const membership = clerk.findInOrganization('memberships')
    return changeMembership(clerk, membership, patchedMetadata(membership, clerk.body))
  },
  [`DELETE ${MEMBERSHIPS}/{user_id}`]: (clerk) => {
    const membership = clerk.findInOrganization('memberships')
    const shown = toMembership(membership, clerk)
    clerk.records.memberships.remove(membership)
    return clerk.happen('organizationMembership.deleted', shown)
  },
}
