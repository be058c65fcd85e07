import { adjust, noteActivity } from './gift-cards.ts'
import { stock } from './inventory.ts'
import { redeem } from './loyalty.ts'
import { isOpen, toOrder } from './orders.ts'
import { billPaid } from './settling.ts'
import {
  amountOf,
  DAY_S,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isWithin,
  type Json,
  type Kept,
  listOf,
  MAIN_LOCATION,
  MINUTE_S,
  movedBy,
  type Operations,
  only,
  percentOf,
  Square,
  type SquareRequest,
  sortedBy,
  sumOf,
  textOf,
  without,
} from './square.ts'

export const VISA = { card_brand: 'VISA', last_4: '5858', bin: '453275' }
/** Cards that a token stands for: https://developer.squareup.com/docs/devtools/sandbox/payments. */
export const NONCES: Readonly<Record<string, Fields>> = {
  'cnon:card-nonce-ok': VISA,
  'ccof:customer-card-id-ok': VISA,
  'cnon:gift-card-nonce-ok': { card_brand: 'SQUARE_GIFT_CARD', last_4: '0000', bin: '778332' },
  'ccof:customer-card-id-requires-verification': { card_brand: 'VISA', last_4: '1019', bin: '431000' },
}
/** Tokens that are declined, of the same page, with the codes of their errors. */
export const DECLINES: Readonly<Record<string, string>> = {
  'cnon:card-nonce-declined': 'GENERIC_DECLINE',
  'cnon:card-nonce-rejected-cvv': 'CVV_FAILURE',
  'cnon:card-nonce-rejected-postalcode': 'ADDRESS_VERIFICATION_FAILURE',
  'cnon:card-nonce-rejected-expiration': 'INVALID_EXPIRATION',
  'ccof:customer-card-id-declined': 'GENERIC_DECLINE',
  'ccof:customer-card-id-rejected-cvv': 'CVV_FAILURE',
  'ccof:customer-card-id-rejected-postalcode': 'ADDRESS_VERIFICATION_FAILURE',
  'ccof:customer-card-id-rejected-expiration': 'INVALID_EXPIRATION',
  'ccof:customer-card-id-requires-verification': 'CARD_DECLINED_VERIFICATION_REQUIRED',
  'cnon:gift-card-nonce-insufficient-funds': 'INSUFFICIENT_FUNDS',
  'cnon:gift-card-nonce-insufficient-permission': 'CARDHOLDER_INSUFFICIENT_PERMISSIONS',
  'wnon:cash-app-declined': 'GENERIC_DECLINE',
  'bnon:bank-nonce-insufficient-funds': 'INSUFFICIENT_FUNDS',
}
/** Sources that are no card. */
const SOURCES: Readonly<Record<string, string>> = {
  ...{ CASH: 'CASH', EXTERNAL: 'EXTERNAL', 'bnon:bank-nonce-ok': 'BANK_ACCOUNT' },
  ...{ 'wnon:cash-app-ok': 'WALLET', 'wnon:cash-app-declined': 'WALLET' },
}
const RISKS: Readonly<Record<number, string>> = { 2222: 'MODERATE', 3333: 'HIGH' }
/** Amounts that are disputed, with the reasons. */
const DISPUTES: Readonly<Record<number, string>> = {
  ...{ 8801: 'AMOUNT_DIFFERS', 8802: 'CANCELLED', 8803: 'DUPLICATE', 8804: 'NO_KNOWLEDGE' },
  ...{ 8805: 'NOT_AS_DESCRIBED', 8806: 'NOT_RECEIVED', 8807: 'PAID_BY_OTHER_MEANS' },
  ...{ 8808: 'CUSTOMER_REQUESTS_CREDIT', 8809: 'EMV_LIABILITY_SHIFT' },
}
const BANK_ACCOUNT = {
  ...{ bank_name: 'TEST BANK', transfer_type: 'ACH', account_ownership_type: 'INDIVIDUAL' },
  ...{ fingerprint: 'sq-1-bank', country: 'US' },
  ach_details: { routing_number: '111000025', account_number_suffix: '000', account_type: 'CHECKING' },
}
const EDITABLE = [
  ...['EDIT_AMOUNT_UP', 'EDIT_AMOUNT_DOWN', 'EDIT_TIP_AMOUNT_UP', 'EDIT_TIP_AMOUNT_DOWN'],
  'EDIT_DELAY_ACTION',
]
const CARD_FIELDS = 'id card_brand last_4 exp_month exp_year fingerprint bin customer_id'
/** What is kept of a request. */
const PAYMENT = {
  ...{ customer_id: '', reference_id: '', note: '', statement_description_identifier: '', team_member_id: '' },
  ...{ buyer_email_address: '', billing_address: {}, shipping_address: {}, app_fee_money: {} },
}
const CHANGE = {
  ...{ amount_money: {}, tip_money: {}, delay_action: '', note: '', reference_id: '', customer_id: '' },
  ...{ shipping_address: {}, billing_address: {}, buyer_email_address: '' },
}
/** Square's fee of a card payment in the United States: 2.9 % and 30 cents. */
const FEE = { percent: 2.9, fixed: 30 }
const DISPUTE_DAYS = 10
/** The states of invoices that take payments. */
const PAYABLE = ['UNPAID', 'SCHEDULED', 'PARTIALLY_PAID', 'PARTIALLY_REFUNDED', 'PAYMENT_PENDING']

export const toPayment = (payment: Fields): Fields => {
  const { id, status, source_type, risk_level = null, created_at = null } = payment
  return filled({
    ...without(payment, 'idempotency_key settles_at payout_at risk_level'),
    receipt_number: textOf(id).slice(0, 4),
    ...(status === 'APPROVED' && { capabilities: EDITABLE }),
    ...(source_type === 'CARD' && { risk_evaluation: { created_at, risk_level } }),
    application_details: { square_product: 'ECOMMERCE_API', application_id: 'sandbox-sq0idb-backlot' },
  })
}

export const toRefund = (refund: Fields): Fields => filled({ ...without(refund, 'settles_at'), unlinked: false })

/** The payment that the path names. */
const paymentOf = (square: SquareRequest): Kept =>
  square.records.payments.get(square.path.payment_id) ??
  square.gone(`Could not find payment with id: ${square.path.payment_id}`)

/** The details of a card payment with a new status and the time of its capture or release. */
const withCard = (payment: Kept, status: string, times: Fields): Fields => {
  const { authorized_at = null } = fieldsOf(fieldsOf(payment.card_details).card_payment_timeline)
  const card_payment_timeline = { authorized_at, ...times }
  return { card_details: { ...fieldsOf(payment.card_details), status, card_payment_timeline } }
}

/** What a payment's source adds to a change of its state. */
function bySource(payment: Kept, card: string, wallet: string, times: Fields): Fields {
  if (payment.source_type === 'CARD') return withCard(payment, card, times)
  return payment.source_type === 'WALLET'
    ? { wallet_details: { ...fieldsOf(payment.wallet_details), status: wallet } }
    : {}
}

/** Takes the money of an approved payment: it pays its order. */
export function capture(square: Square, payment: Kept): Kept {
  const { records, time } = square
  const { id, location_id = null, source_type, total_money = null } = payment
  const isCard = source_type === 'CARD'
  const currency = records.locations.get(textOf(location_id))?.currency ?? null
  const fee = { amount: percentOf(amountOf(total_money), FEE.percent) + FEE.fixed, currency }
  const paid = records.payments.update(payment, {
    ...{ status: 'COMPLETED', updated_at: time, version_token: square.letters(55) },
    processing_fee: isCard ? [{ effective_at: time, type: 'INITIAL', amount_money: fee }] : [],
    receipt_url: `https://squareup.example/receipt/preview/${id}`,
    ...(isCard && { payout_at: square.later(DAY_S) }),
    ...bySource(payment, 'CAPTURED', 'CAPTURED', { captured_at: time }),
  })
  const order = records.orders.get(textOf(paid.order_id))
  if (order !== undefined) tender(square, order, paid)
  const reason = DISPUTES[amountOf(paid.amount_money)]
  if (reason !== undefined && isCard)
    records.disputes.create({
      ...{ amount_money: paid.amount_money ?? null, reason, disputed_payment: { payment_id: id }, location_id },
      card_brand: fieldsOf(fieldsOf(paid.card_details).card).card_brand ?? null,
      due_at: square.later(DISPUTE_DAYS * DAY_S),
      ...{ ...square.times, reported_at: time, reported_date: time },
    })
  return paid
}

/** Adds a payment to the tenders of its order, and ends the order that is paid. */
function tender(square: Square, order: Kept, paid: Kept): void {
  const { records, time } = square
  const { currency = null } = fieldsOf(order.total_money)
  const money = (amount: number): Fields => ({ amount, currency })
  const left = amountOf(order.net_amount_due_money) - amountOf(paid.amount_money)
  const tip = amountOf(paid.tip_money)
  const total = money(amountOf(order.total_money) + tip)
  const tips = money(amountOf(order.total_tip_money) + tip)
  const { total_money: known_total, tip_money: known_tip, ...amounts } = fieldsOf(order.net_amounts)
  const { card } = fieldsOf(paid.card_details)
  const isCommon = ['CARD', 'CASH', 'BANK_ACCOUNT'].includes(textOf(paid.source_type))
  const one = {
    ...{ id: paid.id, location_id: paid.location_id, transaction_id: order.id, created_at: time },
    ...{ amount_money: paid.total_money, tip_money: paid.tip_money, customer_id: paid.customer_id },
    type: isCommon ? paid.source_type : 'OTHER',
    ...(paid.card_details != null && { card_details: { status: 'CAPTURED', card, entry_method: 'KEYED' } }),
    payment_id: paid.id,
  } as Fields
  const isDone = left <= 0 && !isOpen(order)
  square.change('orders', order, {
    tenders: [...listOf(order.tenders), one],
    ...{ net_amount_due_money: money(left), total_tip_money: tips, total_money: total },
    net_amounts: {
      ...fieldsOf(order.net_amounts),
      total_money: { ...fieldsOf(known_total), amount: total.amount ?? 0 },
      tip_money: { ...fieldsOf(known_tip), amount: tips.amount ?? 0 },
      ...amounts,
    },
    ...(isDone && { state: 'COMPLETED', closed_at: time }),
  })
  const bill = records.invoices.find(
    ({ order_id, status }) => order_id === order.id && PAYABLE.includes(textOf(status)),
  )
  if (bill !== undefined) billPaid(square, bill, left)
  if (left > 0) return
  for (const line of listOf(order.line_items)) {
    const goods = line.catalog_object_id && records.catalog_objects.get(textOf(line.catalog_object_id))
    if (goods && fieldsOf(goods.item_variation_data).track_inventory === true) sell(square, line, paid)
  }
  for (const { id } of listOf(order.rewards)) {
    const reward = records.loyalty_rewards.get(textOf(id))
    if (reward?.status === 'ISSUED') redeem(square, reward, paid.location_id ?? null)
  }
}

/** Takes the goods of a line from the stock. */
function sell(square: Square, line: Fields, { location_id = null }: Kept): void {
  const { catalog_object_id = null, quantity = '0' } = line
  square.records.inventory_changes.create({
    ...{ kind: 'ADJUSTMENT', from_state: 'IN_STOCK', to_state: 'SOLD', location_id, catalog_object_id, quantity },
    ...{ created_at: square.time, occurred_at: square.time },
  })
  stock(square, { catalog_object_id, location_id, state: 'IN_STOCK' }, (before) => before - Number(quantity))
}

/** Gives the money of an approved payment back. */
const release = (square: Square, payment: Kept): Kept =>
  square.records.payments.update(payment, {
    ...{ status: 'CANCELED', updated_at: square.time, version_token: square.letters(55) },
    ...bySource(payment, 'VOIDED', 'VOIDED', { voided_at: square.time }),
  })

/** The order of a payment that names none. */
function orderFor(square: SquareRequest, location_id: string, currency: Json): Kept {
  const { customer_id = null, amount_money = null } = square.body
  const nothing = { amount: 0, currency }
  const totals = { total_tax_money: nothing, total_discount_money: nothing, total_service_charge_money: nothing }
  const line = {
    ...{ uid: square.letters(), quantity: '1', item_type: 'CUSTOM_AMOUNT', base_price_money: amount_money },
    ...{ variation_total_price_money: amount_money, gross_sales_money: amount_money },
    ...{ ...totals, total_money: amount_money },
  }
  return square.records.orders.create({
    ...{ location_id, customer_id, ...square.times, line_items: [line], total_money: amount_money },
    ...{ ...totals, total_tip_money: nothing, net_amount_due_money: amount_money },
    net_amounts: {
      ...{ total_money: amount_money, tax_money: nothing, discount_money: nothing },
      ...{ tip_money: nothing, service_charge_money: nothing },
    },
  })
}

/** A card that the request names: one on file, or a token of one. */
function cardOnFile({ records }: Square, source: string): Fields | undefined {
  const isToken = source.toLowerCase().includes('ccof:customer-card-id')
  return records.cards.get(source) ?? (isToken ? { id: source, enabled: true } : undefined)
}

/** Refuses a payment of an order that it cannot pay. */
function checkOrdered(square: SquareRequest, order: Kept | undefined, location: string): void {
  const { order_id, amount_money } = square.body
  if (order_id == null || order_id === '') return
  if (order === undefined) square.gone(`Order not found for id ${textOf(order_id)}.`, 'order_id')
  if (order.location_id !== location)
    square.refuse('LOCATION_MISMATCH', `The order belongs to another location: ${order.location_id}.`, 'location_id')
  if (!['OPEN', 'DRAFT'].includes(textOf(order.state)))
    square.refuse('BAD_REQUEST', `Order ${order.id} is ${order.state} and cannot be paid.`, 'order_id')
  const due = amountOf(order.net_amount_due_money)
  if (amountOf(amount_money) > due) {
    const detail = `The order has ${due} due, less than the payment.`
    square.refuse('PAYMENT_AMOUNT_MISMATCH', detail, 'amount_money.amount')
  }
}

function checkAmount(square: SquareRequest, source: string, currency: Json): void {
  const { amount, currency: given } = fieldsOf(square.body.amount_money)
  if (given != null && given !== currency) {
    const detail = `This merchant can only process payments in ${currency}, but amount was provided in ${given}`
    square.refuse('INVALID_VALUE', detail, 'amount_money.currency')
  }
  const isFree = ['CASH', 'EXTERNAL'].includes(source)
  if (Number(amount) < (isFree ? 0 : 1)) {
    const least = isFree || Number(amount) < 0 ? 'than or equal to' : 'than'
    square.refuse('VALUE_TOO_LOW', `\`amount_money.amount\` must be greater ${least} 0.`, 'amount_money.amount')
  }
}

function pay(square: SquareRequest): object {
  const { records, body, time } = square
  const { amount_money = null, tip_money = null, order_id, customer_id, idempotency_key = null } = body
  const source = textOf(body.source_id)
  const location_id = textOf(body.location_id ?? MAIN_LOCATION)
  const kind = SOURCES[source] ?? 'CARD'
  if (fieldsOf(amount_money).amount == null) square.unset('amount_money')
  const location = records.locations.get(location_id)
  if (location === undefined) square.gone(`Could not find location with id: ${location_id}`, 'location_id')
  const { currency = null } = location
  checkAmount(square, source, currency)
  const sent = square.sent(PAYMENT)
  const order = order_id ? records.orders.get(textOf(order_id)) : undefined
  checkOrdered(square, order, location_id)
  if (customer_id && records.customers.get(textOf(customer_id)) === undefined)
    square.refuse('CUSTOMER_NOT_FOUND', `Customer with ID \`${textOf(customer_id)}\` not found.`, 'customer_id')
  const whole = amountOf(amount_money) + amountOf(tip_money)
  const { cash_details = {}, external_details = null } = square.sent({ cash_details: {}, external_details: {} })
  const supplied = fieldsOf(fieldsOf(cash_details).buyer_supplied_money).amount
  if (kind === 'CASH' && supplied == null) square.unset('cash_details.buyer_supplied_money')
  if (kind === 'CASH' && Number(supplied) < whole) {
    const detail = 'The cash that the buyer gave is less than the payment.'
    square.refuse('INVALID_VALUE', detail, 'cash_details.buyer_supplied_money')
  }
  if (kind === 'EXTERNAL' && !fieldsOf(external_details).type) square.unset('external_details')
  const delay_duration = textOf(body.delay_duration ?? 'PT168H')
  const delayed_until = movedBy(square.now, delay_duration)
  if (delayed_until === undefined)
    square.refuse('INVALID_TIME', 'delay_duration must be a duration such as PT36H.', 'delay_duration')
  const onFile = cardOnFile(square, source)
  if (onFile?.enabled === false) square.refuse('INVALID_CARD', `Card ${onFile.id} is disabled.`, 'source_id')
  if (onFile?.customer_id && !customer_id) square.unset('customer_id')
  if (onFile?.customer_id && onFile.customer_id !== customer_id)
    square.gone(`Card ${onFile.id} is of another customer.`, 'source_id')
  checkNotUsed(square, source)
  const gift = records.gift_cards.get(source)
  const total = { amount: whole, currency }
  const card = {
    ...{ ...VISA, exp_month: 11, exp_year: 2030, fingerprint: 'sq-1-backlot', ...NONCES[source] },
    ...(gift && { card_brand: 'SQUARE_GIFT_CARD', last_4: '0000' }),
    ...(onFile?.card_brand && only(onFile, CARD_FIELDS)),
    ...{ card_type: 'CREDIT', prepaid_type: 'NOT_PREPAID' },
  }
  const entry_method = onFile === undefined ? 'KEYED' : 'ON_FILE'
  const statement_description = 'SQ *DEFAULT TEST ACCOUNT'
  const facts = {
    ...{ ...sent, location_id, amount_money, tip_money, total_money: total, source_type: kind, ...square.times },
    ...{ idempotency_key, version_token: square.letters(55) },
    risk_level: RISKS[amountOf(amount_money)] ?? 'NORMAL',
  }
  const declined = DECLINES[source]
  if (declined !== undefined) {
    const error = errorOf(declined)
    const payment = records.payments.create({
      ...{ ...facts, order_id: order?.id ?? null, status: 'FAILED' },
      card_details: {
        ...{ status: 'FAILED', card, entry_method },
        cvv_status: declined === 'CVV_FAILURE' ? 'CVV_REJECTED' : 'CVV_ACCEPTED',
        avs_status: declined === 'ADDRESS_VERIFICATION_FAILURE' ? 'AVS_REJECTED' : 'AVS_ACCEPTED',
        ...{ statement_description, card_payment_timeline: { authorized_at: null, captured_at: null } },
        errors: [error],
      },
    })
    return square.of.respond({ status: 400, body: { errors: [error], payment: toPayment(payment) } })
  }
  if (NONCES[source] === undefined && onFile === undefined && gift === undefined && kind === 'CARD')
    square.gone('Card nonce not found', 'source_id')
  if (gift && gift.state !== 'ACTIVE') square.refuse('INVALID_CARD', `The gift card is ${gift.state}.`, 'source_id')
  if (gift && amountOf(gift.balance_money) < whole)
    return square.of.respond({ status: 400, body: { errors: [errorOf('INSUFFICIENT_FUNDS')] } })
  const { delay_action } = square.sent({ delay_action: '' })
  const spent = gift && adjust(square, gift, -whole)
  const isDelayed = body.autocomplete === false
  const payment = records.payments.create({
    ...{ ...facts, order_id: (order ?? orderFor(square, location_id, currency)).id, approved_money: total },
    ...{ delay_duration, delay_action: delay_action ?? 'CANCEL', delayed_until: delayed_until.toISOString() },
    status: kind === 'BANK_ACCOUNT' && !isDelayed ? 'PENDING' : 'APPROVED',
    ...(kind === 'CARD' && {
      card_details: {
        ...{ status: 'AUTHORIZED', card, entry_method, cvv_status: 'CVV_ACCEPTED', avs_status: 'AVS_ACCEPTED' },
        ...{ statement_description, card_payment_timeline: { authorized_at: time } },
      },
    }),
    ...(kind === 'CASH' && {
      cash_details: { ...fieldsOf(cash_details), change_back_money: { amount: Number(supplied) - whole, currency } },
    }),
    ...(kind === 'EXTERNAL' && { external_details }),
    ...(kind === 'WALLET' && {
      wallet_details: {
        ...{ status: 'AUTHORIZED', brand: 'CASH_APP' },
        cash_app_details: { buyer_country_code: 'US', buyer_cashtag: '$backlot' },
      },
    }),
    ...(kind === 'BANK_ACCOUNT' && { bank_account_details: BANK_ACCOUNT, settles_at: square.later(MINUTE_S) }),
  })
  if (spent) {
    const details = { amount_money: total, payment_id: payment.id, status: 'COMPLETED' }
    noteActivity(square, spent, { type: 'REDEEM', location_id, redeem_activity_details: details })
  }
  return { payment: toPayment(isDelayed || kind === 'BANK_ACCOUNT' ? payment : capture(square, payment)) }
}

/** Refuses the token of a card that was used. */
export function checkNotUsed(square: SquareRequest, source: string): void {
  const detail = 'Card nonce already used; please request new nonce.'
  if (source === 'cnon:card-nonce-already-used')
    square.refuseAs('PAYMENT_METHOD_ERROR', 'CARD_TOKEN_USED', { detail, field: 'source_id' })
}

export const errorOf = (code: string): Fields => ({
  ...{ category: 'PAYMENT_METHOD_ERROR', code, detail: `Authorization error: '${code}'` },
})

/** Refuses a payment that is not approved. @param done what is to be done with it */
function checkApproved(square: SquareRequest, { id, status }: Kept, done: string): void {
  if (status !== 'APPROVED')
    square.refuse('BAD_REQUEST', `Payment ${id} has the status ${status}, and cannot be ${done}.`)
}

function checkToken(square: SquareRequest, token: Json | undefined, payment: Kept): void {
  const detail = 'The payment was changed since: its version_token is another.'
  if (token && token !== payment.version_token) square.refuse('VERSION_MISMATCH', detail, 'version_token', 409)
}

/** The payment that may be refunded in this amount. */
export function refundable(square: SquareRequest, { payment_id, amount_money = null }: Fields): Kept {
  if (!payment_id) square.unset('payment_id')
  const payment =
    square.records.payments.get(textOf(payment_id)) ??
    square.gone(`Could not find payment with id: ${textOf(payment_id)}`)
  const { currency = null } = fieldsOf(payment.total_money)
  if (payment.status !== 'COMPLETED') {
    const detail = `Payment ${payment.id} has the status ${payment.status}, and cannot be refunded.`
    square.refuseAs('REFUND_ERROR', 'PAYMENT_NOT_REFUNDABLE', { detail })
  }
  const { amount, currency: given } = fieldsOf(amount_money)
  if (Number(amount) < 1)
    square.refuse('VALUE_TOO_LOW', '`amount_money.amount` must be greater than 0.', 'amount_money.amount')
  if (given !== currency) square.refuse('CURRENCY_MISMATCH', `The payment was in ${currency}.`, 'amount_money.currency')
  if (amountOf(amount_money) > amountOf(payment.total_money) - amountOf(payment.refunded_money)) {
    const detail = 'The requested refund amount exceeds the amount available to refund.'
    square.refuseAs('REFUND_ERROR', 'REFUND_AMOUNT_INVALID', { detail, field: 'amount_money.amount' })
  }
  return payment
}

/** Gives money of a payment back. @param fields of the refund, with its `amount_money` */
export function giveBack(square: Square, payment: Kept, fields: Fields): Kept {
  const { records, time } = square
  const { id, order_id = null, location_id = null, source_type = null, refund_ids } = payment
  const { amount_money = null } = fields
  const isDone = ['CASH', 'EXTERNAL'].includes(textOf(source_type))
  const made = records.refunds.create({
    ...{ id: `${id}_${square.letters(43)}`, payment_id: id, order_id, location_id, ...square.times },
    ...{ destination_type: source_type, settles_at: square.later(MINUTE_S), ...fields },
    status: isDone ? 'COMPLETED' : 'PENDING',
  })
  records.payments.update(payment, {
    refunded_money: {
      ...fieldsOf(payment.total_money),
      amount: amountOf(payment.refunded_money) + amountOf(amount_money),
    },
    refund_ids: [...idsOf(refund_ids), made.id],
    ...{ updated_at: time, version_token: square.letters(55) },
  })
  const order = records.orders.get(textOf(order_id))
  if (order !== undefined) {
    const facts = { id: made.id, location_id, transaction_id: order.id, tender_id: id, created_at: time }
    const one = { ...facts, reason: made.reason ?? '', amount_money, status: 'APPROVED' }
    square.change('orders', order, { refunds: [...listOf(order.refunds), one] })
  }
  const spent = records.gift_card_activities.find(
    ({ redeem_activity_details }) => fieldsOf(redeem_activity_details).payment_id === id,
  )
  const gift = spent && records.gift_cards.get(textOf(spent.gift_card_id))
  if (gift) {
    const details = { redeem_activity_id: spent.id, amount_money, payment_id: id, status: 'COMPLETED' }
    const activity = { type: 'REFUND', location_id, refund_activity_details: details }
    noteActivity(square, adjust(square, gift, amountOf(amount_money)), activity)
  }
  if (isDone) billRefunded(square, made)
  return made
}

/** Notes a refund that is completed on the invoice of its order. */
function billRefunded(square: Square, { order_id = '' }: Fields): void {
  const { invoices, refunds } = square.records
  const bill = order_id === null ? undefined : invoices.find({ order_id })
  const paid = listOf(bill?.payment_requests).map((one) => amountOf(one.total_completed_amount_money))
  if (bill === undefined || sumOf(paid) === 0) return
  const back = refunds.where({ order_id, status: 'COMPLETED' }).map((one) => amountOf(one.amount_money))
  square.change('invoices', bill, { status: sumOf(back) < sumOf(paid) ? 'PARTIALLY_REFUNDED' : 'REFUNDED' })
}

/** Pays an open order with payments that are approved. */
function payOrder(square: SquareRequest): Kept {
  const { records, body, path } = square
  const order = records.orders.get(path.order_id) ?? square.gone(`Order not found for id ${path.order_id}.`)
  const ids = idsOf(body.payment_ids)
  square.checkVersion(body.order_version, order, 'order', 'order_version')
  if (order.state !== 'OPEN')
    square.refuse('BAD_REQUEST', `Order ${order.id} is ${order.state}: only an open order can be paid.`)
  const approved = ids.flatMap((id) => records.payments.get(id) ?? []).filter(({ status }) => status === 'APPROVED')
  if (approved.length !== ids.length)
    square.refuse('BAD_REQUEST', 'All payments must exist and be APPROVED.', 'payment_ids')
  const due = amountOf(order.net_amount_due_money)
  if (sumOf(approved.map((one) => amountOf(one.amount_money))) !== due)
    square.refuse('PAYMENT_AMOUNT_MISMATCH', `The payments do not come to the ${due} that is due.`, 'payment_ids')
  for (const payment of approved) capture(square, payment)
  if (approved.length === 0) square.change('orders', order, { state: 'COMPLETED', closed_at: square.time })
  return records.orders.get(order.id) ?? order
}

/** A list the newest first, unless `sort_order` says otherwise. */
const inOrder = ({ query }: SquareRequest, found: Kept[]): Kept[] =>
  query.sort_order === 'ASC' ? found : found.toReversed()

export const payments: Operations = {
  'POST /v2/orders/{order_id}/pay': (square) => ({ order: toOrder(payOrder(square)) }),
  'POST /v2/payments': pay,
  'GET /v2/payments': (square) => {
    const { query } = square
    const found = square.oldest('payments', (payment) => {
      const { last_4, card_brand } = fieldsOf(fieldsOf(payment.card_details).card)
      return (
        isWithin(payment.created_at, query.begin_time, query.end_time) &&
        isWithin(payment.updated_at, query.updated_at_begin_time, query.updated_at_end_time) &&
        isAmong(payment.location_id, query.location_id) &&
        (query.total == null || amountOf(payment.total_money) === Number(query.total)) &&
        isAmong(last_4, query.last_4) &&
        isAmong(card_brand, query.card_brand)
      )
    })
    const sorted = sortedBy(found, textOf(query.sort_field ?? 'CREATED_AT').toLowerCase())
    return square.page('payments', inOrder(square, sorted), toPayment)
  },
  'GET /v2/payments/{payment_id}': (square) => ({ payment: toPayment(paymentOf(square)) }),
  'PUT /v2/payments/{payment_id}': (square) => {
    const payment = paymentOf(square)
    const { version_token, amount_money, tip_money } = fieldsOf(square.body.payment)
    checkApproved(square, payment, 'updated')
    checkToken(square, version_token, payment)
    if (amount_money != null && amountOf(amount_money) < 1) {
      const field = 'payment.amount_money.amount'
      square.refuse('VALUE_TOO_LOW', `\`${field}\` must be greater than 0.`, field)
    }
    const amount = amountOf(amount_money ?? payment.amount_money) + amountOf(tip_money ?? payment.tip_money)
    const total = { ...fieldsOf(payment.total_money), amount }
    const changed = square.records.payments.update(payment, {
      ...{ ...square.sent(CHANGE, 'payment'), total_money: total, approved_money: total },
      ...{ version_token: square.letters(55), updated_at: square.time },
    })
    return { payment: toPayment(changed) }
  },
  'POST /v2/payments/{payment_id}/cancel': (square) => {
    const payment = paymentOf(square)
    checkApproved(square, payment, 'canceled')
    return { payment: toPayment(release(square, payment)) }
  },
  'POST /v2/payments/{payment_id}/complete': (square) => {
    const payment = paymentOf(square)
    checkApproved(square, payment, 'completed')
    checkToken(square, square.body.version_token, payment)
    return { payment: toPayment(capture(square, payment)) }
  },
  'POST /v2/payments/cancel': (square) => {
    const { idempotency_key = null } = square.body
    const payment = square.records.payments.find({ idempotency_key, status: 'APPROVED' })
    if (payment !== undefined) release(square, payment)
    return {}
  },
  'POST /v2/refunds': (square) => {
    const payment = refundable(square, square.body)
    const fields = square.sent({ amount_money: {}, app_fee_money: {}, reason: '', team_member_id: '' })
    return { refund: toRefund(giveBack(square, payment, fields)) }
  },
  'GET /v2/refunds': (square) => {
    const { begin_time, end_time, location_id, status, source_type } = square.query
    const found = square.oldest(
      'refunds',
      (one) =>
        isWithin(one.created_at, begin_time, end_time) &&
        isAmong(one.location_id, location_id) &&
        isAmong(one.status, status) &&
        isAmong(one.destination_type, source_type),
    )
    return square.page('refunds', inOrder(square, found), toRefund)
  },
  'GET /v2/refunds/{refund_id}': (square) => {
    const { refund_id } = square.path
    const found = square.records.refunds.get(refund_id)
    return { refund: toRefund(found ?? square.gone(`Could not find refund with id: ${refund_id}`)) }
  },
}

/** What the plan does with payments and refunds. */
export const paymentSteps = {
  settle: (due: Due) => void capture(new Square(due), due.record),
  delayOver: (due: Due) => {
    const act = due.record.delay_action === 'COMPLETE' ? capture : release
    act(new Square(due), due.record)
  },
  refunded: (due: Due) => {
    due.update({ status: 'COMPLETED', updated_at: due.now.toISOString() })
    billRefunded(new Square(due), due.record)
  },
}
