import { LIMITS } from '../../protocol/limits.ts'
import { maskSecrets } from '../../protocol/mask-secrets.ts'
import type { LogEntry } from '../../protocol/reads.ts'
import type { Clock } from '../../runtime/clock.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { ApiRequest } from '../simulated-api/exchange.ts'
import type { GateTrace } from './request-gate.ts'

/** A request whose answer has not left yet. */
export interface OpenEntry {
  /** Adds what became known of the request on its way. */
  trace(trace: GateTrace): void
  /** To be called when the answer has left. */
  complete(status: number): void
}

/** The latest requests to one simulation. An entry is added on arrival and completed when the answer has left. */
export class RequestLog {
  #latest: LoggedRequest[] = []
  #arrived = 0
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Adds an entry under the next request id. @param at world time, milliseconds */
  open(request: ApiRequest, at: number): OpenEntry {
    const entry = new LoggedRequest(request, { number: ++this.#arrived, at, clock: this.#clock })
    this.#latest.push(entry)
    if (this.#latest.length >= 2 * LIMITS.latestLogs) this.#latest = this.#latest.slice(-LIMITS.latestLogs)
    return entry
  }

  /** The latest 100 entries, newest first. */
  read(): LogEntry[] {
    return this.#latest
      .slice(-LIMITS.latestLogs)
      .reverse()
      .map((entry) => entry.read())
  }
}

const NO_TRACE: GateTrace = { operation: null, ruleId: null, key: null, warnings: [] }

/** One request as it is kept: written out only when somebody reads the log. */
class LoggedRequest implements OpenEntry {
  readonly #method: string
  readonly #path: string
  readonly #query: string
  readonly #ip: string
  readonly #number: number
  readonly #at: number
  readonly #clock: Clock
  readonly #arrivedAt: number
  #trace = NO_TRACE
  #status: number | null = null
  #sentAt = 0

  constructor(request: ApiRequest, { number, at, clock }: { number: number; at: number; clock: Clock }) {
    this.#method = request.method
    this.#path = request.path
    this.#query = request.query
    this.#ip = request.ip
    this.#number = number
    this.#at = at
    this.#clock = clock
    this.#arrivedAt = clock.monotonic()
  }

  trace(trace: GateTrace): void {
    this.#trace = trace
  }

  complete(status: number): void {
    this.#status = status
    this.#sentAt = this.#clock.monotonic()
  }

  read(): LogEntry {
    const isSent = this.#status !== null
    return {
      id: `req_${this.#number}`,
      at: toIso(this.#at),
      method: this.#method,
      path: maskSecrets(this.#query === '' ? this.#path : `${this.#path}?${this.#query}`),
      status: this.#status,
      durationMs: isSent ? Math.round((this.#sentAt - this.#arrivedAt) * 1_000) / 1_000 : null,
      sourceIp: this.#ip,
      ...this.#trace,
      warnings: this.#trace.warnings.map(maskSecrets),
    }
  }
}
