import type { RuleBook } from '../../simulated-api/rules/rule-book.ts'
import { SimulatedApi, type SimulatedApiOptions } from '../../simulated-api/simulated-api.ts'
import type { Change } from '../../world/change.ts'
import type { WorldDelta } from '../../world/journal.ts'
import type { PreparedWorld } from '../../world/prepared-world.ts'
import { runToEnd } from '../../world/run-to-end.ts'
import { World } from '../../world/world.ts'

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

/** States as the living world is, by the rule that they are for. */
type Copies = ReadonlyMap<string, PreparedWorld>

/** Changes that wait at most; past it the oldest are made, and a read is less far behind than its rule asks for. */
const MOST_WAITING = 1_000_000
/** Changes that are made between two pauses. */
const MADE_AT_ONCE = 1_000

/**
 * The data as it was some time ago, for response rules of the kind `staleRead`. Derived: it follows the rules and the living
 * world by itself, and starts afresh where that went back to an earlier state.
 */
export class StaleReads {
  readonly #living: World
  readonly #rules: RuleBook
  readonly #options: Omit<SimulatedApiOptions, 'world' | 'answers'>
  readonly #followers = new Map<string, Follower>()
  #rulesRevision = -1
  #era = 0

  constructor(living: World, rules: RuleBook, options: Omit<SimulatedApiOptions, 'world' | 'answers'>) {
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

  /**
   * The API over the data as it was at world time `at`, or as near to it as the rule has been followed. A long read, where much has
   * changed.
   */
  apiAt(ruleId: string, at: number): SimulatedApi | undefined {
    const { longReads } = this.#living
    // A command has the same reads each time it is asked for again: this one is there when all is followed, too.
    this.#sync(longReads.read(this.#copying()))
    const follower = this.#followers.get(ruleId)
    if (follower === undefined) return undefined
    longReads.read(makingChanges(follower, at))
    return follower.api
  }

  /** Follows the living world for exactly the rules that there are. What was followed before is kept. */
  #sync(copies?: Copies): void {
    const missing = this.#missing()
    if (missing === undefined) return
    const made = copies ?? runToEnd(this.#copying())
    if (this.#era !== this.#living.era) this.#followers.clear()
    this.#rulesRevision = this.#rules.revision
    this.#era = this.#living.era
    const ids = new Set(this.#rules.staleReads().map(({ id }) => id))
    for (const id of this.#followers.keys()) if (!ids.has(id)) this.#followers.delete(id)
    for (const rule of missing) this.#follow(rule, made.get(rule.id) ?? runToEnd(this.#living.copying()))
  }

  /** Rules that are still to be followed; undefined where nothing has changed. */
  #missing(): { readonly id: string; readonly lagMs: number }[] | undefined {
    const isSameEra = this.#era === this.#living.era
    if (isSameEra && this.#rulesRevision === this.#rules.revision) return undefined
    return this.#rules.staleReads().filter(({ id }) => !isSameEra || !this.#followers.has(id))
  }

  /** Copies the living world for each rule that is still to be followed. Changes nothing. */
  *#copying(): Generator<undefined, Copies> {
    const copies = new Map<string, PreparedWorld>()
    for (const { id } of this.#missing() ?? []) copies.set(id, yield* this.#living.copying())
    return copies
  }

  #follow({ id, lagMs }: { readonly id: string; readonly lagMs: number }, state: PreparedWorld): void {
    const world = new World(this.#living.model, this.#living.dataset, this.#living.longReads)
    world.take(state)
    this.#followers.set(id, { world, api: new SimulatedApi({ ...this.#options, world }), lagMs, waiting: [], made: 0 })
  }
}

function addWaiting(follower: Follower, next: Waiting): void {
  follower.waiting.push(next)
  runToEnd(makingChanges(follower, next.at - follower.lagMs))
  if (follower.waiting.length - follower.made > MOST_WAITING) makeNext(follower)
}

/** Makes the changes up to world time `at`, pausing now and then. What is made is made: it can be done again from there. */
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
