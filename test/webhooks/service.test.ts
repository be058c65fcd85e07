import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Delivery } from '../../src/protocol/webhook.ts'
import { type Service, startService } from '../../src/service/start.ts'
import type { SinkPath } from '../../src/sink/sink-path.ts'
import { startSink, type WebhookSink } from '../../src/sink/webhook-sink.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'

let service: Service
let sink: WebhookSink

beforeAll(async () => {
  service = await startService()
  sink = await startSink()
  service.exemptSink({ ip: sink.ip, port: sink.port, ca: async () => (await sink.ca()) ?? '' })
})
afterAll(async () => {
  await service.close()
  await sink.close()
})

/** A simulation of the task tracker whose webhook goes to the sink. */
async function open(path: SinkPath = sink.open()) {
  const call = async <T>(method: string, target: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await service.fetch(new Request(`${service.url}/v1/simulations${target}`, init))
    if (!answer.ok) throw new Error(await answer.text())
    return (answer.status === 204 ? undefined : await answer.json()) as T
  }
  const { id, url, apiKey } = await call<{ id: string; url: string; apiKey: string }>('POST', '', {
    library: 'task-tracker',
  })
  const webhook = await call<{ id: string; secret: string }>('POST', `/${id}/webhooks`, {
    url: path.url,
    events: ['*'],
  })
  path.trust({ webhookId: webhook.id, secret: webhook.secret })
  return {
    path,
    manage: <T>(method: string, target: string, body?: unknown) => call<T>(method, `/${id}${target}`, body),
    deliveries: async () => (await call<{ data: Delivery[] }>('GET', `/${id}/webhooks/${webhook.id}/deliveries`)).data,
    settled: () => call('GET', `/${id}/deliveries/settled`),
    async change(): Promise<void> {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/projects`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'Launch' }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
  }
}

it('delivers a change as the simulated API shows the record', async () => {
  const simulation = await open()

  await simulation.change()
  const [webhook] = (await simulation.path.inbox.waitFor({ matches: () => true }, { timeoutMs: 120_000 })) ?? []

  expect(webhook).toMatchObject({ type: 'project.created', data: { object: { name: 'Launch' } }, verified: true })
})

it('does not move the delivery clock by a fast-forward', async () => {
  const simulation = await open()
  simulation.path.respond({ status: 500 }, ({ type }) => type === 'project.created')
  await simulation.change()
  await simulation.settled()

  await simulation.manage('POST', '/fast-forward', { hours: 24 })
  await simulation.settled()

  const delivery = (await simulation.deliveries()).find(({ event }) => event.type === 'project.created')
  expect(delivery).toMatchObject({ state: 'retrying', attempts: { length: 1 } })
})

it('continues retries while the simulation is paused', async () => {
  const simulation = await open()
  simulation.path.respond({ status: 500, times: 1 })
  await simulation.change()
  await simulation.settled()
  await simulation.manage('POST', '/pause')

  const { attempts } = await simulation.manage<{ attempts: number }>('POST', '/deliveries/advance', { seconds: 60 })

  expect(attempts).toBe(1)
  expect(await simulation.deliveries()).toMatchObject([{ state: 'delivered' }])
})

it('drops what waits when the world is reset, keeps the webhook, and never repeats an id', async () => {
  const simulation = await open()
  await simulation.change()
  await simulation.settled()
  simulation.path.respond({ status: 500, times: 1 })
  await simulation.change()
  await simulation.settled()

  await simulation.manage('POST', '/reset')
  await simulation.change()
  await simulation.settled()

  expect((await simulation.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(new Set(simulation.path.inbox.all().map(({ deliveryId }) => deliveryId)).size).toBe(3)
  expect(simulation.path.inbox.rejected()).toEqual([])
})

it('spoils deliveries through the management API', async () => {
  const simulation = await open()
  const fault = await simulation.manage<{ id: string }>('POST', '/webhook-faults', { kind: 'badSignature', times: 1 })

  await simulation.change()
  await simulation.settled()

  expect(simulation.path.inbox.rejected()).toMatchObject([{ reason: 'signature_mismatch' }])
  expect(await simulation.manage('GET', '/webhook-faults')).toMatchObject({ data: [{ firings: [{ attempt: 1 }] }] })
  await simulation.manage('DELETE', `/webhook-faults/${fault.id}`)
  await expect(simulation.manage('POST', '/webhook-faults', { kind: 'gremlins' })).rejects.toThrow(/invalid_request/)
})

it('ends deliveries with their simulation', async () => {
  const simulation = await open()
  simulation.path.respond({ hang: true })
  await simulation.change()
  await simulation.path.inbox.waitFor({ matches: () => true }, { timeoutMs: 120_000 })

  await simulation.manage('DELETE', '')

  await expect(simulation.deliveries()).rejects.toThrow(/not_found/)
})

it('refuses one webhook more than the plan allows, after it has judged the address', async () => {
  await using limited = await startService({
    accounts: [{ name: 'small', plan: { webhooksPerSimulation: 1 } }],
    runtime: { resolve: async () => ['8.8.8.8'] },
  })
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${limited.accountKey}`, 'content-type': 'application/json' }
    const answer = await fetch(`${limited.url}/v1/simulations${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as { id: string; error?: { code: string } } }
  }
  const { id } = (await send('', { library: 'task-tracker' })).body
  const register = async (url: string) => {
    const { status, body } = await send(`/${id}/webhooks`, { url, events: ['*'] })
    return [status, body.error?.code]
  }

  expect(await register('https://a.example.org/')).toEqual([201, undefined])
  expect(await register('https://10.0.0.1/')).toEqual([400, 'unsafe_url'])
  expect(await register('https://b.example.org/')).toEqual([402, 'plan_limit'])
})

it('shows a webhook as off after 50 failed deliveries in a row, in its place, until it is enabled', async () => {
  const path = sink.open()
  path.respond({ status: 500 })
  const simulation = await open(path)
  await simulation.manage('POST', '/webhooks', { url: sink.open().url, events: ['none.created'] })
  for (let change = 0; change < 50; change++) await simulation.change()
  await simulation.manage('POST', '/deliveries/advance', { until: 'drained' })

  const states = async () =>
    (await simulation.manage<{ data: { state: string; failures: number }[] }>('GET', '/webhooks')).data
  const off = await states()
  const [first] = (await simulation.manage<{ data: { id: string }[] }>('GET', '/webhooks')).data
  await simulation.manage('POST', `/webhooks/${first?.id}/enable`)

  expect(off).toMatchObject([
    { state: 'off', failures: 50 },
    { state: 'active', failures: 0 },
  ])
  expect(await states()).toMatchObject([
    { state: 'active', failures: 0 },
    { state: 'active', failures: 0 },
  ])
})

it('delivers kinds in any script', async () => {
  const path = sink.open()
  await using sender = openWebhooks({ allow: [{ port: sink.port, ca: (await sink.ca()) ?? '' }] })
  const webhook = await sender.webhooks.register({ url: path.url, events: ['задача.*', 'tâche.created'] })
  path.trust({ webhookId: webhook.id, secret: webhook.secret })

  for (const [index, type] of ['задача.created', 'tâche.created'].entries()) {
    sender.webhooks.enqueue(makeEvent(index, { type }))
  }
  await sender.webhooks.settled(120_000)

  expect(path.inbox.all().map(({ type }) => type)).toEqual(['задача.created', 'tâche.created'])
  expect(path.inbox.rejected()).toEqual([])
})
