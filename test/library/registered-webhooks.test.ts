import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { expect, it, onTestFinished } from 'vitest'
import { type Service, type ServiceOptions, startService } from '../../src/service.ts'
import { callerOf } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'

const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'
const KEY = 'svc_sim_0123456789abcdef'
const ONE = '/v1/simulations/stripe'

/** An endpoint that notes the path and the type of each delivery that comes. */
async function openEndpoint() {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    received.push(`${request.url} ${JSON.parse(Buffer.concat(chunks).toString()).type}`)
    response.end()
  })
  const listening = await onLoopback(server)
  onTestFinished(() => listening[Symbol.asyncDispose]())
  return { url: listening.url, received }
}

async function start(options: ServiceOptions = {}) {
  const service = await startService({
    allowPrivateWebhooks: ['127.0.0.1'],
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    simulations: [{ library: 'stripe', key: KEY }],
    ...options,
  })
  onTestFinished(() => service.close())
  return { service, call: callerOf(service), ...(await openStripe(service)) }
}

async function openStripe(service: Service) {
  const { body } = await callerOf(service)('GET', ONE)
  const { hostname, port, pathname } = new URL(body.url)
  // The SDK takes no path before `/v1`, and simulations in a store are distinguished by it.
  const below = pathname.replace(/\/$/, '')
  const httpClient = Stripe.createFetchHttpClient((url: URL | RequestInfo, init?: RequestInit) =>
    fetch(String(url).replace('/v1', `${below}/v1`), init),
  )
  const stripe = new Stripe(KEY, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, httpClient })
  const webhooks = async () =>
    ((await callerOf(service)('GET', `${ONE}/webhooks`)).body.data as { id: string }[]).map(({ id }) => id)
  return { stripe, webhooks }
}

it('follows what clients change of an endpoint', async () => {
  const { stripe, webhooks } = await start()
  const { url, received } = await openEndpoint()
  const { id } = await stripe.webhookEndpoints.create({ url: `${url}/a`, enabled_events: ['customer.created'] })

  await stripe.customers.create({})
  await expect.poll(() => received).toEqual(['/a customer.created'])
  await stripe.webhookEndpoints.update(id, { url: `${url}/b`, enabled_events: ['product.created'] })
  await stripe.customers.create({})
  await stripe.products.create({ name: 'Gold' })
  await expect.poll(() => received.slice(1)).toEqual(['/b product.created'])
  await stripe.webhookEndpoints.update(id, { disabled: true })
  await stripe.products.create({ name: 'Silver' })
  await stripe.webhookEndpoints.update(id, { disabled: false })
  await stripe.products.create({ name: 'Bronze' })
  await expect.poll(() => received.length).toBe(3)
  expect(await webhooks()).toEqual([id])
  await stripe.webhookEndpoints.del(id)

  expect(await webhooks()).toEqual([])
})

it('takes endpoints away with the data, and puts them back with it', async () => {
  const { call, stripe, webhooks } = await start()
  const given = await call('POST', `${ONE}/webhooks`, { url: 'https://example.com/own', events: ['*'] })
  const hook = { url: 'https://example.com/hook', enabled_events: ['*'] as const }
  const { id } = await stripe.webhookEndpoints.create({ ...hook, enabled_events: ['*'] })
  const snapshot = await call('POST', `${ONE}/snapshots`)
  await stripe.webhookEndpoints.create({ ...hook, enabled_events: ['*'] })

  await call('POST', `${ONE}/reset`)
  expect(await webhooks()).toEqual([given.body.id])
  await call('POST', `${ONE}/snapshots/${snapshot.body.id}/restore`)

  expect(await webhooks()).toEqual([given.body.id, id])
  expect((await stripe.webhookEndpoints.list()).data.map((one) => one.id)).toEqual([id])
})

it('follows what the owner changes of an endpoint', async () => {
  const { call, stripe, webhooks } = await start()
  const record = { url: 'https://example.com/hook', enabled_events: ['*'], secret: 'whsec_0123456789abcdef' }

  const made = await call('POST', `${ONE}/records/webhook_endpoints`, { ...record, status: 'enabled' })
  expect(await webhooks()).toEqual([made.body.id])
  const refused = await call('PATCH', `${ONE}/records/webhook_endpoints/${made.body.id}`, { url: 'ftp://example.com' })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request'])
  await call('DELETE', `${ONE}/records/webhook_endpoints/${made.body.id}`)
  expect(await webhooks()).toEqual([])
  const { id } = await stripe.webhookEndpoints.create({ url: record.url, enabled_events: ['*'] })
  await call('DELETE', `${ONE}/webhooks/${id}`)

  expect((await stripe.webhookEndpoints.list()).data).toEqual([])
})

it('holds endpoints to the most webhooks of the plan', async () => {
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }], plan: { webhooksPerSimulation: 2 } }]
  const { call, stripe } = await start({ accounts })
  await call('POST', `${ONE}/webhooks`, { url: 'https://example.com/own', events: ['*'] })
  const register = () => stripe.webhookEndpoints.create({ url: 'https://example.com/hook', enabled_events: ['*'] })
  await register()

  await expect(register()).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    message: 'Expected at most 2 webhooks per simulation on this plan.',
  })
  expect((await stripe.webhookEndpoints.list()).data).toHaveLength(1)
})

it('keeps endpoints and events in a store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-registered-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = join(folder, 'data.db')
  const { url, received } = await openEndpoint()
  const before = await start({ store, addresses: 'path' })
  const { id } = await before.stripe.webhookEndpoints.create({ url, enabled_events: ['customer.created'] })
  const customer = await before.stripe.customers.create({})
  await expect.poll(() => received).toHaveLength(1)
  const { data: events } = await before.stripe.events.list()
  await before.service.close()

  const after = await start({ store, addresses: 'path' })

  expect(await after.webhooks()).toEqual([id])
  expect((await after.stripe.events.list()).data).toEqual(events)
  expect(events.map(({ type, data }) => [type, data.object])).toEqual([['customer.created', customer]])
  await after.stripe.customers.create({})
  await expect.poll(() => received).toHaveLength(2)
})
