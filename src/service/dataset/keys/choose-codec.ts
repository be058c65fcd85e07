import { snakeCase } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { mixPair } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import { parsePattern } from '../../../schema/parse-pattern.ts'
import type { Schema } from '../../../schema/schema.ts'
import { ADJECTIVES, COLOURS, NOUNS, TAGS } from '../words/general.ts'
import { FAMILY_NAMES, GIVEN_NAMES, kindOf } from '../words/person.ts'
import {
  createCountingCodec,
  createListCodec,
  createNameCodec,
  createTabledCodec,
  createTitleCodec,
  createTwoCodecs,
  type KeyCodec,
} from './key-codec.ts'
import {
  ALPHANUMERIC,
  createTemplateCodec,
  DIGIT_SYMBOLS,
  HEX,
  places,
  type Template,
  templateFromExample,
  templateFromPattern,
  UUID_TEMPLATE,
} from './template-codec.ts'

/** Requirements of a collection's ids. */
interface KeyWish {
  /** Name of the id field; '' without one. */
  readonly name: string
  readonly schema: Schema | undefined
  /** Singular of the collection. */
  readonly owner: string
  /** Whether people choose these ids: names instead of numbers. */
  readonly chosen: boolean
  /** Least number of ids. */
  readonly wanted: number
  readonly key: number
  /** Key of the shuffle of the collection's people, so that user names match them. */
  readonly peopleKey: number
  /** Titles of the records by number, for slugs; undefined where titles are not generated from words. */
  readonly titles: ((number: number) => string) | undefined
  /** A value for the id field, generated like any other field; each `attempt` gives another one. */
  readonly fallback: (attempt: number) => Json
}

const NAME_LIKE =
  /^(?:name|slug|key|code|handle|login|user_?name|email|domain|hostname|title|label|path|permalink|\w+_(?:name|slug|key|code|login))$/
/** What identifies a record by nature: it is generated like any other field. */
const NATURAL =
  /^(?:city|town|country(?:_(?:code|iso\d?))?|region|state|province|currency(?:_code)?|language|locale|time_?zone|file_?name|(?:\w+_)?(?:sha|sha256|hash|digest|number|nbr|no)|fingerprint|version|sku|iso|symbol|address)$/
const MOST_NATURAL = 1_000
const LENGTHS = [14, 8, 24, 12, 10, 16, 20, 32, 6, 5, 4, 3, 2, 1]
/** Ids kept free for created records. */
const HEADROOM = 10_000
/** The same for ids in a table. */
const TABLED_HEADROOM = 1_000

/** Chooses the ids of a collection: the index is computed from the id where the schema allows enough ids. */
export function chooseCodec(wish: KeyWish): KeyCodec {
  const { schema, wanted, fallback } = wish
  if (schema?.enum) return createListCodec(schema.enum)
  for (const codec of candidates(wish)) {
    if (codec.capacity >= wanted + HEADROOM && isWorkable(codec, schema, wanted)) return codec
  }
  const roomy = [...candidates(wish)].filter((codec) => isWorkable(codec, schema, Math.min(wanted, codec.capacity)))
  const best = roomy.sort((a, b) => b.capacity - a.capacity)[0]
  if (best && best.capacity >= wanted) return best
  const tabled = createTabledCodec(fallback, wanted, TABLED_HEADROOM)
  return best && best.capacity >= tabled.capacity ? best : tabled
}

/** Whether any UUID fits: {@link chooseCodec} finds them as a last resort, and there are always enough. */
export function takesAnyUuid(schema: Schema): boolean {
  const { types, enum: values, pattern, format, variants, minLength = 0, maxLength = 36, assertions } = schema
  const isText = types.length === 0 || types[0] === 'string'
  const isPlain = [values, pattern, variants, assertions].every((constraint) => constraint === undefined)
  const isLongEnough = minLength <= 36 && maxLength >= 36
  return isText && isPlain && isLongEnough && (format === undefined || format === 'uuid')
}

function isWorkable(codec: KeyCodec, schema: Schema | undefined, wanted: number): boolean {
  if (!schema) return true
  const probes = [0, 1, 2, 3, 7, Math.max(0, wanted - 1)].filter((index) => index < codec.capacity)
  return probes.length > 0 && probes.every((index) => fits(schema, codec.at(index)))
}

function* candidates(wish: KeyWish): Generator<KeyCodec> {
  const { schema, key } = wish
  const name = snakeCase(wish.name)
  const type = schema?.types[0]
  if (type === 'integer' || type === 'number') {
    yield* countingCodecs(wish)
    return
  }
  if (type === 'boolean' || type === 'object' || type === 'array') return
  const example = typeof schema?.example === 'string' ? schema.example : undefined
  const isNamed = wish.chosen || NAME_LIKE.test(name) || schema?.format === 'email' || schema?.format === 'hostname'
  if (schema?.pattern === undefined && schema?.format === undefined && example !== undefined && !NAME_LIKE.test(name)) {
    if (/^\d{1,6}$/.test(example)) yield* countingCodecs(wish)
    const template = templateFromExample(example)
    if (template) yield createTemplateCodec(template, key)
  }
  if (
    schema?.format === 'uuid' ||
    schema?.format === 'uuid4' ||
    schema?.format === 'guid' ||
    /^(?:uuid|guid|\w+_uuid|\w+_guid)$/.test(name)
  )
    yield createTemplateCodec(UUID_TEMPLATE, key)
  if (schema?.pattern !== undefined) yield* patternCodecs(schema, key, isNamed ? [...nameCodecs(wish, name)] : [])
  if (isNamed || (example !== undefined && /^[a-z]+(?:[-_ ][a-z]+)*$/i.test(example))) yield* nameCodecs(wish, name)
  if (example !== undefined) {
    const template = templateFromExample(example)
    if (template) yield createTemplateCodec(template, key)
  }
  const usual = [...usualTemplates(wish, name)].map((template) => createTemplateCodec(template, key))
  if (NATURAL.test(name) && wish.wanted <= MOST_NATURAL && schema !== undefined) {
    const natural = createTabledCodec(wish.fallback, wish.wanted, 0)
    const rest = usual.find((codec) => isWorkable(codec, schema, 1))
    if (natural.capacity === wish.wanted && rest) yield createTwoCodecs(natural, rest)
  }
  yield* usual
}

function* countingCodecs({ schema, key }: KeyWish): Generator<KeyCodec> {
  const asText = schema?.types[0] === 'string'
  const step =
    schema?.multipleOf !== undefined && Number.isInteger(schema.multipleOf) && schema.multipleOf > 0
      ? schema.multipleOf
      : 1
  const least = Math.ceil(Math.max(schema?.minimum ?? 1, (schema?.exclusiveMinimum ?? 0) + 1, 1) / step) * step
  const last = Math.floor(Math.min(schema?.maximum ?? 2_147_483_647, (schema?.exclusiveMaximum ?? 2_147_483_648) - 1))
  const example = Number(schema?.example)
  if (Number.isInteger(example) && example >= 100_000) {
    const magnitude = 10 ** (String(Math.min(example, 1_000_000_000)).length - 1)
    const first = magnitude + (mixPair(key, 0x6669) % (magnitude * 4))
    yield createCountingCodec({ first: Math.floor(first / step) * step, step, last, asText })
  }
  yield createCountingCodec({ first: asText ? Number(least) : least, step, last, asText })
  yield createCountingCodec({ first: Math.ceil((schema?.minimum ?? 0) / step) * step, step, last, asText })
}

/** Codecs for a pattern: the first of several whole layouts, the usual one; matching names; other layouts. */
function* patternCodecs(schema: Schema, key: number, names: readonly KeyCodec[]): Generator<KeyCodec> {
  const node = parsePattern(schema.pattern as string)
  const usual = node?.kind === 'choice' ? node.options[0] : undefined
  const layout = usual && templateFromPattern(usual, 1)
  if (layout !== undefined && layout.length > 0) yield createTemplateCodec(layout, key)
  yield* names
  if (!node) return
  const example = typeof schema.example === 'string' ? templateFromExample(schema.example) : undefined
  if (example) yield createTemplateCodec(example, key)
  if (schema.format === undefined) yield createTemplateCodec(UUID_TEMPLATE, key)
  for (const wish of LENGTHS) {
    const template = templateFromPattern(node, wish)
    if (template && template.length > 0) yield createTemplateCodec(template, key)
  }
}

const CURATED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/environment|stage|env$/, ['production', 'staging', 'development', 'test', 'qa', 'preview', 'sandbox', 'demo']],
  [/branch/, ['main', 'develop', 'release', 'hotfix', 'feature-login', 'feature-search']],
  [/label|tag/, TAGS],
  [/role|group/, ['admin', 'editor', 'viewer', 'member', 'billing', 'support', 'auditor']],
  [/color|colour/, COLOURS.map(([colour]) => colour)],
  [/currenc/, ['usd', 'eur', 'gbp', 'jpy', 'cad', 'aud', 'chf', 'sek', 'nok', 'dkk', 'pln', 'inr']],
]

function* nameCodecs({ owner, key, peopleKey, titles, schema }: KeyWish, name: string): Generator<KeyCodec> {
  const people = {
    first: GIVEN_NAMES.map((word) => word.toLowerCase()),
    second: FAMILY_NAMES.map((word) => word.toLowerCase()),
  }
  const things = { first: ADJECTIVES, second: NOUNS }
  if (/e_?mail/.test(name) || schema?.format === 'email') {
    yield createNameCodec({ ...people, joint: '.', ending: '@example.com' }, peopleKey)
    return
  }
  if (/domain|hostname|host/.test(name) || schema?.format === 'hostname' || /domain/.test(owner))
    yield createNameCodec({ ...things, joint: '-', ending: '.example.com' }, key)
  if (/login|user_?name|handle/.test(name) || kindOf(owner) === 'person')
    for (const joint of ['.', '_', '']) yield createNameCodec({ ...people, joint }, peopleKey)
  if (titles && /slug|permalink|handle|url_key|path|alias/.test(name)) yield createTitleCodec(titles)
  const whole = CURATED.find(([pattern]) => pattern.test(owner))?.[1] ?? []
  const isUpper = /code$/.test(name) && !/slug/.test(name) && !/^[a-z]/.test(String(schema?.example ?? ''))
  const upper = (words: readonly string[]) => words.map((word) => word.toUpperCase())
  const capitals = { first: upper(ADJECTIVES), second: upper(NOUNS) }
  if (isUpper) yield createNameCodec({ ...capitals, whole: upper(whole), joint: '_' }, key)
  for (const joint of ['-', '_', '']) yield createNameCodec({ ...things, whole, joint }, key)
  for (const joint of ['_', '']) yield createNameCodec({ ...capitals, joint }, key)
}

/** Usual layouts for ids of this name, and shorter ones for small length limits. */
function* usualTemplates({ schema, owner }: KeyWish, name: string): Generator<Template> {
  const hinted = prefixIn(schema?.description)
  if (hinted) yield [...hinted, ...places(ALPHANUMERIC, 20)]
  if (name === 'gid') yield ['12', ...places(DIGIT_SYMBOLS, 15)]
  if (name === 'sid') yield [...owner.slice(0, 2).toUpperCase().padEnd(2, 'X'), ...places(HEX, 32)]
  if (name === '_id') yield places(HEX, 24)
  yield UUID_TEMPLATE
  for (const length of [24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1]) yield places(HEX, length)
  const { minLength } = schema ?? {}
  if (minLength !== undefined && minLength > 36 && minLength < 500) yield places(HEX, minLength)
}

/** `cus_` of "Identifier, starts with `cus_`". */
function prefixIn(description: string | undefined): string | undefined {
  return /(?:prefix\w*|start(?:s|ing)? with|begin(?:s|ning)? with)[^`'"]{0,20}[`'"]([A-Za-z]{2,10}_)[^`'"]{0,4}[`'"]/i.exec(
    description?.slice(0, 1_000) ?? '',
  )?.[1]
}
