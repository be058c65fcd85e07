import { LIMITS } from '../../../protocol/limits.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { isListenedTo, publish } from '../../../runtime/diagnostics.ts'
import { fraction, mixPair, pickBy } from '../../../runtime/random.ts'
import { checkText } from '../../../schema/check-scalar.ts'
import { generateFromPattern } from '../../../schema/generate-pattern.ts'
import { parsePattern } from '../../../schema/parse-pattern.ts'
import { countLinearParts } from '../../../schema/pattern-cost.ts'
import type { Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker, withInitial } from '../cell.ts'
import { createTemplateCodec, templateFromExample } from '../keys/template-codec.ts'
import { floorToSecond, momentReader } from '../moment.ts'
import { BUSINESS_RULES } from '../rules/business.ts'
import { formatText, priceAt } from '../rules/format-text.ts'
import { PEOPLE_RULES } from '../rules/people.ts'
import { PLACE_RULES } from '../rules/places.ts'
import { PROSE_RULES } from '../rules/prose.ts'
import { findBySuffix, readWords, type TextMaker, variedPick } from '../rules/rule.ts'
import { TECHNICAL_RULES } from '../rules/technical.ts'
import type { Site } from '../site.ts'
import { ADJECTIVES, NOUNS } from '../words/general.ts'
import { makeUrl } from '../words/url.ts'
import { isMoneyName } from './make-number.ts'

/** Repetitions of unbounded parts of a pattern, in the order of the tries. */
const WISHES = [8, 4, 12, 2, 16, 24, 32, 1, 48, 0, 64, 100]
const SAMPLES = 4
/** For longer texts few samples are tried: each is costly. */
const LONG = 1_000
/** Formats whose makers always make valid texts, without a check. */
const OWN_FORMATS = new Set(['date-time', 'date', 'time', 'uuid', 'email', 'uri', 'url', 'hostname', 'ipv4'])
/** A way to make the text of a field. */
interface Way {
  readonly make: (cell: Cell) => string
  /** Whether it uses the description's examples, which may not fit. */
  readonly isListed?: boolean
}

/** Texts by a field's format, name, pattern, example and lengths. */
export function makeText(site: Site): Maker {
  const { schema } = site
  const wished = schema.default
  const made = constrained(site, candidatesFor(site))
  return typeof wished === 'string' ? withInitial(wished, made) : made
}

/** Ways to make the text, best first; where the first always fits, the others are not computed. */
function* candidatesFor(site: Site): Generator<Way> {
  const { schema, key } = site
  const constant = site.name === '$schema' ? listedExamples(schema)[0] : describedConstant(schema)
  if (constant !== undefined) yield { make: () => constant, isListed: true }
  const examples = listedExamples(schema)
  if (examples.length >= 2) yield { make: variedPick(site, examples), isListed: true }
  for (const make of makeMoment(site) ?? []) yield { make }
  const formatted = formatText(site)
  if (formatted) yield { make: shownAsFiller(site, formatted) }
  const named = nameRule(site)
  if (named) yield { make: shownAsFiller(site, named) }
  const example = typeof schema.example === 'string' && schema.example !== '' ? schema.example : quotedExample(schema)
  if (example !== undefined) yield { make: shownAsFiller(site, likeExample(example, key)) }
  if (schema.pattern === undefined && example === undefined)
    yield { make: shownAsFiller(site, (cell) => codeWord(drawAt(cell, key))) }
  const usual = schema.default
  if (typeof usual === 'string') yield { make: () => usual }
}

/** `make`, whose texts are published where someone listens: the check of a library entry. */
function shownAsFiller({ snake: field }: Site, make: (cell: Cell) => string): (cell: Cell) => string {
  if (!isListenedTo('filler')) return make
  return (cell) => {
    const text = make(cell)
    publish('filler', () => ({ field, text }))
    return text
  }
}

/** For fields with unknown names: `amber-harbor`. */
function codeWord(draw: number): string {
  return `${pickBy(ADJECTIVES, draw)}-${pickBy(NOUNS, mixPair(draw, 1))}`
}

function likeExample(example: string, key: number): (cell: Cell) => string {
  const template = templateFromExample(example)
  if (!template) return () => example
  const codec = createTemplateCodec(template, key)
  return (cell) => String(codec.at(drawAt(cell, key) % codec.capacity))
}

/** The first way with a valid text, cut or padded where that helps; else a text from the pattern. */
function constrained(site: Site, ways: Generator<Way>): Maker {
  const { schema } = site
  const isFree =
    schema.pattern === undefined &&
    schema.minLength === undefined &&
    schema.maxLength === undefined &&
    schema.format === undefined
  const best = ways.next().value as Way | undefined
  const isOwnFormat = isFormatAlone(schema) && OWN_FORMATS.has(schema.format ?? '') && !best?.isListed
  if (best && (isFree || isOwnFormat)) return best.make
  const fits = textTest(schema)
  const candidates = best ? [best, ...ways] : []
  const parts = schema.pattern === undefined ? 0 : countLinearParts(schema.pattern)
  const last = lastResort(site, fits, parts)
  const isLarge = leastLength(schema) > LONG || schema.pattern !== undefined
  return isLarge ? counted(firstFitting, parts) : firstFitting
  function firstFitting(cell: Cell): string {
    for (const { make } of candidates) {
      const text = make(cell)
      if (fits(text)) return text
      const shaped = fitLength(schema, text)
      if (shaped !== text && fits(shaped)) return shaped
    }
    return last(cell)
  }
}

/** Steps of a pattern match that take as long as a value. */
const STEPS_OF_VALUE = 500
const FEW_STEPS = 100_000

/** Cost of a match in values, for a pattern with this number of parts. */
function valuesOfMatch(parts: number, text: string): number {
  const steps = parts * text.length
  return steps < FEW_STEPS ? 0 : Math.floor(steps / STEPS_OF_VALUE)
}

/** Long or costly texts count as several values; at the work limit they are empty. */
function counted(make: (cell: Cell) => string, parts: number): (cell: Cell) => string {
  return (cell) => {
    const { work } = cell.frame
    if (work.isSpent) return ''
    const text = make(cell)
    work.take(Math.ceil(text.length / LIMITS.charactersOfValue) + valuesOfMatch(parts, text))
    return text
  }
}

/** `text` cut at a word, or repeated, to the lengths of `schema`. */
function fitLength(schema: Schema, text: string): string {
  const { maxLength } = schema
  const least = leastLength(schema)
  let shaped = text
  if (maxLength !== undefined && shaped.length > maxLength) {
    const cut = shaped.slice(0, maxLength)
    const space = cut.lastIndexOf(' ')
    shaped = (space > maxLength * 0.5 && space >= least ? cut.slice(0, space) : cut).replace(/[\s.,;:-]+$/, '')
    if (shaped.length < least) shaped = cut
  }
  while (shaped.length < least && shaped !== '') {
    const room = least - shaped.length
    shaped += (room > 1 ? ` ${shaped}` : shaped).slice(0, room)
  }
  return shaped
}

function isFormatAlone({ pattern, minLength, maxLength, format }: Schema): boolean {
  return pattern === undefined && minLength === undefined && maxLength === undefined && format !== undefined
}

/** A test for the pattern, the format and the lengths of `schema`, up to the longest generated text. */
function textTest(schema: Schema): (text: string) => boolean {
  const { maxLength, pattern, format } = schema
  // An example that fails the pattern does not weaken the check: others validate by the pattern.
  const check = checkText({ minLength: leastLength(schema), maxLength, pattern, format, example: undefined }, 'strict')
  return (text) => check?.(text) === undefined
}

/** Least length of a generated text: that of `schema`, up to the limit. */
function leastLength({ minLength = 0 }: Schema): number {
  return Math.min(minLength, LIMITS.generatedCharacters)
}

function lastResort({ schema, key }: Site, fits: (text: string) => boolean, parts: number): (cell: Cell) => string {
  const node = schema.pattern === undefined ? undefined : parsePattern(schema.pattern)
  if (!node) return (cell) => plainText(schema, drawAt(cell, key))
  const attempts = leastLength(schema) > LONG ? SAMPLES : WISHES.length * SAMPLES
  return (cell) => {
    const draw = drawAt(cell, key)
    let nearest = ''
    for (let attempt = 0; attempt < attempts; attempt++) {
      const wish = clampWish(schema, WISHES[Math.floor(attempt / SAMPLES)] as number)
      const text = generateFromPattern(node, mixPair(draw, attempt), wish)
      if (fits(text)) return text
      const shaped = fitLength(schema, text)
      if (fits(shaped)) return shaped
      nearest = shaped
      cell.frame.work.take(2 * valuesOfMatch(parts, text))
      if (cell.frame.work.isSpent) break
    }
    return nearest
  }
}

function clampWish(schema: Schema, wish: number): number {
  const capped = schema.maxLength === undefined ? wish : Math.min(wish, schema.maxLength)
  return schema.minLength === undefined || schema.minLength > LONG
    ? capped
    : Math.max(capped, wish === 1 ? 1 : schema.minLength)
}

/** Letters of the required length, for fields without a fitting candidate. */
function plainText(schema: Schema, draw: number): string {
  const wanted = Math.max(leastLength(schema), Math.min(8, schema.maxLength ?? 8))
  let text = ''
  for (let place = 0; place < wanted; place++)
    text += 'abcdefghijklmnopqrstuvwxyz'.charAt(Math.floor(fraction(mixPair(draw, place)) * 26))
  return text
}

const MOMENT_NAME =
  /(?:_at|_on|_date|_time|_datetime|_timestamp|_until|_since)$|^(?:date|timestamp|datetime|created|updated|modified|time|start|end|started|ended|birthday|dob|when|ctime|mtime|last_modified|created_time|date_\w+)$|^(?:last|next)_(?:run|seen|login|sync)$/
const NO_MOMENT =
  /(?:format|zone|_type|_unit|based_on|lat|response_time|time_to|depends_on|add_on)$|^(?:based_on|repeat_on|lat)$/

/** Formats of a field's time, likeliest first; undefined for other fields. */
function makeMoment(site: Site): ((cell: Cell) => string)[] | undefined {
  const { schema, snake } = site
  const format = schema.format ?? ''
  const isDated = /date|time|unix|epoch/.test(format) && !/timezone|time-zone|duration/.test(format)
  if (!isDated && (site.inList || format !== '' || !MOMENT_NAME.test(snake) || NO_MOMENT.test(snake))) return undefined
  const at = momentReader(site)
  const iso = (cell: Cell) => toIso(at(cell))
  const spellings = new Map<string, (cell: Cell) => string>([
    ['iso', formatText(site, 'date-time') as (cell: Cell) => string],
    ['millis', iso],
    ['date', formatText(site, 'date') as (cell: Cell) => string],
    ['time', (cell) => iso(cell).slice(11, 19)],
    ['zulu', formatText(site, 'time') as (cell: Cell) => string],
    ['spaced', (cell) => iso(cell).slice(0, 19).replace('T', ' ')],
    ['offset', (cell) => `${iso(cell).slice(0, 19)}+00:00`],
    ['month', (cell) => iso(cell).slice(0, 7)],
    ['short', (cell) => iso(cell).slice(11, 16)],
    ['year', (cell) => iso(cell).slice(0, 4)],
    ['unix', (cell) => String(floorToSecond(at(cell)) / 1000)],
    ['unixMillis', (cell) => String(at(cell))],
    ['local', (cell) => iso(cell).slice(0, 19)],
  ])
  const first = spellingOf(site)
  return [...new Set([first, ...spellings.keys()])].map((name) => spellings.get(name) as (cell: Cell) => string)
}

/** The format of a time by format, example and name. */
function spellingOf({ schema, snake }: Site): string {
  const format = schema.format ?? ''
  const example = typeof schema.example === 'string' ? schema.example : ''
  if (format === 'date') return 'date'
  if (format === 'time') return 'zulu'
  if (/unix|epoch/.test(format)) return 'unix'
  if (/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(example)) return 'millis'
  if (/T\d\d:\d\d:\d\d\+\d\d:?\d\d$/.test(example)) return 'offset'
  if (format === 'date-time') return 'iso'
  if (/^\d{4}-\d\d-\d\d$/.test(example)) return 'date'
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(example)) return 'spaced'
  if (/^\d{4}-\d\d$/.test(example)) return 'month'
  if (/^\d\d:\d\d$/.test(example)) return 'short'
  if (/^\d\d:\d\d:\d\d$/.test(example)) return 'time'
  if (/^\d{10}$/.test(example)) return 'unix'
  if (/^\d{13}$/.test(example)) return 'unixMillis'
  if (/no_?time|_date$|^date$|birth|dob|(?:^|_)on$/.test(`${format}_${snake}`)) return 'date'
  return /_time$/.test(snake) && /open|clos|start_of_day|office/.test(snake) ? 'short' : 'iso'
}

type MakeText = (site: Site) => TextMaker

const RULES: ReadonlyMap<string, MakeText> = readWords(
  PEOPLE_RULES,
  PLACE_RULES,
  BUSINESS_RULES,
  TECHNICAL_RULES,
  PROSE_RULES,
)

export function nameRule(site: Site): TextMaker | undefined {
  if (isMoneyText(site)) return (cell) => priceAt(drawAt(cell, site.key), 2).toFixed(2)
  if (site.isLink && isAddressOfLink(site)) return makeUrl(site)
  if (site.isLink && site.snake === 'rel') return ({ turn }) => (turn?.at ? 'related' : 'self')
  return findBySuffix(RULES, site.snake)?.(site)
}

/** In `{ self, next }` all fields are addresses, in `{ href, rel, title }` one is. */
function isAddressOfLink({ snake, siblings }: Site): boolean {
  if (ADDRESSES.test(snake)) return true
  return ![...siblings.keys()].some((name) => ADDRESSES.test(name)) && snake !== 'type' && snake !== 'method'
}

const ADDRESSES = /^(?:href|ur[il])$/

/** Whether a field holds an amount as decimal text: `"49.90"`. */
function isMoneyText({ snake, schema, siblings }: Site): boolean {
  if (
    !isMoneyName(snake) ||
    /_(?:type|name|method|currency|description|status|reason|at|code|id|number|no|office|region|zone|class|category|scheme|rate|percent|percentage)$/.test(
      snake,
    )
  )
    return false
  if (!/^-?\d*[.,]?\d*$/.test(String(schema.example ?? ''))) return false
  if (!/amount|price|total|balance|cost|fee|(?:^|_)value$|tax|subtotal/.test(snake)) return false
  return snake !== 'value' || siblings.has('currency_code') || siblings.has('currency')
}

/** The only value that a description names: "The type of this resource: `accounts`", "Always `list`." */
function describedConstant({ description }: Schema): string | undefined {
  const constant =
    /(?:\balways(?: be| is| equals)?|\btype of th(?:is|e) (?:resource|object)):?\s*[`'"]([\w.:-]{1,60})[`'"]\.?\s*$/i
  return constant.exec(description?.slice(-200) ?? '')?.[1]
}

/** `e.g. "blue"` in a description. */
function quotedExample(schema: Schema): string | undefined {
  const match = /(?:e\.g\.|for example|such as|example:)[,:]?\s*[`'"]([^`'"]{1,60})[`'"]/i.exec(
    schema.description?.slice(0, 2_000) ?? '',
  )
  return match?.[1]
}

/** The texts in `examples`. */
function listedExamples(schema: Schema): readonly string[] {
  const listed = schema.raw.examples
  return Array.isArray(listed)
    ? listed.filter((value): value is string => typeof value === 'string' && value !== '')
    : []
}
