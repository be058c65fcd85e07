import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startService } from '../../../src/service/start.ts'
import { findPostgres, startPostgres } from '../postgres.ts'
import { KEYS, TASKS } from './tasks.ts'

/**
 * Writes stores of the tables that this release makes, as SQL: `node test/store/versions/make-version.ts 4`. Run it once, when a version of
 * the tables is released; what it wrote never changes.
 */
const version = process.argv[2]
const folder = import.meta.dirname

const temporary = mkdtempSync(join(tmpdir(), 'backlot-version-'))
const file = join(temporary, 'store.db')
await fill(file)
writeFileSync(join(folder, `sqlite-${version}.sql`), dumpSqlite(file))
rmSync(temporary, { recursive: true })

const bin = findPostgres()
if (bin === undefined) throw new Error('Failed to find PostgreSQL: install it first.')
const postgres = await startPostgres(bin)
const url = await postgres.createDatabase()
await fill(url)
const dump = execFileSync(join(bin, 'pg_dump'), [url, '--inserts', '--no-owner', '--schema=backlot'], {
  encoding: 'utf8',
})
// Settings of the session and commands of psql mean nothing here.
const statements = dump.split('\n').filter((line) => !/^(SET |SELECT pg_catalog\.set_config|--|\\)|^$/.test(line))
writeFileSync(join(folder, `pg-${version}.sql`), `${statements.join('\n')}\n`)
await postgres.close()

/** A simulation with a bit of everything that is kept. */
async function fill(store: string): Promise<void> {
  const service = await startService({
    store,
    addresses: 'path',
    accounts: [{ name: 'team', keys: [{ key: KEYS.account }] }],
    simulations: [{ spec: TASKS, slug: 'tasks', key: KEYS.simulation }],
    allowPrivateWebhooks: ['127.0.0.1/32'],
  })
  const manage = (path: string, body: object) => send(`${service.url}/v1/simulations/tasks${path}`, KEYS.account, body)
  await manage('/webhooks', { url: 'http://127.0.0.1:1/', events: ['task.created'] })
  await send(`${service.url}/s/tasks/tasks`, KEYS.simulation, { title: 'Before' })
  await manage('/snapshots', {})
  await send(`${service.url}/s/tasks/tasks`, KEYS.simulation, { title: 'After' })
  await manage('/rules', {
    name: 'sorry',
    kind: 'error',
    method: 'DELETE',
    pathPattern: '/tasks*',
    config: { status: 503 },
  })
  await manage('/fast-forward', { hours: 1 })
  await service.close()
}

async function send(url: string, key: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`Failed to send to ${url}: ${answer.status} ${await answer.text()}`)
}

function dumpSqlite(path: string): string {
  using database = new DatabaseSync(path, { readOnly: true })
  const number = (pragma: string) => Object.values(database.prepare(`pragma ${pragma}`).get() as object)[0]
  const schema = database.prepare('select name, type, sql from sqlite_schema where sql is not null').all() as {
    name: string
    type: string
    sql: string
  }[]
  const tables = schema.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
  const rows = tables.flatMap(({ name }) => {
    const columns = (database.prepare(`pragma table_info(${name})`).all() as { name: string }[]).map(
      (column) => column.name,
    )
    const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `)
    const inserts = database.prepare(
      `select 'insert into ${name}(${columns}) values (' || ${values} || ');' as line from ${name}`,
    )
    return (inserts.all() as { line: string }[]).map(({ line }) => line)
  })
  const made = schema.filter(({ name }) => !name.startsWith('sqlite_')).map(({ sql }) => `${sql};`)
  const marks = [
    `pragma application_id = ${number('application_id')};`,
    `pragma user_version = ${number('user_version')};`,
  ]
  return `${[...made, ...rows, ...marks].join('\n')}\n`
}
