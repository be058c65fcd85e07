import type { Pool, PoolClient, PoolConfig } from 'pg'
import { PG_MIGRATIONS } from './pg-statements.ts'
import { PgStore } from './pg-store.ts'

/** Timeouts bound each other: the server ends a statement before the client gives it up. */
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

/**
 * Opens a database and brings its tables to this release. Throws an Error that says what to do where `pg` is missing, where the database is
 * not reached, has tables of a later release, or simulations of another engine.
 */
export async function openPg(url: string, engine: number, clock: { now: () => number }): Promise<PgStore> {
  const { Pool } = await loadPg()
  const pool = new Pool({ ...SETTINGS, connectionString: url })
  // The pool has dropped the connection already; a query that was under way is told by its own error.
  pool.on('error', () => {})
  pool.on('connect', (client: PoolClient) => void client.on('error', () => {}))
  try {
    await migrate(pool)
    await checkEngine(pool, engine)
    return new PgStore(pool, clock)
  } catch (cause) {
    await pool.end()
    throw new Error(`Failed to open the store: ${(cause as Error).message || String(cause)}`, { cause })
  }
}

async function loadPg(): Promise<{ Pool: new (config: PoolConfig) => Pool }> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new Error(
      'Failed to open the store: the package "pg" is missing. Install it beside backlot: npm install pg.',
      { cause },
    )
  }
}

/** Nodes that start together take turns. */
async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtext('backlot.schema'))`)
    await client.query('create schema if not exists backlot')
    await client.query('create table if not exists backlot.schema_version(version int not null)')
    const { rows } = await client.query<{ version: number }>('select version from backlot.schema_version')
    const version = rows[0]?.version ?? 0
    if (version > PG_MIGRATIONS.length) {
      throw new Error(
        `its tables have version ${version}, and this release reads version ${PG_MIGRATIONS.length}. Start the release that made them.`,
      )
    }
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

async function checkEngine(pool: Pool, engine: number): Promise<void> {
  const query = 'select count(*)::int as count, min(engine) as other from backlot.simulation where engine <> $1'
  const { rows } = await pool.query<{ count: number; other: number }>(query, [engine])
  const { count = 0, other } = rows[0] ?? {}
  if (count === 0) return
  throw new Error(
    `${count} of its simulations are made by engine ${other}, and this release has engine ${engine}, which makes other data. ` +
      'Start the release that made them, or choose another database.',
  )
}
