import * as z from 'zod'
import { type BehaviourPlan, type BehaviourRule, behaviourStep } from './behaviour.ts'
import type { ErrorBody } from './errors.ts'
import type { ChangeEvent } from './event.ts'
import type { ClockReading, LibraryEntrySummary, LogEntry, RecordsPage, ServiceMeta, Usage } from './reads.ts'
import { type ResponseRule, responseRuleRequest } from './response-rule.ts'
import type {
  CollectionSummary,
  CreatedSimulation,
  FastForwardResult,
  IssuedKey,
  SimulationDetail,
  SimulationSummary,
} from './simulation.ts'
import type { Delivery, DeliveryAttempt, RegisteredWebhook, Webhook, WebhookState } from './webhook.ts'
import { type WebhookFault, webhookFaultRequest } from './webhook-fault.ts'

/*
 * The answers of the management API as schemas, for its description (`GET /v1/openapi.json`). Each is held to the type
 * that the code uses by the compiler, and to what the service really answers by `test/conformance/`.
 */

const moment = z.iso.datetime({ precision: 3 })
const record = z.record(z.string(), z.json())
const listOf = <S extends z.ZodType>(item: S) => z.object({ data: z.array(item) })

export const errorBody = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
}) satisfies z.ZodType<ErrorBody>

export const okAnswer = z.object({ ok: z.literal(true) })

const libraryEntry = z.object({
  slug: z.string(),
  name: z.string(),
  provider: z.string(),
  vertical: z.string(),
  description: z.string(),
  operations: z.int().min(0),
}) satisfies z.ZodType<LibraryEntrySummary>

export const libraryAnswer = listOf(libraryEntry)

const status = z.enum(['queued', 'running', 'paused', 'resetting'])

export const createdSimulation = z.object({
  id: z.uuid(),
  slug: z.string(),
  url: z.string(),
  status,
  apiKey: z.string(),
  note: z.string(),
  ca: z.string().exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
}) satisfies z.ZodType<CreatedSimulation>

const simulationSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  status,
  url: z.string(),
  createdAt: moment,
}) satisfies z.ZodType<SimulationSummary>

export const simulationList = listOf(simulationSummary)

const collection = z.object({
  name: z.string(),
  records: z.int().min(0),
  statusField: z.string().nullable(),
  idField: z.string().nullable(),
  parent: z.string().nullable(),
}) satisfies z.ZodType<CollectionSummary>

const behaviourRule = z.object({
  id: z.string(),
  name: z.string(),
  everySeconds: z.int(),
  enabled: z.boolean(),
  steps: z.array(behaviourStep),
}) satisfies z.ZodType<BehaviourRule>

export const behaviourPlan = z.object({ rules: z.array(behaviourRule) }) satisfies z.ZodType<BehaviourPlan>

/** The plan as kept, with a sentence for each step that was not. */
export const behaviourAnswer = behaviourPlan.extend({ dropped: z.array(z.string()) })

export const responseRule = responseRuleRequest.extend({
  id: z.string(),
  warning: z.string().exactOptional(),
}) satisfies z.ZodType<ResponseRule>

const webhook = z.object({ id: z.string(), url: z.string(), events: z.array(z.string()) }) satisfies z.ZodType<Webhook>

const access = z.object({ ipRestrictionEnabled: z.boolean(), ipAllowlist: z.array(z.string()) })

export const simulationDetail = simulationSummary.extend({
  api: z.object({
    title: z.string(),
    version: z.string(),
    basePath: z.string(),
    operations: z.int().min(0),
    warnings: z.array(z.string()),
  }),
  collections: z.array(collection),
  events: z.array(z.string()),
  behaviour: behaviourPlan,
  access,
  keys: z.array(z.string()),
  rules: z.array(responseRule),
  webhooks: z.array(webhook),
  instructions: z.string().nullable(),
  seed: z.string(),
  epoch: moment,
  ca: z.string().exactOptional(),
}) satisfies z.ZodType<SimulationDetail>

export const fastForwardAnswer = z.object({
  hours: z.number(),
  changes: z.int().min(0),
}) satisfies z.ZodType<FastForwardResult>

export const registeredWebhook = webhook.extend({
  secret: z.string(),
  note: z.string(),
}) satisfies z.ZodType<RegisteredWebhook>

export const issuedKey = z.object({ apiKey: z.string(), note: z.string() }) satisfies z.ZodType<IssuedKey>

export const recordsPage = z.object({
  data: z.array(record),
  total: z.int().min(0),
  limit: z.int(),
  offset: z.int(),
}) satisfies z.ZodType<RecordsPage>

const changeEvent = z.object({
  id: z.string(),
  type: z.string(),
  created: moment,
  data: z.object({ collection: z.string(), id: z.string(), object: z.json() }),
  cause: z.enum(['request', 'behaviour', 'fast-forward']),
}) satisfies z.ZodType<ChangeEvent>

export const eventList = listOf(changeEvent)

const logEntry = z.object({
  id: z.string(),
  at: moment,
  method: z.string(),
  path: z.string(),
  status: z.int().nullable(),
  durationMs: z.number().nullable(),
  sourceIp: z.string(),
  operation: z.string().nullable(),
  ruleId: z.string().nullable(),
  key: z.string().nullable(),
  warnings: z.array(z.string()),
}) satisfies z.ZodType<LogEntry>

export const logList = listOf(logEntry)

export const usage = z.object({
  plan: z.string(),
  status: z.string(),
  creditUsd: z.number(),
  requestsThisMonth: z.int(),
  requestLimit: z.int(),
  simulations: z.int(),
  simulationLimit: z.int(),
}) satisfies z.ZodType<Usage>

export const serviceMeta = z.object({
  name: z.string(),
  version: z.string(),
  extensions: z.array(z.string()),
}) satisfies z.ZodType<ServiceMeta>

export const clockReading = z.object({
  now: moment,
  offsetMs: z.number(),
  paused: z.boolean(),
}) satisfies z.ZodType<ClockReading>

export const madeId = z.object({ id: z.string() })

const webhookState = webhook.extend({
  state: z.enum(['active', 'off']),
  failures: z.int().min(0),
}) satisfies z.ZodType<WebhookState>

export const webhookStates = listOf(webhookState)

const attempt = z.object({
  at: moment,
  status: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.number(),
  address: z.string().nullable(),
}) satisfies z.ZodType<DeliveryAttempt>

const delivery = z.object({
  id: z.string(),
  event: z.object({ id: z.string(), type: z.string(), recordId: z.string() }),
  state: z.enum(['pending', 'retrying', 'held', 'delivered', 'failed']),
  attempts: z.array(attempt),
  nextAttemptAt: moment.nullable(),
}) satisfies z.ZodType<Delivery>

export const deliveryList = listOf(delivery)

export const advanceAnswer = z.object({ attempts: z.int().min(0) })
export const settledAnswer = z.object({ settled: z.boolean() })

export const webhookFault = webhookFaultRequest.extend({
  id: z.string(),
  events: z.array(z.string()),
  firings: z.array(z.object({ at: moment, deliveryId: z.string(), eventId: z.string(), attempt: z.int().min(1) })),
}) satisfies z.ZodType<WebhookFault>

export const webhookFaults = listOf(webhookFault)
