import {
  amountOf,
  DAY_S,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  isWithin,
  type Kept,
  listOf,
  type Operations,
  Square,
  type SquareRequest,
  without,
} from './square.ts'

export const toPayout = (payout: Fields): Fields =>
  filled({ ...without(payout, 'arrives_at entry'), destination: { type: 'BANK_ACCOUNT', id: 'bact:backlot' } })

const payoutOf = (square: SquareRequest): Kept =>
  square.find('payouts', 'Payout with ID {id} not found.', square.path.payout_id)

export const payouts: Operations = {
  'GET /v2/payouts': (square) => {
    const { location_id, status, begin_time, end_time, sort_order } = square.query
    const found = square.oldest(
      'payouts',
      (one) =>
        isAmong(one.location_id, location_id) &&
        isAmong(one.status, status) &&
        isWithin(one.created_at, begin_time, end_time),
    )
    return square.page('payouts', sort_order === 'ASC' ? found : found.toReversed(), toPayout)
  },
  'GET /v2/payouts/{payout_id}': (square) => ({ payout: toPayout(payoutOf(square)) }),
  'GET /v2/payouts/{payout_id}/payout-entries': (square) => {
    const { id: payout_id, entry } = payoutOf(square)
    return square.page('payout_entries', [{ payout_id, ...fieldsOf(entry) }])
  },
}

/** What the plan does: pays out a payment after a day, which takes another day. */
export const payoutSteps = {
  payOut: (due: Due) => {
    const square = new Square(due)
    const { id: payment_id, location_id = null, processing_fee, total_money = null, refunded_money } = due.record
    const { currency = null } = fieldsOf(total_money)
    const money = (amount: number): Fields => ({ amount, currency })
    const fee = amountOf(listOf(processing_fee)[0]?.amount_money)
    const net = amountOf(total_money) - fee - amountOf(refunded_money)
    const arrives_at = square.later(DAY_S)
    due.update({ payout_at: null })
    if (net <= 0) return
    square.records.payouts.create({
      ...{ location_id, amount_money: money(net), arrival_date: arrives_at.slice(0, 10), arrives_at, ...square.times },
      entry: {
        ...{ id: `poe_${square.letters(27)}`, type: 'CHARGE', effective_at: square.time },
        ...{ gross_amount_money: total_money, fee_amount_money: money(fee), net_amount_money: money(net) },
        type_charge_details: { payment_id },
      },
    })
  },
  payoutPaid: (due: Due) => void new Square(due).change('payouts', due.record, { status: 'PAID' }),
}
