import type { ApiModel } from '../openapi/model.ts'
import type { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { Change } from '../world/change.ts'
import { World } from '../world/world.ts'

/** A rule that shows reads the data as it was `lagMs` ago. */
interface StaleRule {
  readonly id: string
  readonly lagMs: number
}

/** A second overlay on the same dataset that follows the living world at a distance. */
interface Follower {
  readonly world: World
  readonly api: SimulatedApi
  readonly lagMs: number
  /** Changes that the living world has made and this one has yet to make, oldest first. */
  waiting: { at: number; change: Change }[]
  /** How many of them it has made since they were last cleared away. */
  made: number
}

/** Changes that wait at most; past it the oldest are made, and a read is less far behind than its rule asks for. */
const MOST_WAITING = 1_000_000

/** The data as it was some time ago, for response rules of the kind `staleRead`. */
export class StaleReads {
  readonly #model: ApiModel
  readonly #living: World
  readonly #createApi: (world: World) => SimulatedApi
  readonly #followers = new Map<string, Follower>()

  constructor(model: ApiModel, living: World, createApi: (world: World) => SimulatedApi) {
    this.#model = model
    this.#living = living
    this.#createApi = createApi
  }

  /** Follows the living world from now on for exactly these rules. What was followed before is kept. */
  watch(rules: readonly StaleRule[]): void {
    const ids = new Set(rules.map(({ id }) => id))
    for (const id of this.#followers.keys()) if (!ids.has(id)) this.#followers.delete(id)
    for (const { id, lagMs } of rules) {
      if (this.#followers.has(id)) continue
      const world = new World(this.#model, this.#living.dataset)
      world.restore(this.#living.dump())
      this.#followers.set(id, { world, api: this.#createApi(world), lagMs, waiting: [], made: 0 })
    }
  }

  /** Starts afresh from the living world: it was reset or restored. */
  restart(): void {
    const rules = [...this.#followers].map(([id, { lagMs }]) => ({ id, lagMs }))
    this.#followers.clear()
    this.watch(rules)
  }

  /** Tells of a change that the living world has just made. What every later read is to see is made at once. */
  follow(change: Change, at: number): void {
    for (const follower of this.#followers.values()) {
      follower.waiting.push({ at, change })
      makeChanges(follower, at - follower.lagMs)
      if (follower.waiting.length - follower.made > MOST_WAITING) makeNext(follower)
    }
  }

  /** The API over the data as it was at world time `at`, or as near to it as the rule has been followed. */
  apiAt(ruleId: string, at: number): SimulatedApi | undefined {
    const follower = this.#followers.get(ruleId)
    if (follower === undefined) return undefined
    makeChanges(follower, at)
    return follower.api
  }
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
  world.apply(next.change)
  follower.made++
  if (follower.made * 2 < waiting.length) return
  follower.waiting = waiting.slice(follower.made)
  follower.made = 0
}
