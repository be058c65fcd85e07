import type { JsonObject } from '../../protocol/json.ts'
import { answerJson, refuse } from './answers.ts'
import { authenticateClient } from './clients.ts'
import { revokeFamily } from './grant.ts'
import { namesOf } from './mint.ts'
import { issuerOf } from './provider-addresses.ts'
import {
  isOver,
  joinScopes,
  type Signer,
  type SignInAnswer,
  type SignInCall,
  scopesIn,
  secondsOf,
  textOf,
  textsOf,
} from './sign-in-call.ts'
import { claimsAbout, emailOf, findUser } from './users.ts'

/** The record of an access token, be it expired or not; undefined for any other text. */
export function findAccessToken(
  { signer, records }: Pick<SignInCall, 'signer' | 'records'>,
  token: string,
): JsonObject | undefined {
  const id = accessTokenId(signer, token)
  return id === '' ? undefined : records('access_tokens').get(id)
}

/** The id of the record of an access token. */
export const accessTokenId = (signer: Pick<Signer, 'read'>, token: string): string =>
  token.split('.').length === 3 ? textOf(signer.read(token)?.jti) : token

/** The claims of the signed-in user (OpenID Connect, 5.3). */
export function showUser(call: SignInCall): SignInAnswer {
  const { fields, headers } = call
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const token = bearer ?? fields.access_token
  if (token === undefined)
    return refuseToken(call, undefined, 'Expected an access token as `Authorization: Bearer`, got none.')
  const found = findAccessToken(call, token)
  if (found === undefined || isOver(call, found))
    return refuseToken(call, 'invalid_token', 'The access token has expired, or is not known.')
  const user = findUser(call, textOf(found.user_id))
  if (user === undefined) return refuseToken(call, 'invalid_token', 'The access token belongs to no user.')
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
  return answerJson(claimsAbout(call, user, scopes, names))
}

/** A refusal of RFC 6750, 3. */
function refuseToken(call: SignInCall, code: string | undefined, description: string): SignInAnswer {
  const challenge = code === undefined ? 'Bearer' : `Bearer error="${code}", error_description="${description}"`
  return refuse(call, code ?? 'invalid_request', description, 401, { 'WWW-Authenticate': challenge })
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
  if (client === undefined || owner === client.id) {
    if (refresh?.kind === 'refresh') revokeFamily(call, textOf(refresh.family))
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
  const ends = textOf(found.expires_at)
  const scope = access === undefined ? joinScopes(call, textsOf(found.scopes)) : textOf(found.scope)
  return answerJson({
    active: true,
    scope,
    client_id: textOf(found.client_id),
    token_type: 'Bearer',
    iss: issuerOf(call),
    sub: user?.id ?? textOf(found.client_id),
    aud: textOf(found.audience) || textOf(found.client_id),
    ...(user && { username: emailOf(call, user.record) }),
    ...(ends !== '' && { exp: secondsOf(call, Date.parse(ends)) }),
    ...(textOf(found.created_at) !== '' && { iat: secondsOf(call, Date.parse(textOf(found.created_at))) }),
    ...(access && { jti: textOf(access.id) }),
  })
}
