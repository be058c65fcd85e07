import { isRegExp } from 'node:util/types'
import { valueAt } from '../protocol/json.ts'

/** A value with only some of its parts. Asymmetric matchers (`expect.any(String)`) may be at any level. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | AsymmetricMatcher }
    : T | AsymmetricMatcher

/** The common interface of Vitest's and Jest's `expect.*` matchers. */
export interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean
  toString(): string
}

/** The first difference between an item and an expectation. */
export interface Mismatch {
  /** `type`, `data.object.status`, `attempt`, `where`... */
  path: string
  expected: unknown
  received: unknown
}

/** One condition of an expectation. */
export interface Check<Item> {
  /** The checked field. */
  path: string
  /** Weight of this check for finding the most similar item. @default 1 */
  weight?: number
  find: (item: Item) => Mismatch | undefined
}

/** The item closest to an expectation, and its first difference. */
export interface NearestMiss<Item> {
  item: Item
  mismatch: Mismatch
}

/** The first difference between an item and the expectation; undefined when it matches. */
export function firstMismatch<Item>(item: Item, checks: readonly Check<Item>[]): Mismatch | undefined {
  for (const { find } of checks) {
    const mismatch = find(item)
    if (mismatch) return mismatch
  }
  return undefined
}

/**
 * {@link firstMismatch} for an explanation. It also checks items for which the caller's functions were not written: an
 * error that a function throws counts as a mismatch.
 */
export function explainMismatch<Item>(item: Item, checks: readonly Check<Item>[]): Mismatch | undefined {
  for (const check of checks) {
    const mismatch = explain(check, item)
    if (mismatch) return mismatch
  }
  return undefined
}

/** The item with the highest weight of passed checks, the latest of several, with its first difference. Undefined without items. */
export function findNearestMiss<Item>(
  items: readonly Item[],
  checks: readonly Check<Item>[],
): NearestMiss<Item> | undefined {
  let best: (NearestMiss<Item> & { score: number }) | undefined
  for (const item of items) {
    let score = 0
    let first: Mismatch | undefined
    for (const check of checks) {
      const mismatch = explain(check, item)
      if (mismatch) first ??= mismatch
      else score += check.weight ?? 1
    }
    if (first && score >= (best?.score ?? 0)) best = { item, mismatch: first, score }
  }
  return best && { item: best.item, mismatch: best.mismatch }
}

function explain<Item>({ path, find }: Check<Item>, item: Item): Mismatch | undefined {
  try {
    return find(item)
  } catch (error) {
    return { path, expected: 'an answer', received: `threw ${error}` }
  }
}

/** A check from a function that returns whether it holds, and the checked value. */
export function condition<Item>(
  path: string,
  expected: unknown,
  judge: (item: Item) => [holds: boolean, received: unknown],
): Check<Item> {
  const find = (item: Item) => {
    const [holds, received] = judge(item)
    return holds ? undefined : { path, expected, received }
  }
  return { path, find }
}

/** What a function of a test has answered. Throws a TypeError for a promise, which would count as true. */
export function verdictOf(answer: unknown, name: string): boolean {
  if (!(answer instanceof Promise)) return Boolean(answer)
  answer.catch(() => undefined)
  throw new TypeError(`Expected ${name} to answer true or false at once, got a promise. Await before the expectation.`)
}

/** A check for each leaf of a deep partial of the value at `path` of an item. */
export function leafChecks(expected: unknown, path: readonly string[]): Check<unknown>[] {
  // Plain objects are split; arrays, matchers and scalars are not.
  const parts = isPlainObject(expected) ? Object.entries(expected) : []
  if (parts.length > 0) return parts.flatMap(([name, value]) => leafChecks(value, [...path, name]))
  const text = path.join('.')
  return [{ path: text, find: (item) => findDifference(expected, valueAt(item, path), text) }]
}

/** The first difference between a deep partial and a JSON value. Arrays must have the same length. */
function findDifference(expected: unknown, received: unknown, path: string): Mismatch | undefined {
  if (isAsymmetricMatcher(expected)) {
    return expected.asymmetricMatch(received) ? undefined : { path, expected, received }
  }
  if (isRegExp(expected)) {
    const holds = typeof received === 'string' && received.search(expected) !== -1
    return holds ? undefined : { path, expected, received }
  }
  if (Array.isArray(expected)) return findArrayDifference(expected, received, path)
  if (isPlainObject(expected)) {
    if (!isPlainObject(received)) return { path, expected, received }
    for (const [name, value] of Object.entries(expected)) {
      const own = Object.hasOwn(received, name) ? received[name] : undefined
      const difference = findDifference(value, own, `${path}.${name}`)
      if (difference) return difference
    }
    return undefined
  }
  return Object.is(expected, received) || expected === received ? undefined : { path, expected, received }
}

function findArrayDifference(expected: readonly unknown[], received: unknown, path: string): Mismatch | undefined {
  if (!Array.isArray(received)) return { path, expected, received }
  for (const [at, value] of expected.entries()) {
    const difference = findDifference(value, received[at], `${path}[${at}]`)
    if (difference) return difference
  }
  if (expected.length === received.length) return undefined
  return { path: `${path}.length`, expected: expected.length, received: received.length }
}

/** Whether a value is a test framework's matcher: `expect.any(String)`. */
export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !isAsymmetricMatcher(value) &&
    !isRegExp(value)
  )
}
