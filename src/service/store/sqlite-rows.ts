import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { StoreFull, StoreUnavailable } from './store.ts'

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

/** Runs in a transaction. When it returns, the changes are on the disk. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  try {
    database.exec('begin immediate')
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    // On a full disk, SQLite has already rolled back.
    if (database.isOpen && database.isTransaction) database.exec('rollback')
    throw toStoreError(error)
  }
}

const SQLITE_FULL = 13
const SQLITE_IOERR = 10
/**
 * Extended codes of a write that the system refused, of a page or of the shared index: a file size limit, or a quota.
 * Nothing was committed.
 */
const REFUSED = new Set([778, 4874])

function toStoreError(error: unknown): unknown {
  const { errcode = 0 } = error as { errcode?: number }
  // An extended code has the primary one in its low byte.
  const code = errcode & 0xff
  if (code === SQLITE_FULL || REFUSED.has(errcode))
    return new StoreFull('The disk of the store is full.', { cause: error })
  if (code === SQLITE_IOERR) return new StoreUnavailable('The disk of the store has failed.', { cause: error })
  return error
}
