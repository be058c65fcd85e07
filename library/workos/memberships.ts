import {
  DAY_S,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  type Kept,
  type Operations,
  shown,
  textOf,
  toUser,
  type WorkOS,
  type WorkOSRequest,
} from './workos.ts'

/** A membership, with the name of its organization. */
export const toMembership = (membership: Fields, organization: Fields): Fields => {
  const slugs = idsOf(membership.role_slugs)
  const roles = slugs.map((slug) => ({ slug }))
  return {
    ...shown('organization_memberships', membership),
    organization_name: organization.name ?? null,
    role: { slug: slugs[0] ?? null },
    roles,
  }
}

export const showMembership = (workos: WorkOS, membership: Fields): Fields =>
  toMembership(membership, fieldsOf(workos.records.organizations.get(textOf(membership.organization_id))))

/** The same, with its user. */
const withUser = (workos: WorkOS, membership: Fields): Fields => ({
  ...showMembership(workos, membership),
  user: toUser(fieldsOf(workos.records.users.get(textOf(membership.user_id)))),
})

/** The roles that the body names. Refuses one that the organization does not have. */
function checkedRoles(workos: WorkOSRequest, organizationId: string | undefined, status = 422): string[] {
  const { role_slugs, role_slug } = workos.body
  const slugs = idsOf(role_slugs ?? [role_slug ?? 'member'])
  const isKnown = (slug: string): boolean =>
    [null, organizationId ?? null].some((organization_id) => workos.records.roles.some({ slug, organization_id }))
  const strange = slugs.find((slug) => !isKnown(slug))
  if (strange !== undefined) workos.refuse('invalid_role', `Role '${strange}' is not a valid role.`, status)
  return slugs
}

/** Changes the status of a membership that is not pending. */
const turn = (status: 'active' | 'inactive', verb: string) => (workos: WorkOSRequest) => {
  const membership = workos.find('organization_memberships')
  if (membership.status === 'pending')
    workos.refuse(
      `cannot_${verb}_pending_organization_membership`,
      `A pending organization membership cannot be ${verb}d.`,
    )
  const isNew = membership.status !== status
  return withUser(workos, isNew ? workos.update('organization_memberships', membership, { status }) : membership)
}

export const memberships: Operations = {
  'GET /user_management/organization_memberships': (workos) => {
    const { user_id, organization_id, statuses = 'active' } = workos.query
    if (!user_id && !organization_id)
      workos.refuse('missing_user_id_or_organization_id', 'Either user_id or organization_id must be given.')
    const wanted = statuses.split(',')
    const found = workos.matching('organization_memberships', {
      user_id: user_id ?? null,
      organization_id: organization_id ?? null,
    })
    return workos.list(
      found.filter(({ status }) => wanted.includes(textOf(status))),
      (membership) => withUser(workos, membership),
    )
  },
  'POST /user_management/organization_memberships': (workos) => {
    const { id: organization_id } = workos.find('organizations', workos.body.organization_id)
    const { id: user_id } = workos.find('users', workos.body.user_id)
    const role_slugs = checkedRoles(workos, organization_id)
    if (workos.records.organization_memberships.some({ organization_id, user_id }))
      workos.refuse('organization_membership_already_exists', 'The user is already a member of this organization.', 409)
    return withUser(workos, workos.create('organization_memberships', { organization_id, user_id, role_slugs }))
  },
  'GET /user_management/organization_memberships/{id}': (workos) =>
    withUser(workos, workos.find('organization_memberships')),
  'PUT /user_management/organization_memberships/{id}': (workos) => {
    const membership = workos.find('organization_memberships')
    const role_slugs = checkedRoles(workos, textOf(membership.organization_id))
    const { role_slug, role_slugs: several } = workos.body
    if (!role_slug && !several) return withUser(workos, membership)
    return withUser(workos, workos.update('organization_memberships', membership, { role_slugs }))
  },
  'DELETE /user_management/organization_memberships/{id}': (workos) => {
    const { id } = workos.find('organization_memberships')
    for (const group of workos.records.groups.where(({ member_ids }) => idsOf(member_ids).includes(id)))
      workos.join('groups', group, { list: 'member_ids', id, isIn: false })
    return workos.remove('organization_memberships')
  },
  'PUT /user_management/organization_memberships/{id}/deactivate': turn('inactive', 'deactivate'),
  'PUT /user_management/organization_memberships/{id}/reactivate': turn('active', 'reactivate'),
  'GET /user_management/organization_memberships/{id}/groups': (workos) => {
    const { id } = workos.find('organization_memberships')
    const found = workos.records.groups.where(({ member_ids }) => idsOf(member_ids).includes(id))
    return workos.list(found, (group) => shown('groups', group))
  },
  'GET /organizations/{organization_id}/groups/{group_id}/organization-memberships': (workos) => {
    const { organization_id = '', group_id = '' } = workos.path
    workos.find('organizations', organization_id)
    const ids = idsOf(workos.findBy('groups', { id: group_id, organization_id }, group_id).member_ids)
    const found = workos.records.organization_memberships.where(({ id }) => ids.includes(id))
    return workos.list(found, (membership) => showMembership(workos, membership))
  },
}

const toInvitation = (invitation: Fields): Fields => ({
  ...invitation,
  accept_invitation_url: `https://auth.backlot.example/invite?invitation_token=${invitation.token}`,
})

/** Accepts an invitation: its user becomes a member. */
export function join(workos: WorkOS, invitation: Kept, user: Kept | undefined): Kept {
  const { organization_id, role_slug } = invitation
  const user_id = user?.id ?? null
  const accepted = { state: 'accepted', accepted_at: workos.time, accepted_user_id: user_id }
  const changed = workos.update('invitations', invitation, accepted)
  if (user_id && organization_id && !workos.records.organization_memberships.some({ user_id, organization_id }))
    workos.create('organization_memberships', { user_id, organization_id, role_slugs: [role_slug ?? 'member'] })
  return changed
}

/** The invitation that the path names, which nobody has answered. */
function pendingInvitation(workos: WorkOSRequest): Kept {
  const invitation = workos.find('invitations')
  if (invitation.state !== 'pending') workos.refuse('invite_not_pending', 'Invite is not pending.')
  return invitation
}

const ENDED: Readonly<Record<string, string>> = {
  expired: 'Invite has expired.',
  revoked: 'Invite has been revoked.',
  accepted: 'Invite has already been accepted.',
}

/** Refuses an address that needs no invitation. */
function checkInvited(workos: WorkOSRequest, email: string, organization: Kept | undefined): void {
  const { invitations, organization_memberships, users } = workos.records
  const user = users.find({ email })
  const organization_id = organization?.id ?? null
  const isMember = { user_id: user?.id ?? '', organization_id: organization_id ?? '', status: 'active' }
  if (organization_memberships.some(isMember))
    workos.refuse('user_already_organization_member', 'The user is already a member of this organization.')
  const isInvited = invitations.some({ email, organization_id, state: 'pending' })
  if (isInvited && organization)
    workos.refuse('email_already_invited_to_organization', 'The email has been invited to this organization already.')
  if (isInvited) workos.refuse('email_already_invited', 'The email has been invited already.')
  if (user !== undefined && !organization)
    workos.refuse('user_already_exists', 'A user with this email exists already.')
}

export const invitations: Operations = {
  'GET /user_management/invitations': (workos) => {
    const { email, organization_id = null } = workos.query
    return workos.list(
      workos.matching('invitations', { email: email?.toLowerCase() ?? null, organization_id }),
      toInvitation,
    )
  },
  'POST /user_management/invitations': (workos) => {
    const { body } = workos
    const email = workos.checkEmail()
    const organization = workos.findNamed('organizations', body.organization_id)
    workos.findNamed('users', body.inviter_user_id)
    checkInvited(workos, email, organization)
    const days = Number(body.expires_in_days ?? 7)
    if (days < 1) workos.refuse('expires_in_days_too_short', 'expires_in_days must be 1 or more.')
    if (days > 30) workos.refuse('expires_in_days_too_long', 'expires_in_days must be 30 or less.')
    checkedRoles(workos, organization?.id, 400)
    const fields = filled(body, 'organization_id inviter_user_id role_slug')
    const expires_at = workos.later(days * DAY_S)
    return toInvitation(workos.create('invitations', { ...fields, email, expires_at, token: workos.id() }))
  },
  'GET /user_management/invitations/{id}': (workos) => toInvitation(workos.find('invitations')),
  'GET /user_management/invitations/by_token/{token}': (workos) => {
    const { token = '' } = workos.path
    return toInvitation(workos.findBy('invitations', { token }, token))
  },
  'POST /user_management/invitations/{id}/accept': (workos) => {
    const invitation = pendingInvitation(workos)
    const user = workos.records.users.find({ email: invitation.email ?? '' })
    return toInvitation(join(workos, invitation, user))
  },
  'POST /user_management/invitations/{id}/revoke': (workos) => {
    const fields = { state: 'revoked', revoked_at: workos.time }
    return toInvitation(workos.update('invitations', pendingInvitation(workos), fields))
  },
  'POST /user_management/invitations/{id}/resend': (workos) => {
    const invitation = workos.find('invitations')
    const message = ENDED[textOf(invitation.state)]
    if (message !== undefined) workos.refuse(`invite_${invitation.state}`, message)
    workos.happen('invitation.resent', shown('invitations', invitation))
    return toInvitation(invitation)
  },
}
