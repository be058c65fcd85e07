import { matchesEventFilter } from '../protocol/event.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** Which kinds of events: an exact kind, a prefix `task.*`, `*`, a pattern for the kind, or a test of the whole webhook. */
export type EventMatcher = string | RegExp | ((webhook: ReceivedWebhook) => boolean)

/** A value of which only some parts are given. Asymmetric matchers (`expect.any(String)`) may stand anywhere. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | AsymmetricMatcher }
    : T | AsymmetricMatcher

/** What Vitest's and Jest's `expect.*` matchers have in common. */
export interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean
  toString(): string
}

/** The part of Standard Schema v1 (standardschema.dev) that is needed: zod, valibot and arktype implement it. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}
type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** What a webhook must have besides its kind. */
export interface WebhookMatch<T = JsonObject | null> {
  /** `data.collection`. */
  collection?: string
  /** `data.id`. */
  recordId?: string
  /** A deep partial of `data`; asymmetric matchers are allowed. */
  data?: DeepPartial<{ collection: string; id: string; object: T }>
  /** Any other condition. */
  where?: (webhook: ReceivedWebhook<T>) => boolean
  /** A Standard Schema that `data.object` must satisfy. It must validate synchronously. */
  schema?: StandardSchemaV1<unknown, T>
  /** How many: exactly, or within bounds. @default 1 */
  count?: number | { min?: number; max?: number }
  /** How long to wait. @default 5000 */
  withinMs?: number
  /** Whether the expectation claims the webhook, so that an equal expectation needs another one. @default true */
  claim?: boolean
  /** The delivery must have reached this attempt. */
  attempt?: number
}

/** A {@link WebhookMatch} of any type of record. */
export interface AnyWebhookMatch extends Omit<WebhookMatch, 'data' | 'where' | 'schema'> {
  data?: object
  where?: (webhook: ReceivedWebhook<never>) => boolean
  schema?: StandardSchemaV1
}

/** The first difference between a webhook and an expectation. */
export interface Mismatch {
  /** `type`, `data.object.status`, `attempt`, `where`... */
  path: string
  expected: unknown
  received: unknown
}

/** Whether `matcher` takes the kind of `webhook`. */
export function matchesType(matcher: EventMatcher, webhook: ReceivedWebhook): boolean {
  if (typeof matcher === 'function') return matcher(webhook)
  if (typeof matcher === 'string') return matchesEventFilter(matcher, webhook.type)
  matcher.lastIndex = 0
  return matcher.test(webhook.type)
}

/** The first difference between `webhook` and the expectation; undefined when it matches. */
export function findMismatch(
  webhook: ReceivedWebhook,
  type: EventMatcher,
  match: AnyWebhookMatch = {},
): Mismatch | undefined {
  for (const { find } of checks(type, match)) {
    const mismatch = find(webhook)
    if (mismatch) return mismatch
  }
  return undefined
}

/**
 * {@link findMismatch} for an explanation. It looks at webhooks of every kind, for which the caller's functions were not
 * written: an error that one of them throws counts as a mismatch.
 */
export function explainMismatch(
  webhook: ReceivedWebhook,
  type: EventMatcher,
  match: AnyWebhookMatch = {},
): Mismatch | undefined {
  for (const check of checks(type, match)) {
    const mismatch = explain(check, webhook)
    if (mismatch) return mismatch
  }
  return undefined
}

/** The webhook that passes most checks, with its first difference. Undefined when there is none. */
export function findNearestMiss(
  webhooks: readonly ReceivedWebhook[],
  type: EventMatcher,
  match: AnyWebhookMatch = {},
): { webhook: ReceivedWebhook; mismatch: Mismatch } | undefined {
  let best: { webhook: ReceivedWebhook; mismatch: Mismatch; score: number } | undefined
  for (const webhook of webhooks) {
    let score = 0
    let first: Mismatch | undefined
    for (const [at, check] of checks(type, match).entries()) {
      const mismatch = explain(check, webhook)
      if (mismatch) first ??= mismatch
      else score += at === 0 ? 1_000 : 1
    }
    if (first && score >= (best?.score ?? 0)) best = { webhook, mismatch: first, score }
  }
  return best && { webhook: best.webhook, mismatch: best.mismatch }
}

interface Check {
  /** The field that it looks at. */
  path: string
  find: (webhook: ReceivedWebhook) => Mismatch | undefined
}

function explain({ path, find }: Check, webhook: ReceivedWebhook): Mismatch | undefined {
  try {
    return find(webhook)
  } catch (error) {
    return { path, expected: 'an answer', received: `threw ${error}` }
  }
}

/** The expectation as single checks, the kind first. Each leaf of `data` is one, so that misses can be ranked. */
function checks(type: EventMatcher, match: AnyWebhookMatch): Check[] {
  const { collection, recordId, data, schema, where, attempt } = match
  const list: Check[] = [condition('type', type, (webhook) => [matchesType(type, webhook), webhook.type])]
  if (collection !== undefined) list.push(leafCheck({ path: ['data', 'collection'], expected: collection }))
  if (recordId !== undefined) list.push(leafCheck({ path: ['data', 'id'], expected: recordId }))
  if (data !== undefined) list.push(...leavesOf(data, ['data']).map(leafCheck))
  if (schema) list.push({ path: 'schema', find: (webhook) => findIssue(schema, webhook) })
  if (where) list.push(condition('where', where, (webhook) => [where(webhook as ReceivedWebhook<never>), false]))
  if (attempt !== undefined) {
    list.push(condition('attempt', attempt, (webhook) => [webhook.attempt >= attempt, webhook.attempt]))
  }
  return list
}

function condition(
  path: string,
  expected: unknown,
  judge: (webhook: ReceivedWebhook) => [holds: boolean, received: unknown],
): Check {
  const find = (webhook: ReceivedWebhook) => {
    const [holds, received] = judge(webhook)
    return holds ? undefined : { path, expected, received }
  }
  return { path, find }
}

function leafCheck({ path, expected }: Leaf): Check {
  const text = pathText(path)
  return { path: text, find: (webhook) => findDifference(expected, valueAt(webhook, path), text) }
}

interface Leaf {
  path: readonly string[]
  expected: unknown
}

/** The plain objects of a deep partial taken apart; arrays, matchers and scalars stay whole. */
function leavesOf(expected: unknown, path: readonly string[]): Leaf[] {
  if (!isPlainObject(expected)) return [{ path, expected }]
  const entries = Object.entries(expected)
  if (entries.length === 0) return [{ path, expected }]
  return entries.flatMap(([name, value]) => leavesOf(value, [...path, name]))
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

/** The first difference between a deep partial and a JSON value. Arrays must have the same length. */
function findDifference(expected: unknown, received: unknown, path: string): Mismatch | undefined {
  if (isAsymmetricMatcher(expected)) {
    return expected.asymmetricMatch(received) ? undefined : { path, expected, received }
  }
  if (Array.isArray(expected)) return findArrayDifference(expected, received, path)
  if (isPlainObject(expected)) {
    if (!isPlainObject(received)) return { path, expected, received }
    for (const [name, value] of Object.entries(expected)) {
      const own = Object.hasOwn(received, name) ? received[name] : undefined
      const difference = findDifference(value, own, pathText([path, name]))
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

function findIssue(schema: StandardSchemaV1, webhook: ReceivedWebhook): Mismatch | undefined {
  const result = schema['~standard'].validate(webhook.data.object)
  if (result instanceof Promise) {
    throw new TypeError('Expected `schema` to validate synchronously, got a promise from its validate().')
  }
  const issue = result.issues?.[0]
  if (!issue) return undefined
  const names = (issue.path ?? []).map((part) =>
    String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part),
  )
  const path = ['data', 'object', ...names]
  return { path: pathText(path), expected: `schema: ${issue.message}`, received: valueAt(webhook, path) }
}

function pathText(path: readonly string[]): string {
  return path.join('.')
}

function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isAsymmetricMatcher(value)
}
