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

/** Origin of a record: generated, given at creation, created later, or changed later. */
export type RecordOrigin = 'generated' | 'seed' | 'created' | 'changed'

/** One record as the management API shows it (ours). */
export interface KeptRecord {
  /** The id in events. */
  id: string
  origin: RecordOrigin
  record: JsonObject
}
