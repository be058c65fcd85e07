import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { LedgerDatabase } from './sql-ledger.ts'
import { StoreFull, StoreUnavailable } from './store.ts'

/** The statements of a SQLite file, each prepared at its first use. */
export class SqliteFile {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  /** @param database with the tables of `openSqlite` */
  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  // The tables are our own: `openSqlite` has checked their version.
  all<Row extends object>(text: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(text).all(...values) as Row[]
  }

  get<Row extends object>(text: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(text).get(...values) as Row | undefined
  }

  /** Returns the number of changed rows. */
  run(text: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(text).run(...values).changes)
  }

  /** Executes statements that are not repeated. */
  exec(text: string): void {
    this.#database.exec(text)
  }

  /** Runs in a transaction. When it returns, the changes are on the disk. */
  transact<T>(work: () => T): T {
    try {
      this.#database.exec('begin immediate')
      const result = work()
      this.#database.exec('commit')
      return result
    } catch (error) {
      // On a full disk, SQLite has already rolled back.
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('rollback')
      throw toStoreError(error)
    }
  }

  #prepare(text: string): StatementSync {
    const statement = this.#prepared.get(text) ?? this.#database.prepare(text)
    this.#prepared.set(text, statement)
    return statement
  }
}

/** A file for statements of PostgreSQL. */
export const sqliteLedgerDatabase = (file: SqliteFile): LedgerDatabase => ({
  rows: async <Row extends object>(text: string, values: readonly unknown[]) =>
    file.all<Row>(toSqlite(text), ...values.map(toValue)),
  change: async (text, values) => file.transact(() => file.run(toSqlite(text), ...values.map(toValue))),
})

/** A statement of PostgreSQL without its schema, and with the placeholders and lists of SQLite. */
export const toSqlite = (text: string): string =>
  text
    .replaceAll('backlot.', '')
    .replace(/= any\((\$\d)\)/g, 'in (select value from json_each($1))')
    .replaceAll('$', '?')

function toValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue)
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
