import { afterEach, expect, it, vi } from 'vitest'
import { ManagementClient } from '../../src/client/management-client.ts'
import { ApiError } from '../../src/protocol/errors.ts'
import type { ClockReading } from '../../src/protocol/reads.ts'
import { startService } from '../../src/service/start.ts'
import { answerJson, startAnswering } from '../support/answering.ts'
import { firstEventIn } from '../support/first-event.ts'

const accountKey = 'svc_acc_test'
const error = (code: string, message: string) => ({ error: { code, message } })

afterEach(() => {
  vi.useRealTimers()
})

it('walks the specification through the service in this process, without a socket', async () => {
  await using service = await startService()
  const client = new ManagementClient({
    baseUrl: service.url,
    accountKey: service.accountKey,
    transport: service.exchange,
  })

  const created = await client.createSimulation({ library: 'task-tracker', name: 'walk', seed: 7 })
  const rule = await client.addRule(created.id, {
    name: 'slow',
    kind: 'latency',
    method: 'GET',
    pathPattern: '/tasks*',
    config: { latencyMs: 1 },
  })
  const plan = await client.setBehaviour(created.slug, [{ everySeconds: 60, steps: [] }])
  await client.pause(created.id)
  await client.resume(created.id)
  const forward = await client.fastForward(created.id, 0.25)
  await client.setAccess(created.id, { ipAllowlist: ['10.0.0.0/8'] })
  const key = await client.issueKey(created.id, 'ci')
  const detail = await client.getSimulation(created.slug)
  const records = await client.readRecords(created.id, 'tasks', { limit: 2 })

  expect(created.apiKey).toMatch(/^svc_sim_/)
  expect(created.leftOut).toEqual([])
  expect(plan?.rules).toHaveLength(1)
  expect(forward.hours).toBe(0.25)
  expect(key.apiKey).toMatch(/^svc_sim_/)
  expect(detail.rules.map(({ id }) => id)).toEqual([rule.id])
  expect(detail.access.ipAllowlist).toContain('10.0.0.0/8')
  expect(records.data).toHaveLength(2)
  expect(await client.readEvents(created.id)).toEqual([])
  expect(await client.readLogs(created.id)).toEqual([])
  expect((await client.searchLibrary({ q: 'task' })).map(({ slug }) => slug)).toContain('task-tracker')
  expect((await client.usage()).simulations).toBe(1)
  expect(await client.removeRule(created.id, rule.id)).toBe(true)
  expect(await client.removeRule(created.id, rule.id)).toBe(false)
  expect(await client.listSimulations()).toHaveLength(1)
  expect(await client.deleteSimulation(created.id)).toBe(true)
  expect(await client.deleteSimulation(created.id)).toBe(false)
})

it('uses the extensions of a service that has them', async () => {
  await using service = await startService()
  const client = new ManagementClient({ baseUrl: service.url, accountKey: service.accountKey })
  const { id } = await client.createSimulation({ library: 'task-tracker', epoch: '2030-01-01T00:00:00Z' })
  const parameters = { id }

  const { id: snapshotId } = await client.call<{ id: string }>('takeSnapshot', { parameters })
  await client.fastForward(id, 24)
  const clock = await client.call<ClockReading>('readClock', { parameters })
  await client.call('restoreSnapshot', { parameters: { id, snapshotId } })

  expect(clock.now.slice(0, 10)).toBe('2030-01-02')
  expect((await client.call('readClock', { parameters })).now.slice(0, 10)).toBe('2030-01-01')
  expect((await client.call('readBehaviour', { parameters })).rules.length).toBeGreaterThan(0)
  expect(await client.call('listWebhooks', { parameters })).toEqual({ data: [] })
  expect(await client.call('areDeliveriesSettled', { parameters })).toEqual({ settled: true })
  expect(await client.call('advanceDeliveries', { parameters, body: { seconds: 60 } })).toEqual({ attempts: 0 })
  expect(await client.delete('removeWebhook', { parameters: { id, webhookId: 'none' } })).toBe(false)
  await client.close()
})

it('streams events as they happen, until it is stopped', async () => {
  await using service = await startService()
  const client = new ManagementClient({ baseUrl: service.url, accountKey: service.accountKey })
  const { id } = await client.createSimulation({ library: 'task-tracker' })
  const stop = new AbortController()
  const headers = { accept: 'text/event-stream' }

  const body = await client.call('streamActivity', {
    parameters: { id },
    query: { kinds: 'change' },
    headers,
    signal: stop.signal,
  })
  await client.fastForward(id, 48)

  expect(await firstEventIn(body)).toMatchObject({ type: expect.stringMatching(/^\w+\.(created|updated|deleted)$/) })
  stop.abort()
  await client.close()
})

it.each(['localhost:4010', '127.0.0.1:4010', 'ftp://127.0.0.1', 'nonsense', ''])(
  'refuses %j as the address of a service',
  (baseUrl) => {
    expect(() => new ManagementClient({ baseUrl, accountKey })).toThrow(
      `Expected \`baseUrl\` to be an http or https URL such as http://127.0.0.1:4010, got ${JSON.stringify(baseUrl)}.`,
    )
  },
)

it('can be used again after it was closed', async () => {
  await using service = await startAnswering((_, __, response) => answerJson(response, 200, { simulations: 1 }))
  const client = new ManagementClient({ baseUrl: service.url, accountKey })
  await client.usage()

  await client.close()

  expect(await client.usage()).toEqual({ simulations: 1 })
  await client.close()
})

it('never sends fields that a service does not have, and names them', async () => {
  await using service = await startAnswering((request, _, response) => {
    if (request.path === '/v1/meta') return answerJson(response, 404, error('not_found', 'no'))
    answerJson(response, 201, { id: '1', slug: 's', url: 'https://s', status: 'queued', apiKey: 'svc_sim_1', note: '' })
  })
  const client = new ManagementClient({ baseUrl: `${service.url}/v1/`, accountKey })

  const created = await client.createSimulation({ library: 'crm', seed: 1, validation: 'off', rules: [] })

  expect(JSON.parse(service.seen[1]?.body ?? '')).toEqual({ library: 'crm' })
  expect(created.leftOut).toEqual(['seed', 'validation', 'rules'])
  await expect(client.call('takeSnapshot', { parameters: { id: '1' } })).rejects.toThrow(
    `Failed to use "snapshots": the service at ${service.url} does not offer it.`,
  )
  expect(service.seen).toHaveLength(2)
  await client.close()
})

it('sends the account key as a bearer token and bodies as JSON', async () => {
  await using service = await startAnswering((_, __, response) => answerJson(response, 200, { ok: true }))
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  await client.setAccess('a b', { ipRestrictionEnabled: true })

  const [request] = service.seen
  expect(request?.method).toBe('PUT')
  expect(request?.path).toBe('/v1/simulations/a%20b/access')
  expect(request?.headers.authorization).toBe(`Bearer ${accountKey}`)
  expect(request?.headers['content-type']).toBe('application/json')
  expect(request?.body).toBe('{"ipRestrictionEnabled":true}')
  await client.close()
})

it('turns an error body into an ApiError with status, code and message', async () => {
  await using service = await startAnswering((_, __, response) =>
    answerJson(response, 402, error('plan_limit', 'At most 3.'), { 'x-request-id': 'r1' }),
  )
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  const failure = await client.issueKey('s', 'k').catch((cause: unknown) => cause)

  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ status: 402, code: 'plan_limit', message: 'At most 3.', requestId: 'r1' })
  await client.close()
})

it('says so when an error answer is not from a simulation service', async () => {
  await using service = await startAnswering((_, __, response) => {
    response.writeHead(403, { 'content-type': 'text/html' })
    response.end('<h1>Proxy</h1>')
  })
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  await expect(client.usage()).rejects.toThrow(
    'Failed to read usage: the answer is 403 with "<h1>Proxy</h1>". Expected { error: { code, message } }',
  )
  await client.close()
})

it('says so when an address answers something else than JSON', async () => {
  await using service = await startAnswering((_, __, response) => response.end('<!doctype html>'))
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  await expect(client.meta()).rejects.toThrow(
    `the answer of ${service.url}/v1/meta is no JSON but "<!doctype html>". Check that BACKLOT_URL`,
  )
  await client.close()
})

it('repeats what is safe to repeat after a passing failure', async () => {
  await using service = await startAnswering((_, at, response) => {
    if (at === 0) return answerJson(response, 503, error('unavailable', 'later'))
    if (at === 1) return response.destroy()
    answerJson(response, 200, { data: [] })
  })
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  expect(await client.listSimulations()).toEqual([])

  expect(service.seen).toHaveLength(3)
  await client.close()
})

it('does not repeat a creation that may have been made', async () => {
  await using service = await startAnswering((request, _, response) => {
    if (request.path === '/v1/meta') return answerJson(response, 404, error('not_found', 'no'))
    response.destroy()
  })
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  await expect(client.createSimulation({ library: 'crm' })).rejects.toThrow('Failed to create simulation: ')

  expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  await client.close()
})

it('repeats a creation that was put off with Retry-After', async () => {
  await using service = await startAnswering((_request, at, response) => {
    if (at === 0) return answerJson(response, 429, error('too_many', 'later'), { 'retry-after': '0' })
    answerJson(response, 201, { id: '1' })
  })
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  expect((await client.createSimulation({ library: 'crm' })).id).toBe('1')

  expect(service.seen).toHaveLength(2)
  await client.close()
})

it('gives up after its time limit, and names the limit and the address', async () => {
  await using service = await startAnswering(() => {})
  const client = new ManagementClient({ baseUrl: service.url, accountKey, timeoutMs: 50, retries: 0 })

  await expect(client.usage()).rejects.toThrow(
    `Failed to read usage: no answer within 50 ms (GET ${service.url}/v1/usage). Raise \`timeoutMs\` if the service or this machine is busy, or check the address (BACKLOT_URL or \`service.baseUrl\`).`,
  )
  await client.close()
})

it("stops at once with the caller's reason when the signal aborts", async () => {
  await using service = await startAnswering(() => stop.abort(new Error('enough')))
  const stop = new AbortController()
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  await expect(client.getSimulation('s', { signal: stop.signal })).rejects.toThrow('enough')

  expect(service.seen).toHaveLength(1)
  await client.close()
})

it('works while timers are faked, after a connection was kept from before', async () => {
  await using service = await startAnswering((_, at, response) =>
    at === 2 ? answerJson(response, 503, error('unavailable', 'later')) : answerJson(response, 200, { data: [] }),
  )
  const client = new ManagementClient({ baseUrl: service.url, accountKey })
  await client.listSimulations()

  vi.useFakeTimers()
  for (let call = 0; call < 4; call++) expect(await client.listSimulations()).toEqual([])
  vi.useRealTimers()

  expect(await client.listSimulations()).toEqual([])
  expect(service.seen).toHaveLength(7)
  await client.close()
})

it('follows further pages of a list where a service has them', async () => {
  await using service = await startAnswering((request, _, response) =>
    request.path === '/v1/simulations'
      ? answerJson(response, 200, { data: [{ id: '1' }], next: '/v1/simulations?after=1' })
      : answerJson(response, 200, { data: [{ id: '2' }] }),
  )
  const client = new ManagementClient({ baseUrl: service.url, accountKey })

  expect((await client.listSimulations()).map(({ id }) => id)).toEqual(['1', '2'])
  await client.close()
})
