import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { ENGINE } from '../../src/service/simulation/origin/simulation-init.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { checkPg, openPg } from '../../src/service/store/open-pg.ts'
import { PgConnections } from '../../src/service/store/pg-connections.ts'
import { PG_MIGRATIONS } from '../../src/service/store/pg-migrations.ts'
import { PgStore } from '../../src/service/store/pg-store.ts'
import { StoreUnavailable } from '../../src/service/store/store.ts'
import type { DeliveryLease, RenewedLease } from '../../src/service/store/work.ts'
import { runCli } from '../support/run-cli.ts'
import { CLI } from '../support/serve.ts'
import { holdLedger } from './hold-ledger.ts'
import { holdRegistration } from './hold-registration.ts'
import { holdRequests } from './hold-requests.ts'
import { holdSealed } from './hold-sealed.ts'
import { entry, holdStore, simulation } from './hold-store.ts'
import { holdWork, NOTHING } from './hold-work.ts'
import { ACCOUNT_KEY, manage } from './manage.ts'
import { connectPg, findPostgres, startPostgres, type TestPostgres } from './postgres.ts'

const open = (url: string) => openPg(url, 7, systemClock)
const bin = findPostgres()
if (bin === undefined) console.log('PostgreSQL is not installed: its store is not tested.')

describe.skipIf(bin === undefined)('a store in PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres(bin as string)
  })
  afterAll(() => postgres.close())

  holdStore(async () => open(await postgres.emptyTables()))
  holdLedger(async () => open(await postgres.emptyTables()))
  holdWork(async () => open(await postgres.emptyTables()))
  holdRequests(async () => open(await postgres.emptyTables()))

  it('keeps nothing of a simulation that its tables show, and takes another secret', async () => {
    const url = await postgres.emptyTables()
    const client = await connectPg(url)

    await holdSealed(url, async () => {
      const query = `select table_name as name from information_schema.tables where table_schema = 'backlot'`
      const { rows: tables } = await client.query<{ name: string }>(query)
      const all = tables.map(({ name }) => `select t::text from backlot.${name} t`).join(' union all ')
      return (await client.query<{ t: string }>(all)).rows.map(({ t }) => t).join('\n')
    })
    await client.end()
  })

  it('warns at a start and in a check of a database that may lose confirmed changes', async () => {
    const url = await postgres.createDatabase()
    const client = await connectPg(url)
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
    await client.end()
    const warning = 'synchronous_commit is off: changes that were answered may be lost'
    const started = Promise.withResolvers<string>()
    const flags = ['serve', '--port', '0', '--store', url, '--log', 'info']
    const service = spawn(process.execPath, [CLI, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    service.stdout.on('data', (bytes) => {
      text += bytes
      if (text.includes(warning)) started.resolve(text)
    })
    service.once('close', () => started.reject(new Error(`It ended without the warning: ${text}`)))

    expect(await started.promise).toContain('"level":40')

    expect((await runCli(['serve', '--check', '--port', '0', '--store', url])).stdout).toContain(warning)
    service.kill()
  })

  it('makes its tables once where two nodes start together', async () => {
    const url = await postgres.emptyDatabase()

    const nodes = await Promise.all([open(url), open(url), open(url)])

    expect(await nodes[0]?.create(simulation('a'), 9)).toBe('created')
    expect(await nodes[2]?.find({ slug: 'slug-a' })).toMatchObject({ id: 'a' })
    for (const node of nodes) await node.close()
  })

  it('takes nothing under a lease that it was put back to before the latest renewal of', async () => {
    const url = await postgres.emptyTables()
    const store = await open(url)
    const client = await connectPg(url)
    await store.create(simulation('a'), 9)
    const { work } = store
    const claimed = (await work.claim('a', 'mine', 30_000)) as DeliveryLease
    const { until } = (await work.renew(claimed, 30_000)) as RenewedLease
    const lease = { ...claimed, until }
    expect(await work.settle(lease, { ...NOTHING, notes: 'sent' })).toBe(true)

    await client.query(`update backlot.dispatch set leased_until = leased_until - interval '1 second'`)

    expect(await work.renew(lease, 30_000)).toBeUndefined()
    expect(await work.findLease(lease)).toBeUndefined()
    expect(await work.settle(lease, { ...NOTHING, notes: 'sent again' })).toBe(false)
    expect(await work.notes('a')).toBe('sent')
    await work.release(lease, { pulse: -1, off: [], offsetMs: 0 })
    expect(await work.claim('a', 'another', 30_000)).toMatchObject({ lease: 'another' })
    await client.end()
    await store.close()
  })

  it('knows how far the clock of a machine is from its own, before it is asked anything, and when that is set', async () => {
    const url = await postgres.emptyTables()
    const clock = { now: () => systemClock.now() + 7_200_000 }

    const store = await openPg(url, 7, clock)

    expect(Math.abs(store.offsetMs + 7_200_000)).toBeLessThan(1_000)
    await store.create(simulation('a'), 9)
    clock.now = () => systemClock.now() - 60_000
    await store.heads(['a'])
    expect(Math.abs(store.offsetMs - 60_000)).toBeLessThan(1_000)
    await store.close()
  })

  it('says what to do where its database is missing, or its user may not make tables', async () => {
    const url = await postgres.createDatabase()
    const client = await connectPg(url)
    await client.query('create role stranger login')
    const refused = (address: string) => open(address).catch((error: Error) => error.message)

    expect(await refused(url.replace(/\w+$/, 'nowhere'))).toContain('Create it (`createdb`)')
    expect(await refused(url.replace('postgres@', 'stranger@'))).toContain('Grant its user CREATE on the database')
    await client.query('drop role stranger')
    await client.end()
  })

  it('has one winner among appends of several nodes at once', async () => {
    const url = await postgres.emptyTables()
    const nodes = await Promise.all(Array.from({ length: 4 }, () => open(url)))
    await nodes[0]?.create(simulation('a'), 9)

    for (let round = 0; round < 10; round++) {
      const from = { head: round, tip: round === 0 ? 'a0' : `r${round}` }
      const tips = nodes.map((_, at) => (at === 0 ? `r${round + 1}` : `other${at}`))
      const results = await Promise.all(nodes.map((node, at) => node.append([entry(from, tips[at] as string)])))
      expect(results.flat().filter((result) => result === 'kept')).toHaveLength(1)
      const head = (await nodes[0]?.heads(['a']))?.get('a')
      expect(head?.head).toBe(round + 1)
      if (head?.tip !== `r${round + 1}`) return
    }
    for (const node of nodes) await node.close()
  })

  it('takes a creation that is sent again for the same one', async () => {
    const store = await open(await postgres.emptyTables())

    expect([await store.create(simulation('a'), 9), await store.create(simulation('a'), 9)]).toEqual([
      'created',
      'created',
    ])
    await store.close()
  })

  it('refuses tables of a later release, and simulations of another engine', async () => {
    const url = await postgres.emptyDatabase()
    const store = await open(url)
    await store.create(simulation('a'), 9)
    await store.close()
    await expect(openPg(url, 8, systemClock)).rejects.toThrow('1 of its simulations are made by engine 7')
    const client = await connectPg(url)
    await client.query('update backlot.schema_version set version = 99')
    await client.end()

    await expect(open(url)).rejects.toThrow(
      `its tables have version 99, and this release reads version ${PG_MIGRATIONS.length}.`,
    )
  })

  it('forgets a description a week after the last simulation of it was removed as unused', async () => {
    const url = await postgres.emptyTables()
    const store = await open(url)
    await store.create(simulation('a'), 9)
    const client = await connectPg(url)
    await client.query(`update backlot.description set used_at = now() - interval '8 days'`)
    await client.end()
    expect(await store.description('hash-a')).toBeDefined()

    expect(await store.removeIdle('first', Date.now() + store.offsetMs + 5_000, 9)).toEqual(['a'])

    expect(await store.description('hash-a')).toBeUndefined()
    await store.close()
  })

  it('waits for a node that migrates for longer than any other statement may take', async () => {
    const url = await postgres.emptyDatabase()
    const other = await connectPg(url)
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock(hashtext('backlot.schema'))`)

    const opening = open(url)
    await other.query('select pg_sleep(2.5)')
    await other.query('commit')
    await other.end()

    const store = await opening
    expect(await store.owners()).toEqual([])
    await store.close()
  })

  it('leaves the tables to `store migrate` where an option asks for that', async () => {
    const url = await postgres.emptyDatabase()
    const openLeaving = () => openPg(url, 7, systemClock, 'off')

    await expect(openLeaving()).rejects.toThrow('Run `backlot store migrate <store>` first.')
    await expect(checkPg(url, 7, 'off')).rejects.toThrow('Run `backlot store migrate <store>` first.')
    await (await open(url)).close()

    await (await openLeaving()).close()
    expect((await checkPg(url, 7, 'off')).facts[1]).toContain(`tables of version ${PG_MIGRATIONS.length}`)
  })

  it('starts over tables that another user has made, with the right to change them alone', async () => {
    const url = await postgres.createDatabase()
    await (await open(url)).close()
    const client = await connectPg(url)
    await client.query('create role reader login; create role node login')
    await client.query(
      'grant usage on schema backlot to reader, node; grant select on all tables in schema backlot to reader',
    )
    await client.query('grant select, insert, update, delete on all tables in schema backlot to node')
    await client.end()
    const [asReader, asNode] = ['reader', 'node'].map((role) => url.replace('postgres@', `${role}@`)) as [
      string,
      string,
    ]

    await expect(checkPg(asReader, 7)).rejects.toThrow('its user may not change the tables. Grant SELECT, INSERT')
    expect((await checkPg(asNode, 7)).facts).toContainEqual(expect.stringContaining('0 simulations'))

    const simulations = [{ library: 'task-tracker' }]
    await using service = await startService({ store: asNode, addresses: 'path', simulations })
    expect(service.simulations).toHaveLength(1)
  })

  it('deletes the journal of a simulation with it', async () => {
    const url = await postgres.emptyTables()
    const store = await open(url)
    await store.create(simulation('a'), 9)
    await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])

    await store.remove('a')

    const client = await connectPg(url)
    expect((await client.query('select count(*)::int as count from backlot.journal')).rows).toEqual([{ count: 0 }])
    expect(await store.append([entry({ head: 1, tip: 'a1' }, 'a2')])).toEqual(['gone'])
    await client.end()
    await store.close()
  })

  it('works behind a pooler that loses prepared statements', async () => {
    const url = await postgres.emptyTables()
    await (await open(url)).close()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const store = new PgStore(new PgConnections(pool), systemClock)
    await store.create(simulation('a'), 9)
    await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])

    await pool.query('deallocate all')

    expect(await store.append([entry({ head: 1, tip: 'a1' }, 'a2')])).toEqual(['kept'])
    expect((await store.heads(['a'])).get('a')).toEqual({ head: 2, tip: 'a2' })
    await store.close()
  })

  it('says that a database cannot be reached, and nothing of its password', async () => {
    const error: Error = await open('postgres://me:secret@127.0.0.1:1/none').then(
      () => new Error('opened'),
      (refusal: Error) => refusal,
    )

    expect(error.message).toMatch(/^Failed to open the store: .*ECONNREFUSED/)
    expect(error.message).not.toContain('secret')
  })

  it('is unavailable while the database restarts, and works afterwards', async () => {
    const store = await open(await postgres.emptyTables())
    await store.create(simulation('a'), 9)
    await store.append([entry({ head: 0, tip: 'a0' }, 'a1')])

    await postgres.restart()

    const outcomes = await Promise.all(Array.from({ length: 3 }, () => store.heads(['a']).catch((error) => error)))
    for (const outcome of outcomes) if (!(outcome instanceof Map)) expect(outcome).toBeInstanceOf(StoreUnavailable)
    expect((await store.heads(['a'])).get('a')).toEqual({ head: 1, tip: 'a1' })
    await store.close()
  })

  it('has at two services the webhooks that an API registers, and the events that it logs', async () => {
    const url = await postgres.emptyTables()
    await holdRegistration(() => openPg(url, ENGINE, systemClock))
  })

  it('lets two services serve the same simulations', async () => {
    const store = await postgres.emptyTables()
    const accounts = [{ keys: [{ key: ACCOUNT_KEY }], plan: { simulationLimit: 2 } }]
    const options = {
      store,
      addresses: 'path' as const,
      accounts,
      simulations: [{ library: 'task-tracker', key: KEY }],
    }

    const [left, right] = await Promise.all([startService(options), startService(options)])

    expect(left.simulations[0]?.id).toBe(right.simulations[0]?.id)
    expect((await manage(left, 'POST', '/simulations', { library: 'crm', slug: 'mine' })).status).toBe(201)
    expect((await manage(right, 'POST', '/simulations', { library: 'crm' })).body.error.code).toBe('plan_limit')
    expect((await manage(right, 'GET', '/usage')).body).toMatchObject({ simulations: 2 })
    await manage(right, 'POST', '/simulations/mine/pause')
    const { data } = (await manage(left, 'GET', '/simulations')).body
    expect(data.map(({ slug, status }: Record<string, string>) => `${slug} ${status}`)).toEqual([
      'task-tracker running',
      'mine paused',
    ])
    expect((await manage(right, 'DELETE', '/simulations/mine')).status).toBe(204)
    expect((await manage(left, 'GET', '/simulations/mine')).status).toBe(404)
    expect((await manage(right, 'POST', '/simulations', { library: 'payments', slug: 'mine' })).status).toBe(201)
    expect((await manage(left, 'GET', '/simulations/mine')).body.name).toBe('payments')
    expect((await manage(left, 'GET', '/meta')).body.extensions).not.toContain('worker-sinks')
    await Promise.all([left.close(), right.close()])
  })

  it('shows the deliveries of one service at another, which may turn their clock', async () => {
    let status = 500
    let received = 0
    const server = createServer((request, response) => {
      received++
      request.resume()
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const options = {
      store: await postgres.emptyTables(),
      addresses: 'path' as const,
      accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
      allowPrivateWebhooks: ['127.0.0.1/32'],
      simulations: [{ library: 'task-tracker', key: KEY }],
    }
    const left = await startService(options)
    const right = await startService(options)
    const one = '/simulations/task-tracker'
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { id } = (await manage(left, 'POST', `${one}/webhooks`, { url, events: ['project.created'] })).body
    const deliveries = async (service: Service) =>
      (await manage(service, 'GET', `${one}/webhooks/${id}/deliveries`)).body.data

    await manage(left, 'POST', `${one}/records/projects`, { name: 'Sent' })
    expect((await manage(right, 'GET', `${one}/deliveries/settled`)).body).toEqual({ settled: true })
    expect(await deliveries(right)).toMatchObject([{ state: 'retrying', attempts: [{ status: 500 }] }])
    status = 200
    expect((await manage(left, 'POST', `${one}/deliveries/advance`, { seconds: 50 })).body).toEqual({ attempts: 0 })
    expect((await manage(right, 'POST', `${one}/deliveries/advance`, { seconds: 10 })).body).toEqual({ attempts: 1 })
    await manage(right, 'POST', `${one}/records/projects`, { name: 'Sent too' })
    await manage(left, 'GET', `${one}/deliveries/settled`)

    expect((await deliveries(left)).map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered'])
    expect(await deliveries(left)).toEqual(await deliveries(right))
    expect(received).toBe(3)
    await Promise.all([left.close(), right.close()])
    server.close()
  })

  it('shows events of one service to readers at another', async () => {
    const store = await postgres.emptyTables()
    const accounts = [{ keys: [{ key: ACCOUNT_KEY }] }]
    const options = {
      store,
      addresses: 'path' as const,
      accounts,
      simulations: [{ library: 'task-tracker', key: KEY }],
    }
    const left = await startService(options)
    const right = await startService(options)
    const headers = { authorization: `Bearer ${ACCOUNT_KEY}` }
    const stream = await right.fetch(
      new Request(`${right.url}/v1/simulations/task-tracker/activity?kinds=change`, { headers }),
    )
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()

    await manage(left, 'POST', '/simulations/task-tracker/records/projects', { name: 'Seen' })

    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"type":"project.created"')
    await reader.cancel()
    await Promise.all([left.close(), right.close()])
  })
})

const KEY = 'svc_sim_0123456789abcdef'
