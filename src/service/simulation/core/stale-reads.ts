import type { RuleBook } from '../../simulated-api/rules/rule-book.ts'
import { SimulatedApi, type SimulatedApiOptions } from '../../simulated-api/simulated-api.ts'
import type { Change } from '../../world/change.ts'
import type { WorldDelta } from '../../world/journal.ts'
import { runToEnd } from '../../world/long-reads.ts'
import type { PreparedWorld } from '../../world/prepared-world.ts'
import { World } from '../../world/world.ts'

/** A change of the current world that a follower has not applied yet. */
type Waiting = { readonly at: number } & ({ readonly change: Change } | { readonly delta: WorldDelta })

/** A second overlay on the same dataset that follows the current world with a delay. */
interface Follower {
  readonly world: World
  readonly api: SimulatedApi
  readonly lagMs: number
  /** Changes of the current world, oldest first. */
  waiting: Waiting[]
  /** Number of changes applied since the list was last cleared. */
  made: number
}

/** Copies of the current world, by rule. */
type Copies = ReadonlyMap<string, PreparedWorld>

/** Most waiting changes; beyond it the oldest are applied, and a read is less delayed than its rule requires. */
const MOST_WAITING = 1_000_000
/** Changes applied between two pauses. */
const MADE_AT_ONCE = 1_000

/**
 * Delayed data for response rules of the kind `staleRead`. Derived: it follows the rules and the current world, and
 * restarts after the world went back to an earlier state.
 */
export class StaleReads {
  readonly #current: World
  readonly #rules: RuleBook
  readonly #options: Omit<SimulatedApiOptions, 'world' | 'answers'>
  readonly #followers = new Map<string, Follower>()
  #rulesRevision = -1
  #era = 0

  constructor(current: World, rules: RuleBook, options: Omit<SimulatedApiOptions, 'world' | 'answers'>) {
    this.#current = current
    this.#rules = rules
    this.#options = options
  }

  /** Takes a change before the current world applies it. Changes that every later read must see are applied at once. */
  follow(change: Change, at: number): void {
    this.#sync()
    for (const follower of this.#followers.values()) addWaiting(follower, { at, change })
  }

  /** Takes changes before the current world applies them from another one. */
  followDelta(delta: WorldDelta, at: number): void {
    this.#sync()
    for (const follower of this.#followers.values()) addWaiting(follower, { at, delta })
  }

  /** The API over the data at world time `at`, or as near as the rule has been followed. A long read after many changes. */
  apiAt(ruleId: string, at: number): SimulatedApi | undefined {
    const { longReads } = this.#current
    // A repeated command must have the same reads, so this one is made even without missing rules.
    this.#sync(longReads.read(this.#copying()))
    const follower = this.#followers.get(ruleId)
    if (follower === undefined) return undefined
    longReads.read(makingChanges(follower, at))
    return follower.api
  }

  /** Follows the current world for exactly the existing rules. Existing followers stay. */
  #sync(copies?: Copies): void {
    const missing = this.#missing()
    if (missing === undefined) return
    const made = copies ?? runToEnd(this.#copying())
    if (this.#era !== this.#current.era) this.#followers.clear()
    this.#rulesRevision = this.#rules.revision
    this.#era = this.#current.era
    const ids = new Set(this.#rules.staleReads().map(({ id }) => id))
    for (const id of this.#followers.keys()) if (!ids.has(id)) this.#followers.delete(id)
    for (const rule of missing) this.#follow(rule, made.get(rule.id) ?? runToEnd(this.#current.copying()))
  }

  /** Rules without a follower; undefined without changes. */
  #missing(): { readonly id: string; readonly lagMs: number }[] | undefined {
    const isSameEra = this.#era === this.#current.era
    if (isSameEra && this.#rulesRevision === this.#rules.revision) return undefined
    return this.#rules.staleReads().filter(({ id }) => !isSameEra || !this.#followers.has(id))
  }

  /** Copies the current world for each rule without a follower. Changes nothing. */
  *#copying(): Generator<undefined, Copies> {
    const copies = new Map<string, PreparedWorld>()
    for (const { id } of this.#missing() ?? []) copies.set(id, yield* this.#current.copying())
    return copies
  }

  #follow({ id, lagMs }: { readonly id: string; readonly lagMs: number }, state: PreparedWorld): void {
    const world = new World(this.#current.model, this.#current.dataset, this.#current.longReads)
    world.take(state)
    this.#followers.set(id, { world, api: new SimulatedApi({ ...this.#options, world }), lagMs, waiting: [], made: 0 })
  }
}

function addWaiting(follower: Follower, next: Waiting): void {
  follower.waiting.push(next)
  runToEnd(makingChanges(follower, next.at - follower.lagMs))
  if (follower.waiting.length - follower.made > MOST_WAITING) makeNext(follower)
}

/** Applies the changes up to world time `at`, with pauses. It can be interrupted and continued. */
function* makingChanges(follower: Follower, at: number): Generator<undefined, void> {
  let made = 0
  for (let next = follower.waiting[follower.made]; next && next.at <= at; next = follower.waiting[follower.made]) {
    makeNext(follower)
    if (++made % MADE_AT_ONCE === 0) yield
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
