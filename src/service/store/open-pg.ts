import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import type { OpenLedger } from './ledger.ts'
import { PgConnections } from './pg-connections.ts'
import { PG_MIGRATIONS } from './pg-migrations.ts'
import { PgStore } from './pg-store.ts'
import { SqlLedger } from './sql-ledger.ts'
import { checkEngines, checkVersion, type StoreFindings } from './store.ts'
import type { StoreSettings } from './store-options.ts'

/** Timeouts are ordered: the server cancels a statement before the client gives up. */
const SETTINGS: PoolConfig = {
  max: 8,
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  query_timeout: 6_000,
  lock_timeout: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  maxLifetimeSeconds: 30 * 60,
  application_name: 'backlot',
}

/** A migration may take as long as its tables are large, and waits as long for another node's. */
const PATIENT: PoolConfig = { max: 1, statement_timeout: 0, query_timeout: 0, lock_timeout: 0 }

/**
 * Opens a database and migrates its tables to this release, unless `migration` is `off`. Throws an Error with the next
 * step where `pg` is missing, or the database is unreachable, has tables of another release that are not to be changed
 * or of a later one, or simulations of another engine.
 */
export async function openPg(
  url: string,
  engine: number,
  clock: { now: () => number },
  migration: StoreSettings['migrate'] = 'start',
): Promise<PgStore> {
  const pool = await connectTo(url)
  try {
    if (!(await hasTables(pool))) {
      if (migration === 'off') throw new Error(TABLES_ARE_OLD)
      await migrate(url)
    }
    await checkEngine(pool, engine)
    const store = new PgStore(new PgConnections(pool), clock)
    await store.lookAtClock()
    return store
  } catch (cause) {
    await pool.end()
    throw failedToOpenPg(cause)
  }
}

/** Opens the accounts of a database with tables of this release. */
export async function openPgLedger(url: string): Promise<OpenLedger> {
  const connections = new PgConnections(await connectBeside(url))
  return { ledger: new SqlLedger(connections), close: () => connections.close() }
}

/** Connects to a database with tables of this release. */
async function connectBeside(url: string): Promise<Pool> {
  const pool = await connectTo(url)
  try {
    if (!(await hasTables(pool))) throw new Error(TABLES_ARE_OLD)
    return pool
  } catch (cause) {
    await pool.end()
    throw failedToOpenPg(cause)
  }
}

const TABLES_ARE_OLD = 'its tables are not those of this release. Run `backlot store migrate <store>` first.'

/** Checks a database without changing it. Rejects with the Error of {@link openPg}. */
export async function checkPg(
  url: string,
  engine: number,
  migration: StoreSettings['migrate'] = 'start',
): Promise<StoreFindings> {
  const pool = await connectTo(url)
  try {
    const [settings] = (await pool.query<PgSettings>(SETTINGS_OF)).rows
    if (settings === undefined) throw new Error('it tells no settings.')
    if (migration === 'off' && !(await hasTables(pool))) throw new Error(TABLES_ARE_OLD)
    return { facts: await factsOf(pool, engine, settings), warnings: warningsOf(settings) }
  } catch (cause) {
    throw failedToOpenPg(cause)
  } finally {
    await pool.end()
  }
}

/** Warnings for the operator of an open database, which may lose confirmed changes. */
export async function warnOfPg(url: string): Promise<string[]> {
  const pool = await connectTo(url)
  try {
    return (await pool.query<PgSettings>(SETTINGS_OF)).rows.flatMap(warningsOf)
  } finally {
    await pool.end()
  }
}

interface PgSettings {
  readonly server: string
  readonly mayCreate: boolean
  readonly hasTables: boolean
  readonly mayChange: boolean
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
}

const SETTINGS_OF = `
  select current_setting('server_version') as server, has_database_privilege(current_database(), 'create') as "mayCreate",
    to_regclass('backlot.schema_version') is not null as "hasTables", current_setting('fsync') as fsync,
    (select coalesce(bool_and(has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')), true)
      from pg_class c where c.relnamespace = to_regnamespace('backlot') and c.relkind = 'r') as "mayChange",
    current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit`

async function factsOf(pool: Pool, engine: number, settings: PgSettings): Promise<string[]> {
  const { server, hasTables: areThere, mayCreate, mayChange } = settings
  const reached = `The store is PostgreSQL ${server}.`
  if (!areThere) {
    if (mayCreate) return [reached, 'It has no tables yet: the start makes them, in the schema "backlot".']
    throw new Error('its user may not create the schema "backlot". Grant CREATE on the database, or name another user.')
  }
  if (!mayChange) throw new Error(MAY_NOT_CHANGE)
  const version = await versionOf(pool)
  await checkEngine(pool, engine)
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from backlot.simulation')
  const contents = `It has tables of version ${version} and ${rows[0]?.count ?? 0} simulations.`
  const isOlder = version < PG_MIGRATIONS.length
  return [reached, contents, ...(isOlder ? [`The start brings its tables to version ${PG_MIGRATIONS.length}.`] : [])]
}

const MAY_NOT_CHANGE =
  'its user may not change the tables. Grant SELECT, INSERT, UPDATE and DELETE on all tables in the schema "backlot", or name another user.'

/** With these settings off, PostgreSQL may lose confirmed changes. */
function warningsOf(settings: PgSettings): string[] {
  const off = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter((name) => settings[name] === 'off')
  return off.map((name) => `${name} is off: changes that were answered may be lost when the database's machine fails.`)
}

async function connectTo(url: string, limits: PoolConfig = {}): Promise<Pool> {
  const { Pool, Client: PgClient } = await loadPg()
  const verify: PoolConfig['verify'] = (client, done) => void checkWritable(client).then(() => done(), done)
  const pool = new Pool({ ...SETTINGS, ...limits, connectionString: url, verify, Client: endingWhereRefused(PgClient) })
  // The pool has already dropped the connection; a running query reports its own error.
  pool.on('error', () => {})
  pool.on('connect', (client: PoolClient) => void client.on('error', () => {}))
  return pool
}

/** Closes connections whose start was refused: `pg` leaves one open when a password is required and missing. */
function endingWhereRefused(PgClient: typeof Client): typeof Client {
  return class extends PgClient {
    override connect(): Promise<Client>
    override connect(done: Connected): void
    override connect(done?: Connected): Promise<Client> | undefined {
      const begun = super.connect()
      begun.then(
        () => done?.(null, this),
        (error: Error) => {
          void this.end().catch(() => {})
          done?.(error, this)
        },
      )
      return done === undefined ? begun : undefined
    }
  }
}

type Connected = (error: Error | null, client: Client) => void

/** An address may now lead to a standby with outdated answers. */
async function checkWritable(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on')
    throw new Error('it is a replica that takes no changes. Give the address of the primary.')
}

async function loadPg(): Promise<{ Pool: new (config: PoolConfig) => Pool; Client: typeof Client }> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new Error('Failed to open the store: the package "pg" is missing. Install it: npm install pg.', { cause })
  }
}

/**
 * Nodes that start together migrate one after the other. Tables of this release are not changed, so that a node needs
 * no right to create any.
 */
async function migrate(url: string): Promise<void> {
  const pool = await connectTo(url, PATIENT)
  try {
    await migrateBy(await pool.connect())
  } finally {
    await pool.end()
  }
}

async function migrateBy(client: PoolClient): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtext('backlot.schema'))`)
    await client.query('create schema if not exists backlot')
    await client.query('create table if not exists backlot.schema_version(version int not null)')
    const version = await versionOf(client)
    for (const migration of PG_MIGRATIONS.slice(version)) await client.query(migration)
    await client.query('delete from backlot.schema_version')
    await client.query('insert into backlot.schema_version(version) values ($1)', [PG_MIGRATIONS.length])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

/** Whether the tables are of this release. Throws for a later release. */
async function hasTables(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string | null }>(`select to_regclass('backlot.schema_version') as name`)
  return Boolean(rows[0]?.name) && (await versionOf(pool)) === PG_MIGRATIONS.length
}

/** Version of the tables. Throws for a later release. */
async function versionOf(database: Pool | PoolClient): Promise<number> {
  const { rows } = await database.query<{ version: number }>('select version from backlot.schema_version')
  const version = rows[0]?.version ?? 0
  checkVersion(version, PG_MIGRATIONS.length)
  return version
}

async function checkEngine(pool: Pool, engine: number): Promise<void> {
  const query = 'select count(*)::int as count, min(engine) as other from backlot.simulation where engine <> $1'
  const { rows } = await pool.query<{ count: number; other: number }>(query, [engine])
  checkEngines(rows[0], engine, 'database')
}

/** What to do where a database was not opened, by PostgreSQL's code of the error (appendix A) or Node's. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the database there, or correct the host and the port in the address.',
  ENOTFOUND: 'Correct the host in the address.',
  EAI_AGAIN: 'Correct the host in the address, or see whether this machine can look names up.',
  ETIMEDOUT: 'See whether the database is there and a firewall lets this machine through.',
  '28P01': 'Give the right password by PGPASSWORD or a password file, or correct the user in the address.',
  '28000':
    'Let `pg_hba.conf` of the database take this user from this machine; where it asks for encryption, add ?sslmode=verify-full to the address.',
  '3D000': 'Create it (`createdb`), or correct its name in the address.',
  '42501':
    'Grant its user CREATE on the database, or run `backlot store migrate` as one who may and grant USAGE on the schema "backlot" and SELECT, INSERT, UPDATE and DELETE on its tables.',
  '53300': 'A node has 8 connections at most: allow more (`max_connections`), or put a pooler before the database.',
  '57P03': 'Start again when it is ready.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Name the authority that signed it: &sslrootcert=/path/to/ca.pem.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Name the authority that signed it: &sslrootcert=/path/to/ca.pem.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Name the authority that signed it: &sslrootcert=/path/to/ca.pem.',
}

/** The same where an error has no code. */
const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'Leave sslmode out of the address, or switch `ssl` on in the database.'],
  [
    /unsupported startup parameter/,
    'Let the pooler pass it over (PgBouncer: `ignore_startup_parameters = statement_timeout,lock_timeout`), and limit the user instead: `alter role ... set statement_timeout = 5000`.',
  ],
  [/timeout/, NEXT_STEPS.ETIMEDOUT as string],
]

const ASKS_FOR_PASSWORD = 'the database asks for a password. Give it by PGPASSWORD or a password file.'

/** Says why a database was not opened, and what to do. */
function failedToOpenPg(cause: unknown): Error {
  return new Error(`Failed to open the store: ${factOf(cause)}`, { cause })
}

function factOf(cause: unknown): string {
  // A name with several addresses fails once for each, without a message for all.
  const { code = '', message, errors } = cause as Error & { code?: string; errors?: readonly Error[] }
  const fact = message || errors?.[0]?.message || String(cause)
  if (fact.includes('client password must be a string')) return ASKS_FOR_PASSWORD
  const next = NEXT_STEPS[code] ?? BY_WORDS.find(([words]) => words.test(fact))?.[1]
  return next === undefined ? fact : `${fact.replace(/[.:]$/, '')}. ${next}`
}
