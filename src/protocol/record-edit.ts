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

/** A field of a record, as the description has it. */
const collectionField = z.object({
  name: z.string(),
  /** Types of JSON Schema, without `null`; empty: any. */
  types: z.array(z.string()),
  /** The allowed values, where the description lists them. */
  values: z.array(z.json()).exactOptional(),
  format: z.string().exactOptional(),
  nullable: z.boolean(),
  required: z.boolean(),
  /** Whether only the server sets it. */
  readOnly: z.boolean(),
  /** The collection whose records it refers to. */
  refersTo: z.string().exactOptional(),
})
export type CollectionField = z.infer<typeof collectionField>

/** `GET /v1/simulations/{id}/collections/{collection}` (ours). */
export const collectionDescription = z.object({
  name: z.string(),
  /** Prefix of its event types. */
  singular: z.string(),
  fields: z.array(collectionField),
  /** Fields of other collections, or of this one, that refer to these records. */
  referredBy: z.array(z.object({ collection: z.string(), field: z.string() })),
})
export type CollectionDescription = z.infer<typeof collectionDescription>
