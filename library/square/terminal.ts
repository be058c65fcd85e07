import { capture, giveBack, refundable, VISA } from './payments.ts'
import {
  amountOf,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  isWithin,
  type Kept,
  MAIN_LOCATION,
  MINUTE_S,
  movedBy,
  type Operations,
  only,
  percentOf,
  Square,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

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
const PAIR_S = 5 * MINUTE_S
/** What names one in paths. */
const PARAMS = { checkout: 'checkout_id', refund: 'terminal_refund_id', action: 'action_id' }

/** A kind of request to a device. */
interface Kind {
  readonly collection: 'terminal_checkouts' | 'terminal_refunds' | 'terminal_actions'
  /** In bodies. */
  readonly name: 'checkout' | 'refund' | 'action'
  /** What a body sets. */
  readonly form: Fields
  /** The list of a search. */
  readonly list: string
  /** Further fields of a new one. */
  readonly made: (square: SquareRequest, sent: Fields) => Fields
}

const KINDS: readonly Kind[] = [
  {
    ...{ collection: 'terminal_checkouts', name: 'checkout', list: 'checkouts' },
    form: {
      ...{ amount_money: {}, reference_id: '', note: '', order_id: '', payment_options: {}, device_options: {} },
      ...{ deadline_duration: '', payment_type: '', customer_id: '', team_member_id: '', app_fee_money: {} },
      ...{ tip_money: {}, statement_description_identifier: '' },
    },
    made: () => ({ payment_type: 'CARD_PRESENT' }),
  },
  {
    ...{ collection: 'terminal_refunds', name: 'refund', list: 'refunds' },
    form: { payment_id: '', amount_money: {}, reason: '', device_id: '', deadline_duration: '' },
    made: (square, sent) => {
      const { location_id = null, order_id = null, card_details } = refundable(square, sent)
      return { location_id, order_id, card: fieldsOf(card_details).card ?? null }
    },
  },
  {
    ...{ collection: 'terminal_actions', name: 'action', list: 'action' },
    form: {
      ...{ device_id: '', deadline_duration: '', type: '', qr_code_options: {}, save_card_options: {} },
      ...{ signature_options: {}, confirmation_options: {}, receipt_options: {}, data_collection_options: {} },
      ...{ select_options: {}, await_next_action: true, await_next_action_duration: '' },
    },
    made: (square, { save_card_options, type }) => {
      const { customer_id } = fieldsOf(save_card_options)
      if (type === 'SAVE_CARD' && square.records.customers.get(textOf(customer_id)) === undefined)
        square.gone(`Customer with ID \`${textOf(customer_id)}\` not found.`, 'action.save_card_options.customer_id')
      return { location_id: MAIN_LOCATION }
    },
  },
]

const deviceOf = ({ device_id, device_options }: Fields): string =>
  textOf(device_id ?? fieldsOf(device_options).device_id)

export const toTerminal = (one: Fields): Fields =>
  filled({ ...without(one, 'acts_at'), app_id: 'sandbox-sq0idb-backlot' })

/** The operations on one kind of requests to devices. */
function operationsOf({ collection, name, form, list, made }: Kind): Operations {
  const path = `/v2/terminals/${name}s`
  const find = (square: SquareRequest): Kept =>
    square.find(collection, `Terminal ${name} with ID {id} not found.`, Object.values(square.path)[0])
  const shown = (one: Kept): Fields => ({ [name]: toTerminal(one) })
  return {
    [`POST ${path}`]: (square) => {
      const sent = filled(square.sent(form, name))
      const { deadline_duration = 'PT5M' } = sent
      const deadline = movedBy(square.now, textOf(deadline_duration))?.toISOString() ?? square.later(5 * MINUTE_S)
      const record = {
        ...{ ...made(square, sent), status: 'PENDING', ...sent, deadline_duration, ...square.times },
        acts_at: deviceOf(sent) === OFFLINE_DEVICE ? deadline : square.later(BUYER_S),
      }
      return shown(square.records[collection].create(record))
    },
    [`POST ${path}/search`]: (square) => {
      const { filter, sort } = fieldsOf(square.body.query)
      const { status, device_id, created_at, type } = fieldsOf(filter)
      const { start_at, end_at } = fieldsOf(created_at)
      const found = square.oldest(
        collection,
        (one) =>
          isAmong(one.status, status) &&
          isAmong(one.type, type) &&
          isWithin(one.created_at, start_at, end_at) &&
          (device_id == null || deviceOf(one) === device_id),
      )
      return square.page(list, fieldsOf(sort).sort_order === 'ASC' ? found : found.toReversed(), toTerminal)
    },
    [`GET ${path}/{${PARAMS[name]}}`]: (square) => shown(find(square)),
    [`POST ${path}/{${PARAMS[name]}}/cancel`]: (square) => {
      const one = find(square)
      if (!['PENDING', 'IN_PROGRESS'].includes(textOf(one.status)))
        square.refuse('BAD_REQUEST', `The ${name} ${one.id} is ${one.status}.`)
      const fields = { status: 'CANCELED', cancel_reason: 'SELLER_CANCELED', acts_at: null, updated_at: square.time }
      return shown(square.records[collection].update(one, fields))
    },
    // The device shows its first screen again; the request stays as it is.
    [`POST ${path}/{${PARAMS[name]}}/dismiss`]: (square) => shown(find(square)),
  }
}

const DEVICE = { name: '', product_type: '', location_id: '' }

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

export const terminal: Operations = Object.assign({}, deviceCodes, ...KINDS.map(operationsOf))

/** What the buyer's answer adds to an action. */
function answered(square: Square, { type, ...action }: Kept): Fields {
  const { save_card_options, confirmation_options, select_options } = action
  if (type === 'CONFIRMATION')
    return { confirmation_options: { ...fieldsOf(confirmation_options), decision: { has_agreed: true } } }
  if (type === 'SELECT') {
    const { options } = fieldsOf(select_options)
    const selected_option = (Array.isArray(options) && options[0]) || null
    return { select_options: { ...fieldsOf(select_options), selected_option } }
  }
  if (type !== 'SAVE_CARD') return {}
  const card = square.records.cards.create({
    ...only(fieldsOf(save_card_options), 'customer_id reference_id'),
    ...VISA,
    exp_month: 11,
    exp_year: 2030,
    fingerprint: `sq-1-${square.letters(53)}`,
    created_at: square.time,
  })
  return { save_card_options: { ...fieldsOf(save_card_options), card_id: card.id } }
}

/** What follows the end of a request that the buyer did not cancel. */
const COMPLETES: Readonly<Record<Kind['name'], (square: Square, one: Kept) => Fields>> = {
  action: answered,
  refund: (square, one) => {
    const payment = square.records.payments.get(textOf(one.payment_id))
    return payment ? { refund_id: giveBack(square, payment, only(one, 'amount_money reason')).id } : {}
  },
  checkout: (square, one) => {
    const {
      id,
      amount_money = null,
      location_id = null,
      order_id = null,
      customer_id = null,
      reference_id = null,
    } = one
    const { currency = null } = fieldsOf(amount_money)
    const tip = deviceOf(one) === TIPPING_DEVICE ? percentOf(amountOf(amount_money), TIP_PERCENT) : 0
    const tipped = tip > 0 && { tip_money: { amount: tip, currency } }
    const payment = square.records.payments.create({
      ...{ location_id, order_id, customer_id, reference_id, amount_money, ...tipped, ...square.times },
      ...{ total_money: { amount: amountOf(amount_money) + tip, currency }, status: 'APPROVED' },
      terminal_checkout_id: id,
      card_details: {
        ...{ status: 'AUTHORIZED', entry_method: 'EMV', card: { card_brand: 'VISA', last_4: '5858' } },
        card_payment_timeline: { authorized_at: square.time },
      },
    })
    capture(square, payment)
    return { ...tipped, payment_ids: [payment.id] }
  },
}

/** What the plan does: the buyer answers at the device, or does not. */
export const terminalSteps = Object.fromEntries(
  KINDS.map(({ name }) => [
    `terminal_${name}`,
    (due: Due) => {
      const square = new Square(due)
      const cancel_reason = CANCELS[deviceOf(due.record)] ?? null
      const ended = { acts_at: null, updated_at: square.time, cancel_reason }
      if (cancel_reason !== null) due.update({ ...ended, status: 'CANCELED' })
      else due.update({ ...ended, status: 'COMPLETED', ...COMPLETES[name](square, due.record) })
    },
  ]),
)
