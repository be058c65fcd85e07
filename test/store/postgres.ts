import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { PG_MIGRATIONS } from '../../src/service/store/pg-migrations.ts'
import { freePort } from '../support/on-loopback.ts'

/** A PostgreSQL server of this test's own, in a temporary folder. */
export interface TestPostgres {
  readonly port: number
  /** Address of a new, empty database. */
  createDatabase(): Promise<string>
  /** Address of one database that is emptied each time: quicker than a new one, and after a crash there is less to recover. */
  emptyDatabase(): Promise<string>
  /** The same with the tables of this release, which the first use makes: quicker still. */
  emptyTables(): Promise<string>
  /** Stops it at once, without a checkpoint. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it at once, and starts it again. */
  restart(): Promise<void>
  /** Another server that follows this one, through the port of a proxy where one is given. Commits wait for it from then on, unless it `mayLag`. */
  startStandby(how?: { readonly through?: number; readonly mayLag?: boolean }): Promise<Standby>
  close(): Promise<void>
}

/** A server that follows another one, until it is promoted. */
export interface Standby {
  readonly port: number
  promote(): Promise<void>
  close(): Promise<void>
}

/** Folder of PostgreSQL's programs: `BACKLOT_TEST_POSTGRES`, or the newest of Debian's; undefined where it is not installed. */
export function findPostgres(): string | undefined {
  const named = process.env.BACKLOT_TEST_POSTGRES
  if (named) return named
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const newest = versions.toSorted((left, right) => Number(right) - Number(left))[0]
  return newest === undefined ? undefined : join(root, newest, 'bin')
}

/** Starts a server as another user where this process is root, which PostgreSQL refuses. */
export async function startPostgres(bin: string): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-postgres-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
    chownSync(folder, uid as number, gid as number)
    chmodSync(folder, 0o755)
  }
  const run = async (program: string, args: readonly string[]) => {
    const command = [join(bin, program), ...args]
    const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
    await promisify(execFile)(file, rest, { cwd: folder })
  }
  await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'])
  const port = await freePort()
  // A killed server loses nothing that it has written: only a machine that fails would.
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} -c shared_buffers=32MB -c max_connections=200 -c fsync=off`
  const start = () => run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start'])
  const stop = (mode: string) => run('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop'])
  const startStandby: TestPostgres['startStandby'] = async ({ through = port, mayLag = false } = {}) => {
    const copy = join(folder, 'standby')
    await run('pg_basebackup', [
      '-D',
      copy,
      '-h',
      '127.0.0.1',
      '-p',
      String(through),
      '-U',
      'postgres',
      '-R',
      '-c',
      'fast',
      '--no-sync',
    ])
    const ownPort = await freePort()
    const own = options.replace(`-p ${port}`, `-p ${ownPort}`)
    await run('pg_ctl', ['-D', copy, '-l', join(folder, 'standby.log'), '-w', '-o', own, 'start'])
    await tell('postgres', `alter system set synchronous_standby_names = '${mayLag ? '' : '*'}'`)
    await tell('postgres', 'select pg_reload_conf()')
    return {
      port: ownPort,
      promote: () => run('pg_ctl', ['-D', copy, '-w', 'promote']),
      close: () => run('pg_ctl', ['-D', copy, '-m', 'immediate', '-w', 'stop']),
    }
  }
  await start()
  const tell = async (database: string, statement: string) => {
    const client = await connectPg(`postgres://postgres@127.0.0.1:${port}/${database}`)
    await client.query(statement)
    await client.end()
  }
  let databases = 0
  return {
    port,
    startStandby,
    createDatabase: async () => {
      const name = `test${++databases}`
      await tell('postgres', `create database ${name}`)
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    emptyDatabase: async () => {
      await tell('postgres', 'drop schema if exists backlot cascade')
      return `postgres://postgres@127.0.0.1:${port}/postgres`
    },
    emptyTables: async () => {
      await tell(
        'postgres',
        `do $$ declare name text; begin
          for name in select table_name from information_schema.tables where table_schema = 'backlot' and table_name <> 'schema_version'
          loop execute format('delete from backlot.%I', name); end loop;
          if to_regclass('backlot.schema_version') is not null then
            execute 'update backlot.schema_version set version = least(version, ${PG_MIGRATIONS.length})';
          end if; end $$`,
      )
      return `postgres://postgres@127.0.0.1:${port}/postgres`
    },
    stop: () => stop('immediate'),
    start,
    restart: async () => {
      await stop('immediate')
      await start()
    },
    close: async () => {
      // One that was stopped needs no more.
      if (existsSync(join(data, 'postmaster.pid'))) await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A connection whose end, when the server stops, is no error of the process. */
export async function connectPg(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  return client
}
