import { useSimulation } from 'backlot/vitest'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Order } from '../src/order.ts'
import { OrderBook } from '../src/order-book.ts'
import { WebhookHandler } from '../src/webhook-handler.ts'
import { startWebhookServer } from '../src/webhook-server.ts'

const crm = useSimulation('crm')

let book: OrderBook
let handler: WebhookHandler
let server: Awaited<ReturnType<typeof startWebhookServer>>

beforeEach(async () => {
  book = new OrderBook()
  handler = new WebhookHandler(book, crm.webhooks.secret)
  server = await startWebhookServer(handler)
})
afterEach(() => server.stop())

it('hears of an order that somebody places', async () => {
  await using _forwarding = crm.webhooks.forwardTo(server.url)

  const response = await crm.fetch('/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ companyId: await anyCompany(), currency: 'EUR', lines: [drill] }),
  })
  const order = (await response.json()) as Order

  const webhook = await crm.expectWebhook<Order>('order.created', { recordId: String(order.id) })
  await crm.webhooks.settled()
  expect(webhook.data.object?.number).toBe(order.number)
  expect(book.find(order.id)?.status).toBe('pending')
})

it('follows orders while a day passes', async () => {
  await using _forwarding = crm.webhooks.forwardTo(server.url)

  const { changes } = await crm.fastForward({ days: 1 })
  await crm.webhooks.settled()

  const shipped = await crm.expectWebhook<Order>('order.updated', { data: { object: { status: 'shipped' } } })
  expect(changes).toBeGreaterThan(20)
  expect(book.find(Number(shipped.data.id))?.status).toMatch(/shipped|delivered/)
})

it('does nothing when a delivery comes a second time', async () => {
  await crm.fastForward({ hours: 4 })
  const webhook = await crm.expectWebhook('order.*')

  const first = await crm.webhooks.replay(webhook, { to: server.url })
  const second = await crm.webhooks.replay(webhook, { to: server.url, as: 'identical' })

  expect([first.status, second.status]).toEqual([200, 200])
  expect(handler.handled).toBe(1)
})

it('refuses what was changed on the way, and what is old', async () => {
  await crm.fastForward({ hours: 4 })
  const webhook = await crm.expectWebhook('order.*')

  const tampered = await crm.webhooks.replay(webhook, { to: server.url, as: 'tampered' })
  const stale = await crm.webhooks.replay(webhook, { to: server.url, as: 'stale' })

  expect([tampered.status, stale.status]).toEqual([401, 401])
  expect(book.size).toBe(0)
})

const drill = { sku: 'DRL-0018', name: 'Cordless drill 18 V', quantity: 2, unitPrice: 14_900, amount: 29_800 }

async function anyCompany(): Promise<number> {
  const [company] = await crm.records<{ id: number }>('companies', { limit: 1 })
  if (!company) throw new Error('Expected the CRM to have a company.')
  return company.id
}
