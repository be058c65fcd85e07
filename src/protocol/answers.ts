import * as z from 'zod'
import { behaviourPlan, planRuns } from './behaviour.ts'
import type { ErrorBody } from './errors.ts'
import type { ChangeEvent } from './event.ts'
import { inspection, operationSummary } from './inspection.ts'
import type { JsonObject } from './json.ts'
import {
  clockReading,
  type LogDetail,
  type LogEntry,
  libraryEntrySummary,
  loggedMessage,
  type RecordsPage,
  serviceMeta,
  triedRequest,
  usage,
  valueCounts,
} from './reads.ts'
import { collectionDescription, keptRecord } from './record-edit.ts'
import { responseRule } from './response-rule.ts'
import { signInOutcome } from './sign-in-command.ts'
import {
  createdSimulation,
  fastForwardResult,
  issuedKey,
  keptSnapshot,
  listedKey,
  type SimulationOverview,
  type SimulationSummary,
  simulationDetail,
  simulationOverview,
  simulationSummary,
} from './simulation.ts'
import { begunHold, testHold } from './test-hold.ts'
import { delivery, deliveryDetail, registeredWebhook, webhookFault, webhookState } from './webhook.ts'

/** Answers of the endpoints, by the names of the schemas in the description of the API. */
export interface Answers extends OwnAnswers {
  /** With `detail=true` each entry is a {@link SimulationOverview}. */
  SimulationList: { data: (SimulationSummary | SimulationOverview)[] }
  Records: RecordsPage
  Events: { data: ChangeEvent[] }
  Event: ChangeEvent
  /** With `detail=true` each entry is a {@link LogDetail}. */
  Logs: { data: (LogEntry | LogDetail)[] }
  LogDetail: LogDetail
  /** The OpenAPI description of the API. */
  Description: JsonObject
  /** Server-sent events, not JSON. */
  EventStream: ReadableStream<Uint8Array>
}

const moment = z.iso.datetime({ precision: 3 })
const count = z.int().min(0)
const listOf = <S extends z.ZodType>(item: S) => z.object({ data: z.array(item) })

const changeEvent = z.object({
  id: z.string(),
  type: z.string(),
  created: moment,
  data: z.object({ collection: z.string(), id: z.string(), object: z.json() }),
  cause: z.enum(['request', 'behaviour', 'fast-forward', 'edit']),
  quiet: z.literal(true).exactOptional(),
  omitted: z.literal(true).exactOptional(),
})

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
  stream: z
    .object({
      events: z.int().min(0),
      tokens: z.int().min(0),
      bytes: z.int().min(0),
      firstByteMs: z.number().nullable(),
      lastByteMs: z.number().nullable(),
      ended: z.enum(['ended', 'cut', 'stalled', 'error event', 'client left']),
    })
    .exactOptional(),
  prompts: z
    .array(
      z.object({
        model: z.string(),
        system: z.string(),
        text: z.string(),
        turn: z.int(),
        tools: z.array(z.string()),
        toolResults: z.array(z.string()),
        schema: z.string().nullable(),
        operation: z.string(),
      }),
    )
    .exactOptional(),
})

const logDetail = logEntry.extend({
  request: loggedMessage,
  response: loggedMessage.extend({ fault: z.enum(['reset', 'close', 'hold', 'raw', 'slow']).nullable() }).nullable(),
  changes: z.array(changeEvent),
})

/** Answers whose types are those of the schemas. */
const OWN = {
  Ok: z.object({ ok: z.literal(true) }),
  Inspection: inspection,
  /** The plan as kept, with a sentence for each dropped step. */
  KeptBehaviourPlan: behaviourPlan.extend({ dropped: z.array(z.string()) }),
  KeptRecord: keptRecord,
  PlanRuns: planRuns,
  /** How many records the run changed. */
  RuleRun: z.object({ changes: count }),
  TriedRequest: triedRequest,
  SignInOutcome: signInOutcome,
  TestHold: testHold,
  BegunHold: begunHold,
  CollectionDescription: collectionDescription,
  ValueCounts: valueCounts,
  Operations: listOf(operationSummary),
  Snapshot: z.object({ id: z.string() }),
  Snapshots: listOf(keptSnapshot),
  DeliveryDetail: deliveryDetail,
  /** Number of attempts. */
  Advanced: z.object({ attempts: count }),
  Settled: z.object({ settled: z.boolean(), dropped: count.exactOptional() }),
  Sink: z.object({ id: z.string() }),
  FastForwardResult: fastForwardResult,
  IssuedKey: issuedKey,
  Keys: listOf(listedKey),
  Usage: usage,
  Meta: serviceMeta,
  Library: listOf(libraryEntrySummary),
  CreatedSimulation: createdSimulation,
  Simulation: simulationDetail,
  ResponseRule: responseRule,
  RegisteredWebhook: registeredWebhook,
  BehaviourPlan: behaviourPlan,
  Clock: clockReading,
  Webhooks: listOf(webhookState),
  Deliveries: listOf(delivery),
  WebhookFault: webhookFault,
  WebhookFaults: listOf(webhookFault),
}
type OwnAnswers = { [Name in keyof typeof OWN]: z.output<(typeof OWN)[Name]> }

/**
 * The answers as schemas, for the description of the API. The compiler checks each against its type in {@link Answers},
 * the conformance tests against the service's answers.
 */
export const ANSWERS = {
  ...OWN,
  SimulationList: listOf(z.union([simulationOverview, simulationSummary])),
  Records: z.object({
    data: z.array(z.record(z.string(), z.json())),
    total: count,
    limit: z.int(),
    offset: z.int(),
  }),
  Events: listOf(changeEvent),
  Event: changeEvent,
  Logs: listOf(z.union([logDetail, logEntry])),
  LogDetail: logDetail,
} satisfies { [Name in Exclude<keyof Answers, 'Description' | 'EventStream'>]: z.ZodType<Answers[Name]> }

/** The body of every error. */
export const ERROR_BODY = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
}) satisfies z.ZodType<ErrorBody>
