import type { Json } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { Table } from '../dataset/dataset.ts'

/** Largest table with cached columns. */
const MOST_COLUMN_VALUES = 100_000

/** Stands in a column for a value that was not read yet. */
const UNREAD = Symbol('unread')

/** Generated values of a table's records by field; cached for small tables. */
export class GeneratedColumns {
  readonly #table: Table
  readonly #kept = new Map<string, (Json | undefined | typeof UNREAD)[]>()

  constructor(table: Table) {
    this.#table = table
  }

  /** Reads one field of a generated record. */
  of(field: FieldPath): (position: number) => Json | undefined {
    const read = this.#table.readerOf(field)
    if (this.#table.size > MOST_COLUMN_VALUES) return read
    const name = field.join('\u0000')
    const kept = this.#kept.get(name) ?? new Array<Json | undefined | typeof UNREAD>(this.#table.size).fill(UNREAD)
    this.#kept.set(name, kept)
    return (position) => {
      const held = kept[position]
      if (held !== UNREAD) return held
      const value = read(position)
      kept[position] = value
      return value
    }
  }
}
