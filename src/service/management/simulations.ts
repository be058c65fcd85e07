import { slugOf } from '../../names/words.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Account } from '../account/account.ts'
import type { Accounts } from '../account/accounts.ts'
import type { StoredSimulation } from '../store/store.ts'
import type { HostedSimulation } from './hosted-simulation.ts'
import { IdleSweep } from './idle-sweep.ts'
import { SlugTaken, type StoredSimulations, type WantedSimulation } from './stored-simulations.ts'
import type { WorkRounds } from './work-rounds.ts'

/** Simulations of a list that are read together. */
const SHOWN_TOGETHER = 50

/**
 * The simulations of a service, by id and by slug. Slugs are unique in the service, ids everywhere. With a store, only
 * the used ones are in memory.
 */
export class Simulations {
  /** Undefined without a store. */
  readonly stored: StoredSimulations | undefined
  /** Loads in progress, by the id of the simulation. */
  readonly #loading = new Map<string, Promise<HostedSimulation | undefined>>()
  readonly #byId = new Map<string, HostedSimulation>()
  readonly #bySlug = new Map<string, HostedSimulation | 'taken'>()
  readonly #rounds: WorkRounds | undefined
  readonly #idle: IdleSweep
  readonly #runtime: Runtime
  #isClosed = false

  constructor(stored: StoredSimulations | undefined, accounts: Accounts, runtime: Runtime) {
    this.stored = stored
    this.#runtime = runtime
    this.#rounds = stored?.roundsOf(this)
    this.#idle = new IdleSweep(this, accounts, runtime)
  }

  /** Starts to process due work of stored simulations, and shared counts. */
  async start(): Promise<void> {
    await this.stored?.usage.start()
    this.#rounds?.start()
    this.#idle.start()
  }

  /** Estimated memory of stored simulations. */
  get bytes(): number {
    return this.stored?.bound.weigh(this.inMemory()) ?? 0
  }

  /** Unloads stored simulations beyond the memory limit. The next request loads them again. */
  makeRoom(): void {
    for (const hosted of this.stored?.bound.surplus(this.inMemory()) ?? []) void this.#end(hosted)
  }

  /** The account's simulation with this id or slug; others' simulations are not found. */
  find(account: Account, idOrSlug: string): HostedSimulation | undefined {
    const byId = this.#byId.get(idOrSlug)
    const found = [byId && this.findBySlug(byId.simulation.slug), this.findBySlug(idOrSlug)]
    return found.find((hosted) => hosted?.account === account)
  }

  /** The simulation of any account with this slug. */
  findBySlug(slug: string): HostedSimulation | undefined {
    const found = this.#bySlug.get(slug)
    if (found === undefined || found === 'taken') return undefined
    if (!found.simulation.isGone) return found
    void this.#end(found)
    return undefined
  }

  inMemory(): readonly HostedSimulation[] {
    return [...this.#byId.values()]
  }

  /** A list entry for each simulation of an account; `show` returns nothing for a deleted one. */
  async list<T>(account: Account, show: (hosted: HostedSimulation) => T[] | Promise<T[]>): Promise<T[]> {
    const { stored: from } = this
    if (from === undefined) {
      const own = this.inMemory().filter((hosted) => hosted.account === account)
      return (await Promise.all(own.map(show))).flat()
    }
    const shown: T[] = []
    const rows = await from.list(account)
    for (let at = 0; at < rows.length; at += SHOWN_TOGETHER) {
      const opened = rows.slice(at, at + SHOWN_TOGETHER).map((row) => this.#show(from, row, show))
      for (const one of await Promise.all(opened)) shown.push(...one)
    }
    return shown
  }

  /** Loads a simulation that is not in memory: with this id or slug, or an account's. Undefined without one. */
  async load(by: WantedSimulation): Promise<HostedSimulation | undefined> {
    const stored = await this.stored?.find(by)
    return stored && this.stored && this.#open(this.stored, stored)
  }

  /** Drops the simulation of this slug if another node has deleted it. */
  async dropDeleted(slug: string): Promise<void> {
    const hosted = this.findBySlug(slug)
    if (hosted === undefined || !this.stored?.isShared) return
    if (!(await this.stored.isThere(hosted.simulation.id))) await this.#end(hosted)
  }

  /**
   * Reserves a slug for a new simulation. Call the returned function to release it.
   *
   * @throws {@link ApiError} `bad_request` when it is in use.
   */
  reserveSlug(slug: string): () => void {
    if (this.#isTaken(slug)) throw new SlugTaken(slug)
    this.#bySlug.set(slug, 'taken')
    return () => this.#bySlug.delete(slug)
  }

  /** Reserves a free slug derived from a name, with a random suffix where the name is in use. `release` releases it. */
  async reserveFreeSlug(name: string): Promise<{ slug: string; release: () => void }> {
    const base = slugOf(name, LIMITS.slugCharacters - 7) || 'simulation'
    for (let slug = base; ; slug = `${base}-${this.#runtime.secret(3)}`) {
      if (this.#isTaken(slug)) continue
      const release = this.reserveSlug(slug)
      if (this.stored === undefined || !(await this.stored.isTaken(slug))) return { slug, release }
      release()
    }
  }

  /** A path may have either slug or id, so neither may equal another simulation's. */
  #isTaken(slug: string): boolean {
    return this.#bySlug.has(slug) || this.#byId.has(slug)
  }

  add(hosted: HostedSimulation): void {
    if (this.#isClosed) throw new Error('Failed to create the simulation: the service was closed meanwhile.')
    this.#byId.set(hosted.simulation.id, hosted)
    this.#bySlug.set(hosted.simulation.slug, hosted)
  }

  /** Deletes a simulation. */
  async remove(hosted: HostedSimulation): Promise<void> {
    await this.stored?.remove(hosted.simulation.id)
    await this.#end(hosted)
  }

  /** Drops a simulation that was removed from the store. */
  async drop(id: string): Promise<void> {
    const hosted = this.#byId.get(id)
    if (hosted !== undefined) await this.#end(hosted)
  }

  /** Stops background work: removing unused simulations, due work of the store, and deliveries. Requests are still answered. */
  async rest(): Promise<void> {
    const sent = this.inMemory().map(({ simulation }) => simulation.kept?.deliveries.close())
    await Promise.all([this.#idle.close(), this.#rounds?.close(), ...sent])
  }

  /** Ends running fast-forwards, which are undone and then answered. @param fact why */
  endFastForwards(fact: string): void {
    for (const { simulation } of this.#byId.values()) simulation.interrupt(fact)
  }

  /** Closes every simulation here; none can be added afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#idle.close()
    await this.#rounds?.close()
    await Promise.all([...this.#byId.values()].map((hosted) => this.#end(hosted)))
    await this.stored?.close()
  }

  /** Keeps it in memory until the entry is made. */
  async #show<T>(
    from: StoredSimulations,
    stored: StoredSimulation,
    show: (hosted: HostedSimulation) => T[] | Promise<T[]>,
  ): Promise<T[]> {
    const hosted = await this.#open(from, stored)
    if (hosted === undefined) return []
    const leave = hosted.begin()
    try {
      return await show(hosted)
    } finally {
      leave()
    }
  }

  async #open(from: StoredSimulations, stored: StoredSimulation): Promise<HostedSimulation | undefined> {
    const hosted = this.findBySlug(stored.slug)
    if (hosted !== undefined) return hosted
    const loading = this.#loading.get(stored.id) ?? this.#load(from, stored)
    this.#loading.set(stored.id, loading)
    return loading.finally(() => this.#loading.delete(stored.id))
  }

  async #load(from: StoredSimulations, stored: StoredSimulation): Promise<HostedSimulation | undefined> {
    const hosted = await from.load(stored)
    if (hosted !== undefined) this.add(hosted)
    this.makeRoom()
    return hosted
  }

  async #end(hosted: HostedSimulation): Promise<void> {
    const { id, slug } = hosted.simulation
    if (this.#byId.get(id) === hosted) this.#byId.delete(id)
    // Another simulation may have it now.
    if (this.#bySlug.get(slug) === hosted) this.#bySlug.delete(slug)
    await hosted.close()
  }
}
