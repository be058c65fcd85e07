import { getOwn, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { onceFor } from '../../../runtime/once.ts'
import { mixPair, pickBy } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import { Cell, drawAt, type Maker, MOST_ITEMS } from '../cell.ts'
import { propertySite, type Site } from '../site.ts'

/** Deepest level of filled maps below the record. */
const MAX_DEPTH = 4
const MAP_DRAW = 0x6d61

/** Usual keys in maps such as metadata, with their usual values. */
const MAP_VALUES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    team: ['growth', 'support', 'finance', 'platform'],
    region: ['emea', 'amer', 'apac'],
    source: ['web', 'import', 'api', 'referral'],
    tier: ['standard', 'plus', 'enterprise'],
    channel: ['email', 'web', 'phone', 'partner'],
    locale: ['en-GB', 'de-DE', 'fr-FR'],
    segment: ['new', 'returning', 'dormant'],
    campaign: ['spring-launch', 'welcome', 'year-end'],
  }),
)
const MAP_KEYS = [...MAP_VALUES.keys()]

function mapValue(name: string, schema: Schema, cell: Cell): Json | undefined {
  if (schema.types.length > 0 && !schema.types.includes('string')) return undefined
  const words = MAP_VALUES.get(name)
  const word = words && pickBy(words, cell.seed)
  return word !== undefined && fits(schema, word) ? word : undefined
}

/** Adds undeclared properties of an object. */
export type AddExtras = (object: JsonObject, cell: Cell) => void

/** Adds the entries of maps, and required but undeclared fields; undefined where a schema needs neither. */
export function createExtras(site: Site, compile: (site: Site) => Maker): AddExtras | undefined {
  const { schema } = site
  if (isClosed(schema)) return undefined
  const undeclared = [...schema.required]
    .filter((name) => !schema.properties.has(name))
    .slice(0, LIMITS.generatedValues)
  const { additionalProperties: extra, propertyNames, maxProperties } = schema
  const keys = keysOf(propertyNames)
  const makers = new Map<string, Maker>()
  const makerOf = (name: string, of: Schema): Maker =>
    onceFor(makers, name, () => compile({ ...propertySite(site, name, of, new Map()), path: undefined }))
  return (object, cell) => {
    for (const name of undeclared) {
      const isThere = Object.hasOwn(object, name) || (cell.given && Object.hasOwn(cell.given, name))
      if (!isThere) setOwn(object, name, typeof extra === 'object' ? (makerOf(name, extra)(cell) ?? null) : name)
    }
    if (cell.given) return
    const least = schema.minProperties ?? 0
    if (typeof extra === 'object' && schema.properties.size === 0) fillMap(object, cell, extra, least)
    else if (extra === true) addUntil(object, least, keys)
    else if (least > 0) addDeclared(object, cell, least)
    if (maxProperties !== undefined) removeOptional(object, schema.required, maxProperties)
  }

  /** Of properties that were left out, as deep objects leave them out: lists without items, and values. */
  function addDeclared(object: JsonObject, cell: Cell, least: number): void {
    let missing = least - Object.values(object).filter((value) => value !== undefined).length
    for (const [name, of] of schema.properties) {
      if (missing <= 0) return
      if (getOwn(object, name) !== undefined || of.types.includes('object') || (of.items && of.minItems)) continue
      setOwn(object, name, of.items ? [] : (makerOf(name, of)(cell) ?? null))
      missing--
    }
  }

  function nameAt(at: number, start: number, cell: Cell): string | undefined {
    const key = keys[(at + start) % keys.length]
    if (key !== undefined && (at < keys.length || propertyNames === undefined))
      return key + (at < keys.length ? '' : at)
    const made = propertyNames && !propertyNames.enum ? makerOf('key', propertyNames)(cell) : undefined
    return typeof made === 'string' ? made : undefined
  }

  function fillMap(object: JsonObject, cell: Cell, of: Schema, least: number): void {
    const { work } = cell.frame
    if ((cell.depth >= MAX_DEPTH || work.isScarce) && least === 0) return
    const wanted = Math.min(
      schema.maxProperties ?? MOST_ITEMS,
      Math.max(Math.min(least, MOST_ITEMS), cell.frame.isNew ? 0 : 2),
    )
    const start = keys.length === 0 ? 0 : drawAt(cell, MAP_DRAW) % keys.length
    for (let at = 0, size = Object.keys(object).length; size < wanted && at < wanted + MAP_KEYS.length; at++) {
      if (work.isSpent) return
      work.take(1)
      const inner = new Cell(cell.frame, mixPair(cell.seed, at), cell.subject, cell.depth, cell.trail)
      const name = nameAt(at, start, inner)
      if (name === undefined) continue
      // Deep entries of a map share one maker: separate places would each be compiled.
      const value = mapValue(name, of, inner) ?? makerOf(cell.depth < MAX_DEPTH ? name : '', of)(inner)
      if (value === undefined) continue
      if (!Object.hasOwn(object, name)) size++
      setOwn(object, name, value)
    }
  }
}

/** Usual keys that the schema of the names allows, or those that it lists; none where it has a form of its own. */
function keysOf(names: Schema | undefined): readonly string[] {
  if (names === undefined) return MAP_KEYS
  const listed = names.enum?.filter((name) => typeof name === 'string')
  return listed ?? MAP_KEYS.filter((name) => fits(names, name))
}

function addUntil(object: JsonObject, least: number, keys: readonly string[]): void {
  let missing = least - Object.keys(object).length
  for (const name of keys) {
    if (missing <= 0) return
    if (Object.hasOwn(object, name)) continue
    setOwn(object, name, 'web')
    missing--
  }
}

/** Removes what nothing requires, the last first, until an object has no more properties than allowed. */
function removeOptional(object: JsonObject, required: ReadonlySet<string>, most: number): void {
  let size = Object.keys(object).length
  if (size <= most) return
  for (const name of Object.keys(object).reverse()) {
    if (size <= most) return
    if (required.has(name)) continue
    delete object[name]
    size--
  }
}

/** Whether objects of the schema have only its properties. */
function isClosed({ required, properties, additionalProperties, minProperties, maxProperties }: Schema): boolean {
  if (maxProperties !== undefined && maxProperties < properties.size) return false
  if (minProperties !== undefined || (typeof additionalProperties === 'object' && properties.size === 0)) return false
  for (const name of required) if (!properties.has(name)) return false
  return true
}

/** Adds a client's fields that the schema does not have. */
export function addMissing(object: JsonObject, given: JsonObject): void {
  for (const name in given) if (!Object.hasOwn(object, name)) setOwn(object, name, given[name] as Json)
}
