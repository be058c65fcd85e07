/** What answers and events show of records. */
import { type Clerk, type Fields, isMissing, type Kept, textsOf, without } from './clerk.ts'

const imageOf = (id: Fields[string] | undefined): string => `https://img.clerk.example/${id}`

const VERIFIED: Fields = {
  object: 'verification',
  status: 'verified',
  strategy: 'admin',
  attempts: null,
  expire_at: null,
}

export const toEmail = (email: Fields): Fields => ({
  object: 'email_address',
  ...without(email, 'user_id verified'),
  verification: email.verified === true ? VERIFIED : null,
  linked_to: [],
  matches_sso_connection: false,
})

export const toPhone = (phone: Fields): Fields => ({
  object: 'phone_number',
  ...without(phone, 'user_id verified'),
  verification: phone.verified === true ? VERIFIED : null,
  linked_to: [],
  backup_codes: [],
})

export const toUser = (user: Kept, clerk: Clerk): Fields => ({
  object: 'user',
  ...without(user, 'password'),
  image_url: imageOf(user.id),
  primary_web3_wallet_id: null,
  password_enabled: !isMissing(user.password),
  two_factor_enabled: user.totp_enabled ?? false,
  email_addresses: clerk.having('email_addresses', 'user_id', user.id).map(toEmail),
  phone_numbers: clerk.having('phone_numbers', 'user_id', user.id).map(toPhone),
  web3_wallets: [],
  passkeys: [],
  external_accounts: [],
  saml_accounts: [],
  enterprise_accounts: [],
  lockout_expires_in_seconds: null,
  verification_attempts_remaining: 100,
  mfa_enabled_at: null,
  mfa_disabled_at: null,
})

export const toSession = (session: Fields): Fields => ({ object: 'session', ...session, actor: null })

export const toClient = (client: Kept, clerk: Clerk): Fields => {
  const sessions = clerk.having('sessions', 'client_id', client.id)
  return {
    object: 'client',
    ...client,
    session_ids: sessions.map(({ id }) => id),
    sessions: sessions.map(toSession),
    sign_in_id: null,
    sign_up_id: null,
    last_active_session_id: sessions[0]?.id ?? null,
    last_authentication_strategy: null,
  }
}

export const toOrganization = (organization: Kept): Fields => ({
  object: 'organization',
  ...organization,
  image_url: imageOf(organization.id),
})

export const toMembership = (membership: Kept, clerk: Clerk): Fields => {
  const { records } = clerk
  const { user_id, organization_id, ...shown } = membership
  const role = records.roles.find({ key: membership.role ?? '' })
  const user = records.users.get(String(user_id))
  const organization = records.organizations.get(String(organization_id))
  const email = records.email_addresses.get(String(user?.primary_email_address_id))
  return {
    object: 'organization_membership',
    ...shown,
    role_name: role?.name ?? '',
    permissions: textsOf(role?.permissions).flatMap((id) => records.permissions.get(id)?.key ?? []),
    organization: organization ? toOrganization(organization) : null,
    public_user_data: {
      user_id: user_id ?? '',
      first_name: user?.first_name ?? null,
      last_name: user?.last_name ?? null,
      image_url: imageOf(user_id),
      has_image: user?.has_image ?? false,
      identifier: email?.email_address ?? user?.username ?? '',
      username: user?.username ?? null,
    },
  }
}

export const toOrgInvitation = (invitation: Kept, { records }: Clerk): Fields => {
  const { user_id, organization_id } = invitation
  const organization = records.organizations.get(String(organization_id))
  return {
    object: 'organization_invitation',
    ...without(invitation, 'user_id'),
    role_name: records.roles.find({ key: invitation.role ?? '' })?.name ?? '',
    url: invitation.status === 'pending' ? ticketOf(invitation) : null,
    public_organization_data: {
      id: organization_id ?? '',
      name: organization?.name ?? '',
      slug: organization?.slug ?? '',
      has_image: organization?.has_image ?? false,
      image_url: imageOf(organization_id),
    },
    ...(user_id != null && { user_id }),
  }
}

export const toOrgDomain = ({ verified, ...domain }: Fields): Fields =>
  ({
    object: 'organization_domain',
    ...domain,
    verification:
      verified === true ? { status: 'verified', strategy: 'admin', attempts: null, expires_at: null } : null,
    affiliation_email_address: null,
    total_pending_invitations: 0,
    total_pending_suggestions: 0,
  }) as Fields

export const toInvitation = (invitation: Kept): Fields => ({
  object: 'invitation',
  ...invitation,
  revoked: invitation.status === 'revoked',
  url: ticketOf(invitation),
})

const ticketOf = ({ id }: Kept): string => `https://accounts.clerk.example/tickets/${id}`

export const toWaiting = ({ invitation_id, ...entry }: Kept, { records }: Clerk): Fields => {
  const invitation = records.invitations.get(String(invitation_id))
  return {
    object: 'waitlist_entry',
    ...entry,
    is_locked: false,
    ...(invitation && { invitation: toInvitation(invitation) }),
  } as Fields
}

export const toRole = (role: Kept, { records }: Clerk): Fields => ({
  object: 'role',
  ...role,
  permissions: textsOf(role.permissions)
    .flatMap((id) => records.permissions.get(id) ?? [])
    .map(toPermission),
})

export const toPermission = (permission: Fields): Fields => ({ object: 'permission', ...permission })
