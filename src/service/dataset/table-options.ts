import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { TableIndex } from './references.ts'

/** What a table is made of. */
export interface TableOptions {
  readonly model: CollectionModel
  readonly schema: Schema
  readonly seed: string
  readonly epoch: number
  readonly volume: number
  readonly seedRecords: readonly JsonObject[]
  /** Values that fields are to be drawn from, by dotted field. */
  readonly hints: Readonly<Record<string, readonly Json[]>>
  /** Height above the collections that refer to this one: higher ones are older. */
  readonly level: () => number
  readonly tables: TableIndex
}
