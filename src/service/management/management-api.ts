import { createHash } from 'node:crypto'
import { type Endpoint, scopeOf } from '../../protocol/endpoint.ts'
import { ENDPOINTS, type EndpointId } from '../../protocol/endpoints.ts'
import { ApiError, notFound } from '../../protocol/errors.ts'
import { listEndpoints } from '../../protocol/extensions.ts'
import { percentDecoded } from '../../protocol/json-pointer.ts'
import type { ManagementAnswer, ManagementRequest } from '../../protocol/management-exchange.ts'
import type { BODIES, QUERIES } from '../../protocol/requests.ts'
import { once } from '../../runtime/once.ts'
import { callEndpoint } from './call-endpoint.ts'
import { refuse } from './error-body.ts'
import type { ServiceParts } from './handlers.ts'
import { type ManagementArrival, parseBody, parseQuery } from './read-endpoint-call.ts'

/** The management API over HTTP, as a function: no socket, no own state. */
export type ManagementApi = (request: ManagementRequest, arrival: ManagementArrival) => Promise<ManagementAnswer>

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, etag',
}
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, if-none-match, last-event-id',
  'access-control-max-age': '600',
}

/** Makes the management API of a service. Below `/v1` every request is authenticated first. */
export function createManagementApi(parts: ServiceParts): ManagementApi {
  const findPath = once(() => createFindPath(listEndpoints(parts)))
  return async (request, arrival) => {
    if (isPreflight(request)) return { status: 204, headers: PREFLIGHT, body: undefined }
    const answer = await answerTo(parts, findPath(), request, arrival).catch(refuse)
    const headers = { ...answer.headers, ...CORS, 'x-request-id': parts.runtime.uuid() }
    if (request.method !== 'HEAD') return { status: answer.status, headers, body: answer.body }
    // A HEAD answer has no body, so an event stream ends here.
    if (answer.body instanceof ReadableStream) await answer.body.cancel()
    return { status: answer.status, headers, body: undefined }
  }
}

const WHERE_ENDPOINTS_ARE =
  'GET /v1/openapi.json lists the endpoints; a simulated API answers at the `url` of its simulation.'

async function answerTo(
  parts: ServiceParts,
  findPath: FindPath,
  request: ManagementRequest,
  arrival: ManagementArrival,
): Promise<ManagementAnswer> {
  const { pathname, searchParams } = new URL(request.url)
  const found = findPath(pathname)
  const id = found?.ids.get(request.method === 'HEAD' ? 'GET' : request.method)
  const credentials = { authorization: request.headers.authorization, ip: arrival.ip }
  if (found !== undefined && id !== undefined) {
    const endpoint: Endpoint = ENDPOINTS[id]
    const account = await parts.accounts.authenticate({ ...credentials, scope: scopeOf(endpoint) })
    const { headers } = request
    const { ip, origin, left } = arrival
    const { parameters } = found
    const call = {
      ...{ account, ip, origin, left, headers, parameters },
      parseQuery: (schema: keyof typeof QUERIES) => parseQuery(searchParams, schema),
      parseBody: (schema: keyof typeof BODIES) => parseBody(headers, arrival, schema),
    }
    const answer = toAnswer(endpoint, await callEndpoint(id, call, parts))
    return endpoint.isTagged ? tagged(answer, headers['if-none-match']) : answer
  }
  if (pathname.startsWith('/v1')) await parts.accounts.authenticate({ ...credentials, scope: undefined })
  const method = request.method.slice(0, 20)
  if (found === undefined)
    return refuse(notFound(`No endpoint ${method} ${pathname.slice(0, 200)}. ${WHERE_ENDPOINTS_ARE}`))
  const methods = [...found.ids.keys()]
  const message = `Expected the method to be ${methods.join(' or ')}, got ${method}.`
  return refuse(new ApiError(405, 'bad_request', message), { allow: methods.join(', ') })
}

/** An answer with its tag; 304 without a body if the client has the current version (RFC 9110, 13.1.2). */
function tagged({ status, headers, body }: ManagementAnswer, known: string | undefined): ManagementAnswer {
  const text = typeof body === 'string' ? body : ''
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const isKnown = known === '*' || known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true
  return isKnown
    ? { status: 304, headers: { etag }, body: undefined }
    : { status, headers: { ...headers, etag, 'cache-control': 'no-cache' }, body }
}

function toAnswer({ answer, status = 200 }: Endpoint, value: unknown): ManagementAnswer {
  if (answer === undefined) return { status: 204, headers: {}, body: undefined }
  if (value instanceof ReadableStream) {
    return { status, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }, body: value }
  }
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

function isPreflight({ method, headers }: ManagementRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** The endpoints of a path. */
interface FoundPath {
  /** The endpoints at the path, by their methods. */
  readonly ids: ReadonlyMap<string, EndpointId>
  /** Parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Finds the endpoints of a path, which is percent-encoded. */
type FindPath = (path: string) => FoundPath | undefined

/** Prepares the look-up of endpoints by path. Of several matching paths, the first in the table applies. */
function createFindPath(endpoints: readonly [EndpointId, Endpoint][]): FindPath {
  const templates = [...Map.groupBy(endpoints, ([, { path }]) => path)].map(([path, rows]) => ({
    segments: path.split('/'),
    ids: new Map(rows.map(([id, { method }]) => [method as string, id])),
  }))
  return (path) => {
    const given = path.split('/').map(percentDecoded)
    for (const { segments, ids } of templates) {
      const parameters = match(segments, given)
      if (parameters !== undefined) return { ids, parameters }
    }
    return undefined
  }
}

/** The parameters of a path; undefined where it does not match the template. */
function match(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = given[at] as string
    if (segment.startsWith('{') && value !== '') parameters[segment.slice(1, -1)] = value
    else if (segment !== value) return undefined
  }
  return parameters
}
