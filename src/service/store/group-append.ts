import type { Appended, Entry, Store } from './store.ts'

/** Appends of a node that are under way at a time. Two let one be sent while the other is kept; more only make groups smaller. */
const MOST_UNDER_WAY = 2
/** Entries that go together at most. */
const MOST_ENTRIES = 200

interface WaitingEntry {
  readonly entry: Entry
  readonly done: PromiseWithResolvers<Appended>
}

/** Appends of all simulations of a node: those of one turn go together, and what comes meanwhile joins the next. */
export class GroupAppend {
  readonly #store: Store
  readonly #waiting: WaitingEntry[] = []
  #underWay = 0
  #isPlanned = false

  constructor(store: Store) {
    this.#store = store
  }

  append(entry: Entry): Promise<Appended> {
    const done = Promise.withResolvers<Appended>()
    this.#waiting.push({ entry, done })
    this.#plan()
    return done.promise
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0 || this.#underWay >= MOST_UNDER_WAY) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      void this.#send(this.#waiting.splice(0, MOST_ENTRIES))
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
