import { useSimulation } from 'backlot/vitest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Shop, startShop } from './start-shop.ts'

/** Customers take their time: of the invoices that are three days old, some are paid each day, and a few never. */
const behaviour = [
  {
    everySeconds: 86_400,
    steps: [
      {
        kind: 'transition' as const,
        collection: 'invoices',
        from: 'open',
        to: { paid: 9, uncollectible: 1 },
        fraction: 0.2,
        minAgeSeconds: 3 * 86_400,
      },
    ],
  },
]

const stripe = useSimulation(
  { spec: new URL('../stripe.yaml', import.meta.url) },
  { behaviour, isolation: 'test', volume: { customers: 12, invoices: 45 }, webhooks: { scheme: 'stripe' } },
)

let shop: Shop
beforeEach(async () => {
  shop = await startShop({ stripeUrl: stripe.url, stripeKey: stripe.key, webhookSecret: stripe.webhooks.secret })
})
afterEach(() => shop[Symbol.asyncDispose]())

const lamp = { email: 'ada@example.com', item: 'Lamp', amount: 4_900 }
const hooks = () => `${shop.url}/hooks/stripe`
const order = async (fields: object = lamp) => (await shop.call('POST', '/orders', fields)).body
const read = async (id: unknown) => (await shop.call('GET', `/orders/${id}`)).body

describe('an order', () => {
  it('is invoiced', async () => {
    const { status, body } = await shop.call('POST', '/orders', lamp)

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...lamp, status: 'open', invoice: expect.stringMatching(/^in_/) })
  })

  it('is kept in the database', async () => {
    const { id } = await order()

    expect(await read(id)).toMatchObject({ ...lamp, status: 'open' })
  })

  it('makes a customer once', async () => {
    await order()
    await order({ ...lamp, item: 'Shade' })

    await stripe.expectRequest({ method: 'POST', path: '/v1/customers' }, { count: 1 })
  })

  it('tells Stripe whose order it is', async () => {
    const { id, invoice } = await order()

    const [kept] = (await stripe.records('invoices', { limit: 500 })).filter((record) => record.id === invoice)
    expect(kept).toMatchObject({ collection_method: 'send_invoice', metadata: { order: String(id) } })
  })

  it('has its amount on the invoice', async () => {
    await order()

    const { rawBody } = await stripe.expectRequest({ operation: 'PostInvoiceitems' })
    expect(new URLSearchParams(new TextDecoder().decode(rawBody)).get('amount')).toBe('4900')
  })

  it('is refused without an amount, and Stripe hears nothing of it', async () => {
    const { status } = await shop.call('POST', '/orders', { email: 'ada@example.com' })

    expect(status).toBe(400)
    await stripe.expectNoRequest({ path: '/v1/*' })
  })

  it('can be taken back', async () => {
    const { id } = await order()

    const { body } = await shop.call('DELETE', `/orders/${id}`)

    expect(body).toMatchObject({ id, status: 'void' })
  })

  it('cannot be taken back when it was never made', async () => {
    expect(await shop.call('DELETE', '/orders/7')).toEqual({ status: 404, body: { error: 'not_found' } })
  })
})

describe('when Stripe has trouble', () => {
  it('an order goes through in spite of one error, with the same idempotency key', async () => {
    await stripe.failNext(1, { status: 500, pathPattern: '/v1/invoices' })

    expect(await order()).toMatchObject({ status: 'open' })

    const [first, second] = await stripe.requests({ method: 'POST', path: '/v1/invoices' })
    expect(first?.headers['idempotency-key']).toBe('invoice-1')
    expect(second?.headers['idempotency-key']).toBe('invoice-1')
  })

  it('a lost answer makes no second invoice', async () => {
    const before = (await stripe.records('invoices', { limit: 500 })).length
    await stripe.resetConnections({ method: 'POST', pathPattern: '/v1/invoices', commit: 'after', times: 1 })

    await order()

    expect(await stripe.records('invoices', { limit: 500 })).toHaveLength(before + 1)
  })

  it('an outage is answered 502, and the order is invoiced afterwards', async () => {
    const outage = await stripe.addError('/v1/invoices*', 402)
    expect(await shop.call('POST', '/orders', lamp)).toMatchObject({ status: 502 })
    await outage.remove()

    const { body } = await shop.call('POST', '/orders/1/invoice')

    expect(body).toMatchObject({ id: 1, status: 'open' })
  })

  it('a rate limit is reported', async () => {
    await stripe.failNext(1, { status: 429, pathPattern: '/v1/customers' })

    expect(await order()).toEqual({ error: 'StripeRateLimitError' })
  })

  it('a wrong key is reported', async () => {
    await using other = await startShop({ stripeUrl: stripe.url, stripeKey: 'sk_test_wrong', webhookSecret: 'whsec_' })

    const { status, body } = await other.call('POST', '/orders', lamp)

    expect([status, body]).toEqual([502, { error: 'StripeAuthenticationError' }])
  })
})

describe('as weeks pass', () => {
  it('an invoice is paid, and the order hears of it', async () => {
    await using _forwarding = stripe.webhooks.forwardTo(hooks())
    const { id, invoice } = await order()

    await stripe.update('invoices', String(invoice), { status: 'paid' })
    await stripe.webhooks.settled()

    expect(await read(id)).toMatchObject({ status: 'paid' })
  })

  it('orders of a month are paid or given up', async () => {
    await using _forwarding = stripe.webhooks.forwardTo(hooks())
    for (const item of ['Lamp', 'Shade', 'Bulb', 'Cable']) await order({ ...lamp, item })

    await stripe.fastForward({ days: 30 })
    await stripe.webhooks.settled()

    const statuses = shop.database.prepare('SELECT status FROM orders').all()
    expect(statuses.map(({ status }) => status)).not.toContain('open')
  })

  it('a webhook that was answered badly comes again', async () => {
    const { id, invoice } = await order()
    await stripe.webhooks.settled()
    stripe.webhooks.respond({ status: 500, times: 1 })
    await using _forwarding = stripe.webhooks.forwardTo(hooks())
    await stripe.update('invoices', String(invoice), { status: 'paid' })
    await stripe.webhooks.settled()

    await stripe.webhooks.advance('1h')

    await stripe.expectWebhook('invoice.updated', { attempt: 2 })
    expect(await read(id)).toMatchObject({ status: 'paid' })
  })

  it('what webhooks did not tell is read', async () => {
    const { id, invoice } = await order()
    await stripe.update('invoices', String(invoice), { status: 'uncollectible' }, { quiet: true })

    const { body } = await shop.call('POST', '/reconcile')

    expect(body).toEqual({ repaired: 1 })
    expect(await read(id)).toMatchObject({ status: 'uncollectible' })
  })
})

describe('a webhook', () => {
  const paid = async () => {
    const { id, invoice } = await order()
    await stripe.update('invoices', String(invoice), { status: 'paid' })
    return { id, webhook: await stripe.expectWebhook('invoice.updated', { data: { object: { status: 'paid' } } }) }
  }

  it('counts once, however often it comes', async () => {
    const { webhook } = await paid()

    for (let times = 0; times < 2; times += 1) await stripe.webhooks.replay(webhook, { to: hooks(), as: 'identical' })

    expect(shop.database.prepare('SELECT count(*) AS count FROM events').get()).toEqual({ count: 1 })
  })

  it.each(['tampered', 'stale'] as const)('that is %s is refused, and changes nothing', async (as) => {
    const { id, webhook } = await paid()

    const answer = await stripe.webhooks.replay(webhook, { to: hooks(), as })

    expect(answer.status).toBe(400)
    expect(await read(id)).toMatchObject({ status: 'open' })
  })
})
