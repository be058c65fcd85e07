import { createServer } from 'node:http'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { toReportText } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('stripe')
  const { hostname, port } = new URL(simulation.url)
  const stripe = new Stripe(`sk_test_${simulation.key}`, { host: hostname, port, protocol: 'http' })
  return { simulation, stripe }
}

it('delivers to the endpoints that the SDK registers, and shows the same events as records', async () => {
  const { stripe } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const received = Promise.withResolvers<[body: string, signature: string]>()
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    response.end()
    received.resolve([Buffer.concat(chunks).toString(), String(request.headers['stripe-signature'])])
  })
  await using listening = await onLoopback(server)
  const url = `${listening.url}/hook`

  const endpoint = await stripe.webhookEndpoints.create({ url, enabled_events: ['customer.created'] })
  await stripe.products.create({ name: 'Gold' })
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const event = Stripe.webhooks.constructEvent(...(await received.promise), String(endpoint.secret))

  expect(event.data.object).toMatchObject({ id: customer.id })
  expect(await stripe.events.retrieve(event.id)).toMatchObject({ type: 'customer.created' })
  expect(event.request?.id).toBe(customer.lastResponse.requestId)
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined()
})

it('makes ids as the provider does, and takes given ones', async () => {
  const { stripe } = await open()

  const made = [
    await stripe.products.create({ name: 'Gold' }),
    await stripe.products.create({ id: 'gold-plan', name: 'Gold' }),
    await stripe.coupons.create({ percent_off: 10, duration: 'once' }),
    await stripe.customers.create({}),
  ]

  expect(made.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^prod_\w{14}$/),
    'gold-plan',
    expect.stringMatching(/^\w{8}$/),
    expect.stringMatching(/^cus_\w{14}$/),
  ])
})

it('says in headers what it did with a request', async () => {
  const { stripe } = await open()
  const options = { idempotencyKey: 'once', apiVersion: '2025-01-27.acacia' }

  const [first, second] = [await stripe.customers.create({}, options), await stripe.customers.create({}, options)]
  const account = await stripe.accounts.create({ type: 'express' })
  const apart = await stripe.customers.create({}, { ...options, stripeAccount: account.id })

  const shared = { 'stripe-version': '2025-01-27.acacia', 'idempotency-key': 'once' }
  expect(first.lastResponse.headers).toMatchObject(shared)
  expect(first.lastResponse.headers).not.toHaveProperty('idempotent-replayed')
  const [own, repeated] = [first.lastResponse.requestId, second.lastResponse.requestId]
  const replayed = { 'idempotent-replayed': 'true', 'original-request': own }
  expect(first.lastResponse.headers).toHaveProperty('original-request', own)
  expect(second.lastResponse.headers).toMatchObject({ ...shared, ...replayed })
  expect(own).toMatch(/^req_/)
  expect(repeated).not.toBe(own)
  expect(apart.lastResponse.headers).not.toHaveProperty('idempotent-replayed')
})

it('pages backwards to the newest, and declines a card once for one idempotency key', async () => {
  const { stripe } = await open()
  const names = ['a', 'b', 'c', 'd']
  const made: Stripe.Customer[] = []
  for (const name of names) made.push(await stripe.customers.create({ name }))
  const decline = () =>
    stripe.paymentIntents.create(
      {
        amount: 900,
        currency: 'usd',
        payment_method: 'pm_card_chargeDeclined',
        return_url: 'https://shop.example',
        confirm: true,
      },
      { idempotencyKey: 'declined' },
    )

  const newer = stripe.customers.list({ limit: 2, ending_before: String(made[0]?.id) })
  const walked = await newer.autoPagingToArray({ limit: 10 })
  const refusals = [await decline().catch(intentOf), await decline().catch(intentOf)]

  expect(walked.map(({ name }) => name)).toEqual(['b', 'c', 'd'])
  expect(refusals[0]).toMatch(/^pi_/)
  expect(refusals[1]).toBe(refusals[0])
})

const intentOf = (error: Stripe.errors.StripeError): unknown => error.payment_intent?.id

it('delivers the events of connected accounts to endpoints of Connect alone', async () => {
  const { stripe } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const received: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const { type, account = 'own' } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    response.end()
    received.push(`${request.url} ${type} ${account}`)
    if (received.length === 3) resolve()
  })
  await using listening = await onLoopback(server)
  const { id: stripeAccount } = await stripe.accounts.create({ type: 'custom' })
  for (const connect of [true, false])
    await stripe.webhookEndpoints.create({ url: `${listening.url}/${connect}`, connect, enabled_events: ['*'] })

  await stripe.customers.create({}, { stripeAccount })
  await stripe.customers.create({})
  await stripe.accounts.update(stripeAccount, { email: 'shop@example.com' })
  await promise

  expect(received.sort()).toEqual([
    '/false customer.created own',
    `/true account.updated ${stripeAccount}`,
    `/true customer.created ${stripeAccount}`,
  ])
})

it('refuses an endpoint that no delivery could reach, and registers nothing', async () => {
  const { stripe } = await open()

  const made = stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:1/', enabled_events: ['*'] })

  await expect(made).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param: 'url' })
  expect((await stripe.webhookEndpoints.list()).data).toEqual([])
})

const addMonthlyPrice = (stripe: Stripe) =>
  stripe.prices.create({
    currency: 'usd',
    unit_amount: 2000,
    recurring: { interval: 'month' },
    product_data: { name: 'Gold' },
  })

it('turns the clock of the world by a test clock', async () => {
  const { stripe } = await open()
  const { created } = await stripe.customers.create({})
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: created + 60 })
  const customer = await stripe.customers.create({ test_clock: clock.id })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const price = await addMonthlyPrice(stripe)
  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: method.id,
  })

  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: created + 33 * 86_400 })

  const { data } = await stripe.invoices.list({ customer: customer.id })
  expect(method).not.toHaveProperty('us_bank_account')
  expect(data.map(({ status, billing_reason }) => [status, billing_reason])).toEqual([
    ['paid', 'subscription_cycle'],
    ['paid', 'subscription_create'],
  ])
})

it('says in words of Stripe that it has no such path, and the reason in the report', async () => {
  const { simulation, stripe } = await open()
  const { hostname, port } = new URL(simulation.url)
  const stranger = new Stripe('sk_test_of_another', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })

  await expect(stripe.rawRequest('POST', '/v1/customer')).rejects.toThrow(
    'Unrecognized request URL (POST: /v1/customer).',
  )
  expect(toReportText(await simulation.report())).toContain(
    'refused     POST /v1/customer 404: Failed to find POST /v1/customer: the library entry "stripe" has no such path. The nearest operations are POST /v1/customers, ',
  )
  expect(toReportText(await simulation.report())).toContain(
    " A path that the entry lacks comes from the provider's own description: { library: 'stripe', spec: '<its file>' }.",
  )
  await fetch(`${simulation.url}/favicon.ico`)
  expect(toReportText(await simulation.report())).not.toContain('refused     GET /favicon.ico')
  await expect(stranger.customers.list()).rejects.toThrow('Invalid API Key provided')
  expect(toReportText(await simulation.report())).toContain(
    'refused     GET /v1/customers 401: Expected a key of this simulation, got "sk_test_******ther": send one of its own as ',
  )
})

it('keeps a checkout open until its buyer has authenticated', async () => {
  const { stripe } = await open()
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 4000, product_data: { name: 'Tea' } } }],
    success_url: 'https://shop.example/done',
  })
  const complete = { payment_method: 'pm_card_authenticationRequired' }
  await stripe.rawRequest('POST', `/v1/test_helpers/checkout/sessions/${session.id}/complete`, complete)

  const waiting = await stripe.checkout.sessions.retrieve(session.id)
  await stripe.rawRequest('POST', `/v1/test_helpers/payment_intents/${waiting.payment_intent}/authenticate`, {})
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })

  expect(waiting).toMatchObject({ status: 'open', payment_status: 'unpaid' })
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', payment_intent: { status: 'succeeded' } })
})

it('announces a charge before the payment, the invoice and the checkout that it pays for', async () => {
  const { stripe } = await open()
  const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' })
  const price = await addMonthlyPrice(stripe)

  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: 'pm_card_visa',
  })

  const { data } = await stripe.events.list({ types: ['charge.succeeded', 'payment_intent.succeeded', 'invoice.paid'] })
  expect(data.map(({ type }) => type).toReversed()).toEqual([
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.paid',
  ])
})

it('repeats the ends of a key that it refuses', async () => {
  const { simulation } = await open()
  const { hostname, port } = new URL(simulation.url)
  const stripe = new Stripe('sk_test_of_another_account_7890', { host: hostname, port, protocol: 'http' })

  const refused = stripe.balance.retrieve()

  await expect(refused).rejects.toThrow('Invalid API Key provided: sk_test_*******************7890')
})

it('shows what a change replaced, null for what is new, and where its errors are explained', async () => {
  const { stripe } = await open()
  const customer = await stripe.customers.create({
    email: 'a@shop.example',
    metadata: { plan: 'free' },
    address: { city: 'Rome' },
  })

  await stripe.customers.update(customer.id, { email: 'b@shop.example', metadata: { plan: 'pro', seats: '2' } })
  const missing = await stripe.paymentMethods.retrieve('pm_none').catch((error) => error)

  const [event] = (await stripe.events.list({ type: 'customer.updated' })).data
  expect(event?.data.previous_attributes).toEqual({ email: 'a@shop.example', metadata: { plan: 'free', seats: null } })
  expect(customer.address).toMatchObject({ city: 'Rome', line1: null, postal_code: null })
  expect(missing).toMatchObject({
    doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
    raw: {
      message: "No such PaymentMethod: 'pm_none'",
      request_log_url: expect.stringMatching(/^https:\/\/dashboard\.stripe\.com\/test\/logs\/req_/),
    },
  })
})

it('refuses a customer that is missing, also where the API itself keeps nothing', async () => {
  const { stripe } = await open()
  const customer = 'cus_none'

  const asked = [
    stripe.customerSessions.create({ customer, components: { buy_button: { enabled: true } } }),
    stripe.invoices.createPreview({ customer }),
  ]

  for (const refused of await Promise.allSettled(asked))
    expect(refused).toMatchObject({ reason: { code: 'resource_missing', message: "No such customer: 'cus_none'" } })
})

it('announces a renewal a week before, and the payment of its invoice', async () => {
  const { simulation, stripe } = await open()
  const customer = await stripe.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 2_000,
    recurring: { interval: 'month' },
    product_data: { name: 'Gold' },
  })
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })

  await simulation.fastForward({ days: 25 })

  const { data } = await stripe.events.list({ types: ['invoice.upcoming', 'invoice_payment.paid'] })
  expect(data).toMatchObject([
    {
      data: {
        object: {
          billing_reason: 'upcoming',
          amount_due: 2_000,
          parent: { subscription_details: { subscription: subscription.id } },
        },
      },
    },
    { data: { object: { amount_paid: 2_000, invoice: subscription.latest_invoice } } },
  ])
  expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1)
})
