import type { ApiModel } from '../openapi/model.ts'
import type { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { Change } from '../world/change.ts'
import { World } from '../world/world.ts'

/** A second overlay on the same dataset that follows the living world at a distance. */
interface Follower {
  readonly world: World
  readonly api: SimulatedApi
  readonly waiting: { at: number; change: Change }[]
}

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
  watch(ruleIds: readonly string[]): void {
    for (const id of this.#followers.keys()) if (!ruleIds.includes(id)) this.#followers.delete(id)
    for (const id of ruleIds) {
      if (this.#followers.has(id)) continue
      const world = new World(this.#model, this.#living.dataset)
      world.restore(this.#living.dump())
      this.#followers.set(id, { world, api: this.#createApi(world), waiting: [] })
    }
  }

  /** Starts afresh from the living world: it was reset or restored. */
  restart(): void {
    const ids = [...this.#followers.keys()]
    this.#followers.clear()
    this.watch(ids)
  }

  /** Tells of a change that the living world has just made. */
  follow(change: Change, at: number): void {
    for (const { waiting } of this.#followers.values()) waiting.push({ at, change })
  }

  /** The API over the data as it was at world time `at`, or as near to it as the rule has been followed. */
  apiAt(ruleId: string, at: number): SimulatedApi | undefined {
    const follower = this.#followers.get(ruleId)
    if (follower === undefined) return undefined
    const upTo = follower.waiting.findIndex((entry) => entry.at > at)
    const due = follower.waiting.splice(0, upTo === -1 ? follower.waiting.length : upTo)
    for (const { change } of due) follower.world.apply(change)
    return follower.api
  }
}
