import * as z from 'zod'

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
