import { SquareClient, WebhooksHelper } from 'square'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { type SeenRequest, startAnswering } from '../support/answering.ts'

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('square')
  return { simulation, client: new SquareClient({ token: simulation.key, baseUrl: simulation.url, maxRetries: 0 }) }
}

const usd = (amount: bigint) => ({ amount, currency: 'USD' }) as const

const accepts = (signatureKey: string, notificationUrl: string, { body, headers }: SeenRequest) =>
  WebhooksHelper.verifySignature({
    requestBody: body,
    signatureHeader: String(headers['x-square-hmacsha256-signature']),
    signatureKey,
    notificationUrl,
  })

it('delivers to a subscription of the API the events that it names, signed with its own key', async () => {
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using app = await startAnswering((_request, _at, response) => void response.end())
  const notificationUrl = `${app.url}/square`
  const { subscription } = await client.webhooks.subscriptions.create({
    subscription: { name: 'mine', eventTypes: ['order.created'], notificationUrl },
  })

  const { order } = await client.orders.create({ order: { locationId: 'LBACKLOTMAIN1' } })
  await client.customers.create({ givenName: 'Ada' })
  await simulation.webhooks.settled()

  expect(app.seen.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      merchant_id: 'MLBACKLOT',
      type: 'order.created',
      data: { type: 'order_created', id: order?.id, object: { order_created: { order_id: order?.id, state: 'OPEN' } } },
    },
  ])
  const key = String(subscription?.signatureKey)
  expect(await Promise.all(app.seen.map((delivery) => accepts(key, notificationUrl, delivery)))).toEqual([true])
  expect(await Promise.all(app.seen.map((delivery) => accepts('other', notificationUrl, delivery)))).toEqual([false])
})

it('answers without the list if nothing is found', async () => {
  const { client } = await open()

  const customers = await client.customers.search({ query: { filter: { phoneNumber: { exact: '+12125550199' } } } })
  const orders = await client.orders.search({ locationIds: ['LBACKLOTMAIN1'] })
  const items = await client.catalog.searchItems({ textFilter: 'none' })

  expect([customers, orders, items]).toEqual([{}, {}, {}])
})

it('keeps a payment that was declined, as its error shows it', async () => {
  const { simulation, client } = await open()
  const payment = { sourceId: 'cnon:card-nonce-declined', idempotencyKey: 'a', amountMoney: usd(100n) }

  await expect(client.payments.create(payment)).rejects.toMatchObject({
    statusCode: 400,
    errors: [{ category: 'PAYMENT_METHOD_ERROR', code: 'GENERIC_DECLINE' }],
  })

  expect(await simulation.records('payments')).toMatchObject([{ status: 'FAILED', amount_money: { amount: 100 } }])
  await simulation.expectWebhook('payment.created', { data: { object: { status: 'FAILED' } } })
})

it('divides a discount among lines so that their sum is the order’s', async () => {
  const { client } = await open()
  const line = { name: 'Bun', quantity: '1', basePriceMoney: usd(100n) }

  const { order } = await client.orders.calculate({
    order: {
      locationId: 'LBACKLOTMAIN1',
      lineItems: [line, line, line],
      discounts: [{ uid: 'd', name: 'Dime', amountMoney: usd(100n), scope: 'ORDER' }],
      taxes: [{ uid: 't', name: 'Tax', percentage: '8', scope: 'ORDER' }],
    },
  })

  expect(order?.lineItems?.map(({ totalDiscountMoney }) => totalDiscountMoney?.amount)).toEqual([33n, 34n, 33n])
  expect(order).toMatchObject({ totalTaxMoney: usd(16n), totalMoney: usd(216n), netAmountDueMoney: usd(216n) })
})

it('follows cursors through a list', async () => {
  const { client } = await open()
  for (const givenName of ['Cy', 'Ada', 'Bo']) await client.customers.create({ givenName })

  const names: unknown[] = []
  for await (const { givenName } of await client.customers.list({ limit: 2 })) names.push(givenName)

  expect(names).toEqual(['Ada', 'Bo', 'Cy'])
})
