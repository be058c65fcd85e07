import { declineOf } from './declines.ts'
import {
  askFirst,
  askForAuthentication,
  asksBank,
  automaticMethods,
  checkDeposits,
  checkReturn,
  methodOf,
  useMethod,
} from './intents.ts'
import { createMandate, shownMethod } from './payment-methods.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Kept,
  type Operations,
  type Stripe,
  without,
} from './stripe.ts'

/** Keeps what was tried to set a method up. */
function noteAttempt({ records }: Stripe, intent: Kept, method: Kept | undefined): Kept {
  const { id, customer, last_setup_error, status, usage } = intent
  const hidden = 'available display_brand generated_from networks regulated_status three_d_secure_usage'
  const type = method?.type ?? null
  const attempt = records.setup_attempts.create({
    ...{ customer, payment_method: method?.id, setup_error: last_setup_error, setup_intent: id, usage },
    payment_method_details: {
      type,
      ...(type === 'card' && {
        card: { ...without(method?.card, hidden), network: inside(method, 'card.brand') ?? null, three_d_secure: null },
      }),
    },
    status: status === 'succeeded' ? 'succeeded' : 'failed',
  })
  return records.setup_intents.update(id, { latest_attempt: attempt.id })
}

/** The method of an intent is its customer's from now on. */
function keepMethod(stripe: Stripe, intent: Kept): Kept {
  const { records } = stripe
  const method = methodOf(stripe, intent)
  const kept = noteAttempt(
    stripe,
    records.setup_intents.update(intent.id, { status: 'succeeded', next_action: null, last_setup_error: null }),
    method,
  )
  if (isGiven(intent.customer) && method) records.payment_methods.update(method.id, { customer: intent.customer })
  for (const { id, payment_settings } of stripe.oldest('subscriptions', { pending_setup_intent: intent.id }))
    records.subscriptions.update(id, {
      pending_setup_intent: null,
      ...(inside(payment_settings, 'save_default_payment_method') === 'on_subscription' && {
        default_payment_method: method?.id,
      }),
    })
  return kept
}

function setUp(stripe: Stripe, intent: Kept): Kept {
  const method = methodOf(stripe, intent)
  const asked = askFirst(stripe, intent, method)
  if (asked) return asked
  const decline = declineOf({ of: method ?? null, at: 'setup' })
  if (decline) {
    const last_setup_error = { ...decline, payment_method: shownMethod(method) }
    const declined = { status: 'requires_payment_method', payment_method: null, last_setup_error }
    return noteAttempt(stripe, stripe.records.setup_intents.update(intent.id, declined), method)
  }
  return asksBank(method, true) ? askForAuthentication(stripe, intent) : keepMethod(stripe, intent)
}

/** Confirms an intent that has a method. Refuses a declined card, which stays as a failed attempt. */
export function confirmSetup(stripe: Stripe, given: Kept): Kept {
  if (!isGiven(given.payment_method))
    stripe.unexpected(given, "You cannot confirm this SetupIntent because it's missing a payment method.", true)
  const mandate = createMandate(stripe, methodOf(stripe, given), given)
  const intent = setUp(stripe, stripe.records.setup_intents.update(given.id, { mandate: mandate?.id ?? null }))
  if (intent.status === 'requires_payment_method')
    stripe.decline({ ...fieldsOf(intent.last_setup_error), setup_intent: intent }, true)
  return intent
}

/** Refuses to change an intent that has ended. */
function checkOpen(stripe: Stripe, intent: Kept, verb: string): void {
  if (isOneOf(intent.status, 'succeeded', 'canceled'))
    stripe.unexpected(intent, `You cannot ${verb} this SetupIntent because it has a status of ${intent.status}.`)
}

/** An intent that waits for the answer of a customer, with a secret. */
export function createSetupIntent(stripe: Stripe, fields: Fields): Kept {
  const made = stripe.records.setup_intents.create(fields)
  return stripe.records.setup_intents.update(made.id, { client_secret: stripe.secretOf(made) })
}

export const setupIntents: Operations = {
  'POST /v1/setup_intents': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    checkReturn(stripe, made)
    const automatic_payment_methods = automaticMethods(stripe)
    const client_secret = stripe.secretOf(made)
    const used = useMethod(stripe, records.setup_intents.update(made.id, { client_secret, automatic_payment_methods }))
    const intent = isGiven(used.payment_method)
      ? records.setup_intents.update(used.id, { status: 'requires_confirmation' })
      : used
    return body.confirm === true ? confirmSetup(stripe, intent) : intent
  },
  'POST /v1/setup_intents/{intent}': (stripe) => {
    const intent = stripe.next()
    if (isGiven(stripe.body.payment_method)) checkOpen(stripe, intent, 'update')
    const used = useMethod(stripe, intent)
    return isGiven(used.payment_method) && used.status === 'requires_payment_method'
      ? stripe.records.setup_intents.update(used.id, { status: 'requires_confirmation' })
      : used
  },
  'POST /v1/setup_intents/{intent}/confirm': (stripe) => {
    const intent = stripe.own('setup_intents')
    checkReturn(stripe, intent)
    checkOpen(stripe, intent, 'confirm')
    const payment_method = stripe.body.payment_method ?? intent.payment_method
    return confirmSetup(stripe, useMethod(stripe, stripe.records.setup_intents.update(intent.id, { payment_method })))
  },
  'POST /v1/setup_intents/{intent}/cancel': (stripe) => {
    const intent = stripe.own('setup_intents')
    checkOpen(stripe, intent, 'cancel')
    const cancellation_reason = stripe.body.cancellation_reason ?? null
    const canceled = { status: 'canceled', cancellation_reason, next_action: null }
    return stripe.records.setup_intents.update(intent.id, canceled)
  },
  'POST /v1/setup_intents/{intent}/verify_microdeposits': (stripe) => {
    const intent = stripe.own('setup_intents')
    checkDeposits(stripe, intent)
    return keepMethod(stripe, intent)
  },
  'POST /v1/test_helpers/setup_intents/{intent}/authenticate': (stripe) => {
    const { body, records } = stripe
    const intent = stripe.own('setup_intents')
    if (intent.status !== 'requires_action')
      stripe.unexpected(intent, `This SetupIntent waits for no authentication: it has a status of ${intent.status}.`)
    if (body.outcome === 'failure') {
      const method = methodOf(stripe, intent)
      const failed = records.setup_intents.update(intent.id, {
        ...{ status: 'requires_payment_method', next_action: null, payment_method: null },
        last_setup_error: {
          ...{ type: 'invalid_request_error', code: 'setup_intent_authentication_failure' },
          message: 'The latest attempt to set up the payment method has failed because authentication failed.',
          payment_method: shownMethod(method),
        },
      })
      return noteAttempt(stripe, failed, method)
    }
    const kept = keepMethod(stripe, intent)
    stripe.following.intentAnswered(stripe, kept)
    return stripe.fresh('setup_intents', kept)
  },
}
