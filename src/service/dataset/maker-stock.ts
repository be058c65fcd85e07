import { snakeCase } from '../../names/words.ts'
import type { Schema } from '../../schema/schema.ts'

/**
 * Most that is kept for the fields of one dataset, in units of 1 to 2 KB: one where a field is planned, one where its maker is compiled. Real
 * descriptions rarely have half of it in use.
 */
const MOST_UNITS = 60_000

/**
 * Counts the fields that makers keep. Schemas that nest have more places than memory could hold makers for:
 * past the bound all makers are dropped, and are compiled again where they are needed, with the same values.
 */
export class MakerStock {
  #units = 0
  readonly #droppers: (() => void)[] = []
  readonly #names = new Map<Schema, ReadonlyMap<string, string>>()

  /** Calls `drop` whenever makers have to be dropped: whoever keeps some lets go of them, be they asked for again or not. */
  whenFull(drop: () => void): void {
    this.#droppers.push(drop)
  }

  /** Counts what a field takes more. */
  add(units = 1): void {
    this.#units += units
    if (this.#units < MOST_UNITS) return
    this.#units = 0
    this.#names.clear()
    for (const drop of this.#droppers) drop()
  }

  /** Names of the properties of a schema in snake case, with the names as written: one map for all places of the schema. */
  namesOf(schema: Schema): ReadonlyMap<string, string> {
    let names = this.#names.get(schema)
    if (names === undefined) {
      names = new Map([...schema.properties.keys()].map((name) => [snakeCase(name), name]))
      this.#names.set(schema, names)
    }
    return names
  }
}
