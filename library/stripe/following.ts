import { applyUpdate, endSubscription } from './billing.ts'
import { finishCheckout } from './completing.ts'
import { entitle } from './entitlements.ts'
import { subscriptionOf } from './invoicing.ts'
import { MOST_ATTEMPTS, markFailed, markPaid } from './paying.ts'
import { type Following, inside, isGiven, isOneOf, type Kept, numberOf, type Stripe, textOf } from './stripe.ts'

const invoiceOf = ({ payment_details }: Kept) => inside(payment_details, 'order_reference')

/** An intent that has succeeded pays its invoice. */
function intentTried(stripe: Stripe, intent: Kept): void {
  const { records } = stripe
  const due = records.invoices.get(invoiceOf(intent))
  if (intent.status !== 'succeeded' || due === undefined) return
  const subscription = subscriptionOf(stripe, due)
  if (subscription && inside(subscription, 'payment_settings.save_default_payment_method') === 'on_subscription')
    records.subscriptions.update(subscription.id, { default_payment_method: intent.payment_method })
  if (due.status === 'open') markPaid(stripe, due)
}

function debitFailed(stripe: Stripe, intent: Kept): void {
  const due = stripe.records.invoices.get(invoiceOf(intent))
  if (due?.status === 'open') markFailed(stripe, due)
}

/** A session ends with its intent, or later, with a debit that clears or fails. */
function intentAnswered(stripe: Stripe, intent: Kept): void {
  const { checkout_sessions } = stripe.records
  const { id, object, status } = intent
  const invoice = invoiceOf(intent)
  const session =
    checkout_sessions.find({ [textOf(object)]: id }) ??
    (isGiven(invoice) ? checkout_sessions.find({ invoice }) : undefined)
  if (session === undefined) return
  const kept =
    session.status === 'open' && status !== 'requires_payment_method' ? finishCheckout(stripe, session) : session
  if (kept.status !== 'complete' || kept.payment_status !== 'unpaid') return
  if (status === 'succeeded') checkout_sessions.update(kept.id, { payment_status: 'paid', settlement: 'succeeded' })
  if (status === 'requires_payment_method') checkout_sessions.update(kept.id, { settlement: 'failed' })
}

/** A subscription whose invoice is paid is active, with the change that waited for that. */
function invoicePaid(stripe: Stripe, invoice: Kept): void {
  const subscription = subscriptionOf(stripe, invoice)
  if (subscription === undefined) return
  if (isOneOf(subscription.status, 'incomplete', 'past_due', 'unpaid')) {
    stripe.records.subscriptions.update(subscription.id, { status: 'active', lapses_at: null })
    entitle(stripe, subscription)
  }
  if (isGiven(subscription.pending_update) && subscription.latest_invoice === invoice.id)
    applyUpdate(stripe, stripe.fresh('subscriptions', subscription))
}

/** A subscription is past due, and ends with the last attempt. */
function invoiceFailed(stripe: Stripe, invoice: Kept): void {
  const { subscriptions } = stripe.records
  const subscription = subscriptionOf(stripe, invoice)
  if (subscription === undefined) return
  if (isOneOf(subscription.status, 'active', 'trialing')) subscriptions.update(subscription.id, { status: 'past_due' })
  if (numberOf(invoice.attempt_count) < MOST_ATTEMPTS) return
  const reason = { comment: null, feedback: null, feedback_option: null, reason: 'payment_failed' }
  endSubscription(stripe, subscriptions.update(subscription.id, { cancellation_details: reason }))
}

export const following: Following = { intentTried, debitFailed, intentAnswered, invoicePaid, invoiceFailed }
