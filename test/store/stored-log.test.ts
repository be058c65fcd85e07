import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ManagementClient } from '../../src/client/management-client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Service, startOver, startService } from '../../src/service/start.ts'
import { type Store, StoreUnavailable } from '../../src/service/store/store.ts'
import { ACCOUNT_KEY } from './manage.ts'
import { MemoryStore } from './memory/memory-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'svc_sim_0123456789abcdef'
const TASKS = 'task-tracker'

const OPTIONS = {
  addresses: 'path' as const,
  accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
  simulations: [{ library: TASKS, key: KEY }],
}

const clientOf = ({ url }: Service) => new ManagementClient({ baseUrl: url, accountKey: ACCOUNT_KEY })

const call = (service: Service, path: string, init: RequestInit = {}) =>
  fetch(`${service.url}/s/${TASKS}/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  })

const create = (service: Service, name: string) =>
  call(service, '/projects', { method: 'POST', body: JSON.stringify({ name, key: name.toUpperCase() }) })

async function countRequests({ url }: Service): Promise<number> {
  const headers = { authorization: `Bearer ${ACCOUNT_KEY}` }
  const answer = await fetch(`${url}/v1/simulations?detail=true`, { headers })
  const { data } = (await answer.json()) as { data: { requests: number }[] }
  return data[0]?.requests ?? 0
}

it('has after a restart the requests of before, with their details', async () => {
  const store = join(folder, 'restart.db')
  const before = await startService({ ...OPTIONS, store })
  await create(before, 'kept')
  await call(before, '/nowhere?page=2')
  const shown = await clientOf(before).readLogs(TASKS)
  await before.close()

  await using after = await startService({ ...OPTIONS, store })
  const client = clientOf(after)
  await call(after, '/projects')

  const [latest, ...older] = await client.readLogs(TASKS)
  expect(latest).toMatchObject({ method: 'GET', path: '/v1/projects', status: 200 })
  expect(older).toEqual(shown)
  expect(older).toMatchObject([
    { path: '/v1/nowhere?page=2', status: 404 },
    { method: 'POST', status: 201 },
  ])
  const detail = await client.call('readLog', { parameters: { id: TASKS, requestId: String(older[1]?.id) } })
  expect(detail.request).toMatchObject({ headers: { authorization: expect.stringMatching(/…$/) } })
  expect(JSON.parse(detail.request.body ?? '')).toEqual({ name: 'kept', key: 'KEPT' })
  expect(detail.changes).toMatchObject([{ type: 'project.created' }])
  expect(JSON.stringify(detail)).not.toContain(KEY)
  const page = await client.readLogs(TASKS, { after: older[0]?.id ?? '' })
  expect(page.map(({ id }) => id)).toEqual([latest?.id])
  const missing = client.call('readLog', { parameters: { id: TASKS, requestId: 'req_1' } })
  await expect(missing).rejects.toMatchObject({ status: 404 })
})

it('shows on each node what any has answered, in the order of the answers', async () => {
  const store = new MemoryStore(systemClock)
  await using first = await startOver(store, OPTIONS)
  await using second = await startOver(store, OPTIONS)
  const paths = Array.from({ length: 30 }, (_, at) => `/nowhere/${at}`)
  for (const [at, path] of paths.entries()) await call(at % 2 === 0 ? first : second, path)

  const shown = await Promise.all([first, second].map((service) => clientOf(service).readLogs(TASKS)))

  expect(shown[0]?.map(({ path }) => path)).toEqual(paths.toReversed().map((path) => `/v1${path}`))
  expect(shown[1]).toEqual(shown[0])
  // Whoever has read the log sees from then on at once what was answered before.
  for (let round = 0; round < 5; round++) {
    const { status } = await create(first, `p${round}`)
    const [latest] = await clientOf(second).readLogs(TASKS, { limit: 1, detail: true })
    expect([status, latest?.request.body]).toEqual([201, expect.stringContaining(`"p${round}"`)])
  }
  expect(await countRequests(second)).toBe(35)
})

it('shows an answer that is held back, and when it has left, on another node', async () => {
  const store = new MemoryStore(systemClock)
  await using first = await startOver(store, OPTIONS)
  await using second = await startOver(store, OPTIONS)
  const client = clientOf(second)
  const rule = await client.addRule(TASKS, {
    name: 'slow',
    kind: 'latency',
    method: 'GET',
    pathPattern: '/v1/projects',
    config: { latencyMs: 60_000 },
  })
  const answer = call(first, '/projects')
  const status = async () => (await client.readLogs(TASKS))[0]?.status
  await expect.poll(status).toBe(null)

  // The node that holds an answer lets it go.
  await clientOf(first).removeRule(TASKS, rule.id)

  expect((await answer).status).toBe(200)
  await expect.poll(status).toBe(200)
  expect(await client.readLogs(TASKS)).toHaveLength(1)
})

it('keeps what was answered while the store took no logs, once', async () => {
  const store = new MemoryStore(systemClock)
  let isAway = true
  const add = store.requests.add.bind(store.requests)
  store.requests.add = async (rows) => {
    await add(rows)
    if (isAway) throw new StoreUnavailable('away')
  }
  await using service = await startOver(store as Store, OPTIONS)
  await call(service, '/projects')
  await clientOf(service).readLogs(TASKS)
  isAway = false
  await call(service, '/nowhere')

  const shown = await clientOf(service).readLogs(TASKS)

  expect(shown.map(({ status }) => status)).toEqual([404, 200])
  expect(await countRequests(service)).toBe(2)
})

it('counts every request of more at once than the log keeps', async () => {
  const rows = Promise.withResolvers<void>()
  const store = new MemoryStore(systemClock)
  const add = store.requests.add.bind(store.requests)
  store.requests.add = async (given) => {
    await rows.promise
    return add(given)
  }
  await using service = await startOver(store, OPTIONS)
  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 100 }, () => call(service, '/nowhere').then((answer) => answer.text())))
  }
  rows.resolve()

  expect(await countRequests(service)).toBe(1_200)
  expect(await clientOf(service).readLogs(TASKS, { limit: 1_000 })).toHaveLength(1_000)
})
