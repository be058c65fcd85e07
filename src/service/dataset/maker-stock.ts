import { snakeCase } from '../../names/words.ts'
import { onceFor } from '../../runtime/once.ts'
import type { Schema } from '../../schema/schema.ts'

/**
 * Most memory for the fields of one dataset, in units of 1 to 2 KB: one for a planned field, one for a compiled maker.
 * Real descriptions rarely use half of it.
 */
const MOST_UNITS = 60_000

/**
 * Counts the fields of makers. Nested schemas have more places than memory could hold makers for: beyond the limit all
 * makers are dropped, and compiled again at their next use, with the same values.
 */
export class MakerStock {
  #units = 0
  readonly #droppers: (() => void)[] = []
  readonly #names = new Map<Schema, ReadonlyMap<string, string>>()

  /** Calls `drop` when makers must be dropped: every holder releases its makers. */
  whenFull(drop: () => void): void {
    this.#droppers.push(drop)
  }

  /** Counts the memory of a field. */
  add(units = 1): void {
    this.#units += units
    if (this.#units < MOST_UNITS) return
    this.#units = 0
    this.#names.clear()
    for (const drop of this.#droppers) drop()
  }

  /** Names of a schema's properties in snake case, with the written names: one map for all places of the schema. */
  namesOf(schema: Schema): ReadonlyMap<string, string> {
    return onceFor(
      this.#names,
      schema,
      ({ properties }) => new Map([...properties.keys()].map((name) => [snakeCase(name), name])),
    )
  }
}
