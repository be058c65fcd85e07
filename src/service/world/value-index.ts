import type { Json } from '../../protocol/json.ts'
import { PositionSet } from './position-set.ts'

/**
 * Most different values of a field that has an index. With it an index takes at most some 16 bytes a record, and 1 MB
 * for the values themselves.
 */
const MOST_VALUES = 4_096

const NONE = new PositionSet()

/** Live positions of a collection by one value that each of them has: one set a value. */
export class ValueIndex {
  readonly #buckets = new Map<Json | undefined, { readonly value: Json | undefined; readonly set: PositionSet }>()

  /** Whether there are so many different values that an index does not pay. It is not kept up from then on. */
  get isTooWide(): boolean {
    return this.#buckets.size > MOST_VALUES
  }

  /** Positions with the scalar `value`; undefined stands for no value. */
  with(value: Json | undefined): PositionSet {
    return this.#buckets.get(value)?.set ?? NONE
  }

  /** Positions whose value passes `test`, which is put to each different value once. */
  where(test: (value: Json | undefined) => boolean): PositionSet {
    const sets: PositionSet[] = []
    for (const { value, set } of this.#buckets.values()) if (test(value)) sets.push(set)
    return PositionSet.union(sets)
  }

  /** How many positions have each value. */
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

/** Scalars stand for themselves; objects and arrays are told apart by their text. */
function toName(value: Json | undefined): Json | undefined {
  return typeof value === 'object' && value !== null ? `\u0000${JSON.stringify(value)}` : value
}
