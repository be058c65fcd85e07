import { LIMITS } from '../../../src/protocol/limits.ts'
import type {
  Appended,
  Commit,
  Created,
  Entry,
  JournalMark,
  Missed,
  NewSimulation,
  SavedState,
  SimulationName,
  StateAt,
  Store,
  StoredSimulation,
} from '../../../src/service/store/store.ts'
import { MemoryLedger } from './memory-ledger.ts'
import { MemoryRequests } from './memory-requests.ts'
import { MemoryWork } from './memory-work.ts'

/** One stored simulation. */
interface Held {
  readonly simulation: StoredSimulation
  mark: JournalMark
  state: StateAt
  /** Since the state, oldest first. */
  commits: Commit[]
  hold: { readonly id: string; readonly until: number } | undefined
  readonly saved: Map<number, SavedState>
  savedCount: number
  usedAt: number
}

/** A store without a disk, for tests: the shortest implementation for several nodes. */
export class MemoryStore implements Store {
  readonly isShared = true
  readonly offsetMs = 0
  readonly work: MemoryWork
  readonly requests: MemoryRequests
  readonly ledger = new MemoryLedger((account) => this.#of(account).length)
  readonly #now: () => number
  readonly #held = new Map<string, Held>()
  readonly #descriptions = new Map<string, string>()
  #clockMs = 0

  constructor(clock: { now: () => number }) {
    this.#now = () => clock.now()
    this.work = new MemoryWork(this.#now)
    this.requests = new MemoryRequests(this.#now, (id) => this.#held.has(id))
  }

  /** Two reads never return the same time. */
  get clockMs(): number {
    this.#clockMs = Math.max(this.#now(), this.#clockMs + 0.001)
    return this.#clockMs
  }

  async create({ descriptionText, state, ...simulation }: NewSimulation, most: number, priceUsd = 0): Promise<Created> {
    if (this.#of(simulation.account).length >= most) return 'plan limit'
    if (this.#bySlug(simulation.slug) !== undefined) return 'slug taken'
    if (priceUsd > 0 && !(await this.ledger.addCredit(simulation.account, -priceUsd))) return 'no credit'
    this.#descriptions.set(simulation.description, descriptionText)
    const saved = new Map<number, SavedState>()
    const { head, tip } = state
    this.#held.set(simulation.id, {
      simulation,
      mark: { head, tip },
      state,
      commits: [],
      hold: undefined,
      saved,
      savedCount: 0,
      usedAt: this.#now(),
    })
    return 'created'
  }

  async find(by: SimulationName): Promise<StoredSimulation | undefined> {
    if ('id' in by) return this.#held.get(by.id)?.simulation
    if ('slug' in by) return this.#bySlug(by.slug)
    const found = [this.#held.get(by.idOrSlug)?.simulation, this.#bySlug(by.idOrSlug)]
    return found.find((simulation) => simulation?.account === by.account)
  }

  async list(account: string): Promise<readonly StoredSimulation[]> {
    return this.#of(account)
  }

  async count(account: string): Promise<number> {
    return this.#of(account).length
  }

  async load(id: string, after: JournalMark | undefined): Promise<Missed | undefined> {
    const held = this.#held.get(id)
    if (held === undefined) return undefined
    const { state, commits } = held
    const known = [state, ...commits].findIndex(({ head, tip }) => head === after?.head && tip === after.tip)
    return known === -1 ? { state, commits: [...commits] } : { commits: commits.slice(known) }
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> {
    return new Map(ids.flatMap((id) => this.#markOf(id) ?? []))
  }

  async append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    return entries.map((entry) => this.#append(entry))
  }

  async hold(id: string, from: JournalMark, hold: string, ms: number): Promise<Appended> {
    const held = this.#held.get(id)
    const refused = this.#refuse(held, from, hold)
    if (held === undefined || refused !== undefined) return refused ?? 'gone'
    held.hold = { id: hold, until: this.#now() + ms }
    return 'kept'
  }

  async compact(id: string, state: StateAt): Promise<void> {
    const held = this.#held.get(id)
    if (held === undefined || held.state.head >= state.head) return
    const known = held.commits.find(({ head, tip }) => head === state.head && tip === state.tip)
    if (known === undefined) return
    held.state = state
    held.commits = held.commits.filter(({ head }) => head > state.head)
  }

  async remove(id: string): Promise<void> {
    this.#held.delete(id)
    this.work.forget(id)
    this.requests.forget(id)
  }

  async noteUses(ids: readonly string[], at: number): Promise<void> {
    for (const id of ids) {
      const held = this.#held.get(id)
      if (held !== undefined) held.usedAt = Math.max(held.usedAt, at)
    }
  }

  async owners(): Promise<readonly string[]> {
    return [...new Set([...this.#held.values()].map(({ simulation }) => simulation.account))]
  }

  async removeIdle(account: string, before: number, most: number): Promise<readonly string[]> {
    const idle = this.#of(account).filter(({ id }) => (this.#held.get(id)?.usedAt ?? before) < before)
    const ids = idle.slice(0, most).map(({ id }) => id)
    for (const id of ids) await this.remove(id)
    return ids
  }

  async description(hash: string): Promise<string | undefined> {
    return this.#descriptions.get(hash)
  }

  async save(id: string, saved: SavedState): Promise<number> {
    const held = this.#held.get(id)
    if (held === undefined) return 0
    held.saved.set(++held.savedCount, saved)
    held.saved.delete(held.savedCount - LIMITS.snapshots)
    return held.savedCount
  }

  async saved(id: string, number: number): Promise<{ dump?: string; first: number; last: number }> {
    const held = this.#held.get(id)
    const dump = held?.saved.get(number)?.dump
    const [first = 0] = held?.saved.keys() ?? []
    return { ...(dump !== undefined && { dump }), first, last: held?.savedCount ?? 0 }
  }

  async listSaved(id: string): Promise<{ number: number; about: string }[]> {
    const saved = [...(this.#held.get(id)?.saved ?? [])]
    return saved.map(([number, { about }]) => ({ number, about })).toReversed()
  }

  async close(): Promise<void> {}

  #append({ id, from, next, at, delta, hold, wakeAt, outbox }: Entry): Appended {
    const held = this.#held.get(id)
    const refused = this.#refuse(held, from, hold)
    if (held === undefined || refused !== undefined) return refused ?? 'gone'
    held.mark = { head: from.head + 1, tip: next }
    held.commits.push({ ...held.mark, at, delta })
    held.hold = undefined
    this.work.commit(id, wakeAt, outbox)
    return 'kept'
  }

  #refuse(held: Held | undefined, from: JournalMark, hold: string | null): Appended | undefined {
    if (held === undefined) return 'gone'
    if (held.mark.head !== from.head || held.mark.tip !== from.tip) return 'behind'
    const isHeld = held.hold !== undefined && held.hold.id !== hold && held.hold.until > this.#now()
    return isHeld ? 'held' : undefined
  }

  #of(account: string): StoredSimulation[] {
    return [...this.#held.values()].map(({ simulation }) => simulation).filter((one) => one.account === account)
  }

  #bySlug(slug: string): StoredSimulation | undefined {
    return [...this.#held.values()].find(({ simulation }) => simulation.slug === slug)?.simulation
  }

  #markOf(id: string): [string, JournalMark][] | undefined {
    const held = this.#held.get(id)
    return held && [[id, held.mark]]
  }
}
