import { currencyOf } from './countries.ts'
import { declineOf, outcomeOf } from './declines.ts'
import { openDispute } from './disputes.ts'
import { createMandate, isDebit, shownMethod } from './payment-methods.ts'
import { cardOfToken, toSource } from './sources.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  type Kept,
  numberOf,
  type Operations,
  percentOf,
  type Stripe,
  textIn,
  textOf,
  without,
} from './stripe.ts'
import { transferCharge } from './transfers.ts'

const AUTHORIZED: Fields = {
  ...{ advice_code: null, network_advice_code: null, network_decline_code: null, reason: null },
  ...{ network_status: 'approved_by_network', risk_level: 'normal', risk_score: 20 },
  ...{ seller_message: 'Payment complete.', type: 'authorized' },
}

/** A payment that Radar lets a person review. https://docs.stripe.com/testing#fraud-prevention */
const isReviewed = (method: Kept | undefined): boolean => textIn(method, 'card.last4') === '9235'

/** What a charge shows of its card. */
const cardOf = (method: Kept | undefined): Fields =>
  without(method?.card, 'available display_brand generated_from networks three_d_secure_usage')

/** What a card's bank has authorized. */
function authorizationOf(stripe: Stripe, intent: Kept, method: Kept | undefined, secured: Fields | undefined): Fields {
  const isManual = intent.capture_method === 'manual'
  const asks = (name: string) =>
    isManual && inside(intent, `payment_method_options.card.request_${name}`) === 'if_available'
  const status = (name: string) => ({ status: asks(name) ? 'available' : 'unavailable' })
  const most = asks('overcapture') ? numberOf(intent.amount) + percentOf(intent.amount, 20) : (intent.amount ?? null)
  return {
    ...{ amount_authorized: intent.amount ?? null, authorization_code: '123456', three_d_secure: secured ?? null },
    extended_authorization: { status: 'disabled' },
    incremental_authorization: status('incremental_authorization'),
    multicapture: status('multicapture'),
    overcapture: { ...status('overcapture'), maximum_amount_capturable: most },
    ...{ installments: null, mandate: null, network: inside(method, 'card.brand') ?? null },
    ...{ network_token: { used: false }, network_transaction_id: stripe.letters(15) },
    electronic_commerce_indicator: secured?.electronic_commerce_indicator ?? null,
    ...{ transaction_link_id: null, regulated_status: 'unregulated', wallet: null },
    ...(isManual && { capture_before: stripe.later(7) }),
  }
}

/** What a charge has of its intent. */
const ofIntent = ({ id, amount, currency, customer, description, metadata, receipt_email }: Kept): Fields => ({
  ...{ payment_intent: id, amount: amount ?? null, currency: currency ?? null, customer: customer ?? null },
  ...{ description: description ?? null, metadata: metadata ?? {}, receipt_email: receipt_email ?? null },
})

/** Charges the method of an intent: the money is there, is authorized, or comes days later. */
export function chargeMethod(stripe: Stripe, intent: Kept, secured?: Fields): Kept {
  const { records } = stripe
  const method = records.payment_methods.get(intent.payment_method)
  const type = textOf(method?.type)
  const last4 = textIn(method, 'card.last4')
  const isManual = intent.capture_method === 'manual'
  const isLate = isDebit(method)
  const mandate = createMandate(stripe, method, intent)
  const { on_behalf_of, transfer_group, statement_descriptor, statement_descriptor_suffix, shipping, application } =
    intent
  const details = type === 'card' ? { ...cardOf(method), ...authorizationOf(stripe, intent, method, secured) } : {}
  const debit = type === 'us_bank_account' || type === 'sepa_debit' ? { mandate: mandate?.id ?? null } : {}
  const made = records.charges.create({
    ...(isLate && { id: stripe.id('py_') }),
    ...ofIntent(intent),
    ...{ amount_captured: isManual ? 0 : intent.amount, captured: !isManual, paid: !isLate },
    outcome: isReviewed(method)
      ? { ...AUTHORIZED, risk_level: 'elevated', risk_score: 65, type: 'manual_review' }
      : AUTHORIZED,
    ...{ on_behalf_of, transfer_group, statement_descriptor, statement_descriptor_suffix, shipping, application },
    payment_method: method?.id,
    payment_method_details: {
      type,
      [type]: { ...fieldsOf(type === 'card' ? {} : method?.[type]), ...details, ...debit },
    },
    billing_details: method?.billing_details,
    destination: inside(intent, 'transfer_data.destination') ?? null,
    status: isLate ? 'pending' : 'succeeded',
    calculated_statement_descriptor: `TEST ACCOUNT${isGiven(statement_descriptor_suffix) ? `* ${statement_descriptor_suffix}` : ''}`,
  })
  const charge = records.charges.update(made.id, { receipt_url: `https://pay.stripe.example/receipts/${made.id}` })
  if (!isManual && !isLate) bookCharge(stripe, charge)
  records.payment_intents.update(intent.id, {
    ...{ latest_charge: charge.id, next_action: null, last_payment_error: null },
    ...(isManual
      ? { status: 'requires_capture', amount_capturable: intent.amount, capture_by: stripe.later(7) }
      : isLate
        ? { status: 'processing', settles_at: stripe.later(4) }
        : { status: 'succeeded', amount_received: intent.amount }),
  })
  if (method === undefined) return stripe.fresh('payment_intents', intent)
  const isSaved = isGiven(intent.setup_future_usage)
  if (isSaved && isGiven(intent.customer)) records.payment_methods.update(method.id, { customer: intent.customer })
  if (['0259', '2685', '1976'].includes(last4)) openDispute(stripe, stripe.fresh('payment_intents', intent), method)
  if (isReviewed(method)) {
    const review = records.reviews.create({ charge: charge.id, payment_intent: intent.id }).id
    records.payment_intents.update(intent.id, { review })
    records.charges.update(charge.id, { review })
  }
  if (last4 === '5423') records.early_fraud_warnings.create({ charge: charge.id, payment_intent: intent.id })
  if (!isGiven(method.customer) && !isSaved) records.payment_methods.update(method.id, { was_used: true })
  return stripe.fresh('payment_intents', intent)
}

/** A charge that the bank refuses. */
export function declineCharge(stripe: Stripe, intent: Kept, method: Kept | undefined, decline: Fields): Kept {
  const { records } = stripe
  const unavailable = { status: 'unavailable' }
  const charge = records.charges.create({
    ...ofIntent(intent),
    ...{ captured: false, paid: false, status: 'failed' },
    ...{ failure_code: decline.code, failure_message: decline.message, outcome: outcomeOf(decline) },
    payment_method: method?.id,
    payment_method_details: {
      type: method?.type ?? null,
      card: {
        ...cardOf(method),
        ...{ amount_authorized: null, authorization_code: null, extended_authorization: { status: 'disabled' } },
        ...{ incremental_authorization: unavailable, installments: null, mandate: null, multicapture: unavailable },
        ...{ network: inside(method, 'card.brand') ?? null, network_token: { used: false } },
        ...{ electronic_commerce_indicator: null, network_transaction_id: null, transaction_link_id: null },
        overcapture: { ...unavailable, maximum_amount_capturable: intent.amount ?? null },
        ...{ regulated_status: 'unregulated', three_d_secure: null, wallet: null },
      },
    },
    billing_details: method?.billing_details,
  })
  return records.payment_intents.update(intent.id, {
    ...{ status: 'requires_payment_method', payment_method: null, latest_charge: charge.id },
    last_payment_error: { ...decline, charge: charge.id, payment_method: shownMethod(method) },
  })
}

/** Books what is captured of a charge, less Stripe's fee and the platform's. @param portion by default all of it */
export function bookCharge(stripe: Stripe, given: Kept, portion?: number): void {
  const { records } = stripe
  const charge = transferCharge(stripe, given)
  const { id, currency = null, description = null } = charge
  const amount = portion ?? numberOf(charge.amount_captured)
  const taken = percentOf(amount, 2.9) + 30
  const own = charge.transfer_data === null ? numberOf(charge.application_fee_amount) : 0
  const cost = { amount: taken, currency, type: 'stripe_fee', application: null, description: 'Stripe processing fees' }
  const { id: balance_transaction } = records.balance_transactions.create({
    ...{ amount, currency, source: id, type: 'charge', reporting_category: 'charge', description },
    status: textIn(charge, 'payment_method_details.card.last4') === '0077' ? 'available' : 'pending',
    available_on: stripe.later(2),
    fee: taken + own,
    fee_details: own > 0 ? [{ amount: own, currency, type: 'application_fee' }, cost] : [cost],
    net: amount - taken - own,
  })
  records.charges.update(id, { balance_transaction })
}

/** An authorization that nobody captured in time. */
export function expireCapture(stripe: Stripe, { id, latest_charge }: Kept): void {
  const { records, unix } = stripe
  records.payment_intents.update(id, {
    ...{ status: 'canceled', canceled_at: unix, cancellation_reason: 'automatic' },
    ...{ amount_capturable: 0, capture_by: null },
  })
  const charge = records.charges.get(latest_charge)
  if (charge) records.charges.update(charge.id, { refunded: true, amount_refunded: charge.amount, expired_at: unix })
}

/** Charges of before intents, and their capture. */
export const charges: Operations = {
  'POST /v1/charges': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    const currency = currencyOf(stripe)
    stripe.positive('amount')
    const customer = records.customers.get(body.customer)
    const source =
      body.source ?? inside(customer, 'invoice_settings.default_payment_method') ?? customer?.default_source
    const method =
      (isGiven(body.source) ? records.payment_methods.find({ 'metadata.token': body.source }) : undefined) ??
      records.payment_methods.get(source)
    const token = isGiven(body.source) ? records.tokens.get(body.source) : undefined
    const card = method ? fieldsOf(method.card) : cardOfToken(stripe.of, body.source)
    if (card === undefined)
      return stripe.refuse('Must provide source or customer.', { reason: 'missing', param: 'source' })
    if (token?.used === true) stripe.usedToken(token.id)
    const decline = declineOf({ of: card, at: 'charge' })
    if (decline) {
      const failure = { failure_code: decline.code, failure_message: decline.message }
      records.charges.update(made.id, { status: 'failed', paid: false, ...failure })
      stripe.decline({ ...decline, charge: made.id }, true)
    }
    const captured = body.capture !== false
    const id = method?.id ?? textOf(card.id)
    const charge = records.charges.update(made.id, {
      ...currency,
      ...{ status: 'succeeded', paid: true, captured, amount_captured: captured ? made.amount : 0 },
      ...{ payment_method: id, payment_method_details: { type: 'card', card } },
      source: toSource({ id, card, customer: body.customer ?? null }),
      receipt_url: `https://pay.stripe.example/receipts/${made.id}`,
      ...{ outcome: AUTHORIZED, calculated_statement_descriptor: 'TEST ACCOUNT' },
    })
    if (captured) bookCharge(stripe, charge)
    if (token) records.tokens.update(token.id, { used: true })
    return stripe.fresh('charges', charge)
  },
  'POST /v1/charges/{charge}/capture': (stripe) => {
    const { body, records } = stripe
    const { id, amount, captured, ...before } = stripe.own('charges')
    if (captured === true)
      stripe.refuse(`Charge ${id} has already been captured.`, { reason: 'charge_already_captured' })
    if (numberOf(body.amount) > numberOf(amount))
      stripe.refuse('The requested capture amount is greater than the amount you can capture for this charge.', {
        reason: 'amount_too_large',
        param: 'amount',
      })
    const amount_captured = body.amount ?? amount
    const charge = records.charges.update(id, {
      ...{ captured: true, amount_captured },
      receipt_email: body.receipt_email ?? before.receipt_email,
      statement_descriptor: body.statement_descriptor ?? before.statement_descriptor,
      statement_descriptor_suffix: body.statement_descriptor_suffix ?? before.statement_descriptor_suffix,
    })
    bookCharge(stripe, charge)
    const rest = numberOf(amount) - numberOf(amount_captured)
    return rest > 0 ? records.charges.update(id, { amount_refunded: rest }) : stripe.fresh('charges', charge)
  },
}
