import * as z from 'zod'
import type { JsonObject } from './json.ts'
import { LIMITS } from './limits.ts'
import { queryNumber } from './query-number.ts'

/** Query of `GET /v1/library`. */
export const libraryQuery = z.object({
  q: z.string().max(500).optional(),
  vertical: z.string().max(200).optional(),
  limit: queryNumber(1, LIMITS.libraryPage.max).default(LIMITS.libraryPage.default),
})

export type LibraryQuery = z.output<typeof libraryQuery>

/** One prebuilt API (specification, Library entry). */
export interface LibraryEntrySummary {
  slug: string
  name: string
  provider: string
  vertical: string
  description: string
  /** Number of operations of the described API. */
  operations: number
}

/** Query of `GET /v1/simulations/{id}/records/{collection}`. */
export const recordsQuery = z.object({
  limit: queryNumber(1, LIMITS.recordsPage.max).default(LIMITS.recordsPage.default),
  offset: queryNumber(0, Number.MAX_SAFE_INTEGER).default(0),
})

/** `GET /v1/simulations/{id}/records/{collection}`. */
export interface RecordsPage {
  data: JsonObject[]
  total: number
  limit: number
  offset: number
}

/** One entry of `GET /v1/simulations/{id}/logs`. */
export interface LogEntry {
  id: string
  /** World time of arrival, ISO 8601. */
  at: string
  method: string
  path: string
  /** Null while the answer is still held back. */
  status: number | null
  durationMs: number | null
  sourceIp: string
  /** operationId, or method and path template; null when no operation matched. */
  operation: string | null
  /** The response rule that fired, or null. */
  ruleId: string | null
  /** Prefix of the key that was shown, or null. */
  key: string | null
  /** What was wrong with the request: why it was refused, or where it does not fit the description (`validation: 'warn'`). */
  warnings: readonly string[]
}

/** `GET /v1/usage` (specification, Usage). A plan without a limit shows `Number.MAX_SAFE_INTEGER`. */
export interface Usage {
  plan: string
  status: string
  creditUsd: number
  requestsThisMonth: number
  requestLimit: number
  simulations: number
  simulationLimit: number
}

/** `GET /v1/simulations/{id}/clock` (ours). */
export interface ClockReading {
  /** World time, ISO 8601. */
  now: string
  /** World time less real time, in milliseconds. */
  offsetMs: number
  paused: boolean
  /** How far the behaviour plan is behind, in milliseconds of world time, where it cannot keep up with time. */
  lagMs?: number
}

/** `GET /v1/meta` (ours): who answers, and which extensions it has. */
export interface ServiceMeta {
  name: string
  version: string
  extensions: string[]
}
