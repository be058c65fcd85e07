import { idFrom } from '../../../protocol/expression.ts'
import { isJsonObject, type Json, type JsonObject, readPath, setOwn, valueText } from '../../../protocol/json.ts'
import type { TokenSigner } from '../calls/token-signer.ts'
import type { EntryOperators } from '../facts/entry-effects.ts'
import type { Draft, ValueTest } from '../records/draft.ts'
import { itemsIn, PLAIN_OPERATORS } from './operators/plain-operators.ts'
import { timeFrom } from './times.ts'

/** Values that an effect's expressions can use. */
export interface EffectScope {
  readonly draft: Draft
  /** By name: `record`, `before`, `request`, `entry`, and values that the effect has named. */
  readonly names: Readonly<Record<string, Json | undefined>>
  /** How records are shown, by collection. */
  readonly views: ReadonlyMap<string, Json>
  /** World time, milliseconds. */
  readonly at: number
  /** Seed of generated ids, the same in every run. */
  readonly seed: string
  /** Signs the simulation's tokens; undefined without a request. */
  readonly signer?: TokenSigner | undefined
  /** The entry's own. */
  readonly operators?: EntryOperators | undefined
}

type Operator = (given: Json, scope: EffectScope, place: string) => Json | undefined

/** Evaluates an expression; undefined where a named value does not exist. @param place distinguishes the ids of one effect */
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
    const own = Object.hasOwn(PLAIN_OPERATORS, name) ? PLAIN_OPERATORS[name] : scope.operators?.get(name)
    if (own !== undefined) return own(resolveValue(given, scope, `${place}/${name}`) ?? null)
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
function refer(reference: string, scope: EffectScope): Json | undefined {
  if (!reference.startsWith('$')) return lookUp('record', reference, scope)
  const [name = '', ...path] = reference.slice(1).split('.')
  return lookUp(name, path.length === 0 ? '.' : path.join('.'), scope)
}

function lookUp(name: string, path: string, { names }: EffectScope): Json | undefined {
  const value = Object.hasOwn(names, name) ? names[name] : undefined
  return path === '.' ? value : readPath(value, path.split('.'))
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $id: (given, { seed }, place) => idFrom(`${seed}${place}`, given as Parameters<typeof idFrom>[1]),
  $jwks: (_, { signer }) => signer?.keySet(),
  $time: (given, scope) => timeFrom(given, scope.at, (value) => resolveValue(value, scope)),
  $text: (given, scope) =>
    String(given).replace(/\{([^{}]+)\}/g, (_, reference: string) => valueText(refer(reference, scope))),
  $sum: (given, scope) => numbersOf(given, scope).reduce((sum, number) => sum + number, 0),
  $minus: (given, scope) => {
    const [first = 0, ...others] = numbersOf(given, scope)
    return others.reduce((rest, number) => rest - number, first)
  },
  $first: (given, scope, place) =>
    itemsIn(given)
      .map((item) => resolveValue(item, scope, place))
      .find((value) => value !== undefined && value !== null) ?? null,
  $if: (given, scope, place) => {
    const { when, value, else: otherwise } = given as { when: Json; value?: Json; else?: Json }
    return resolveValue(holds(when, scope) ? value : otherwise, scope, place)
  },
  $merge: (given, scope, place) => {
    const parts = itemsIn(given).map((item, at) => resolveValue(item, scope, `${place}/${at}`))
    return Object.assign({}, ...parts.filter(isJsonObject))
  },
  $count: (given, scope) => itemsIn(resolveValue(given, scope)).length,
  $map: (given, scope, place) => {
    const { of, as, to, at: counter } = given as { of: Json; as: string; to: Json; at?: string }
    const values = eachOf(itemsIn(resolveValue(of, scope)), scope, (item, at) => {
      const names = { ...scope.names, [as]: item, ...(counter !== undefined && { [counter]: at }) }
      return resolveValue(to, { ...scope, names }, `${place}/${at}`)
    })
    return values.filter((value) => value !== undefined)
  },
  $shown: (given, scope) => {
    const { as, value } = given as { as: string; value: Json }
    const whole = resolveValue(value, scope)
    return Array.isArray(whole)
      ? eachOf(whole, scope, (item) => shownAs(as, item, scope))
      : whole && shownAs(as, whole, scope)
  },
  $all: (given, scope) => recordsOf(given, scope).toReversed(),
  $newest: (given, scope) => recordsOf(given, scope)[0],
  $get: (given, scope) => {
    const { of, id } = given as { of: string; id: Json }
    const key = idIn(resolveValue(id, scope))
    return key === undefined ? undefined : scope.draft.get(of, key)
  },
}

/** Operators of expressions. */
export const OPERATOR_NAMES = Object.keys({ ...OPERATORS, ...PLAIN_OPERATORS }).map((name) => name.slice(1))

/** Whether conditions are true: all of an object, any of a list. */
export function holds(when: Json | undefined, scope: EffectScope): boolean {
  if (when === undefined) return true
  if (Array.isArray(when)) return when.some((one) => holds(one, scope))
  return Object.entries(when ?? {}).every(([reference, test]) => passes(refer(reference, scope), test, scope))
}

/** Records of a collection with these values, newest first. */
export function recordsOf(given: Json, scope: EffectScope): JsonObject[] {
  const { of, where = {} } = given as { of: string; where?: JsonObject }
  return scope.draft.select(of, toValueTests(where, scope)).map(({ record }) => record)
}

/** Whether a record has these values, by dotted field. The wanted values are resolved once. */
export function toValuesTest(where: Readonly<Record<string, Json>>, scope: EffectScope): (record: Json) => boolean {
  const tests = toValueTests(where, scope)
  return (record) => tests.every(({ path, test }) => test(readPath(record, path)))
}

const toValueTests = (where: Readonly<Record<string, Json>>, scope: EffectScope): ValueTest[] =>
  Object.entries(where).map(([field, test]) => ({ path: field.split('.'), test: toTest(test, scope) }))

/** Longer lists are processed in slices. */
const MANY = 50

/** Computes a value for each item of a list. */
function eachOf<T>(items: readonly Json[], { draft }: EffectScope, toValue: (item: Json, at: number) => T): T[] {
  if (items.length <= MANY) return items.map(toValue)
  return draft.inSlices(
    (function* () {
      const values: T[] = []
      for (const [at, item] of items.entries()) {
        values.push(toValue(item, at))
        yield
      }
      return values
    })(),
  )
}

/** A record in the view of its collection; unchanged without one. */
export function shownAs(collection: string, record: Json, scope: EffectScope): Json {
  const view = scope.views.get(collection)
  if (view === undefined || !isJsonObject(record)) return record
  return resolveValue(view, { ...scope, names: { entry: scope.names.entry, record } }) ?? null
}

/** The id in a value, or the value itself. */
export function idIn(value: Json | undefined): string | undefined {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const COMPARISONS: Readonly<Record<string, (stored: Json | undefined, wanted: Json) => boolean>> = {
  eq: (stored, wanted) => isSame(stored, wanted),
  ne: (stored, wanted) => !isSame(stored, wanted),
  in: (stored, wanted) => itemsIn(wanted).some((one) => isSame(stored, one)),
  not: (stored, wanted) => !itemsIn(wanted).some((one) => isSame(stored, one)),
  gt: (stored, wanted) => isOrdered(stored, wanted, (order) => order > 0),
  gte: (stored, wanted) => isOrdered(stored, wanted, (order) => order >= 0),
  lt: (stored, wanted) => isOrdered(stored, wanted, (order) => order < 0),
  lte: (stored, wanted) => isOrdered(stored, wanted, (order) => order <= 0),
  /** An optional value of the request. */
  given: (stored, wanted) => wanted === null || isSame(stored, wanted),
  /** One of several values, optional in the request. */
  among: (stored, wanted) => wanted === null || itemsIn(wanted).some((one) => isSame(stored, one)),
  /** A list with one of several values, optional in the request. */
  any: (stored, wanted) => wanted === null || itemsIn(wanted).some((one) => holdsOne(stored, one)),
  /** A list without any of several values. */
  none: (stored, wanted) => !itemsIn(wanted).some((one) => holdsOne(stored, one)),
  /** A list with a value, or with all of several; a text that contains each, in any case. */
  has: (stored, wanted) => [wanted].flat().every((one) => one === null || one === '' || holdsOne(stored, one)),
  /** Whether the request has the field, even null. */
  sent: (stored, wanted) => (stored !== undefined) === wanted,
  present: (stored, wanted) => (stored !== undefined && stored !== null && stored !== '') === wanted,
}

const holdsOne = (stored: Json | undefined, wanted: Json): boolean =>
  typeof stored === 'string'
    ? stored.toLowerCase().includes(valueText(wanted).toLowerCase())
    : itemsIn(stored).some((item) => isSame(item, wanted))

/** Numbers by value, texts (including times in ISO 8601) by character. */
function isOrdered(stored: Json | undefined, wanted: Json, fits: (order: number) => boolean): boolean {
  if (typeof stored === 'number') return fits(stored - Number(wanted))
  return (
    typeof stored === 'string' && typeof wanted === 'string' && fits(stored < wanted ? -1 : stored > wanted ? 1 : 0)
  )
}

function passes(stored: Json | undefined, test: Json, scope: EffectScope): boolean {
  return toTest(test, scope)(stored)
}

function toTest(test: Json, scope: EffectScope): (stored: Json | undefined) => boolean {
  if (!isJsonObject(test)) return (stored) => isSame(stored, test)
  const entries = Object.entries(test)
  if (!entries.every(([name]) => Object.hasOwn(COMPARISONS, name))) {
    const wanted = resolveValue(test, scope)
    return (stored) => isSame(stored, wanted)
  }
  const tests = entries.map(([name, expression]) => ({ name, wanted: resolveValue(expression, scope) ?? null }))
  return (stored) => tests.every(({ name, wanted }) => COMPARISONS[name]?.(stored, wanted))
}

const isSame = (stored: Json | undefined, wanted: Json | undefined): boolean =>
  JSON.stringify(stored ?? null) === JSON.stringify(wanted ?? null)

const numbersOf = (given: Json, scope: EffectScope): number[] =>
  itemsIn(given).map((item) => Number(resolveValue(item, scope) ?? 0) || 0)
