import type { Histogram } from 'prom-client'
import type { Clock } from '../../runtime/clock.ts'
import { overrideCalls } from '../store/override-calls.ts'
import { type Appended, type Store, StoreUnavailable } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** Commits without an answer that were never resolved: their requests were refused after 10 s. */
const FORGOTTEN_MS = 30_000

/** The same store, with latencies and results in the metrics. */
export function measureStore(store: Store, metrics: Metrics, clock: Clock): Store {
  /** Times of sent commits without an answer, by id. */
  const unknown = new Map<string, number>()
  const noteFound = (next: string, found: 'kept' | 'not kept' | 'nothing'): void => {
    if (unknown.delete(next)) metrics.unknownOutcomes.inc({ found })
  }
  return overrideCalls(store, {
    append: async (entries) => {
      metrics.appendEntries.observe(entries.length)
      try {
        const results = await timed(metrics.appendSeconds, () => store.append(entries))
        for (const [at, { next }] of entries.entries()) {
          const result = results[at] as Appended
          metrics.appends.inc({ result })
          if (result === 'kept') noteFound(next, 'not kept')
        }
        return results
      } catch (error) {
        const isUnknown = error instanceof StoreUnavailable
        metrics.appends.inc({ result: isUnknown ? 'unknown' : 'failed' }, entries.length)
        const now = clock.monotonic()
        for (const [next, at] of unknown) if (now - at > FORGOTTEN_MS) noteFound(next, 'nothing')
        if (isUnknown) for (const { next } of entries) unknown.set(next, now)
        throw error
      }
    },
    heads: (ids) => timed(metrics.headsSeconds, () => store.heads(ids)),
    load: async (id, after) => {
      const missed = await timed(metrics.loadSeconds, () => store.load(id, after))
      for (const { tip } of missed?.commits ?? []) noteFound(tip, 'kept')
      return missed
    },
  })
}

function timed<T>(seconds: Histogram, ask: () => Promise<T>): Promise<T> {
  const end = seconds.startTimer()
  return ask().finally(end)
}
