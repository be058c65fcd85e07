import * as z from 'zod'
import { behaviourPlan, behaviourRequest } from './behaviour.ts'
import { LIMITS } from './limits.ts'
import { responseRule, responseRuleRequest } from './response-rule.ts'
import { webhook } from './webhook.ts'

const simulationStatus = z.enum(['queued', 'running', 'paused', 'resetting'])
/** Statuses of a simulation. `paused` and `resetting` are ours (`decisions/`); the specification has the other two. */
export type SimulationStatus = z.infer<typeof simulationStatus>

/** How strictly requests are validated against the description. */
const validationMode = z.enum(['strict', 'warn', 'off'])
export type ValidationMode = z.infer<typeof validationMode>

/** Whether a language model answers what no script answers. */
const replyMode = z.enum(['generated', 'strict'])
export type ReplyMode = z.infer<typeof replyMode>

/** The slug of a simulation or of a library entry. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'a DNS label: 1 to 63 of a-z, 0-9 and -, not at the ends')

/** Records to generate, by collection. */
export const volume = z.record(z.string(), z.int().min(LIMITS.volume.min).max(LIMITS.volume.max))

/** `POST /v1/simulations`. Exactly one of `library` and `spec`. The last block of fields is ours. */
export const createSimulationRequest = z.object({
  library: z.string().min(1).max(200).optional(),
  spec: z.string().min(1).optional(),
  name: z.string().min(1).max(500).optional(),
  slug: slug.optional(),
  instructions: z.string().max(LIMITS.instructionsCharacters).optional(),
  volume: volume.optional(),
  seedRecords: z.record(z.string(), z.array(z.record(z.string(), z.json())).max(10_000)).optional(),
  ipAllowlist: z.array(z.string()).max(LIMITS.ipAllowlistEntries).optional(),
  ipRestrictionEnabled: z.boolean().optional(),
  useModel: z.boolean().optional(),

  seed: z.union([z.string().max(200), z.number()]).optional(),
  epoch: z.iso.datetime({ offset: true }).optional(),
  validation: validationMode.optional(),
  lenientParents: z.boolean().optional(),
  lenientKeys: z.boolean().optional(),
  replies: replyMode.optional(),
  examples: z.boolean().optional(),
  /** With `spec`: the library entry that is laid over it, by its slug or as an object with its fields. */
  entry: z.union([z.string().min(1).max(200), z.record(z.string(), z.json())]).optional(),
  /** Address of the module with handlers, a file URL, for a service that imports files of its callers. */
  handlers: z.string().min(1).max(4_000).optional(),
  behaviour: behaviourRequest.shape.rules.optional(),
  rules: z.array(responseRuleRequest).max(LIMITS.responseRules).optional(),
  https: z.boolean().optional(),
})
export type CreateSimulationRequest = z.input<typeof createSimulationRequest>

const keyPlace = z.object({
  in: z.enum(['header', 'query', 'cookie']),
  name: z.string(),
  scheme: z.enum(['Bearer', 'Basic']).nullable(),
})
/** Where an API expects a key, and the word before it (ours). */
export type KeyPlace = z.infer<typeof keyPlace>

const collectionSummary = z.object({
  name: z.string(),
  /** How many records there are now. */
  records: z.int().min(0),
  /** The field that holds a record's status, dotted where nested; null when records have none (a deviation). */
  statusField: z.string().nullable(),
  /** The field that identifies a record, dotted where nested; null when only the path identifies it. */
  idField: z.string().nullable(),
  /** The collection of the parents of these records. */
  parent: z.string().nullable(),
})
/** One collection in the detail read. */
export type CollectionSummary = z.infer<typeof collectionSummary>

const apiSummary = z.object({
  title: z.string(),
  version: z.string(),
  basePath: z.string(),
  operations: z.int().min(0),
  /** Parts of the description that were skipped or adapted, a sentence each (ours). */
  warnings: z.array(z.string()),
  /** Serious warnings: references to nothing, no operations (ours). */
  faults: z.array(z.string()),
})
/** Summary of a description. */
export type ApiSummary = z.infer<typeof apiSummary>

const moment = z.iso.datetime({ precision: 3 })
export const simulationSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  status: simulationStatus,
  url: z.string(),
  /** Real time of creation, ISO 8601 (ours). */
  createdAt: moment,
})
/** One entry of `GET /v1/simulations`. */
export type SimulationSummary = z.infer<typeof simulationSummary>

export const createdSimulation = simulationSummary.pick({ id: true, slug: true, url: true, status: true }).extend({
  /** The first simulation key, shown once. */
  apiKey: z.string(),
  /** Begins with the reminder to store the key; warnings about the description follow. */
  note: z.string(),
  /** PEM of the authority that signed the certificate of an https `url` of an embedded simulation (ours). */
  ca: z.string().exactOptional(),
  /** Dropped steps of the plan, and response rules that no operation can match; a sentence each (ours). */
  warnings: z.array(z.string()).exactOptional(),
  /** Present where the library entry or the description defines webhooks: the scheme to register them with (ours). */
  webhookScheme: z.literal('entry').exactOptional(),
  /** A command line that calls the API with the key (ours). */
  curl: z.string(),
})
/** The answer to a creation (201). */
export type CreatedSimulation = z.infer<typeof createdSimulation>

const handlerFault = z.object({
  /** `POST /bookings`, `respondWith("POST /bookings")`. */
  handler: z.string(),
  /** Name of the error. */
  name: z.string(),
  message: z.string(),
  stack: z.string(),
})
/** An error of a handler or of a function of a test, which the end of the test throws. */
export type HandlerFault = z.infer<typeof handlerFault>

export const simulationDetail = simulationSummary.extend({
  api: apiSummary,
  collections: z.array(collectionSummary),
  events: z.array(z.string()),
  behaviour: behaviourPlan,
  access: z.object({ ipRestrictionEnabled: z.boolean(), ipAllowlist: z.array(z.string()) }),
  /** Prefixes only. */
  keys: z.array(z.string()),
  rules: z.array(responseRule),
  webhooks: z.array(webhook),
  instructions: z.string().nullable(),
  /** The seed of the generated data (ours). */
  seed: z.string(),
  /** World time at creation, ISO 8601 (ours). */
  epoch: moment,
  /** Errors of handlers, oldest first; at most 20 (ours). */
  handlerFaults: z.array(handlerFault).exactOptional(),
  ca: z.string().exactOptional(),
  /** The declared places of the key (ours). */
  keyPlaces: z.array(keyPlace),
  /** Host names of the API, with the paths below which they are simulated, the main one first (ours). */
  hosts: z.record(z.string(), z.string()),
  /** The issuer of its sign-in, with `{origin}` and `{home}` for its address and its first host name. Absent without one. */
  signIn: z.object({ issuer: z.string(), home: z.string().optional() }).optional(),
  /** A command line that calls the API, with `<key>` in place of a key (ours). */
  curl: z.string(),
})
/** `GET /v1/simulations/{id}` (specification, Simulation). */
export type SimulationDetail = z.infer<typeof simulationDetail>

/** `POST /v1/simulations/{id}/fast-forward` */
export const fastForwardRequest = z.object({
  hours: z.number().min(LIMITS.fastForwardHours.min).max(LIMITS.fastForwardHours.max),
})
/** `POST /v1/simulations/{id}/clock` (ours): a fast-forward by seconds. */
export const advanceClockRequest = z.object({
  seconds: z.number().min(LIMITS.advanceSeconds.min).max(LIMITS.advanceSeconds.max),
})

export const fastForwardResult = z.object({ hours: z.number(), changes: z.int().min(0) })
/** The requested hours, and the number of data changes that they made. */
export type FastForwardResult = z.infer<typeof fastForwardResult>

/** `PUT /v1/simulations/{id}/access`. The service limits the number of entries later, since the creator's address does not count. */
export const accessRequest = z.object({
  ipRestrictionEnabled: z.boolean().optional(),
  ipAllowlist: z
    .array(z.string())
    .meta({ maxItems: LIMITS.ipAllowlistEntries + 1 })
    .optional(),
})

/** `POST /v1/simulations/{id}/keys` */
export const keyRequest = z.object({ name: z.string().min(1).max(200) })
/** A key as `GET .../keys` lists it (ours). */
export const listedKey = z.object({
  /** `svc_sim_` and 6 characters. */
  prefix: z.string(),
  name: z.string(),
  /** With `detail=true`: world time of its issue. */
  createdAt: moment.exactOptional(),
  /** With `detail=true`: world time of the latest use among the last 1,000 requests; null where none used the key. */
  lastUsedAt: moment.nullable().exactOptional(),
})
export type ListedKey = z.infer<typeof listedKey>

/** Query of `GET .../keys` (ours: `key-use`). */
export const keysQuery = z.object({ detail: z.enum(['true', 'false']).default('false') })

export const issuedKey = z.object({ apiKey: z.string(), note: z.string() })
/** The full key, shown once. */
export type IssuedKey = z.infer<typeof issuedKey>

/** Query of `GET /v1/simulations` (ours: `summary`). */
export const simulationsQuery = z.object({ detail: z.enum(['true', 'false']).default('false') })

const count = z.int().min(0)

/** One entry of `GET /v1/simulations?detail=true` (ours). It changes only with activity, so that `ETag` works. */
export const simulationOverview = simulationSummary.extend({
  /** Title of the description. */
  title: z.string(),
  /** How many records there are now. */
  records: count,
  /** World time minus real time, in milliseconds; null while paused. */
  offsetMs: z.number().nullable(),
  /** Requests to the simulated API that this process has answered. */
  requests: count,
  webhooks: count,
  /** Webhooks that were switched off after failed deliveries. */
  webhooksOff: count,
})
export type SimulationOverview = z.infer<typeof simulationOverview>

/** Query of `POST /v1/simulations/{id}/snapshots` (ours: `snapshot-list`). */
export const snapshotQuery = z.object({ name: z.string().min(1).max(200).optional() })

/** A kept snapshot (`GET /v1/simulations/{id}/snapshots`, ours). */
export const keptSnapshot = z.object({
  id: z.string(),
  /** Its world time, ISO 8601. */
  at: z.iso.datetime({ precision: 3 }),
  /** Its name, or null. */
  name: z.string().nullable(),
  /** Number of changes since creation, reset or restore at the time of the snapshot. */
  changes: z.int().min(0),
})
export type KeptSnapshot = z.infer<typeof keptSnapshot>
