import type { JsonObject } from '../../protocol/json.ts'
import type { RecordScope } from '../dataset/dataset.ts'

/**
 * One change to the data. Operations and steps return these; `World.apply` is the only one that writes. Records are whole
 * and are never mutated afterwards.
 */
export type Change =
  | { type: 'created'; collection: string; key: string; record: JsonObject; scope: RecordScope }
  | { type: 'updated'; collection: string; key: string; record: JsonObject }
  | { type: 'deleted'; collection: string; key: string }
  /** A singleton's document, below the records that `scopeKey` names. */
  | { type: 'updated'; singleton: string; scopeKey: string; record: JsonObject }
  | { type: 'deleted'; singleton: string; scopeKey: string }
