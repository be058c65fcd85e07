import { createHash } from 'node:crypto'
import { ApiError } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Account } from '../account/account.ts'
import type { Accounts } from '../account/accounts.ts'
import { ENGINE, type Genesis, toGenesis } from '../simulation/origin/genesis.ts'
import type { RequestMeter, SimulationInit } from '../simulation/origin/simulation-init.ts'
import { toAnswer } from '../simulation/running/command-lane-errors.ts'
import type { Slices } from '../simulation/running/slices.ts'
import { Simulation } from '../simulation/simulation.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { AccountLedger } from '../store/ledger.ts'
import type { Store, StoredSimulation } from '../store/store.ts'
import type { StoreParts } from '../store/store-parts.ts'
import type { ReachableAddresses } from '../webhooks/reachable-addresses.ts'
import { HostedSimulation, type SimulationAddress } from './hosted-simulation.ts'
import { MemoryBound } from './memory-bound.ts'
import type { ModelCache } from './model-cache.ts'
import type { ReaderMemory } from './reader-memory.ts'
import { SharedMeter } from './shared-meter.ts'
import { UsageTally } from './usage-tally.ts'
import { type LoadedSimulations, WorkRounds } from './work-rounds.ts'

/** What a simulation that is to be kept was made from. */
interface Made {
  readonly simulation: Simulation
  readonly account: Account
  readonly init: SimulationInit
  readonly https: boolean | undefined
  /** Records that take from the credit. */
  readonly generated: number
  readonly descriptionText: string
}

/** One of any account by its id or slug, or one of an account by either. */
export type WantedSimulation =
  | { readonly id: string }
  | { readonly slug: string }
  | { readonly account: Account; readonly idOrSlug: string }

/** What simulations are loaded with. */
interface LoadParts {
  readonly runtime: Runtime
  readonly slices: Slices
  readonly readers: ReaderMemory
  readonly reachable: ReachableAddresses
  readonly models: ModelCache
  readonly accounts: Accounts
  readonly openAddress: (simulation: Simulation, https: boolean | undefined) => Promise<SimulationAddress>
}

/** The simulations of a service as a store keeps them. */
export class StoredSimulations {
  readonly #stored: StoreParts
  readonly #parts: LoadParts

  /** What of them may be in memory. */
  readonly bound: MemoryBound
  /** Requests that accounts have made. */
  readonly usage: UsageTally

  constructor(stored: StoreParts, parts: LoadParts) {
    this.bound = new MemoryBound(stored.cacheBytes, parts.models, parts.runtime.clock)
    this.usage = new UsageTally(stored.store, parts.accounts, parts.runtime)
    this.#stored = stored
    this.#parts = parts
  }

  /** Accounts and held tests of all nodes. */
  get ledger(): AccountLedger {
    return this.#stored.store.ledger
  }

  /** Whether other nodes serve them too. */
  get isShared(): boolean {
    return this.#stored.store.isShared
  }

  /** What a node does for simulations that it was not asked for. */
  roundsOf(simulations: LoadedSimulations): WorkRounds {
    return new WorkRounds(this.#stored.store, simulations, this.#parts.runtime)
  }

  /** Keeps a simulation that was just made. Rejects with `bad_request` where its slug is taken. */
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
      // As JSON, which every store keeps whole: a plain text may hold half of a surrogate pair, which PostgreSQL refuses.
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

  /** Where the requests of an account are counted. */
  meterOf(account: Account): RequestMeter {
    return this.isShared ? new SharedMeter(account, this.usage) : account
  }

  /** How many simulations an account has, on all nodes. */
  count(account: Account): Promise<number> {
    return this.#ask((store) => store.count(account.name))
  }

  /**
   * Takes the price of a language model's proposal from the credit. Rejects with `no_credit` where that is too small, and with 503 where the
   * store gives no answer: it may have been taken then.
   */
  async chargeProposal(account: Account): Promise<void> {
    const { pricePerProposalUsd: priceUsd } = account.plan
    if (priceUsd === 0) return
    const { ledger } = this
    const isTaken = await ledger.addCredit(account.name, -priceUsd).catch((error: unknown) => {
      throw toAnswer(error)
    })
    if (isTaken) return
    await this.#ask(() => this.#parts.accounts.refresh())
    throw account.noCreditForProposal()
  }

  /** How many requests there were to each simulation of an account, on all nodes. */
  async countRequests(account: Account): Promise<ReadonlyMap<string, number>> {
    await this.#stored.requests.flush()
    const ids = (await this.list(account)).map(({ id }) => id)
    return this.#ask((store) => store.requests.arrived(ids))
  }

  /** Keeps what is left of the requests that were answered. */
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

  /** Whether no node has deleted it. */
  async isThere(id: string): Promise<boolean> {
    return (await this.#ask(() => this.#stored.heads.head(id))) !== undefined
  }

  list(account: Account): Promise<readonly StoredSimulation[]> {
    return this.#ask((store) => store.list(account.name))
  }

  /** Notes that these simulations are used. */
  async noteUses(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#ask((store) => store.noteUses(ids, this.#now(store)))
  }

  /** The names of the accounts that have simulations. */
  owners(): Promise<readonly string[]> {
    return this.#ask((store) => store.owners())
  }

  /** Removes simulations of an account that were not used for so long. Returns their ids. */
  removeIdle(account: Account, idleMs: number, most: number): Promise<readonly string[]> {
    return this.#ask((store) => store.removeIdle(account.name, this.#now(store) - idleMs, most))
  }

  remove(id: string): Promise<void> {
    return this.#ask((store) => store.remove(id))
  }

  /** Makes a simulation again as it is kept. Undefined where it was deleted, or its account is no longer there. */
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
    const simulation = new Simulation({ ...genesis, ...(await this.#surroundings(stored, account, text)) })
    const mark = simulation.takeOver(missed)
    if (mark === undefined)
      throw new Error(`Failed to load the simulation "${stored.slug}": its store holds no state of it.`)
    simulation.keepIn(this.#stored, mark, missed.state?.dump.length ?? 0)
    const address = await openAddress(simulation, https)
    const { runtime, readers } = this.#parts
    const { ledger } = this
    return new HostedSimulation({ simulation, account, address, runtime, readers, ledger, release: () => {} })
  }

  #now(store: Store): number {
    return this.#parts.runtime.clock.now() + store.offsetMs
  }

  /** What may be asked twice. Rejects with 503 where the store gives no answer, with 507 where it is full. */
  async #ask<T>(ask: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await askPatiently(this.#parts.runtime, () => ask(this.#stored.store))
    } catch (error) {
      throw toAnswer(error)
    }
  }

  async #surroundings({ id, slug, engine }: StoredSimulation, account: Account, text: string) {
    if (engine !== ENGINE) throw otherEngine(slug, engine)
    const { runtime, slices, reachable, models } = this.#parts
    const blueprint = await models.ofText(JSON.parse(text) as string, { account, slices })
    const { webhooksPerSimulation: maxWebhooks } = account.plan
    return {
      id,
      slug,
      blueprint,
      runtime,
      slices,
      reachable,
      maxWebhooks,
      meter: this.meterOf(account),
      isStored: true,
    }
  }
}

/** What a creation is refused with whose slug another simulation has. */
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
