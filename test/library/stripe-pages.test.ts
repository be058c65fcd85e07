import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from '@playwright/test'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChromium } from '../../scripts/find-chromium.ts'
import { createSimulation, type Simulation } from '../../src/index.ts'
import { CHROMIUM_ARGS } from '../support/chromium-args.ts'

const CARD = { 'Card number': '4242 4242 4242 4242', Expiration: '12 / 34', CVC: '123', 'Cardholder name': 'Ada Byron' }

let browser: Browser
let simulation: Simulation
let stripe: Stripe
let page: Page
let app: { url: string }
const shop = createServer((_, response) => void response.end('Shop')).listen(0, '127.0.0.1')
let gold: Stripe.Price

beforeAll(async () => {
  ;[browser, simulation] = await Promise.all([
    chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS }),
    createSimulation('stripe', { webhooks: false }),
  ])
  app = { url: `http://localhost:${(shop.address() as AddressInfo).port}` }
  const { hostname, port } = new URL(simulation.url)
  stripe = new Stripe(simulation.key, { host: hostname, port, protocol: 'http' })
  const month = { currency: 'usd', unit_amount: 2_000, recurring: { interval: 'month' } } as const
  gold = await stripe.prices.create({ ...month, product_data: { name: 'Gold' } })
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  page = await context.newPage()
})
afterAll(async () => {
  shop.close()
  await browser.close()
  await simulation.delete()
})

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
}

/** Sends the form of a card; the alert of the page after it. */
async function pay(button: string | RegExp, number = CARD['Card number']): Promise<string[]> {
  await fill({ ...CARD, 'Card number': number })
  return press(button)
}

async function press(button: string | RegExp): Promise<string[]> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button }).click()])
  return page.getByRole('alert').allTextContents()
}

const typesSince = async (from: number): Promise<string[]> => {
  const { data } = await stripe.events.list({ limit: 100 })
  return data
    .slice(0, data.length - from)
    .map(({ type }) => type)
    .reverse()
}
const buy = (more: Stripe.Checkout.SessionCreateParams) =>
  stripe.checkout.sessions.create({ success_url: `${app.url}/done#{CHECKOUT_SESSION_ID}`, ...more })
const shirt = { quantity: 2, price_data: { currency: 'usd', unit_amount: 2_000, product_data: { name: 'Shirt' } } }

it('takes a promotion code, a way to ship and an address, and pays', async () => {
  const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'once' })
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'FALL25' })
  const rates = [500, 1_500].map((amount) =>
    stripe.shippingRates.create({
      display_name: amount === 500 ? 'Ground' : 'Express',
      type: 'fixed_amount',
      fixed_amount: { amount, currency: 'usd' },
    }),
  )
  const session = await buy({
    mode: 'payment',
    line_items: [shirt],
    cancel_url: `${app.url}/cart`,
    allow_promotion_codes: true,
    consent_collection: { terms_of_service: 'required' },
    phone_number_collection: { enabled: true },
    custom_fields: [
      {
        key: 'size',
        label: { type: 'custom', custom: 'Size' },
        type: 'dropdown',
        dropdown: { options: ['small', 'large'].map((value) => ({ label: `Size ${value}`, value })) },
      },
    ],
    shipping_address_collection: { allowed_countries: ['DE', 'US'] },
    shipping_options: (await Promise.all(rates)).map(({ id }) => ({ shipping_rate: id })),
  })
  await page.goto(String(session.url))
  const { length: size } = await (await fetch(String(session.url))).text()

  await fill({ 'Promotion code': 'NONE' })
  const unknown = await press('Apply')
  await fill({ 'Promotion code': 'FALL25' })
  await press('Apply')
  await press('Express')
  const rows = await page.getByRole('list', { name: 'Items' }).getByRole('listitem').allTextContents()
  const back = await page.getByRole('link', { name: 'Back' }).getAttribute('href')
  await fill({
    'Phone number': '+49 30 1234',
    Email: 'ada@example.com',
    Name: 'Ada',
    Address: '1 Main St',
    City: 'Troy',
    'Postal code': '12180',
  })
  await page.getByLabel('Country').selectOption('United States')
  await page.getByLabel('Size').selectOption('Size large')
  await page.getByLabel('I agree to the terms of service').check()
  await pay('Pay $45.00')

  expect(size).toBeLessThan(4_000)
  expect(unknown).toEqual(['This code is invalid.'])
  expect(rows).toEqual(['Shirt2 pieces $40.00', 'Discount -$10.00', 'Shipping $15.00', 'Total due today $45.00'])
  expect([back, page.url()]).toEqual([`${app.url}/cart`, `${app.url}/done#${session.id}`])
  const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
  expect(done).toMatchObject({
    payment_status: 'paid',
    consent: { terms_of_service: 'accepted' },
    custom_fields: [{ key: 'size', dropdown: { value: 'large' } }],
    customer_details: { email: 'ada@example.com', name: 'Ada Byron', phone: '+49 30 1234' },
    collected_information: { shipping_details: { name: 'Ada', address: { city: 'Troy', country: 'US' } } },
    payment_intent: { status: 'succeeded', amount_received: 4_500 },
  })
})

it('says why a card is refused, and is not paid before the bank has its answer', async () => {
  const session = await buy({ mode: 'payment', line_items: [shirt], customer_email: 'ada@example.com' })
  const { length: before } = (await stripe.events.list({ limit: 100 })).data
  await page.goto(String(session.url))

  const refused = [
    await pay('Pay $40.00', '1234 1234 1234 1234'),
    await pay('Pay $40.00', '4000000000000002'),
    await pay('Pay $40.00', '4000000000009995'),
  ]
  await pay('Pay $40.00', '4000008400001629')
  refused.push(await press('Complete authentication'))
  await pay('Pay $40.00', '4000002760003184')
  refused.push(await press('Fail authentication'))
  await pay('Pay $40.00', '4000002760003184')
  const { status, payment_status } = await stripe.checkout.sessions.retrieve(session.id)
  await press('Complete authentication')
  await page.goto(String(session.url))

  expect(refused.flat()).toEqual([
    'Your card number is incorrect.',
    'Your card was declined.',
    'Your card has insufficient funds.',
    'Your card was declined.',
    expect.stringContaining('has failed authentication'),
  ])
  expect([status, payment_status]).toEqual(['open', 'unpaid'])
  expect(await page.getByRole('status').textContent()).toBe('This checkout is complete.')
  expect((await typesSince(before)).slice(-4)).toEqual([
    'payment_intent.requires_action',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ])
})

it('subscribes, changes the plan, cancels and renews', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const platinum = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 4_000,
    recurring: { interval: 'month' },
    product_data: { name: 'Platinum' },
  })
  const session = await buy({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: gold.id, quantity: 1 }],
  })
  const products = [gold, platinum].map(({ id, product }) => ({ product: String(product), prices: [id] }))
  const subscription_update = { enabled: true, default_allowed_updates: ['price' as const], products }
  const features = {
    subscription_update,
    subscription_cancel: { enabled: true },
    payment_method_update: { enabled: true },
  }
  const configuration = await stripe.billingPortal.configurations.create({ features })
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    configuration: configuration.id,
    return_url: `${app.url}/account`,
  })
  const read = async () => (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data
  await page.goto(String(session.url))

  const refused = [await pay('Subscribe', '4000000000000341')]
  await pay('Subscribe', '4000002760003184')
  const [asked] = await read()
  refused.push(await press('Fail authentication'))
  await pay('Subscribe')
  const [paid, ...more] = await read()
  await page.goto(portal.url)
  await press('Cancel subscription')
  await page.getByRole('link', { name: 'Keep subscription' }).click()
  await press('Cancel subscription')
  const [confirming] = await read()
  await press('Cancel subscription')
  const [ending] = await read()
  await press('Renew subscription')
  await press('Change to Platinum')
  await pay('Add card', '5555555555554444')
  const cards = await page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem').allTextContents()
  const back = await page.getByRole('link', { name: 'Return' }).getAttribute('href')

  expect(refused).toEqual([['Your card was declined.'], [expect.stringContaining('failed authentication')]])
  expect([asked?.status, paid?.status, more]).toEqual(['incomplete', 'active', []])
  expect([confirming, ending].map((one) => one?.cancel_at_period_end)).toEqual([false, true])
  expect((await read())[0]).toMatchObject({
    cancel_at_period_end: false,
    items: { data: [{ price: { id: platinum.id } }] },
  })
  expect(cards).toEqual(['Mastercard ending in 4444', 'Visa ending in 4242'])
  expect(back).toBe(`${app.url}/account`)
})

it('leads from the login page of a portal to the portal of an address', async () => {
  await stripe.customers.create({ email: 'login@example.com' })
  const features = { invoice_history: { enabled: true } }
  const default_return_url = `${app.url}/account`
  const { login_page } = await stripe.billingPortal.configurations.create({
    ...{ features, default_return_url },
    login_page: { enabled: true },
  })
  await page.goto(String(login_page.url))

  await fill({ Email: 'nobody@example.com' })
  const refused = await press('Log in')
  await fill({ Email: 'login@example.com' })
  await press('Log in')

  expect(refused).toEqual(['No customer has this address.'])
  expect(page.url()).toContain('/p/session/bps_')
  expect(await page.getByRole('link', { name: 'Return' }).getAttribute('href')).toBe(default_return_url)
})

it('saves a card, opens a payment link, pays an invoice and sets up an account', async () => {
  const customer = await stripe.customers.create({ email: 'grace@example.com' })
  const setup = await buy({ mode: 'setup', currency: 'usd', customer: customer.id })
  await page.goto(String(setup.url))
  await pay('Save card', '4000002500003155')
  await press('Complete authentication')
  const saved = await stripe.paymentMethods.list({ customer: customer.id })

  const link = await stripe.paymentLinks.create({ line_items: [{ price: gold.id, quantity: 1 }] })
  await page.goto(link.url)
  await fill({ Email: 'ada@example.com' })
  await pay('Subscribe')
  const thanks = await page.getByRole('heading').textContent()
  const draft = await stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 7,
  })
  await stripe.invoiceItems.create({ customer: customer.id, invoice: String(draft.id), amount: 3_300, currency: 'usd' })
  const invoice = await stripe.invoices.finalizeInvoice(String(draft.id))
  await page.goto(String(invoice.hosted_invoice_url))
  await pay('Pay $33.00', '4000002760003184')
  await press('Complete authentication')
  const account = await stripe.accounts.create({ type: 'express', email: 'shop@example.com' })
  const addresses = { return_url: `${app.url}/set-up`, refresh_url: `${app.url}/again` }
  const onboarding = await stripe.accountLinks.create({
    account: account.id,
    type: 'account_onboarding',
    ...addresses,
  })
  await page.goto(onboarding.url)
  await fill({ 'Business name': 'Shirts' })
  await press('Agree and submit')
  const returned = page.url()
  await page.goto(onboarding.url)

  expect(saved.data).toMatchObject([{ card: { last4: '3155' } }])
  expect(thanks).toBe('Thank you')
  expect((await stripe.checkout.sessions.list({ payment_link: link.id })).data).toMatchObject([{ status: 'complete' }])
  expect((await stripe.invoices.retrieve(String(draft.id))).status).toBe('paid')
  expect([returned, page.url()]).toEqual([addresses.return_url, addresses.refresh_url])
  expect(await stripe.accounts.retrieve(account.id)).toMatchObject({ charges_enabled: true })
})

it('opens the invoices of renewals, of one-time payments and of connected accounts', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const subscribed = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: gold.id }],
    default_payment_method: method.id,
  })
  const session = await buy({ mode: 'payment', line_items: [shirt], invoice_creation: { enabled: true } })
  await page.goto(String(session.url))
  await fill({ Email: 'alan@example.com' })
  await pay('Pay $40.00')
  const bought = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice.payments'] })
  const events = await stripe.events.list({ types: ['invoice.created', 'invoice.finalized', 'invoice.paid'], limit: 3 })
  const { id: stripeAccount } = await stripe.accounts.create({ type: 'standard' })
  const direct = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [shirt],
      success_url: `${app.url}/direct`,
      invoice_creation: { enabled: true },
      payment_intent_data: { application_fee_amount: 300 },
    },
    { stripeAccount },
  )
  const portal = await stripe.billingPortal.sessions.create(
    { customer: (await stripe.customers.create({}, { stripeAccount })).id },
    { stripeAccount },
  )
  await page.goto(portal.url)
  const portalOf = await page.getByRole('heading', { level: 1 }).textContent()
  await page.goto(String(direct.url))
  await fill({ Email: 'grace@example.com' })
  await pay('Pay $40.00')
  const paidTo = page.url()
  const own = await stripe.checkout.sessions.retrieve(direct.id, { expand: ['invoice'] }, { stripeAccount })
  const fees = await stripe.applicationFees.list()
  await simulation.fastForward({ days: 32 })
  const { data } = await stripe.invoices.list({ subscription: subscribed.id })

  const opened: unknown[] = []
  for (const invoice of [...data, bought.invoice as Stripe.Invoice, own.invoice as Stripe.Invoice]) {
    await page.goto(String(invoice.hosted_invoice_url))
    const pdf = await fetch(String(invoice.invoice_pdf))
    const text = await pdf.text()
    const hasNumber = text.startsWith('%PDF-1.4') && text.includes(`(Invoice ${invoice.number})`)
    opened.push([await page.getByRole('status').textContent(), pdf.headers.get('content-type'), hasNumber])
  }

  expect(events.data.map(({ type }) => type)).toEqual(['invoice.paid', 'invoice.finalized', 'invoice.created'])
  expect(bought.invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'manual',
    total: 4_000,
    amount_paid: 4_000,
    customer_email: 'alan@example.com',
    payments: { data: [{ payment: { payment_intent: bought.payment_intent }, status: 'paid' }] },
    lines: { data: [{ description: 'Shirt', quantity: 2, amount: 4_000 }] },
  })
  expect(fees.data).toMatchObject([{ amount: 300, account: stripeAccount }])
  expect([portalOf, paidTo]).toEqual(['Your subscriptions', `${app.url}/direct`])
  expect(opened).toEqual(Array(4).fill(['This invoice is paid.', 'application/pdf', true]))
})

/** Sends the form of a page as a browser would: the alert or the heading of what it shows then. */
async function send(url: string, fields: Record<string, string>): Promise<string | undefined> {
  const text = await (await fetch(url)).text()
  const [, interaction = ''] = /name="interaction" value="([^"]+)"/.exec(text) ?? []
  const sent = await fetch(url, { method: 'POST', body: new URLSearchParams({ interaction, ...fields }) })
  if (sent.status !== 200) return String(sent.status)
  return (/role="alert">([^<]+)/.exec(await sent.text()) ?? [])[1]?.replaceAll('&#39;', "'") ?? 'asks'
}

/** https://docs.stripe.com/testing */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  paid: [
    ...['4242424242424242', '4000056655665556', '5555555555554444', '2223003122003222', '5200828282828210'],
    ...['5105105105105100', '378282246310005', '371449635398431', '6011111111111117', '6011000990139424'],
    ...['6011981111111113', '3056930009020004', '36227206271667', '6555900000604105', '3566002020360505'],
    ...['6200000000000005', '6200000000000047', '6205500000000000004', '4000002760000016', '4000000000000077'],
    ...['4000000000000259', '4000000000002685', '4000000000001976', '4000000000007726', '4000000000005126'],
  ],
  asks: ['4000002500003155', '4000002760003184', '4000008400001629', '4000000000003220', '4000000000003063'],
  'Your card was declined.': ['4000000000000002', '4000000000009987', '4000000000009979', '4100000000000019'],
  'Your card has insufficient funds.': ['4000000000009995'],
  'Your card has expired.': ['4000000000000069'],
  "Your card's security code is incorrect.": ['4000000000000127'],
  'An error occurred while processing your card. Try again in a little bit.': ['4000000000000119'],
  'Your card number is incorrect.': ['4242424242424241'],
}

it('answers each test card as the API does', async () => {
  const fields = { email: 'ada@example.com', expiration: '12 / 34', holder: 'Ada' }
  const expected = Object.entries(ANSWERS).flatMap(([answer, numbers]) => numbers.map((number) => [number, answer]))

  const shown: unknown[] = []
  for (const [number = ''] of expected) {
    const { id, url } = await buy({ mode: 'payment', line_items: [shirt], success_url: `${app.url}/done` })
    const cvc = number.startsWith('3') ? '1234' : '123'
    const answer = await send(String(url), { ...fields, number, cvc })
    const { payment_status } = await stripe.checkout.sessions.retrieve(id)
    shown.push([number, payment_status === 'paid' ? 'paid' : answer])
  }

  expect(shown).toEqual(expected)
})

it('pays with a saved card that may be shown, and checks what a browser does not', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const other = await stripe.customers.create({ email: 'eve@example.com' })
  const [own, hidden, foreign] = await Promise.all(
    (['always', 'limited', 'always'] as const).map(async (allow_redisplay, at) => {
      const { id } = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' }, allow_redisplay })
      return stripe.paymentMethods.attach(id, { customer: at === 2 ? other.id : customer.id })
    }),
  )
  const session = await buy({
    mode: 'payment',
    customer: customer.id,
    line_items: [shirt],
    consent_collection: { terms_of_service: 'required' },
    shipping_address_collection: { allowed_countries: ['DE'] },
  })
  const url = String(session.url)
  const shown = await (await fetch(url)).text()

  const refused = [
    await send(url, { saved: String(own?.id), country: 'DE' }),
    await send(url, { saved: String(own?.id), country: 'FR', terms: '1' }),
    await send(url, { saved: String(hidden?.id), country: 'DE', terms: '1' }),
    await send(url, { saved: String(foreign?.id), country: 'DE', terms: '1' }),
  ]
  const { payment_status } = await stripe.checkout.sessions.retrieve(session.id)
  await send(url, { saved: String(own?.id), country: 'DE', terms: '1' })

  expect(shown.match(/pm_\w+/g)).toEqual([own?.id])
  expect(refused).toEqual([
    'Please accept the terms of service.',
    'Expected Country to be one of DE, got &quot;FR&quot;.',
    'Your card number is incomplete.',
    'Your card number is incomplete.',
  ])
  expect(payment_status).toBe('unpaid')
  expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })).toMatchObject({
    payment_status: 'paid',
    payment_intent: { payment_method: own?.id },
  })
})

it('is small and accessible, and takes no form of another site', async () => {
  const session = await buy({ mode: 'payment', line_items: [shirt] })
  const url = String(session.url)
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const portal = await stripe.billingPortal.sessions.create({ customer: (await stripe.customers.create()).id })
  const scripted = await browser.newPage({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })
  const faults: string[] = []
  const logged: string[] = []
  scripted.on('console', (message) => logged.push(message.text()))
  for (const address of [portal.url, url]) {
    await scripted.goto(address)
    const found = await scripted.evaluate(`(() => { ${axe}; return axe.run() })()`)
    faults.push(...(found as { violations: { id: string }[] }).violations.map(({ id }) => id))
  }
  await scripted.keyboard.press('Tab')
  const isFirst = await scripted.getByLabel('Email').evaluate((field) => field === document.activeElement)

  const shown = await fetch(url)
  const text = await shown.text()
  const [, interaction = ''] = /name="interaction" value="([^"]+)"/.exec(text) ?? []
  const post = async (token: string, origin: string) => {
    const body = new URLSearchParams({ interaction: token, number: '4242424242424242' })
    return (await fetch(url, { method: 'POST', headers: { origin }, body })).status
  }
  const statuses = [await post(interaction, 'https://evil.example'), await post('guessed', simulation.url)]
  const posted = await simulation.requests({ method: 'POST', path: new URL(url).pathname })
  await stripe.checkout.sessions.expire(session.id)

  expect({ faults, isFirst, logged }).toEqual({ faults: [], isFirst: true, logged: [] })
  expect(text.length).toBeLessThan(4_096)
  expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/)
  expect(statuses).toEqual([403, 400])
  expect(posted).toHaveLength(2)
  for (const secret of [interaction, '4242424242424242']) expect(JSON.stringify(posted)).not.toContain(secret)
  expect(await (await fetch(url)).text()).toContain('This checkout has expired')
})

it("answers at Stripe's own addresses", async () => {
  await using hosted = await createSimulation('stripe', { hosts: true, webhooks: false })
  const own = new Stripe(`sk_test_${hosted.key}`)
  const session = await own.checkout.sessions.create({
    mode: 'payment',
    success_url: `${app.url}/done`,
    line_items: [shirt],
  })
  const context = await browser.newContext(hosted.hostsContext)
  page = await context.newPage()
  await page.goto(String(session.url))

  await fill({ Email: 'ada@example.com' })
  await pay('Pay $40.00')

  expect(session.url).toContain('https://checkout.stripe.com/c/pay/cs_test_')
  expect(page.url()).toBe(`${app.url}/done`)
})
