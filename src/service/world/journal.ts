import type { JsonObject } from '../../protocol/json.ts'
import type { PositionDelta } from './collection-state.ts'

/** The changes of a world: enough to make the same changes in another world on the same dataset. Plain JSON. */
export interface WorldDelta {
  /** Whether it starts from the generated dataset; else from the state before the changes. */
  readonly fromStart: boolean
  readonly collections: readonly {
    readonly name: string
    /** Number of records ever created. */
    readonly created: number
    readonly positions: readonly PositionDelta[]
  }[]
  /** Changed documents; null for deleted ones. */
  readonly singletons: readonly (readonly [key: string, record: JsonObject | null])[]
}

/** The former values of changes since a `begin`: its size depends on the number of changed records, not of changes. */
export interface Journal {
  readonly collections: Map<string, { readonly created: number; readonly positions: Map<number, PositionDelta> }>
  /** Undefined for a generated document. */
  readonly singletons: Map<string, JsonObject | null | undefined>
  /** The state before the world went back to its dataset, if it did; nothing is noted afterwards. */
  beforeStart: WorldDelta | undefined
}

/** Whether it has no notes. */
export const isEmpty = ({ collections, singletons, beforeStart }: Journal): boolean =>
  collections.size === 0 && singletons.size === 0 && beforeStart === undefined

/** Adds an inner journal's notes to the outer one, which keeps its own older notes. */
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
