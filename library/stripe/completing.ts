import { bill, refuseUnpaid, settleFirst, showItems, startTrial } from './billing.ts'
import { pricingOf } from './catalog.ts'
import { redeem, redeemDiscounts } from './discounts.ts'
import { intentOf } from './intents.ts'
import { addLines, payerFields } from './invoicing.ts'
import { finishInvoice, markPaid, retryInvoice } from './paying.ts'
import { confirmIntent } from './payment-intents.ts'
import { copyMethod, isTestMethod } from './payment-methods.ts'
import { confirmSetup } from './setup-intents.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  type Stripe,
  without,
} from './stripe.ts'
import { addItem, addPart } from './subscription-items.ts'
import { ratesOf } from './taxes.ts'

const setSession = (stripe: Stripe, { id }: Kept, fields: Readonly<Record<string, Json | undefined>>): Kept =>
  stripe.records.checkout_sessions.update(id, fields)

/** The invoice of a session in `payment` mode that asks for one. */
function invoiceSession(stripe: Stripe, session: Kept, intent: Kept | undefined): Kept {
  const { records, unix } = stripe
  const { customer, currency, amount_total, shipping_cost, line_items, customer_details } = session
  const buyer = records.customers.get(customer)
  const period = { start: unix, end: unix }
  const made = records.invoices.create({
    ...payerFields(stripe, buyer),
    ...{ customer, billing_reason: 'manual', currency, period_start: unix, period_end: unix },
    customer_email: inside(customer_details, 'email') ?? null,
    customer_name: inside(customer_details, 'name') ?? null,
    customer_phone: inside(customer_details, 'phone') ?? null,
    ...filled(without(inside(session, 'invoice_creation.invoice_data'), 'rendering_options')),
  })
  if (intent)
    records.payment_intents.update(intent.id, {
      payment_details: { customer_reference: null, order_reference: made.id },
    })
  let invoice = redeemDiscounts(stripe, made, session.discounts)
  for (const line of listOf(inside(line_items, 'data'))) {
    const { quantity, description, amount_subtotal: amount } = line
    const part = records.invoiceitems.create({
      ...{ amount, currency: line.currency, customer, date: unix, description, discountable: true, invoice: made.id },
      ...{ period, quantity, quantity_decimal: `${quantity}`, pricing: pricingOf(fieldsOf(line.price)) },
      tax_rates: listOf(line.taxes).map(({ rate = null }) => rate),
    })
    invoice = addLines(stripe, invoice, [part])
  }
  invoice = records.invoices.update(made.id, {
    ...{ total: amount_total, amount_due: amount_total, shipping_cost, starting_balance: 0 },
    amount_shipping: inside(session, 'total_details.amount_shipping'),
    total_excluding_tax: numberOf(amount_total) - numberOf(inside(session, 'total_details.amount_tax')),
  })
  if (numberOf(invoice.amount_due) > 0)
    records.invoice_payments.create({
      ...{ amount_requested: amount_total, currency, invoice: made.id, is_default: true },
      payment: { type: 'payment_intent', payment_intent: intent?.id ?? null },
    })
  const open = finishInvoice(stripe, invoice)
  if (open.status === 'open' && intent?.status !== 'processing') markPaid(stripe, open)
  return setSession(stripe, session, { invoice: made.id })
}

/** Ends a session whose payment is made, or on its way. */
export function finishCheckout(stripe: Stripe, session: Kept): Kept {
  const { records } = stripe
  const { mode, customer, amount_total } = session
  const intent = records.payment_intents.get(session.payment_intent)
  const subscription = records.subscriptions.get(session.subscription)
  const due = records.invoices.get(session.invoice)
  const link = records.payment_links.get(session.payment_link)
  stripe.change('payment_methods', intent?.payment_method ?? subscription?.default_payment_method, { customer })
  const hasInvoice = inside(session, 'invoice_creation.enabled') === true
  if (mode === 'payment' && hasInvoice) invoiceSession(stripe, session, intent)
  else if (mode === 'payment')
    for (const { coupon, promotion_code } of listOf(session.discounts)) {
      redeem(stripe, 'coupons', coupon)
      redeem(stripe, 'promotion_codes', promotion_code)
    }
  const sessions = fieldsOf(inside(link, 'restrictions.completed_sessions'))
  if (link && isGiven(link.restrictions)) {
    const count = numberOf(sessions.count) + 1
    records.payment_links.update(link.id, {
      restrictions: { ...fieldsOf(link.restrictions), completed_sessions: { ...sessions, count } },
      ...(count >= numberOf(sessions.limit) && { active: false }),
    })
  }
  const isPaid =
    mode !== 'setup' &&
    numberOf(amount_total) > 0 &&
    !isOneOf(intent?.status, 'requires_capture', 'processing') &&
    due?.status !== 'open'
  return setSession(stripe, session, {
    ...{ status: 'complete', url: null },
    ...(isPaid && { payment_status: 'paid' }),
    ...(amount_total === 0 && { payment_status: 'no_payment_required' }),
  })
}

function pay(stripe: Stripe, session: Kept, method: Kept | undefined): void {
  const { records } = stripe
  const { amount_total: amount, currency, customer } = session
  let intent = records.payment_intents.get(session.payment_intent)
  if (intent === undefined) {
    const made = records.payment_intents.create({
      ...{ amount, currency, customer, status: 'requires_payment_method' },
      shipping: inside(session, 'collected_information.shipping_details') ?? null,
      ...fieldsOf(inside(session, 'data.payment_intent_data')),
    })
    intent = records.payment_intents.update(made.id, { client_secret: stripe.secretOf(made) })
    setSession(stripe, session, { payment_intent: intent.id })
  }
  const status = 'requires_confirmation'
  confirmIntent(stripe, records.payment_intents.update(intent.id, { payment_method: method?.id, amount, status }))
}

function setUp(stripe: Stripe, { setup_intent, customer }: Kept, method: Kept | undefined): void {
  const fields = { customer, payment_method: method?.id }
  confirmSetup(stripe, stripe.records.setup_intents.update(setup_intent, fields))
}

function subscribe(stripe: Stripe, session: Kept, method: Kept | undefined): void {
  const { records, unix } = stripe
  const data = fieldsOf(inside(session, 'data.subscription_data'))
  const isAutomatic = inside(session, 'automatic_tax.enabled') === true
  const made = records.subscriptions.create({
    ...{ customer: session.customer, currency: session.currency, default_payment_method: method?.id ?? null },
    ...{ description: data.description ?? null, metadata: data.metadata ?? {}, status: 'incomplete' },
    ...{ automatic_tax: { enabled: isAutomatic }, start_date: unix, billing_cycle_anchor: unix },
    default_tax_rates: ratesOf(stripe, data.default_tax_rates),
  })
  let sub = startTrial(stripe, made, data)
  for (const line of listOf(inside(session, 'line_items.data'))) {
    const rates = listOf(line.taxes).map((tax) => inside(tax, 'rate.id') ?? null)
    const wanted = { quantity: line.quantity ?? null, tax_rates: isAutomatic ? [] : rates }
    const price = records.prices.get(inside(line, 'price.id'))
    if (inside(line, 'price.type') === 'recurring') sub = addItem(stripe, sub, wanted, price)
    else addPart(stripe, sub, wanted, price)
  }
  sub = redeemDiscounts(stripe, showItems(stripe, sub), session.discounts)
  sub = settleFirst(stripe, bill(stripe, sub, { reason: 'subscription_create' }))
  const invoice = records.invoices.get(sub.latest_invoice)
  if (sub.status === 'incomplete' && intentOf(stripe, invoice?.id)?.status !== 'requires_action')
    refuseUnpaid(stripe, invoice)
  setSession(stripe, session, { subscription: sub.id, invoice: invoice?.id })
  // a trial has nothing to pay: its card is set up
  if (sub.status === 'trialing' && method)
    confirmSetup(stripe, records.setup_intents.create({ customer: session.customer, payment_method: method.id }))
}

/** Pays the first invoice of a subscription that an earlier attempt has made. */
function payFirst(stripe: Stripe, session: Kept, method: Kept | undefined): void {
  stripe.change('subscriptions', session.subscription, { default_payment_method: method?.id })
  const invoice = stripe.records.invoices.get(session.invoice)
  if (invoice) retryInvoice(stripe, invoice)
  if (intentOf(stripe, invoice?.id)?.status === 'requires_payment_method') refuseUnpaid(stripe, invoice, true)
}

/** What the form of a session has brought. */
function filledIn({ body, records }: Stripe, session: Kept): Fields {
  const buyer = records.customers.get(session.customer)
  const name = body.name ?? buyer?.name ?? null
  const country = inside(body, 'shipping.address.country') ?? 'US'
  const asksForAddress = isGiven(session.shipping_address_collection)
  const [first = null] = (inside(session, 'shipping_address_collection.allowed_countries') ?? []) as Json[]
  const address = {
    ...{ city: 'South San Francisco', country: first, line1: '354 Oyster Point Blvd', line2: null },
    ...{ postal_code: '94080', state: 'CA' },
  }
  return {
    customer_details: {
      address: { city: null, country, line1: null, line2: null, postal_code: null, state: null },
      business_name: null,
      email: body.email ?? session.customer_email ?? buyer?.email ?? 'buyer@example.com',
      ...{ individual_name: name, name, phone: body.phone ?? buyer?.phone ?? null },
      ...{ tax_exempt: buyer?.tax_exempt ?? 'none', tax_ids: [] },
    },
    ...((isGiven(body.shipping) || asksForAddress) && {
      collected_information: { shipping_details: body.shipping ?? { name: body.name ?? 'Jenny Rosen', address } },
    }),
  }
}

/** Whether a session makes a customer of its buyer. */
const makesCustomer = ({ customer, customer_creation, mode, invoice_creation }: Kept): boolean =>
  !isGiven(customer) &&
  (customer_creation === 'always' || mode === 'subscription' || inside(invoice_creation, 'enabled') === true)

function complete(stripe: Stripe): Kept {
  const { body, records } = stripe
  const given = stripe.own('checkout_sessions')
  const isFree = given.amount_total === 0 && given.payment_method_collection === 'if_required'
  const method = records.payment_methods.get(body.payment_method ?? (isFree ? null : 'pm_card_visa'))
  if (given.status !== 'open') stripe.refuse(`This Checkout Session is ${given.status}.`)
  if (isGiven(body.payment_method) && method === undefined)
    stripe.absent('payment_method', body.payment_method, 'payment_method')
  let session = setSession(stripe, given, filledIn(stripe, given))
  const { email = null, name = null, address = null, phone = null } = fieldsOf(session.customer_details)
  if (makesCustomer(session))
    session = setSession(stripe, session, { customer: records.customers.create({ email, name }).id })
  const billing_details = { address, email, name, phone }
  const paid = method && isTestMethod(method) ? copyMethod(stripe, method, { billing_details }) : method
  if (session.mode === 'payment' && numberOf(session.amount_total) > 0) pay(stripe, session, paid)
  if (session.mode === 'setup') setUp(stripe, session, paid)
  if (session.mode === 'subscription')
    if (isGiven(session.subscription)) payFirst(stripe, session, paid)
    else subscribe(stripe, session, paid)
  session = stripe.fresh('checkout_sessions', session)
  const intents = [
    records.payment_intents.get(session.payment_intent),
    intentOf(stripe, session.invoice),
    records.setup_intents.get(session.setup_intent),
  ]
  return intents.some((intent) => intent?.status === 'requires_action') || session.status !== 'open'
    ? session
    : finishCheckout(stripe, session)
}

export const completing: Operations = {
  'POST /v1/test_helpers/checkout/sessions/{session}/complete': complete,
}
