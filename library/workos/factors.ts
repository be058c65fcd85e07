import {
  type Fields,
  type Kept,
  MINUTE_S,
  type Operations,
  shown,
  textOf,
  type WorkOS,
  type WorkOSRequest,
} from './workos.ts'

/** A factor with what its application enrols. */
const withSecrets = (factor: Fields): Fields =>
  Object.fromEntries(Object.entries(factor).filter(([, value]) => value !== null))

/** The same without the secret. */
const toFactor = (factor: Fields): Fields => {
  const { issuer = null, user = null } = (factor.totp ?? {}) as Fields
  return withSecrets({ ...factor, ...(factor.totp && { totp: { issuer, user } }) })
}

/** What an authenticator reads: `otpauth://totp/Acme:ada@acme.example?secret=…&issuer=Acme`. */
function newTotp(workos: WorkOS, { issuer, user, secret }: { issuer: string; user: string; secret?: string }): Fields {
  const key = secret ?? workos.code(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(user)}`
  const uri = `otpauth://totp/${name}?secret=${key}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
  return { issuer, user, secret: key, qr_code: 'data:image/png;base64,iVBORw0KGgo=', uri }
}

const challenge = (workos: WorkOS, factor: Kept): Kept =>
  workos.create('challenges', {
    authentication_factor_id: factor.id,
    code: '123456',
    expires_at: workos.later(10 * MINUTE_S),
  })

const toChallenge = (record: Fields): Fields => shown('challenges', record)

/** Refuses a challenge that is over: the texts of WorkOS. */
function checkOpen(workos: WorkOSRequest, { id, is_verified, expires_at }: Kept): void {
  const name = `The authentication challenge '${id}' has`
  if (is_verified === true)
    workos.refuse('authentication_challenge_previously_verified', `${name} already been verified.`, 422)
  if (workos.isPast(expires_at)) workos.refuse('authentication_challenge_expired', `${name} expired.`, 422)
}

export const factors: Operations = {
  'POST /auth/factors/enroll': (workos) => {
    const { type, phone_number, totp_issuer, totp_user } = workos.body
    if (type === 'sms' && !phone_number) workos.refuse('phone_number_required', 'phone_number must be given.', 422)
    const of = { issuer: textOf(totp_issuer), user: textOf(totp_user) }
    const fields = type === 'sms' ? { type, sms: { phone_number } } : { totp: newTotp(workos, of) }
    return withSecrets(workos.create('factors', fields as Fields))
  },
  'GET /auth/factors/{id}': (workos) => toFactor(workos.find('factors')),
  'DELETE /auth/factors/{id}': (workos) => workos.remove('factors'),
  'POST /auth/factors/{id}/challenge': (workos) => toChallenge(challenge(workos, workos.find('factors'))),
  'POST /auth/challenges/{id}/verify': (workos) => {
    const found = workos.find('challenges')
    checkOpen(workos, found)
    const valid = found.code === workos.body.code
    if (valid) workos.records.challenges.update(found, { is_verified: true })
    return { challenge: toChallenge(found), valid }
  },
  'POST /user_management/users/{id}/auth_factors': (workos) => {
    const user = workos.find('users')
    const { totp_issuer, totp_user, totp_secret } = workos.body
    const of = { issuer: textOf(totp_issuer) || 'Backlot', user: textOf(totp_user) || textOf(user.email) }
    const secret = totp_secret ? { secret: textOf(totp_secret) } : {}
    const factor = workos.create('factors', { user_id: user.id, totp: newTotp(workos, { ...of, ...secret }) })
    const authentication_challenge = toChallenge(challenge(workos, factor))
    return { authentication_factor: withSecrets(factor), authentication_challenge }
  },
  'GET /user_management/users/{id}/auth_factors': (workos) => {
    const { id } = workos.find('users')
    return workos.list(workos.records.factors.where({ user_id: id }), toFactor)
  },
}
