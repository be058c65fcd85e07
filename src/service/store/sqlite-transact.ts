import type { DatabaseSync } from 'node:sqlite'
import { StoreFull, StoreUnavailable } from './store.ts'

/** All or nothing. What it returns is on the disk. */
export function transact<T>(database: DatabaseSync, work: () => T): T {
  try {
    database.exec('begin immediate')
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    // Where the disk is full, SQLite has rolled back by itself.
    if (database.isOpen && database.isTransaction) database.exec('rollback')
    throw toStoreError(error)
  }
}

const SQLITE_FULL = 13
const SQLITE_IOERR = 10

function toStoreError(error: unknown): unknown {
  // An extended code has the primary one in its low byte.
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
  if (code === SQLITE_FULL) return new StoreFull('The disk of the store is full.', { cause: error })
  if (code === SQLITE_IOERR) return new StoreUnavailable('The disk of the store has failed.', { cause: error })
  return error
}
