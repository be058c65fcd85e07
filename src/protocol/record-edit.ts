import * as z from 'zod'
import type { JsonObject } from './json.ts'

/** Fields of a record by their names, as `POST`, `PUT` and `PATCH` of records take them (ours). */
export const recordFieldsRequest = z.record(z.string(), z.json())

/** Query of the endpoints that change records (ours). `quiet`: the change is logged, and no webhook is sent. */
export const editQuery = z.object({ quiet: z.enum(['true', 'false']).default('false') })

/** `POST /v1/simulations/{id}/trigger` (ours). */
export const triggerRequest = z.object({
  type: z.string().min(1).max(200),
  fields: recordFieldsRequest.optional(),
})

/** Where a record comes from: as generated, as given at creation, created since then, or changed since then. */
export type RecordOrigin = 'generated' | 'seed' | 'created' | 'changed'

/** One record past the simulated API (ours). */
export interface KeptRecord {
  /** What events call the record. */
  id: string
  origin: RecordOrigin
  record: JsonObject
}
