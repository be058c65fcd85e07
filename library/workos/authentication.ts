import { createHash } from 'node:crypto'
import { join } from './memberships.ts'
import { mailCode } from './users.ts'
import {
  DAY_S,
  type Due,
  type Fields,
  idsOf,
  type Kept,
  MINUTE_S,
  type Operations,
  shown,
  textOf,
  toUser,
  WorkOS,
  type WorkOSRequest,
} from './workos.ts'

const MAGIC = 'urn:workos:oauth:grant-type:magic-auth:code'
const EMAIL = 'urn:workos:oauth:grant-type:email-verification:code'
const SELECTION = 'urn:workos:oauth:grant-type:organization-selection'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const TOTP = 'urn:workos:oauth:grant-type:mfa-totp'

/** Who signs in, and how. */
interface SignIn {
  readonly user: Kept
  /** As answers name it. */
  readonly method: string
  /** As events name it. */
  readonly kind: string
  readonly organizationId?: string | null
  /** The session that goes on. */
  readonly session?: Kept
}

/** An error answer after changes that stay, such as the event of a failed sign-in. */
class Stopped {
  readonly status: number
  readonly body: Fields

  constructor(status: number, body: Fields) {
    this.status = status
    this.body = body
  }
}

const METHODS: Readonly<Record<string, string>> = {
  password: 'Password',
  magic_auth: 'MagicAuth',
  oauth: 'GoogleOAuth',
  sso: 'SSO',
}

export const isVerifiedBy = (challenge: unknown, verifier: unknown): boolean =>
  !challenge ||
  challenge ===
    createHash('sha256')
      .update(textOf(verifier as string))
      .digest('base64url')

/** Ends a sign-in with its event. */
function fail(workos: WorkOSRequest, type: string, user: Kept | undefined, [code, message]: readonly string[]): never {
  const { email, ip_address, user_agent } = workos.body
  const error = { code: 'invalid_credentials', message: 'Invalid credentials.' }
  const data = { type, status: 'failed', user_id: user?.id ?? null, email, ip_address, user_agent, error } as Fields
  workos.happen(`authentication.${type}_failed`, data)
  throw new Stopped(400, { code, message } as Fields)
}

/** The code that a user sends, which works once. */
function useCode(workos: WorkOSRequest, collection: 'magic_auths' | 'email_verifications', found: Kept): void {
  if (workos.isPast(found.expires_at)) workos.refuse('one_time_code_expired', 'One-time code has expired.')
  workos.records[collection].remove(found)
}

const WRONG_CODE = ['invalid_one_time_code', 'Invalid one-time code.'] as const

const verified = (workos: WorkOSRequest, user: Kept): Kept =>
  user.email_verified === true ? user : workos.update('users', user, { email_verified: true })

/** The sign-in that goes on after a refusal with a pending token. */
function pendingOf(workos: WorkOSRequest): SignIn & { readonly waiting: Kept } {
  const token = textOf(workos.body.pending_authentication_token)
  const waiting = workos.records.grants.find({ code: token, kind: 'pending' })
  const user = workos.records.users.get(waiting?.user_id as string)
  const message = `The pending_authentication_token '${token}' has expired or is invalid.`
  if (waiting === undefined || user === undefined || workos.isPast(waiting.expires_at))
    return workos.refuse('invalid_pending_authentication_token', message)
  return { waiting, user, method: textOf(waiting.method), kind: 'password' }
}

/** Who signs in, by grant type. */
const GRANTS: Readonly<Record<string, (workos: WorkOSRequest) => SignIn>> = {
  password: (workos) => {
    const { password } = workos.body
    const user = workos.records.users.find({ email: workos.email })
    if (!user || !password || user.password !== password)
      return fail(workos, 'password', user, ['invalid_credentials', 'Invalid credentials.'])
    return { user, method: 'Password', kind: 'password' }
  },
  [MAGIC]: (workos) => {
    const { email } = workos
    const magic = workos.records.magic_auths.find({ email, code: textOf(workos.body.code) })
    const user = workos.records.users.get(magic?.user_id as string)
    if (!magic || !user) return fail(workos, 'magic_auth', workos.records.users.find({ email }), WRONG_CODE)
    useCode(workos, 'magic_auths', magic)
    return { user: verified(workos, user), method: 'MagicAuth', kind: 'magic_auth' }
  },
  [EMAIL]: (workos) => {
    const { user, waiting, method } = pendingOf(workos)
    const code = textOf(workos.body.code)
    const verification = workos.records.email_verifications.find({ user_id: user.id, code })
    if (verification === undefined) return workos.refuse(...WRONG_CODE)
    useCode(workos, 'email_verifications', verification)
    workos.records.grants.remove(waiting)
    return { user: verified(workos, user), method, kind: 'email_verification' }
  },
  [SELECTION]: (workos) => {
    const { waiting, ...signIn } = pendingOf(workos)
    workos.records.grants.remove(waiting)
    return signIn
  },
  [TOTP]: (workos) => {
    const { waiting, ...signIn } = pendingOf(workos)
    const challenge = workos.records.challenges.get(textOf(workos.body.authentication_challenge_id))
    if (challenge === undefined || challenge.code !== workos.body.code) return workos.refuse(...WRONG_CODE)
    workos.records.challenges.remove(challenge)
    workos.records.grants.remove(waiting)
    return { ...signIn, kind: 'mfa' }
  },
  authorization_code: (workos) => {
    const { code, code_verifier } = workos.body
    const granted = workos.records.grants.find({ code: textOf(code), kind: 'code' })
    const user = workos.records.users.get(granted?.user_id as string)
    if (!granted || !user || workos.isPast(granted.expires_at))
      return workos.refuseGrant('invalid_grant', `The code '${textOf(code)}' has expired or is invalid.`)
    if (!isVerifiedBy(granted.challenge, code_verifier))
      workos.refuseGrant('invalid_grant', 'The code_verifier does not fit the code_challenge.')
    workos.records.grants.remove(granted)
    const method = textOf(granted.method)
    const kind = { SSO: 'sso', Password: 'password' }[method] ?? 'oauth'
    const organizationId = granted.organization_id as string | null
    const member = { user_id: user.id, organization_id: organizationId ?? '' }
    if (kind === 'sso' && organizationId && !workos.records.organization_memberships.some(member))
      workos.create('organization_memberships', { ...member, role_slugs: ['member'] })
    return { user, method, kind, organizationId }
  },
  [DEVICE]: (workos) => {
    const granted = workos.records.grants.find({ code: textOf(workos.body.device_code), kind: 'device' })
    const user = workos.records.users.get(granted?.user_id as string)
    if (granted === undefined) return workos.refuseGrant('invalid_grant', 'The device code is invalid.')
    if (workos.isPast(granted.expires_at)) workos.refuseGrant('expired_token', 'The device code has expired.')
    if (granted.state === 'denied') workos.refuseGrant('access_denied', 'The user denied the request.')
    if (user === undefined) return workos.refuseGrant('authorization_pending', 'The request is still pending.')
    workos.records.grants.remove(granted)
    return { user, method: 'Password', kind: 'password' }
  },
  refresh_token: (workos) => {
    const refresh_token = textOf(workos.body.refresh_token)
    const session = workos.records.sessions.find({ refresh_token, status: 'active' })
    const user = workos.records.users.get(session?.user_id as string)
    if (!session || !user || !refresh_token) return workos.refuseGrant('invalid_grant', 'Invalid refresh token.')
    const kind = textOf(session.auth_method)
    return {
      user,
      method: METHODS[kind] ?? '',
      kind,
      session,
      organizationId: session.organization_id as string | null,
    }
  },
}

/** Ends a sign-in that needs another step. */
function pend(workos: WorkOSRequest, { user, method }: SignIn, body: Fields): never {
  const grant = workos.create('grants', {
    code: workos.id(),
    kind: 'pending',
    user_id: user.id,
    method,
    expires_at: workos.later(10 * MINUTE_S),
  })
  throw new Stopped(403, { ...body, pending_authentication_token: grant.code ?? null })
}

/** Asks for the verification of the address, for a factor, for the organization. */
function checkSteps(workos: WorkOSRequest, signIn: SignIn, joined: readonly Kept[], isChosen: boolean): void {
  const { user } = signIn
  const grant = textOf(workos.body.grant_type)
  if (grant === 'password' && user.email_verified !== true) {
    const message = 'Email ownership must be verified before authentication.'
    const email_verification_id = mailCode(workos, 'email_verifications', user).id
    const address = { email: user.email ?? null, email_verification_id }
    pend(workos, signIn, { code: 'email_verification_required', message, ...address })
  }
  const factors = [MAGIC, 'password'].includes(grant) ? workos.records.factors.where({ user_id: user.id }) : []
  if (factors.length > 0)
    pend(workos, signIn, {
      code: 'mfa_challenge',
      message: 'The user must complete an MFA challenge to finish authenticating.',
      authentication_factors: factors.map(({ id, type }) => ({ id, type: type ?? 'totp' })),
      user: toUser(user),
    })
  if (joined.length > 1 && !isChosen && ![SELECTION, 'refresh_token'].includes(grant))
    pend(workos, signIn, {
      code: 'organization_selection_required',
      message: 'The user must choose an organization to finish their authentication.',
      organizations: joined.map(({ organization_id }) => ({
        id: organization_id ?? null,
        name: workos.records.organizations.get(textOf(organization_id))?.name ?? null,
      })),
      user: toUser(user),
    })
}

/** The access token of a session: workos.com/docs/reference/authkit/session-tokens/access-token */
function accessToken(workos: WorkOSRequest, session: Kept, membership: Kept | undefined): string {
  const { user_id, organization_id } = session
  const slugs = idsOf(membership?.role_slugs)
  const roles = slugs.length === 0 ? [] : workos.records.roles.where(({ slug }) => slugs.includes(textOf(slug)))
  const permissions = [...new Set(roles.reverse().flatMap((role) => idsOf(role.permissions)))]
  const iat = Math.floor(workos.now.getTime() / 1_000)
  return workos.of.signToken({
    iss: `${workos.of.origin}/user_management/${workos.body.client_id}`,
    sub: user_id,
    sid: session.id,
    jti: workos.ticket(),
    ...(organization_id && { org_id: organization_id }),
    ...(membership && { role: slugs[0], roles: slugs, permissions }),
    iat,
    exp: iat + 5 * MINUTE_S,
  })
}

function signIn(workos: WorkOSRequest): Fields {
  const { grant_type, invitation_token, organization_id, ip_address, user_agent } = workos.body
  const identify = GRANTS[textOf(grant_type)]
  if (identify === undefined)
    return workos.refuseGrant('unsupported_grant_type', `Unsupported grant type: ${textOf(grant_type)}`)
  const found = identify(workos)
  const { user, kind, method, session } = found
  const { email = '' } = user
  const invitation = invitation_token
    ? workos.records.invitations.find({ token: invitation_token, email, state: 'pending' })
    : undefined
  if (invitation !== undefined) join(workos, invitation, user)
  const joined = workos.records.organization_memberships.where({ user_id: user.id, status: 'active' }).reverse()
  const only = joined.length === 1 ? joined[0]?.organization_id : undefined
  const wanted = organization_id ?? invitation?.organization_id ?? found.organizationId ?? only ?? null
  checkSteps(workos, found, joined, wanted !== null)
  const membership = joined.find((one) => one.organization_id === wanted)
  if (wanted !== null && !membership && [SELECTION, 'refresh_token'].includes(textOf(grant_type)))
    workos.refuse('invalid_organization_id', 'The user is not an active member of this organization.')
  const renewed = { refresh_token: workos.id(), organization_id: wanted }
  const sender = { ip_address: ip_address ?? null, user_agent: user_agent ?? null }
  const kept = session
    ? workos.update('sessions', session, renewed)
    : workos.create('sessions', {
        ...renewed,
        ...sender,
        user_id: user.id,
        auth_method: ['email_verification', 'mfa'].includes(kind) ? 'password' : kind,
        expires_at: workos.later(30 * DAY_S),
      })
  const signedIn = session ? user : workos.update('users', user, { last_sign_in_at: workos.time })
  if (!session) {
    const data = { type: kind, status: 'succeeded', user_id: user.id, email, ip_address, user_agent } as Fields
    workos.happen(`authentication.${kind}_succeeded`, data)
  }
  return {
    user: toUser(signedIn),
    organization_id: wanted,
    access_token: accessToken(workos, kept, membership),
    refresh_token: kept.refresh_token ?? null,
    authentication_method: method,
  }
}

export const expireSession = (due: Due): void => {
  new WorkOS(due).endSession(due.record, 'expired')
}

export const authentication: Operations = {
  'POST /user_management/authenticate': (workos) => {
    try {
      return signIn(workos)
    } catch (stopped) {
      if (stopped instanceof Stopped) return workos.of.respond({ status: stopped.status, body: stopped.body })
      throw stopped
    }
  },
  'GET /user_management/sessions/logout': (workos) => {
    const session = workos.find('sessions', workos.query.session_id)
    if (session.status === 'active') workos.endSession(session)
    return workos.redirect(workos.query.return_to || 'https://app.example')
  },
  'POST /user_management/sessions/revoke': (workos) => {
    const session = workos.find('sessions', workos.body.session_id)
    if (session.status !== 'active') workos.refuse('session_not_active', 'The session has ended.')
    return shown('sessions', workos.endSession(session))
  },
}
