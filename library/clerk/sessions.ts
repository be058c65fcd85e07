import { renderTexts } from '../shared/rendered.ts'
import {
  type Clerk,
  type ClerkRequest,
  DAY_MS,
  type Fields,
  ISSUER,
  type Kept,
  type Operations,
  operationsOf,
  textOf,
} from './clerk.ts'
import { toClient, toSession, toUser } from './views.ts'

/** The kinds of a token, which the SDK reads in the header. */
const SESSION_TOKEN = { cat: 'cl_B7d4PD111AAA' }
const TEMPLATE_TOKEN = { cat: 'cl_B7d4PD222AAA' }
const USUAL_LIFETIME_S = 60

const happenTo = (clerk: Clerk, type: string, session: Kept): void => {
  const user = clerk.records.users.get(textOf(session.user_id))
  clerk.happen(type, { ...toSession(session), user: user ? toUser(user, clerk) : null })
}

function revoke(clerk: Clerk, session: Kept): Kept {
  const revoked = clerk.update('sessions', session, { status: 'revoked' })
  happenTo(clerk, 'session.revoked', revoked)
  return revoked
}

/** Revokes the active sessions of a user. */
export function revokeSessions(clerk: Clerk, user: Kept): void {
  for (const session of clerk.having('sessions', 'user_id', user.id))
    if (session.status === 'active') revoke(clerk, session)
}

function activeSession(clerk: ClerkRequest): Kept {
  const session = clerk.find('sessions', clerk.path.session_id)
  return session.status === 'active' ? session : clerk.gone('active session', session.id)
}

/** The organization of a session, and what its user is in it. */
function membershipOf({ records }: Clerk, { user_id, last_active_organization_id }: Kept) {
  const organization = records.organizations.get(textOf(last_active_organization_id))
  const membership =
    organization && records.memberships.find({ organization_id: organization.id, user_id: textOf(user_id) })
  return { organization, membership }
}

/** The claims that all tokens of a session have. */
const claimsOf = (clerk: ClerkRequest, session: Kept, { lifetime, skew }: { lifetime: number; skew: number }) => ({
  azp: clerk.body.azp ?? clerk.of.headers.origin ?? 'http://localhost:3000',
  exp: clerk.unix + lifetime,
  iat: clerk.unix,
  iss: ISSUER,
  jti: clerk.hex(20),
  nbf: clerk.unix - skew,
  sub: session.user_id,
})

/** What the texts of a template may name. */
function factsOf(clerk: ClerkRequest, session: Kept): Fields {
  const { records } = clerk
  const user = clerk.find('users', session.user_id)
  const { organization, membership } = membershipOf(clerk, session)
  const email = records.email_addresses.get(textOf(user.primary_email_address_id))
  const phone = records.phone_numbers.get(textOf(user.primary_phone_number_id))
  return {
    user: {
      ...toUser(user, clerk),
      full_name: [user.first_name, user.last_name].filter((name) => name != null).join(' '),
      primary_email_address: email?.email_address ?? null,
      primary_phone_number: phone?.phone_number ?? null,
    },
    org: {
      id: organization?.id ?? null,
      name: organization?.name ?? null,
      slug: organization?.slug ?? null,
      public_metadata: organization?.public_metadata ?? null,
      role: membership?.role ?? null,
    },
    org_membership: { public_metadata: membership?.public_metadata ?? null },
    session: { id: session.id, actor: null },
  }
}

export const sessions: Operations = {
  'GET /v1/sessions': (clerk) => {
    const { client_id } = clerk.query
    const all = clerk.records.sessions.where(client_id === undefined ? {} : { client_id })
    return clerk.list(clerk.among(clerk.among(all, 'user_id'), 'status'), toSession)
  },
  'GET /v1/sessions/{session_id}': (clerk) => toSession(clerk.find('sessions')),
  'POST /v1/sessions': (clerk) => {
    const user = clerk.userOfBody()
    const session = clerk.create('sessions', {
      client_id: clerk.create('clients', {}).id,
      user_id: user.id,
      last_active_at: clerk.ms,
      expire_at: clerk.ms + 7 * DAY_MS,
      abandon_at: clerk.ms + 30 * DAY_MS,
      last_active_organization_id: clerk.body.active_organization_id ?? null,
    })
    clerk.records.users.update(user, { last_sign_in_at: clerk.ms, last_active_at: clerk.ms })
    happenTo(clerk, 'session.created', session)
    return toSession(session)
  },
  'POST /v1/sessions/{session_id}/revoke': (clerk) => {
    const session = clerk.find('sessions')
    return toSession(session.status === 'active' ? revoke(clerk, session) : session)
  },
  'POST /v1/sessions/{session_id}/verify': (clerk) => toSession(clerk.find('sessions')),
  'POST /v1/sessions/{session_id}/tokens': (clerk) => {
    const session = activeSession(clerk)
    const { organization, membership } = membershipOf(clerk, session)
    const role = textOf(membership?.role).replace(/^org:/, '')
    const lifetime = Number(clerk.body.expires_in_seconds ?? USUAL_LIFETIME_S)
    const claims = {
      ...claimsOf(clerk, session, { lifetime, skew: 10 }),
      fva: [0, -1],
      ...(organization && membership && { o: { id: organization.id, rol: role, slg: organization.slug } }),
      sid: session.id,
      sts: 'active',
      v: 2,
    }
    return { object: 'token', jwt: clerk.of.signToken(claims, SESSION_TOKEN) }
  },
  'POST /v1/sessions/{session_id}/tokens/{template_name}': (clerk) => {
    const session = activeSession(clerk)
    const name = clerk.path.template_name ?? ''
    const template = clerk.records.jwt_templates.find({ name }) ?? clerk.gone('JWT template', name)
    const lifetime = Number(clerk.body.expires_in_seconds ?? template.lifetime)
    const claims = {
      ...(renderTexts(template.claims ?? {}, factsOf(clerk, session)) as Fields),
      ...claimsOf(clerk, session, { lifetime, skew: Number(template.allowed_clock_skew) }),
    }
    return { object: 'token', jwt: clerk.of.signToken(claims, TEMPLATE_TOKEN) }
  },
  'GET /v1/clients': (clerk) => clerk.list([...clerk.records.clients], (client) => toClient(client, clerk)),
  'GET /v1/clients/{client_id}': (clerk) => toClient(clerk.find('clients'), clerk),
  'POST /v1/clients/verify': (clerk) => {
    clerk.need('token')
    const claims = clerk.of.readToken(textOf(clerk.body.token))
    const session = clerk.records.sessions.get(textOf(claims?.sid))
    const client = session && clerk.records.clients.get(textOf(session.client_id))
    const isActive = Number(claims?.exp) >= clerk.unix
    const long = 'The token is none of an active session.'
    return client && isActive
      ? toClient(client, clerk)
      : clerk.refuse({ code: 'authentication_invalid', text: 'Invalid authentication', long, status: 401 })
  },
  ...operationsOf({
    collection: 'jwt_templates',
    path: '/v1/jwt_templates',
    param: 'template_id',
    needed: 'name claims',
    fields: 'name claims lifetime allowed_clock_skew',
    show: (template) => ({ object: 'jwt_template', ...template }),
    check: (clerk) => {
      if (!clerk.records.jwt_templates.some({ name: textOf(clerk.body.name) })) return
      const long = 'A JWT template of this name is there already.'
      clerk.refuse({ code: 'form_identifier_exists', text: 'already exists', long, name: 'name' })
    },
  }),
}
