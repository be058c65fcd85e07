import { matchesEventFilter } from '../protocol/event.ts'
import { type JsonObject, valueAt } from '../protocol/json.ts'
import {
  type Check,
  condition,
  type DeepPartial,
  firstMismatch,
  leafChecks,
  type Mismatch,
  verdictOf,
} from './checks.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** Kinds of events: an exact kind, a prefix `task.*`, `*`, a pattern for the kind, or a predicate for the whole webhook. */
export type EventMatcher = string | RegExp | ((webhook: ReceivedWebhook) => boolean)

/** The used part of Standard Schema v1 (standardschema.dev): zod, valibot and arktype implement it. */
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

/** Conditions on a webhook besides its kind. */
export interface WebhookMatch<T = JsonObject | null> {
  /** `data.collection`. */
  collection?: string | undefined
  /** `data.id`, as text or as the record's number. */
  recordId?: string | number | undefined
  /** A deep partial of `data`; asymmetric matchers are allowed. */
  data?: DeepPartial<{ collection: string; id: string; object: T }> | undefined
  /** Any other condition. */
  where?: ((webhook: ReceivedWebhook<T>) => boolean) | undefined
  /** A Standard Schema that `data.object` must satisfy. It must validate synchronously. */
  schema?: StandardSchemaV1<unknown, T> | undefined
  /** How many webhooks: exactly, or within bounds. @default 1 */
  count?: number | { min?: number; max?: number } | undefined
  /** How long to wait. @default 5000 */
  withinMs?: number | undefined
  /** Whether the expectation claims the webhook, so that an equal expectation needs another one. @default true */
  claim?: boolean | undefined
  /** The delivery must have reached this attempt. */
  attempt?: number | undefined
}

/** A {@link WebhookMatch} of any type of record. */
export interface AnyWebhookMatch extends Omit<WebhookMatch, 'data' | 'where' | 'schema'> {
  data?: object | undefined
  where?: ((webhook: ReceivedWebhook<never>) => boolean) | undefined
  schema?: StandardSchemaV1 | undefined
}

/** Whether `matcher` accepts the kind of `webhook`. */
export function matchesType(matcher: EventMatcher, webhook: ReceivedWebhook): boolean {
  if (typeof matcher === 'function') return verdictOf(matcher(webhook), 'the function that takes webhooks')
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
  return firstMismatch(webhook, webhookChecks(type, match))
}

/** The expectation as single checks, the kind first. Each leaf of `data` is one, so that misses can be ranked. */
export function webhookChecks(type: EventMatcher, match: AnyWebhookMatch): Check<ReceivedWebhook>[] {
  const { collection, recordId, data, schema, where, attempt } = match
  const kind = condition('type', type, (webhook: ReceivedWebhook) => [matchesType(type, webhook), webhook.type])
  const list: Check<ReceivedWebhook>[] = [{ ...kind, weight: 1_000 }]
  if (collection !== undefined) list.push(...leafChecks(collection, ['data', 'collection']))
  if (recordId !== undefined)
    list.push(...leafChecks(typeof recordId === 'number' ? String(recordId) : recordId, ['data', 'id']))
  if (data !== undefined) list.push(...leafChecks(data, ['data']))
  if (schema) list.push({ path: 'schema', find: (webhook) => findIssue(schema, webhook) })
  if (where) {
    const holds = (webhook: ReceivedWebhook) => verdictOf(where(webhook as ReceivedWebhook<never>), '`where`')
    list.push(condition('where', where, (webhook) => [holds(webhook), false]))
  }
  if (attempt !== undefined) {
    list.push(condition('attempt', attempt, (webhook) => [webhook.attempt >= attempt, webhook.attempt]))
  }
  return list
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
  return { path: path.join('.'), expected: `schema: ${issue.message}`, received: valueAt(webhook, path) }
}
