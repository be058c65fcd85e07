import { applyCredits } from './credits.ts'
import { intentOf, useMethod } from './intents.ts'
import { subscriptionOf, taxIdsOf } from './invoicing.ts'
import { attempt } from './payment-intents.ts'
import {
  DAY_S,
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  merged,
  numberOf,
  percentOf,
  type Steps,
  type Stripe,
  textOf,
} from './stripe.ts'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  subscription_create: 'Subscription creation',
  subscription_cycle: 'Subscription update',
  subscription_update: 'Subscription update',
}

/** Finalizes a draft: credits pay first, then what is left is due. */
export const finalizeInvoice = (stripe: Stripe, invoice: Kept): Kept =>
  finishInvoice(stripe, applyCredits(stripe, invoice))

/** The intent that pays an invoice, with a part for another account where its subscription has one. */
function createIntent(stripe: Stripe, invoice: Kept): Kept {
  const { records } = stripe
  const { id, amount_due: amount, currency, customer } = invoice
  const subscription = subscriptionOf(stripe, invoice)
  const { destination, amount_percent } = fieldsOf(subscription?.transfer_data)
  const fee = subscription?.application_fee_percent
  const made = records.payment_intents.create({
    ...{ amount, currency, customer, capture_method: 'automatic', status: 'requires_payment_method' },
    description: DESCRIPTIONS[textOf(invoice.billing_reason)] ?? 'Payment for Invoice',
    setup_future_usage: isGiven(inside(invoice, 'parent.subscription_details')) ? 'off_session' : null,
    application_fee_amount: isGiven(fee) ? percentOf(amount, fee) : null,
    transfer_data: isGiven(destination)
      ? { destination, ...(isGiven(amount_percent) && { amount: percentOf(amount, amount_percent) }) }
      : null,
    payment_details: { customer_reference: null, order_reference: id },
  })
  const client_secret = stripe.secretOf(made)
  records.invoice_payments.create({
    ...{ amount_paid: null, amount_requested: amount, currency, invoice: id, is_default: true, status: 'open' },
    payment: { type: 'payment_intent', payment_intent: made.id },
    status_transitions: { canceled_at: null, paid_at: null },
  })
  records.invoices.update(id, { confirmation_secret: { client_secret, type: 'payment_intent' } })
  return records.payment_intents.update(made.id, { client_secret })
}

/** Gives an invoice its number, and opens it; one of nothing is paid. */
export function finishInvoice(stripe: Stripe, invoice: Kept): Kept {
  const { records, unix } = stripe
  const { id, total, currency } = invoice
  const customer = records.customers.get(invoice.customer)
  const home = stripe.pageHost('invoice')
  const turn = numberOf(customer?.next_invoice_sequence ?? 1)
  const starting_balance = numberOf(invoice.starting_balance)
  const ending_balance = Math.min(numberOf(total) + starting_balance, 0)
  const isPaidBy = records.invoice_payments.some({ invoice: id })
  const open = records.invoices.update(id, {
    ...{ status: 'open', effective_at: unix, ending_balance },
    number: isGiven(invoice.number) ? invoice.number : `${customer?.invoice_prefix}-${`${turn}`.padStart(4, '0')}`,
    status_transitions: {
      ...{ marked_uncollectible_at: null, paid_at: null, voided_at: null, finalized_at: unix },
    },
    customer_tax_ids: taxIdsOf(stripe, invoice.customer),
    ...{ automatically_finalizes_at: null, next_payment_attempt: null },
    ...{ hosted_invoice_url: `${home}/i/${id}`, invoice_pdf: `${home}/i/${id}/pdf` },
    webhooks_delivered_at: invoice.webhooks_delivered_at ?? unix,
  })
  if (customer && ending_balance !== starting_balance) {
    records.customer_balance_transactions.create({
      ...{ amount: ending_balance - starting_balance, currency, customer: customer.id, ending_balance, invoice: id },
      type: 'applied_to_invoice',
    })
    records.customers.update(customer.id, { balance: ending_balance })
  }
  if (customer) records.customers.update(customer.id, { next_invoice_sequence: turn + 1 })
  const original = records.invoices.get(inside(invoice, 'from_invoice.invoice'))
  if (original) voidInvoice(stripe, records.invoices.update(original.id, { latest_revision: id }))
  if (numberOf(open.amount_due) > 0 && !isPaidBy) createIntent(stripe, open)
  return open.amount_due === 0 ? markPaid(stripe, open) : stripe.fresh('invoices', open)
}

/** The method that pays an invoice. */
export function chosenMethod(stripe: Stripe, invoice: Kept): Json | undefined {
  const customer = stripe.records.customers.get(invoice.customer)
  return (
    stripe.body.payment_method ??
    invoice.default_payment_method ??
    subscriptionOf(stripe, invoice)?.default_payment_method ??
    inside(customer, 'invoice_settings.default_payment_method') ??
    customer?.default_source
  )
}

/** Tries to pay an open invoice. */
export function payInvoice(stripe: Stripe, invoice: Kept): Kept {
  const { records } = stripe
  const payment_method = chosenMethod(stripe, invoice)
  const intent = intentOf(stripe, invoice.id)
  const tried =
    intent && intent.status !== 'processing' && isGiven(payment_method)
      ? attempt(stripe, useMethod(stripe, records.payment_intents.update(intent.id, { payment_method })))
      : intent
  const now = stripe.fresh('invoices', invoice)
  if (tried?.status === 'succeeded') return markPaid(stripe, now)
  if (tried?.status !== 'processing') return markFailed(stripe, now)
  const subscription = subscriptionOf(stripe, invoice)
  if (subscription?.status === 'incomplete') records.subscriptions.update(subscription.id, { status: 'active' })
  // A debit on its way is not tried again.
  return records.invoices.update(now.id, { next_payment_attempt: null })
}

/** An invoice is paid: what waits for that goes on. */
export function markPaid(stripe: Stripe, invoice: Kept): Kept {
  const { body, records, unix } = stripe
  const { id, amount_due, customer } = invoice
  const hasAmount = numberOf(amount_due) > 0
  const paid = records.invoices.update(id, {
    ...{ status: 'paid', amount_paid: amount_due, amount_remaining: 0, attempted: true, auto_advance: false },
    attempt_count: hasAmount ? numberOf(invoice.attempt_count) + 1 : 0,
    ...{ next_payment_attempt: null, automatically_finalizes_at: null },
    status_transitions: merged(invoice.status_transitions, { paid_at: unix }),
  })
  for (const payment of stripe.oldest('invoice_payments', { invoice: id })) {
    const { status, status_transitions } = payment
    if (body.paid_out_of_band === true) cancelPayment(stripe, payment)
    else if (status === 'open')
      records.invoice_payments.update(payment.id, {
        ...{ status: 'paid', amount_paid: amount_due },
        status_transitions: merged(status_transitions, { paid_at: unix }),
      })
  }
  if (hasAmount && records.customers.get(customer)?.delinquent === true)
    records.customers.update(customer, { delinquent: false })
  stripe.following.invoicePaid(stripe, paid)
  return paid
}

export function cancelPayment({ records, unix }: Stripe, { id, status_transitions }: Kept): void {
  records.invoice_payments.update(id, {
    status: 'canceled',
    status_transitions: merged(status_transitions, { canceled_at: unix }),
  })
}

/** Days until the next attempt, by the number of those before. https://docs.stripe.com/billing/revenue-recovery/smart-retries */
const RETRY_DAYS = [3, 5, 7]
export const MOST_ATTEMPTS = 4

/** An attempt to pay has failed, or waits for its customer. */
export function markFailed(stripe: Stripe, invoice: Kept): Kept {
  const { records, unix } = stripe
  const before = numberOf(invoice.attempt_count)
  const subscription = subscriptionOf(stripe, invoice)
  const isAsking = intentOf(stripe, invoice.id)?.status === 'requires_action'
  const attempt_count = isAsking && before === 0 ? 0 : before + 1
  const isRetried = attempt_count < MOST_ATTEMPTS && !isOneOf(subscription?.status, 'incomplete', 'canceled')
  const days = RETRY_DAYS[Math.min(before, 2)] ?? 7
  const failed = records.invoices.update(invoice.id, {
    ...{ attempted: true, attempt_count },
    next_payment_attempt: isRetried ? unix + days * DAY_S : null,
    ...(isAsking && invoice.status === 'open' && { asked_at: unix }),
  })
  stripe.following.invoiceFailed(stripe, failed)
  stripe.change('customers', invoice.customer, { delinquent: true })
  return stripe.fresh('invoices', failed)
}

/** An invoice that nobody has to pay any more. Its credit goes back to the balance of its customer. */
export function voidInvoice(stripe: Stripe, invoice: Kept): Kept {
  const { records, unix } = stripe
  const { id, currency, starting_balance, ending_balance } = invoice
  const intent = intentOf(stripe, id)
  if (intent && !isOneOf(intent.status, 'succeeded', 'canceled'))
    records.payment_intents.update(intent.id, {
      ...{ status: 'canceled', canceled_at: unix, cancellation_reason: 'void_invoice', next_action: null },
    })
  const payment = records.invoice_payments.find({ invoice: id, status: 'open' })
  if (payment) cancelPayment(stripe, payment)
  const customer = records.customers.get(invoice.customer)
  const back = numberOf(starting_balance) - numberOf(ending_balance)
  if (customer && isGiven(ending_balance) && back !== 0) {
    const balance = numberOf(customer.balance) + back
    records.customer_balance_transactions.create({
      ...{ amount: back, currency, customer: customer.id, ending_balance: balance, invoice: id },
      type: 'unapplied_from_invoice',
    })
    records.customers.update(customer.id, { balance })
  }
  return records.invoices.update(id, {
    ...{ status: 'void', next_payment_attempt: null, auto_advance: false },
    status_transitions: merged(invoice.status_transitions, { voided_at: unix }),
  })
}

export function writeOff(stripe: Stripe, { id, customer, status_transitions }: Kept): Kept {
  stripe.change('customers', customer, { delinquent: false })
  return stripe.records.invoices.update(id, {
    ...{ status: 'uncollectible', next_payment_attempt: null, auto_advance: false },
    status_transitions: merged(status_transitions, { marked_uncollectible_at: stripe.unix }),
  })
}

/** Pays an invoice whose next attempt has come. */
export function retryInvoice(stripe: Stripe, invoice: Kept): void {
  if (invoice.status === 'open') payInvoice(stripe, invoice)
}

export const invoiceSteps: Steps = {
  retryInvoice,
  finalizeDue: (stripe, draft) => {
    const invoice = draft.status === 'draft' ? finalizeInvoice(stripe, draft) : draft
    if (invoice.status === 'open' && invoice.collection_method === 'charge_automatically') payInvoice(stripe, invoice)
  },
  /** An invoice that was sent is not paid in time. */
  fallOverdue: (stripe, invoice) => {
    const { records, unix } = stripe
    const subscription = subscriptionOf(stripe, invoice)
    if (subscription?.status === 'active') records.subscriptions.update(subscription.id, { status: 'past_due' })
    stripe.change('customers', invoice.customer, { delinquent: true })
    records.invoices.update(invoice.id, { overdue_at: unix })
  },
}
