import { createHash } from 'node:crypto'
import { fileOfHandlers } from '../../library/built-in-entries.ts'
import { ApiError } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Account } from '../account/account.ts'
import type { Accounts } from '../account/accounts.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { HandlerSource } from '../simulation/origin/handler-source.ts'
import { ENGINE, type Genesis, type SimulationInit, toGenesis } from '../simulation/origin/simulation-init.ts'
import { toAnswer } from '../simulation/running/command-lane-errors.ts'
import { Simulation } from '../simulation/simulation.ts'
import type { Slices } from '../simulation/slices.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { Store, StoredSimulation } from '../store/store.ts'
import type { StoreParts } from '../store/store-parts.ts'
import type { ReachableAddresses } from '../webhooks/reachable-addresses.ts'
import type { DebugHolds } from './debug-hold.ts'
import { HostedSimulation, type SimulationAddress } from './hosted-simulation.ts'
import type { ModelCache } from './model-cache.ts'
import type { ReaderMemory } from './reader-memory.ts'
import { UsageTally } from './usage-tally.ts'
import { type LoadedSimulations, WorkRounds } from './work-rounds.ts'

/** Input of a simulation for the store. */
interface Made {
  readonly simulation: Simulation
  readonly account: Account
  readonly init: SimulationInit
  readonly https: boolean | undefined
  /** Generated records that cost credit. */
  readonly generated: number
  readonly descriptionText: string
}

/** Any account's simulation by id or slug, or one account's by either. */
export type WantedSimulation =
  | { readonly id: string }
  | { readonly slug: string }
  | { readonly account: Account; readonly idOrSlug: string }

/** Input for loading simulations. */
interface LoadParts {
  readonly runtime: Runtime
  readonly slices: Slices
  readonly readers: ReaderMemory
  readonly holds: DebugHolds
  readonly reachable: ReachableAddresses
  readonly pages: boolean
  readonly models: ModelCache
  readonly handlerSource: HandlerSource
  readonly accounts: Accounts
  readonly openAddress: (simulation: Simulation, https: boolean | undefined) => Promise<SimulationAddress>
}

export class StoredSimulations {
  readonly #stored: StoreParts
  readonly #parts: LoadParts

  /** Their memory limit. */
  readonly bound: MemoryBound
  /** Requests of accounts. */
  readonly usage: UsageTally

  constructor(stored: StoreParts, parts: LoadParts) {
    this.bound = new MemoryBound(stored.cacheBytes, parts.models, parts.runtime.clock)
    this.usage = new UsageTally(stored.store, parts.accounts, parts.runtime)
    this.#stored = stored
    this.#parts = parts
  }

  /** Whether other nodes serve them too. */
  get isShared(): boolean {
    return this.#stored.store.isShared
  }

  /** Due work of stored simulations, for this node. */
  roundsOf(simulations: LoadedSimulations): WorkRounds {
    return new WorkRounds(this.#stored.store, simulations, this.#parts.runtime)
  }

  /** Saves a new simulation. Rejects with `bad_request` where its slug is in use. */
  async create({ simulation, account, init, https, generated, descriptionText }: Made): Promise<void> {
    const { id, slug, createdAt } = simulation
    const mark = { head: 0, tip: this.#parts.runtime.uuid() }
    const dump = JSON.stringify(simulation.dump())
    const stored = {
      id,
      slug,
      account: account.name,
      genesis: JSON.stringify(toGenesis(init, { createdAt, https })),
      description: createHash('sha256').update(descriptionText).digest('hex'),
      // As JSON, which every store can save: a plain text may have half of a surrogate pair, which PostgreSQL refuses.
      descriptionText: JSON.stringify(descriptionText),
      engine: ENGINE,
      state: { ...mark, at: createdAt, dump },
    }
    const { simulationLimit } = account.plan
    const kept = await this.#ask((store) => store.create(stored, simulationLimit, account.priceOf(generated)))
    if (kept === 'no credit') {
      await this.#ask(() => this.#parts.accounts.refresh())
      throw account.noCredit(generated)
    }
    if (kept === 'plan limit') throw account.noPlace(await this.count(account))
    if (kept === 'slug taken') throw new SlugTaken(slug)
    simulation.keepIn(this.#stored, mark, dump.length)
  }

  /** Number of an account's simulations, on all nodes. */
  count(account: Account): Promise<number> {
    return this.#ask((store) => store.count(account.name))
  }

  /**
   * Subtracts the price of a language model's proposal from the credit. Rejects with `no_credit` where that is too
   * small, and with 503 where the store does not answer: it may have been subtracted then.
   */
  async chargeProposal(account: Account): Promise<void> {
    const { pricePerProposalUsd: priceUsd } = account.plan
    if (priceUsd === 0) return
    const { ledger } = this.#stored.store
    const isTaken = await ledger.addCredit(account.name, -priceUsd).catch((error: unknown) => {
      throw toAnswer(error)
    })
    if (isTaken) return
    await this.#ask(() => this.#parts.accounts.refresh())
    throw account.noCreditForProposal()
  }

  /** Number of requests to each simulation of an account, on all nodes. */
  async countRequests(account: Account): Promise<ReadonlyMap<string, number>> {
    await this.#stored.requests.flush()
    const ids = (await this.list(account)).map(({ id }) => id)
    return this.#ask((store) => store.requests.arrived(ids))
  }

  /** Saves the remaining answered requests. */
  close(): Promise<unknown> {
    return Promise.all([this.usage.close(), this.#stored.requests.close()])
  }

  async isTaken(slug: string): Promise<boolean> {
    return (await this.#ask((store) => store.find({ slug }))) !== undefined
  }

  find(by: WantedSimulation): Promise<StoredSimulation | undefined> {
    const asked = !('account' in by) ? by : { account: by.account.name, idOrSlug: by.idOrSlug }
    return this.#ask((store) => store.find(asked))
  }

  /** Whether it still exists. */
  async isThere(id: string): Promise<boolean> {
    return (await this.#ask(() => this.#stored.head(id))) !== undefined
  }

  list(account: Account): Promise<readonly StoredSimulation[]> {
    return this.#ask((store) => store.list(account.name))
  }

  /** Notes the use of these simulations. */
  async noteUses(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#ask((store) => store.noteUses(ids, this.now(store)))
  }

  /** The names of accounts with simulations. */
  owners(): Promise<readonly string[]> {
    return this.#ask((store) => store.owners())
  }

  /** Removes simulations of an account that were unused for this long. Returns their ids. */
  removeIdle(account: Account, idleMs: number, most: number): Promise<readonly string[]> {
    return this.#ask((store) => store.removeIdle(account.name, this.now(store) - idleMs, most))
  }

  remove(id: string): Promise<void> {
    return this.#ask((store) => store.remove(id))
  }

  /** Loads a stored simulation. Undefined where it was deleted, or its account does not exist. */
  async load(stored: StoredSimulation): Promise<HostedSimulation | undefined> {
    const { accounts, openAddress } = this.#parts
    const account = await this.#ask(() => accounts.find(stored.account))
    if (account === undefined) return undefined
    const [missed, text] = await Promise.all([
      this.#ask((store) => store.load(stored.id, undefined)),
      this.#ask((store) => store.description(stored.description)),
    ])
    if (missed === undefined || text === undefined) return undefined
    const { https, ...genesis } = JSON.parse(stored.genesis) as Genesis
    const surroundings = await this.#surroundings(stored, account, text)
    const own = genesis.handlers?.map(fileOfHandlers)
    const functions = own && (await this.#parts.handlerSource.read({ own }, surroundings.blueprint.model))
    const simulation = new Simulation({ ...genesis, ...surroundings, ...(functions && { functions }) })
    const mark = simulation.takeOver(missed)
    if (mark === undefined)
      throw new Error(`Failed to load the simulation "${stored.slug}": its store holds no state of it.`)
    simulation.keepIn(this.#stored, mark, missed.state?.dump.length ?? 0)
    const address = await openAddress(simulation, https)
    const { runtime, readers, holds } = this.#parts
    return new HostedSimulation({ simulation, account, address, runtime, readers, holds, release: () => {} })
  }

  /** Real time by the store's clock, milliseconds. */
  now(store = this.#stored.store): number {
    return this.#parts.runtime.clock.now() + store.offsetMs
  }

  /** For calls that may be repeated. Rejects with 503 where the store does not answer, with 507 where it is full. */
  async #ask<T>(ask: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await askPatiently(this.#parts.runtime, () => ask(this.#stored.store))
    } catch (error) {
      throw toAnswer(error)
    }
  }

  async #surroundings({ id, slug, engine }: StoredSimulation, account: Account, text: string) {
    if (engine !== ENGINE) throw otherEngine(slug, engine)
    const { runtime, slices, reachable, pages, models } = this.#parts
    const blueprint = await models.ofText(JSON.parse(text) as string, { account, slices })
    const { webhooksPerSimulation: maxWebhooks } = account.plan
    return {
      id,
      slug,
      blueprint,
      runtime,
      slices,
      reachable,
      pages,
      maxWebhooks,
      meter: account,
      isStored: true,
    }
  }
}

/** The error of a creation whose slug is in use. */
export class SlugTaken extends ApiError {
  constructor(slug: string) {
    super(
      400,
      'bad_request',
      `Failed to create the simulation: the slug "${slug}" is taken. Choose another, or leave it out.`,
    )
  }
}

function otherEngine(slug: string, engine: number): ApiError {
  const message = `The data of the simulation "${slug}" is made by engine ${engine}, and this release has engine ${ENGINE}. Start the release that made it.`
  return new ApiError(503, 'unavailable', message)
}

/** Recently used ones stay: a caller that just found one will use it. */
const FRESH_MS = 1_000

/** The limit of stored simulations in this node's memory. */
class MemoryBound {
  readonly #mostBytes: number
  readonly #models: { bytesOf(model: ApiModel): number }
  readonly #now: () => number

  constructor(mostBytes: number, models: { bytesOf(model: ApiModel): number }, clock: { now: () => number }) {
    this.#mostBytes = mostBytes
    this.#models = models
    this.#now = () => clock.now()
  }

  /** Estimated size of simulations, including their shared models. */
  weigh(simulations: readonly HostedSimulation[]): number {
    const models = new Set(simulations.map(({ simulation }) => simulation.model))
    const ofModels = [...models].reduce((sum, model) => sum + this.#models.bytesOf(model), 0)
    return simulations.reduce((sum, { simulation }) => sum + (simulation.kept?.bytes ?? 0), ofModels)
  }

  /** The simulations to unload so that the rest fits: the least recently used ones without activity. */
  surplus(simulations: readonly HostedSimulation[]): HostedSimulation[] {
    let bytes = this.weigh(simulations)
    if (bytes <= this.#mostBytes) return []
    const sharing = new Map<ApiModel, number>()
    for (const { simulation } of simulations) sharing.set(simulation.model, (sharing.get(simulation.model) ?? 0) + 1)
    const before = this.#now() - FRESH_MS
    const byUse = simulations
      .map((hosted) => ({ hosted, touchedAt: hosted.touchedAt }))
      .sort((one, other) => one.touchedAt - other.touchedAt)
    const surplus: HostedSimulation[] = []
    for (const { hosted, touchedAt } of byUse) {
      if (bytes <= this.#mostBytes || touchedAt > before) break
      if (hosted.isBusy) continue
      const { model, kept } = hosted.simulation
      const left = (sharing.get(model) ?? 0) - 1
      sharing.set(model, left)
      bytes -= (kept?.bytes ?? 0) + (left === 0 ? this.#models.bytesOf(model) : 0)
      surplus.push(hosted)
    }
    return surplus
  }
}
