import { LIMITS } from '../../protocol/limits.ts'
import type { LogEntry } from '../../protocol/reads.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { ApiRequest } from '../simulated-api/exchange.ts'

/** The latest requests to one simulation. An entry is added on arrival and completed when the answer has left. */
export class RequestLog {
  #latest: LogEntry[] = []
  #arrived = 0

  /** Adds an entry under the next request id and returns it, to be completed. @param at world time, milliseconds */
  add({ method, path, query, ip }: ApiRequest, at: number): LogEntry {
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
    return entry
  }

  /** The latest 100 entries, newest first. */
  read(): LogEntry[] {
    return this.#latest
      .slice(-LIMITS.latestLogs)
      .reverse()
      .map((entry) => ({ ...entry }))
  }
}
