import {
  type Fields,
  filled,
  HOUR_S,
  type Kept,
  MINUTE_S,
  type Operations,
  patched,
  sent,
  shown,
  textOf,
  toUser,
  type WorkOS,
  type WorkOSRequest,
} from './workos.ts'

const TOO_SHORT = 'Password must be at least 8 characters long.'

/** A code that is mailed, with its address. */
export const mailCode = (workos: WorkOS, collection: 'magic_auths' | 'email_verifications', user: Kept): Kept =>
  workos.create(collection, {
    user_id: user.id,
    email: user.email ?? null,
    expires_at: workos.later(10 * MINUTE_S),
    code: workos.code(6),
  })

/** Refuses what another user has, and what no user may have. */
function checkUser(workos: WorkOSRequest, own?: Kept): void {
  const { email, password, password_hash, external_id } = workos.body
  const { users } = workos.records
  const isOthers = (user: Kept | undefined) => user !== undefined && user.id !== own?.id
  const address = email ? workos.checkEmail() : ''
  if (email === '') workos.checkEmail()
  const taken = { code: own ? 'email_not_available' : 'user_creation_error', message: 'Could not create user.' }
  if (address && isOthers(users.find({ email: address })))
    workos.refuseListed(
      own ? { ...taken, message: 'This email is not available.' } : taken,
      'email_not_available',
      'This email is not available.',
    )
  if (password && password_hash)
    workos.refuse('password_and_password_hash_provided', 'Provide either a password or a password_hash, not both.')
  const weak = { code: 'password_strength_error', message: 'Password does not meet strength requirements.' }
  if (password && [...textOf(password)].length < 8) workos.refuseListed(weak, 'password_too_short', TOO_SHORT)
  if (external_id && isOthers(users.find({ external_id })))
    workos.refuse('external_id_already_used', 'The external_id is already in use.')
}

const passwordIn = ({ password, password_hash }: Fields): Fields =>
  password ? { password } : password_hash ? { password: `hash ${password_hash}` } : {}

const OWN = ['sessions', 'factors', 'magic_auths', 'email_verifications', 'password_resets'] as const

export const users: Operations = {
  'GET /user_management/users': (workos) => {
    const { email, organization_id } = workos.query
    const found = workos.records.users.where(email ? { email: email.toLowerCase() } : {})
    const members = organization_id ? workos.records.organization_memberships.where({ organization_id }) : undefined
    const ids = members && new Set(members.map(({ user_id }) => user_id))
    return workos.list(ids ? found.filter(({ id }) => ids.has(id)) : found, toUser)
  },
  'POST /user_management/users': (workos) => {
    checkUser(workos)
    const { body, email } = workos
    const fields = filled(body, 'name first_name last_name external_id locale email_verified metadata')
    return toUser(workos.create('users', { ...fields, email, ...passwordIn(body) }))
  },
  'GET /user_management/users/{id}': (workos) => toUser(workos.find('users')),
  'GET /user_management/users/external_id/{external_id}': (workos) => {
    const { external_id = '' } = workos.path
    return toUser(workos.findBy('users', { external_id }, external_id))
  },
  'PUT /user_management/users/{id}': (workos) => {
    const user = workos.find('users')
    checkUser(workos, user)
    const { body, email } = workos
    return toUser(
      workos.update('users', user, {
        ...sent(body, 'name first_name last_name external_id locale'),
        // A changed address is not verified (workos.com/changelog/support-for-changing-email-addresses).
        ...(email && { email, ...(email !== user.email && { email_verified: false }) }),
        ...filled(body, 'email_verified'),
        ...passwordIn(body),
        metadata: patched(user.metadata, body.metadata),
      }),
    )
  },
  'DELETE /user_management/users/{id}': (workos) => {
    const user = workos.find('users')
    for (const collection of ['organization_memberships', ...OWN] as const)
      workos.removeAll(collection, { user_id: user.id })
    return workos.remove('users', user)
  },
  'GET /user_management/users/{id}/identities': (workos) => {
    const { id } = workos.find('users')
    const isKnown = workos.records.sessions.some({ user_id: id, auth_method: 'oauth' })
    return isKnown ? [{ idp_id: id, type: 'OAuth', provider: 'GoogleOAuth' }] : []
  },
  'POST /user_management/magic_auth': (workos) => {
    const email = workos.checkEmail()
    const user = workos.records.users.find({ email }) ?? workos.create('users', { email })
    return mailCode(workos, 'magic_auths', user)
  },
  'GET /user_management/magic_auth/{id}': (workos) => workos.find('magic_auths'),
  'GET /user_management/email_verification/{id}': (workos) => workos.find('email_verifications'),
  'POST /user_management/users/{id}/email_verification/send': (workos) => {
    const user = workos.find('users')
    if (user.email_verified === true) workos.refuse('email_already_verified', 'Email is already verified.')
    mailCode(workos, 'email_verifications', user)
    return { user: toUser(user) }
  },
  'POST /user_management/users/{id}/email_verification/confirm': (workos) => {
    const user = workos.find('users')
    if (user.email_verified === true) workos.refuse('email_previously_verified', 'Email was verified before.')
    const code = textOf(workos.body.code)
    const verification = workos.records.email_verifications.find({ user_id: user.id, code })
    const incorrect = 'Email verification code is incorrect.'
    if (verification === undefined) return workos.refuse('email_verification_code_incorrect', incorrect)
    if (workos.isPast(verification.expires_at))
      workos.refuse('email_verification_code_expired', 'Email verification code has expired.')
    workos.records.email_verifications.remove(verification)
    return { user: toUser(workos.update('users', user, { email_verified: true })) }
  },
  'POST /user_management/password_reset': (workos) => {
    const user = workos.findBy('users', { email: workos.email }, workos.body.email)
    const reset = workos.create('password_resets', {
      user_id: user.id,
      email: user.email ?? null,
      expires_at: workos.later(HOUR_S),
      password_reset_token: workos.id(),
    })
    return toReset(reset)
  },
  'GET /user_management/password_reset/{id}': (workos) => toReset(workos.find('password_resets')),
  'POST /user_management/password_reset/confirm': (workos) => {
    const { token, new_password } = workos.body
    const missing = `Could not locate user with provided token: '${textOf(token)}'`
    const reset =
      workos.records.password_resets.find({ password_reset_token: textOf(token) }) ??
      workos.refuse('password_reset_token_not_found', missing, 404)
    const fault = { code: 'password_reset_error', message: 'Could not reset password.' }
    if (workos.isPast(reset.expires_at))
      workos.refuseListed(fault, 'password_reset_token_expired', 'The password reset token has expired.')
    if ([...textOf(new_password)].length < 8) workos.refuseListed(fault, 'password_too_short', TOO_SHORT)
    const fields = { password: textOf(new_password), email_verified: true }
    const user = workos.update('users', workos.find('users', reset.user_id), fields)
    workos.happen('password_reset.succeeded', shown('password_resets', reset))
    // As workos.com/docs/reference/authkit/password-reset says.
    for (const session of workos.records.sessions.where({ user_id: user.id, status: 'active' }))
      workos.endSession(session)
    workos.records.password_resets.remove(reset)
    return { user: toUser(user) }
  },
  'GET /user_management/users/{id}/sessions': (workos) => {
    const { id } = workos.find('users')
    return workos.list(workos.records.sessions.where({ user_id: id }), (session) => shown('sessions', session))
  },
}

const toReset = ({ updated_at, ...reset }: Fields): Fields => ({
  ...reset,
  password_reset_url: `https://auth.backlot.example/reset-password?token=${reset.password_reset_token}`,
})
