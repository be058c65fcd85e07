import { createPublicKey, verify } from 'node:crypto'
import { didYouMean } from '../../names/nearest-name.ts'
import { hasFields, isJsonObject, type Json, type JsonObject, parseJson } from '../../protocol/json.ts'
import { isSecret } from '../../protocol/same-secret.ts'
import { faultOfOpenRedirect, faultOfRedirect } from '../pages/redirect-address.ts'
import { answerJson, refuse } from './answers.ts'
import { type SignInAnswer, type SignInCall, secondsOf, textOf, textsOf } from './sign-in-call.ts'

/** A client of the provider. One without a record is accepted while no client is registered. */
export interface Client {
  readonly id: string
  /** Undefined where no client is registered at all: then every client is accepted. */
  readonly record: JsonObject | undefined
}

/** Whether a user's password asks for a token of an own description: its form may leave out the `grant_type`, as FastAPI's does. */
export const isByPassword = ({ fields, signIn }: SignInCall): boolean =>
  signIn.keyAsSecret && (fields.grant_type || 'password') === 'password' && fields.password !== undefined

/** The client with an id, or why there is none. */
export function findClient(call: SignInCall, id: string): Client | { readonly fault: string } {
  const clients = call.records('clients')
  const isOpen = clients.count() === 0
  // A client that keeps no secret need not name itself (RFC 6749, 4.3.2).
  if (id === '' && !(isOpen && isByPassword(call)))
    return { fault: 'Expected `client_id` to name the application, got none.' }
  if (isOpen) return { id, record: undefined }
  const found = clients.get(id) ?? clients.find({ client_id: id })
  if (found !== undefined) return { id, record: { ...found, ...termsOf(call, found) } }
  const known = clients.where({}).map((client) => textOf(client.client_id) || textOf(client.id))
  return {
    fault: `Failed to find the client "${id.slice(0, 100)}".${didYouMean(id, known)} Registered: ${known.slice(0, 20).join(', ')}.`,
  }
}

/** What the fields of a provider's own clients say, in ours. */
const termsOf = ({ signIn: { clients, redirectsBelow } }: SignInCall, record: JsonObject): JsonObject => ({
  ...(redirectsBelow && { redirects_below: true }),
  ...(clients && hasFields(record, clients.public) && { type: 'public' }),
  ...(clients && hasFields(record, clients.trusted) && { skip_consent: true }),
  ...(clients && record[clients.scopes] && { scope: record[clients.scopes] }),
})

/** The address of a client for redirects, or what is wrong with it. */
export function redirectOf(
  { record }: Client,
  given: string,
  field = 'redirect_uris',
): { readonly address: string } | { readonly fault: string } {
  const registered = textsOf(record?.[field])
  const address = given === '' && registered.length === 1 ? (registered[0] ?? '') : given
  if (address === '') return { fault: 'Expected `redirect_uri` to be an address of the application, got none.' }
  const fault = record === undefined ? faultOfOpenRedirect(address) : faultOfRedirect(address)
  if (fault !== undefined) return { fault: `Failed to redirect to "${address.slice(0, 200)}": ${fault}.` }
  if (record === undefined || registered.includes(address)) return { address }
  if (record.redirects_below === true && registered.some((one) => isBelow(address, one))) return { address }
  return {
    fault: `Failed to redirect to "${address.slice(0, 200)}": the client has not registered it. Its \`${field}\` are ${registered.join(', ') || 'none'}.`,
  }
}

/** Whether an address is at the host of another one, at its path or below it. */
function isBelow(given: string, registered: string): boolean {
  const [one, other] = [new URL(given), new URL(registered)]
  if (['127.0.0.1', '[::1]'].includes(other.hostname)) one.port = other.port
  return one.origin === other.origin && `${one.pathname}/`.startsWith(`${other.pathname.replace(/\/$/, '')}/`)
}

/** Whether a client keeps no secret: it has to prove its codes by PKCE. */
export const isPublicClient = ({ record }: Client): boolean =>
  record?.type === 'public' || record?.token_endpoint_auth_method === 'none'

/** Why a registered client may not use a type of grant; undefined where it may. One without `grant_types` may use all. */
export function faultOfGrant({ id, record }: Client, type: string): string | undefined {
  const allowed = textsOf(record?.grant_types)
  if (allowed.length === 0 || allowed.includes(type)) return undefined
  return `Expected \`grant_type\` of the client "${id}" to be one of its \`grant_types\`, ${allowed.join(', ')}, got ${type.slice(0, 100)}.`
}

const BASIC = { 'WWW-Authenticate': 'Basic realm="simulation"' }

/** The client that sends a request, by HTTP Basic, by its fields, or by a signed assertion; or the refusal. */
export function authenticateClient(call: SignInCall): (Client & { readonly secret: string }) | SignInAnswer {
  const { fields, headers } = call
  const basic = readBasic(headers.authorization)
  // A service account shows itself by the assertion of its grant alone.
  const assertion = fields.client_assertion ?? (basic || fields.client_id ? undefined : fields.assertion)
  const claims = assertion === undefined ? undefined : claimsOf(assertion)
  const id = basic?.id ?? (fields.client_id || textOf(claims?.iss))
  const secret = basic?.secret ?? fields.client_secret ?? ''
  const client = findClient(call, id)
  const failed = (description: string, cause = '') =>
    refuse(call, `invalid_client${cause}`, description, 401, basic ? BASIC : {})
  if ('fault' in client) return failed(client.fault)
  const { record } = client
  if (isPast(call, claims)) return failed('Expected `client_assertion` to be valid now, got one that has expired.')
  if (record === undefined || isPublicClient(client)) return { ...client, secret }
  if (assertion !== undefined) {
    const isSigned = keysOf(record).some((key) => isSignedBy(assertion, key)) || textOf(record.client_secret) === ''
    return isSigned
      ? { ...client, secret }
      : failed("Expected `client_assertion` to be signed with a key of the client's `jwks`.")
  }
  const expected = textOf(record.client_secret)
  if (expected === '' || isSecret(expected)(secret)) return { ...client, secret }
  return failed(`Expected the secret of the client "${id}", got ${secret === '' ? 'none' : 'another'}.`, '.secret')
}

function readBasic(authorization: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  const colon = pair.indexOf(':')
  return { id: decoded(pair.slice(0, Math.max(0, colon))), secret: decoded(pair.slice(colon + 1)) }
}

/** RFC 6749, 2.3.1: both are form-encoded; many clients do not. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Whether a signed text has expired for its client. */
export const isPast = (call: SignInCall, claims: JsonObject | undefined): boolean =>
  typeof claims?.exp === 'number' && claims.exp <= secondsOf(call, call.now)

/** The claims of a JWT, whoever has signed it. */
export function claimsOf(assertion: string): JsonObject | undefined {
  const claims = parseJson(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString())
  return isJsonObject(claims) ? claims : undefined
}

const keysOf = ({ jwks }: JsonObject): Json[] => (isJsonObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys : [])

function isSignedBy(assertion: string, jwk: Json): boolean {
  const [header = '', claims = '', signature = ''] = assertion.split('.')
  if (!isJsonObject(jwk)) return false
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    return verify('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, bytes)
  } catch {
    return false
  }
}

/** Registers a client (RFC 7591). */
export function registerClient(call: SignInCall): SignInAnswer {
  const { body } = call
  const addresses = textsOf(body.redirect_uris)
  const wrong = addresses.find((address) => faultOfRedirect(address) !== undefined)
  if (wrong !== undefined)
    return refuse(call, 'invalid_redirect_uri', `Failed to register "${wrong}": ${faultOfRedirect(wrong)}.`)
  const isPublic = body.token_endpoint_auth_method === 'none'
  const id = call.secret('client_', 24)
  const client = {
    ...body,
    client_id: id,
    ...(!isPublic && { client_secret: call.secret('', 48), client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(call.real / 1_000),
    grant_types: body.grant_types ?? ['authorization_code'],
    response_types: body.response_types ?? ['code'],
    token_endpoint_auth_method: body.token_endpoint_auth_method ?? 'client_secret_basic',
    redirect_uris: addresses,
  }
  call.records('clients').create({ ...client, id })
  return answerJson(client, 201)
}
