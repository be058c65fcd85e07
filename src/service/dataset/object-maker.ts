import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { mixPair } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../openapi/schema.ts'
import { Cell, drawAt, type Maker, pickBy, type Trail } from './cell.ts'
import { singularOf, snakeCase } from './field-name.ts'
import { fits } from './fits.ts'
import { isMoneyName } from './make-number.ts'
import { subjectFrom } from './person.ts'
import { mayBeNull, type Presence, presenceOf } from './presence.ts'
import { NO_SURROUNDINGS, propertySite, type Site } from './site.ts'
import { findSum } from './sums.ts'

/** Levels below the record down to which optional objects are made. */
const OPTIONAL_DEPTH = 4
/** Properties of which an object is so large that optional objects inside it are left out one level earlier. */
const LARGE = 40

interface Property {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Whether objects hang below, so that depth and cycles count. */
  readonly nested: Schema | undefined
  readonly presence: Presence
  /** What stands there when the value is missing: null where that may be. */
  readonly absent: null | undefined
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly isPlainName: boolean
  readonly make: Maker
}

/** Objects whose properties tell of the object around them: its address is its own, its owner somebody else. */
const SAME_SUBJECT =
  /^(?:attributes|profile|contact|address|name|details|data|spec|metadata|info|personal\w*|location|billing\w*|shipping\w*|properties|fields|traits|general|person|contact_info\w*|geo|coordinates|phone|email|primary_\w+|\w*address)$/

/** What turns sites into makers. */
export interface Compiler {
  compile(site: Site): Maker
  /** Whether the site's values are objects made of properties: no variants, no stand-in for a record. */
  isPlainObject(site: Site): boolean
}

/** Makes objects of one schema at one place. Properties are compiled when the first object is made. */
export class ObjectMaker {
  readonly #site: Site
  readonly #compiler: Compiler
  #properties: readonly Property[] | undefined
  readonly #byName = new Map<string, Property | undefined>()
  readonly #inner = new Map<string, ObjectMaker | undefined>()
  readonly #fallbacks = new Map<string, Maker>()
  readonly #isClosed: boolean
  readonly #isPooled: boolean
  #subject: ((cell: Cell) => number | undefined) | undefined
  #rootTrail: Trail | undefined
  readonly #siblings: ReadonlyMap<string, string>

  constructor(site: Site, compiler: Compiler) {
    this.#site = site
    this.#compiler = compiler
    this.#isClosed = isClosed(site.schema)
    this.#isPooled = site.name !== '' && isPoolable(site)
    this.#siblings = new Map([...site.schema.properties.keys()].map((name) => [snakeCase(name), name]))
  }

  /** The object that stands for `cell`'s property at this site; at the top, for `cell` itself. */
  make(cell: Cell): JsonObject {
    return this.fill(this.cellFor(cell))
  }

  /** The object of which `cell` already is the cell. */
  fill(cell: Cell): JsonObject {
    const object: JsonObject = {}
    this.#properties ??= [...this.#site.schema.properties.keys()].map((name) => this.#property(name) as Property)
    for (const property of this.#properties) {
      const value = this.#valueOf(property, cell)
      if (value === undefined) continue
      if (property.isPlainName) object[property.name] = value
      else setOwn(object, property.name, value)
    }
    this.#addExtras(object, cell)
    if (cell.given) addMissing(object, cell.given)
    return object
  }

  /** One property of the object of which `cell` is the cell. */
  valueOf(name: string, cell: Cell): Json | undefined {
    const property = this.#property(name)
    return property && this.#valueOf(property, cell)
  }

  /** A value further down in the object of which `cell` is the cell, without the values around it. */
  valueAt(path: FieldPath, cell: Cell): Json | undefined {
    const [name, ...rest] = path
    if (name === undefined) return this.fill(cell)
    const property = this.#property(name)
    if (!property) return undefined
    const inner = rest.length > 0 && !cell.given ? this.#innerObject(property) : undefined
    if (!inner) return descend(this.#valueOf(property, cell), rest)
    if (property.presence && !property.presence(cell)) return undefined
    return inner.valueAt(rest, inner.cellFor(cell))
  }

  /** The maker of a property that is an object and nothing else. */
  #innerObject({ name, schema }: Property): ObjectMaker | undefined {
    if (!this.#inner.has(name)) {
      const site = this.#siteOf(name, schema)
      this.#inner.set(name, this.#compiler.isPlainObject(site) ? new ObjectMaker(site, this.#compiler) : undefined)
    }
    return this.#inner.get(name)
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
      if (cell.trail === undefined) this.#rootTrail ??= { schema, above: undefined }
      return cell.trail?.schema === schema
        ? cell
        : cell.at(cell.trail === undefined ? this.#rootTrail : { schema, above: cell.trail })
    }
    if (this.#isPooled) return this.#pooledCell(cell)
    this.#subject ??= this.#subjectReader()
    return cell.inside(name, key, schema, this.#subject(cell))
  }

  /**
   * For objects with an id and a name that are records of no collection: one of a few that come again and again, so that
   * the same id always has the same name.
   */
  #pooledCell(cell: Cell): Cell {
    const { key, name, schema } = this.#site
    const { turn } = cell
    const number = turn ? (mixPair(turn.seed, key) + turn.at) % POOL : mixPair(cell.seed, key) % POOL
    return cell.inside(name, key, schema).shared(key, number, subjectFrom(mixPair(key, number)))
  }

  /** Whom the object tells of: the same as the one around it, the record that its name refers to, or somebody else. */
  #subjectReader(): (cell: Cell) => number | undefined {
    const { key, snake, surroundings } = this.#site
    if (SAME_SUBJECT.test(snake) || isMoneyName(snake)) return () => undefined
    return surroundings.subjectOf(snake) ?? ((cell) => subjectFrom(mixPair(cell.seed, key)))
  }

  #valueOf(property: Property, cell: Cell): Json | undefined {
    const { name, required, nested, presence, absent } = property
    if (cell.given && Object.hasOwn(cell.given, name)) return this.#completed(property, cell, cell.given[name] as Json)
    if (!required) {
      if (cell.frame.isRequest ? property.readOnly : property.writeOnly) return undefined
      if (nested && this.#isTooDeep(cell, nested)) return absent
    }
    if (presence && !presence(cell)) return absent
    const value = property.make(cell)
    return value === undefined && required ? this.#withoutModel(property)(cell) : value
  }

  /** For required values that the model would leave out: made from the schema alone. */
  #withoutModel({ name, schema }: Property): Maker {
    let make = this.#fallbacks.get(name)
    if (!make) {
      const site = {
        ...propertySite(this.#site, name, schema, this.#siblings),
        owner: this.#ownerName(),
        surroundings: NO_SURROUNDINGS,
      }
      make = this.#compiler.compile(site)
      this.#fallbacks.set(name, make)
    }
    return make
  }

  /** What a client sent for a property, with what it left out inside. */
  #completed({ name, schema, nested }: Property, cell: Cell, given: Json): Json {
    if (!nested || typeof given !== 'object' || given === null) return given
    const site = propertySite(this.#site, name, schema, this.#siblings)
    const isOwn = !schema.enum && !(site.path && site.surroundings.fixed(site.path, schema))
    return isOwn ? (this.#property(name)?.make(cell) ?? given) : given
  }

  #isTooDeep(cell: Cell, nested: Schema): boolean {
    const limit = this.#site.schema.properties.size > LARGE ? OPTIONAL_DEPTH - 2 : OPTIONAL_DEPTH
    if (cell.depth >= limit) return true
    for (let trail = cell.trail; trail; trail = trail.above) if (trail.schema === nested) return true
    return false
  }

  #property(name: string): Property | undefined {
    if (this.#byName.has(name)) return this.#byName.get(name)
    const schema = this.#site.schema.properties.get(name)
    const property = schema && this.#compileProperty(name, schema)
    this.#byName.set(name, property)
    return property
  }

  #compileProperty(name: string, schema: Schema): Property {
    const site = this.#siteOf(name, schema)
    const sum = findSum(site, this.#site.schema, (sibling, at) => this.valueOf(sibling, at))
    const property = {
      name,
      schema,
      required: site.required,
      nested: nestedSchema(schema),
      presence: sum ? undefined : isContradictory(schema) ? () => false : presenceOf(site),
      absent: mayBeNull(schema) ? null : undefined,
      readOnly: schema.readOnly,
      writeOnly: schema.writeOnly,
      isPlainName: name !== '__proto__',
      make: (cell: Cell): Json | undefined => {
        property.make = sum ?? this.#compiler.compile(site)
        return property.make(cell)
      },
    }
    return property
  }

  /** What the object is called: its property, its schema, or the object around it. */
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
      ? `${owner}_${singularOf(snake)}`
      : singularOf(snake)
  }

  #addExtras(object: JsonObject, cell: Cell): void {
    const { schema } = this.#site
    if (this.#isClosed) return
    for (const name of schema.required) {
      if (Object.hasOwn(object, name) || schema.properties.has(name)) continue
      const extra = schema.additionalProperties
      setOwn(
        object,
        name,
        typeof extra === 'object'
          ? (this.#compiler.compile(propertySite(this.#site, name, extra, this.#siblings))(cell) ?? null)
          : name,
      )
    }
    const extra = schema.additionalProperties
    if (cell.given) return
    if (typeof extra !== 'object' || schema.properties.size > 0) {
      if (extra === true) this.#padTo(schema.minProperties ?? 0, object)
      return
    }
    if (cell.depth >= OPTIONAL_DEPTH && (schema.minProperties ?? 0) === 0) return
    const wanted = Math.min(schema.maxProperties ?? 2, Math.max(schema.minProperties ?? 0, cell.frame.isNew ? 0 : 2))
    for (let at = 0; Object.keys(object).length < wanted && at < wanted + MAP_KEYS.length; at++) {
      const name =
        (MAP_KEYS[(at + (drawAt(cell, 0x6d61) % 5)) % MAP_KEYS.length] as string) + (at >= MAP_KEYS.length ? at : '')
      const inner = new Cell(cell.frame, mixPair(cell.seed, at), cell.subject, cell.depth, cell.trail)
      const value =
        mapValue(name, extra, inner) ??
        this.#compiler.compile({ ...propertySite(this.#site, name, extra, this.#siblings), path: undefined })(inner)
      if (value !== undefined) setOwn(object, name, value)
    }
  }

  #padTo(wanted: number, object: JsonObject): void {
    for (let at = 0; Object.keys(object).length < wanted && at < MAP_KEYS.length; at++)
      setOwn(object, MAP_KEYS[at] as string, 'web')
  }
}

/** What people put into maps of their own, with what it says. */
const MAP_VALUES: Readonly<Record<string, readonly string[]>> = {
  team: ['growth', 'support', 'finance', 'platform'],
  region: ['emea', 'amer', 'apac'],
  source: ['web', 'import', 'api', 'referral'],
  tier: ['standard', 'plus', 'enterprise'],
  channel: ['email', 'web', 'phone', 'partner'],
  locale: ['en-GB', 'de-DE', 'fr-FR'],
  segment: ['new', 'returning', 'dormant'],
  campaign: ['spring-launch', 'welcome', 'year-end'],
}
const MAP_KEYS = Object.keys(MAP_VALUES)

function mapValue(name: string, schema: Schema, cell: Cell): Json | undefined {
  if (schema.types.length > 0 && !schema.types.includes('string')) return undefined
  const words = MAP_VALUES[name]
  const word = words && pickBy(words, cell.seed)
  return word !== undefined && fits(schema, word) ? word : undefined
}

function nestedSchema(schema: Schema): Schema | undefined {
  if (schema.items) return nestedSchema(schema.items)
  const isObject =
    schema.properties.size > 0 ||
    typeof schema.additionalProperties === 'object' ||
    schema.variants?.some((variant) => variant.properties.size > 0)
  return isObject ? schema : undefined
}

/** Whether a type is written beside a reference to something of another type: nothing fits both. */
function isContradictory({ raw, types }: Schema): boolean {
  return (
    raw.$ref !== undefined &&
    typeof raw.type === 'string' &&
    types.length > 0 &&
    !types.some((type) => type === raw.type)
  )
}

/** Objects that hold links of the object around them. */
const LINKS = /^_?(?:links?|urls|hrefs)$/
const POOL = 12
const UNIQUE_IN_RECORD =
  /line|item|entry|entries|position|product|transaction|payment|event|attachment|file|comment|message|activity|history|log/

/** Whether the object looks like a record of something that the API keeps nowhere: a category, a status, a language. */
function isPoolable({ schema, snake }: Site): boolean {
  const { properties } = schema
  const hasName = properties.has('name') || properties.has('title') || properties.has('label')
  return properties.has('id') && hasName && !UNIQUE_IN_RECORD.test(snake)
}

/** Whether objects of the schema need nothing beyond its properties. */
function isClosed({ required, properties, additionalProperties, minProperties }: Schema): boolean {
  if (minProperties !== undefined || (typeof additionalProperties === 'object' && properties.size === 0)) return false
  for (const name of required) if (!properties.has(name)) return false
  return true
}

/** The value at `path` below `value`. */
export function descend(value: Json | undefined, path: FieldPath): Json | undefined {
  let found = value
  for (const name of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

/** Keeps what a client sent beyond the schema. */
function addMissing(object: JsonObject, given: JsonObject): void {
  for (const [name, value] of Object.entries(given)) if (!Object.hasOwn(object, name)) setOwn(object, name, value)
}

/** Sets a property of that very name, `__proto__` included. */
export function setOwn(object: JsonObject, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
