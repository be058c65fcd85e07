import type { JournalMark, Store } from './store.ts'

/** Looks at heads of a node that are under way at a time. */
const MOST_UNDER_WAY = 2
/** Simulations that are looked at together at most. */
const MOST_TOGETHER = 500

type FoundMark = PromiseWithResolvers<JournalMark | undefined>

/**
 * Looks at the heads of all simulations of a node: those of one turn go together, and what comes meanwhile goes with the next. What a look
 * shows is never older than the call that asked for it.
 */
export class GroupHeads {
  readonly #store: Store
  /** Who waits for a look that was not sent yet. */
  #waiting = new Map<string, FoundMark>()
  #underWay = 0
  #isPlanned = false

  constructor(store: Store) {
    this.#store = store
  }

  /** The head of a simulation; undefined where it is gone. */
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
