import { declineOf } from './declines.ts'
import { bankCode, cardOfToken, sourceOf, tokenCard } from './sources.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  HOUR_S,
  inside,
  isGiven,
  type Json,
  type Kept,
  merged,
  type Operations,
  type Stripe,
  textOf,
  without,
} from './stripe.ts'

/** Debits of bank accounts, which clear days later. */
const DEBITS = ['us_bank_account', 'sepa_debit', 'acss_debit', 'au_becs_debit', 'bacs_debit']

export const isDebit = (method: Kept | undefined): boolean => DEBITS.includes(textOf(method?.type))

/** Whether a method is one of Stripe's, such as `pm_card_visa`: a copy of it is used. */
export const isTestMethod = (method: Kept | undefined): boolean => inside(method, 'metadata.test_token') === 'true'

/** A new method of the same card or bank account. */
export function copyMethod(stripe: Stripe, method: Kept, fields: Fields = {}): Kept {
  const type = textOf(method.type)
  return stripe.records.payment_methods.create({ [type]: method[type], type, ...fields })
}

/** A method as Stripe shows it. */
export const shownMethod = (method: Kept | undefined): Fields | null =>
  method === undefined ? null : without(method, 'is_unverified was_detached was_used')

/** The billing details of a body, with all their fields. */
const billingOf = (sent: Json | undefined): Fields => ({
  ...{ address: null, email: null, name: null, phone: null },
  ...fieldsOf(sent),
})

/** The card of a test number or of a token. */
const cardOf = (stripe: Stripe, sent: Json | undefined): Fields | undefined =>
  cardOfToken(stripe.of, fieldsOf(sent).token ?? sent)

/** What a method shows of a bank account. */
function bankOf(stripe: Stripe, type: Json | undefined, given: Json | undefined): Fields {
  const sent = fieldsOf(given)
  if (type === 'sepa_debit') {
    const iban = textOf(sent.iban)
    if (iban.length < 15)
      stripe.refuse('The IBAN provided appears to be invalid. Request a new IBAN from the customer and try again.', {
        reason: 'invalid_bank_account_iban',
        param: 'sepa_debit[iban]',
      })
    return {
      sepa_debit: {
        ...{ bank_code: bankCode(iban), branch_code: '', country: iban.slice(0, 2), fingerprint: stripe.letters(16) },
        ...{ generated_from: { charge: null, setup_attempt: null }, last4: iban.slice(-4) },
      },
    }
  }
  if (type !== 'us_bank_account' && !DEBITS.includes(textOf(type))) return {}
  if (type !== 'us_bank_account') {
    const { account_number, ...shown } = sent
    const last4 = textOf(account_number).slice(-4)
    return { [textOf(type)]: { ...shown, fingerprint: stripe.letters(16), last4 } }
  }
  const { account_holder_type = 'individual', account_type = 'checking', account_number, routing_number = null } = sent
  return {
    us_bank_account: {
      ...{ account_holder_type, account_type, bank_name: 'STRIPE TEST BANK', financial_connections_account: null },
      ...{ fingerprint: stripe.letters(16), last4: textOf(account_number).slice(-4) },
      ...{ networks: { preferred: 'ach', supported: ['ach'] }, routing_number, status_details: {} },
    },
    is_unverified: true,
  }
}

/** Creates the method of `payment_method_data`. */
export function createMethod(stripe: Stripe, sent: Fields): Kept {
  const type = textOf(sent.type)
  const shown = type === 'card' ? cardOf(stripe, sent.card) : (sent[type] ?? {})
  return stripe.records.payment_methods.create({
    ...{ [type]: shown, type, billing_details: billingOf(sent.billing_details) },
    ...bankOf(stripe, type, sent[type]),
  })
}

/** A mandate of a debit. */
export function createMandate(stripe: Stripe, method: Kept | undefined, intent: Kept): Kept | undefined {
  const { body, records, unix } = stripe
  const { customer_acceptance } = fieldsOf(body.mandate_data ?? intent.mandate_data)
  if (method === undefined || !isDebit(method)) return undefined
  const isOnce = intent.object === 'payment_intent' && intent.setup_future_usage === null && body.off_session !== true
  const sepa = { reference: stripe.letters(16), url: 'https://mandates.stripe.example/sepa_debit' }
  return records.mandates.create({
    customer_acceptance: { accepted_at: unix, type: 'online', ...fieldsOf(customer_acceptance) },
    payment_method: method.id,
    payment_method_details: {
      type: method.type ?? null,
      ...(method.type === 'us_bank_account' && { us_bank_account: { collection_method: 'paper' } }),
      ...(method.type === 'sepa_debit' && { sepa_debit: sepa }),
    },
    ...{ type: isOnce ? 'single_use' : 'multi_use', status: 'active' },
  })
}

const badCard = (stripe: Stripe, code: string, message: string, param: string): never =>
  stripe.decline({ type: 'card_error', code, message, param })

/** The card of the body. Refuses a number that is not one of Stripe's test cards. */
function knownCard(stripe: Stripe): Fields | undefined {
  const { card } = stripe.body
  const known = isGiven(card) ? cardOf(stripe, card) : undefined
  if (isGiven(inside(card, 'number')) && known === undefined)
    badCard(stripe, 'incorrect_number', 'Your card number is incorrect.', 'number')
  return known
}

/** A new method of a platform's one: https://docs.stripe.com/connect/direct-charges-multiple-accounts */
function clone(stripe: Stripe, made: Kept): Kept {
  const { body, records } = stripe
  const origin = stripe.inAccount('', () => records.payment_methods.get(body.payment_method))
  if (origin === undefined || (origin.customer ?? null) !== (body.customer ?? null))
    return stripe.absent('PaymentMethod', body.payment_method, 'payment_method')
  const { type, card, billing_details, us_bank_account, sepa_debit } = origin
  return records.payment_methods.update(made.id, { type, card, billing_details, us_bank_account, sepa_debit })
}

/** What methods that redirect show, besides what they are sent. */
const BANKS: Readonly<Record<string, Fields>> = {
  eps: { bank: null },
  ideal: { bank: null, bic: null },
  p24: { bank: null },
}

/** Refuses a method that cannot be attached, and attaches it. */
function attachMethod(stripe: Stripe): Kept {
  const { body, records } = stripe
  const method = stripe.own('payment_methods')
  const decline = declineOf({ of: method, at: 'attached' })
  const reason = 'payment_method_unexpected_state'
  stripe.need('customer')
  // from a recorded answer of Stripe
  if (decline) stripe.decline({ network_decline_code: '01', param: '', ...without(decline, 'network_decline_code') })
  if (method.was_detached === true || (method.was_used === true && !isGiven(method.customer)))
    stripe.refuse(`This ${USED_UP}`, { reason })
  if (isGiven(method.customer) && method.customer !== body.customer)
    stripe.refuse('The payment method you provided has already been attached to a customer.', { reason })
  return isTestMethod(method)
    ? copyMethod(stripe, method, { customer: body.customer ?? null })
    : records.payment_methods.update(method.id, { customer: body.customer })
}

export const USED_UP =
  'PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.'

export const paymentMethods: Operations = {
  'POST /v1/payment_methods': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    const { exp_month, exp_year } = fieldsOf(body.card)
    if (Number(exp_month) > 12)
      badCard(stripe, 'invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
    if (Number(exp_year) < new Date(unix * 1_000).getUTCFullYear())
      badCard(stripe, 'invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
    const card = knownCard(stripe)
    if (isGiven(body.payment_method)) return clone(stripe, made)
    const type = textOf(made.type)
    return records.payment_methods.update(made.id, {
      ...bankOf(stripe, type, body[type]),
      ...(BANKS[type] && { [type]: merged(BANKS[type], made[type]) }),
      ...(type === 'card' && { card: merged(card, filled({ exp_month, exp_year })) }),
    })
  },
  'POST /v1/payment_methods/{id}/attach': (stripe) => shownMethod(attachMethod(stripe)),
  'POST /v1/payment_methods/{id}/detach': (stripe) => {
    const { records } = stripe
    const { id, customer } = stripe.own('payment_methods')
    if (!isGiven(customer))
      stripe.refuse('The payment method you provided is not attached to a customer so detachment is impossible.')
    for (const payer of records.customers.where({ 'invoice_settings.default_payment_method': id }))
      records.customers.update(payer.id, {
        invoice_settings: { ...fieldsOf(payer.invoice_settings), default_payment_method: null },
      })
    for (const subscription of records.subscriptions.where({ default_payment_method: id }))
      records.subscriptions.update(subscription.id, { default_payment_method: null })
    return records.payment_methods.update(id, { customer: null, was_detached: true })
  },
  'GET /v1/customers/{customer}/payment_methods/{payment_method}': (stripe) => {
    const method = stripe.own('payment_methods')
    if (method.customer !== stripe.path.customer)
      stripe.refuse(`No such PaymentMethod: '${method.id}'`, {
        ...{ status: 404, reason: 'resource_missing', param: 'payment_method' },
      })
    return shownMethod(method)
  },
  'POST /v1/tokens': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    const card = knownCard(stripe)
    const kept = card === undefined ? null : tokenCard(card, stripe.id('card_'), body.card)
    const type = Object.keys(body).find((name) => name !== 'customer' && name !== 'expand')
    return records.tokens.update(made.id, { type, kept, ...(kept && { card: sourceOf(kept) }) })
  },
  'POST /v1/test_helpers/confirmation_tokens': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    const method = records.payment_methods.get(body.payment_method)
    const sent = fieldsOf(body.payment_method_data ?? method)
    return records.confirmation_tokens.update(made.id, {
      expires_at: unix + 12 * HOUR_S,
      method: sent,
      payment_method_preview: filled({
        type: sent.type,
        billing_details: billingOf(sent.billing_details),
        card: isGiven(sent.card) ? (cardOf(stripe, sent.card) ?? method?.card) : null,
        customer: method?.customer,
      }),
    })
  },
}
