import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import type { Delivery, DeliveryDetail, WebhookFault, WebhookState } from '../../src/protocol/webhook.ts'
import { type Service, startOperated, startService } from '../../src/service/start.ts'
import { callerOf } from '../management/start-for-test.ts'
import { ACCOUNT_KEY } from './manage.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-deliveries-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** An endpoint on this machine, as an application has one. */
class Endpoint {
  readonly received: { readonly delivery: string; readonly type: string; readonly at: number }[] = []
  status = 200
  /** Answers nothing for now. */
  hangs = false
  readonly #held: (() => void)[] = []
  /** Requests whose sender has left without an answer. */
  left = 0
  readonly #server = createServer((request, response) => {
    request.resume()
    response.on('close', () => {
      if (!response.writableFinished) this.left++
    })
    request.on('end', () => {
      const { headers } = request
      this.received.push({
        delivery: String(headers['svc-delivery']),
        type: String(headers['svc-event']),
        at: Date.now(),
      })
      const answer = () => response.writeHead(this.status).end()
      if (this.hangs) this.#held.push(answer)
      else answer()
    })
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  /** Answers what it has held. */
  goOn(): void {
    this.hangs = false
    for (const answer of this.#held.splice(0)) answer()
  }

  async until(count: number): Promise<void> {
    await expect.poll(() => this.received.length).toBeGreaterThanOrEqual(count)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

let endpoint: Endpoint
let url: string
let file: string
beforeEach(async () => {
  endpoint = new Endpoint()
  url = await endpoint.listen()
  file = join(folder, `${++files}.db`)
})
afterEach(() => endpoint.close())

const optionsFor = (simulations: { library: string }[]) => ({
  store: file,
  addresses: 'path' as const,
  accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
  allowPrivateWebhooks: ['127.0.0.1/32'],
  simulations,
})

const start = (simulations = [{ library: 'task-tracker' }]) => startService(optionsFor(simulations))

async function manage<Answer>(service: Service, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await callerOf(service)(method, `/v1/simulations/task-tracker${path}`, body)
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body as Answer
}

async function register(service: Service, events = ['project.*']): Promise<string> {
  return (await manage<{ id: string }>(service, 'POST', '/webhooks', { url, events })).id
}

const create = (service: Service, name = 'Sent') => manage(service, 'POST', '/records/projects', { name })
const settle = (service: Service) => manage<{ settled: boolean }>(service, 'GET', '/deliveries/settled?timeoutMs=8000')
const deliveriesOf = async (service: Service, webhook: string) =>
  (await manage<{ data: Delivery[] }>(service, 'GET', `/webhooks/${webhook}/deliveries`)).data
const advance = (service: Service, body: object) =>
  manage<{ attempts: number }>(service, 'POST', '/deliveries/advance', body)

it('continues retries after a restart, with the same delivery id', async () => {
  const before = await start()
  const webhook = await register(before)
  endpoint.status = 500
  await create(before)
  expect(await settle(before)).toEqual({ settled: true })
  const [waiting] = await deliveriesOf(before, webhook)
  await before.close()

  const after = await start()

  expect(waiting).toMatchObject({ state: 'retrying', attempts: [{ status: 500 }], event: { type: 'project.created' } })
  expect(await deliveriesOf(after, webhook)).toEqual([waiting])
  expect((await manage<{ data: WebhookState[] }>(after, 'GET', '/webhooks')).data).toMatchObject([{ failures: 0 }])
  endpoint.status = 200
  expect(await advance(after, { until: 'next' })).toEqual({ attempts: 1 })
  const [sent] = await deliveriesOf(after, webhook)
  expect(sent).toMatchObject({ id: waiting?.id, state: 'delivered', attempts: [{ status: 500 }, { status: 200 }] })
  expect(endpoint.received.map(({ delivery }) => delivery)).toEqual([waiting?.id, waiting?.id])
  await after.close()
})

it('sends after a restart what was never sent, in its order, before anybody asks for the simulation', async () => {
  const before = await start()
  const webhook = await register(before)
  endpoint.hangs = true
  for (const name of ['one', 'two', 'three']) await create(before, name)
  await endpoint.until(1)
  const ids = (await deliveriesOf(before, webhook)).map(({ id }) => id)
  await before.close()
  endpoint.hangs = false
  endpoint.received.length = 0

  const after = await start([])
  await endpoint.until(3)

  expect(endpoint.received.map(({ delivery }) => delivery)).toEqual(ids)
  expect(await settle(after)).toEqual({ settled: true })
  expect((await deliveriesOf(after, webhook)).map(({ id, state, attempts }) => [id, state, attempts.length])).toEqual(
    ids.map((id) => [id, 'delivered', 1]),
  )
  await after.close()
})

it('runs a plan after a restart that webhooks wait for, before anybody asks for the simulation', async () => {
  const before = await start()
  await register(before)
  const step = { kind: 'create', collection: 'projects', count: 1 }
  await manage(before, 'PUT', '/behaviour', { rules: [{ name: 'often', everySeconds: 1, steps: [step] }] })
  await before.close()
  const known = endpoint.received.length

  const after = await start([])
  await endpoint.until(known + 2)

  await after.close()
})

it('turns the delivery clock from due time to due time, and keeps it turned', async () => {
  const before = await start()
  const webhook = await register(before)
  endpoint.status = 500
  await create(before)
  await create(before)

  expect(await advance(before, { seconds: 400 })).toEqual({ attempts: 4 })
  const turned = await deliveriesOf(before, webhook)
  await before.close()
  const after = await start()

  expect(turned.map(({ attempts }) => attempts.length)).toEqual([3, 3])
  const aheadMs = Date.parse(String(turned[0]?.nextAttemptAt)) - Date.parse(String(turned[0]?.attempts[0]?.at))
  expect(Math.round(aheadMs / 60_000)).toBe(36)
  expect(await advance(after, { seconds: 1_700 })).toEqual({ attempts: 0 })
  expect(await advance(after, { until: 'drained' })).toEqual({ attempts: 6 })
  expect((await deliveriesOf(after, webhook)).map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['failed', 6],
    ['failed', 6],
  ])
  expect((await manage<{ data: WebhookState[] }>(after, 'GET', '/webhooks')).data).toMatchObject([{ failures: 2 }])
  await after.close()
})

it('drops what waits at a reset and with a webhook that is removed', async () => {
  const service = await start()
  const [kept, removed] = [await register(service), await register(service)]
  endpoint.status = 500
  await create(service)
  await settle(service)

  await manage(service, 'DELETE', `/webhooks/${removed}`)
  expect(await deliveriesOf(service, kept)).toMatchObject([{ state: 'retrying' }])
  await manage(service, 'POST', '/reset')

  expect(await deliveriesOf(service, kept)).toEqual([])
  expect(await advance(service, { until: 'drained' })).toEqual({ attempts: 0 })
  expect(endpoint.received).toHaveLength(2)
  endpoint.status = 200
  await create(service)
  await settle(service)
  expect(await deliveriesOf(service, kept)).toMatchObject([{ state: 'delivered' }])
  await service.close()
})

it('saves the result of an attempt during which another webhook was removed', async () => {
  const service = await start()
  const [kept, removed] = [await register(service), await register(service)]
  endpoint.status = 500
  endpoint.hangs = true
  await create(service)
  await endpoint.until(2)

  await manage(service, 'DELETE', `/webhooks/${removed}`)
  endpoint.goOn()
  await settle(service)

  expect(await deliveriesOf(service, kept)).toMatchObject([{ state: 'retrying', attempts: [{ status: 500 }] }])
  expect(endpoint.received).toHaveLength(2)
  await service.close()
})

it('switches an endpoint off after 50 failures, and sends what it held when it is switched on again', async () => {
  const before = await start()
  const webhook = await register(before)
  endpoint.status = 500
  for (let count = 0; count < 51; count++) await create(before)
  await settle(before)
  await advance(before, { until: 'drained' })
  const off = (await manage<{ data: WebhookState[] }>(before, 'GET', '/webhooks')).data
  await before.close()
  const after = await start()
  endpoint.status = 200

  expect(off).toMatchObject([{ state: 'off', failures: 50 }])
  expect((await manage<{ data: WebhookState[] }>(after, 'GET', '/webhooks')).data).toEqual(off)
  expect((await deliveriesOf(after, webhook)).filter(({ state }) => state === 'held')).toHaveLength(1)
  await manage(after, 'POST', `/webhooks/${webhook}/enable`)
  await advance(after, { until: 'drained' })
  expect((await deliveriesOf(after, webhook)).at(-1)).toMatchObject({ state: 'delivered' })
  expect((await manage<{ data: WebhookState[] }>(after, 'GET', '/webhooks')).data).toMatchObject([
    { state: 'active', failures: 0 },
  ])
  await after.close()
})

it('keeps what faults have done', async () => {
  const before = await start()
  const webhook = await register(before)
  await manage(before, 'POST', '/webhook-faults', { kind: 'drop', times: 1 })
  await create(before)
  await settle(before)
  await before.close()

  const after = await start()
  await create(after)
  await settle(after)

  expect((await deliveriesOf(after, webhook)).map(({ state }) => state)).toEqual(['failed', 'delivered'])
  const { data } = await manage<{ data: WebhookFault[] }>(after, 'GET', '/webhook-faults')
  expect(data[0]?.firings).toHaveLength(1)
  await after.close()
})

it('sends thousands of events of one fast-forward, each once', async () => {
  const service = await start()
  const webhook = await register(service, ['*'])
  await manage(service, 'POST', '/fast-forward', { hours: 24 * 14 })
  // On a machine that is loaded they take longer than one settling waits.
  while (!(await settle(service)).settled) {}

  const deliveries = new Set(endpoint.received.map(({ delivery }) => delivery))
  expect(deliveries.size).toBe(endpoint.received.length)
  expect(deliveries.size).toBeGreaterThan(500)
  const kept = await deliveriesOf(service, webhook)
  expect(kept.every(({ state }) => state === 'delivered')).toBe(true)
  expect(kept.length).toBe(Math.min(1_000, deliveries.size))
  await service.close()
})

it('shows and repeats after a restart what was sent before', async () => {
  const before = await start()
  const webhook = await register(before)
  endpoint.status = 500
  for (const name of ['one', 'two']) await create(before, name)
  await settle(before)
  await advance(before, { until: 'drained' })
  const failed = await deliveriesOf(before, webhook)
  await before.close()
  const after = await start()
  endpoint.status = 200
  const path = `/webhooks/${webhook}/deliveries`

  const detail = await manage<DeliveryDetail>(after, 'GET', `${path}/${failed[0]?.id}`)
  const replayed = await manage<DeliveryDetail>(after, 'POST', `${path}/${failed[0]?.id}/replay`, {})
  await settle(after)

  expect(detail).toMatchObject({
    state: 'failed',
    attempts: [{ request: { body: expect.stringContaining('one') } }, {}, {}, {}, {}, {}],
  })
  expect(detail.attempts[0]?.signature).toMatchObject({ isValid: true })
  expect(replayed).toMatchObject({ state: 'delivered', attempts: { 6: { status: 200, trigger: 'manual' } } })
  expect((await deliveriesOf(after, webhook)).map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['delivered', 7],
    ['failed', 6],
  ])
  expect((await manage<{ data: WebhookState[] }>(after, 'GET', '/webhooks')).data).toMatchObject([{ failures: 0 }])
  await after.close()
})

it('starts where an address is no longer allowed: its endpoint is off, with the reason, and a warning is logged', async () => {
  const states = async (service: Service) => (await manage<{ data: WebhookState[] }>(service, 'GET', '/webhooks')).data
  const before = await start()
  const id = await register(before)
  await before.close()
  const lines: string[] = []
  const asked = {
    port: undefined,
    host: '127.0.0.1',
    log: 'info' as const,
    write: (line: string) => void lines.push(line),
  }

  const after = await startOperated({ ...optionsFor([{ library: 'task-tracker' }]), allowPrivateWebhooks: [] }, asked)

  const reason = expect.stringContaining('`allowPrivateWebhooks`')
  expect(await states(after)).toMatchObject([{ id, state: 'off', reason }])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'webhook refused', webhook: id, reason },
  ])
  await expect(manage(after, 'POST', `/webhooks/${id}/enable`)).rejects.toThrow('answered 400')
  await create(after)
  expect(await settle(after)).toEqual({ settled: true })
  await after.close()
  const again = await start()
  expect(await states(again)).toMatchObject([{ id, state: 'off', failures: 0 }])
  await manage(again, 'POST', `/webhooks/${id}/enable`)
  await create(again, 'later')
  await settle(again)
  expect(await states(again)).toMatchObject([{ id, state: 'active' }])
  expect(endpoint.received).toHaveLength(1)
  await again.close()
})

it('ends deliveries while answers that are under way get their time to leave', async () => {
  const service = await startOperated(optionsFor([{ library: 'task-tracker' }]), {
    port: undefined,
    host: '127.0.0.1',
    log: 'off',
    write: () => {},
  })
  await register(service)
  await manage(service, 'POST', '/rules', {
    name: 'hold',
    kind: 'timeout',
    method: 'GET',
    pathPattern: '/*',
    config: { holdMs: 0 },
  })
  endpoint.hangs = true
  await create(service)
  await endpoint.until(1)
  const [simulation] = service.simulations
  const headers = { authorization: `Bearer ${simulation?.apiKey}` }
  const held = fetch(`${simulation?.url}/v1/projects`, { headers }).catch(() => 'cut off')

  await service.drain({ delayMs: 0, mostMs: 1_200 })

  expect(endpoint.left).toBe(1)
  await service.close()
  expect(await held).toBe('cut off')
})

it('adds up turns of the delivery clock, also where nothing is sent in between', async () => {
  const before = await start()
  await register(before)
  endpoint.status = 500
  await create(before)
  await settle(before)

  expect(await advance(before, { seconds: 20 })).toEqual({ attempts: 0 })
  expect(await advance(before, { seconds: 20 })).toEqual({ attempts: 0 })
  await before.close()
  const after = await start([])
  expect(await advance(after, { seconds: 20 })).toEqual({ attempts: 1 })
  await after.close()
})
