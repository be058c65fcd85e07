import { ApiError, invalidRequest } from '../../protocol/errors.ts'
import { grouped } from '../../protocol/grouped.ts'
import { JsonExtent } from '../../protocol/json-extent.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ManagementRequest } from '../../protocol/management-exchange.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import type { BODIES, QUERIES } from '../../protocol/requests.ts'
import { noRoom } from './error-body.ts'

/** Bounds of a body that are checked while it is read. */
export interface BodyBounds {
  readonly maxBytes: number
  readonly extent: JsonExtent
}

/** Facts about a request besides method, URL and headers. */
export interface ManagementArrival {
  /** Address of the client, canonical form. */
  readonly ip: string
  /** Scheme and authority that the client used, for links. */
  readonly origin: string
  /** Aborts when the client disconnects before the answer. */
  readonly left?: AbortSignal | undefined
  /** Reads the untouched body, within the bounds and the available room. */
  readonly readBody: (bounds: BodyBounds) => Promise<Uint8Array | 'too-large' | 'refused' | 'no-room'>
}

/** The schemas of requests take 30 ms to make, so the first query or body does. */
export const loadSchemas = () => import('../../protocol/requests.ts')

/** The query of a request. Rejects with `invalid_request`. */
export async function parseQuery(searchParams: URLSearchParams, schema: keyof typeof QUERIES): Promise<unknown> {
  const names = [...searchParams.keys()]
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) {
    const times = names.filter((name) => name === repeated).length
    throw invalidRequest(`Expected \`${repeated.slice(0, 100)}\` to be in the query once, got it ${times} times.`)
  }
  return parseRequest((await loadSchemas()).QUERIES[schema], Object.fromEntries(searchParams), 'the query')
}

/** The body of a request. Rejects with an {@link ApiError}: 400, 413, 415 or 503. */
export async function parseBody(
  headers: ManagementRequest['headers'],
  arrival: ManagementArrival,
  schema: keyof typeof BODIES,
): Promise<unknown> {
  const type = headers['content-type']
  if (type !== undefined && !isJson(type)) {
    throw new ApiError(
      415,
      'bad_request',
      `Expected \`content-type\` to be application/json, got ${type.slice(0, 100)}.`,
    )
  }
  const body = parseJson(decode(await readBounded(arrival)))
  return parseRequest((await loadSchemas()).BODIES[schema], body)
}

/** Deeper nesting would exhaust the stack of recursive functions. */
const BODY_BOUNDS = { depth: 100, names: LIMITS.managementBodyNames, values: LIMITS.bodyValues }

async function readBounded({ readBody }: ManagementArrival): Promise<Uint8Array> {
  const extent = new JsonExtent(BODY_BOUNDS)
  const body = await readBody({ maxBytes: LIMITS.managementBodyBytes, extent })
  if (typeof body !== 'string') return body
  if (body === 'no-room') throw noRoom()
  throw tooLarge(extent)
}

/** The JSON of a call in this process, within the bounds of a body that is sent. */
export function parseBodyText(text = ''): unknown {
  // A shorter text cannot exceed any bound.
  if (text.length > BODY_BOUNDS.depth) {
    const extent = new JsonExtent(BODY_BOUNDS)
    const bytes = Buffer.from(text)
    if (bytes.length > LIMITS.managementBodyBytes || !extent.take(bytes)) throw tooLarge(extent)
  }
  return parseJson(text)
}

function tooLarge({ excess }: JsonExtent): ApiError {
  if (excess !== undefined) return invalidRequest(explainExcess(excess))
  const most = grouped(LIMITS.managementBodyBytes)
  return new ApiError(413, 'invalid_request', `Expected the body to have at most ${most} bytes, got more.`)
}

function explainExcess(excess: keyof typeof BODY_BOUNDS): string {
  const most = grouped(BODY_BOUNDS[excess])
  if (excess === 'depth') return `Expected the body to be nested at most ${most} levels deep, got more.`
  if (excess === 'names') return `Expected each object of the body to have at most ${most} names, got more.`
  return `Expected the body to have at most ${most} values, got more. Split it.`
}

function isJson(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json *(;|$)/i.test(contentType.trim())
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw invalidRequest('Expected the body to be JSON in UTF-8, got other bytes.', cause)
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw invalidRequest('Expected the body to be a JSON object, got nothing.')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidRequest(`Expected the body to be JSON: ${(cause as Error).message}.`, cause)
  }
}
