import type { Json, JsonObject } from '../../../protocol/json.ts'

/** Most cached sets of present names; one more drops them all. */
const MOST_SHAPES = 64
/** Beyond this number of names V8 always uses a hash table. */
const MOST_NAMES = 500

/**
 * Makes objects of one list of names. V8 converts an object with more than 16 properties of computed names into a hash
 * table; a copy of a parsed object stores them adjacently. A record of 20 fields then takes 184 bytes instead of 860
 * and 0.25 µs instead of 1.1 to make, and half the time to write as JSON.
 */
export class ObjectShapes {
  readonly #names: readonly string[]
  readonly #blanks = new Map<string, JsonObject>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** An object of the names with a value, in order. `values` have the order of the names. */
  create(values: readonly (Json | undefined)[]): JsonObject {
    const object: JsonObject = values.length > MOST_NAMES ? {} : this.#blank(values)
    for (let at = 0; at < values.length; at++) {
      const value = values[at]
      if (value !== undefined) object[this.#names[at] as string] = value
    }
    return object
  }

  /** An object of the names with a value, all null. */
  #blank(values: readonly (Json | undefined)[]): JsonObject {
    let absent = ''
    for (let at = 0; at < values.length; at++) if (values[at] === undefined) absent += `${at},`
    return { ...(this.#blanks.get(absent) ?? this.#addBlank(absent, values)) }
  }

  #addBlank(absent: string, values: readonly (Json | undefined)[]): JsonObject {
    const present = this.#names.filter((_, at) => values[at] !== undefined)
    const blank = JSON.parse(`{${present.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as JsonObject
    if (this.#blanks.size >= MOST_SHAPES) this.#blanks.clear()
    this.#blanks.set(absent, blank)
    return blank
  }
}
