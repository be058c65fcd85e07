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
} from './clerk.ts'
import { checkQuota, isMember, join, refuseMember } from './memberships.ts'
import { toInvitation, toOrgInvitation, toWaiting } from './views.ts'

const INVITATION_DAYS = 30

/** Refuses a second invitation of an address. */
const refuseInvited = (clerk: ClerkRequest): never =>
  clerk.refuse({
    code: 'duplicate_record',
    text: 'duplicate invitation',
    long: 'There are already pending invitations for this email address.',
    name: 'email_address',
    status: 400,
  })

/** When an invitation expires. */
const invitationEnd = ({ ms }: Clerk, { expires_in_days }: Fields): number =>
  ms + Number(expires_in_days ?? INVITATION_DAYS) * DAY_MS

/** The bodies of a request with a list. */
const bodiesOf = ({ of }: ClerkRequest): Fields[] => (Array.isArray(of.body) ? of.body.map(fieldsOf) : [])

/** Invites an address to the application. */
function inviteToApp(clerk: ClerkRequest, body: Fields): Kept {
  clerk.need('email_address', body)
  const email_address = textOf(body.email_address).toLowerCase()
  if (body.ignore_existing !== true) {
    if (clerk.records.email_addresses.some({ email_address })) clerk.taken('email_address')
    if (clerk.records.invitations.some({ email_address, status: 'pending' })) refuseInvited(clerk)
  }
  const expires_at = invitationEnd(clerk, body)
  return clerk.create('invitations', { ...filled(body, 'public_metadata'), email_address, expires_at })
}

/** The entry of an address on the waitlist: an address that is there already stays. */
function queueUp(clerk: ClerkRequest, body: Fields): Fields {
  clerk.need('email_address', body)
  const email_address = textOf(body.email_address).toLowerCase()
  const waiting = clerk.records.waitlist_entries.find({ email_address })
  if (waiting) return toWaiting(waiting, clerk)
  return clerk.happen('waitlistEntry.created', toWaiting(clerk.create('waitlist_entries', { email_address }), clerk))
}

function changeWaiting(clerk: ClerkRequest, waiting: Kept, fields: Fields): Fields {
  return clerk.happen('waitlistEntry.updated', toWaiting(clerk.update('waitlist_entries', waiting, fields), clerk))
}

/** The records of a list with the query's status and words in their address. */
function filtered(clerk: ClerkRequest, collection: 'invitations' | 'waitlist_entries'): Kept[] {
  const words = clerk.param('query')
  const found = clerk.records[collection].where(({ email_address }) => contains(email_address, words))
  return clerk.ordered(clerk.among(found, 'status'))
}

export const invitations: Operations = {
  'POST /v1/invitations': (clerk) => toInvitation(inviteToApp(clerk, clerk.body)),
  'POST /v1/invitations/bulk': (clerk) => bodiesOf(clerk).map((body) => toInvitation(inviteToApp(clerk, body))),
  'GET /v1/invitations': (clerk) => clerk.list(filtered(clerk, 'invitations'), toInvitation),
  'POST /v1/invitations/{invitation_id}/revoke': (clerk) => {
    const invitation = clerk.find('invitations')
    if (invitation.status !== 'pending')
      clerk.refuse({
        code: 'invitation_already_revoked',
        text: 'invitation not pending',
        long: 'The invitation is no longer pending.',
        status: 400,
      })
    return toInvitation(clerk.update('invitations', invitation, { status: 'revoked' }))
  },
  'DELETE /v1/invitations/{invitation_id}': (clerk) => clerk.remove('invitations'),
  'GET /v1/waitlist_entries': (clerk) =>
    clerk.list(filtered(clerk, 'waitlist_entries'), (entry) => toWaiting(entry, clerk)),
  'POST /v1/waitlist_entries': (clerk) => queueUp(clerk, clerk.body),
  'POST /v1/waitlist_entries/bulk': (clerk) => bodiesOf(clerk).map((body) => queueUp(clerk, body)),
  'POST /v1/waitlist_entries/{entry_id}/invite': (clerk) => {
    const waiting = clerk.find('waitlist_entries')
    const { ignore_existing = null } = clerk.body
    const { id } = inviteToApp(clerk, { email_address: waiting.email_address ?? '', ignore_existing })
    return changeWaiting(clerk, waiting, { status: 'invited', invitation_id: id })
  },
  'POST /v1/waitlist_entries/{entry_id}/reject': (clerk) =>
    changeWaiting(clerk, clerk.find('waitlist_entries'), { status: 'rejected' }),
  'DELETE /v1/waitlist_entries/{entry_id}': (clerk) => clerk.remove('waitlist_entries'),
}

/** Invites an address to an organization. */
function inviteTo(clerk: ClerkRequest, organization: Kept, body: Fields): Fields {
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
    ...filled(body, 'role public_metadata private_metadata'),
    email_address,
    organization_id: organization.id,
    expires_at: invitationEnd(clerk, body),
  })
  return clerk.happen('organizationInvitation.created', toOrgInvitation(made, clerk))
}

function changeInvitation(clerk: ClerkRequest, status: 'accepted' | 'revoked', fields: Fields = {}): Fields {
  const invitation = clerk.findInOrganization('org_invitations')
  if (invitation.status !== 'pending')
    clerk.refuse({
      code: 'organization_invitation_not_pending',
      text: 'organization invitation not pending',
      long: 'The organization invitation is no longer pending.',
      status: 400,
    })
  return clerk.happen(
    `organizationInvitation.${status}`,
    toOrgInvitation(clerk.update('org_invitations', invitation, { ...fields, status }), clerk),
  )
}

const OF_ORGANIZATION = '/v1/organizations/{organization_id}/invitations'

export const orgInvitations: Operations = {
  [`POST ${OF_ORGANIZATION}`]: (clerk) => inviteTo(clerk, clerk.organization, clerk.body),
  [`POST ${OF_ORGANIZATION}/bulk`]: (clerk) => {
    const organization = clerk.organization
    const data = bodiesOf(clerk).map((body) => inviteTo(clerk, organization, body))
    return { data, total_count: data.length }
  },
  [`GET ${OF_ORGANIZATION}`]: (clerk) => {
    const own = clerk.records.org_invitations.where({ organization_id: clerk.organization.id })
    const found = clerk.among(clerk.among(own, 'status'), 'email_address')
    return clerk.list(clerk.ordered(found), (invitation) => toOrgInvitation(invitation, clerk))
  },
  [`GET ${OF_ORGANIZATION}/{invitation_id}`]: (clerk) =>
    toOrgInvitation(clerk.findInOrganization('org_invitations'), clerk),
  [`POST ${OF_ORGANIZATION}/{invitation_id}/revoke`]: (clerk) => changeInvitation(clerk, 'revoked'),
  'POST /v1/test_helpers/organizations/{organization_id}/invitations/{invitation_id}/accept': (clerk) => {
    const { organization_id, role } = clerk.findInOrganization('org_invitations')
    const user = clerk.userOfBody()
    const shown = changeInvitation(clerk, 'accepted', { user_id: user.id })
    join(clerk, { organization_id: textOf(organization_id), user_id: user.id, role: textOf(role) })
    return shown
  },
}
