import type { Appended, Entry, JournalMark, Store } from './store.ts'
import type { StoreSettings } from './store-options.ts'

/** Most concurrent appends of a node. With two, one is sent while the other is committed; more only make groups smaller. */
const MOST_UNDER_WAY = 2
/** The same where each entry has its own statement. */
const MOST_SINGLE = 4
/** Most entries in one append. */
const MOST_ENTRIES = 200
/** Most concurrent reads of heads by a node, and most callers of one. */
const MOST_READS = 2
const MOST_CALLERS = 5_000

/**
 * Calls of all simulations of a node: one call of the store for each turn of the event loop; what is asked meanwhile goes
 * into the next. An answer is never older than the call that asked for it.
 */
class Grouped<Asked, Answer> {
  readonly #send: (group: readonly Asked[]) => Promise<readonly Answer[]>
  readonly #most: { readonly underWay: number; readonly group: number }
  readonly #waiting: { readonly asked: Asked; readonly done: PromiseWithResolvers<Answer> }[] = []
  #underWay = 0
  #isPlanned = false

  /** @param send resolves with the answers in the order of the group */
  constructor(
    send: (group: readonly Asked[]) => Promise<readonly Answer[]>,
    most: { readonly underWay: number; readonly group: number },
  ) {
    this.#send = send
    this.#most = most
  }

  ask(asked: Asked): Promise<Answer> {
    const done = Promise.withResolvers<Answer>()
    this.#waiting.push({ asked, done })
    this.#plan()
    return done.promise
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0 || this.#underWay >= this.#most.underWay) return
    this.#isPlanned = true
    queueMicrotask(() => {
      this.#isPlanned = false
      void this.#sendNext()
      this.#plan()
    })
  }

  async #sendNext(): Promise<void> {
    const group = this.#waiting.splice(0, this.#most.group)
    this.#underWay++
    try {
      const answers = await this.#send(group.map(({ asked }) => asked))
      for (const [at, { done }] of group.entries()) done.resolve(answers[at] as Answer)
    } catch (error) {
      for (const { done } of group) done.reject(error)
    }
    this.#underWay--
    this.#plan()
  }
}

export type GroupAppend = Grouped<Entry, Appended>

/** @param append `each`: one statement per simulation */
export function groupAppends(store: Store, append: StoreSettings['append'] = 'group'): GroupAppend {
  const grouped = { underWay: MOST_UNDER_WAY, group: MOST_ENTRIES }
  const most = append === 'group' ? grouped : { underWay: MOST_SINGLE, group: 1 }
  return new Grouped((entries) => store.append(entries), most)
}

/** The heads of simulations, by id; undefined for a deleted one. */
export type GroupHeads = Grouped<string, JournalMark | undefined>

export function groupHeads(store: Store): GroupHeads {
  const read = async (ids: readonly string[]) => {
    const marks = await store.heads([...new Set(ids)])
    return ids.map((id) => marks.get(id))
  }
  return new Grouped(read, { underWay: MOST_READS, group: MOST_CALLERS })
}
