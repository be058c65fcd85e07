import { snakeCase } from '../../names/words.ts'
import type { Schema } from '../../schema/schema.ts'

/** Most fields whose makers are kept for one dataset; one takes 1 to 3 KB. Real descriptions rarely have half of it in use. */
const MOST_FIELDS = 40_000

/**
 * Counts the fields that makers were compiled for. Schemas that nest have more places than memory could hold makers for:
 * past the bound all makers are dropped, and are compiled again where they are needed, with the same values.
 */
export class MakerStock {
  #fields = 0
  #generation = 0
  readonly #names = new Map<Schema, ReadonlyMap<string, string>>()

  /** Makers that were kept under another number have been dropped. */
  get generation(): number {
    return this.#generation
  }

  /** Counts one more field. */
  add(): void {
    if (++this.#fields < MOST_FIELDS) return
    this.#fields = 0
    this.#generation++
    this.#names.clear()
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
