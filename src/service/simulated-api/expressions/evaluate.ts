import { idFrom, type VALUE_OPERATORS } from '../../../protocol/expression.ts'
import { isJsonObject, type Json, type JsonObject, readPath, setOwn, valueText } from '../../../protocol/json.ts'
import { timeFrom } from '../../../protocol/times.ts'
import type { Draft } from '../records/draft.ts'

/** Values that expressions of `effects.yaml` and `sign-in.yaml` can use. */
interface Scope {
  readonly draft: Draft
  /** By name: `request`, `entry`, `user` */
  readonly names: Readonly<Record<string, Json | undefined>>
  /** World time, milliseconds. */
  readonly at: number
  /** Seed of generated ids, the same in every run. */
  readonly seed: string
}

type Operator = (given: Json, scope: Scope, place: string) => Json | undefined

/** Evaluates an expression; undefined where a named value does not exist. @param place distinguishes the ids of one scope */
export function resolveValue(expression: Json | undefined, scope: Scope, place = ''): Json | undefined {
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

/** The value of a reference: `$request.query.prompt`. */
function refer(reference: string, scope: Scope): Json | undefined {
  const [name = '', ...path] = reference.slice(1).split('.')
  return lookUp(name, path.length === 0 ? '.' : path.join('.'), scope)
}

function lookUp(name: string, path: string, { names }: Scope): Json | undefined {
  const value = Object.hasOwn(names, name) ? names[name] : undefined
  return path === '.' ? value : readPath(value, path.split('.'))
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $id: (given, { seed }, place) => idFrom(`${seed}${place}`, given as Parameters<typeof idFrom>[1]),
  $time: (given, scope) => timeFrom(given, scope.at, (value) => resolveValue(value, scope)),
  $text: (given, scope) =>
    String(given).replace(/\{([^{}]+)\}/g, (_, reference: string) => valueText(refer(reference, scope))),
  $split: (given, scope) => {
    const { of, by, at } = given as { of: Json; by: string; at: number }
    return valueText(resolveValue(of, scope)).split(by)[at]
  },
  $sum: (given, scope) => numbersOf(given, scope).reduce((sum, number) => sum + number, 0),
  $first: (given, scope, place) =>
    itemsIn(given)
      .map((item) => resolveValue(item, scope, place))
      .find((value) => value !== undefined && value !== null) ?? null,
  $if: (given, scope, place) => {
    const { when, value, else: otherwise } = given as { when: Json; value?: Json; else?: Json }
    return resolveValue(holds(when, scope) ? value : otherwise, scope, place)
  },
  $get: (given, scope) => {
    const { of, id, field } = given as { of: string; id: Json; field?: string }
    const key = idIn(resolveValue(id, scope))
    const record = key === undefined ? undefined : scope.draft.get(of, key)
    return field === undefined ? record : readPath(record, field.split('.'))
  },
} satisfies Record<(typeof VALUE_OPERATORS)[number], Operator>

/** Whether all conditions are true. */
function holds(when: Json, scope: Scope): boolean {
  return Object.entries(when ?? {}).every(([reference, test]) => toTest(test, scope)(refer(reference, scope)))
}

/** The id in a value, or the value itself. */
function idIn(value: Json | undefined): string | undefined {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const COMPARISONS: Readonly<Record<string, (stored: Json | undefined, wanted: Json) => boolean>> = {
  gte: (stored, wanted) => typeof stored === 'string' && stored >= valueText(wanted),
  lt: (stored, wanted) => typeof stored === 'string' && stored < valueText(wanted),
  /** A list with the item. */
  has: (stored, wanted) => itemsIn(stored).some((item) => isSame(item, wanted)),
  present: (stored, wanted) => (stored !== undefined && stored !== null && stored !== '') === wanted,
}

function toTest(test: Json, scope: Scope): (stored: Json | undefined) => boolean {
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

const numbersOf = (given: Json, scope: Scope): number[] =>
  itemsIn(given).map((item) => Number(resolveValue(item, scope) ?? 0) || 0)

/** The items of a list; none of any other value. */
const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
