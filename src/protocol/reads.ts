import * as z from 'zod'
import { whereCondition } from './behaviour.ts'
import type { ChangeEvent } from './event.ts'
import type { JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import type { Prompt } from './reply.ts'
import type { SentStream } from './stream.ts'

/** A whole number in a query, in decimal digits only: `1e3`, `0x10` and `+5` are refused. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
    z.int().min(min).max(max),
  )

/** Query of `GET /v1/library`. */
export const libraryQuery = z.object({
  q: z.string().max(500).optional(),
  vertical: z.string().max(200).optional(),
  limit: queryNumber(1, LIMITS.libraryPage.max).default(LIMITS.libraryPage.default),
})

export type LibraryQuery = z.output<typeof libraryQuery>

export const libraryEntrySummary = z.object({
  slug: z.string(),
  name: z.string(),
  provider: z.string(),
  vertical: z.string(),
  description: z.string(),
  /** Number of operations of the described API. */
  operations: z.int().min(0),
})
/** One prebuilt API (specification, Library entry). */
export type LibraryEntrySummary = z.infer<typeof libraryEntrySummary>

/** `where` of a query: JSON, in the language of behaviour steps. */
const whereText = z
  .string()
  .max(LIMITS.queryCharacters)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'JSON, such as {"status":"open"}' })
      return z.NEVER
    }
  })
  .pipe(whereCondition)

/** Comma-separated dotted fields of records; a leading `-` reverses the order. */
const SORT = /^-?[^,\s-][^,\s]*(,-?[^,\s-][^,\s]*){0,4}$/

/** Query of `GET /v1/simulations/{id}/records/{collection}`. `where`, `q` and `sort` are ours (`record-query`). */
export const recordsQuery = z.object({
  limit: queryNumber(1, LIMITS.recordsPage.max).default(LIMITS.recordsPage.default),
  offset: queryNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  where: whereText.optional(),
  q: z.string().min(1).max(500).optional(),
  sort: z.string().max(LIMITS.queryCharacters).regex(SORT, 'at most 5 fields such as `-created_at,name`').optional(),
})
/** Which records of a collection are read, and in which order. */
export type RecordsQuery = z.output<typeof recordsQuery>

/** Query of `GET /v1/simulations/{id}/collections/{collection}/counts` (ours: `record-counts`). */
export const countsQuery = z.object({ field: z.string().min(1).max(500) })

/** `GET /v1/simulations/{id}/collections/{collection}/counts` (ours). */
export const valueCounts = z.object({
  /** How many records hold each value; `null`: records without a value. */
  data: z.record(z.string(), z.int().min(0)),
})
export type ValueCounts = z.infer<typeof valueCounts>

/** Query of `GET /v1/simulations/{id}/events` (ours: `event-page`). */
export const eventsQuery = z.object({
  limit: queryNumber(1, LIMITS.keptEvents).default(LIMITS.latestEvents),
  before: z.string().min(1).max(200).optional(),
  type: z.string().min(1).max(200).optional(),
  collection: z.string().min(1).max(500).optional(),
  recordId: z.string().min(1).max(2_000).optional(),
})

/** `GET /v1/simulations/{id}/records/{collection}`. */
export interface RecordsPage {
  data: JsonObject[]
  total: number
  limit: number
  offset: number
}

/** Query of `GET /v1/simulations/{id}/logs` (ours: `log-page`). */
export const logsQuery = z.object({
  limit: queryNumber(1, LIMITS.logsPage.max).default(LIMITS.logsPage.default),
  before: z.string().max(200).optional(),
  after: z.string().max(200).optional(),
  status: queryNumber(100, 599).optional(),
  method: z.string().max(20).optional(),
  operation: z.string().max(500).optional(),
  path: z.string().max(2_000).optional(),
  names: z.string().max(2_000).optional(),
  detail: z.enum(['true', 'false']).default('false'),
})

/** Which requests of a log are read, newest first. */
export interface LogsPage {
  /** At most 1,000. @default 100 */
  limit?: number | undefined
  /** Only requests before the request with this id. */
  before?: string | undefined
  /** Only requests after the request with this id. */
  after?: string | undefined
  status?: number | undefined
  /** Only requests of this method. One that no operation of `path` has is refused. */
  method?: string | undefined
  operation?: string | undefined
  /** Only requests whose path fits: `/payments/{id}`, `/payments/*`. A path that no operation of the API serves is refused. */
  path?: string | undefined
  /** Names that the query or the body should have: `query.limit,body.title`. Misspelt ones are refused. */
  names?: string | undefined
  /** Each entry as {@link LogDetail}. @default false */
  detail?: boolean | undefined
}

/** One entry of `GET /v1/simulations/{id}/logs`. */
export interface LogEntry {
  id: string
  /** World time of arrival, ISO 8601. */
  at: string
  method: string
  path: string
  /** Null while the answer is delayed. */
  status: number | null
  durationMs: number | null
  sourceIp: string
  /** operationId, or method and path template; null when no operation matched. */
  operation: string | null
  /** The response rule that fired, or null. */
  ruleId: string | null
  /** Prefix of the request's key, or null. */
  key: string | null
  /** Faults of the request: why it was refused, or where it does not fit the description (`validation: 'warn'`). */
  warnings: readonly string[]
  /** What was sent of a streamed answer; absent for others. */
  stream?: SentStream
  /** What a language model was asked, oldest first; absent where none was. */
  prompts?: readonly Prompt[]
}

export const loggedMessage = z.object({
  /** Names in lower case; several values of one name are joined by ', '. Keys are cut to the prefix that may be shown. */
  headers: z.record(z.string(), z.string()),
  /** The kept part of the body: text, or base64 where the bytes are not UTF-8. Null without a body. */
  body: z.string().nullable(),
  encoding: z.enum(['utf-8', 'base64']),
  /** Length of the whole body. */
  bytes: z.int().min(0),
  /** Whether `body` is incomplete: only the first 16 KiB, or nothing after later bodies displaced it. */
  truncated: z.boolean(),
})
/** A request or response as the log keeps it. */
export type LoggedMessage = z.infer<typeof loggedMessage>

/** `GET /v1/simulations/{id}/logs/{requestId}` (ours: `log-detail`). */
export interface LogDetail extends LogEntry {
  request: LoggedMessage
  /** Null while the answer is delayed. `fault`: the connection fault that a response rule caused, or null. */
  response: (LoggedMessage & { fault: ConnectionFaultKind | null }) | null
  /** Changes that the request made, oldest first; the latest 100. */
  changes: readonly ChangeEvent[]
}

/** The connection fault that a response rule causes instead of the answer, or while it is written. */
export type ConnectionFaultKind = 'reset' | 'close' | 'hold' | 'raw' | 'slow'

export const usage = z.object({
  plan: z.string(),
  status: z.string(),
  creditUsd: z.number(),
  requestsThisMonth: z.int(),
  requestLimit: z.int(),
  simulations: z.int(),
  simulationLimit: z.int(),
})
/** `GET /v1/usage` (specification, Usage). A plan without a limit shows `Number.MAX_SAFE_INTEGER`. */
export type Usage = z.infer<typeof usage>

export const clockReading = z.object({
  /** World time, ISO 8601. */
  now: z.iso.datetime({ precision: 3 }),
  /** World time minus real time, in milliseconds. */
  offsetMs: z.number(),
  paused: z.boolean(),
  /** How late the behaviour plan is, in milliseconds of world time, when it cannot keep up. */
  lagMs: z.number().exactOptional(),
})
/** `GET /v1/simulations/{id}/clock` (ours). */
export type ClockReading = z.infer<typeof clockReading>

export const serviceMeta = z.object({ name: z.string(), version: z.string(), extensions: z.array(z.string()) })
/** `GET /v1/meta` (ours): the service, its version and its extensions. */
export type ServiceMeta = z.infer<typeof serviceMeta>

/** `POST .../try` (ours): a request of the owner to the simulated API, which needs no key. */
export const tryRequest = z.object({
  method: z.string().regex(/^[A-Za-z]{1,20}$/, 'an HTTP method'),
  /** Path and query, below the address of the simulation. */
  path: z
    .string()
    .max(8_000)
    .regex(/^\/[^\s#]*$/, 'a path that starts with `/`, percent-encoded'),
  headers: z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/), z.string().max(8_000)).default({}),
  body: z.string().optional(),
})
export type TryRequest = z.output<typeof tryRequest>

/** What a tried request was answered. */
export const triedRequest = z.object({
  /** Its entry in the log. */
  requestId: z.string(),
  status: z.int(),
  response: loggedMessage,
  /** How long response rules would have delayed the answer, in milliseconds. */
  delayMs: z.number(),
  /** The connection fault that a response rule would have caused, or null. */
  fault: z.enum(['reset', 'close', 'hold', 'raw', 'slow']).nullable(),
})
export type TriedRequest = z.infer<typeof triedRequest>
