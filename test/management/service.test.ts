import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startService } from '../../src/service.ts'
import { DESCRIPTION } from '../conformance/description.ts'
import { CountingClock } from '../support/counting-clock.ts'
import { freePort } from '../support/on-loopback.ts'
import { startForTest } from './start-for-test.ts'

it('answers its management API over a socket and without one alike', async () => {
  const { service } = await startForTest()
  const request = () =>
    new Request(`${service.url}/v1/usage`, { headers: { authorization: `Bearer ${service.accountKey}` } })

  const [inside, outside] = await Promise.all([service.fetch(request()), fetch(request())])

  expect(await inside.json()).toEqual(await outside.json())
})

it('gives one account without limits when none is configured', async () => {
  const { service, call } = await startForTest()

  expect(service.accountKey).toMatch(/^svc_acc_/)
  expect((await call('GET', '/v1/usage')).body).toEqual({
    plan: 'unlimited',
    status: 'active',
    creditUsd: 0,
    requestsThisMonth: 0,
    requestLimit: Number.MAX_SAFE_INTEGER,
    simulations: 0,
    simulationLimit: Number.MAX_SAFE_INTEGER,
  })
})

it('starts with simulations that suites can adopt by slug and key', async () => {
  const key = 'svc_sim_0123456789abcdef'

  const { service } = await startForTest({ simulations: [{ library: 'task-tracker', slug: 'tasks', key }] })
  const [made] = service.simulations
  const answer = await fetch(`${made?.url}/v1/tasks`, { headers: { authorization: `Bearer ${key}` } })

  expect(made).toMatchObject({ slug: 'tasks', apiKey: key })
  expect(answer.status).toBe(200)
})

it('does not start when a simulation cannot be made, and leaves no port behind', async () => {
  const free = await freePort()

  await expect(startService({ port: free, simulations: [{ library: 'unknown' }] })).rejects.toThrow('"unknown"')
  await expect(startService({ port: free, simulations: [{ library: 'crm', key: 'not a key' }] })).rejects.toThrow(
    'svc_sim_',
  )

  const { service } = await startForTest({ port: free })
  expect(new URL(service.url).port).toBe(String(free))
})

it('rejects when its port is taken', async () => {
  const { service } = await startForTest()

  await expect(startService({ port: Number(new URL(service.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

const ERRANDS = {
  slug: 'errands',
  name: 'Errands',
  provider: 'Us',
  vertical: 'home',
  description: 'What is to be done.',
  openapi: JSON.parse(DESCRIPTION),
  behaviour: [],
  volume: { tasks: 3 },
}

it('offers its own library entries besides the built-in ones', async () => {
  const { call, create } = await startForTest({ library: [ERRANDS] })

  const found = (await call('GET', '/v1/library?q=done')).body.data
  const { id } = await create({ library: 'errands' })

  expect(found).toMatchObject([{ slug: 'errands', operations: 5 }])
  expect((await call('GET', `/v1/simulations/${id}`)).body.collections).toMatchObject([{ name: 'tasks', records: 3 }])
})

it.each([
  ['volume', undefined, 'Expected `library[1].volume` to be an object, got nothing.'],
  ['openapi', undefined, 'Expected `library[1].openapi` to be an object, got nothing.'],
  ['behaviour', {}, 'Expected `library[1].behaviour` to be an array, got an object.'],
  ['slug', 'My Errands', 'Expected `library[1].slug` to be a DNS label'],
  ['volumes', {}, 'Expected `library[1]` to have no field "volumes", got one. Did you mean "volume"?'],
])('refuses a library entry whose `%s` is %s', async (field, value, message) => {
  const entry = { ...ERRANDS, [field]: value }

  await expect(startService({ library: [ERRANDS, entry] })).rejects.toThrow(message)
})

it.each(['http://api.test', 'api.test:4010', 'api.test/v1', '10.0.0.1', '.api.test', 'a b', ''])(
  'refuses the domain "%s"',
  async (domain) => {
    await expect(startService({ addresses: 'path', domain })).rejects.toThrow('Expected `domain` to be a host name')
  },
)

it("refuses a slug that reads as another simulation's id", async () => {
  const { call, create } = await startForTest()
  const { id } = await create()

  const answer = await call('POST', '/v1/simulations', { library: 'crm', slug: id })

  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
  expect(answer.body.error.message).toContain(`the slug "${id}" is taken`)
})

it('names a bound of one in the singular', async () => {
  const { call } = await startForTest()

  const answer = await call('POST', '/v1/simulations', { library: 'crm', name: '' })

  expect(answer.body.error.message).toBe('Expected `name` to have 1 to 500 characters, got 0.')
  expect((await call('POST', '/v1/simulations', { spec: '' })).body.error.message).toBe(
    'Expected `spec` to have at least 1 character, got 0.',
  )
})

it('offers library entries from folders', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'backlot-library-')), 'errands')
  onTestFinished(() => rm(join(folder, '..'), { recursive: true }))
  await (await import('node:fs/promises')).mkdir(folder)
  await writeFile(join(folder, 'openapi.json'), DESCRIPTION)

  const { create } = await startForTest({ library: [folder] })

  expect((await create({ library: 'errands' })).slug).toBe('errands')
})

it('reads a description once, however often it is simulated', async () => {
  const clock = new CountingClock()
  const { create, service } = await startForTest({ runtime: { clock } })
  const other = await startForTest({ runtime: { clock } })
  const stepsOf = async (make: () => Promise<unknown>) => {
    const before = clock.looks
    await make()
    return clock.looks - before
  }
  const spec = JSON.stringify({ ...JSON.parse(DESCRIPTION), 'x-padding': Array(60_000).fill({ deep: [1, 2, 3] }) })

  const first = await stepsOf(() => create({ spec }))
  const second = await stepsOf(() => create({ spec }))
  const elsewhere = await stepsOf(() => other.create({ spec }))

  expect(service.simulations).toEqual([])
  expect(Math.max(second, elsewhere)).toBeLessThan(first / 10)
})

it('closes with simulations alive and requests held back', async () => {
  const { service, call, create } = await startForTest()
  const made = await create()
  const config = { latencyMs: 60_000, latencyJitterMs: 0 }
  const rule = { name: 'Slow', kind: 'latency', method: '*', pathPattern: '*', config }
  await call('POST', `/v1/simulations/${made.id}/rules`, rule)
  const held = fetch(`${made.url}/v1/tasks`, { headers: { authorization: `Bearer ${made.apiKey}` } }).then(
    ({ status }) => status,
    () => 'cut',
  )
  await expect.poll(async () => (await call('GET', `/v1/simulations/${made.id}/logs`)).body.data.length).toBe(1)

  await service.close()
  await service.close()

  expect(['cut', 200]).toContain(await held)
  await expect(fetch(service.url)).rejects.toThrow()
  await expect(service.fetch(new Request(`${service.url}/v1/usage`))).rejects.toThrow(
    'Failed to call the service: it is closed.',
  )
})

it('makes requests wait while a fast-forward is under way', async () => {
  // The two seconds after which a request is refused never pass.
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) => signal?.addEventListener('abort', reject))
  const { call, create } = await startForTest({ runtime: { sleep } })
  const made = await create()
  const events: string[] = []

  await Promise.all([
    call('POST', `/v1/simulations/${made.id}/fast-forward`, { hours: 168 }).then(() => events.push('fast-forwarded')),
    fetch(`${made.url}/v1/tasks`, { headers: { authorization: `Bearer ${made.apiKey}` } }).then(async (answer) => {
      await answer.text()
      events.push(`answered ${answer.status}`)
    }),
  ])

  expect(events.toSorted()).toEqual(['answered 200', 'fast-forwarded'])
})

it('works under fake timers', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { call, create } = await startForTest()
  const made = await create()

  const { body } = await call('POST', `/v1/simulations/${made.id}/fast-forward`, { hours: 24 })

  expect(body.changes).toBeGreaterThan(0)
  expect((await call('GET', `/v1/simulations/${made.id}/deliveries/settled`)).body).toEqual({ settled: true })
})

it('lets an account key register sinks on loopback only when it was started so', async () => {
  const closed = await startForTest()
  const open = await startForTest({ workerSinks: true })
  const sink = { port: 4433, ca: 'PEM' }
  const { id } = await open.create()
  const webhook = { url: 'https://127.0.0.1:4433/h', events: ['*'] }

  const refused = await closed.call('POST', '/v1/sinks', sink)
  const before = await open.call('POST', `/v1/simulations/${id}/webhooks`, webhook)
  const registered = await open.call('POST', '/v1/sinks', sink)
  const during = await open.call('POST', `/v1/simulations/${id}/webhooks`, webhook)
  const removed = await open.call('DELETE', `/v1/sinks/${registered.body.id}`)
  const after = await open.call('POST', `/v1/simulations/${id}/webhooks`, webhook)

  expect([refused.status, registered.status, removed.status]).toEqual([404, 201, 204])
  expect([before.body.error.code, during.status, after.body.error.code]).toEqual(['unsafe_url', 201, 'unsafe_url'])
  expect((await open.call('GET', '/v1/meta')).body.extensions).toContain('worker-sinks')
  expect((await closed.call('GET', '/v1/meta')).body.extensions).not.toContain('worker-sinks')
})

it('answers preflights of web pages without a key', async () => {
  const { service } = await startForTest()

  const answer = await fetch(`${service.url}/v1/simulations`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })

  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
})

it('gives each request an id of its own', async () => {
  const { call } = await startForTest()

  const ids = await Promise.all([1, 2].map(async () => (await call('GET', '/v1/usage')).headers.get('x-request-id')))

  expect(new Set(ids).size).toBe(2)
})

it.each(['limit=1e1', 'limit=0x10', 'limit=%2B5', 'offset=', 'limit=5&limit=6'])(
  'refuses the query "%s" of a read',
  async (query) => {
    const { call, create } = await startForTest()
    const { id } = await create()

    const answer = await call('GET', `/v1/simulations/${id}/records/tasks?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect(answer.body.error.message).toContain(query.startsWith('offset') ? '`offset`' : '`limit`')
  },
)

it('lists the kinds of events that can come, and warns of a webhook for another kind', async () => {
  const { call, create } = await startForTest()
  const { id } = await create({
    spec: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': {
          get: { responses: { 200: { description: 'all', content: json({ type: 'array', items: NOTE }) } } },
        },
        '/notes/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { responses: { 200: { description: 'one', content: json(NOTE) } } },
        },
        '/status': { get: { responses: { 200: { description: 'now', content: json(STATUS) } } } },
        '/settings': {
          get: { responses: { 200: { description: 'now', content: json(STATUS) } } },
          put: {
            requestBody: { content: json(STATUS) },
            responses: { 200: { description: 'new', content: json(STATUS) } },
          },
        },
      },
    }),
  })
  const { events } = (await call('GET', `/v1/simulations/${id}`)).body

  const subscribed = await call('POST', `/v1/simulations/${id}/webhooks`, {
    url: 'https://hooks.example.com/',
    events: ['note.*', 'note.updatd', 'status.updated'],
  })

  expect(events).toEqual([
    'note.created',
    'note.updated',
    'note.deleted',
    expect.stringMatching(/^settings?\.updated$/),
  ])
  expect(subscribed.body.warnings).toEqual([
    expect.stringContaining('No event is called "note.updatd" here. Did you mean "note.updated"?'),
    expect.stringContaining('No event is called "status.updated" here.'),
  ])
})

const json = (schema: unknown) => ({ 'application/json': { schema } })
const NOTE = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, text: { type: 'string' } } }
const STATUS = { type: 'object', properties: { mood: { type: 'string' } } }

it.each([
  ['task-tracker', '/tasks', 'method_not_allowed', 'unavailable'],
  ['crm', '/contacts', 'METHOD_NOT_ALLOWED', 'UNAVAILABLE'],
  ['payments', '/invoices', 'method_not_allowed', 'paused'],
])('says in the words of %s that a method is not there and that it is paused', async (library, path, wrong, paused) => {
  const { call, create } = await startForTest()
  const { id, url, apiKey } = await create({ library })
  const { basePath } = (await call('GET', `/v1/simulations/${id}`)).body.api
  const codeOf = async (method: string) => {
    const answer = await fetch(`${url}${basePath}${path}`, { method, headers: { authorization: `Bearer ${apiKey}` } })
    const body = (await answer.json()) as { error?: { code: string }; code?: string }
    return [answer.status, body.error?.code ?? body.code]
  }

  expect(await codeOf('PROPFIND')).toEqual([405, wrong])
  await call('POST', `/v1/simulations/${id}/pause`)
  expect(await codeOf('GET')).toEqual([503, paused])
})
