import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { isSecret } from '../../protocol/same-secret.ts'
import { refuse, writeFields } from './answers.ts'
import {
  authenticateClient,
  type Client,
  claimsOf,
  faultOfGrant,
  isByPassword,
  isPast,
  isPublicClient,
} from './clients.ts'
import { findAccessToken, type Granted, mintAll, mintRefresh } from './mint.ts'
import {
  base64urlHash,
  isOver,
  iso,
  type SignInAnswer,
  type SignInCall,
  scopesIn,
  textOf,
  textsOf,
} from './sign-in-call.ts'
import { findActiveUser, findUser, findUserNamed, isBlocked } from './users.ts'

type Authenticated = Client & { readonly secret: string }
type Grant = (call: SignInCall, client: Authenticated) => SignInAnswer

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code: exchangeCode,
  refresh_token: refreshTokens,
  client_credentials: grantToClient,
  password: grantForPassword,
  [DEVICE_GRANT]: grantToDevice,
  // As msal sends it.
  device_code: grantToDevice,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': exchangeToken,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
}

/** The grants that a provider announces. */
export const GRANT_TYPES = Object.keys(GRANTS).filter((name) => name !== 'password' && name !== 'device_code')

/** The token endpoint (RFC 6749, 3.2). */
export function issueTokens(call: SignInCall): SignInAnswer {
  const client = authenticateClient(call)
  if ('status' in client) return client
  const usual = call.fields.code === undefined ? '' : 'authorization_code'
  const type = isByPassword(call) ? 'password' : call.fields.grant_type || usual
  if (type === '') return refuse(call, 'invalid_request', 'Expected `grant_type` to be given, got none.')
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined
  const fault = grant && faultOfGrant(client, type === 'device_code' ? DEVICE_GRANT : type)
  if (fault !== undefined) return refuse(call, 'unauthorized_client', fault)
  if (grant !== undefined) return grant(call, client)
  return refuse(
    call,
    'unsupported_grant_type',
    `Expected \`grant_type\` to be one of ${GRANT_TYPES.join(', ')}, got ${type.slice(0, 100)}.`,
  )
}

/** A refusal that names what a request lacks; undefined for a provider with a code of its own for wrong grants. */
const refuseWithout = (call: SignInCall, name: 'code' | 'refresh_token'): SignInAnswer | undefined =>
  call.fields[name] || call.signIn.answers.codes.invalid_grant
    ? undefined
    : refuse(call, 'invalid_request', `Expected \`${name}\` to be given, got none.`)

function exchangeCode(call: SignInCall, client: Authenticated): SignInAnswer {
  const { fields } = call
  const code = call.records('grants').get(fields.code ?? '')
  const invalid = (description: string, cause = 'code') => refuse(call, `invalid_grant.${cause}`, description)
  if (code === undefined || code.kind !== 'code')
    return keyGrant(call, client) ?? refuseWithout(call, 'code') ?? invalid('The code is unknown.')
  if (code.used_at !== undefined) {
    revokeFamily(call, textOf(code.family))
    return invalid('The code was used before; its tokens are revoked.')
  }
  if (isOver(call, code)) return invalid('The code has expired.')
  if (code.client_id !== client.id) return invalid('The code was issued to another client.')
  const asked = textOf(code.redirect_uri)
  const isLeftOut = call.signIn.tokens.code.redirect === 'optional' && fields.redirect_uri === undefined
  if (asked !== '' && fields.redirect_uri !== asked && !isLeftOut)
    return invalid(
      `Expected \`redirect_uri\` to be ${asked}, as the code was asked for, got ${fields.redirect_uri ?? 'none'}.`,
      'redirect',
    )
  const fault = faultOfVerifier(code, fields.code_verifier, isPublicClient(client))
  if (fault !== undefined) return invalid(fault, 'verifier')
  call.records('grants').update(textOf(code.id), { used_at: iso(call.now) })
  const granted = grantedOf(call, client, code)
  if (granted === undefined) return invalid('The user of the code is gone.')
  return writeFields(call, mintAll(call, granted))
}

/** What is wrong with the proof of a code (RFC 7636). */
function faultOfVerifier(code: JsonObject, verifier: string | undefined, isPublic: boolean): string | undefined {
  const challenge = textOf(code.code_challenge)
  if (challenge === '') {
    if (isPublic) return 'Expected `code_challenge` in the authorization request of a public client.'
    return verifier === undefined
      ? undefined
      : 'Expected no `code_verifier`: the code was asked for without a challenge.'
  }
  if (verifier === undefined) return 'Expected `code_verifier` to be given, got none.'
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    return `Expected \`code_verifier\` to have 43 to 128 letters, digits and -._~, got ${verifier.length} characters.`
  const shown = code.code_challenge_method === 'plain' ? verifier : base64urlHash(verifier)
  return isSecret(challenge)(shown) ? undefined : 'Expected `code_verifier` to fit the challenge of the code.'
}

function refreshTokens(call: SignInCall, client: Authenticated): SignInAnswer {
  const { fields, signIn } = call
  const invalid = (description: string) => refuse(call, 'invalid_grant.refresh', description)
  const token = call.records('grants').get(fields.refresh_token ?? '')
  if (token === undefined || token.kind !== 'refresh')
    return (
      keyGrant(call, client) ??
      refuseWithout(call, 'refresh_token') ??
      invalid('The refresh token is unknown or revoked.')
    )
  if (token.client_id !== client.id) return invalid('The refresh token was issued to another client.')
  if (token.used_at !== undefined) {
    revokeFamily(call, textOf(token.family))
    return invalid('The refresh token was used before; all tokens of its sign-in are revoked.')
  }
  if (isOver(call, token)) return invalid('The refresh token has expired.')
  const granted = grantedOf(call, client, token)
  if (granted === undefined) return invalid('The user of the refresh token is gone.')
  const wanted = scopesIn(call, fields.scope ?? '')
  const more = wanted.find((scope) => !granted.scopes.includes(scope))
  if (more !== undefined)
    return refuse(call, 'invalid_scope', `Expected \`scope\` to be within ${granted.scopes.join(' ')}, got ${more}.`)
  const isRotated = signIn.tokens.refresh !== false && signIn.tokens.refresh.rotates
  if (isRotated) call.records('grants').update(textOf(token.id), { used_at: iso(call.now) })
  const next = isRotated ? mintRefresh(call, granted) : null
  const narrowed = { ...granted, nonce: '', ...(wanted.length > 0 && { scopes: wanted }) }
  return writeFields(call, mintAll(call, narrowed, next))
}

/** What a record of a grant says; undefined where its user is gone or blocked. */
function grantedOf(call: SignInCall, client: Client, record: JsonObject): Granted | undefined {
  const user = findActiveUser(call, textOf(record.user_id))
  if (user === undefined) return undefined
  return {
    client,
    user,
    scopes: textsOf(record.scopes),
    audience: textOf(record.audience),
    nonce: textOf(record.nonce),
    signedInAt: Date.parse(textOf(record.signed_in_at)),
    signIn: textOf(record.sign_in_id),
    family: textOf(record.family),
    wasAsked: record.was_asked === true,
    accessType: textOf(record.access_type),
    asked: isJsonObject(record.asked) ? record.asked : {},
  }
}

function grantToClient(call: SignInCall, client: Authenticated): SignInAnswer {
  const ownKey = keyGrant(call, client)
  if (ownKey !== undefined) return ownKey
  if (call.signIn.keyAsSecret && client.record === undefined)
    return refuse(
      call,
      'invalid_client',
      'Expected `client_secret`, or the password of HTTP Basic, to be a key of this simulation. Register the client by `seedRecords.clients` for a secret of its own.',
      401,
    )
  return grantToItself(call, client)
}

/** Tokens for a client that acts for itself. */
function grantToItself(call: SignInCall, client: Client): SignInAnswer {
  if (isPublicClient(client))
    return refuse(call, 'unauthorized_client', `The client "${client.id}" is public: it gets tokens for users alone.`)
  const asked = scopesIn(call, call.fields.scope ?? '')
  const allowed = scopesIn(call, textOf(client.record?.scope))
  const more = asked.find((scope) => client.record?.scope !== undefined && !allowed.includes(scope))
  if (more !== undefined)
    return refuse(call, 'invalid_scope', `Expected \`scope\` to be within ${allowed.join(' ')}, got ${more}.`)
  const usual = allowed.length > 0 ? allowed : call.signIn.scopes.usual
  const scopes = asked.length > 0 ? asked : usual
  return writeFields(call, mintAll(call, { ...NOBODY, ...byNow(call), client, scopes, audience: audienceOf(call) }))
}

/** A client that sends a key of the simulation: its token has the scopes that it asks for; else it is the key, with all. */
function keyGrant(call: SignInCall, client: Authenticated): SignInAnswer | undefined {
  const { fields } = call
  const shown = [client.secret, client.id, fields.refresh_token, fields.code, fields.password, fields.assertion]
  const key = shown.find((text) => text !== undefined && text !== '' && call.isKey(text))
  if (key === undefined || !call.signIn.keyAsSecret) return undefined
  if (fields.scope) return grantToItself(call, client)
  return writeFields(call, {
    access_token: key,
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: key,
    scope: '',
  })
}

const NOBODY = { user: undefined, nonce: '', signIn: '', wasAsked: false, accessType: '' }
const byNow = (call: SignInCall) => ({ signedInAt: call.now, family: call.secret('', 24) })
export const audienceOf = ({ fields }: Pick<SignInCall, 'fields'>): string => fields.audience || fields.resource || ''

function grantForPassword(call: SignInCall, client: Authenticated): SignInAnswer {
  const { fields } = call
  const ownKey = keyGrant(call, client)
  if (ownKey !== undefined) return ownKey
  const user = findUserNamed(call, fields.username ?? '')
  const expected = textOf(user?.record.password)
  const isRight = expected === '' ? !call.signIn.keyAsSecret : isSecret(expected)(fields.password)
  if (user === undefined || isBlocked(call, user) || !isRight)
    return refuse(
      call,
      'invalid_grant.password',
      `No user has this name and this password.${call.signIn.keyAsSecret ? ' Send a key of this simulation as the `password`, or give a user one by `seedRecords`.' : ''}`,
    )
  const scopes = scopesIn(call, fields.scope ?? '')
  return writeFields(
    call,
    mintAll(call, { ...NOBODY, ...byNow(call), client, user, scopes, audience: audienceOf(call) }),
  )
}

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** A token for whom another token or an assertion names (RFC 8693; RFC 7523, 2.1): on behalf of a user, or for a service account. */
function exchangeToken(call: SignInCall, client: Authenticated): SignInAnswer {
  const { fields } = call
  const given = fields.subject_token ?? fields.assertion ?? ''
  const own = findAccessToken(call, given)
  const claims = own === undefined ? claimsOf(given) : {}
  const invalid = (description: string) => refuse(call, 'invalid_grant', description)
  if (claims === undefined) return keyGrant(call, client) ?? invalid('The token is unknown.')
  if (isOver(call, own ?? {}) || isPast(call, claims)) return invalid('The token has expired.')
  const scope = fields.scope || textOf(own?.scope ?? claims.scope)
  const subject = textOf(own === undefined ? claims.sub : own.user_id)
  const isTrusted = own !== undefined || call.signer.read(given) !== undefined || !call.signIn.keyAsSecret
  if (subject === '' || subject === client.id || !isTrusted)
    return grantToClient({ ...call, fields: { ...fields, scope } }, client)
  const user = findUser(call, subject) ?? findUserNamed(call, subject)
  if (user === undefined || isBlocked(call, user)) return invalid('The user of the token is gone.')
  const scopes = scopesIn(call, scope)
  const granted = { ...NOBODY, ...byNow(call), client, user, scopes, audience: audienceOf(call) }
  const type = fields.subject_token === undefined ? {} : { issued_token_type: TOKEN_TYPE }
  return writeFields(call, { ...mintAll(call, granted), ...type })
}

/** Seconds between two questions of a device. */
export const DEVICE_INTERVAL = 1

function grantToDevice(call: SignInCall, client: Authenticated): SignInAnswer {
  const device = call.records('grants').get(call.fields.device_code ?? '')
  if (device === undefined || device.kind !== 'device' || device.client_id !== client.id)
    return refuse(call, 'invalid_grant.device', 'The device code is unknown.')
  const id = textOf(device.id)
  if (device.used_at !== undefined) return refuse(call, 'invalid_grant', 'The device code was used before.')
  if (isOver(call, device)) return refuse(call, 'expired_token', 'The device code has expired.')
  if (device.status === 'denied') return refuse(call, 'access_denied', 'The user has refused.')
  if (device.status !== 'allowed') {
    const last = Date.parse(textOf(device.asked_at))
    call.records('grants').update(id, { asked_at: iso(call.now) })
    // Timers of clients may be early.
    if (call.now - last < DEVICE_INTERVAL * 500)
      return refuse(call, 'slow_down', `Expected ${DEVICE_INTERVAL} s between two questions.`)
    return refuse(call, 'authorization_pending', 'The user has not entered the code yet.')
  }
  call.records('grants').update(id, { used_at: iso(call.now) })
  const granted = grantedOf(call, client, device)
  if (granted === undefined) return refuse(call, 'invalid_grant', 'The user of the device code is gone.')
  return writeFields(call, mintAll(call, granted))
}

/** Revokes all tokens of a code. */
export function revokeFamily(call: SignInCall, family: string): void {
  if (family === '') return
  for (const name of ['grants', 'access_tokens']) {
    const records = call.records(name)
    for (const { id, kind } of records.where({ family })) if (kind !== 'code') records.remove(textOf(id))
  }
}
