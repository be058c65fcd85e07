import type { Json } from '../../protocol/json.ts'
import { PositionSet } from './position-set.ts'

/** Most different values of a field with an index. Then an index has at most about 16 bytes per record, and 1 MB for the values. */
export const MOST_VALUES = 4_096

const NONE = new PositionSet()

/** Live positions of a collection by value: one set for each value. See `decisions/list-indexes.md`. */
export class ValueIndex {
  readonly #buckets = new Map<Json | undefined, { readonly value: Json | undefined; readonly set: PositionSet }>()

  /** Whether there are too many different values for an index. It is no longer updated then. */
  get isTooWide(): boolean {
    return this.#buckets.size > MOST_VALUES
  }

  /** Positions with the scalar `value`; undefined means no value. */
  with(value: Json | undefined): PositionSet {
    return this.#buckets.get(value)?.set ?? NONE
  }

  /** Positions whose value passes `test`, which is called once for each different value. */
  where(test: (value: Json | undefined) => boolean): PositionSet {
    const sets: PositionSet[] = []
    for (const { value, set } of this.#buckets.values()) if (test(value)) sets.push(set)
    return PositionSet.union(sets)
  }

  sizes(): (readonly [value: Json | undefined, positions: number])[] {
    return [...this.#buckets.values()].map(({ value, set }) => [value, set.size] as const)
  }

  add(position: number, value: Json | undefined): void {
    const name = toName(value)
    let bucket = this.#buckets.get(name)
    if (bucket === undefined) {
      bucket = { value, set: new PositionSet() }
      this.#buckets.set(name, bucket)
    }
    bucket.set.add(position)
  }

  delete(position: number, value: Json | undefined): void {
    const name = toName(value)
    const set = this.#buckets.get(name)?.set
    set?.delete(position)
    if (set?.size === 0) this.#buckets.delete(name)
  }
}

/** Scalars are their own names; objects and arrays are distinguished by their text. */
function toName(value: Json | undefined): Json | undefined {
  return typeof value === 'object' && value !== null ? `\u0000${JSON.stringify(value)}` : value
}
