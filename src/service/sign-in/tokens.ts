import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { answerJson, refuse } from './answers.ts'
import { authenticateClient, isPast } from './clients.ts'
import { revokeFamily } from './grant.ts'
import { findAccessToken, namesOf } from './mint.ts'
import { issuerOf } from './provider-addresses.ts'
import {
  isOver,
  joinScopes,
  type SignInAnswer,
  type SignInCall,
  scopesIn,
  secondsOf,
  textOf,
  textsOf,
} from './sign-in-call.ts'
import { claimsAbout, emailOf, findActiveUser, findUser, isBlocked } from './users.ts'

/** The claims of the signed-in user (OpenID Connect, 5.3). */
export function showUser(call: SignInCall): SignInAnswer {
  const token = tokenIn(call)
  if (token === undefined)
    return refuseToken(call, undefined, 'Expected an access token as `Authorization: Bearer`, got none.')
  const found = findAccessToken(call, token)
  if (found === undefined || isOver(call, found))
    return refuseToken(call, 'invalid_token', 'The access token has expired, or is not known.')
  const user = findActiveUser(call, textOf(found.user_id))
  if (user === undefined)
    return refuseToken(call, 'invalid_token', 'The access token belongs to no user, or to one who is blocked.')
  const scopes = scopesIn(call, textOf(found.scope))
  const granted = {
    client: { id: textOf(found.client_id), record: undefined },
    user,
    scopes,
    audience: textOf(found.audience),
  }
  const names = namesOf(call, {
    ...granted,
    nonce: '',
    signedInAt: 0,
    signIn: '',
    family: '',
    wasAsked: false,
    accessType: '',
  })
  const answer = claimsAbout(call, user, scopes, names, textsOf(found.claims))
  const form = call.signIn.answers.users[call.path]
  const profile = claimsAbout(call, user, ['profile', 'email'], names)
  const own = form === undefined ? answer : call.evaluate(form, { ...names, answer, profile })
  return answerJson(isJsonObject(own) ? own : answer)
}

/** The access token of a request (RFC 6750, 2). */
function tokenIn({ fields, headers }: SignInCall): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return bearer ?? fields.access_token
}

/** Whose a token is, as Google answers to anyone who has it. */
export function showToken(call: SignInCall): SignInAnswer {
  const { id_token } = call.fields
  const found = id_token === undefined ? findAccessToken(call, tokenIn(call) ?? '') : undefined
  const claims = found === undefined ? call.signer.read(id_token ?? '') : claimsOfToken(call, found)
  if (claims === undefined || isPast(call, claims) || isOver(call, found ?? {}))
    return refuse(call, 'invalid_token', 'Invalid Value')
  return answerJson(Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)])))
}

function claimsOfToken(call: SignInCall, found: JsonObject): JsonObject {
  const scopes = scopesIn(call, textOf(found.scope))
  const user = findUser(call, textOf(found.user_id))
  const ends = Date.parse(textOf(found.expires_at))
  const aud = textOf(found.client_id)
  return {
    azp: aud,
    aud,
    ...(user && { sub: user.id }),
    scope: joinScopes(call, scopes),
    exp: secondsOf(call, ends),
    expires_in: Math.floor((ends - call.now) / 1_000),
    ...(user && scopes.includes('email') && { email: emailOf(call, user.record), email_verified: true }),
  }
}

/** A refusal of RFC 6750, 3. */
function refuseToken(call: SignInCall, code: string | undefined, description: string): SignInAnswer {
  const challenge = code === undefined ? 'Bearer' : `Bearer error="${code}", error_description="${description}"`
  return refuse(call, `${code ?? 'invalid_request'}.user`, description, 401, { 'WWW-Authenticate': challenge })
}

/** Revokes a token and those of the same sign-in (RFC 7009). */
export function revokeToken(call: SignInCall): SignInAnswer {
  const { fields, headers } = call
  const isAnonymous = headers.authorization === undefined && fields.client_id === undefined
  const client = isAnonymous ? undefined : authenticateClient(call)
  if (client !== undefined && 'status' in client) return client
  const token = fields.token ?? ''
  if (token === '') return refuse(call, 'invalid_request', 'Expected `token` to be given, got none.')
  const access = findAccessToken(call, token)
  const refresh = call.records('grants').get(token)
  const owner = textOf(access?.client_id ?? refresh?.client_id)
  if (owner === '' && call.signIn.answers.codes['invalid_token.revoke'])
    return refuse(call, 'invalid_token.revoke', 'The token is unknown.')
  const { refresh: settings } = call.signIn.tokens
  if (client === undefined || owner === client.id) {
    if (refresh?.kind === 'refresh') revokeFamily(call, textOf(refresh.family))
    else if (settings !== false && settings.endsWithAccess) revokeFamily(call, textOf(access?.family))
    else if (access !== undefined) call.records('access_tokens').remove(textOf(access.id))
  }
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: null }
}

/** Whether a token is active (RFC 7662). */
export function introspect(call: SignInCall): SignInAnswer {
  const client = authenticateClient(call)
  if ('status' in client) return client
  const { token = '' } = call.fields
  const access = findAccessToken(call, token)
  const refresh = call.records('grants').get(token)
  const found = access ?? (refresh?.kind === 'refresh' && refresh.used_at === undefined ? refresh : undefined)
  if (found === undefined || isOver(call, found)) return answerJson({ active: false })
  const user = findUser(call, textOf(found.user_id))
  if (isBlocked(call, user)) return answerJson({ active: false })
  const ends = textOf(found.expires_at)
  const scope = access === undefined ? joinScopes(call, textsOf(found.scopes)) : textOf(found.scope)
  return answerJson({
    iss: issuerOf(call),
    sub: user?.id ?? textOf(found.client_id),
    aud: textOf(found.audience) || textOf(found.client_id),
    // What a JWT says of itself.
    ...(access && call.signer.read(token)),
    active: true,
    scope,
    client_id: textOf(found.client_id),
    token_type: 'Bearer',
    ...(user && { username: emailOf(call, user.record) }),
    ...(ends !== '' && { exp: secondsOf(call, Date.parse(ends)) }),
    ...(textOf(found.created_at) !== '' && { iat: secondsOf(call, Date.parse(textOf(found.created_at))) }),
    ...(access && { jti: textOf(access.id) }),
  })
}
