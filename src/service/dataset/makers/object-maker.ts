import { singularName } from '../../../names/nouns.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { onceFor } from '../../../runtime/once.ts'
import { mixPair } from '../../../runtime/random.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import { type Cell, type Maker, orElse, type Trail } from '../cell.ts'
import { LINKS, NO_SURROUNDINGS, propertySite, type Site } from '../site.ts'
import { subjectFrom } from '../words/person.ts'
import { type AddExtras, addMissing, createExtras } from './extra-properties.ts'
import { isMoneyName } from './make-number.ts'
import { mayBeNull, type Presence, presenceOf } from './presence.ts'
import { findCopy, findSum, isDerived } from './sibling-values.ts'

/** Deepest level of optional objects below the record. */
const OPTIONAL_DEPTH = 4
/** Objects with more properties omit optional objects one level earlier. */
const LARGE = 40

/** Objects about the same person or company as their parent object: an address is, an owner is not. */
const SAME_SUBJECT =
  /^(?:attributes|profile|contact|address|name|details|data|spec|metadata|info|personal\w*|location|billing\w*|shipping\w*|properties|fields|traits|general|person|contact_info\w*|geo|coordinates|phone|email|primary_\w+|\w*address)$/

/** Creates makers for sites. */
export interface Compiler {
  compile(site: Site): Maker
  /** Whether the model determines the site's values: ids, keys, relations. */
  isFixed(site: Site): boolean
  /** Whether the site's values are plain objects: no variants, no records of a collection. */
  isPlainObject(site: Site): boolean
}

/** Makes objects of one schema at one place. Properties are compiled for the first object. */
export class ObjectMaker {
  readonly #site: Site
  readonly #compiler: Compiler
  #properties: readonly Property[] | undefined
  #shapes: ObjectShapes | undefined
  readonly #byName = new Map<string, Property | undefined>()
  readonly #inner = new Map<string, ObjectMaker | undefined>()
  readonly #fallbacks = new Map<string, Maker>()
  /** Null for closed objects; undefined before the first object. */
  #extras: AddExtras | null | undefined
  readonly #isPooled: boolean
  #subject: ((cell: Cell) => number | undefined) | undefined
  #rootTrail: Trail | undefined
  readonly #siblings: ReadonlyMap<string, string>

  constructor(site: Site, compiler: Compiler) {
    this.#site = site
    this.#compiler = compiler
    this.#isPooled = site.name !== '' && isPoolable(site)
    this.#siblings = site.stock.namesOf(site.schema)
  }

  /** The object in `cell`'s property at this site; at the top, the object of `cell`. */
  make(cell: Cell): JsonObject {
    return this.fill(this.cellFor(cell))
  }

  /** The object of `cell`. */
  fill(cell: Cell): JsonObject {
    this.#shapes ??= new ObjectShapes(this.#names())
    cell.frame.work.take(1 + this.#site.schema.properties.size)
    const object = this.#shapes.create(this.#all().map((property) => this.#valueOf(property, cell)))
    this.#addExtras?.(object, cell)
    if (cell.given) addMissing(object, cell.given)
    return object
  }

  /** Adds undeclared properties; undefined where there are none. */
  get #addExtras(): AddExtras | undefined {
    if (this.#extras === undefined) this.#extras = createExtras(this.#site, this.#compiler.compile) ?? null
    return this.#extras ?? undefined
  }

  #all(): readonly Property[] {
    this.#properties ??= this.#names().map((name) => this.#property(name) as Property)
    return this.#properties
  }

  #names(): string[] {
    return [...this.#site.schema.properties.keys()].slice(0, LIMITS.generatedValues)
  }

  /** One property of the object of `cell`. */
  valueOf(name: string, cell: Cell): Json | undefined {
    const property = this.#property(name)
    return property && this.#valueOf(property, cell)
  }

  /** A value deeper in the object of `cell`, without making other values. */
  valueAt(path: FieldPath, cell: Cell): Json | undefined {
    const [name, ...rest] = path
    if (name === undefined) return this.fill(cell)
    const property = this.#property(name)
    if (!property) return this.#addExtras ? readField(this.fill(cell), path) : cell.given && readField(cell.given, path)
    const given = cell.given?.[name]
    const isWhole = rest.length === 0 || (given !== undefined && !isJsonObject(given))
    const inner = isWhole ? undefined : this.#innerObject(property)
    if (!inner) return readField(this.#valueOf(property, cell), rest)
    const { presence } = this.#planOf(property)
    if (given === undefined && presence && !presence(cell)) return undefined
    return inner.valueAt(rest, inner.cellFor(cell))
  }

  /** {@link ObjectMaker.valueAt} of one path for many objects. */
  readerOf(path: FieldPath): (cell: Cell) => Json | undefined {
    const property = path.length === 1 ? this.#property(path[0] as string) : undefined
    return property ? (cell) => this.#valueOf(property, cell) : (cell) => this.valueAt(path, cell)
  }

  /** The trail of a record's own cell at this site. */
  get rootTrail(): Trail {
    this.#rootTrail ??= { schema: this.#site.schema, above: undefined }
    return this.#rootTrail
  }

  #innerObject({ name, schema }: Property): ObjectMaker | undefined {
    return onceFor(this.#inner, name, () => {
      const site = this.#siteOf(name, schema)
      return this.#compiler.isPlainObject(site) ? new ObjectMaker(site, this.#compiler) : undefined
    })
  }

  #siteOf(name: string, schema: Schema): Site {
    return {
      ...propertySite(this.#site, name, schema, this.#siblings),
      owner: this.#ownerName(),
      isLink: LINKS.test(this.#site.snake),
    }
  }

  /** The cell of the object at this site inside `cell`. */
  cellFor(cell: Cell): Cell {
    const { key, name, schema } = this.#site
    if (name === '') {
      if (cell.trail?.schema === schema) return cell
      return cell.at(cell.trail === undefined ? this.rootTrail : { schema, above: cell.trail })
    }
    if (this.#isPooled) return this.#pooledCell(cell)
    this.#subject ??= this.#subjectReader()
    return cell.inside(name, key, schema, this.#subject(cell))
  }

  /**
   * For objects with an id and a name outside collections: one of a few shared by all records, so that the same id
   * always has the same name.
   */
  #pooledCell(cell: Cell): Cell {
    const { key, name, schema } = this.#site
    const { turn } = cell
    const number = turn ? (mixPair(turn.seed, key) + turn.at) % POOL : mixPair(cell.seed, key) % POOL
    return cell.inside(name, key, schema).shared(key, number, subjectFrom(mixPair(key, number)))
  }

  /** The subject of the object: its parent object's, that of the record to which its name refers, or a new one. */
  #subjectReader(): (cell: Cell) => number | undefined {
    const { key, snake, surroundings } = this.#site
    if (SAME_SUBJECT.test(snake) || isMoneyName(snake)) return () => undefined
    return surroundings.subjectOf(snake) ?? ((cell) => subjectFrom(mixPair(cell.seed, key)))
  }

  #valueOf(property: Property, cell: Cell): Json | undefined {
    const { name, required, nested, absent } = property
    if (cell.given && Object.hasOwn(cell.given, name)) return this.#completed(property, cell, cell.given[name] as Json)
    if (!required) {
      if (cell.frame.isRequest ? property.readOnly : property.writeOnly) return undefined
      if (nested && this.#isTooDeep(cell, nested)) return absent
    }
    const { presence, make } = this.#planOf(property)
    if (presence && !presence(cell)) return absent
    const value = make(cell)
    return value === undefined && required ? this.#withoutModel(property)(cell) : value
  }

  /** Makes a required value that the model would omit, from the schema only. */
  #withoutModel({ name, schema }: Property): Maker {
    return onceFor(this.#fallbacks, name, () =>
      this.#compiler.compile({ ...this.#siteOf(name, schema), surroundings: NO_SURROUNDINGS }),
    )
  }

  /** A client's value of a property, with its missing fields. */
  #completed(property: Property, cell: Cell, given: Json): Json {
    const { name, schema, nested } = property
    if (!nested || typeof given !== 'object' || given === null) return given
    const site = propertySite(this.#site, name, schema, this.#siblings)
    const isOwn = !schema.enum && !(site.path && site.surroundings.fixed(site.path, schema))
    return isOwn ? (this.#planOf(property).make(cell) ?? given) : given
  }

  #isTooDeep(cell: Cell, nested: Schema): boolean {
    const { size } = this.#site.schema.properties
    return cell.depth >= OPTIONAL_DEPTH - (size > LARGE ? 2 : 0) || cell.frame.work.isScarce || cell.isWithin(nested)
  }

  #property(name: string): Property | undefined {
    if (this.#byName.has(name)) return this.#byName.get(name)
    const schema = this.#site.schema.properties.get(name)
    this.#site.stock.add(UNPLANNED)
    const property = schema && propertyOf(name, schema, this.#site.schema.required.has(name))
    this.#byName.set(name, property)
    return property
  }

  #planOf(property: Property): ValuePlan {
    property.plan ??= this.#planValues(property)
    return property.plan
  }

  #planValues({ name, schema }: Property): ValuePlan {
    this.#site.stock.add()
    const site = this.#siteOf(name, schema)
    const read = (sibling: string, cell: Cell) => this.valueOf(sibling, cell)
    const sum = findSum(site, this.#site.schema, read)
    const copy = this.#compiler.isFixed(site) ? undefined : findCopy(site, this.#site.schema, read)
    const usual = schema.isContradictory && !site.required ? () => false : presenceOf(site)
    const plan = {
      presence: sum ? undefined : copy && isDerived(site) ? orHas(copy, usual) : usual,
      // Compiled for the first value: a recursive schema may have none.
      make: (cell: Cell): Json | undefined => {
        plan.make = sum ?? (copy ? orElse(copy, () => this.#compiler.compile(site)) : this.#compiler.compile(site))
        return plan.make(cell)
      },
    }
    return plan
  }

  /** The noun for the object: the name of its property, or of its parent object. */
  #ownerName(): string {
    const { name, snake, owner } = this.#site
    if (
      name === '' ||
      /^(?:attributes|data|fields|properties|details|spec|info|value|content|item|object|node|result|metadata|links?|urls|hrefs)$/.test(
        snake,
      )
    )
      return owner
    return /^(?:categor(?:y|ies)|types?|kinds?|tags?|labels?)$/.test(snake)
      ? `${owner}_${singularName(snake)}`
      : singularName(snake)
  }
}

/** Whether a value can be derived, or is there anyway. */
const orHas =
  (derive: Maker, usual: Presence): Presence =>
  (cell) =>
    derive(cell) !== undefined || (usual?.(cell) ?? true)

/** Number of objects of each kind outside collections. */
const POOL = 12

const UNIQUE_IN_RECORD =
  /line|item|entry|entries|position|product|transaction|payment|event|attachment|file|comment|message|activity|history|log/

/** Whether the object looks like a record without a collection in the API: a category, a status, a language. */
function isPoolable({ schema, snake }: Site): boolean {
  const { properties } = schema
  const hasName = properties.has('name') || properties.has('title') || properties.has('label')
  return properties.has('id') && hasName && !UNIQUE_IN_RECORD.test(snake)
}

/** Memory of a property before its values are planned, in units of the stock. */
const UNPLANNED = 0.15

/** A property of the objects that one maker makes. */
interface Property {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Schema of the objects in the value, for depth and cycles; undefined without objects. */
  readonly nested: Schema | undefined
  /** The value of an absent property: null where the schema allows null. */
  readonly absent: null | undefined
  readonly readOnly: boolean
  readonly writeOnly: boolean
  /** Undefined before the first value: most deep objects are omitted. */
  plan: ValuePlan | undefined
}

/** How a property's values are made, and when it has one. */
interface ValuePlan {
  readonly presence: Presence
  readonly make: Maker
}

function propertyOf(name: string, schema: Schema, required: boolean): Property {
  return {
    name,
    schema,
    required,
    nested: nestedSchema(schema),
    absent: mayBeNull(schema) ? null : undefined,
    readOnly: schema.readOnly,
    writeOnly: schema.writeOnly,
    plan: undefined,
  }
}

/** The schema of the objects inside a value; undefined without objects. */
function nestedSchema(schema: Schema): Schema | undefined {
  if (schema.items) return nestedSchema(schema.items)
  const isObject =
    schema.properties.size > 0 ||
    typeof schema.additionalProperties === 'object' ||
    schema.variants?.some((variant) => variant.properties.size > 0)
  return isObject ? schema : undefined
}

/** Most cached sets of present names; one more drops them all. */
const MOST_SHAPES = 64
/** Beyond this number of names V8 always uses a hash table. */
const MOST_NAMES = 500

/**
 * Makes objects of one list of names. V8 converts an object with more than 16 properties of computed names into a hash
 * table; a copy of a parsed object stores them adjacently. A record of 20 fields then takes 184 bytes instead of 860
 * and 0.25 µs instead of 1.1 to make, and half the time to write as JSON.
 */
class ObjectShapes {
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
