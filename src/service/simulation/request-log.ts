import { LIMITS } from '../../protocol/limits.ts'
import type { LogEntry } from '../../protocol/reads.ts'

/** The latest requests to one simulation. An entry is added on arrival and completed when the answer has left. */
export class RequestLog {
  #latest: LogEntry[] = []
  #arrived = 0

  /** Adds an entry under the next request id and returns it, to be completed. */
  add(entry: Omit<LogEntry, 'id'>): LogEntry {
    const added = { id: `req_${++this.#arrived}`, ...entry }
    this.#latest.push(added)
    if (this.#latest.length >= 2 * LIMITS.latestLogs) this.#latest = this.#latest.slice(-LIMITS.latestLogs)
    return added
  }

  /** The latest 100 entries, newest first. */
  read(): LogEntry[] {
    return this.#latest
      .slice(-LIMITS.latestLogs)
      .reverse()
      .map((entry) => ({ ...entry }))
  }
}
