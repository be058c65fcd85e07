import type { Json } from '../../protocol/json.ts'
import type { FieldPath } from '../openapi/schema.ts'
import { RankSet } from './rank-set.ts'

const NONE: RankSet = new RankSet()

/** Live positions of a collection by the value of one field. The empty field path puts them all into one set. */
export class FieldIndex {
  readonly field: FieldPath
  readonly #sets = new Map<Json | undefined, RankSet>()

  constructor(field: FieldPath) {
    this.field = field
  }

  /** Positions of the records whose field holds the scalar `value`. */
  with(value: Json | undefined): RankSet {
    return this.#sets.get(toBucket(this.field, value)) ?? NONE
  }

  /** How many different values there are. */
  get valueCount(): number {
    return this.#sets.size
  }

  add(position: number, value: Json | undefined): void {
    const bucket = toBucket(this.field, value)
    const set = this.#sets.get(bucket) ?? new RankSet()
    this.#sets.set(bucket, set)
    set.add(position)
  }

  delete(position: number, value: Json | undefined): void {
    const bucket = toBucket(this.field, value)
    const set = this.#sets.get(bucket)
    set?.delete(position)
    if (set?.size === 0) this.#sets.delete(bucket)
  }
}

/** Objects and arrays have no bucket of their own; they share the one of fields that are absent. */
function toBucket(field: FieldPath, value: Json | undefined): Json | undefined {
  return field.length === 0 || (typeof value === 'object' && value !== null) ? undefined : value
}
