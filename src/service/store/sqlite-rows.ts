import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

/** Type of a column; with a question mark, nullable. */
type ColumnKind = 'string' | 'number' | 'string?' | 'number?'
type Columns = Readonly<Record<string, ColumnKind>>
type ValueOf<Kind extends ColumnKind> = Kind extends 'string'
  ? string
  : Kind extends 'number'
    ? number
    : Kind extends 'string?'
      ? string | null
      : number | null
type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> }

/** A query of a SQLite file that checks the types of its rows. */
export class RowQuery<const Of extends Columns> {
  readonly #statement: StatementSync
  readonly #columns: readonly (readonly [string, ColumnKind])[]

  constructor(database: DatabaseSync, text: string, columns: Of) {
    this.#statement = database.prepare(text)
    this.#columns = Object.entries(columns)
  }

  all(...values: SQLInputValue[]): RowOf<Of>[] {
    return this.#statement.all(...values).map((row) => this.#read(row))
  }

  get(...values: SQLInputValue[]): RowOf<Of> | undefined {
    const row = this.#statement.get(...values)
    return row && this.#read(row)
  }

  #read(row: Record<string, SQLOutputValue>): RowOf<Of> {
    for (const [name, kind] of this.#columns) {
      const value = row[name]
      if (value === null ? kind.endsWith('?') : typeof value === kind.replace('?', '')) continue
      throw new Error(`Failed to read the store: expected \`${name}\` of a row to be ${kind}, got ${typeof value}.`)
    }
    return row as RowOf<Of>
  }
}
