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
 *
 * @param send resolves with the answers in the order of the group
 */
function grouped<Asked, Answer>(
  send: (group: readonly Asked[]) => Promise<readonly Answer[]>,
  most: { readonly underWay: number; readonly group: number },
): (asked: Asked) => Promise<Answer> {
  const waiting: { readonly asked: Asked; readonly done: PromiseWithResolvers<Answer> }[] = []
  let underWay = 0
  let isPlanned = false
  const plan = (): void => {
    if (isPlanned || waiting.length === 0 || underWay >= most.underWay) return
    isPlanned = true
    queueMicrotask(() => {
      isPlanned = false
      void sendNext()
      plan()
    })
  }
  const sendNext = async (): Promise<void> => {
    const group = waiting.splice(0, most.group)
    underWay++
    try {
      const answers = await send(group.map(({ asked }) => asked))
      for (const [at, { done }] of group.entries()) done.resolve(answers[at] as Answer)
    } catch (error) {
      for (const { done } of group) done.reject(error)
    }
    underWay--
    plan()
  }
  return (asked) => {
    const done = Promise.withResolvers<Answer>()
    waiting.push({ asked, done })
    plan()
    return done.promise
  }
}

/** Appends an entry, with others in one call of the store. */
export type Append = (entry: Entry) => Promise<Appended>

/** @param append `each`: one statement per simulation */
export function groupAppends(store: Store, append: StoreSettings['append'] = 'group'): Append {
  const together = { underWay: MOST_UNDER_WAY, group: MOST_ENTRIES }
  return grouped(
    (entries) => store.append(entries),
    append === 'group' ? together : { underWay: MOST_SINGLE, group: 1 },
  )
}

/** The head of a simulation, by its id; undefined for a deleted one. */
export type ReadHead = (id: string) => Promise<JournalMark | undefined>

export function groupHeads(store: Store): ReadHead {
  const read = async (ids: readonly string[]) => {
    const marks = await store.heads([...new Set(ids)])
    return ids.map((id) => marks.get(id))
  }
  return grouped(read, { underWay: MOST_READS, group: MOST_CALLERS })
}
