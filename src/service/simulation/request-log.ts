import { LIMITS } from '../../protocol/limits.ts'
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
  #latest: LogEntry[] = []
  #arrived = 0

  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Adds an entry under the next request id. @param at world time, milliseconds */
  open({ method, path, query, ip }: ApiRequest, at: number): OpenEntry {
    const arrivedAt = this.#clock.monotonic()
    const entry: LogEntry = {
      id: `req_${++this.#arrived}`,
      at: toIso(at),
      method,
      path: query === '' ? path : `${path}?${query}`,
      status: null,
      durationMs: null,
      sourceIp: ip,
      operation: null,
      ruleId: null,
      key: null,
    }
    this.#latest.push(entry)
    if (this.#latest.length >= 2 * LIMITS.latestLogs) this.#latest = this.#latest.slice(-LIMITS.latestLogs)
    return {
      trace: (trace) => Object.assign(entry, trace),
      complete: (status) => {
        entry.status = status
        entry.durationMs = Math.round((this.#clock.monotonic() - arrivedAt) * 1_000) / 1_000
      },
    }
  }

  /** The latest 100 entries, newest first. */
  read(): LogEntry[] {
    return this.#latest
      .slice(-LIMITS.latestLogs)
      .reverse()
      .map((entry) => ({ ...entry }))
  }
}
