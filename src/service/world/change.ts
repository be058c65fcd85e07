import type { JsonObject } from '../../protocol/json.ts'
import type { RecordScope } from '../dataset/dataset.ts'

/** What a client uploaded, beside the record or the document that it belongs to. No event shows it. */
export type UploadedFile = { readonly mediaType: string; readonly base64: string }

/**
 * One change to the data. Operations and steps return these; `World.apply` is the only one that writes. Records are whole
 * and are never mutated afterwards.
 */
export type Change =
  | {
      type: 'created'
      collection: string
      key: string
      record: JsonObject
      scope: RecordScope
      file?: UploadedFile
      /** Whether no webhook tells of it. */
      isQuiet?: true
    }
  /** `isReverted`: the record is as it was generated or given. */
  | { type: 'updated'; collection: string; key: string; record: JsonObject; file?: UploadedFile; isReverted?: true }
  | { type: 'deleted'; collection: string; key: string }
  /** A singleton's document, below the records that `scopeKey` names. */
  | { type: 'updated'; singleton: string; scopeKey: string; record: JsonObject; file?: UploadedFile }
  | { type: 'deleted'; singleton: string; scopeKey: string }
