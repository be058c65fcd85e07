import { nestPairs } from '../../protocol/form.ts'
import { getOwn, isJsonObject, jsonOr } from '../../protocol/json.ts'
import { isJsonType, toEssence } from '../../protocol/media-type.ts'
import type { ApiModel, Operation, SecurityScheme } from '../openapi/model.ts'
import { parsePairs } from './body/form.ts'
import { parseJson } from './body/json-text.ts'
import { type ApiRequest, isProcedurePath } from './exchange.ts'
import { readCookie } from './validation/parameters.ts'

/** Fields of a token request for the key. */
const CREDENTIAL_FIELDS =
  `client_secret clientSecret refresh_token refreshToken code password assertion client_assertion api_key apiKey
  token client_id clientId`.split(/\s+/)

const LOGIN = /(login|log-in|log_in|sign-?in|sessions?|auth\w*|tokens?|register|sign-?up|users)\/?$/i
const decoder = new TextDecoder()

/** Whether the operation needs no key. */
export function isPublic(operation: Operation): boolean {
  const { kind } = operation.effect
  if (kind === 'signIn' || operation.security.length === 0) return true
  return operation.security.some((all) => all.length === 0)
}

/** The keys of a simulation. */
export interface AcceptedKeys {
  has(secret: string): boolean
}

/** The valid key of a request in the declared places, or null. */
export function findKey(
  model: ApiModel,
  { operation, isLogin }: { readonly operation: Operation; readonly isLogin: boolean },
  request: ApiRequest,
  keys: AcceptedKeys,
): string | null {
  const key = isLogin ? firstKey(tokenRequestSecrets(request), keys) : findInPlaces(model, operation, request, keys)
  return key ?? null
}

/** The valid key of a request in any usual place and form, or null. */
export function findKeyAnywhere(model: ApiModel, request: ApiRequest, keys: AcceptedKeys): string | null {
  const shown = [ANY_SCHEME, ...model.securitySchemes.values()].map((scheme) => readScheme(scheme, request) ?? '')
  return (
    firstKey(
      shown.flatMap((value) => [...fromAuthorization(value)]),
      keys,
    ) ?? null
  )
}

/** What a request has of a key in the usual places, without its middle; undefined without any. */
export function findMaskedKey(model: ApiModel, request: ApiRequest): string | undefined {
  const inSchemes = [...model.securitySchemes.values()].map((scheme) => readScheme(scheme, request))
  const shown = [request.headers.authorization, ...inSchemes].find((value) => value !== undefined && value !== '')
  const key = shown?.split(' ').at(-1)
  return key?.replace(key.length < 16 ? /./g : /(?<=.{8}).(?=.{4})/g, '*')
}

/** The key in the declared places of an alternative. A set needs a value in each of its places. */
function findInPlaces(
  model: ApiModel,
  { security }: Operation,
  request: ApiRequest,
  keys: AcceptedKeys,
): string | undefined {
  for (const names of security) {
    const [only, more] = names
    const secrets =
      only === undefined || more !== undefined
        ? secretsOfSet(model, names, request)
        : secretsOf(model.securitySchemes.get(only) ?? ANY_SCHEME, request)
    const key = firstKey(secrets, keys)
    if (key !== undefined) return key
  }
  return undefined
}

/** What is sent in the places of a set of schemes; nothing where one of them is missing. */
function secretsOfSet(model: ApiModel, names: readonly string[], request: ApiRequest): readonly string[] {
  const shown = names.map((name) => {
    const scheme = model.securitySchemes.get(name) ?? ANY_SCHEME
    return { scheme, secrets: secretsOf(scheme, request) }
  })
  // An id and a token in headers suffice, though their set names OAuth 2.0 too.
  const others = shown.filter(({ scheme }) => scheme.kind !== 'oauth2' && scheme.kind !== 'openIdConnect')
  const areBoth = others.length > 1 && others.every(({ secrets }) => secrets.length > 0)
  const needed = areBoth ? others : shown
  return needed.some(({ secrets }) => secrets.length === 0) ? [] : needed.flatMap(({ secrets }) => secrets)
}

/** What is sent in the place of a scheme, without the words that belong before it. */
function secretsOf(scheme: SecurityScheme, request: ApiRequest): readonly string[] {
  const value = readScheme(scheme, request)
  if (value === undefined || value === '') return []
  if (scheme.kind === 'apiKey' && scheme.name.toLowerCase() !== 'authorization') return [value]
  // The description does not say which word is before the key.
  if (scheme.kind === 'any' || scheme.kind === 'apiKey') return [...fromAuthorization(value)]
  if (scheme.kind === 'basic') return /^basic\s/i.test(value) ? [...fromAuthorization(value)] : []
  const [, secret] = /^bearer +(.+)$/i.exec(value) ?? []
  return secret === undefined ? [] : [secret]
}

function firstKey(secrets: Iterable<string>, keys: AcceptedKeys): string | undefined {
  for (const secret of secrets) if (keys.has(secret)) return secret
  return undefined
}

/** Secrets in a token request or a login: in headers, and in the body as a secret or a password. */
function* tokenRequestSecrets(request: ApiRequest): Generator<string> {
  const { authorization } = request.headers
  if (authorization !== undefined) yield* fromAuthorization(authorization)
  yield* secretsIn(readTokenRequest(request), 0)
}

function* secretsIn(fields: Readonly<Record<string, unknown>>, depth: number): Generator<string> {
  for (const name of CREDENTIAL_FIELDS) if (typeof fields[name] === 'string') yield fields[name]
  for (const value of depth < 2 ? Object.values(fields) : []) {
    if (isJsonObject(value)) yield* secretsIn(value, depth + 1)
  }
}

/** Whether an operation is a login: public, and answering with a token for the key as password. */
export const isLogin = (operation: Operation): boolean =>
  operation.effect.kind !== 'signIn' && operation.method === 'POST' && isPublic(operation) && LOGIN.test(operation.path)

/** The places of the key, for the message of a 401. */
export function describeSecurity(model: ApiModel, { security }: Operation): string {
  const places = security.map((names) =>
    names.map((name) => describeScheme(model.securitySchemes.get(name))).join(' and '),
  )
  return [...new Set(places)].join(' or ')
}

/** The challenge of a 401 (RFC 9110, 11.6.1). */
export function challengeOf(model: ApiModel, { security }: Operation): string {
  const kinds = security.flat().map((name) => model.securitySchemes.get(name)?.kind)
  return [...new Set(kinds.map((kind) => (kind && CHALLENGES[kind]) ?? 'Bearer'))].join(', ')
}

const CHALLENGES: Partial<Record<SecurityScheme['kind'], string>> = {
  basic: 'Basic realm="simulation"',
  apiKey: 'ApiKey realm="simulation"',
}
const BEARER = '`Authorization: Bearer <key>`'
const ANY_SCHEME: SecurityScheme = { kind: 'any' }

function describeScheme(scheme: SecurityScheme | undefined): string {
  if (scheme?.kind === 'basic') return '`Authorization: Basic base64(<key>:)`'
  if (scheme?.kind !== 'apiKey') return BEARER
  if (scheme.in === 'header') return `the header \`${scheme.name}: <key>\``
  return scheme.in === 'query' ? `the query parameter \`${scheme.name}=<key>\`` : `the cookie \`${scheme.name}=<key>\``
}

/** `Bearer x`, `token x`, `Basic base64(user:password)`, `Key="x"`, or the bare secret. */
function* fromAuthorization(value: string): Generator<string> {
  const trimmed = value.trim()
  yield trimmed
  const split = trimmed.search(/\s/)
  if (split === -1) return
  const scheme = trimmed.slice(0, split).toLowerCase()
  const rest = trimmed.slice(split).trim()
  if (scheme === 'basic') {
    const pair = Buffer.from(rest, 'base64').toString('utf8')
    const colon = pair.indexOf(':')
    yield colon === -1 ? pair : pair.slice(0, colon)
    if (colon !== -1) yield pair.slice(colon + 1)
    return
  }
  yield rest
  yield* issuerIn(rest)
  for (const quoted of rest.matchAll(/[\w-]+="?([^",\s]+)"?/g)) yield quoted[1] as string
}

/** The issuer of a token that an app has signed with its own key (RFC 7519): where apps name their id, tests name the key. */
function* issuerIn(token: string): Generator<string> {
  const [, claims] = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+$/.exec(token) ?? []
  const read = claims === undefined ? undefined : jsonOr(Buffer.from(claims, 'base64url').toString(), undefined)
  const issuer = read !== undefined && isJsonObject(read) ? read.iss : undefined
  if (typeof issuer === 'string') yield issuer
}

function readScheme(scheme: SecurityScheme, request: ApiRequest): string | undefined {
  if (scheme.kind !== 'apiKey') return request.headers.authorization
  if (scheme.in === 'header') return getOwn(request.headers, scheme.name.toLowerCase())
  if (scheme.in === 'cookie') return readCookie(request.headers.cookie ?? '', scheme.name)
  return (
    fieldIn(request.query, scheme.name) ?? fieldIn(formIn(request), scheme.name) ?? fieldOfJson(request, scheme.name)
  )
}

const fieldIn = (pairs: string, name: string): string | undefined =>
  pairs === '' ? undefined : parsePairs(pairs).find(([own]) => own === name)?.[1]

/** A form as a query: arguments of a remote procedure may be there. */
const formIn = ({ headers, body, path }: ApiRequest): string =>
  body.length > 0 &&
  isProcedurePath(path) &&
  toEssence(headers['content-type'] ?? '') === 'application/x-www-form-urlencoded'
    ? decoder.decode(body)
    : ''

/** A field of a JSON body: remote procedures take their key there, as a client without headers of its own sends it. */
function fieldOfJson(request: ApiRequest, name: string): string | undefined {
  if (!isJsonType(toEssence(request.headers['content-type'] ?? ''))) return undefined
  const value = readTokenRequest(request)[name]
  return typeof value === 'string' ? value : undefined
}

function readTokenRequest(request: ApiRequest): Record<string, unknown> {
  if (request.body.length === 0) return {}
  const text = decoder.decode(request.body)
  try {
    if (!isJsonType(toEssence(request.headers['content-type'] ?? ''))) return nestPairs(parsePairs(text))
    return Object(parseJson(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}
