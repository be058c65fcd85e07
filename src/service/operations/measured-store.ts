import type { Clock } from '../../runtime/clock.ts'
import { overrideCalls } from '../store/override-calls.ts'
import {
  type Appended,
  type Entry,
  type JournalMark,
  type Missed,
  type Store,
  StoreUnavailable,
} from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** Commits without an answer that were never resolved: their requests were refused after 10 s. */
const FORGOTTEN_MS = 30_000

/** The same store, with latencies and results in the metrics. */
export function measureStore(store: Store, metrics: Metrics, clock: Clock): Store {
  const measured = new MeasuredCalls(store, metrics, clock)
  return overrideCalls(store, {
    append: (entries) => measured.append(entries),
    heads: (ids) => measured.heads(ids),
    load: (id, after) => measured.load(id, after),
  })
}

class MeasuredCalls {
  readonly #store: Store
  readonly #metrics: Metrics
  readonly #clock: Clock
  /** Times of sent commits without an answer, by id. */
  readonly #unknown = new Map<string, number>()

  constructor(store: Store, metrics: Metrics, clock: Clock) {
    this.#store = store
    this.#metrics = metrics
    this.#clock = clock
  }

  async append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    const { appendSeconds, appendEntries, appends } = this.#metrics
    const end = appendSeconds.startTimer()
    appendEntries.observe(entries.length)
    try {
      const results = await this.#store.append(entries)
      for (const [at, { next }] of entries.entries()) {
        const result = results[at] as Appended
        appends.inc({ result })
        if (result === 'kept') this.#find(next, 'not kept')
      }
      return results
    } catch (error) {
      appends.inc({ result: error instanceof StoreUnavailable ? 'unknown' : 'failed' }, entries.length)
      if (error instanceof StoreUnavailable) this.#noteUnknown(entries)
      throw error
    } finally {
      end()
    }
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> {
    const end = this.#metrics.headsSeconds.startTimer()
    try {
      return await this.#store.heads(ids)
    } finally {
      end()
    }
  }

  async load(id: string, after: JournalMark | undefined): Promise<Missed | undefined> {
    const end = this.#metrics.loadSeconds.startTimer()
    try {
      const missed = await this.#store.load(id, after)
      for (const { tip } of missed?.commits ?? []) this.#find(tip, 'kept')
      return missed
    } finally {
      end()
    }
  }

  #noteUnknown(entries: readonly Entry[]): void {
    const now = this.#clock.monotonic()
    for (const [next, at] of this.#unknown) if (now - at > FORGOTTEN_MS) this.#find(next, 'nothing')
    for (const { next } of entries) this.#unknown.set(next, now)
  }

  #find(next: string, found: 'kept' | 'not kept' | 'nothing'): void {
    if (this.#unknown.delete(next)) this.#metrics.unknownOutcomes.inc({ found })
  }
}
