import {
  inside,
  isGiven,
  isOneOf,
  type Kept,
  money,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  shareOf,
  textIn,
} from './stripe.ts'
import { refundFee, reverseTransfer } from './transfers.ts'

/** Closes the review of a payment. */
export function closeReview(stripe: Stripe, review: Kept, reason: string): Kept {
  stripe.change('charges', review.charge, { review: null })
  stripe.change('payment_intents', review.payment_intent, { review: null })
  return stripe.records.reviews.update(review.id, { open: false, reason, closed_reason: reason })
}

/** The charge that a refund is about. Refuses one that cannot be refunded. */
function checkRefund(stripe: Stripe): { charge: Kept; rest: number; dispute: Kept | undefined } {
  const { body, records } = stripe
  if (!isGiven(body.charge) && !isGiven(body.payment_intent))
    stripe.refuse('One of the following params should be provided for this request: payment_intent or charge.', {
      reason: 'parameter_missing',
    })
  const intent = records.payment_intents.get(body.payment_intent)
  const charge = records.charges.get(body.charge ?? intent?.latest_charge)
  if (charge === undefined || charge.status !== 'succeeded')
    return stripe.refuse(`This PaymentIntent (${intent?.id ?? ''}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  const dispute = records.disputes.find({ charge: charge.id })
  if (charge.disputed === true && dispute?.is_charge_refundable !== true)
    stripe.refuse(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { reason: 'charge_disputed' })
  if (charge.refunded === true)
    stripe.refuse(`Charge ${charge.id} has already been refunded.`, { reason: 'charge_already_refunded' })
  const { amount, amount_captured, amount_refunded, currency } = charge
  const rest = Math.max(numberOf(amount), numberOf(amount_captured)) - numberOf(amount_refunded)
  stripe.positive('amount')
  if (numberOf(body.amount) > rest)
    stripe.refuse(
      `Refund amount (${money(body.amount, currency)}) is greater than ${amount_refunded === 0 ? 'charge amount' : 'unrefunded amount on charge'} (${money(rest, currency)})`,
      { param: 'amount' },
    )
  return { charge, rest, dispute }
}

function destinationOf(charge: Kept): Kept | object {
  const type = inside(charge, 'payment_method_details.type') ?? null
  if (type === 'card')
    return {
      type,
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    }
  return { type, ...(type === 'us_bank_account' && { us_bank_transfer: { reference: null, reference_status: null } }) }
}

export const refunds: Operations = {
  'POST /v1/refunds': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    const { charge, rest, dispute } = checkRefund(stripe)
    const { id, payment_intent, payment_method, currency, customer } = charge
    const last4 = textIn(charge, 'payment_method_details.card.last4')
    const amount = numberOf(body.amount ?? rest)
    const booked = records.balance_transactions.create({
      ...{ amount: 0 - amount, net: 0 - amount, fee: 0, currency, source: made.id, type: 'refund' },
      ...{ reporting_category: 'refund', status: 'pending', available_on: stripe.later(2) },
      description: `REFUND FOR CHARGE${isGiven(charge.description) ? ` (${charge.description})` : ''}`,
    })
    const refund = records.refunds.update(made.id, {
      ...{ amount, charge: id, payment_intent, payment_method, currency, customer },
      destination_details: destinationOf(charge) as Kept,
      status: last4 === '7726' ? 'pending' : 'succeeded',
      settles_at: isOneOf(last4, '5126', '7726') ? stripe.later(1, 'hour') : null,
      balance_transaction: booked.id,
    })
    const review = records.reviews.get(charge.review)
    if (review) closeReview(stripe, review, body.reason === 'fraudulent' ? 'refunded_as_fraud' : 'refunded')
    if (dispute && isOneOf(dispute.status, 'warning_needs_response', 'warning_under_review'))
      records.disputes.update(dispute.id, { status: 'warning_closed', is_charge_refundable: false, answer_by: null })
    const transfer = records.transfers.get(charge.transfer)
    if (body.reverse_transfer === true && transfer) {
      const back = shareOf(transfer.amount, amount, charge.amount_captured)
      const reversal = reverseTransfer(stripe, transfer, back, refund)
      records.refunds.update(refund.id, { transfer_reversal: reversal.id })
    }
    const fee = records.application_fees.get(charge.application_fee)
    if (body.refund_application_fee === true && fee)
      refundFee(stripe, fee, shareOf(fee.amount, amount, charge.amount_captured))
    const now = stripe.fresh('charges', charge)
    const amount_refunded = numberOf(charge.amount_refunded) + amount
    records.charges.update(id, {
      ...{ amount_refunded, refunds_made: numberOf(now.refunds_made) + 1 },
      refunded: amount_refunded >= numberOf(charge.amount),
    })
    return stripe.fresh('refunds', refund)
  },
  'POST /v1/refunds/{refund}/cancel': (stripe) => {
    const { id, status } = stripe.own('refunds')
    if (!isOneOf(status, 'requires_action', 'pending'))
      stripe.refuse(`Refund ${id} cannot be canceled: it is ${status}.`)
    return stripe.records.refunds.update(id, { status: 'canceled' })
  },
  'POST /v1/reviews/{review}/approve': (stripe) => {
    const review = stripe.own('reviews')
    if (review.open === false) stripe.refuse('This review is already closed.')
    return closeReview(stripe, review, 'approved')
  },
}

export const refundSteps: Steps = {
  /** A refund that was pending succeeds, another one fails. */
  settleRefund: (stripe, { id, status, amount, currency, charge }) => {
    const { records } = stripe
    if (status === 'pending') {
      records.refunds.update(id, { status: 'succeeded' })
      return
    }
    const back = records.balance_transactions.create({
      ...{ amount, net: amount, fee: 0, currency, source: id, type: 'refund_failure' },
      ...{ reporting_category: 'refund_failure', status: 'pending' },
    })
    records.refunds.update(id, {
      ...{ status: 'failed', failure_reason: 'expired_or_canceled_card', failure_balance_transaction: back.id },
    })
    const refunded = numberOf(records.charges.get(charge)?.amount_refunded)
    stripe.change('charges', charge, { amount_refunded: refunded - numberOf(amount), refunded: false })
  },
}
