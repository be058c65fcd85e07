import type { Clock } from '../../runtime/clock.ts'
import type { Diagnostics } from '../../runtime/diagnostics.ts'
import type { JsonLog } from './json-log.ts'
import type { Metrics } from './metrics.ts'

/** Each cause is logged once in this time, with the number of its occurrences since. */
const QUIET_MS = 10_000

/** The service's own answers of 500 and above: each is counted, and each cause is logged at most every ten seconds. */
export class Refusals {
  readonly #metrics: Metrics | undefined
  readonly #log: JsonLog
  readonly #clock: Clock
  readonly #met = new Map<string, { count: number; loggedAt: number }>()

  constructor(metrics: Metrics | undefined, log: JsonLog, clock: Clock) {
    this.#metrics = metrics
    this.#log = log
    this.#clock = clock
  }

  note({ status, error }: Diagnostics['failure']): void {
    const why = whyOf(status, error)
    this.#metrics?.refused.inc({ why })
    const now = this.#clock.monotonic()
    const met = this.#met.get(why) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
    this.#met.set(why, met)
    met.count++
    if (now - met.loggedAt < QUIET_MS) return
    const { count } = met
    Object.assign(met, { count: 0, loggedAt: now })
    if (status === 500) this.#log.error('request failed', error.cause ?? error, { count })
    else this.#log.warn('request refused', { status, why, count })
  }
}

/** One of a few causes, in the service's own words. */
function whyOf(status: number, { cause }: Error): string {
  if (status === 500) return 'internal error'
  if (typeof cause === 'string') return cause
  return status === 507 ? 'no room in the store' : 'unavailable'
}
