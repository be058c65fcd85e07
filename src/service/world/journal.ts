import type { JsonObject } from '../../protocol/json.ts'
import type { PositionDelta } from './collection-state.ts'

/** What a run of changes made of a world: enough to make the same of another one on the same dataset. Plain JSON. */
export interface WorldDelta {
  /** Whether it starts from the dataset as generated; else from where the world stood. */
  readonly fromStart: boolean
  readonly collections: readonly {
    readonly name: string
    /** How many records were ever created. */
    readonly created: number
    readonly positions: readonly PositionDelta[]
  }[]
  /** Documents that changed; null where one was deleted. */
  readonly singletons: readonly (readonly [key: string, record: JsonObject | null])[]
}

/** What stood before the changes since a `begin`, where there were any: it costs what differs, however often it changed. */
export interface Journal {
  readonly collections: Map<string, { readonly created: number; readonly positions: Map<number, PositionDelta> }>
  /** Undefined where a document was as generated. */
  readonly singletons: Map<string, JsonObject | null | undefined>
  /** What the world was when it went back to its dataset, if it did; from then on nothing is noted. */
  beforeStart: WorldDelta | undefined
}

/** Whether nothing was noted. */
export const isEmpty = ({ collections, singletons, beforeStart }: Journal): boolean =>
  collections.size === 0 && singletons.size === 0 && beforeStart === undefined

/** What an inner journal noted is the outer one's to take back, unless that has noted what stood before. */
export function mergeInto(outer: Journal, inner: Journal): void {
  if (outer.beforeStart !== undefined) return
  outer.beforeStart = inner.beforeStart
  for (const [key, record] of inner.singletons) if (!outer.singletons.has(key)) outer.singletons.set(key, record)
  for (const [name, noted] of inner.collections) {
    const known = outer.collections.get(name)
    if (known === undefined) outer.collections.set(name, noted)
    else {
      for (const [position, before] of noted.positions) {
        if (!known.positions.has(position)) known.positions.set(position, before)
      }
    }
  }
}
