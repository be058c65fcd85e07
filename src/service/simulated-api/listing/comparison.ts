import { foldName } from '../../../names/words.ts'
import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import { compareValues, keyIn } from '../../world/field.ts'

/** Whether a record's value passes a filter. */
export type Test = (value: Json | undefined) => boolean

/** A comparison for a filter's value: prepared once, not for each record. */
type Comparison = (wanted: Json) => Test

const not =
  (comparison: Comparison): Comparison =>
  (wanted) => {
    const test = comparison(wanted)
    return (held) => !test(held)
  }
const ordered =
  (passes: (order: number) => boolean): Comparison =>
  (wanted) =>
  (held) =>
    isKnown(held) && passes(order(held, wanted))
const onText =
  (passes: (held: string, wanted: string) => boolean): Comparison =>
  (wanted) => {
    const text = toText(wanted)
    return (held) => passes(toText(held), text)
  }
const greater = ordered((order) => order > 0)
const greaterOrEqual = ordered((order) => order >= 0)
const less = ordered((order) => order < 0)
const lessOrEqual = ordered((order) => order <= 0)
const oneOf: Comparison = (wanted) => anyOf(toList(wanted).map(equalTo))
const contains: Comparison = (wanted) => (held) => includesText(held, wanted)
const startsWith = onText((held, wanted) => held.startsWith(wanted))
const endsWith = onText((held, wanted) => held.endsWith(wanted))
const isSet: Comparison = (wanted) => (held) => isKnown(held) === (wanted !== false && wanted !== 'false')

/** Operators in various APIs: `created[gte]`, `age__gt`, `{ operator: '>=' }`. */
const OPERATORS: Readonly<Record<string, Comparison>> = {
  eq: equalTo,
  '=': equalTo,
  '==': equalTo,
  is: equalTo,
  equals: equalTo,
  exact: equalTo,
  iexact: equalTo,
  ie: equalTo,
  ne: not(equalTo),
  n: not(equalTo),
  not: not(equalTo),
  neq: not(equalTo),
  '!=': not(equalTo),
  '<>': not(equalTo),
  gt: greater,
  after: greater,
  '>': greater,
  gte: greaterOrEqual,
  ge: greaterOrEqual,
  '>=': greaterOrEqual,
  lt: less,
  before: less,
  '<': less,
  lte: lessOrEqual,
  le: lessOrEqual,
  '<=': lessOrEqual,
  in: oneOf,
  any: oneOf,
  nin: not(oneOf),
  notin: not(oneOf),
  contains,
  icontains: contains,
  like: (wanted) => contains(String(wanted).replaceAll('%', '')),
  ic: contains,
  '~': contains,
  containstoken: contains,
  '!~': not(contains),
  '^': startsWith,
  startswith: startsWith,
  sw: startsWith,
  isw: startsWith,
  $: endsWith,
  endswith: endsWith,
  ew: endsWith,
  iew: endsWith,
  exists: isSet,
  hasproperty: () => isKnown,
  isnull: not(isSet),
}

/** Whether a word is an operator. */
export const isOperator = (word: string): boolean => comparisonOf(word) !== undefined

/** A comparison by its operator. */
export function toComparison(word: string, wanted: Json): Test {
  return (comparisonOf(word) ?? equalTo)(wanted)
}

function comparisonOf(word: string): Comparison | undefined {
  const name = foldName(word)
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
}

/**
 * The test for a filter value of a field; undefined without effect: a value outside the field's enum (`state=all`), or
 * an empty one.
 */
export function toTest(wanted: Json, schema: Schema | undefined): Test | undefined {
  if (isJsonObject(wanted)) return toOperatorTest(wanted) ?? toNestedTest(wanted, schema)
  const items = Array.isArray(wanted) ? wanted : splitList(wanted, schema)
  const meant = items.filter((item) => item !== '' && item !== null && isPossible(item, schema))
  if (meant.length === 0) return undefined
  return anyOf(meant.map(equalTo))
}

function toOperatorTest(wanted: JsonObject): Test | undefined {
  const entries = Object.entries(wanted)
  if (entries.length === 0 || !entries.every(([word]) => isOperator(word))) return undefined
  const tests = entries.map(([word, value]) => toComparison(word, value))
  return (held) => tests.every((test) => test(held))
}

/** `recurring[interval]=month`: values inside an object field. */
function toNestedTest(wanted: JsonObject, schema: Schema | undefined): Test | undefined {
  const entries = Object.entries(wanted)
  if (entries.length === 0 || schema?.types.includes('object') !== true) return undefined
  const tests = entries.flatMap(([name, value]) => {
    const test = toTest(value, schema.properties.get(name))
    return test === undefined ? [] : [(held: JsonObject) => test(getOwn(held, name))]
  })
  return (held) => isJsonObject(held) && tests.every((test) => test(held))
}

/** `open,closed` is two values for a field whose enum values have no comma. */
function splitList(wanted: Json, schema: Schema | undefined): Json[] {
  if (typeof wanted !== 'string' || !wanted.includes(',') || enumOf(schema) === undefined) return [wanted]
  return wanted.split(',').map((item) => item.trim())
}

function isPossible(value: Json, schema: Schema | undefined): boolean {
  const allowed = enumOf(schema)
  if (allowed !== undefined) return allowed.some(equalTo(value))
  if (schema?.types.length === 1 && schema.types[0] === 'boolean') return /^(true|false)$/i.test(String(value))
  return !/^(all|any|\*)$/i.test(String(value))
}

const enumOf = (schema: Schema | undefined): readonly Json[] | undefined => schema?.enum ?? schema?.items?.enum

const isKnown = (value: Json | undefined): boolean => value !== undefined && value !== null

function anyOf(tests: readonly Test[]): Test {
  const [only] = tests
  return only !== undefined && tests.length === 1 ? only : (held) => tests.some((test) => test(held))
}

function equalTo(wanted: Json): Test {
  const text = String(wanted)
  const lower = text.toLowerCase()
  const day = isDay(wanted) ? `${wanted}T` : undefined
  const test: Test = (held) => {
    if (held === wanted) return true
    if (typeof held === 'string') return held === text || (day !== undefined && held.startsWith(day))
    if (Array.isArray(held)) return held.some(test)
    if (held === undefined || held === null) return wanted === null || wanted === 'null'
    if (isJsonObject(held)) return keyIn(held) === text || held.name === wanted
    return String(held) === lower
  }
  return test
}

const isDay = (value: Json): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** Times are compared as times, in any format. */
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
