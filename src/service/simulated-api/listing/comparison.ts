import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import { keyIn } from '../../world/field.ts'
import { compareValues } from '../../world/select.ts'

/** Whether a record's value passes a filter. */
export type Test = (value: Json | undefined) => boolean

/** Words for comparisons, as APIs write them: `created[gte]`, `age__gt`, `{ operator: '>=' }`. */
const OPERATORS: Readonly<Record<string, (held: Json | undefined, wanted: Json) => boolean>> = {
  eq: equals,
  '=': equals,
  '==': equals,
  is: equals,
  equals,
  exact: equals,
  iexact: equals,
  ie: equals,
  ne: (held, wanted) => !equals(held, wanted),
  n: (held, wanted) => !equals(held, wanted),
  not: (held, wanted) => !equals(held, wanted),
  neq: (held, wanted) => !equals(held, wanted),
  '!=': (held, wanted) => !equals(held, wanted),
  gt: (held, wanted) => isKnown(held) && order(held, wanted) > 0,
  after: (held, wanted) => isKnown(held) && order(held, wanted) > 0,
  '>': (held, wanted) => isKnown(held) && order(held, wanted) > 0,
  gte: (held, wanted) => isKnown(held) && order(held, wanted) >= 0,
  ge: (held, wanted) => isKnown(held) && order(held, wanted) >= 0,
  '>=': (held, wanted) => isKnown(held) && order(held, wanted) >= 0,
  lt: (held, wanted) => isKnown(held) && order(held, wanted) < 0,
  before: (held, wanted) => isKnown(held) && order(held, wanted) < 0,
  '<': (held, wanted) => isKnown(held) && order(held, wanted) < 0,
  lte: (held, wanted) => isKnown(held) && order(held, wanted) <= 0,
  le: (held, wanted) => isKnown(held) && order(held, wanted) <= 0,
  '<=': (held, wanted) => isKnown(held) && order(held, wanted) <= 0,
  in: (held, wanted) => toList(wanted).some((item) => equals(held, item)),
  any: (held, wanted) => toList(wanted).some((item) => equals(held, item)),
  nin: (held, wanted) => !toList(wanted).some((item) => equals(held, item)),
  notin: (held, wanted) => !toList(wanted).some((item) => equals(held, item)),
  contains: includesText,
  icontains: includesText,
  like: (held, wanted) => includesText(held, String(wanted).replaceAll('%', '')),
  ic: includesText,
  '~': includesText,
  containstoken: includesText,
  '!~': (held, wanted) => !includesText(held, wanted),
  '^': (held, wanted) => toText(held).startsWith(toText(wanted)),
  $: (held, wanted) => toText(held).endsWith(toText(wanted)),
  '<>': (held, wanted) => !equals(held, wanted),
  startswith: (held, wanted) => toText(held).startsWith(toText(wanted)),
  sw: (held, wanted) => toText(held).startsWith(toText(wanted)),
  isw: (held, wanted) => toText(held).startsWith(toText(wanted)),
  endswith: (held, wanted) => toText(held).endsWith(toText(wanted)),
  ew: (held, wanted) => toText(held).endsWith(toText(wanted)),
  iew: (held, wanted) => toText(held).endsWith(toText(wanted)),
  exists: (held, wanted) => isKnown(held) === (wanted !== false && wanted !== 'false'),
  hasproperty: (held) => isKnown(held),
  isnull: (held, wanted) => isKnown(held) !== (wanted !== false && wanted !== 'false'),
}

/** Whether a word names a comparison. */
export const isOperator = (word: string): boolean => Object.hasOwn(OPERATORS, toOperator(word))

/** A comparison by its word. */
export function toComparison(word: string, wanted: Json): Test {
  const compare = OPERATORS[toOperator(word)] ?? equals
  return (held) => compare(held, wanted)
}

const toOperator = (word: string): string => (word === '$' ? word : word.replace(/[_$\s]/g, '').toLowerCase())

/**
 * The test for what a filter asks of a field; undefined where it asks nothing: a value outside of the field's enum
 * (`state=all`), an empty one.
 */
export function toTest(wanted: Json, schema: Schema | undefined): Test | undefined {
  if (isJsonObject(wanted)) return toOperatorTest(wanted)
  const items = Array.isArray(wanted) ? wanted : splitList(wanted, schema)
  const meant = items.filter((item) => item !== '' && item !== null && isPossible(item, schema))
  if (meant.length === 0) return undefined
  return (held) => meant.some((item) => equals(held, item))
}

function toOperatorTest(wanted: JsonObject): Test | undefined {
  const entries = Object.entries(wanted)
  if (entries.length === 0 || !entries.every(([word]) => isOperator(word))) return undefined
  const tests = entries.map(([word, value]) => toComparison(word, value))
  return (held) => tests.every((test) => test(held))
}

/** `open,closed` is two values where the field has an enum that holds neither comma. */
function splitList(wanted: Json, schema: Schema | undefined): Json[] {
  if (typeof wanted !== 'string' || !wanted.includes(',') || enumOf(schema) === undefined) return [wanted]
  return wanted.split(',').map((item) => item.trim())
}

function isPossible(value: Json, schema: Schema | undefined): boolean {
  const allowed = enumOf(schema)
  if (allowed !== undefined) return allowed.some((item) => equals(item, value))
  if (schema?.types.length === 1 && schema.types[0] === 'boolean') return /^(true|false)$/i.test(String(value))
  return !/^(all|any|\*)$/i.test(String(value))
}

const enumOf = (schema: Schema | undefined): readonly Json[] | undefined => schema?.enum ?? schema?.items?.enum

const isKnown = (value: Json | undefined): boolean => value !== undefined && value !== null

function equals(held: Json | undefined, wanted: Json): boolean {
  if (held === wanted) return true
  if (Array.isArray(held)) return held.some((item) => equals(item, wanted))
  if (held === undefined || held === null) return wanted === null || wanted === 'null'
  if (isJsonObject(held)) return keyIn(held) === String(wanted) || held.name === wanted
  if (typeof held === 'string') return held === String(wanted) || (isDay(wanted) && held.startsWith(`${wanted}T`))
  return String(held) === String(wanted).toLowerCase()
}

const isDay = (value: Json): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** Moments compare as moments, however each side writes them. */
function order(held: Json | undefined, wanted: Json): number {
  const left = toMoment(held)
  const right = toMoment(wanted)
  if (left !== undefined && right !== undefined) return left - right
  const number = Number(wanted)
  if (typeof held === 'number' && Number.isFinite(number)) return held - number
  return compareValues(held, wanted)
}

function toMoment(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value > 1e11 ? value : value > 1e8 ? value * 1000 : undefined
  if (typeof value !== 'string') return undefined
  if (/^\d{9,10}$/.test(value)) return Number(value) * 1000
  const moment = /^\d{4}-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}

const toText = (value: Json | undefined): string => (isKnown(value) ? String(value).toLowerCase() : '')

function includesText(held: Json | undefined, wanted: Json): boolean {
  return Array.isArray(held) ? held.some((item) => includesText(item, wanted)) : toText(held).includes(toText(wanted))
}

function toList(value: Json): Json[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value]
}
