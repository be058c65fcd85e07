import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Cell, Maker } from './cell.ts'
import type { Presence } from './presence.ts'

/** Most selections of names that are kept; one more drops them all. */
const MOST_SHAPES = 64

/**
 * Makes objects of one list of names. V8 turns an object that gets more than 16 properties by computed names into a hash
 * table; a copy of an object that was parsed keeps them side by side. A record of 20 fields then takes 184 bytes instead of
 * 860 and 0.25 µs instead of 1.1 to make, and half the time to write as JSON.
 */
export class ObjectShapes {
  readonly #names: readonly string[]
  readonly #blanks = new Map<string, JsonObject>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** An object of the names that have a value, in their order. `values` stand in the order of the names. */
  create(values: readonly (Json | undefined)[]): JsonObject {
    let absent = ''
    for (let at = 0; at < values.length; at++) if (values[at] === undefined) absent += `${at},`
    const object: JsonObject = { ...(this.#blanks.get(absent) ?? this.#addBlank(absent, values)) }
    for (let at = 0; at < values.length; at++) {
      const value = values[at]
      if (value !== undefined) object[this.#names[at] as string] = value
    }
    return object
  }

  #addBlank(absent: string, values: readonly (Json | undefined)[]): JsonObject {
    const present = this.#names.filter((_, at) => values[at] !== undefined)
    const blank = JSON.parse(`{${present.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as JsonObject
    if (this.#blanks.size >= MOST_SHAPES) this.#blanks.clear()
    this.#blanks.set(absent, blank)
    return blank
  }
}

/** A property of a record that a client makes at this moment. */
interface NewProperty {
  readonly name: string
  readonly required: boolean
  readonly nested: unknown
  readonly presence: Presence
  readonly absent: null | undefined
  readonly writeOnly: boolean
  readonly compile: () => Maker
}

/** Most selections of names that are kept; one more drops them all. */
const MOST_BLANKS = 64

/**
 * Makes objects of records that clients make at this moment. Most of their fields are the same every time, empty or an
 * initial value: those are copied, and only the others are made.
 */
export class NewObjects<Property extends NewProperty> {
  readonly #properties: readonly Property[]
  readonly #read: (property: Property, cell: Cell) => Json | undefined
  /** What each property always is, undefined where it is left out; `open` where it depends on the record. */
  readonly #usual: readonly (Json | undefined | typeof OPEN)[]
  readonly #open: readonly Property[]
  readonly #places: ReadonlyMap<string, number>
  readonly #blanks = new Map<string, JsonObject>()

  constructor(properties: readonly Property[], read: (property: Property, cell: Cell) => Json | undefined) {
    this.#properties = properties
    this.#read = read
    this.#usual = properties.map(usualValue)
    this.#open = properties.filter((_, at) => this.#usual[at] === OPEN)
    this.#places = new Map(properties.map(({ name }, at) => [name, at]))
  }

  /**
   * The object, without what a client sent beyond the properties; undefined where one that depends on the record has
   * no value.
   */
  create(cell: Cell): JsonObject | undefined {
    const { given } = cell
    const object: JsonObject = { ...this.#blankFor(given) }
    for (const property of this.#open) {
      const value = this.#read(property, cell)
      if (value === undefined) return undefined
      object[property.name] = value
    }
    for (const name in given) {
      const place = this.#places.get(name)
      if (place === undefined || this.#usual[place] === OPEN) continue
      const value = this.#read(this.#properties[place] as Property, cell)
      if (value !== undefined) object[name] = value
    }
    return object
  }

  /** An object with the names that a record with these given fields has, in their order, to be copied. */
  #blankFor(given: JsonObject | undefined): JsonObject {
    let added = ''
    for (const name in given) {
      const place = this.#places.get(name)
      if (place !== undefined && this.#usual[place] === undefined) added += `${place},`
    }
    return this.#blanks.get(added) ?? this.#addBlank(added, given)
  }

  /** Parsed from JSON for the reason stated at `ObjectShapes`. */
  #addBlank(added: string, given: JsonObject | undefined): JsonObject {
    const fields = this.#properties.flatMap(({ name }, at) => {
      const usual = this.#usual[at]
      if (usual === undefined && !(given && Object.hasOwn(given, name))) return []
      return [`${JSON.stringify(name)}:${JSON.stringify(usual === OPEN || usual === undefined ? null : usual)}`]
    })
    const blank = JSON.parse(`{${fields.join(',')}}`) as JsonObject
    // All copies share the constant values.
    for (const value of Object.values(blank)) if (Array.isArray(value)) Object.freeze(value)
    if (this.#blanks.size >= MOST_BLANKS) this.#blanks.clear()
    this.#blanks.set(added, blank)
    return blank
  }
}

const OPEN = Symbol('open')

function usualValue({
  required,
  nested,
  presence,
  absent,
  writeOnly,
  compile,
}: NewProperty): Json | undefined | typeof OPEN {
  if (!required && writeOnly) return undefined
  if (nested !== undefined) return OPEN
  if (presence !== undefined) {
    const isThere = presence.atFirst?.()
    if (isThere !== true) return isThere === false ? absent : OPEN
  }
  return compile().initial ?? OPEN
}
