import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { useSimulation } from '../../src/vitest.ts'

const api = useSimulation('stripe')

function open(): Stripe {
  const { hostname, port } = new URL(api.url)
  return new Stripe(`sk_test_${api.key}`, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
}

const success_url = 'https://shop.example/done'
const pay = (stripe: Stripe, id: string) =>
  stripe.rawRequest('POST', `/v1/test_helpers/checkout/sessions/${id}/complete`, {})
const line = (amount: number, tax_rates: string[] = []) => ({
  price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'Mug' } },
  quantity: 1,
  tax_rates,
})
const months = async (stripe: Stripe, unit_amount: number) =>
  stripe.prices.create({
    currency: 'usd',
    unit_amount,
    recurring: { interval: 'month' },
    product_data: { name: 'Gold' },
  })

async function subscriber(stripe: Stripe) {
  return stripe.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
}

it('adds tax rates, a coupon and shipping to a checkout, and takes them in the payment', async () => {
  const stripe = open()
  const [over, within] = [
    await stripe.taxRates.create({ display_name: 'VAT', percentage: 25, inclusive: false }),
    await stripe.taxRates.create({ display_name: 'VAT', percentage: 25, inclusive: true }),
  ]
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'once' })
  const rate = await stripe.shippingRates.create({
    display_name: 'Post',
    type: 'fixed_amount',
    fixed_amount: { amount: 500, currency: 'usd' },
  })
  const create = (more: Partial<Stripe.Checkout.SessionCreateParams>) =>
    stripe.checkout.sessions.create({ mode: 'payment', success_url, ...more })

  const taxed = await create({ line_items: [line(1000, [over.id])] })
  const held = await create({ line_items: [line(1000, [within.id])] })
  const sent = await create({
    line_items: [line(1000, [over.id]), line(200)],
    discounts: [{ coupon: coupon.id }],
    shipping_options: [
      { shipping_rate: rate.id },
      {
        shipping_rate_data: {
          display_name: 'Express',
          type: 'fixed_amount',
          fixed_amount: { amount: 900, currency: 'usd' },
        },
      },
    ],
  })
  await pay(stripe, sent.id)
  const paid = await stripe.checkout.sessions.retrieve(sent.id, { expand: ['payment_intent', 'line_items'] })

  expect(taxed).toMatchObject({ amount_subtotal: 1000, amount_total: 1250, total_details: { amount_tax: 250 } })
  expect(held).toMatchObject({ amount_subtotal: 1000, amount_total: 1000, total_details: { amount_tax: 200 } })
  expect(sent).toMatchObject({
    amount_subtotal: 1200,
    amount_total: 900 + 225 + 180 + 500,
    total_details: { amount_discount: 120, amount_shipping: 500, amount_tax: 225 },
    shipping_cost: { amount_total: 500, shipping_rate: rate.id },
    shipping_options: [
      { shipping_amount: 500, shipping_rate: rate.id },
      { shipping_amount: 900, shipping_rate: expect.stringMatching(/^shr_/) },
    ],
  })
  expect(paid).toMatchObject({ payment_intent: { amount: 1805, amount_received: 1805 } })
  expect(paid.line_items?.data[0]).toMatchObject({ amount_discount: 100, amount_tax: 225, amount_total: 1125 })
})

it('carries the tax and the coupon of a checkout over to its subscription', async () => {
  const stripe = open()
  const { id } = await stripe.taxRates.create({ display_name: 'VAT', percentage: 20, inclusive: false })
  const price = await months(stripe, 1000)
  const coupon = await stripe.coupons.create({ amount_off: 200, currency: 'usd', duration: 'forever' })

  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    success_url,
    line_items: [{ price: price.id, quantity: 1, tax_rates: [id] }],
    discounts: [{ coupon: coupon.id }],
  })
  await pay(stripe, session.id)
  const { invoice } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice'] })

  expect(session).toMatchObject({ amount_total: 960 })
  expect(invoice).toMatchObject({ subtotal: 1000, total: 960, amount_paid: 960 })
})

it('prorates from the given date, and refuses one outside of the period', async () => {
  const stripe = open()
  const [gold, more] = [await months(stripe, 3000), await months(stripe, 6000)]
  const customer = await subscriber(stripe)
  const { id, items } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: gold.id }] })
  const [item] = items.data
  const { current_period_start: start = 0, current_period_end: end = 0 } = item ?? {}
  const change = (proration_date: number) =>
    stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: more.id }], proration_date })

  const refused = await change(end + 1).catch((error: unknown) => error)
  await change(start + (end - start) / 2)
  const parts = await stripe.invoiceItems.list({ customer: customer.id })
  const { date = 0 } = parts.data[0] ?? {}
  const [then, later] = [date, date + 1].map((created) => stripe.invoiceItems.list({ customer: customer.id, created }))

  expect(await then).toMatchObject({ data: [{}, {}] })
  expect(await later).toMatchObject({ data: [] })
  expect(refused).toMatchObject({ statusCode: 400, param: 'proration_date' })
  expect(parts.data.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([-1500, 3000])
})

it.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
  ['keep_as_draft', 'draft'],
] as const)('pauses the collection of a renewal: %s', async (behavior, status) => {
  const stripe = open()
  const gold = await months(stripe, 3000)
  const customer = await subscriber(stripe)
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: gold.id }] })
  await stripe.subscriptions.update(id, { pause_collection: { behavior } })

  await api.fastForward({ days: 30 })
  await api.fastForward({ days: 2 })
  const invoices = await stripe.invoices.list({ subscription: id })

  expect(invoices.data[0]).toMatchObject({ billing_reason: 'subscription_cycle', status })
})

it('takes a price made on the way, wherever there is a price', async () => {
  const stripe = open()
  const customer = await subscriber(stripe)
  const product = (await stripe.products.create({ name: 'Gold' })).id
  const price_data = { currency: 'usd', unit_amount: 700, product }
  const monthly = { ...price_data, recurring: { interval: 'month' as const } }

  const part = await stripe.invoiceItems.create({ customer: customer.id, price_data, quantity: 2 })
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price_data: monthly }] })
  const changed = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id ?? '', price_data: { ...monthly, unit_amount: 900 } }],
  })
  const item = await stripe.subscriptionItems.create({ subscription: subscription.id, price_data: monthly })

  expect(part).toMatchObject({ amount: 1400, pricing: { price_details: { product } } })
  expect(changed.items.data[0]).toMatchObject({ price: { unit_amount: 900, product } })
  expect(item).toMatchObject({ price: { unit_amount: 700, product } })
})

it('warns of a field that it takes and ignores', async () => {
  const stripe = open()

  await stripe.paymentIntents.create({ amount: 1000, currency: 'usd', payment_method_configuration: 'pmc_1' })
  const [request] = await api.requests()

  expect(request?.warnings).toEqual([
    'Ignored body.payment_method_configuration of POST /v1/payment_intents: it changes only what a page of Stripe shows.',
  ])
})

it('warns of no filter that it reads', async () => {
  await open().invoiceItems.list({ pending: true })

  const [request] = await api.requests()
  expect(request).toMatchObject({ method: 'GET', status: 200, warnings: [] })
})

it('refuses what the balance, a dispute and a detachment forbid', async () => {
  const stripe = open()
  const pay = (payment_method: string) =>
    stripe.paymentIntents.create({
      amount: 4000,
      currency: 'usd',
      payment_method,
      return_url: 'https://shop.example',
      confirm: true,
    })
  const refused = (work: Promise<unknown>) => work.catch((error: unknown) => error)
  const customer = await stripe.customers.create({})

  const poor = await refused(stripe.payouts.create({ amount: 100_000_000, currency: 'usd' }))
  const disputed = await pay('pm_card_createDispute')
  const refund = await refused(stripe.refunds.create({ payment_intent: disputed.id }))
  const { data } = await stripe.disputes.list({ payment_intent: disputed.id })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.paymentMethods.detach(card.id)
  const again = await refused(stripe.paymentMethods.attach(card.id, { customer: customer.id }))
  const withdrawn = await api.expectWebhook('charge.dispute.funds_withdrawn')

  expect(poor).toMatchObject({ code: 'balance_insufficient' })
  expect(refund).toMatchObject({ code: 'charge_disputed' })
  expect(data[0]?.balance_transactions).toMatchObject([{ amount: -4000, fee: 1500, net: -5500 }])
  expect(again).toMatchObject({ code: 'payment_method_unexpected_state' })
  expect(withdrawn.data.id).toBe(data[0]?.id)
})

it('writes the lines of an invoice as Stripe does, pending ones first', async () => {
  const stripe = open()
  const [gold, more] = [await months(stripe, 1000), await months(stripe, 2000)]
  const customer = await subscriber(stripe)
  const { id, items, latest_invoice } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: gold.id }],
    expand: ['latest_invoice'],
  })
  await stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', price: more.id }] })

  await api.fastForward({ days: 30 })
  await api.fastForward({ days: 2 })
  const { data } = await stripe.invoices.list({ subscription: id })

  expect((latest_invoice as Stripe.Invoice).lines.data[0]?.description).toBe('1 × Gold (at $10.00 / month)')
  expect(data[0]?.lines.data.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^(Unused|Remaining) time on Gold after \d\d? \w{3} \d{4}$/),
    expect.stringMatching(/^(Unused|Remaining) time on Gold after \d\d? \w{3} \d{4}$/),
    '1 × Gold (at $20.00 / month)',
  ])
})

it('gives a finalized quote as a PDF, with its number', async () => {
  const stripe = open()
  const [customer, gold] = [await subscriber(stripe), await months(stripe, 2_000)]
  const { id } = await stripe.quotes.create({ customer: customer.id, line_items: [{ price: gold.id, quantity: 2 }] })

  const early = await stripe.quotes.pdf(id).catch((error: Error) => error)
  const { number } = await stripe.quotes.finalizeQuote(id)
  const chunks: Buffer[] = []
  for await (const chunk of await stripe.quotes.pdf(id)) chunks.push(Buffer.from(chunk))

  expect(early).toMatchObject({ statusCode: 400 })
  expect(Buffer.concat(chunks).toString('latin1')).toMatch(/^%PDF-1\.4/)
  expect(Buffer.concat(chunks).toString('latin1')).toContain(`(Quote ${number})`)
})

it('credits a line of a paid invoice less its discount, and wants all of it given back', async () => {
  const stripe = open()
  const { id: customer } = await subscriber(stripe)
  const { id: coupon } = await stripe.coupons.create({ amount_off: 300, currency: 'usd', duration: 'once' })
  const { id: invoice = '' } = await stripe.invoices.create({ customer, discounts: [{ coupon }] })
  const work = { customer, invoice, currency: 'usd' }
  await stripe.invoiceItems.create({ ...work, amount: 2500, description: 'Hours' })
  await stripe.invoiceItems.create({ ...work, amount: 500, description: 'Travel' })
  const { lines } = await stripe.invoices.pay(invoice)
  const invoice_line_item = lines.data.find(({ description }) => description === 'Travel')?.id ?? ''
  const travel = [{ type: 'invoice_line_item' as const, invoice_line_item, quantity: 1 }]

  const tooMuch = stripe.creditNotes.create({ invoice, lines: travel, credit_amount: 500 })
  await expect(tooMuch).rejects.toThrow('must equal the amount of the credit note, 450')
  const note = await stripe.creditNotes.create({ invoice, lines: travel, credit_amount: 450 })

  expect(note).toMatchObject({ amount: 450, subtotal: 500, discount_amount: 50, total: 450 })
  expect(note.lines.data[0]).toMatchObject({ amount: 500, discount_amount: 50 })
})

it('credits a line with its tax, and names refunds that were made before', async () => {
  const stripe = open()
  const { id: customer } = await subscriber(stripe)
  const rate = await stripe.taxRates.create({ display_name: 'VAT', percentage: 25, inclusive: false })
  const paid = async () => {
    const { id: invoice = '' } = await stripe.invoices.create({ customer, default_tax_rates: [rate.id] })
    await stripe.invoiceItems.create({ customer, invoice, currency: 'usd', amount: 1000 })
    return stripe.invoices.pay(invoice)
  }

  const { id: invoice = '', lines } = await paid()
  const note = await stripe.creditNotes.create({
    invoice,
    lines: [{ type: 'invoice_line_item', invoice_line_item: lines.data[0]?.id ?? '', quantity: 1 }],
    refund_amount: 1250,
  })
  const { id: other = '' } = await paid()
  const [{ payment } = {}] = (await stripe.invoicePayments.list({ invoice: other })).data
  const refund = await stripe.refunds.create({ payment_intent: `${payment?.payment_intent}`, amount: 400 })
  const refunds = [{ refund: refund.id, amount_refunded: 400 }]
  const named = await stripe.creditNotes.create({ invoice: other, amount: 400, refunds })

  const { id: third = '' } = await paid()
  const parcel = {
    description: 'Parcel',
    quantity: 2,
    unit_amount_decimal: Stripe.Decimal.from('50.5'),
    tax_rates: [rate.id],
  }
  const own = await stripe.creditNotes.create({
    invoice: third,
    lines: [{ type: 'custom_line_item', ...parcel }],
    credit_amount: 126,
  })

  expect(own).toMatchObject({ amount: 126, subtotal: 101 })
  expect(`${own.lines.data[0]?.unit_amount_decimal}`).toBe('50.5')
  expect(note).toMatchObject({ amount: 1250, subtotal: 1000, total: 1250, total_excluding_tax: 1000 })
  expect(note.total_taxes).toMatchObject([{ amount: 250, taxable_amount: 1000, tax_behavior: 'exclusive' }])
  expect(named).toMatchObject({ amount: 400, refunds })
})

it('bills the last value of a meter that counts so', async () => {
  const stripe = open()
  const meter = await stripe.billing.meters.create({
    display_name: 'Seats',
    event_name: 'seats',
    default_aggregation: { formula: 'last' },
  })
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 200,
    recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
    product_data: { name: 'Seats' },
  })
  const customer = await subscriber(stripe)
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })

  for (const value of ['7', '3', '4']) {
    const payload = { stripe_customer_id: customer.id, value }
    await stripe.billing.meterEvents.create({ event_name: 'seats', payload })
    await api.fastForward({ hours: 1 })
  }
  await api.fastForward({ days: 32 })

  const [renewal] = (await stripe.invoices.list({ subscription: id })).data
  expect(renewal).toMatchObject({ total: 800, lines: { data: [{ quantity: 4 }] } })
})

it('credits what is paid after the end of a subscription that is set within its period, and charges it again', async () => {
  const stripe = open()
  const customer = await subscriber(stripe)
  const price = await months(stripe, 3000)
  const { id, items } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
  const { current_period_start: from = 0, current_period_end: to = 0 } = items.data[0] ?? {}
  const pending = async () =>
    (await stripe.invoiceItems.list({ customer: customer.id, pending: true })).data.map(({ amount }) => amount)

  await stripe.subscriptions.update(id, { cancel_at: from + (to - from) / 2 })
  const credited = await pending()
  await stripe.subscriptions.update(id, { cancel_at: '' })

  expect(credited).toEqual([-1500])
  expect(await pending()).toEqual([1500, -1500])
})

it('charges no end again that was not credited, and credits a canceled one once', async () => {
  const stripe = open()
  const price = await months(stripe, 3000)
  const begin = async (then: (id: string, half: number) => Promise<unknown>) => {
    const { id: customer } = await subscriber(stripe)
    const { id, items } = await stripe.subscriptions.create({ customer, items: [{ price: price.id }] })
    const { current_period_start: from = 0, current_period_end: to = 0 } = items.data[0] ?? {}
    await then(id, from + (to - from) / 2)
    const { data } = await stripe.invoiceItems.list({ customer, pending: true })
    return data.reduce((sum, { amount }) => sum + amount, 0)
  }

  const unmoved = await begin(async (id, cancel_at) => {
    await stripe.subscriptions.update(id, { cancel_at, proration_behavior: 'none' })
    await stripe.subscriptions.update(id, { cancel_at: '' })
  })
  const canceled = await begin(async (id, cancel_at) => {
    await stripe.subscriptions.update(id, { cancel_at })
    await stripe.subscriptions.cancel(id, { prorate: true })
  })

  expect({ unmoved, canceled }).toEqual({ unmoved: 0, canceled: -3000 })
})

it('begins a subscription that costs nothing yet without a card', async () => {
  const stripe = open()
  const { id: customer } = await stripe.customers.create()
  const [free, paid] = [await months(stripe, 0), await months(stripe, 3000)]
  const begin = ({ id }: Stripe.Price) => stripe.subscriptions.create({ customer, items: [{ price: id }] })

  expect(await begin(free)).toMatchObject({ status: 'active' })
  await expect(begin(paid)).rejects.toThrow('no attached payment source')
})

it('begins the trial of a phase, and charges after it', async () => {
  const stripe = open()
  const customer = await subscriber(stripe)
  const price = await months(stripe, 3000)
  const trial_end = customer.created + 7 * 86_400
  const { subscription } = await stripe.subscriptionSchedules.create({
    customer: customer.id,
    start_date: 'now',
    phases: [{ items: [{ price: price.id }], trial_end, duration: { interval: 'month' } }],
  })
  const begun = await stripe.subscriptions.retrieve(`${subscription}`, { expand: ['latest_invoice'] })

  await api.fastForward({ days: 8 })

  expect(begun).toMatchObject({ status: 'trialing', trial_end, latest_invoice: { total: 0 } })
  const charged = await stripe.subscriptions.retrieve(`${subscription}`, { expand: ['latest_invoice'] })
  expect(charged).toMatchObject({ status: 'active', latest_invoice: { total: 3000, status: 'paid' } })
})

it('tries a debit again only after the bank has answered', async () => {
  const stripe = open()
  const price = await months(stripe, 3000)
  const { id } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    allowed_payment_method_types: ['us_bank_account'],
    success_url,
    line_items: [{ price: price.id, quantity: 1 }],
  })
  const payment_method = 'pm_usBankAccount_insufficientFunds'
  await stripe.rawRequest('POST', `/v1/test_helpers/checkout/sessions/${id}/complete`, { payment_method })
  const nextAttempt = async () => (await stripe.invoices.list({ limit: 1 })).data[0]?.next_payment_attempt

  await api.fastForward({ days: 5 })
  const afterRefusal = await nextAttempt()
  await api.fastForward({ days: 3 })
  const onItsWay = await nextAttempt()
  await api.fastForward({ days: 4 })
  const afterSecond = await nextAttempt()

  expect(onItsWay).toBeNull()
  expect(afterSecond).toBeGreaterThan(Number(afterRefusal) + 7 * 86_400)
})

it('pays an invoice by a debit once, and leaves it open until the bank has answered', async () => {
  const stripe = open()
  const { id: customer } = await stripe.customers.create({})
  const method = await stripe.paymentMethods.attach('pm_usBankAccount_success', { customer })
  const { id } = await stripe.invoices.create({ customer })
  await stripe.invoices.addLines(id, { lines: [{ amount: 700, description: 'Mug' }] })

  const first = await stripe.invoices.pay(id, { payment_method: method.id })
  const again = await stripe.invoices.pay(id, { payment_method: method.id })
  await api.fastForward({ days: 6 })
  const paid = await stripe.invoices.retrieve(id)
  const charges = await stripe.charges.list({ customer })

  expect([first.status, again.status, paid.status]).toEqual(['open', 'open', 'paid'])
  expect(charges.data).toMatchObject([{ amount: 700, status: 'succeeded' }])
})
