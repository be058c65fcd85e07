import { bookCharge, chargeMethod, declineCharge, expireCapture } from './charging.ts'
import { finishCheckout } from './completing.ts'
import { currencyOf } from './customers.ts'
import { declineOf } from './declines.ts'
import { markFailed, markPaid } from './paying.ts'
import { copyMethod, createMethod, isTestMethod, shownMethod, USED_UP } from './payment-methods.ts'
import { fitMethods, leastOf, unfitMethod } from './prices.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  textIn,
  textOf,
} from './stripe.ts'
import { checkTransfers } from './transfers.ts'

/** Methods of payment that the simulation does not do. */
const UNLIKE =
  'blik boleto cashapp crypto customer_balance konbini kr_card multibanco oxxo pay_by_bank payco paynow pix promptpay swish upi wechat_pay zip'.split(
    ' ',
  )
/** Methods that lead to a page of their own. */
const BY_REDIRECT =
  'affirm afterpay_clearpay alipay alma amazon_pay bancontact billie eps fpx giropay grabpay ideal klarna mobilepay p24 paypal revolut_pay satispay sofort twint'.split(
    ' ',
  )
/** Cards whose bank asks. https://docs.stripe.com/testing#regulatory-cards */
const ASKING = ['3184', '3220', '3063', '1629', '3178']

/** Methods that never redirect. */
const WITHOUT_REDIRECT = [
  ...['card', 'card_present', 'us_bank_account', 'sepa_debit', 'acss_debit', 'au_becs_debit', 'bacs_debit'],
]

const WAITING = ['requires_payment_method', 'requires_confirmation', 'requires_action']

const collectionOf = (intent: Kept): 'payment_intents' | 'setup_intents' =>
  intent.object === 'setup_intent' ? 'setup_intents' : 'payment_intents'

const nameOf = (intent: Kept): string => (intent.object === 'setup_intent' ? 'SetupIntent' : 'PaymentIntent')

/** Sets fields of an intent of either kind. */
export const setIntent = (stripe: Stripe, intent: Kept, fields: Readonly<Record<string, Json | undefined>>): Kept =>
  stripe.records[collectionOf(intent)].update(intent.id, fields)

export const methodOf = (stripe: Stripe, intent: Kept): Kept | undefined =>
  stripe.records.payment_methods.get(intent.payment_method)

/** The intent that pays an invoice. */
export const intentOf = ({ records }: Stripe, invoice: Json | undefined): Kept | undefined =>
  isGiven(invoice) ? records.payment_intents.find({ 'payment_details.order_reference': invoice }) : undefined

/** Refuses a confirmation of an intent that may redirect without an address to return to. */
export function checkReturn(stripe: Stripe, intent: Kept): void {
  const { body, path } = stripe
  const { allowed_payment_method_types: allowed } = intent
  const types = Array.isArray(allowed) ? allowed : ['any']
  if (types.every((type) => WITHOUT_REDIRECT.includes(textOf(type)))) return
  if (isGiven(body.return_url) || isGiven(body.confirmation_token)) return
  const sent = fieldsOf(body.automatic_payment_methods)
  const own = fieldsOf(intent.automatic_payment_methods)
  const isNew =
    body.confirm === true &&
    body.payment_method_types === undefined &&
    !isGiven(body.off_session) &&
    sent.enabled !== false &&
    sent.allow_redirects !== 'never'
  const isConfirmed =
    isGiven(path.intent) &&
    WAITING.includes(textOf(intent.status)) &&
    own.enabled === true &&
    own.allow_redirects !== 'never'
  if (isNew || isConfirmed)
    stripe.refuse(
      `This ${nameOf(intent)} is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a \`return_url\`. If you don't want to accept redirect-based payment methods, set \`automatic_payment_methods[enabled]\` to \`true\` and \`automatic_payment_methods[allow_redirects]\` to \`never\` when creating Setup Intents and Payment Intents.`,
    )
}

export const automaticMethods = ({ body }: Stripe): Fields | null =>
  isGiven(body.payment_method_types)
    ? null
    : { allow_redirects: 'always', enabled: true, ...fieldsOf(body.automatic_payment_methods) }

function checkFees(stripe: Stripe, intent: Kept): void {
  const { destination, amount } = fieldsOf(intent.transfer_data)
  const owner = stripe.records.accounts.get(destination)
  if (isGiven(destination) && owner === undefined)
    stripe.absent('destination', destination, 'transfer_data[destination]')
  if (owner) checkTransfers(stripe, owner)
  const param = 'application_fee_amount'
  const hasFee = isGiven(intent.application_fee_amount)
  if (hasFee && !isGiven(destination) && !isGiven(stripe.account))
    stripe.refuse(
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).',
      { param },
    )
  if (numberOf(amount) > numberOf(intent.amount))
    stripe.refuse('The transfer amount must not exceed the amount of the payment.', { param: 'transfer_data[amount]' })
  if (isGiven(amount) && hasFee)
    stripe.refuse('You cannot use `application_fee_amount` with `transfer_data[amount]`.', { param })
}

function checkAmount(stripe: Stripe, { amount, currency }: Kept): void {
  const least = leastOf(currency)
  if (numberOf(amount) < 0) stripe.positive('amount')
  if (numberOf(amount) < 1)
    stripe.refuse(
      'The amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to save a Payment Method for future use without an immediate payment, use a Setup Intent instead: https://docs.stripe.com/payments/setup-intents',
      { reason: 'parameter_invalid_integer', param: 'amount' },
    )
  if (numberOf(amount) < numberOf(least.amount))
    stripe.refuse(`Amount must be at least ${least.text} ${currency}`, { reason: 'amount_too_small', param: 'amount' })
  if (numberOf(amount) > 99_999_999)
    stripe.refuse('Amount must be no more than $999,999.99', { reason: 'amount_too_large', param: 'amount' })
}

/** Refuses types of payment methods that do not take the currency. */
export function fitCurrency(stripe: Stripe, { payment_method_types, currency }: Kept): void {
  const unfit = unfitMethod({ types: payment_method_types ?? null, currency: currency ?? null })
  if (unfit)
    stripe.refuse(
      `The currency provided (${currency}) is invalid. Payments with ${unfit.type} support the following currencies: ${unfit.currencies}.`,
      { param: 'payment_method_types' },
    )
}

/** The types of methods that a request allows, of those that take the currency. */
export function allowedTypes(stripe: Stripe, { currency }: Kept): Fields {
  const { allowed_payment_method_types: allowed } = stripe.body
  if (!Array.isArray(allowed) || allowed.length === 0) return {}
  const fitting = fitMethods({ types: allowed, currency: currency ?? null })
  if (fitting.length === 0)
    stripe.refuse(`No valid payment method types: none of those that are allowed takes ${currency}.`, {
      param: 'allowed_payment_method_types',
    })
  return { payment_method_types: fitting }
}

/** Takes the method of the request: one that it names, of its data, or of a confirmation token. */
export function useMethod(stripe: Stripe, given: Kept): Kept {
  const { body, records } = stripe
  const { confirmation_token, payment_method_data } = body
  const token = isGiven(confirmation_token) ? records.confirmation_tokens.get(confirmation_token) : undefined
  if (isGiven(confirmation_token) && token === undefined)
    stripe.absent('confirmation_token', confirmation_token, 'confirmation_token')
  if (isGiven(token?.payment_intent) || isGiven(token?.setup_intent))
    stripe.refuse(`The ConfirmationToken ${token?.id} has already been used. Create a new one.`, {
      ...{ reason: 'confirmation_token_already_used', param: 'confirmation_token' },
    })
  let intent = setIntent(stripe, given, allowedTypes(stripe, given))
  const sent = fieldsOf(token?.method ?? payment_method_data)
  const isNew = isGiven(sent.type) && !isGiven(sent.id) && (token !== undefined || !isGiven(intent.payment_method))
  const made = isNew ? createMethod(stripe, sent) : undefined
  if (made) intent = setIntent(stripe, intent, { payment_method: made.id })
  if (token) {
    records.confirmation_tokens.update(token.id, { [textOf(intent.object)]: intent.id })
    intent = setIntent(stripe, intent, {
      payment_method: made?.id ?? inside(token.method, 'id') ?? null,
      ...(intent.object === 'payment_intent' && {
        setup_future_usage: token.setup_future_usage ?? intent.setup_future_usage ?? null,
        shipping: token.shipping ?? intent.shipping ?? null,
      }),
    })
  }
  return copyTestMethod(stripe, intent)
}

/** Refuses a method that is not the payer's. Of one of Stripe's test methods a copy is used. */
function copyTestMethod(stripe: Stripe, intent: Kept): Kept {
  const method = methodOf(stripe, intent)
  if (method === undefined) return intent
  if (WAITING.includes(textOf(intent.status))) {
    if (isGiven(method.customer) && isGiven(intent.customer) && method.customer !== intent.customer)
      stripe.refuse(
        `The PaymentMethod ${method.id} does not belong to the Customer you supplied ${intent.customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
        { param: 'payment_method' },
      )
    if (isGiven(method.customer) && !isGiven(intent.customer))
      stripe.refuse(
        `The \`payment_method\` parameter supplied ${method.id} belongs to the Customer ${method.customer}. Please include the Customer in the \`customer\` parameter on the ${nameOf(intent)}.`,
        { param: 'payment_method' },
      )
    if (method.was_detached === true || (method.was_used === true && !isGiven(method.customer)))
      stripe.refuse(`The provided ${USED_UP}`)
  }
  return isTestMethod(method) ? setIntent(stripe, intent, { payment_method: copyMethod(stripe, method).id }) : intent
}

/** Refuses, or asks for, what a method needs before it can be used. Undefined where it needs nothing. */
export function askFirst(stripe: Stripe, intent: Kept, method: Kept | undefined): Kept | undefined {
  const type = textOf(method?.type)
  const isPayment = intent.object === 'payment_intent'
  if (UNLIKE.includes(type))
    stripe.refuse(
      `Payments by ${type} are not simulated. Use card, us_bank_account, sepa_debit or a method that redirects, such as ideal or klarna.`,
      { param: 'payment_method' },
    )
  if (BY_REDIRECT.includes(type) && !(isPayment && stripe.body.off_session === true))
    return askForAuthentication(stripe, intent)
  return method?.is_unverified === true ? askForDeposits(stripe, intent) : undefined
}

/** Tries to pay: the payment succeeds, waits or is declined. */
export function attempt(stripe: Stripe, intent: Kept): Kept {
  const { off_session = null, error_on_requires_action = null } = stripe.body
  const method = methodOf(stripe, intent)
  const asked = askFirst(stripe, intent, method)
  if (asked) return asked
  const decline = declineOf({ ...{ of: method ?? null, at: 'charge' }, off_session, error_on_requires_action })
  if (decline) return declineCharge(stripe, intent, method, decline)
  if (intent.is_authenticated === true) return authenticated(stripe, intent)
  return asksBank(method, off_session !== true) ? askForAuthentication(stripe, intent) : chargeMethod(stripe, intent)
}

/** Whether the bank of a card asks its owner; that of the last one only in their presence. */
export const asksBank = (method: Kept | undefined, isPresent: boolean): boolean =>
  ASKING.includes(textIn(method, 'card.last4')) || (isPresent && textIn(method, 'card.last4') === '3155')

/** Pays once the bank's question is answered. */
function authenticated(stripe: Stripe, intent: Kept): Kept {
  const method = methodOf(stripe, intent)
  const decline = declineOf({ of: method ?? null, at: 'later' })
  if (decline) return declineCharge(stripe, intent, method, decline)
  return chargeMethod(stripe, intent, {
    ...{ authentication_flow: 'challenge', electronic_commerce_indicator: '05', exemption_indicator: null },
    ...{ result: 'authenticated', result_reason: null, transaction_id: stripe.letters(24), version: '2.2.0' },
  })
}

export function askForAuthentication(stripe: Stripe, intent: Kept): Kept {
  const { body, records } = stripe
  const token = isGiven(body.confirmation_token) ? records.confirmation_tokens.get(body.confirmation_token) : undefined
  const return_url = body.return_url ?? token?.return_url
  const url = `${stripe.origin}/redirect/authenticate/${intent.id}`
  return setIntent(stripe, intent, {
    status: 'requires_action',
    next_action: isGiven(return_url)
      ? { type: 'redirect_to_url', redirect_to_url: { return_url, url } }
      : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
  })
}

function askForDeposits(stripe: Stripe, intent: Kept): Kept {
  const verify_with_microdeposits = {
    arrival_date: stripe.later(2),
    hosted_verification_url: `${stripe.origin}/microdeposit/${intent.id}`,
    microdeposit_type: 'descriptor_code',
  }
  return setIntent(stripe, intent, {
    status: 'requires_action',
    next_action: { type: 'verify_with_microdeposits', verify_with_microdeposits },
  })
}

/** https://docs.stripe.com/payments/ach-direct-debit/accept-a-payment#test-accounts */
export function checkDeposits(stripe: Stripe, intent: Kept): void {
  const { amounts, descriptor_code } = stripe.body
  const mismatch = 'payment_method_microdeposit_verification'
  if (inside(intent, 'next_action.type') !== 'verify_with_microdeposits')
    stripe.refuse(`This intent waits for no microdeposits: it has a status of ${intent.status}.`)
  if (isGiven(amounts) && `${amounts}` !== '32,45')
    stripe.refuse('The amounts provided do not match the amounts that were sent to the bank account.', {
      reason: `${mismatch}_amounts_mismatch`,
    })
  if (isGiven(descriptor_code) && descriptor_code !== 'SM11AA')
    stripe.refuse('The verification code provided does not match the one sent to the bank account.', {
      reason: `${mismatch}_descriptor_code_mismatch`,
    })
  stripe.change('payment_methods', intent.payment_method, { is_unverified: false })
}

/** Confirms an intent that has a method. Refuses a declined payment, which stays as a failed one. */
export function confirmIntent(stripe: Stripe, given: Kept): Kept {
  if (!isGiven(given.payment_method))
    stripe.unexpected(
      given,
      isGiven(given.customer)
        ? `You cannot confirm this PaymentIntent because it's missing a payment method. To confirm the PaymentIntent with ${given.customer}, specify a payment method attached to this customer along with the customer ID.`
        : "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      true,
    )
  const intent = attempt(stripe, given)
  settleIntent(stripe, intent)
  if (intent.status === 'requires_payment_method')
    stripe.decline({ ...fieldsOf(intent.last_payment_error), payment_intent: intent }, true)
  return stripe.fresh('payment_intents', intent)
}

/** Pays the invoice of an intent that has succeeded. */
function settleIntent(stripe: Stripe, { status, payment_method, payment_details }: Kept): void {
  const { records } = stripe
  const due = records.invoices.get(inside(payment_details, 'order_reference'))
  if (status !== 'succeeded' || due === undefined) return
  const subscription = records.subscriptions.get(inside(due, 'parent.subscription_details.subscription'))
  if (subscription && inside(subscription, 'payment_settings.save_default_payment_method') === 'on_subscription')
    records.subscriptions.update(subscription.id, { default_payment_method: payment_method })
  if (due.status === 'open') markPaid(stripe, due)
}

/** The session of an intent ends with it, or later, with a debit that clears or fails. */
function followIntent(stripe: Stripe, { id, status, payment_details }: Kept): void {
  const { records } = stripe
  const invoice = inside(payment_details, 'order_reference')
  const session =
    records.checkout_sessions.find({ payment_intent: id }) ??
    (isGiven(invoice) ? records.checkout_sessions.find({ invoice }) : undefined)
  if (session === undefined) return
  const kept =
    session.status === 'open' && status !== 'requires_payment_method' ? finishCheckout(stripe, session) : session
  if (kept.status !== 'complete' || kept.payment_status !== 'unpaid') return
  if (status === 'succeeded')
    records.checkout_sessions.update(kept.id, { payment_status: 'paid', settlement: 'succeeded' })
  if (status === 'requires_payment_method') records.checkout_sessions.update(kept.id, { settlement: 'failed' })
}

const ONE_OF = 'Only a PaymentIntent with one of the following statuses may be'

/** Captures a part of an authorized payment, or all of it. */
function capture(stripe: Stripe): Kept {
  const { body, records } = stripe
  const intent = stripe.own('payment_intents')
  const { status, amount_capturable } = intent
  const card = inside(records.charges.get(intent.latest_charge), 'payment_method_details.card')
  const portion = numberOf(body.amount_to_capture ?? amount_capturable)
  const isOver = inside(card, 'overcapture.status') === 'available' && intent.amount_received === 0
  const ceiling = isOver ? inside(card, 'overcapture.maximum_amount_capturable') : amount_capturable
  if (status !== 'requires_capture')
    stripe.unexpected(
      intent,
      status === 'succeeded' && intent.capture_method === 'manual'
        ? 'This PaymentIntent could not be captured because it has already been captured.'
        : `This PaymentIntent could not be captured because it has a status of ${status}. ${ONE_OF} captured: requires_capture.`,
    )
  if (body.final_capture === false && inside(card, 'multicapture.status') !== 'available')
    stripe.refuse(
      'This PaymentIntent cannot be captured more than once because multicapture is not available for it.',
      {
        param: 'final_capture',
      },
    )
  stripe.positive('amount_to_capture')
  if (portion > numberOf(ceiling))
    stripe.refuse(
      'The payment could not be captured because the requested capture amount is greater than the amount you can capture for this charge.',
      { reason: 'amount_too_large', param: 'amount_to_capture' },
    )
  const left = body.final_capture === false ? numberOf(amount_capturable) - portion : 0
  const captured = records.payment_intents.update(intent.id, {
    amount_received: numberOf(intent.amount_received) + portion,
    application_fee_amount: body.application_fee_amount ?? intent.application_fee_amount,
    metadata: { ...fieldsOf(intent.metadata), ...fieldsOf(body.metadata) },
    statement_descriptor: body.statement_descriptor ?? intent.statement_descriptor,
    statement_descriptor_suffix: body.statement_descriptor_suffix ?? intent.statement_descriptor_suffix,
    amount_capturable: left,
    ...(left === 0 && { status: 'succeeded', capture_by: null }),
  })
  const charge = records.charges.update(intent.latest_charge, {
    captured: true,
    amount_captured: captured.amount_received,
  })
  bookCharge(stripe, charge, portion)
  if (left === 0)
    records.charges.update(charge.id, {
      amount_refunded: Math.max(numberOf(charge.amount) - numberOf(captured.amount_received), 0),
    })
  return stripe.fresh('payment_intents', intent)
}

/** What a confirmation may set. */
const CONFIRMED = [
  ...['payment_method', 'payment_method_types', 'payment_method_options', 'capture_method', 'receipt_email'],
  ...['setup_future_usage', 'shipping'],
]

export const paymentIntents: Operations = {
  'POST /v1/payment_intents': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    const currency = currencyOf(stripe)
    checkAmount(stripe, { ...made, ...currency })
    checkFees(stripe, made)
    checkReturn(stripe, made)
    const prepared = records.payment_intents.update(made.id, {
      ...currency,
      client_secret: stripe.secretOf(made),
      automatic_payment_methods: automaticMethods(stripe),
      application: isGiven(stripe.headers['stripe-account']) ? 'ca_backlot' : null,
    })
    fitCurrency(stripe, prepared)
    const used = useMethod(stripe, prepared)
    const intent = isGiven(used.payment_method) ? setIntent(stripe, used, { status: 'requires_confirmation' }) : used
    return body.confirm === true ? confirmIntent(stripe, intent) : intent
  },
  'POST /v1/payment_intents/{intent}': (stripe) => {
    const intent = stripe.next()
    if (
      isGiven(stripe.body.amount) &&
      isOneOf(intent.status, 'succeeded', 'canceled', 'requires_capture', 'processing')
    )
      stripe.unexpected(
        intent,
        `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}. You may only update the amount of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.`,
        false,
        'amount',
      )
    if (isGiven(stripe.body.amount)) checkAmount(stripe, intent)
    const used = useMethod(stripe, intent)
    return isGiven(used.payment_method) && used.status === 'requires_payment_method'
      ? setIntent(stripe, used, { status: 'requires_confirmation' })
      : used
  },
  'POST /v1/payment_intents/{intent}/confirm': (stripe) => {
    const { body, records } = stripe
    const intent = stripe.own('payment_intents')
    const { status } = intent
    checkReturn(stripe, intent)
    if (status === 'succeeded')
      stripe.unexpected(
        intent,
        'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      )
    if (isOneOf(status, 'canceled', 'requires_capture', 'processing'))
      stripe.unexpected(
        intent,
        `You cannot confirm this PaymentIntent because it has a status of ${status}. ${ONE_OF} confirmed: requires_confirmation, requires_action.`,
      )
    const given = CONFIRMED.flatMap((name) => (isGiven(body[name]) ? [[name, body[name]]] : []))
    const prepared = records.payment_intents.update(intent.id, Object.fromEntries(given))
    return confirmIntent(stripe, useMethod(stripe, prepared))
  },
  'POST /v1/payment_intents/{intent}/verify_microdeposits': (stripe) => {
    const intent = stripe.own('payment_intents')
    checkDeposits(stripe, intent)
    return chargeMethod(stripe, intent)
  },
  'POST /v1/payment_intents/{intent}/capture': capture,
  'POST /v1/payment_intents/{intent}/increment_authorization': (stripe) => {
    const { body, records } = stripe
    const intent = stripe.own('payment_intents')
    if (intent.status !== 'requires_capture')
      stripe.unexpected(
        intent,
        `This PaymentIntent's authorization could not be incremented because it has a status of ${intent.status}.`,
      )
    if (numberOf(body.amount) <= numberOf(intent.amount))
      stripe.refuse('The amount must be greater than the amount that was authorized before.', { param: 'amount' })
    stripe.change('charges', intent.latest_charge, { amount: body.amount })
    return records.payment_intents.update(intent.id, {
      amount: body.amount,
      amount_capturable: body.amount,
      application_fee_amount: body.application_fee_amount ?? intent.application_fee_amount,
      description: body.description ?? intent.description,
      metadata: { ...fieldsOf(intent.metadata), ...fieldsOf(body.metadata) },
      statement_descriptor: body.statement_descriptor ?? intent.statement_descriptor,
    })
  },
  'POST /v1/payment_intents/{intent}/cancel': (stripe) => {
    const { body, records, unix } = stripe
    const intent = stripe.own('payment_intents')
    if (isOneOf(intent.status, 'succeeded', 'canceled'))
      stripe.unexpected(
        intent,
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. ${ONE_OF} canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
      )
    const charge = records.charges.get(intent.latest_charge)
    if (charge?.captured === false && charge.status === 'succeeded')
      records.charges.update(charge.id, { refunded: true, amount_refunded: charge.amount, refunds_made: 1 })
    return records.payment_intents.update(intent.id, {
      status: 'canceled',
      canceled_at: unix,
      cancellation_reason: body.cancellation_reason ?? null,
      ...{ amount_capturable: 0, capture_by: null, next_action: null },
    })
  },
  'POST /v1/test_helpers/payment_intents/{intent}/authenticate': (stripe) => {
    const { body } = stripe
    const intent = stripe.own('payment_intents')
    if (intent.status !== 'requires_action')
      stripe.unexpected(intent, `This PaymentIntent waits for no authentication: it has a status of ${intent.status}.`)
    const last_payment_error = {
      ...{ type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
      message:
        'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
      payment_method: shownMethod(methodOf(stripe, intent)),
    }
    const settled =
      body.outcome === 'failure'
        ? setIntent(stripe, intent, {
            ...{ status: 'requires_payment_method', next_action: null, payment_method: null, last_payment_error },
          })
        : intent.confirmation_method === 'manual'
          ? setIntent(stripe, intent, { status: 'requires_confirmation', next_action: null, is_authenticated: true })
          : authenticated(stripe, intent)
    settleIntent(stripe, settled)
    followIntent(stripe, settled)
    return stripe.fresh('payment_intents', intent)
  },
}

/** Why debits of test accounts fail. https://docs.stripe.com/declines/network-codes, and the test accounts of each debit */
const DEBIT_FAILURES: Readonly<Record<string, string>> = {
  1116: 'bank_account_invalid_details',
  1113: 'bank_account_closed',
  2227: 'insufficient_funds',
  3335: 'debit_not_authorized',
  3202: 'generic_decline',
  3001: 'generic_decline',
  3004: 'insufficient_funds',
  2607: 'generic_decline',
}

/** A debit clears or fails. */
function clearDebit(stripe: Stripe, intent: Kept): void {
  const { records } = stripe
  const method = methodOf(stripe, intent)
  const charge = textOf(intent.latest_charge)
  const reason = DEBIT_FAILURES[textIn(method, 'us_bank_account.last4') || textIn(method, 'sepa_debit.last4')]
  if (reason === undefined) {
    const paid = setIntent(stripe, intent, { status: 'succeeded', settles_at: null, amount_received: intent.amount })
    bookCharge(stripe, records.charges.update(charge, { status: 'succeeded', paid: true }))
    settleIntent(stripe, paid)
    followIntent(stripe, paid)
    return
  }
  const message = "The customer's bank account could not be debited."
  const failed = setIntent(stripe, intent, {
    ...{ status: 'requires_payment_method', settles_at: null, payment_method: null },
    last_payment_error: {
      ...{ type: 'card_error', code: 'payment_method_provider_decline', decline_code: reason, message, charge },
      payment_method: shownMethod(method),
    },
  })
  const failure = { failure_code: reason, failure_message: message }
  records.charges.update(charge, { status: 'failed', captured: false, ...failure })
  const due = records.invoices.get(inside(intent, 'payment_details.order_reference'))
  if (due?.status === 'open') markFailed(stripe, due)
  followIntent(stripe, failed)
}

export const paymentIntentSteps: Steps = { clearDebit, expireCapture }
