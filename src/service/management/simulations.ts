import { slugOf } from '../../names/words.ts'
import { SLUG_CHARACTERS } from '../../protocol/simulation.ts'
import type { Account } from '../account/account.ts'
import type { StoredSimulation } from '../store/store.ts'
import type { HostedSimulation } from './hosted-simulation.ts'
import { SlugTaken, type StoredSimulations, type WantedSimulation } from './stored-simulations.ts'
import type { WorkRounds } from './work-rounds.ts'

/**
 * The simulations of a service, by id and by slug. Slugs are unique in the service, ids everywhere. Where a store keeps them,
 * those that were asked for are held here.
 */
export class Simulations {
  /** Undefined where simulations are in memory alone. */
  readonly stored: StoredSimulations | undefined
  /** Loads that are under way, by the id of the simulation. */
  readonly #loading = new Map<string, Promise<HostedSimulation | undefined>>()
  readonly #byId = new Map<string, HostedSimulation>()
  readonly #bySlug = new Map<string, HostedSimulation | 'taken'>()
  readonly #rounds: WorkRounds | undefined
  #isClosed = false

  constructor(stored?: StoredSimulations) {
    this.stored = stored
    this.#rounds = stored?.roundsOf(this)
  }

  /** Begins to do what falls due for simulations in the store, and to count with its other nodes. */
  async start(): Promise<void> {
    await this.stored?.usage.start()
    this.#rounds?.start()
  }

  /** The account's simulation with this id or slug; those of other accounts do not exist for it. */
  find(account: Account, idOrSlug: string): HostedSimulation | undefined {
    const byId = this.#byId.get(idOrSlug)
    const found = [byId && this.findBySlug(byId.simulation.slug), this.findBySlug(idOrSlug)]
    return found.find((hosted) => hosted?.account === account)
  }

  /** The simulation of any account that answers under this slug. */
  findBySlug(slug: string): HostedSimulation | undefined {
    const found = this.#bySlug.get(slug)
    if (found === undefined || found === 'taken') return undefined
    if (!found.simulation.isGone) return found
    void this.#end(found)
    return undefined
  }

  /** Those that are in memory here. */
  held(): readonly HostedSimulation[] {
    return [...this.#byId.values()]
  }

  async list(account: Account): Promise<HostedSimulation[]> {
    if (this.stored === undefined) return [...this.#byId.values()].filter((hosted) => hosted.account === account)
    const loaded: HostedSimulation[] = []
    for (const stored of await this.stored.list(account)) {
      const hosted = await this.#open(this.stored, stored)
      if (hosted !== undefined) loaded.push(hosted)
    }
    return loaded
  }

  /** Loads a simulation that is not held: the one with this id or slug, or an account's. Undefined where there is none. */
  async load(by: WantedSimulation): Promise<HostedSimulation | undefined> {
    const stored = await this.stored?.find(by)
    return stored && this.stored && this.#open(this.stored, stored)
  }

  /** Lets go of the simulation of this slug where another node has deleted it. */
  async dropDeleted(slug: string): Promise<void> {
    const held = this.findBySlug(slug)
    if (held === undefined || !this.stored?.isShared) return
    const found = await this.stored.find({ slug })
    if (found?.id !== held.simulation.id) await this.#end(held)
  }

  /**
   * Takes a slug for a simulation that is being made. Call the returned function to give it back.
   *
   * @throws {@link ApiError} `bad_request` when it is taken.
   */
  reserveSlug(slug: string): () => void {
    if (this.#isTaken(slug)) throw new SlugTaken(slug)
    this.#bySlug.set(slug, 'taken')
    return () => this.#bySlug.delete(slug)
  }

  /** Takes a free slug made from a name, with a random end where the name alone is taken. `release` gives it back. */
  async reserveFreeSlug(name: string, random: () => string): Promise<{ slug: string; release: () => void }> {
    const base = slugOf(name, SLUG_CHARACTERS - 7) || 'simulation'
    for (let slug = base; ; slug = `${base}-${random()}`) {
      if (this.#isTaken(slug)) continue
      const release = this.reserveSlug(slug)
      if (this.stored === undefined || !(await this.stored.isTaken(slug))) return { slug, release }
      release()
    }
  }

  /** A slug and an id stand for a simulation in the same place of a path, so neither may read as another one's. */
  #isTaken(slug: string): boolean {
    return this.#bySlug.has(slug) || this.#byId.has(slug)
  }

  add(hosted: HostedSimulation): void {
    if (this.#isClosed) throw new Error('Failed to create the simulation: the service was closed meanwhile.')
    this.#byId.set(hosted.simulation.id, hosted)
    this.#bySlug.set(hosted.simulation.slug, hosted)
  }

  /** Deletes a simulation for good. */
  async remove(hosted: HostedSimulation): Promise<void> {
    await this.stored?.remove(hosted.simulation.id)
    await this.#end(hosted)
  }

  /** Ends every simulation here; none can be added afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#rounds?.close()
    await Promise.all([...this.#byId.values()].map((hosted) => this.#end(hosted)))
    await this.stored?.close()
  }

  async #open(from: StoredSimulations, stored: StoredSimulation): Promise<HostedSimulation | undefined> {
    const held = this.findBySlug(stored.slug)
    if (held !== undefined) return held
    const loading = this.#loading.get(stored.id) ?? this.#load(from, stored)
    this.#loading.set(stored.id, loading)
    return loading.finally(() => this.#loading.delete(stored.id))
  }

  async #load(from: StoredSimulations, stored: StoredSimulation): Promise<HostedSimulation | undefined> {
    const hosted = await from.load(stored)
    if (hosted !== undefined) this.add(hosted)
    return hosted
  }

  async #end(hosted: HostedSimulation): Promise<void> {
    this.#byId.delete(hosted.simulation.id)
    this.#bySlug.delete(hosted.simulation.slug)
    await hosted.close()
  }
}
