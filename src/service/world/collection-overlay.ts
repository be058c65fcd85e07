import type { JsonObject } from '../../protocol/json.ts'
import type { Scope, Table } from '../dataset/dataset.ts'
import { Renames } from './renames.ts'

/** What is kept of a created record beside its fields. */
export interface Made {
  readonly key: string
  readonly scope: Scope
}

/** What an overlay holds for one collection. */
export interface CollectionOverlay {
  /** Records that differ from the table, by position; null where one was deleted. */
  records: Map<number, JsonObject | null>
  /** Positions of live created records, by key. */
  positions: Map<string, number>
  /** Keys and scopes of created records, in the order of creation. */
  made: (Made | undefined)[]
  /** How many records were ever created. */
  created: number
  count: number
  renames: Renames
}

export const emptyOverlay = (table: Table): CollectionOverlay => ({
  records: new Map(),
  positions: new Map(),
  made: [],
  created: 0,
  count: table.size,
  renames: new Renames(),
})
