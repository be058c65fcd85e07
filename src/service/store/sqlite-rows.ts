import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { StoreFull, StoreUnavailable } from './store.ts'

/** Prepares statements without rows. */
export function prepareAll<Name extends string>(
  database: DatabaseSync,
  texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, StatementSync>> {
  const prepared = Object.entries<string>(texts).map(([name, text]) => [name, database.prepare(text)])
  return Object.fromEntries(prepared)
}

/** Prepares queries of a SQLite file, with the type of their rows. */
export const rowQueries =
  (database: DatabaseSync) =>
  <Row extends object>(text: string): RowQuery<Row> => {
    const statement = database.prepare(text)
    // The tables are our own: `openSqlite` has checked their version.
    return {
      all: (...values) => statement.all(...values) as Row[],
      get: (...values) => statement.get(...values) as Row | undefined,
    }
  }

export interface RowQuery<Row> {
  all(...values: SQLInputValue[]): Row[]
  get(...values: SQLInputValue[]): Row | undefined
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
