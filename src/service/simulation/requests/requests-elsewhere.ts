import type { RequestActivity } from '../../../protocol/activity.ts'
import type { LogDetail } from '../../../protocol/reads.ts'
import { numberOfId } from './log-selection.ts'
import type { StoredRequests } from './stored-requests.ts'

/** How far back rows may yet be written whose requests were answered before others that are known: microseconds, as numbers of requests are. */
const LATE_US = 5_000_000

/** Requests to one simulation that other nodes answer, as they become known. */
export class RequestsElsewhere {
  readonly #requests: StoredRequests
  /** Requests that were taken, by their ids, and their numbers. */
  readonly #known = new Map<string, number>()
  /** No request before it is wanted. */
  readonly #from: number

  /** Knows nothing of what was answered before. */
  constructor(requests: StoredRequests) {
    this.#requests = requests
    this.#from = requests.now
  }

  /** Those that were not taken before, oldest first. A request whose answer is held back is taken when that has left. */
  async take(): Promise<RequestActivity[]> {
    const after = Math.max(this.#from, ...this.#known.values()) - LATE_US
    const found = (await this.#requests.readOfOthers(Math.max(this.#from, after))).filter(
      ({ id, status }) => status !== null && !this.#known.has(id),
    )
    for (const { id } of found) this.#known.set(id, numberOfId(id) ?? 0)
    for (const [id, number] of this.#known) if (number < after) this.#known.delete(id)
    return found.map(toActivity)
  }
}

function toActivity({ request: _request, response: _response, changes, ...entry }: LogDetail): RequestActivity {
  return { ...entry, changes: changes.map(({ id }) => id) }
}
