import type { Appended, Entry, JournalMark, Store } from './store.ts'
import type { StoreSettings } from './store-options.ts'

/** Most concurrent appends of a node. With two, one is sent while the other is committed; more only make groups smaller. */
const MOST_UNDER_WAY = 2
/** The same where each entry has its own statement. */
const MOST_SINGLE = 4
/** Most entries in one append. */
const MOST_ENTRIES = 200

interface WaitingEntry {
  readonly entry: Entry
  readonly done: PromiseWithResolvers<Appended>
}

/** Appends of all simulations of a node: one append for each turn of the event loop; entries made meanwhile go into the next. */
export class GroupAppend {
  readonly #store: Store
  readonly #waiting: WaitingEntry[] = []
  #underWay = 0
  #isPlanned = false

  readonly #most: { readonly underWay: number; readonly entries: number }

  /** @param append `each`: one statement per simulation */
  constructor(store: Store, append: StoreSettings['append'] = 'group') {
    this.#store = store
    const isGrouped = append === 'group'
    this.#most = { underWay: isGrouped ? MOST_UNDER_WAY : MOST_SINGLE, entries: isGrouped ? MOST_ENTRIES : 1 }
  }

  append(entry: Entry): Promise<Appended> {
    const done = Promise.withResolvers<Appended>()
    this.#waiting.push({ entry, done })
    this.#plan()
    return done.promise
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0 || this.#underWay >= this.#most.underWay) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      void this.#send(this.#waiting.splice(0, this.#most.entries))
      this.#plan()
    })
  }

  async #send(group: readonly WaitingEntry[]): Promise<void> {
    this.#underWay++
    try {
      const results = await this.#store.append(group.map(({ entry }) => entry))
      for (const [at, { done }] of group.entries()) done.resolve(results[at] as Appended)
    } catch (error) {
      for (const { done } of group) done.reject(error)
    }
    this.#underWay--
    this.#plan()
  }
}

/** Most concurrent reads of heads by a node. */
const MOST_READS = 2
/** Most simulations in one read. */
const MOST_TOGETHER = 500

type FoundMark = PromiseWithResolvers<JournalMark | undefined>

/**
 * Reads the heads of all simulations of a node: one read for each turn of the event loop; requests made meanwhile go
 * into the next. A read is never older than the call that requested it.
 */
export class GroupHeads {
  readonly #store: Store
  /** Callers of the next read. */
  #waiting = new Map<string, FoundMark>()
  #underWay = 0
  #isPlanned = false

  constructor(store: Store) {
    this.#store = store
  }

  /** The head of a simulation; undefined for a deleted one. */
  head(id: string): Promise<JournalMark | undefined> {
    const found = this.#waiting.get(id) ?? Promise.withResolvers<JournalMark | undefined>()
    this.#waiting.set(id, found)
    this.#plan()
    return found.promise
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.size === 0 || this.#underWay >= MOST_READS) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      const group = [...this.#waiting].slice(0, MOST_TOGETHER)
      for (const [id] of group) this.#waiting.delete(id)
      void this.#look(group)
      this.#plan()
    })
  }

  async #look(group: readonly (readonly [string, FoundMark])[]): Promise<void> {
    this.#underWay++
    try {
      const marks = await this.#store.heads(group.map(([id]) => id))
      for (const [id, { resolve }] of group) resolve(marks.get(id))
    } catch (error) {
      for (const [, { reject }] of group) reject(error)
    }
    this.#underWay--
    this.#plan()
  }
}
