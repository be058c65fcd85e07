import * as z from 'zod'
import type { Json } from './json.ts'

/** A field of a record, as the description has it. */
export interface CollectionField {
  name: string
  /** Types of JSON Schema, without `null`; empty: any. */
  types: string[]
  /** The allowed values, where the description lists them. */
  values?: Json[]
  format?: string
  nullable: boolean
  required: boolean
  /** Whether only the server sets it. */
  readOnly: boolean
  /** The collection whose records it refers to. */
  refersTo?: string
}

/** `GET /v1/simulations/{id}/collections/{collection}` (ours). */
export interface CollectionDescription {
  name: string
  /** Prefix of its event types. */
  singular: string
  fields: CollectionField[]
  /** Fields of other collections, or of this one, that refer to these records. */
  referredBy: { collection: string; field: string }[]
}

/** The schema of {@link CollectionDescription}. */
export const collectionDescription = z.object({
  name: z.string(),
  singular: z.string(),
  fields: z.array(
    z.object({
      name: z.string(),
      types: z.array(z.string()),
      values: z.array(z.json()).exactOptional(),
      format: z.string().exactOptional(),
      nullable: z.boolean(),
      required: z.boolean(),
      readOnly: z.boolean(),
      refersTo: z.string().exactOptional(),
    }),
  ),
  referredBy: z.array(z.object({ collection: z.string(), field: z.string() })),
}) satisfies z.ZodType<CollectionDescription>
