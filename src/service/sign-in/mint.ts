import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { secondsIn } from '../../protocol/sign-in.ts'
import { writeInto } from './answers.ts'
import { type Client, faultOfGrant } from './clients.ts'
import { issuerOf, tenantOf } from './provider-addresses.ts'
import {
  base64urlHash,
  expiryOf,
  isOver,
  joinScopes,
  type Signer,
  type SignInCall,
  scopesIn,
  secondsOf,
  showScopes,
  textOf,
  textsOf,
} from './sign-in-call.ts'
import { claimsAbout, type User } from './users.ts'

/** What a client was given, and by whom. */
export interface Granted {
  readonly client: Client
  /** Undefined for a client that acts for itself. */
  readonly user: User | undefined
  readonly scopes: readonly string[]
  /** The resource that the access token is for. */
  readonly audience: string
  readonly nonce: string
  /** World time of the sign-in, milliseconds. */
  readonly signedInAt: number
  /** Id of the sign-in; '' without one. */
  readonly signIn: string
  /** All tokens of one code. */
  readonly family: string
  readonly wasAsked: boolean
  /** `access_type` of Google. */
  readonly accessType: string
  /** What the request asks for by `acr_values` and `claims`. @default nothing */
  readonly asked?: JsonObject
}

/** The names that expressions use. */
export const namesOf = (call: SignInCall, { client, user, scopes, audience }: Granted): Record<string, Json> => ({
  user: user?.record ?? null,
  client: { client_id: client.id, ...client.record },
  grant: {
    client_id: client.id,
    sub: user?.id ?? client.id,
    scope: joinScopes(call, scopes),
    scopes: [...scopes],
    permissions: joinScopes(call, permissionsOf(call, { client, user, scopes })) || null,
    audience: audience || null,
    issuer: issuerOf(call),
    tenant: tenantOf(call) ?? null,
    client_info: clientInfo(user?.id ?? '', tenantOf(call) ?? ''),
  },
})

const RESOURCE = /^(.+)\/([^/]*)$/
const resourceIn = (scope: string): string | undefined => RESOURCE.exec(scope)?.[1]

/** The resource that an access token is for: that of the request, or of its scopes. */
const resourceOf = ({ signIn }: SignInCall, { scopes, audience }: Granted): string =>
  audience || scopes.flatMap((scope) => resourceIn(scope) ?? [])[0] || (signIn.scopes.resource ?? '')

/** The scopes of a token as its resource names them: for `.default` all that its client has, or was allowed before. */
function permissionsOf(call: SignInCall, { client, user, scopes }: Pick<Granted, 'client' | 'user' | 'scopes'>) {
  if (call.signIn.scopes.resource === undefined) return scopes
  const nameIn = (scope: string) => RESOURCE.exec(scope)?.[2]
  const [, asked] = scopes.flatMap((scope) => /^(.+)\/\.default$/.exec(scope) ?? [])
  if (asked === undefined) {
    const named = scopes.flatMap((scope) => nameIn(scope) ?? [])
    return named.length === 0 ? scopes : named
  }
  const before = call.records('consents').find({ user_id: user?.id ?? '', client_id: client.id })
  const all = [...scopesIn(call, textOf(client.record?.scope)), ...textsOf(before?.scopes)]
  const own = all.filter((scope) => (resourceIn(scope) ?? GRAPH) === asked).map((scope) => nameIn(scope) ?? scope)
  return [...new Set(own)].filter((name) => name !== '.default')
}

/** Microsoft's own API: scopes without a resource are of it. */
const GRAPH = 'https://graph.microsoft.com'

/** Whom an answer of Microsoft is about, for its own clients. */
const clientInfo = (uid: string, utid: string): string =>
  Buffer.from(JSON.stringify({ uid, utid })).toString('base64url')

/** A new access token, as a record and as the client gets it. */
function mintAccess(call: SignInCall, asked: Granted): { token: string; expiresIn: number | null } {
  const { access } = call.signIn.tokens
  const audience = call.signIn.scopes.resource === undefined ? asked.audience : resourceOf(call, asked)
  const granted = { ...asked, audience }
  const { client, user, scopes, family } = granted
  const isJwt = access.as === 'jwt' || (access.as === 'audience' && audience !== '')
  const id = call.secret(isJwt ? '' : access.prefix, access.length)
  const tokens = call.records('access_tokens')
  if (tokens.count() % TOKENS_BETWEEN_REMOVALS === 0) removeEnded(call)
  tokens.create({
    id,
    user_id: user === undefined ? null : textOf(user.record.id) || user.id,
    client_id: client.id,
    scope: joinScopes(call, scopes),
    audience: audience || null,
    family,
    created_at: new Date(call.now).toISOString(),
    expires_at: expiryOf(call, secondsIn(access.lasts)),
    ...(asked.asked?.userinfo && { claims: asked.asked.userinfo }),
  })
  const token = isJwt ? signAccess(call, granted, id) : id
  return { token, expiresIn: secondsIn(access.lasts) }
}

/** The record of an access token, be it expired or not; undefined for any other text. */
export function findAccessToken(
  { signer, records }: Pick<SignInCall, 'signer' | 'records'>,
  token: string,
): JsonObject | undefined {
  const id = accessTokenId(signer, token)
  return id === '' ? undefined : records('access_tokens').get(id)
}

export const accessTokenId = (signer: Pick<Signer, 'read'>, token: string): string =>
  token.split('.').length === 3 ? textOf(signer.read(token)?.jti) : token

/** Finding records that are over reads all. */
const TOKENS_BETWEEN_REMOVALS = 16
/** Until then a refusal can name the reason. */
const KEPT_AFTER_END_MS = 86_400_000

/** Removes tokens, grants and sessions a day after their end; a grant stays while it has access tokens, to revoke them. */
function removeEnded(call: SignInCall): void {
  const then = { now: call.now - KEPT_AFTER_END_MS }
  const families = new Set<Json | undefined>()
  for (const name of ['access_tokens', 'grants', 'sign_ins', 'logouts']) {
    const records = call.records(name)
    for (const record of records.where({})) {
      if (isOver(then, record) && !(name === 'grants' && families.has(record.family))) records.remove(textOf(record.id))
      else if (name === 'access_tokens') families.add(record.family)
    }
  }
}

/** A JWT of RFC 9068. */
function signAccess(call: SignInCall, granted: Granted, jti: string): string {
  const { access } = call.signIn.tokens
  const { client, user, scopes, audience, signedInAt } = granted
  const iat = secondsOf(call, call.now)
  const lasts = secondsIn(access.lasts)
  const claims: JsonObject = {
    iss: issuerOf(call),
    sub: user?.id ?? client.id,
    aud: audience || client.id,
    client_id: client.id,
    ...(scopes.length > 0 && { scope: joinScopes(call, scopes) }),
    jti,
    iat,
    ...(lasts !== null && { exp: iat + lasts }),
    ...(user && { auth_time: secondsOf(call, signedInAt) }),
    ...(user && claimsOfRecord(user)),
  }
  writeInto(call, claims, access.claims, namesOf(call, granted))
  return call.signer.sign(claims, { typ: 'at+jwt' })
}

/** Claims that a test gives a user are in every token: roles, groups. */
const claimsOfRecord = ({ record: { claims } }: User): JsonObject =>
  typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? claims : {}

/** An ID token (OpenID Connect, 2). @param halves texts whose hashes it has */
export function mintId(call: SignInCall, granted: Granted, halves: { access?: string; code?: string } = {}): string {
  const { id } = call.signIn.tokens
  const { client, user, scopes, nonce, signedInAt, signIn, asked = {} } = granted
  if (id === false || user === undefined) throw new Error('Failed to sign an ID token: there is no user.')
  const iat = secondsOf(call, call.now)
  return call.signer.sign(
    {
      iss: issuerOf(call),
      aud: client.id,
      iat,
      exp: iat + (secondsIn(id.lasts) ?? 3_600),
      auth_time: secondsOf(call, signedInAt),
      ...(nonce !== '' && { nonce }),
      ...(signIn !== '' && { sid: sidOf(signIn) }),
      ...(halves.access !== undefined && { at_hash: halfHash(halves.access) }),
      ...(halves.code !== undefined && { c_hash: halfHash(halves.code) }),
      ...(asked.acr && { acr: asked.acr }),
      ...claimsAbout(call, user, scopes, namesOf(call, granted), textsOf(asked.id_token)),
    },
    {},
  )
}

/** The id of a session for clients: the record's own is the cookie. */
export const sidOf = (signIn: string): string => base64urlHash(signIn).slice(0, 22)

/** The left half of a hash (OpenID Connect, 3.1.3.6). */
const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

function isRefreshed({ signIn }: SignInCall, { client, user, scopes, wasAsked, accessType }: Granted): boolean {
  const { refresh } = signIn.tokens
  if (refresh === false || user === undefined || faultOfGrant(client, 'refresh_token') !== undefined) return false
  if (refresh.when === 'access_type') return accessType === 'offline' && wasAsked
  return refresh.when === 'always' || scopes.includes('offline_access')
}

/** A record of a grant: of a code, or of a refresh token. */
export function recordOf(granted: Granted): JsonObject {
  const {
    client,
    user,
    scopes,
    audience,
    nonce,
    signedInAt,
    signIn,
    family,
    wasAsked,
    accessType,
    asked = {},
  } = granted
  return {
    client_id: client.id,
    user_id: user?.id ?? null,
    scopes: [...scopes],
    audience,
    nonce,
    signed_in_at: new Date(signedInAt).toISOString(),
    sign_in_id: signIn,
    family,
    was_asked: wasAsked,
    access_type: accessType,
    asked,
  }
}

/** A new refresh token. */
export function mintRefresh(call: SignInCall, granted: Granted): string | undefined {
  const { refresh } = call.signIn.tokens
  if (refresh === false) return undefined
  const id = call.secret(refresh.prefix, refresh.length)
  const expires_at = expiryOf(call, secondsIn(refresh.lasts))
  call.records('grants').create({ id, kind: 'refresh', ...recordOf(granted), expires_at })
  return id
}

/** The fields of a token answer (RFC 6749, 5.1). @param refresh the next refresh token; null where the one before stays */
export function mintAll(call: SignInCall, granted: Granted, refresh?: string | null): JsonObject {
  const { tokens, answers } = call.signIn
  const { token, expiresIn } = mintAccess(call, granted)
  const refreshToken = refresh === undefined && isRefreshed(call, granted) ? mintRefresh(call, granted) : refresh
  const isOpenId =
    tokens.id !== false && granted.user !== undefined && (tokens.id.always || granted.scopes.includes('openid'))
  const body: JsonObject = {
    access_token: token,
    token_type: 'Bearer',
    ...(expiresIn !== null && { expires_in: expiresIn }),
    scope: showScopes(call, granted.scopes),
    ...(refreshToken && { refresh_token: refreshToken }),
    ...(isOpenId && { id_token: mintId(call, granted, { access: token }) }),
  }
  writeInto(call, body, answers.fields, { ...namesOf(call, granted), answer: body })
  return body
}
