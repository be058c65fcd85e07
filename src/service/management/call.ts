import type { z } from 'zod'
import { ApiError, badRequest, invalidRequest } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ManagementRequest } from '../../protocol/management-exchange.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import type { Account } from '../account/account.ts'

/** What comes with a request beside itself, from whoever received it. */
export interface Arrival {
  /** Address of the caller, canonical form. */
  readonly ip: string
  /** Scheme and authority that the caller used, for links. */
  readonly origin: string
  /** Reads the body, which has not been touched before; `too-large` when it has more than `maxBytes`. */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array | 'too-large'>
}

/** One authenticated request to the management API. */
export interface Call extends Arrival {
  readonly request: ManagementRequest
  readonly account: Account
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
}

/**
 * Reads and parses the JSON body of a call.
 *
 * @throws {@link ApiError} 415 `bad_request`, 413 or 400 `invalid_request`.
 */
export async function parseBody<S extends z.ZodType>(call: Call, schema: S): Promise<z.output<S>> {
  const type = call.request.headers['content-type']
  if (type !== undefined && !isJson(type)) {
    throw new ApiError(
      415,
      'bad_request',
      `Expected \`content-type\` to be application/json, got ${type.slice(0, 100)}.`,
    )
  }
  const value = parseJson(decode(await readCapped(call)))
  if (isDeeperThan(MAX_DEPTH, value)) {
    throw invalidRequest(`Expected the body to be nested at most ${MAX_DEPTH} levels deep, got more.`)
  }
  return parseRequest(schema, value)
}

/** Deepest nesting of a body: more would exhaust the stack of whoever walks it. */
const MAX_DEPTH = 100

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** Parses the query of a call; of a parameter that comes several times the last counts. */
export function parseQuery<S extends z.ZodType>(call: Call, schema: S): z.output<S> {
  const { searchParams } = new URL(call.request.url)
  return parseRequest(schema, Object.fromEntries(searchParams), 'the query')
}

async function readCapped(call: Call): Promise<Uint8Array> {
  const body = await call.readBody(LIMITS.managementBodyBytes)
  if (body !== 'too-large') return body
  const most = LIMITS.managementBodyBytes.toLocaleString('en-US')
  throw new ApiError(413, 'invalid_request', `Expected the body to have at most ${most} bytes, got more.`)
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

/** The parameter of a path. */
export function param(call: Call, name: string): string {
  const value = call.params[name]
  if (value === undefined) throw badRequest(`Expected the path to have the parameter \`${name}\`, got none.`)
  return value
}
