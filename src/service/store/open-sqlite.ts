import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { OpenLedger } from './ledger.ts'
import { SqlLedger } from './sql-ledger.ts'
import { SqliteFile, sqliteLedgerDatabase } from './sqlite-file.ts'
import { SQLITE_MIGRATIONS } from './sqlite-migrations.ts'
import { SqliteStore } from './sqlite-store.ts'
import { checkEngines, checkVersion, type StoreFindings } from './store.ts'
import type { StoreSettings } from './store-options.ts'

/** Marks a file as ours. */
const APPLICATION_ID = 0x6261636b
const VERSION = SQLITE_MIGRATIONS.length
const SQLITE_BUSY = 5

interface OpenOptions {
  readonly clock?: { now: () => number }
  readonly durability?: StoreSettings['durability']
  readonly migrate?: StoreSettings['migrate']
}

/** SQLite's `synchronous`: commits wait for the disk, or, where they need only outlive the process, for the system. */
const SYNC = { power: 'full', process: 'normal' } as const

/**
 * Opens or creates the file. Throws an Error with the next step where another service uses it, or it has other contents
 * or simulations of another engine.
 */
export async function openSqlite(file: string, engine: number, options: OpenOptions = {}): Promise<SqliteStore> {
  const { clock, durability = 'power', migrate: migration = 'start' } = options
  if (migration === 'off') (await openBeside(file)).close()
  const release = await lock(file)
  try {
    return new SqliteStore(await open(file, engine), release, { clock, sync: SYNC[durability] })
  } catch (cause) {
    release()
    throw failedToOpenSqlite(file, cause)
  }
}

/** Opens the accounts of a file while a service may use it. */
export async function openSqliteLedger(file: string): Promise<OpenLedger> {
  const database = await openBeside(file)
  database.exec('pragma synchronous = full; pragma foreign_keys = on;')
  return { ledger: new SqlLedger(sqliteLedgerDatabase(new SqliteFile(database))), close: async () => database.close() }
}

/** Opens a file while a service may use it. Its tables must be of this release. */
async function openBeside(file: string): Promise<DatabaseSync> {
  if (!existsSync(file)) {
    throw new Error(`Failed to open the store "${file}": there is no such file. \`backlot store migrate\` makes it.`)
  }
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    if (isEmpty(database)) throw new Error('it has no tables yet. Run `backlot store migrate <store>` first.')
    checkFile(database)
    if (versionOf(database) < VERSION) {
      throw new Error('its tables are those of an earlier release. Run `backlot store migrate <store>` first.')
    }
    return database
  } catch (cause) {
    database.close()
    throw failedToOpenSqlite(file, cause)
  }
}

/** Checks the file without changing it. Rejects with the Error of {@link openSqlite}. */
export async function checkSqlite(
  file: string,
  engine: number,
  migration: StoreSettings['migrate'] = 'start',
): Promise<StoreFindings> {
  if (migration === 'off') (await openBeside(file)).close()
  const isThere = existsSync(file)
  const release = await lock(file)
  release()
  if (!isThere) {
    rmSync(`${file}.lock`, { force: true })
    return { facts: [`The store "${file}" is not there yet: the start makes it.`], warnings: [] }
  }
  const { DatabaseSync } = await import('node:sqlite')
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    if (isEmpty(database)) return { facts: [`The store "${file}" is empty: the start makes its tables.`], warnings: [] }
    checkFile(database)
    checkEngine(database, engine)
    const version = versionOf(database)
    const { count } = database.prepare(COUNT).get() as { count: number }
    const facts = `The store "${file}" has tables of version ${version} and ${count} simulations.`
    const isOlder = version < VERSION
    return { facts: [facts, ...(isOlder ? [`The start brings its tables to version ${VERSION}.`] : [])], warnings: [] }
  } catch (cause) {
    throw failedToOpenSqlite(file, cause)
  }
}

const COUNT = 'select count(*) as count from simulation'

/**
 * Copies a store while a service may write to it: `to` then has the state at one time. Throws an Error for a missing
 * file, or for an existing `to`.
 */
export async function backUpSqlite(file: string, to: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`Failed to back up the store "${file}": there is no such file.`)
  if (existsSync(to)) throw new Error(`Failed to back up the store to "${to}": the file exists. Choose another name.`)
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { timeout: 5_000 })
  let isMade = false
  try {
    checkFile(database)
    writeFileSync(to, '', { mode: PRIVATE, flag: 'wx' })
    isMade = true
    database.prepare('vacuum into ?').run(to)
  } catch (cause) {
    if (isMade) rmSync(to, { force: true })
    throw new Error(`Failed to back up the store "${file}": ${(cause as Error).message}`, { cause })
  } finally {
    database.close()
  }
}

async function open(file: string, engine: number): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    keepPrivate(file)
    if (!isEmpty(database)) checkFile(database)
    migrate(database)
    checkEngine(database, engine)
    database.exec('pragma journal_mode = wal; pragma foreign_keys = on;')
    database.exec('pragma wal_autocheckpoint = 4096; pragma journal_size_limit = 67108864;')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Only the user of the service reads or writes its files: they have keys and data of all accounts. */
const PRIVATE = 0o600

/** Makes a file private, if it is this user's. SQLite gives the files `-wal` and `-shm` the mode of the store. */
function keepPrivate(file: string): void {
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, PRIVATE)
}

/** Migrates the tables to this release in one transaction: after a crash the file is unchanged. */
function migrate(database: DatabaseSync): void {
  const missing = SQLITE_MIGRATIONS.slice(versionOf(database))
  if (missing.length === 0) return
  const marks = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${VERSION};`
  database.exec(`begin immediate; ${missing.join('')} ${marks} commit;`)
}

const versionOf = (database: DatabaseSync): number =>
  (database.prepare('pragma user_version').get() as { user_version: number }).user_version

const isEmpty = (database: DatabaseSync): boolean =>
  (database.prepare('select count(*) as tables from sqlite_schema').get() as { tables: number }).tables === 0

function checkFile(database: DatabaseSync): void {
  const { application_id: id } = database.prepare('pragma application_id').get() as { application_id: number }
  if (id !== APPLICATION_ID) throw new Error('it is a database of another program. Choose another file.')
  checkVersion(versionOf(database), VERSION)
}

function checkEngine(database: DatabaseSync, engine: number): void {
  const query = 'select count(*) as count, min(engine) as other from simulation where engine <> ?'
  checkEngines(database.prepare(query).get(engine) as { count: number; other: number }, engine, 'file')
}

/**
 * Takes the file for this process with a lock on a second file, which the system releases when the process ends in any
 * way. A lock on the store itself would block backups.
 */
async function lock(file: string): Promise<() => void> {
  const { DatabaseSync } = await import('node:sqlite')
  let database: DatabaseSync
  try {
    database = new DatabaseSync(`${file}.lock`)
    keepPrivate(`${file}.lock`)
  } catch (cause) {
    throw failedToOpenSqlite(file, cause)
  }
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (cause) {
    database.close()
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw failedToOpenSqlite(file, cause)
    throw new Error(
      `Failed to open the store "${file}": another service has it open. Stop that one, or choose another file.`,
      { cause },
    )
  }
  return () => database.close()
}

/** What to do where a file was not opened, by the code of SQLite. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  8: 'Give the file and its folder to the user that runs the service.',
  10: 'See whether the disk is sound and no network file system.',
  11: 'Put a backup in its place.',
  13: 'Make room on the disk.',
  14: 'Does its folder exist, and may this user write there?',
  26: 'Choose another file, or put a backup in its place.',
}

/** Says why a file was not opened, and what to do. */
function failedToOpenSqlite(file: string, cause: unknown): Error {
  const { message, errcode = 0 } = cause as Error & { errcode?: number }
  const next = NEXT_STEPS[errcode & 0xff]
  const known = isFolder(file) ? `it is a folder. Name a file in it, such as "${file}/backlot.db".` : undefined
  const fact = known ?? (next === undefined ? message : `${message}. ${next}`)
  return new Error(`Failed to open the store "${file}": ${fact}`, { cause })
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
