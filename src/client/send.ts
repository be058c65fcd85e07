import { ApiError } from '../protocol/errors.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import { sleep, startTimer } from '../runtime/timers.ts'
import type { Transport } from './transports.ts'

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

/** A call for the error of a missing answer. */
interface UnansweredCall {
  /** Completes "Failed to ...", for errors that do not come from the service. */
  readonly what: string
  readonly request: { readonly method: string; readonly url: string }
}

/** A request of the client, with timeout and retries. */
interface Sending extends UnansweredCall {
  readonly transport: Transport
  readonly request: Omit<ManagementRequest, 'signal'>
  /** Whether a second sending has no further effect. */
  readonly repeatable: boolean
  /** Number of retries after a temporary failure. */
  readonly retries: number
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 5_000
const PASSING_STATUSES = new Set([429, 502, 503, 504])

/**
 * Sends one request and resolves with its 2xx answer. Rejects with the service's ApiError, or with an Error that names
 * the address. Retries repeatable requests after a connection fault or a 429, 502, 503 or 504; others only when the
 * service did not act (the connection was refused, or the answer has `Retry-After`).
 */
export async function send(sending: Sending): Promise<ManagementAnswer> {
  const { retries, signal } = sending
  if (retries === 0) return attempt(sending)
  const { default: pRetry } = await import('p-retry')
  return pRetry(() => attempt(sending), {
    retries,
    signal,
    // Our code waits: the service may ask for a delay with `Retry-After`.
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!isWorthRepeating(error, sending)) return false
      const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
      const waitMs = asked === undefined ? FIRST_RETRY_MS * 2 ** (attemptNumber - 1) : asked * 1_000
      await sleep(Math.min(waitMs, LONGEST_RETRY_MS), signal)
      return true
    },
  })
}

async function attempt(sending: Sending): Promise<ManagementAnswer> {
  const { transport, request, what } = sending
  try {
    const answer = await withinTime(sending, (signal) => transport({ ...request, signal }))
    if (answer.status >= 200 && answer.status < 300) return answer
    throw readError(answer, what)
  } catch (error) {
    throw error instanceof ApiError || sending.signal?.aborted ? error : explainUnreachable(sending, error)
  }
}

/** Runs `call` for at most `timeoutMs`. Rejects with the reason of `signal` once that is aborted. */
export async function withinTime<T>(
  { timeoutMs, signal: given }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const cancel = startTimer(timeoutMs, () =>
    limit.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
  )
  const signal = given ? AbortSignal.any([limit.signal, given]) : limit.signal
  try {
    return await unlessAborted(call(signal), signal)
  } catch (error) {
    throw given?.aborted ? given.reason : error
  } finally {
    cancel()
  }
}

/** A service in this process ignores the signal, so the wait ends here. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Converts an answer other than 2xx into its error. The only place where a body becomes an error. */
function readError({ status, headers, body }: ManagementAnswer, what: string): ApiError {
  const text = typeof body === 'string' ? body : ''
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  const options = {
    requestId: headers['x-request-id'],
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  }
  const found = parseErrorBody(text)
  if (found) return new ApiError(status, found.code, found.message, options)
  const shown = text.trim() === '' ? 'an empty body' : JSON.stringify(text.trim().slice(0, 200))
  return new ApiError(
    status,
    'unreadable_error',
    `Failed to ${what}: the answer is ${status} with ${shown}. Expected { error: { code, message } }; check that the base URL is that of a simulation service.`,
    options,
  )
}

function parseErrorBody(text: string): { code: string; message: string } | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const error = isJsonObject(body) ? body.error : undefined
  if (!isJsonObject(error) || typeof error.code !== 'string') return undefined
  return { code: error.code, message: typeof error.message === 'string' ? error.message : error.code }
}

/** The error of a call without an answer. */
export function explainUnreachable({ what, request }: UnansweredCall, cause: unknown): Error {
  const step = cause instanceof Error && cause.name === 'TimeoutError' ? RAISE_LIMIT : CHECK_ADDRESS
  return new Error(`Failed to ${what}: ${factOf(cause)} (${request.method} ${request.url}). ${step}`, { cause })
}

const RAISE_LIMIT =
  'Raise `timeoutMs` if the service or this machine is busy, or check the address (BACKLOT_URL or `service.baseUrl`).'
const CHECK_ADDRESS = 'Check the address (BACKLOT_URL or `service.baseUrl`) and that the service runs.'

function factOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.message !== '') return cause.message
  return 'code' in cause ? String(cause.code) : cause.name
}

function isWorthRepeating(error: unknown, { repeatable }: Sending): boolean {
  if (error instanceof ApiError) {
    return PASSING_STATUSES.has(error.status) && (repeatable || error.retryAfterSeconds !== undefined)
  }
  const fault = faultOf(error)
  return fault === 'unsent' || (fault === 'broken' && repeatable)
}

/** Errors before a connection was made: the service cannot have seen the request. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Errors of a broken connection: the service may have acted on the request. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])

/** Whether a call failed before the service could see it. */
export const wasNeverSent = (error: unknown): boolean => isConnectTimeout(error) || faultOf(error) === 'unsent'

/** After a timeout of the connection, another call would time out too: it is not retried. */
const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') || isConnectTimeout(error.cause))

/** `unsent` and `broken` are connection faults, `other` is anything else. */
function faultOf(error: unknown): 'unsent' | 'broken' | 'other' {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (NEVER_SENT.has(code)) return 'unsent'
    if (BROKEN.has(code)) return 'broken'
    const isUnsent = (inner: unknown) => faultOf(inner) === 'unsent'
    if (cause instanceof AggregateError && cause.errors.length > 0 && cause.errors.every(isUnsent)) return 'unsent'
  }
  return 'other'
}
