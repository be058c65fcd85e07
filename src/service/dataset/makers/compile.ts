import { singularName } from '../../../names/nouns.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { fraction } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { JsonType, Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker, MOST_ITEMS, orElse, withInitial } from '../cell.ts'
import { variedPick } from '../rules/rule.ts'
import { LINKS, type Site } from '../site.ts'
import { makeAsserted } from './asserted.ts'
import { makeChoice } from './choices.ts'
import { makeNumber } from './make-number.ts'
import { makeText, nameRule } from './make-text.ts'
import { type Compiler, ObjectMaker } from './object-maker.ts'
import { statusReached } from './presence.ts'
import { makeVariant } from './variant.ts'

/** Deepest nesting of required values; deeper ones are empty. */
const MAX_DEPTH = 24
const MAX_NESTED_ARRAYS = 4

/** A maker for the values at `site`. It gives null only where no other value fits. */
export function compilePresent(site: Site): Maker {
  const { schema, surroundings } = site
  site.stock.add()
  if (isOnlyNull(schema)) return () => null
  const fixed = site.path && surroundings.fixed(site.path, schema)
  if (fixed) return fixed
  const hints = site.path && surroundings.hintsFor(site.path)?.filter((value) => fits(schema, value))
  if (hints && hints.length > 0) return makeHinted(site, hints)
  const inherited = site.path && surroundings.inherited(site.path, schema)
  const make = inherited ? orElse(inherited, () => compileOwn(site)) : compileOwn(site)
  return schema.assertions ? makeAsserted(site, schema.assertions, make, compilePresent) : make
}

/** Draws from the user's values; a record that a client creates still gets its initial value. */
function makeHinted(site: Site, hints: readonly Json[]): Maker {
  const hinted = variedPick(site, hints)
  return orElse(
    (cell) => (cell.frame.isNew ? undefined : hinted(cell)),
    () => compileOwn(site),
  )
}

/** Makes values from the schema and the names of the fields. */
function compileOwn(site: Site): Maker {
  const { schema, surroundings, path } = site
  if (schema.enum) return schema.enum.length > 0 ? makeChoice(site, schema.enum) : () => null
  const known = path && surroundings.vocabularyFor(path)?.filter((value) => fits(schema, value))
  if (known && known.length > 0) return makeChoice(site, known)
  const embedded = surroundings.embedded(site)
  if (embedded) return embedded
  if (schema.variants) return makeVariant(site, compilePlain)
  return compilePlain(site)
}

function isOnlyNull({ raw, nullable, types }: Schema): boolean {
  return (
    nullable &&
    types.length === 0 &&
    (raw.type === 'null' || (Array.isArray(raw.enum) && raw.enum.every((value) => value === null)))
  )
}

/** The compiler for object makers. */
export const COMPILER: Compiler = {
  compile: compilePresent,
  isFixed: ({ path, schema, surroundings }) => path !== undefined && surroundings.fixed(path, schema) !== undefined,
  isPlainObject,
}

function isPlainObject(site: Site): boolean {
  const { schema, surroundings, path } = site
  if (schema.enum || schema.variants || schema.assertions || isOnlyNull(schema) || typeFor(site) !== 'object')
    return false
  return !(path && surroundings.fixed(path, schema)) && !surroundings.embedded(site)
}

/** Makes values by type, without the variants. */
function compilePlain(site: Site): Maker {
  const type = typeFor(site)
  if (type === 'object') return compileObject(site)
  if (type === 'array') return makeArray(site)
  if (type === 'string')
    return OF_THE_WHOLE_API.test(site.snake) ? sameEverywhere(makeText(site), site.key) : makeText(site)
  if (type === 'boolean') return makeBoolean(site)
  if (type === 'integer' || type === 'number') return makeNumber(site)
  return makeAnything(site)
}

/** Ids of an account or another owner of all records, which the API does not show. */
const OF_THE_WHOLE_API =
  /^(?:account|workspace|tenant|organi[sz]ation|org|store|merchant|environment|instance)_(?:id|sid|uuid|gid)$/

/** The same value in all records. */
function sameEverywhere(make: Maker, key: number): Maker {
  return (cell) => make(cell.reseeded(key))
}

function typeFor({ schema }: Site): JsonType | undefined {
  const { types } = schema
  if (types.length > 1) {
    const example = schema.example ?? schema.default
    const fitting = example === undefined ? undefined : types.find((type) => type === typeof example)
    return fitting ?? types[0]
  }
  if (types[0] !== undefined) return types[0]
  if (schema.properties.size > 0) return 'object'
  return schema.items ? 'array' : schema.pattern !== undefined || schema.format !== undefined ? 'string' : undefined
}

function compileObject(site: Site): Maker {
  const { properties, default: usual } = site.schema
  // No schema describes other contents.
  if (properties.size === 0 && isJsonObject(usual) && Object.keys(usual).length > 0) return () => usual
  const maker = new ObjectMaker(site, COMPILER)
  return (cell) =>
    isJsonObject(usual) && cell.frame.isNew && site.name !== '' && cell.given?.[site.name] === undefined
      ? usual
      : cell.depth > MAX_DEPTH || cell.frame.work.isSpent || (cell.depth > 1 && isRepeated(cell, site.schema))
        ? endOf(site.schema)
        : maker.make(cell)
}

/** The last value of a recursion: null where it may be, since an empty object may lack required properties. */
const endOf = ({ nullable, required }: Schema): Json => (nullable && required.size > 0 ? null : {})

/** For schemas that allow anything: the example, an object where the name suggests one, else a word. */
function makeAnything(site: Site): Maker {
  const { schema, snake } = site
  const example = schema.example ?? schema.default
  if (example !== undefined && example !== null) return () => example
  if (
    snake === '' ||
    /meta|data|config|settings|options|properties|attributes|payload|context|params|fields|details|extra|object|body|custom|preferences|labels|annotations|schema|json|input|output|result|arguments|headers|claims|traits/.test(
      snake,
    )
  )
    return () => ({})
  return nameRule(site) ? makeText(site) : () => ({})
}

/** Lists with the result of a call, which must not be empty. */
const OUTCOMES = /^(?:data|choices|results|outputs?|candidates|predictions|completions|generations|embeddings?)$/
const MANY = /(?:tags|labels|items|lines|scopes|permissions|events|roles|features|keywords|skills)$/

function makeArray(site: Site): Maker {
  const { schema, key } = site
  const nesting = (site.nesting ?? 0) + 1
  const isImpossible = schema.items?.isContradictory === true && !schema.minItems
  if (!schema.items || isImpossible || nesting > MAX_NESTED_ARRAYS) return () => []
  const itemSite: Site = {
    ...site,
    schema: schema.items,
    path: undefined,
    inList: true,
    nesting,
    required: true,
    linksAt: LINKS.test(site.snake) ? site.path : undefined,
    isResult: site.isResult === true || (site.required && OUTCOMES.test(site.snake)),
    snake: singularName(site.snake),
  }
  let makers: readonly Maker[] | undefined
  const few = Math.min(schema.minItems ?? 0, MOST_ITEMS)
  const usual = MANY.test(site.snake) ? 4 : isListOfLinks(site) ? 1 : 3
  const most = Math.min(schema.maxItems ?? Number.POSITIVE_INFINITY, Math.max(few, usual))
  const itemsSchema = schema.items
  const { places = [], rest = itemsSchema } = schema
  const isUnique = schema.uniqueItems || (places.length === 0 && itemsSchema.types[0] === 'string')
  const whole = Math.min(places.length, schema.maxItems ?? places.length)
  const startsEmpty = few === 0 && !(site.required && OUTCOMES.test(site.snake))
  return (cell) => {
    const given = cell.given?.[site.name]
    if (cell.frame.isNew && !Array.isArray(given) && Array.isArray(schema.default)) return schema.default
    if (startsEmpty && cell.frame.isNew && !Array.isArray(given)) return []
    makers ??= [...places, rest].map((place) => compilePresent({ ...itemSite, schema: place }))
    const makerAt = (at: number) => makers?.[Math.min(at, places.length)]
    const draw = drawAt(cell, key)
    if (Array.isArray(given))
      return given.map((item, at) =>
        isJsonObject(item) ? (makerAt(at)?.(cell.item(site.name, { seed: draw, at }, item)) ?? item) : item,
      )
    const { work } = cell.frame
    const isEmpty = cell.isWithin(itemsSchema) || cell.depth > MAX_DEPTH || work.isScarce
    if ((few === 0 && isEmpty) || work.isSpent) return []
    const count = Math.max(few, whole > 0 ? whole : Math.min(most, 1 + (draw % Math.max(1, most))))
    const items: Json[] = []
    const seen = new Set<string>()
    for (let attempt = 0; items.length < count && attempt < count * 6 + 8 && !work.isSpent; attempt++) {
      work.take(1)
      const item = makerAt(items.length)?.(cell.item(site.name, { seed: draw, at: attempt }, undefined))
      if (item === undefined) continue
      const text = isUnique ? JSON.stringify(item) : ''
      if (isUnique && seen.has(text) && (schema.uniqueItems || attempt < count * 3)) continue
      seen.add(text)
      items.push(item)
    }
    return items
  }
}

/** `[{ rel, href }]`: what else than the record itself could be linked is not known. */
const isListOfLinks = ({ snake, schema }: Site): boolean =>
  LINKS.test(snake) && schema.items?.properties.has('rel') === true

/** Most repetitions of a recursive schema. */
const MAX_COPIES = 3

/** Whether an object's schema repeats inside itself too often. */
function isRepeated(cell: Cell, schema: Schema): boolean {
  let copies = 0
  for (let trail = cell.trail; trail; trail = trail.above) if (trail.schema === schema) copies++
  return copies >= MAX_COPIES
}

/** Percentage of records with the flag set, by its name. */
const CHANCES: readonly (readonly [RegExp, number])[] = [
  [
    /delet|archiv|trash|cancel|suspend|disab|block|bann|hidden|deprecat|test|sandbox|spam|error|fail|locked|expired|revoked|void|refunded|disputed|paused|muted|stale|draft|unsubscrib|bounc/,
    6,
  ],
  [
    /(^|_)(active|enabled|live(_?mode)?|visible|valid|available|published|public|verified|confirmed|success|succeeded|ok|in_stock|taxable|deletable|editable|activated|subscribed|current)$|(^|_)(can_|has_access|allow)/,
    86,
  ],
  [/complet|done|finish|closed|paid|resolved|read$|seen|delivered|shipped|approved/, 45],
  [
    /default|primary|main|admin|superuser|staff|root|owner|featured|starred|pinned|favou?rite|private|internal|bot|system|readonly|read_only|template/,
    14,
  ],
  [/has_more|has_next|truncated|more$/, 0],
]
/** Flags that are set on new records. */
const SET_AT_FIRST =
  /(^|_)(active|enabled|live(_?mode)?|visible|valid|available|success|succeeded|ok|in_stock|deletable|editable|current)$|(^|_)(can_|allow)/

/** Flags by name; on a record that a client creates the schema's default, or the initial state. */
function makeBoolean(site: Site): Maker {
  const { schema, snake, key } = site
  const chance = (CHANCES.find(([pattern]) => pattern.test(snake))?.[1] ?? (schema.default === true ? 80 : 30)) / 100
  const initial = typeof schema.default === 'boolean' ? schema.default : SET_AT_FIRST.test(snake)
  const followsAge = /complet|done|finish|closed|paid|resolved|delivered|shipped/.test(snake)
  const reached = followsAge && site.path?.length === 1 ? statusReached(site) : undefined
  return withInitial(initial, (cell) => {
    if (reached) return reached(cell)
    return fraction(drawAt(cell, key)) < (followsAge ? chance * (0.3 + 1.4 * cell.frame.age) : chance)
  })
}
