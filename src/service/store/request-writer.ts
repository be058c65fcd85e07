import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { NewRequestRow } from './request-rows.ts'
import { type Store, StoreFull } from './store.ts'

/** How often a node whose requests other nodes may read looks whether one does; and how long what was answered waits where there are none. */
const SHARED_MS = 100
const ALONE_MS = 1_000
/** After so many looks without a reader requests are kept all the same: simulations that began together in different ones, so that no look has all the work. */
const LEAST_LOOKS = 5
const MOST_LOOKS = 10
/** How long a node waits after the store gave no answer. */
const PAUSE_MS = 1_000
/** Characters of rows that wait for a store that gives no answer; the oldest go first. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** A row without what the writer gives it. */
export type DraftedRequestRow = Omit<NewRequestRow, 'id'>

/** The requests to one simulation, to be kept. */
export interface RequestSource {
  readonly simulation: string
  /** What came since the last call, as rows. */
  takeRows(): DraftedRequestRow[]
}

/** Keeps the requests to all simulations of a node, together, when they are answered. */
export class RequestWriter {
  readonly #store: Store
  readonly #timer: WakeTimer
  /** Sets the rows of this node apart from those of others. */
  readonly node: string
  #rows = 0
  /** With the look in which each is kept at the latest. */
  readonly #sources = new Map<RequestSource, number>()
  #looks = 0
  #begun = 0
  /** Rows that the store gave no answer to. */
  #unkept: NewRequestRow[] = []
  #isPlanned = false
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()
  /** A write that has not begun. */
  #next: Promise<void> | undefined
  #latest = 0

  constructor(store: Store, { startTimer, uuid }: Pick<Runtime, 'startTimer' | 'uuid'>) {
    this.#store = store
    this.#timer = new WakeTimer(startTimer)
    this.node = uuid()
  }

  /**
   * The number of a request whose answer is about to leave: greater than that of every request, on whichever node, that was answered
   * before this one came, since its node has looked at the store's clock in between.
   */
  nextNumber(): number {
    this.#latest = Math.max(this.#latest + 1, Math.floor(this.#store.clockMs * 1_000))
    return this.#latest
  }

  /** Has what a source holds be kept soon. */
  add(source: RequestSource): void {
    if (!this.#sources.has(source)) {
      const looks = LEAST_LOOKS + (this.#begun++ % (MOST_LOOKS - LEAST_LOOKS + 1))
      this.#sources.set(source, this.#looks + looks)
    }
    if (!this.#isPlanned) this.#plan(this.#store.isShared ? SHARED_MS : ALONE_MS)
  }

  /** Keeps what was added before, if the store takes it. Never rejects. */
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

  /** Keeps what is left. */
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

  /** Keeps the requests to simulations whose log another node reads, and those that have waited for long. */
  async #look(): Promise<void> {
    const look = ++this.#looks
    const { requests } = this.#store
    // Without an answer of the store all goes on as it would without a reader.
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
      // The log is the first that a full disk does without.
      if (error instanceof StoreFull) return
      this.#unkept = youngest([...rows, ...this.#unkept])
      this.#plan(PAUSE_MS)
    }
  }

  #name(row: DraftedRequestRow): NewRequestRow {
    return { ...row, id: `${this.node}-${++this.#rows}` }
  }
}

/** The youngest rows that have room together. */
function youngest(rows: readonly NewRequestRow[]): NewRequestRow[] {
  let characters = 0
  const first = rows.findLastIndex(({ entries, details }) => {
    characters += entries.length + details.length
    return characters > MOST_CHARACTERS
  })
  return rows.slice(first + 1)
}
