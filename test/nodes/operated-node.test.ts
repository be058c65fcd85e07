import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PG_MIGRATIONS } from '../../src/service/store/pg-migrations.ts'
import { startOperatedServe } from '../operations/operated.ts'
import { findPostgres, startPostgres, type TestPostgres } from '../store/postgres.ts'
import { runCommand } from '../support/run-command.ts'

const bin = findPostgres()

describe.skipIf(bin === undefined)('a node over PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
  })
  afterAll(() => postgres?.close())

  it('measures the store, and is not ready while the database is away', async () => {
    const store = await postgres.createDatabase()
    const checkedBefore = await check(store)
    const migrated = await backlot(['store', 'migrate'], { BACKLOT_STORE: store })
    const served = await startOperatedServe(['task-tracker', '--log', 'info', '--store', store])
    const [tasks] = served.simulations
    const create = () =>
      fetch(`${tasks?.url}/v1/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tasks?.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Kept', key: 'KEPT' }),
      })
    const ready = async () => (await fetch(`${served.opsUrl}/readyz`)).status

    const created = await create()

    expect(created.status).toBe(201)
    expect(await served.metric('backlot_appends_total{result="kept"}')).toBeGreaterThanOrEqual(1)
    expect(await served.metric('backlot_append_seconds_count')).toBeGreaterThanOrEqual(1)
    expect(await served.metric(`backlot_build_info{version="0.1.0",engine="1",schema="${PG_MIGRATIONS.length}"}`)).toBe(
      1,
    )
    expect(checkedBefore.stdout).toContain('It has no tables yet: the start makes them')
    expect([migrated.stdout, migrated.exitCode]).toEqual([`The tables have version ${PG_MIGRATIONS.length}.\n`, 0])
    const checkedAfter = await check(store)
    expect(checkedAfter.stdout).toContain(`It has tables of version ${PG_MIGRATIONS.length} and 1 simulations.`)
    expect(await served.metric('backlot_oldest_due_seconds')).toBe(0)
    expect(checkedAfter.stdout).toContain('warning  synchronous_commit is off')
    await postgres.stop()
    await expect.poll(ready).toBe(503)
    await postgres.start()
    await expect.poll(ready).toBe(200)
    expect((await create()).status).toBe(201)
    expect(await served.stop()).toBe(0)
    const messages = served.lines.map((line) => JSON.parse(line).msg)
    expect(messages).toEqual([
      'ready',
      expect.stringContaining('not sealed'),
      'store unavailable',
      'store available again',
      'draining',
      'closed',
    ])
  })
})

/** With a session that keeps nothing for sure. */
const check = (store: string) =>
  backlot(['serve', '--check', '--port', '0', '--store', store], { PGOPTIONS: '-c synchronous_commit=off' })

const backlot = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runCommand(process.execPath, ['src/cli.ts', ...args], { cwd: process.cwd(), env })
