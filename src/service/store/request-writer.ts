import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { NewRequestRow } from './request-rows.ts'
import { type Store, StoreFull } from './store.ts'

/** Interval at which a node checks for readers on other nodes; and delay of saving answered requests without other nodes. */
const SHARED_MS = 100
const ALONE_MS = 1_000
/**
 * After this number of checks without a reader, requests are saved anyway; simulations started together get different
 * numbers, to spread the work.
 */
const LEAST_LOOKS = 5
const MOST_LOOKS = 10
/** Pause of a node after the store did not answer. */
const PAUSE_MS = 1_000
/** Most characters of rows that wait for an unavailable store; the oldest are dropped first. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** A row without the fields that the writer adds. */
export type DraftedRequestRow = Omit<NewRequestRow, 'id'>

/** The requests to one simulation, for saving. */
export interface RequestSource {
  readonly simulation: string
  /** Rows of requests since the last call. */
  takeRows(): DraftedRequestRow[]
}

/** Saves the answered requests to all simulations of a node together. */
export class RequestWriter {
  readonly #store: Store
  readonly #timer: WakeTimer
  /** Distinguishes this node's rows from others. */
  readonly node: string
  #rows = 0
  /** With the check at which each must be saved. */
  readonly #sources = new Map<RequestSource, number>()
  #looks = 0
  #begun = 0
  /** Rows without an answer of the store. */
  #unkept: NewRequestRow[] = []
  #isPlanned = false
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()
  /** A write that has not started. */
  #next: Promise<void> | undefined
  #latest = 0

  constructor(store: Store, { startTimer, uuid }: Pick<Runtime, 'startTimer' | 'uuid'>) {
    this.#store = store
    this.#timer = new WakeTimer(startTimer)
    this.node = uuid()
  }

  /**
   * The number of a request whose answer is about to be sent: greater than that of every request on any node that was
   * answered before this one arrived, since its node has read the store's clock in between.
   */
  nextNumber(): number {
    this.#latest = Math.max(this.#latest + 1, Math.floor(this.#store.clockMs * 1_000))
    return this.#latest
  }

  /** Schedules saving of a source. */
  add(source: RequestSource): void {
    if (!this.#sources.has(source)) {
      const looks = LEAST_LOOKS + (this.#begun++ % (MOST_LOOKS - LEAST_LOOKS + 1))
      this.#sources.set(source, this.#looks + looks)
    }
    if (!this.#isPlanned) this.#plan(this.#store.isShared ? SHARED_MS : ALONE_MS)
  }

  /** Saves everything added before, if the store accepts it. Never rejects. */
  flush(): Promise<void> {
    if (this.#sources.size === 0 && this.#unkept.length === 0) return this.#writing
    if (this.#next === undefined) {
      this.#next = this.#writing.then(() => {
        this.#next = undefined
        return this.#write([...this.#sources.keys()])
      })
      this.#writing = this.#next
    }
    return this.#next
  }

  /** Saves the rest. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer.stop()
    await this.flush()
  }

  #plan(ms: number): void {
    if (this.#isClosed) return
    this.#isPlanned = true
    this.#timer.wakeIn(ms, () => {
      this.#isPlanned = false
      void (this.#store.isShared ? this.#look() : this.flush())
    })
  }

  /** Saves the requests of simulations whose log another node reads, and those waiting for long. */
  async #look(): Promise<void> {
    const look = ++this.#looks
    const { requests } = this.#store
    // Without an answer of the store, it continues as without a reader.
    await this.#store.heads([...this.#sources.keys()].map(({ simulation }) => simulation)).catch(() => {})
    const isDue = ([source, latest]: [RequestSource, number]) =>
      latest <= look || requests.isFollowed(source.simulation)
    const due = [...this.#sources].filter(isDue).map(([source]) => source)
    if (due.length > 0 || this.#unkept.length > 0) this.#writing = this.#writing.then(() => this.#write(due))
    if (this.#sources.size > due.length && !this.#isPlanned) this.#plan(SHARED_MS)
  }

  async #write(sources: readonly RequestSource[]): Promise<void> {
    for (const source of sources) {
      if (!this.#sources.delete(source)) continue
      for (const row of source.takeRows()) this.#unkept.push(this.#name(row))
    }
    const rows = this.#unkept
    if (rows.length === 0) return
    this.#unkept = []
    try {
      await this.#store.requests.add(rows)
    } catch (error) {
      // On a full disk the log is dropped first.
      if (error instanceof StoreFull) return
      this.#unkept = youngest([...rows, ...this.#unkept])
      this.#plan(PAUSE_MS)
    }
  }

  #name(row: DraftedRequestRow): NewRequestRow {
    return { ...row, id: `${this.node}-${++this.#rows}` }
  }
}

/** The youngest rows within the limit. */
function youngest(rows: readonly NewRequestRow[]): NewRequestRow[] {
  let characters = 0
  const first = rows.findLastIndex(({ entries, details }) => {
    characters += entries.length + details.length
    return characters > MOST_CHARACTERS
  })
  return rows.slice(first + 1)
}
