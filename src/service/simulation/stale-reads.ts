import type { ApiModel } from '../openapi/model.ts'
import type { RuleBook } from '../simulated-api/rules/rule-book.ts'
import { SimulatedApi, type SimulatedApiOptions } from '../simulated-api/simulated-api.ts'
import type { Change } from '../world/change.ts'
import type { WorldDelta } from '../world/journal.ts'
import { World } from '../world/world.ts'

/** What the living world has done, and this one is still to do. */
type Waiting = { readonly at: number } & ({ readonly change: Change } | { readonly delta: WorldDelta })

/** A second overlay on the same dataset that follows the living world at a distance. */
interface Follower {
  readonly world: World
  readonly api: SimulatedApi
  readonly lagMs: number
  /** What the living world has done, oldest first. */
  waiting: Waiting[]
  /** How much of it this world has done since the list was last cleared. */
  made: number
}

/** Changes that wait at most; past it the oldest are made, and a read is less far behind than its rule asks for. */
const MOST_WAITING = 1_000_000

/**
 * The data as it was some time ago, for response rules of the kind `staleRead`. Derived: it follows the rules and the living
 * world by itself, and starts afresh where that went back to an earlier state.
 */
export class StaleReads {
  readonly #model: ApiModel
  readonly #living: World
  readonly #rules: RuleBook
  readonly #options: Omit<SimulatedApiOptions, 'world' | 'answers'>
  readonly #followers = new Map<string, Follower>()
  #rulesRevision = -1
  #era = 0

  constructor(living: World, rules: RuleBook, options: Omit<SimulatedApiOptions, 'world' | 'answers'>) {
    this.#model = options.api.model
    this.#living = living
    this.#rules = rules
    this.#options = options
  }

  /** Takes a change that the living world is about to make. What every later read is to see is made at once. */
  follow(change: Change, at: number): void {
    this.#sync()
    for (const follower of this.#followers.values()) addWaiting(follower, { at, change })
  }

  /** Takes changes that the living world is about to take over from another one. */
  followDelta(delta: WorldDelta, at: number): void {
    this.#sync()
    for (const follower of this.#followers.values()) addWaiting(follower, { at, delta })
  }

  /** The API over the data as it was at world time `at`, or as near to it as the rule has been followed. */
  apiAt(ruleId: string, at: number): SimulatedApi | undefined {
    this.#sync()
    const follower = this.#followers.get(ruleId)
    if (follower === undefined) return undefined
    makeChanges(follower, at)
    return follower.api
  }

  /** Follows the living world for exactly the rules that there are. What was followed before is kept. */
  #sync(): void {
    if (this.#rulesRevision === this.#rules.revision && this.#era === this.#living.era) return
    if (this.#era !== this.#living.era) this.#followers.clear()
    this.#rulesRevision = this.#rules.revision
    this.#era = this.#living.era
    const rules = this.#rules.staleReads()
    const ids = new Set(rules.map(({ id }) => id))
    for (const id of this.#followers.keys()) if (!ids.has(id)) this.#followers.delete(id)
    for (const { id, lagMs } of rules) {
      if (this.#followers.has(id)) continue
      const world = new World(this.#model, this.#living.dataset)
      world.restore(this.#living.dump())
      const api = new SimulatedApi({ ...this.#options, world })
      this.#followers.set(id, { world, api, lagMs, waiting: [], made: 0 })
    }
  }
}

function addWaiting(follower: Follower, next: Waiting): void {
  follower.waiting.push(next)
  makeChanges(follower, next.at - follower.lagMs)
  if (follower.waiting.length - follower.made > MOST_WAITING) makeNext(follower)
}

/** Makes the changes up to world time `at`. */
function makeChanges(follower: Follower, at: number): void {
  for (let next = follower.waiting[follower.made]; next && next.at <= at; next = follower.waiting[follower.made]) {
    makeNext(follower)
  }
}

function makeNext(follower: Follower): void {
  const { world, waiting, made } = follower
  const next = waiting[made]
  if (next === undefined) return
  if ('change' in next) world.apply(next.change)
  else world.restore(next.delta)
  follower.made++
  if (follower.made * 2 < waiting.length) return
  follower.waiting = waiting.slice(follower.made)
  follower.made = 0
}
