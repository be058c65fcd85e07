import { currencyOf } from './countries.ts'
import {
  type Fields,
  fieldsOf,
  inside,
  isGiven,
  type Json,
  type Kept,
  listOf,
  merged,
  numberOf,
  type Operations,
  type Stripe,
  shareOf,
  sumOf,
  textIn,
} from './stripe.ts'

/** Transfers what a charge has for another account, and takes the application fee. */
export function transferCharge(stripe: Stripe, charge: Kept): Kept {
  const { records } = stripe
  const intent = records.payment_intents.get(charge.payment_intent)
  const { destination, amount } = fieldsOf(intent?.transfer_data)
  // "The amount of the application fee collected will be capped at the total amount captured" (PaymentIntent)
  const fee = Math.min(numberOf(intent?.application_fee_amount), numberOf(charge.amount_captured))
  const transfer = isGiven(destination)
    ? records.transfers.create({
        ...{ amount: amount ?? charge.amount_captured, currency: charge.currency, destination },
        ...{ source_transaction: charge.id, transfer_group: intent?.transfer_group ?? `group_${intent?.id}` },
      })
    : undefined
  if (transfer) {
    const { id, transfer_group } = transfer
    const transfer_data = { amount: amount ?? null, destination: destination ?? null }
    records.charges.update(charge.id, { transfer: id, transfer_data, transfer_group })
    stripe.change('payment_intents', intent?.id, { transfer_group })
  }
  const payment = transfer && payAccount(stripe, transfer, fee)
  if (fee > 0) levy(stripe, charge, { amount: fee, payment, account: destination ?? stripe.account })
  return stripe.fresh('charges', charge)
}

/** The platform's fee of a charge, of the payment of a transfer where there is one. */
function levy(
  stripe: Stripe,
  charge: Kept,
  { amount, payment, account }: { amount: number; payment: Kept | undefined; account: Json | undefined },
): void {
  const { records } = stripe
  const { currency } = charge
  const source = payment?.id ?? charge.id
  const id = stripe.inAccount('', () => {
    const fee = records.application_fees.create({
      ...{ account, amount, currency, charge: source, fee_source: { type: 'charge', charge: source } },
      originating_transaction: payment ? charge.id : null,
    })
    const earned = records.balance_transactions.create({
      ...{ amount, currency, source: fee.id, type: 'application_fee', reporting_category: 'platform_earning' },
      status: textIn(charge, 'payment_method_details.card.last4') === '0077' ? 'available' : 'pending',
      ...{ available_on: stripe.later(2), net: amount },
    })
    return records.application_fees.update(fee.id, { balance_transaction: earned.id }).id
  })
  records.charges.update(charge.id, { application_fee_amount: amount, application_fee: id })
  if (payment) records.charges.update(payment.id, { application_fee: id })
}

/** The payment of a transfer in its account, less the application fee of a charge. */
function payAccount(stripe: Stripe, transfer: Kept, fee = 0): Kept {
  const { records } = stripe
  const { id, amount = null, currency = null, description, destination, source_transaction, transfer_group } = transfer
  const source = records.charges.get(source_transaction)
  // what comes of a charge is available when the charge is
  const isReady =
    !isGiven(source_transaction) ||
    records.balance_transactions.get(source?.balance_transaction)?.status === 'available' ||
    textIn(source, 'payment_method_details.card.last4') === '0077'
  const booked = { currency, status: isReady ? 'available' : 'pending', available_on: stripe.later(2) }
  const given = records.balance_transactions.create({
    ...{ ...booked, amount: 0 - numberOf(amount), net: 0 - numberOf(amount), source: id, description },
    ...{ type: 'transfer', reporting_category: 'transfer' },
  })
  const paid = stripe.inAccount(destination, () => {
    const payment = records.charges.create({
      ...{ id: stripe.id('py_'), amount, amount_captured: amount, captured: true, paid: true, currency },
      ...{ application_fee_amount: fee > 0 ? fee : null, source_transfer: id, status: 'succeeded', transfer_group },
    })
    const got = records.balance_transactions.create({
      ...{ ...booked, amount, source: payment.id, type: 'payment', reporting_category: 'charge' },
      ...{ fee, fee_details: fee > 0 ? [{ amount: fee, currency, type: 'application_fee' }] : [] },
      net: numberOf(amount) - fee,
    })
    return records.charges.update(payment.id, { balance_transaction: got.id })
  })
  const reversals = { object: 'list', data: [], has_more: false, total_count: 0, url: `/v1/transfers/${id}/reversals` }
  records.transfers.update(id, { balance_transaction: given.id, destination_payment: paid.id, reversals })
  return paid
}

/** Refuses a connected account that cannot take part in a payment. */
export function checkTransfers(stripe: Stripe, owner: Kept): void {
  if (inside(owner, 'capabilities.transfers') !== 'active')
    stripe.refuse(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { reason: 'insufficient_capabilities_for_transfer' },
    )
}

/** Refuses to send more than is available. */
export function checkFunds(stripe: Stripe, { amount, source_transaction }: Kept): void {
  const ready = stripe.records.balance_transactions.where({ status: 'available', balance_type: 'payments' })
  if (!isGiven(source_transaction) && numberOf(amount) > sumOf(ready, 'net'))
    stripe.refuse(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See https://docs.stripe.com/testing#available-balance',
      { reason: 'balance_insufficient' },
    )
}

/** What is reversed or refunded of an amount, and what is in all. */
const reduced = (of: Kept, field: string, flag: string, back: number): Fields => {
  const total = numberOf(of[field]) + back
  return { [field]: total, [flag]: total === numberOf(of.amount) }
}

/** Takes back a part of a transfer. Returns the reversal. */
export function reverseTransfer(stripe: Stripe, transfer: Kept, back: number, refund?: Kept): Fields {
  const { body, records, unix } = stripe
  const { id, destination, destination_payment = null, currency = null, reversals } = transfer
  const reversal = stripe.id('trr_')
  const moved = { currency, status: 'available' }
  const taken = records.balance_transactions.create({
    ...{ ...moved, amount: back, net: back, source: reversal },
    ...{ type: 'transfer_refund', reporting_category: 'transfer_reversal' },
  })
  const returned = stripe.inAccount(destination, () => {
    const made = records.refunds.create({
      ...{ id: stripe.id('pyr_'), amount: back, charge: destination_payment, currency },
      ...{ source_transfer_reversal: reversal, status: 'succeeded' },
    })
    const given = records.balance_transactions.create({
      ...{ ...moved, amount: 0 - back, net: 0 - back, source: made.id },
      ...{ type: 'payment_refund', reporting_category: 'refund' },
    })
    const payment = records.charges.get(destination_payment)
    if (payment)
      records.charges.update(payment.id, {
        refunds_made: numberOf(payment.refunds_made) + 1,
        ...reduced(payment, 'amount_refunded', 'refunded', back),
      })
    return records.refunds.update(made.id, { balance_transaction: given.id }).id
  })
  const made = {
    ...{
      id: reversal,
      object: 'transfer_reversal',
      amount: back,
      balance_transaction: taken.id,
      created: unix,
      currency,
    },
    ...{ destination_payment_refund: returned, metadata: body.metadata ?? {}, source_refund: refund?.id ?? null },
    transfer: id,
  }
  const data = [made, ...listOf(inside(reversals, 'data'))]
  const url = `/v1/transfers/${id}/reversals`
  records.transfers.update(id, {
    ...reduced(transfer, 'amount_reversed', 'reversed', back),
    reversals: { object: 'list', data, has_more: false, total_count: data.length, url },
  })
  return made
}

/** Gives back a part of an application fee. Returns its refund. */
export function refundFee(stripe: Stripe, fee: Kept, back: number): Fields {
  const { body, records, unix } = stripe
  const { id: source, account, currency = null, refunds } = fee
  const id = stripe.id('fr_')
  const booked = { currency, source: id, type: 'application_fee_refund', status: 'available' }
  const taken = stripe.inAccount('', () =>
    records.balance_transactions.create({
      ...{ ...booked, amount: 0 - back, net: 0 - back, reporting_category: 'platform_earning_refund' },
    }),
  )
  stripe.inAccount(account, () =>
    records.balance_transactions.create({ ...booked, amount: back, net: back, reporting_category: 'fee' }),
  )
  const refund = {
    ...{ id, object: 'fee_refund', amount: back, balance_transaction: taken.id, created: unix, currency },
    ...{ fee: source, metadata: body.metadata ?? {} },
  }
  records.application_fees.update(source, {
    refunds: merged(refunds, { data: [refund, ...listOf(inside(refunds, 'data'))] }),
    ...reduced(fee, 'amount_refunded', 'refunded', back),
  })
  return refund
}

export const transfers: Operations = {
  'POST /v1/transfers': (stripe) => {
    const { body, records } = stripe
    const made = stripe.next()
    const currency = currencyOf(stripe)
    const owner = records.accounts.get(body.destination)
    if (owner === undefined) return stripe.absent('destination', body.destination, 'destination')
    stripe.positive('amount')
    checkTransfers(stripe, owner)
    checkFunds(stripe, made)
    const source = records.charges.get(body.source_transaction)
    const others = source
      ? records.transfers.where({ source_transaction: source.id }).filter(({ id }) => id !== made.id)
      : []
    const earlier = sumOf(others, 'amount')
    if (source && numberOf(made.amount) > numberOf(source.amount) - earlier)
      stripe.refuse(
        `Transfers using this transaction as a source must not exceed the source amount of $${(numberOf(source.amount) / 100).toFixed(2)}. (There is already a transfer using this source, amounting to $${(earlier / 100).toFixed(2)}.)`,
        { param: 'amount' },
      )
    const transfer_group = body.transfer_group ?? source?.transfer_group ?? null
    payAccount(stripe, records.transfers.update(made.id, { ...currency, transfer_group }))
    return stripe.fresh('transfers', made)
  },
  'POST /v1/transfers/{id}/reversals': (stripe) => {
    const { body, records } = stripe
    const transfer = stripe.own('transfers')
    const rest = numberOf(transfer.amount) - numberOf(transfer.amount_reversed)
    const back = numberOf(body.amount ?? rest)
    if (back > rest || back <= 0)
      stripe.refuse(`Transfer reversal amount (${back}) is greater than unreversed amount (${rest}).`, {
        param: 'amount',
      })
    const fee = records.application_fees.find({ charge: transfer.destination_payment })
    const made = reverseTransfer(stripe, transfer, back)
    if (body.refund_application_fee === true && fee) refundFee(stripe, fee, shareOf(fee.amount, back, transfer.amount))
    return made
  },
  'GET /v1/transfers/{id}/reversals': (stripe) => stripe.pageOf(stripe.own('transfers').reversals),
  'POST /v1/application_fees/{id}/refunds': (stripe) => {
    const fee = stripe.own('application_fees')
    const rest = numberOf(fee.amount) - numberOf(fee.amount_refunded)
    const back = numberOf(stripe.body.amount ?? rest)
    if (back > rest || back <= 0)
      stripe.refuse(`Refund amount (${back}) is greater than unrefunded amount on fee (${rest})`, { param: 'amount' })
    return refundFee(stripe, fee, back)
  },
}
