import { LIMITS } from '../../protocol/limits.ts'
import { maskSecrets } from '../../protocol/mask-secrets.ts'
import type { LogEntry } from '../../protocol/reads.ts'
import type { Clock } from '../../runtime/clock.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { RequestTrace } from './answer-request.ts'

/** The answer to a request, with the number of the request in the log. */
export interface LoggedAnswer {
  readonly response: ApiResponse
  readonly number: number
}

/** One request as it is kept; it becomes a {@link LogEntry} when the log is read. */
interface LoggedRequest {
  readonly number: number
  /** World time, milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly ip: string
  readonly arrivedAt: number
  trace: RequestTrace
  status: number
  /** Undefined until the answer has left, or its client has. */
  sentAt: number | undefined
}

const NO_TRACE: RequestTrace = { operation: null, ruleId: null, key: null, warnings: [] }

/** The latest requests to one simulation. An entry is added on arrival and completed when the answer has left. */
export class RequestLog {
  #latest: LoggedRequest[] = []
  #arrived = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Adds a request; returns its number. @param at world time, milliseconds */
  add({ method, path, query, ip }: ApiRequest, at: number): number {
    const number = ++this.#arrived
    const arrivedAt = this.#clock.monotonic()
    const entry = { number, at, method, path, query, ip, arrivedAt, trace: NO_TRACE, status: 500, sentAt: undefined }
    this.#latest.push(entry)
    if (this.#latest.length >= 2 * LIMITS.latestLogs) this.#latest = this.#latest.slice(-LIMITS.latestLogs)
    return number
  }

  /** Notes what a request is answered with. What response rules deliver leaves later; the rest leaves now. */
  noteAnswer(number: number, { status, delivery }: ApiResponse, trace: RequestTrace): void {
    const entry = this.#find(number)
    if (entry === undefined) return
    entry.status = status
    entry.trace = trace
    if (delivery === undefined) entry.sentAt = this.#clock.monotonic()
  }

  /** Notes that the answer to a request has left, or its client has. */
  noteSent(number: number): void {
    const entry = this.#find(number)
    if (entry !== undefined) entry.sentAt = this.#clock.monotonic()
  }

  /** The latest 100 entries, newest first. */
  read(): LogEntry[] {
    return this.#latest.slice(-LIMITS.latestLogs).reverse().map(toLogEntry)
  }

  #find(number: number): LoggedRequest | undefined {
    return this.#latest[this.#latest.length - 1 - (this.#arrived - number)]
  }
}

function toLogEntry(entry: LoggedRequest): LogEntry {
  const { number, at, method, path, query, ip, arrivedAt, trace, status, sentAt } = entry
  return {
    id: `req_${number}`,
    at: toIso(at),
    method,
    path: maskSecrets(query === '' ? path : `${path}?${query}`),
    status: sentAt === undefined ? null : status,
    durationMs: sentAt === undefined ? null : Math.round((sentAt - arrivedAt) * 1_000) / 1_000,
    sourceIp: ip,
    ...trace,
    warnings: trace.warnings.map(maskSecrets),
  }
}
