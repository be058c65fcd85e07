import type { JsonObject } from '../../protocol/json.ts'
import type { RecordScope } from '../dataset/dataset.ts'

/** A client's upload for a record or document. No event shows it. */
export type UploadedFile = { readonly mediaType: string; readonly base64: string }

/**
 * One change of the data. Operations and steps return changes; only `World.apply` writes. Records are whole and never
 * mutated afterwards.
 */
export type Change =
  | {
      type: 'created'
      collection: string
      key: string
      record: JsonObject
      scope: RecordScope
      file?: UploadedFile
      /** Whether no webhook is sent. */
      isQuiet?: true
    }
  /** `isReverted`: the record is as generated or given. `event`: the type to announce, in place of those of the change. */
  | {
      type: 'updated'
      collection: string
      key: string
      record: JsonObject
      file?: UploadedFile
      isReverted?: true
      event?: string
    }
  /** `kept`: the record of a soft deletion, which reads do not find any more. */
  | { type: 'deleted'; collection: string; key: string; kept?: JsonObject }
  /** A singleton's document, below the records in `scopeKey`. */
  | { type: 'updated'; singleton: string; scopeKey: string; record: JsonObject; file?: UploadedFile }
  | { type: 'deleted'; singleton: string; scopeKey: string }
