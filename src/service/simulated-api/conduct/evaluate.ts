import { idFrom } from '../../../protocol/expression.ts'
import { isJsonObject, type Json, type JsonObject, readField, setOwn } from '../../../protocol/json.ts'
import type { Draft } from './draft.ts'

/** What expressions of an effect may speak of. */
export interface EffectScope {
  readonly draft: Draft
  /** By name: `record`, `before`, `request`, `entry`, and what the effect has named. */
  readonly names: Readonly<Record<string, Json | undefined>>
  /** World time, milliseconds. */
  readonly at: number
  /** What made ids follow from, the same in every run. */
  readonly seed: string
}

type Operator = (given: Json, scope: EffectScope, place: string) => Json | undefined

/** The value of an expression; undefined where what it names is not there. @param place tells ids of one effect apart */
export function resolveValue(expression: Json | undefined, scope: EffectScope, place = ''): Json | undefined {
  if (Array.isArray(expression)) {
    return expression.flatMap((item, at) => {
      const value = resolveValue(item, scope, `${place}/${at}`)
      return value === undefined ? [] : [value]
    })
  }
  if (!isJsonObject(expression)) return expression
  const [[name = '', given = null] = []] = Object.entries(expression)
  if (name.startsWith('$')) {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
    return operator === undefined ? lookUp(name.slice(1), String(given), scope) : operator(given, scope, place)
  }
  const result: JsonObject = {}
  for (const [field, below] of Object.entries(expression)) {
    const value = resolveValue(below, scope, `${place}/${field}`)
    if (value !== undefined) setOwn(result, field, value)
  }
  return result
}

/** The value of a reference: `status` of the record, `$request.body.amount`. */
export function refer(reference: string, scope: EffectScope): Json | undefined {
  if (!reference.startsWith('$')) return lookUp('record', reference, scope)
  const [name = '', ...path] = reference.slice(1).split('.')
  return lookUp(name, path.length === 0 ? '.' : path.join('.'), scope)
}

function lookUp(name: string, path: string, { names }: EffectScope): Json | undefined {
  const value = Object.hasOwn(names, name) ? names[name] : undefined
  return path === '.' ? value : readField(value, path.split('.'))
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $id: (given, { seed }, place) => idFrom(`${seed}${place}`, given as Parameters<typeof idFrom>[1]),
  $time: (given, scope) => toTime(given, scope),
  $text: (given, scope) =>
    String(given).replace(/\{([^{}]+)\}/g, (_, reference: string) => textOf(refer(reference, scope))),
  $sum: (given, scope) => numbersOf(given, scope).reduce((sum, number) => sum + number, 0),
  $minus: (given, scope) => {
    const [first = 0, ...others] = numbersOf(given, scope)
    return others.reduce((rest, number) => rest - number, first)
  },
  $times: (given, scope) => Math.round(numbersOf(given, scope).reduce((product, number) => product * number, 1)),
  $percent: (given, scope) => {
    const [amount = 0, percent = 0] = numbersOf(given, scope)
    return Math.round((amount * percent) / 100)
  },
  $share: (given, scope) => {
    const [amount = 0, part = 0, whole = 0] = numbersOf(given, scope)
    return whole === 0 ? 0 : Math.round((amount * part) / whole)
  },
  $least: (given, scope) => Math.min(...numbersOf(given, scope)),
  $most: (given, scope) => Math.max(...numbersOf(given, scope)),
  $first: (given, scope, place) =>
    listOf(given)
      .map((item) => resolveValue(item, scope, place))
      .find((value) => value !== undefined && value !== null) ?? null,
  $if: (given, scope, place) => {
    const { when, value, else: otherwise } = given as { when: Json; value?: Json; else?: Json }
    return resolveValue(holds(when, scope) ? value : otherwise, scope, place)
  },
  $merge: (given, scope, place) => {
    const parts = listOf(given).map((item, at) => resolveValue(item, scope, `${place}/${at}`))
    return Object.assign({}, ...parts.filter(isJsonObject))
  },
  $join: (given, scope, place) =>
    listOf(given).flatMap((item, at) => resolveValue(item, scope, `${place}/${at}`) ?? []),
  $count: (given, scope) => listOf(resolveValue(given, scope)).length,
  $total: (given, scope) => {
    const { of, field } = given as { of: Json; field: string }
    return listOf(resolveValue(of, scope)).reduce(
      (sum: number, item) => sum + Number(readField(item, field.split('.')) ?? 0),
      0,
    )
  },
  $map: (given, scope, place) => {
    const { of, as, to } = given as { of: Json; as: string; to: Json }
    return listOf(resolveValue(of, scope)).flatMap((item, at) => {
      const value = resolveValue(to, { ...scope, names: { ...scope.names, [as]: item } }, `${place}/${at}`)
      return value === undefined ? [] : [value]
    })
  },
  $all: (given, scope) => recordsOf(given, scope).toReversed(),
  $newest: (given, scope) => recordsOf(given, scope)[0],
  $get: (given, scope) => {
    const { of, id } = given as { of: string; id: Json }
    const key = idIn(resolveValue(id, scope))
    return key === undefined ? undefined : scope.draft.get(of, key)
  },
}

/** Names that expressions begin with, beside those of values. */
export const OPERATOR_NAMES = Object.keys(OPERATORS).map((name) => name.slice(1))

/** Whether conditions hold: all of an object, any of a list. */
export function holds(when: Json | undefined, scope: EffectScope): boolean {
  if (when === undefined) return true
  if (Array.isArray(when)) return when.some((one) => holds(one, scope))
  return Object.entries(when ?? {}).every(([reference, test]) => passes(refer(reference, scope), test, scope))
}

/** Records of a collection that have these values, newest first. */
export function recordsOf(given: Json, scope: EffectScope): JsonObject[] {
  const { of, where = {} } = given as { of: string; where?: JsonObject }
  return scope.draft.select(of, toValuesTest(where, scope)).map(({ record }) => record)
}

/** Whether a record has these values, by dotted field. What is wanted of them is resolved once. */
export function toValuesTest(
  where: Readonly<Record<string, Json>>,
  scope: EffectScope,
): (record: JsonObject) => boolean {
  const tests = Object.entries(where).map(([field, test]) => ({ path: field.split('.'), test: toTest(test, scope) }))
  return (record) => tests.every(({ path, test }) => test(readField(record, path)))
}

/** The id that a value is, or carries. */
export function idIn(value: Json | undefined): string | undefined {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const COMPARISONS: Readonly<Record<string, (held: Json | undefined, wanted: Json) => boolean>> = {
  eq: (held, wanted) => isSame(held, wanted),
  ne: (held, wanted) => !isSame(held, wanted),
  in: (held, wanted) => listOf(wanted).some((one) => isSame(held, one)),
  not: (held, wanted) => !listOf(wanted).some((one) => isSame(held, one)),
  gt: (held, wanted) => typeof held === 'number' && held > Number(wanted),
  gte: (held, wanted) => typeof held === 'number' && held >= Number(wanted),
  lt: (held, wanted) => typeof held === 'number' && held < Number(wanted),
  lte: (held, wanted) => typeof held === 'number' && held <= Number(wanted),
  present: (held, wanted) => (held !== undefined && held !== null && held !== '') === wanted,
}

function passes(held: Json | undefined, test: Json, scope: EffectScope): boolean {
  return toTest(test, scope)(held)
}

function toTest(test: Json, scope: EffectScope): (held: Json | undefined) => boolean {
  if (!isJsonObject(test)) return (held) => isSame(held, test)
  const entries = Object.entries(test)
  if (!entries.every(([name]) => Object.hasOwn(COMPARISONS, name))) {
    const wanted = resolveValue(test, scope)
    return (held) => isSame(held, wanted)
  }
  const tests = entries.map(([name, expression]) => ({ name, wanted: resolveValue(expression, scope) ?? null }))
  return (held) => tests.every(({ name, wanted }) => COMPARISONS[name]?.(held, wanted))
}

const isSame = (held: Json | undefined, wanted: Json | undefined): boolean =>
  JSON.stringify(held ?? null) === JSON.stringify(wanted ?? null)

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const numbersOf = (given: Json, scope: EffectScope): number[] =>
  listOf(given).map((item) => Number(resolveValue(item, scope) ?? 0) || 0)

const textOf = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** `unix`, or `{ of, plus: { count, unit }, as }`: a time of the record or of now, moved on. */
function toTime(given: Json, scope: EffectScope): Json | undefined {
  const { of, plus, as = 'unix' } = isJsonObject(given) ? given : { of: undefined, plus: undefined, as: given }
  const start = of === undefined ? scope.at : toMs(resolveValue(of, scope))
  if (start === undefined || Number.isNaN(start)) return undefined
  const ms = isJsonObject(plus) ? moved(start, plus, scope) : start
  if (as === 'ms') return ms
  return as === 'unix' ? Math.floor(ms / 1_000) : new Date(ms).toISOString()
}

/** A number is seconds or milliseconds since the epoch: which, its size says. */
function toMs(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < 1e11 ? value * 1_000 : value
  return typeof value === 'string' ? Date.parse(value) : undefined
}

const UNITS_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}

/** A month on is the same day, or the last of a shorter month. */
function moved(ms: number, plus: JsonObject, scope: EffectScope): number {
  const count = Number(resolveValue(plus.count ?? 1, scope) ?? 1)
  const unit = String(resolveValue(plus.unit ?? 'second', scope))
  const fixed = UNITS_MS[unit]
  if (fixed !== undefined) return ms + count * fixed
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}
