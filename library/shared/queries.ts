import { isJsonObject, type Json, type JsonObject, readField } from '../../src/protocol/json.ts'
import { conditionOf } from './query-text.ts'

/** The query language of an API: names of fields and operators, with their meaning. */
interface QueryGrammar {
  /** Fields with several conditions, of which all or any must be true: `{ filters: 'all' }`. */
  readonly groups: Readonly<Record<string, Json>>
  /** Operators whose value is a list of conditions: `{ AND: 'all', OR: 'any' }`. */
  readonly junctions: Readonly<Record<string, Json>>
  readonly operators: Readonly<Record<string, Json>>
  /** Dotted fields of a condition's parts. */
  readonly field: string
  readonly operator: string
  readonly value: string
  readonly values: string
  readonly upTo: string
  /** Where records have the conditions' fields, by name; others are below `in`. */
  readonly places: Readonly<Record<string, Json>>
  readonly in: string
  /** First parts of the fields that there are, besides those of `places`; empty if any may be asked for: `id name`. */
  readonly fields: string
}

type Test = (record: Json) => boolean

type Comparison = (
  stored: Json | undefined,
  wanted: { readonly value: Json; readonly values: Json; upTo: Json },
) => boolean

/** What a grammar has unless it says otherwise. */
const USUAL: QueryGrammar = {
  ...{ groups: {}, junctions: {}, operators: {}, places: {}, in: '', fields: '' },
  ...{ field: 'field', operator: 'operator', value: 'value', values: 'values', upTo: 'upTo' },
}

/** Deepest nesting of conditions, and most conditions of one query. */
const MOST_DEPTH = 10
const MOST_CONDITIONS = 1_000

/**
 * The items of a list that match a request's query, by its API's names of fields and operators, or the first condition
 * that cannot be read.
 *
 * - `groups`: fields with several conditions, each `all` or `any`; `junctions`: operators whose value is a list of
 *   conditions, each `all` or `any`
 * - `field`, `operator`, `value`, `values`, `upTo`: the fields of a condition
 * - `operators`: the API's operators, each with one of the meanings in {@link COMPARISONS}
 * - `in`, `places`: where records have the fields; `fields`: which fields there are
 *
 * A query that is a text has SQL conditions; its operators are named in capitals.
 */
export function matchesOf(
  of: readonly JsonObject[],
  query: Json,
  by: JsonObject,
): { items: JsonObject[]; fault: JsonObject | undefined } {
  const reading = new QueryReading({ ...USUAL, ...by })
  const test = typeof query === 'string' ? reading.readText(query) : reading.read(query, 0)
  const { fault } = reading
  return { items: fault === undefined ? of.filter(test) : [], fault }
}

class QueryReading {
  fault: JsonObject | undefined
  #conditions = 0
  readonly #grammar: QueryGrammar

  constructor(grammar: QueryGrammar) {
    this.#grammar = grammar
  }

  /** A condition in SQL. */
  readText(text: string): Test {
    const condition = conditionOf(text)
    return condition === undefined ? this.#fail('syntax') : this.read(condition, 0)
  }

  read(node: Json, depth: number): Test {
    if (node === null) return () => true
    if (depth > MOST_DEPTH) return this.#fail('depth')
    if (Array.isArray(node)) return all(node.map((item) => this.read(item, depth + 1)))
    if (!isJsonObject(node)) return this.#fail('shape')
    const { groups, junctions, operator, value } = this.#grammar
    const stored = Object.keys(groups).filter((name) => Array.isArray(node[name]))
    if (stored.length > 0) return all(stored.map((name) => this.#join(groups[name], node[name] ?? null, depth)))
    const junction = junctions[String(partOf(node, operator))]
    const below = partOf(node, value)
    if (junction !== undefined && Array.isArray(below)) return this.#join(junction, below, depth)
    return Object.keys(node).length === 0 ? () => true : this.#condition(node)
  }

  #join(how: Json | undefined, nodes: Json, depth: number): Test {
    const tests = (Array.isArray(nodes) ? nodes : []).map((item) => this.read(item, depth + 1))
    if (how === 'all' || tests.length === 0) return all(tests)
    return (record) => tests.some((test) => test(record))
  }

  #condition(node: JsonObject): Test {
    const { operators, field, operator, value, values, upTo, places, fields } = this.#grammar
    const name = partOf(node, field)
    const word = String(partOf(node, operator) ?? '')
    const comparison = COMPARISONS[String(operators[word])]
    if (++this.#conditions > MOST_CONDITIONS) return this.#fail('size', word)
    if (typeof name !== 'string' || name === '') return this.#fail('field', word)
    if (comparison === undefined) return this.#fail('operator', word, name)
    const place = places[name]
    const [first = ''] = name.split('.')
    if (place === undefined && fields !== '' && !fields.split(' ').includes(first))
      return this.#fail('unknown', word, name)
    const path =
      typeof place === 'string'
        ? place.split('.')
        : [...(this.#grammar.in === '' ? [] : [this.#grammar.in]), ...name.split('.')]
    const wanted = { value: partOf(node, value), values: partOf(node, values), upTo: partOf(node, upTo) }
    if (wanted.value !== null || !Array.isArray(wanted.values) || LISTING.has(comparison))
      return (record) => comparison(readField(record, path), wanted)
    const each = wanted.values.map((one) => ({ ...wanted, value: one }))
    const isNegative = NEGATIVE.has(comparison)
    return (record) => {
      const passes = (one: (typeof each)[number]) => comparison(readField(record, path), one)
      return isNegative ? each.every(passes) : each.some(passes)
    }
  }

  #fail(reason: string, operator = '', field = ''): Test {
    this.fault ??= { operator, field, reason }
    return () => false
  }
}

const partOf = (node: JsonObject, path: string): Json => readField(node, path.split('.')) ?? null

const all =
  (tests: readonly Test[]): Test =>
  (record) =>
    tests.every((test) => test(record))

const COMPARISONS: Readonly<Record<string, Comparison | undefined>> = {
  eq: (stored, { value }) => someIs(stored, value),
  ne: (stored, { value }) => !someIs(stored, value),
  lt: (stored, { value }) => isOrdered(stored, value, (order) => order < 0),
  lte: (stored, { value }) => isOrdered(stored, value, (order) => order <= 0),
  gt: (stored, { value }) => isOrdered(stored, value, (order) => order > 0),
  gte: (stored, { value }) => isOrdered(stored, value, (order) => order >= 0),
  between: (stored, { value, upTo }) =>
    isOrdered(stored, value, (order) => order >= 0) && isOrdered(stored, upTo, (order) => order <= 0),
  in: (stored, { value, values }) => itemsOf(values ?? value).some((one) => someIs(choicesIn(stored), one)),
  out: (stored, { value, values }) =>
    isThere(stored) && !itemsOf(values ?? value).some((one) => someIs(choicesIn(stored), one)),
  has: (stored, { value }) => textOf(stored).includes(textOf(value)),
  lacks: (stored, { value }) => !textOf(stored).includes(textOf(value)),
  like: (stored, { value }) => hasParts(textOf(stored), textOf(value).split('%')),
  unlike: (stored, { value }) => !hasParts(textOf(stored), textOf(value).split('%')),
  starts: (stored, { value }) => textOf(stored).startsWith(textOf(value)),
  ends: (stored, { value }) => textOf(stored).endsWith(textOf(value)),
  present: (stored) => isThere(stored),
  absent: (stored) => !isThere(stored),
  words: (stored, { value }) => isThere(stored) && hasWords(textOf(stored), textOf(value)),
  wordless: (stored, { value }) => !hasWords(textOf(stored), textOf(value)),
}

/** Comparisons with a list as a whole, and those that must be true of each of several values. */
const LISTING = new Set([COMPARISONS.in, COMPARISONS.out])
const NEGATIVE = new Set([COMPARISONS.ne, COMPARISONS.lacks, COMPARISONS.unlike, COMPARISONS.wordless])

/** Whether a text has these parts, with anything between. */
function hasParts(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!(text.startsWith(first) && text.endsWith(last)) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

/** The choices of a text such as `red;blue`. */
const choicesIn = (stored: Json | undefined): Json | undefined =>
  typeof stored === 'string' && stored.includes(';') ? [stored, ...stored.split(';')] : stored

const isThere = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== ''

const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])

const textOf = (value: Json | undefined): string =>
  !isThere(value) ? '' : (typeof value === 'object' ? JSON.stringify(value) : String(value)).toLowerCase()

/** Whether a value is the wanted one, or a list with it: texts in any case, numbers and times by value. */
function someIs(stored: Json | undefined, wanted: Json): boolean {
  if (Array.isArray(stored)) return stored.some((item) => someIs(item, wanted))
  if (!isThere(wanted)) return !isThere(stored)
  if (!isThere(stored)) return false
  const [left, right] = [sizeOf(stored), sizeOf(wanted)]
  return textOf(stored) === textOf(wanted) || (left !== undefined && left === right)
}

function isOrdered(stored: Json | undefined, wanted: Json, fits: (order: number) => boolean): boolean {
  if (!isThere(stored) || !isThere(wanted)) return false
  const [left, right] = [sizeOf(stored), sizeOf(wanted)]
  if (left !== undefined && right !== undefined) return fits(left - right)
  const [one, other] = [textOf(stored), textOf(wanted)]
  return fits(one < other ? -1 : one > other ? 1 : 0)
}

/** A number, or a time in ISO 8601 as milliseconds. */
function sizeOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (/^-?\d{1,20}(?:\.\d{1,20})?$/.test(value)) return Number(value)
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** Whether a text has all words of another, with `*` for a part of a word. */
function hasWords(text: string, wanted: string): boolean {
  if (wanted.includes('*')) return [text, ...text.split(/\s+/)].some((word) => hasParts(word, wanted.split('*')))
  const words = new Set(wordsOf(text))
  const asked = wordsOf(wanted)
  return asked.length > 0 && asked.every((word) => words.has(word))
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
