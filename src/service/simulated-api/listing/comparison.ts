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
    return (stored) => !test(stored)
  }
const ordered =
  (passes: (order: number) => boolean): Comparison =>
  (wanted) =>
  (stored) =>
    isKnown(stored) && passes(order(stored, wanted))
const onText =
  (passes: (stored: string, wanted: string) => boolean): Comparison =>
  (wanted) => {
    const text = toText(wanted)
    return (stored) => passes(toText(stored), text)
  }
const greater = ordered((order) => order > 0)
const greaterOrEqual = ordered((order) => order >= 0)
const less = ordered((order) => order < 0)
/** Until a day is until its end: `date_from` and `date_to` of one day find the times of that day. */
const lessOrEqual: Comparison = (wanted) => {
  const test = ordered((order) => order <= 0)(wanted)
  return isDay(wanted) ? (stored) => test(stored) || String(stored).startsWith(`${wanted}T`) : test
}
const oneOf: Comparison = (wanted) => anyOf(toList(wanted).map(equalTo))
const contains: Comparison = (wanted) => (stored) => includesText(stored, wanted)
const sameText: Comparison = (wanted) => anyOf([equalTo(wanted), onText((stored, text) => stored === text)(wanted)])
const startsWith = onText((stored, wanted) => stored.startsWith(wanted))
const endsWith = onText((stored, wanted) => stored.endsWith(wanted))
const isSet: Comparison = (wanted) => (stored) => isKnown(stored) !== /^(false|0)$/i.test(String(wanted))

/** Operators in various APIs: `created[gte]`, `age__gt`, `{ operator: '>=' }`. */
const OPERATORS: Readonly<Record<string, Comparison>> = {
  eq: equalTo,
  '=': equalTo,
  '==': equalTo,
  is: equalTo,
  equals: equalTo,
  exact: equalTo,
  iexact: sameText,
  ie: sameText,
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
  istartswith: startsWith,
  sw: startsWith,
  isw: startsWith,
  $: endsWith,
  endswith: endsWith,
  iendswith: endsWith,
  ew: endsWith,
  iew: endsWith,
  exists: isSet,
  hasproperty: () => isKnown,
  isnull: not(isSet),
}

export const isOperator = (word: string): boolean => comparisonOf(word) !== undefined

/** A comparison by its operator. */
export function toComparison(word: string, wanted: Json, schema?: Schema): Test {
  const flags = isFlag(schema) ? toList(wanted).map((item) => toFlag(item, schema)) : []
  return (comparisonOf(word) ?? equalTo)(flags.length > 1 ? flags : (flags[0] ?? wanted))
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
  if (isJsonObject(wanted)) return toOperatorTest(wanted, schema) ?? toNestedTest(wanted, schema)
  const items = (Array.isArray(wanted) ? wanted : splitList(wanted, schema)).map((item) => toFlag(item, schema))
  const possible = items.filter((item) => item !== '' && item !== null && isPossible(item, schema))
  if (possible.length === 0) return undefined
  return anyOf(possible.map(equalTo))
}

function toOperatorTest(wanted: JsonObject, schema: Schema | undefined): Test | undefined {
  const entries = Object.entries(wanted)
  if (entries.length === 0 || !entries.every(([word]) => isOperator(word))) return undefined
  const tests = entries.map(([word, value]) => toComparison(word, value, schema))
  return (stored) => tests.every((test) => test(stored))
}

/** `recurring[interval]=month`: values inside an object field. */
function toNestedTest(wanted: JsonObject, schema: Schema | undefined): Test | undefined {
  const entries = Object.entries(wanted)
  if (entries.length === 0 || schema?.types.includes('object') !== true) return undefined
  const tests = entries.flatMap(([name, value]) => {
    const test = toTest(value, schema.properties.get(name))
    return test === undefined ? [] : [(stored: JsonObject) => test(getOwn(stored, name))]
  })
  return (stored) => isJsonObject(stored) && tests.every((test) => test(stored))
}

/** `open,closed` is two values for a field whose enum values have no comma. */
function splitList(wanted: Json, schema: Schema | undefined): Json[] {
  if (typeof wanted !== 'string' || !wanted.includes(',') || enumOf(schema) === undefined) return [wanted]
  return wanted.split(',').map((item) => item.trim())
}

/** `exported=1` of Kimai, `billable=0` of Harvest: a flag. */
const toFlag = (value: Json, schema: Schema | undefined): Json =>
  isFlag(schema) && /^[01]$/.test(String(value)) ? String(value) === '1' : value

export const isFlag = (schema: Schema | undefined): boolean => schema?.types.join() === 'boolean'

function isPossible(value: Json, schema: Schema | undefined): boolean {
  const allowed = enumOf(schema)
  if (allowed !== undefined) return allowed.some(equalTo(value))
  if (isFlag(schema)) return /^(true|false)$/i.test(String(value))
  return !/^(all|any|\*)$/i.test(String(value))
}

const enumOf = (schema: Schema | undefined): readonly Json[] | undefined => schema?.enum ?? schema?.items?.enum

const isKnown = (value: Json | undefined): boolean => value !== undefined && value !== null

function anyOf(tests: readonly Test[]): Test {
  const [only] = tests
  return only !== undefined && tests.length === 1 ? only : (stored) => tests.some((test) => test(stored))
}

function equalTo(wanted: Json): Test {
  const text = String(wanted)
  const lower = text.toLowerCase()
  const day = isDay(wanted) ? `${wanted}T` : undefined
  const test: Test = (stored) => {
    if (stored === wanted) return true
    if (typeof stored === 'string') return stored === text || (day !== undefined && stored.startsWith(day))
    if (Array.isArray(stored)) return stored.some(test)
    if (stored === undefined || stored === null) return wanted === null || wanted === 'null'
    if (isJsonObject(stored)) return keyIn(stored) === text || stored.name === wanted
    return String(stored) === lower
  }
  return test
}

const isDay = (value: Json): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** Times are compared as times, in any format. */
function order(stored: Json | undefined, wanted: Json): number {
  const left = toMoment(stored)
  const right = toMoment(wanted)
  if (left !== undefined && right !== undefined) return left - right
  const number = Number(wanted)
  if (typeof stored === 'number' && Number.isFinite(number)) return stored - number
  return compareValues(stored, wanted)
}

function toMoment(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value > 1e11 ? value : value > 1e8 ? value * 1000 : undefined
  if (typeof value !== 'string') return undefined
  if (/^\d{9,10}$/.test(value)) return Number(value) * 1000
  const moment = /^\d{4}-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment
}

const toText = (value: Json | undefined): string => (isKnown(value) ? String(value).toLowerCase() : '')

function includesText(stored: Json | undefined, wanted: Json): boolean {
  return Array.isArray(stored)
    ? stored.some((item) => includesText(item, wanted))
    : toText(stored).includes(toText(wanted))
}

function toList(value: Json): Json[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value]
}
