import type { Runtime } from '../../src/runtime/runtime.ts'
import type { AccountLedger } from '../../src/service/store/ledger.ts'
import type { RequestRows } from '../../src/service/store/request-rows.ts'
import {
  type Appended,
  type Entry,
  type JournalMark,
  type Missed,
  type NewSimulation,
  type SavedState,
  type SimulationName,
  type StateAt,
  type Store,
  type StoredSimulation,
  StoreFull,
  StoreUnavailable,
} from '../../src/service/store/store.ts'

import type { DueWork } from '../../src/service/store/work.ts'

/** What a call may suffer. `after`: it is done, and its answer is lost. */
export type Fault = 'none' | 'late' | 'before' | 'after' | 'behind' | 'full' | 'down'

/** A store that suffers what `draw` says, call by call, before another store. */
export class FaultyStore implements Store {
  readonly isShared: boolean
  readonly offsetMs = 0
  /** May be put in place of another one, as an operator does with a backup. */
  store: Store
  readonly work: DueWork
  readonly ledger: AccountLedger
  readonly requests: RequestRows
  readonly #runtime: Runtime
  readonly #draw: () => Fault
  /** Counted by fault, those of `append` alone. */
  readonly suffered: Partial<Record<Fault, number>> = {}

  constructor(store: Store, runtime: Runtime, draw: () => Fault) {
    this.isShared = store.isShared
    this.store = store
    this.#runtime = runtime
    this.#draw = draw
    this.ledger = new Proxy({} as AccountLedger, {
      get:
        (_, name: keyof AccountLedger) =>
        (...given: never[]) =>
          this.#ask(() => Reflect.apply(this.store.ledger[name], this.store.ledger, given)),
    })
    this.requests = new Proxy({} as RequestRows, {
      get: (_, name: keyof RequestRows) =>
        name === 'isFollowed'
          ? (simulation: string) => this.store.requests.isFollowed(simulation)
          : (...given: never[]) =>
              this.#ask(() => Reflect.apply(this.store.requests[name], this.store.requests, given)),
    })
    // Every method of it may be asked twice.
    this.work = new Proxy({} as DueWork, {
      get:
        (_, name: keyof DueWork) =>
        (...given: never[]) =>
          this.#ask(() => Reflect.apply(this.store.work[name], this.store.work, given)),
    })
  }

  async append(entries: readonly Entry[]): Promise<readonly Appended[]> {
    const fault = this.#draw()
    this.suffered[fault] = (this.suffered[fault] ?? 0) + 1
    if (fault === 'behind') return entries.map(() => 'behind')
    return this.#suffer(fault, () => this.store.append(entries))
  }

  get clockMs(): number {
    return this.store.clockMs
  }

  create = (simulation: NewSimulation, most: number, priceUsd?: number) => this.store.create(simulation, most, priceUsd)
  count = (account: string) => this.store.count(account)
  find = (by: SimulationName): Promise<StoredSimulation | undefined> => this.#ask(() => this.store.find(by))
  list = (account: string): Promise<readonly StoredSimulation[]> => this.#ask(() => this.store.list(account))
  load = (id: string, after: JournalMark | undefined): Promise<Missed | undefined> =>
    this.#ask(() => this.store.load(id, after))
  heads = (ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>> => this.#ask(() => this.store.heads(ids))
  hold = (id: string, from: JournalMark, hold: string, ms: number): Promise<Appended> =>
    this.#ask(() => this.store.hold(id, from, hold, ms))
  compact = (id: string, state: StateAt): Promise<void> => this.#ask(() => this.store.compact(id, state))
  remove = (id: string): Promise<void> => this.#ask(() => this.store.remove(id))
  noteUses = (ids: readonly string[], at: number): Promise<void> => this.#ask(() => this.store.noteUses(ids, at))
  owners = (): Promise<readonly string[]> => this.#ask(() => this.store.owners())
  removeIdle = (account: string, before: number, most: number): Promise<readonly string[]> =>
    this.#ask(() => this.store.removeIdle(account, before, most))
  description = (hash: string): Promise<string | undefined> => this.#ask(() => this.store.description(hash))
  save = (id: string, saved: SavedState): Promise<number> => this.store.save(id, saved)
  listSaved = (id: string) => this.#ask(() => this.store.listSaved(id))
  saved = (id: string, number: number) => this.#ask(() => this.store.saved(id, number))
  close = () => this.store.close()

  /** A call that may be made twice. */
  #ask<T>(call: () => Promise<T>): Promise<T> {
    const fault = this.#draw()
    return this.#suffer(fault === 'behind' || fault === 'full' ? 'none' : fault, call)
  }

  async #suffer<T>(fault: Fault, call: () => Promise<T>): Promise<T> {
    if (fault === 'down') throw new StoreUnavailable('down')
    if (fault === 'full') throw new StoreFull('full')
    if (fault === 'before') {
      await this.#runtime.sleep(5)
      throw new StoreUnavailable('lost before it was done')
    }
    if (fault === 'late') await this.#runtime.sleep(50)
    const result = await call()
    if (fault !== 'after') return result
    await this.#runtime.sleep(5)
    throw new StoreUnavailable('lost after it was done')
  }
}
