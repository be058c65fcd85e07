import type { JournalMark, Store } from './store.ts'

/** Most concurrent reads of heads by a node. */
const MOST_UNDER_WAY = 2
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
    if (this.#isPlanned || this.#waiting.size === 0 || this.#underWay >= MOST_UNDER_WAY) return
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
