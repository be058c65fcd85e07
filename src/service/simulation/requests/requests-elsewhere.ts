import type { RequestActivity } from '../../../protocol/activity.ts'
import type { LogDetail } from '../../../protocol/reads.ts'
import { numberOfId } from './request-log.ts'
import type { StoredRequests } from './stored-requests.ts'

/** How late rows may be written, after later requests: microseconds, like numbers of requests. */
const LATE_US = 5_000_000

/** Requests to one simulation answered by other nodes, as they become known. */
export class RequestsElsewhere {
  readonly #requests: StoredRequests
  /** Ids of requests taken so far, with their numbers. */
  readonly #known = new Map<string, number>()
  /** Earlier requests are ignored. */
  readonly #from: number

  /** Ignores requests answered before. */
  constructor(requests: StoredRequests) {
    this.#requests = requests
    this.#from = requests.now
  }

  /** New requests, oldest first. A request with a delayed answer is taken after its answer. */
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
