import { ApiError } from '../protocol/errors.ts'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { sleep, startTimer } from '../runtime/timers.ts'
import { readError } from './read-error.ts'
import { faultOf, type Transport } from './transport.ts'

/** One call of the management API. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query, relative to the base URL. */
  path: string
  /** Sent as JSON when present. */
  body?: unknown
  /** Sent beside the client's own. */
  headers?: Readonly<Record<string, string>>
  /** Completes "Failed to ...", for errors that are not the service's own. */
  what: string
  /** Whether sending it twice does no more than sending it once. @default true for all methods but POST */
  repeatable?: boolean
  signal?: AbortSignal | undefined
  /** Overrides the client's limit for this call, in milliseconds. */
  timeoutMs?: number | undefined
}

/** Where calls go and how patiently. */
export interface Sender {
  baseUrl: string
  accountKey: string
  transport: Transport
  /** Longest wait for one answer, in milliseconds. */
  timeoutMs: number
  /** How often a call that failed for a passing reason is made again. */
  retries: number
}

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 5_000
const PASSING_STATUSES = new Set([429, 502, 503, 504])

/**
 * Makes one call and resolves with its 2xx answer. Rejects with the service's ApiError, or with an Error that names the
 * address. Made again: anything repeatable after a fault of the connection or a 429, 502, 503 or 504; anything else
 * only when the service did not act on it (the connection was refused, or the answer carries `Retry-After`).
 */
export async function send(sender: Sender, call: Call): Promise<ManagementAnswer> {
  if (sender.retries === 0) return attempt(sender, call)
  const { default: pRetry } = await import('p-retry')
  let waitMs = 0
  return pRetry(() => attempt(sender, call), {
    retries: sender.retries,
    minTimeout: 0,
    signal: call.signal,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!isWorthRepeating(error, call)) return false
      const asked = retryAfterOf.get(error)
      waitMs = asked ?? Math.min(FIRST_RETRY_MS * 2 ** (attemptNumber - 1), LONGEST_RETRY_MS)
      await sleep(Math.min(waitMs, LONGEST_RETRY_MS), call.signal)
      return true
    },
  })
}

/** What `Retry-After` asked for, in milliseconds, beside the error that it came with. */
const retryAfterOf = new WeakMap<Error, number>()

async function attempt(sender: Sender, call: Call): Promise<ManagementAnswer> {
  const limit = new AbortController()
  const timeoutMs = call.timeoutMs ?? sender.timeoutMs
  const cancel = startTimer(timeoutMs, () => limit.abort(new Error(`no answer within ${timeoutMs} ms`)))
  const signal = call.signal ? AbortSignal.any([limit.signal, call.signal]) : limit.signal
  try {
    const answer = await unlessAborted(sender.transport(requestFor(sender, call, signal)), signal)
    if (answer.status >= 200 && answer.status < 300) return answer
    const error = readError(answer, call.what)
    const seconds = Number(answer.headers['retry-after'] ?? Number.NaN)
    if (Number.isFinite(seconds)) retryAfterOf.set(error, seconds * 1_000)
    throw error
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason
    throw error instanceof ApiError ? error : unreachable(sender, call, error)
  } finally {
    cancel()
  }
}

/** An in-process service does not watch the signal, so the wait ends here. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function requestFor(sender: Sender, call: Call, signal: AbortSignal): ManagementRequest {
  const headers = { accept: 'application/json', ...call.headers, authorization: `Bearer ${sender.accountKey}` }
  const request = { method: call.method, url: sender.baseUrl + call.path, headers, signal }
  if (call.body === undefined) return request
  return {
    ...request,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(call.body),
  }
}

function unreachable(sender: Sender, call: Call, cause: unknown): Error {
  return new Error(
    `Failed to ${call.what}: ${factOf(cause)} (${call.method} ${sender.baseUrl}${call.path}). Check the address (BACKLOT_URL or \`service.baseUrl\`) and that the service runs.`,
    { cause },
  )
}

function factOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.message !== '') return cause.message
  return 'code' in cause ? String(cause.code) : cause.name
}

function isWorthRepeating(error: Error, call: Call): boolean {
  const repeatable = call.repeatable ?? call.method !== 'POST'
  if (error instanceof ApiError) {
    return PASSING_STATUSES.has(error.status) && (repeatable || retryAfterOf.has(error))
  }
  const fault = faultOf(error)
  return fault === 'unsent' || (fault === 'broken' && repeatable)
}
