import * as z from 'zod'

/** Fields of a record by their names, as `POST`, `PUT` and `PATCH` of records take them (ours). */
export const recordFieldsRequest = z.record(z.string(), z.json())

/** Query of the endpoints that change records (ours). `quiet`: the change is logged, and no webhook is sent. */
export const editQuery = z.object({ quiet: z.enum(['true', 'false']).default('false') })

/** `POST /v1/simulations/{id}/trigger` (ours). */
export const triggerRequest = z.object({
  type: z.string().min(1).max(200),
  fields: recordFieldsRequest.optional(),
})

/** One record as the management API shows it (ours). */
export const keptRecord = z.object({
  /** The id in events. */
  id: z.string(),
  /** Generated, given at creation, created later, or changed later. */
  origin: z.enum(['generated', 'seed', 'created', 'changed']),
  record: z.record(z.string(), z.json()),
})
export type KeptRecord = z.infer<typeof keptRecord>
