import { nestPairs } from '../../protocol/form.ts'
import { getOwn, isJsonObject } from '../../protocol/json.ts'
import { isJsonType, toEssence } from '../../protocol/media-type.ts'
import type { ApiModel, Operation } from '../openapi/model.ts'
import type { SecurityScheme } from '../openapi/security-scheme.ts'
import { parsePairs } from './body/form.ts'
import { parseJson } from './body/json-text.ts'
import { type ApiRequest, isProcedurePath } from './exchange.ts'
import { readCookie } from './validation/parameters.ts'

/** Fields of a token request for the key. */
const CREDENTIAL_FIELDS = [
  'client_secret',
  'clientSecret',
  'refresh_token',
  'refreshToken',
  'code',
  'password',
  'assertion',
  'client_assertion',
  'api_key',
  'apiKey',
  'token',
  'client_id',
  'clientId',
]

const LOGIN = /(login|log-in|log_in|sign-?in|sessions?|auth\w*|tokens?|register|sign-?up|users)\/?$/i
const decoder = new TextDecoder()

/** Whether the operation needs no key. */
export function isPublic(operation: Operation): boolean {
  if (operation.effect.kind === 'token' || operation.security.length === 0) return true
  return operation.security.some((all) => all.length === 0)
}

/** The keys of a simulation. */
export interface AcceptedKeys {
  has(secret: string): boolean
}

/** The valid key of a request, or null. */
export function findKey(
  model: ApiModel,
  { operation, isLogin }: { readonly operation: Operation; readonly isLogin: boolean },
  request: ApiRequest,
  keys: AcceptedKeys,
): string | null {
  const { authorization } = request.headers
  if (authorization?.startsWith('Bearer ')) {
    const secret = authorization.slice('Bearer '.length)
    if (keys.has(secret)) return secret
  }
  if (operation.effect.kind === 'token' || isLogin) return firstKey(tokenRequestSecrets(request), keys) ?? null
  const direct = authorization === undefined ? undefined : firstKey(fromAuthorization(authorization), keys)
  return direct ?? findInPlaces(model, operation, request, keys) ?? null
}

/** Why the API itself may refuse a key that is accepted here; undefined for one that is written as the description says. */
export function explainSpelling(
  model: ApiModel,
  { security }: Operation,
  request: ApiRequest,
  key: string,
): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined || /^bearer\s/i.test(authorization)) return undefined
  const schemes = security.flat().map((name) => model.securitySchemes.get(name))
  const isAsDeclared = schemes.some((scheme) => {
    if (scheme?.kind === 'basic') return /^basic\s/i.test(authorization)
    if (scheme?.kind !== 'apiKey') return scheme === undefined || scheme.kind === 'any'
    return readScheme(scheme, request)?.includes(key) === true
  })
  if (isAsDeclared || schemes.length === 0 || ![...fromAuthorization(authorization)].includes(key)) return undefined
  const [word, ...rest] = authorization.trim().split(/\s+/)
  const sent = rest.length === 0 ? '`Authorization: <key>`' : `\`Authorization: ${word} <key>\``
  const places = [...new Set(schemes.map(describeScheme))].join(' or ')
  return `The key came as ${sent}, and the description asks for ${places}: the API itself may refuse it.`
}

/** Whether a request has anything like a key, in the usual places. */
export function showsKey(model: ApiModel, request: ApiRequest): boolean {
  if (request.headers.authorization !== undefined) return true
  return [...model.securitySchemes.values()].some((scheme) => (readScheme(scheme, request) ?? '') !== '')
}

/** The key in the places of the description's security schemes. */
function findInPlaces(
  model: ApiModel,
  operation: Operation,
  request: ApiRequest,
  keys: AcceptedKeys,
): string | undefined {
  const { authorization } = request.headers
  const places = [...model.securitySchemes].filter(([, scheme]) => scheme.kind === 'apiKey')
  const shown = new Map(places.map(([name, scheme]) => [name, readScheme(scheme, request)]))
  for (const names of [...operation.security, ...places.map(([name]) => [name])]) {
    if (isPartOfMore(operation, names)) continue
    const values = ownOf(model, names, shown).map((name) => shown.get(name) ?? authorization)
    if (values.some((value) => value === undefined)) continue
    const key = firstKey(
      values.flatMap((value) => [...fromAuthorization(value as string)]),
      keys,
    )
    if (key !== undefined) return key
  }
  return undefined
}

/** The schemes that must be there: an id and a token in headers suffice, though their set names OAuth 2.0 too. */
function ownOf(
  { securitySchemes }: ApiModel,
  names: readonly string[],
  shown: ReadonlyMap<string, string | undefined>,
): readonly string[] {
  const others = names.filter((name) => !/^(oauth2|openIdConnect)$/.test(securitySchemes.get(name)?.kind ?? ''))
  const isPair = others.length > 1 && others.every((name) => shown.get(name) !== undefined)
  return isPair ? others : names
}

/** A scheme that is only allowed together with others does not suffice alone. */
function isPartOfMore(operation: Operation, names: readonly string[]): boolean {
  const [only] = names
  if (names.length !== 1 || only === undefined) return false
  const together = operation.security.some((all) => all.length > 1 && all.includes(only))
  return together && !operation.security.some((all) => all.length === 1 && all[0] === only)
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
  operation.method === 'POST' && isPublic(operation) && LOGIN.test(operation.path)

/** The required credentials, for the message of a 401. A bearer token is always accepted. */
export function describeSecurity(model: ApiModel, operation: Operation): string {
  const names = operation.security[0] ?? [...model.securitySchemes.keys()].slice(0, 1)
  const places = names.map((name) => describeScheme(model.securitySchemes.get(name)))
  if (places.length === 0 || places.includes(BEARER)) return places.join(' and ') || BEARER
  return `${places.join(' and ')}, or as ${BEARER}`
}

/** The challenge of a 401 (RFC 9110, 11.6.1). */
export function challengeOf(model: ApiModel, operation: Operation): string {
  const schemes = operation.security.flat().map((name) => model.securitySchemes.get(name)?.kind)
  return schemes.includes('basic') ? 'Basic realm="simulation", Bearer' : 'Bearer'
}

const BEARER = '`Authorization: Bearer <key>`'

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
  for (const quoted of rest.matchAll(/[\w-]+="?([^",\s]+)"?/g)) yield quoted[1] as string
}

function readScheme(scheme: SecurityScheme, request: ApiRequest): string | undefined {
  if (scheme.kind !== 'apiKey') return request.headers.authorization
  if (scheme.in === 'header') return getOwn(request.headers, scheme.name.toLowerCase())
  if (scheme.in === 'cookie') return readCookie(request.headers.cookie ?? '', scheme.name)
  return fieldIn(request.query, scheme.name) ?? fieldIn(formIn(request), scheme.name)
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
