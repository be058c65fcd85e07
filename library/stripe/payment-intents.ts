import { bookCharge, chargeMethod, declineCharge, expireCapture } from './charging.ts'
import { currencyOf } from './countries.ts'
import { declineOf } from './declines.ts'
import {
  askFirst,
  askForAuthentication,
  asksBank,
  automaticMethods,
  checkDeposits,
  checkReturn,
  fitCurrency,
  methodOf,
  setIntent,
  useMethod,
} from './intents.ts'
import { shownMethod } from './payment-methods.ts'
import { leastOf } from './prices.ts'
import {
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Kept,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  textIn,
  textOf,
} from './stripe.ts'
import { checkTransfers } from './transfers.ts'

function checkFees(stripe: Stripe, intent: Kept): void {
  const { destination, amount } = fieldsOf(intent.transfer_data)
  const owner = stripe.records.accounts.get(destination)
  if (isGiven(destination) && owner === undefined)
    stripe.absent('destination', destination, 'transfer_data[destination]')
  if (owner) checkTransfers(stripe, owner)
  if (isGiven(intent.on_behalf_of) && stripe.records.accounts.get(intent.on_behalf_of) === undefined)
    stripe.absent('account', intent.on_behalf_of, 'on_behalf_of')
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
  stripe.following.intentTried(stripe, intent)
  if (intent.status === 'requires_payment_method')
    stripe.decline({ ...fieldsOf(intent.last_payment_error), payment_intent: intent }, true)
  return stripe.fresh('payment_intents', intent)
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

/** https://support.stripe.com/questions/use-of-the-statement-descriptor-parameter-on-paymentintents-for-card-charges */
function checkDescriptor(stripe: Stripe): void {
  const { body } = stripe
  const isOfCards = [body.payment_method_types ?? []].flat().includes('card')
  if (isOfCards && isGiven(body.statement_descriptor) && !isGiven(body.statement_descriptor_suffix))
    stripe.refuse(
      'The statement_descriptor parameter is not supported for the payment_method_type `card`. To continue supporting payment_method_type `card`, please pass in `statement_descriptor_suffix` or remove the `statement_descriptor` parameter altogether. Please see https://support.stripe.com/questions/use-of-the-statement-descriptor-parameter-on-paymentintents-for-card-charges for additional details.',
      { param: 'statement_descriptor' },
    )
}

export const paymentIntents: Operations = {
  'POST /v1/payment_intents': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    const currency = currencyOf(stripe)
    checkAmount(stripe, { ...made, ...currency })
    checkFees(stripe, made)
    checkDescriptor(stripe)
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
    stripe.following.intentTried(stripe, settled)
    stripe.following.intentAnswered(stripe, settled)
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
    stripe.following.intentTried(stripe, paid)
    stripe.following.intentAnswered(stripe, paid)
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
  stripe.following.debitFailed(stripe, failed)
  stripe.following.intentAnswered(stripe, failed)
}

export const paymentIntentSteps: Steps = { clearDebit, expireCapture }
