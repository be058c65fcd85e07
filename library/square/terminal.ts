import { capture } from './payments.ts'
import {
  amountOf,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  type Kept,
  MINUTE_S,
  movedBy,
  type Operations,
  percentOf,
  Square,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

const CHECKOUT = {
  ...{ amount_money: {}, reference_id: '', note: '', order_id: '', payment_options: {}, device_options: {} },
  ...{ deadline_duration: '', payment_type: '', customer_id: '', team_member_id: '', app_fee_money: {} },
  ...{ tip_money: {}, statement_description_identifier: '' },
}
// Devices of https://developer.squareup.com/docs/devtools/sandbox/testing#terminal-api-checkouts.
const OFFLINE_DEVICE = 'da40d603-c2ea-4a65-8cfd-f42e36dab0c7'
const TIPPING_DEVICE = '22cd266c-6246-4c06-9983-67f0c26346b0'
const CANCELS: Readonly<Record<string, string>> = {
  '841100b9-ee60-4537-9bcf-e30b2ba5e215': 'BUYER_CANCELED',
  '0a956d49-619a-4530-8e5e-8eac603ffc5e': 'TIMED_OUT',
  [OFFLINE_DEVICE]: 'TIMED_OUT',
}
const TIP_PERCENT = 20
const BUYER_S = 10

export const toCheckout = (checkout: Fields): Fields =>
  filled({ ...without(checkout, 'acts_at'), app_id: 'sandbox-sq0idb-backlot' })

const deviceOf = (checkout: Fields): string => textOf(fieldsOf(checkout.device_options).device_id)

/** The checkout that the path names. */
const checkoutOf = (square: SquareRequest): Kept =>
  square.records.terminal_checkouts.get(square.path.checkout_id) ??
  square.gone(`Terminal checkout with ID ${square.path.checkout_id} not found.`)

const DEVICE = { name: '', product_type: '', location_id: '' }
const PAIR_S = 5 * MINUTE_S

const deviceCodes: Operations = {
  'GET /v2/devices/codes': (square) => {
    const { location_id, product_type, status } = square.query
    const wanted = status ? textOf(status).split(',') : null
    const found = square.oldest(
      'device_codes',
      (one) =>
        isAmong(one.location_id, location_id) && isAmong(one.product_type, product_type) && isAmong(one.status, wanted),
    )
    return square.page('device_codes', found)
  },
  'POST /v2/devices/codes': (square) => {
    const { time } = square
    const device_code = square.records.device_codes.create({
      ...{ ...square.sent(DEVICE, 'device_code'), code: square.letters(6).toUpperCase() },
      ...{ pair_by: square.later(PAIR_S), created_at: time, status_changed_at: time },
    })
    return { device_code: filled(device_code) }
  },
  'GET /v2/devices/codes/{id}': (square) => ({
    device_code: filled(square.find('device_codes', 'Device code with ID {id} not found.')),
  }),
}

export const terminal: Operations = {
  ...deviceCodes,
  'POST /v2/terminals/checkouts': (square) => {
    const sent = filled(square.sent(CHECKOUT, 'checkout'))
    const { deadline_duration = 'PT5M', payment_type = 'CARD_PRESENT' } = sent
    const deadline = movedBy(square.now, textOf(deadline_duration))?.toISOString() ?? square.later(5 * MINUTE_S)
    const made = square.records.terminal_checkouts.create({
      ...{ ...sent, deadline_duration, payment_type, ...square.times },
      acts_at: deviceOf(sent) === OFFLINE_DEVICE ? deadline : square.later(BUYER_S),
    })
    return { checkout: toCheckout(made) }
  },
  'POST /v2/terminals/checkouts/search': (square) => {
    const { status, device_id } = fieldsOf(fieldsOf(square.body.query).filter)
    const found = square.records.terminal_checkouts.where(
      (one) => isAmong(one.status, status) && (device_id == null || deviceOf(one) === device_id),
    )
    return square.page('checkouts', found, toCheckout)
  },
  'GET /v2/terminals/checkouts/{checkout_id}': (square) => ({ checkout: toCheckout(checkoutOf(square)) }),
  'POST /v2/terminals/checkouts/{checkout_id}/cancel': (square) => {
    const one = checkoutOf(square)
    if (!['PENDING', 'IN_PROGRESS'].includes(textOf(one.status)))
      square.refuse('BAD_REQUEST', `Checkout ${one.id} is ${one.status}.`)
    const fields = { status: 'CANCELED', cancel_reason: 'SELLER_CANCELED', acts_at: null, updated_at: square.time }
    return { checkout: toCheckout(square.records.terminal_checkouts.update(one, fields)) }
  },
}

/** What the plan does with checkouts: the buyer pays at the device, or does not. */
export const terminalSteps = {
  terminalActs: (due: Due) => {
    const square = new Square(due)
    const { records } = square
    const { id, amount_money = null } = due.record
    const device = deviceOf(due.record)
    const cancel_reason = CANCELS[device] ?? null
    const { currency = null } = fieldsOf(amount_money)
    const tip = device === TIPPING_DEVICE ? percentOf(amountOf(amount_money), TIP_PERCENT) : 0
    const tipped = tip > 0 && { tip_money: { amount: tip, currency } }
    const status = cancel_reason === null ? 'COMPLETED' : 'CANCELED'
    const one = records.terminal_checkouts.update(due.record, {
      ...{ acts_at: null, updated_at: square.time, status, cancel_reason, ...tipped },
    })
    if (cancel_reason !== null) return
    const { location_id = null, order_id = null, customer_id = null, reference_id = null } = one
    const payment = records.payments.create({
      ...{ location_id, order_id, customer_id, reference_id, amount_money, ...tipped, ...square.times },
      ...{ total_money: { amount: amountOf(amount_money) + tip, currency }, status: 'APPROVED' },
      terminal_checkout_id: id,
      card_details: {
        ...{ status: 'AUTHORIZED', entry_method: 'EMV', card: { card_brand: 'VISA', last_4: '5858' } },
        card_payment_timeline: { authorized_at: square.time },
      },
    })
    capture(square, payment)
    records.terminal_checkouts.update(id, { payment_ids: [payment.id] })
  },
}
