import { mergedList } from './orders.ts'
import { capture } from './payments.ts'
import { chargeOf, nextMoneyOf, recipientOf, settled } from './settling.ts'
import {
  amountOf,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  percentOf,
  Square,
  type SquareRequest,
  sumOf,
  textOf,
  without,
} from './square.ts'

const INVOICE = {
  ...{ delivery_method: '', invoice_number: '', title: '', description: '', scheduled_at: '' },
  ...{ sale_or_service_date: '', payment_conditions: '', store_payment_method_enabled: true },
  ...{ accepted_payment_methods: {}, custom_fields: [] },
}
const METHODS = {
  bank_account: false,
  buy_now_pay_later: false,
  card: false,
  cash_app_pay: false,
  square_gift_card: false,
}
const CHANGEABLE = ['DRAFT', 'UNPAID', 'SCHEDULED', 'PARTIALLY_PAID']
/** The last digits of a card whose charges fail. */
const FAILING_CARD = '0002'

export const toInvoice = (invoice: Fields): Fields =>
  filled({ ...without(invoice, 'charge_at'), next_payment_amount_money: nextMoneyOf(invoice) })

/** The invoice that the path names. */
const invoiceOf = (square: SquareRequest): Kept =>
  square.records.invoices.get(square.path.invoice_id) ??
  square.gone(`Invoice with ID ${square.path.invoice_id} not found.`)

/** Payment requests with the amounts that they come to. */
function requestsOf(square: Square, { total_money }: Kept, requests: Fields[]): Fields[] {
  const { currency = null } = fieldsOf(total_money)
  const total = amountOf(total_money)
  const money = (amount: number): Fields => ({ amount, currency })
  const shareOf = ({ percentage_requested }: Fields): number => percentOf(total, percentage_requested)
  const others = sumOf(requests.map((one) => amountOf(one.fixed_amount_requested_money) + shareOf(one)))
  return requests.map((request) => {
    const { reminders, fixed_amount_requested_money: fixed, percentage_requested: percentage } = request
    const nudges = listOf(reminders).map((one) => ({ uid: square.uuid(), status: 'PENDING', ...one }))
    return {
      ...{ uid: square.uuid(), tipping_enabled: false, automatic_payment_source: 'NONE', ...request },
      ...(reminders != null && { reminders: nudges }),
      computed_amount_money: fixed ?? money(percentage == null ? total - others : shareOf(request)),
      total_completed_amount_money: request.total_completed_amount_money ?? money(0),
    }
  })
}

function create(square: SquareRequest): Kept {
  const { records } = square
  const asked = fieldsOf(square.body.invoice)
  const { order_id, invoice_number, accepted_payment_methods } = asked
  const order =
    records.orders.get(textOf(order_id)) ??
    square.gone(`Order not found for id ${textOf(order_id)}.`, 'invoice.order_id')
  if (order.state !== 'OPEN')
    square.refuse(
      'BAD_REQUEST',
      `Order ${order.id} is ${order.state}: an invoice needs an open order.`,
      'invoice.order_id',
    )
  const taken = records.invoices.find({ order_id: order.id })
  if (taken !== undefined)
    square.refuse('BAD_REQUEST', `Order ${order.id} has the invoice ${taken.id} already.`, 'invoice.order_id')
  if (invoice_number && records.invoices.some({ invoice_number }))
    square.refuse('CONFLICT', 'The invoice number is in use.', 'invoice.invoice_number', 409)
  if (accepted_payment_methods == null) square.unset('invoice.accepted_payment_methods')
  const sent = filled(square.sent({ ...INVOICE, location_id: '' }, 'invoice'))
  const customer_id = fieldsOf(asked.primary_recipient).customer_id ?? order.customer_id
  return records.invoices.create({
    ...{ invoice_number: square.digits(6), location_id: order.location_id, custom_fields: [], ...sent },
    accepted_payment_methods: { ...METHODS, ...fieldsOf(sent.accepted_payment_methods) },
    primary_recipient: recipientOf(records.customers.get(textOf(customer_id))),
    payment_requests: requestsOf(square, order, listOf(asked.payment_requests)),
    next_payment_amount_money: order.net_amount_due_money,
    ...{ order_id: order.id, ...square.times },
  })
}

function update(square: SquareRequest): Kept {
  const { records, body } = square
  const bill = invoiceOf(square)
  const { version, payment_requests, primary_recipient } = fieldsOf(body.invoice)
  square.checkVersion(version, bill, 'invoice', 'version', 400)
  if (!CHANGEABLE.includes(textOf(bill.status)))
    square.refuse('BAD_REQUEST', `Invoice ${bill.id} is ${bill.status} and cannot be updated.`)
  const cleared = idsOf(body.fields_to_clear).flatMap((field) => {
    const name = field.replace(/^invoice\./, '')
    return name in INVOICE ? [[name, name === 'store_payment_method_enabled' ? false : null]] : []
  })
  const order = records.orders.get(textOf(bill.order_id))
  const known = listOf(bill.payment_requests)
  const requests = mergedList(known, listOf(payment_requests), () => square.uuid())
  const customer = fieldsOf(primary_recipient).customer_id
  return square.change('invoices', bill, {
    ...{ ...square.sent(INVOICE, 'invoice'), ...Object.fromEntries(cleared) },
    ...(payment_requests != null && order && { payment_requests: requestsOf(square, order, requests) }),
    ...(customer && { primary_recipient: recipientOf(records.customers.get(textOf(customer))) }),
  })
}

function publish(square: SquareRequest): Kept {
  const { records, body } = square
  const bill = invoiceOf(square)
  square.checkVersion(body.version, bill, 'invoice', 'version', 400)
  if (bill.status !== 'DRAFT')
    square.refuse('BAD_REQUEST', `Invoice ${bill.id} is ${bill.status}: only a draft can be published.`)
  const customer = records.customers.get(textOf(fieldsOf(bill.primary_recipient).customer_id))
  const needs = (what: string, field: string): never => square.refuse('BAD_REQUEST', what, `invoice.${field}`)
  if (customer === undefined) needs('An invoice needs a primary recipient to be published.', 'primary_recipient')
  if (listOf(bill.payment_requests).length === 0)
    needs('An invoice needs a payment request to be published.', 'payment_requests')
  if (bill.delivery_method === 'EMAIL' && !customer?.email_address)
    needs('Delivery by email needs a recipient with an email address.', 'primary_recipient')
  const order = records.orders.get(textOf(bill.order_id))
  const due = settled(bill.payment_requests, amountOf(order?.net_amount_due_money))
  return square.change('invoices', bill, {
    status: bill.scheduled_at ? 'SCHEDULED' : due.next === undefined ? 'PAID' : 'UNPAID',
    next_payment_amount_money: due.money,
    public_url: `https://squareup.example/pay-invoice/${bill.id}`,
    ...chargeOf(square, due),
  })
}

/** Cancels the order of an invoice. */
function cancelOrder(square: Square, { order_id }: Kept): void {
  const order = square.records.orders.get(textOf(order_id))
  if (order) square.change('orders', order, { state: 'CANCELED', closed_at: square.time })
}

/** Pays an order with a card on file. */
export function chargeFile(square: Square, order: Kept, card: Kept, due: Json): void {
  const { location_id = null, id: order_id } = order
  const money = { amount_money: due, total_money: due, approved_money: due }
  const payment = square.records.payments.create({
    ...{ location_id, order_id, customer_id: card.customer_id ?? null, ...money, ...square.times },
    ...{ status: 'APPROVED', source_type: 'CARD' },
    card_details: {
      ...{ status: 'AUTHORIZED', entry_method: 'ON_FILE' },
      card: only(card, 'id card_brand last_4 exp_month exp_year fingerprint bin'),
      card_payment_timeline: { authorized_at: square.time },
    },
  })
  capture(square, payment)
}

export const invoices: Operations = {
  'POST /v2/invoices': (square) => ({ invoice: toInvoice(create(square)) }),
  'GET /v2/invoices': (square) => {
    const { location_id } = square.query
    if (!location_id) square.unset('location_id')
    return square.page('invoices', square.records.invoices.where({ location_id }), toInvoice)
  },
  'POST /v2/invoices/search': (square) => {
    const { filter, sort } = fieldsOf(square.body.query)
    const { location_ids, customer_ids } = fieldsOf(filter)
    const found = square.oldest(
      'invoices',
      ({ location_id = null, primary_recipient }) =>
        idsOf(location_ids).includes(textOf(location_id)) &&
        isAmong(fieldsOf(primary_recipient).customer_id, customer_ids),
    )
    return square.page('invoices', fieldsOf(sort).order === 'ASC' ? found : found.toReversed(), toInvoice)
  },
  'GET /v2/invoices/{invoice_id}': (square) => ({ invoice: toInvoice(invoiceOf(square)) }),
  'PUT /v2/invoices/{invoice_id}': (square) => ({ invoice: toInvoice(update(square)) }),
  'DELETE /v2/invoices/{invoice_id}': (square) => {
    const bill = invoiceOf(square)
    const { id, status } = bill
    if (status !== 'DRAFT')
      square.refuse('BAD_REQUEST', `Only a draft can be deleted: invoice ${id} is ${status}. Cancel it.`)
    square.records.invoices.remove(id)
    cancelOrder(square, bill)
    return {}
  },
  'POST /v2/invoices/{invoice_id}/publish': (square) => ({ invoice: toInvoice(publish(square)) }),
  'POST /v2/invoices/{invoice_id}/cancel': (square) => {
    const bill = invoiceOf(square)
    square.checkVersion(square.body.version, bill, 'invoice', 'version', 400)
    if (!CHANGEABLE.slice(1).includes(textOf(bill.status)))
      square.refuse('BAD_REQUEST', `Invoice ${bill.id} is ${bill.status} and cannot be canceled.`)
    const nothing = { next_payment_amount_money: null, charge_at: null }
    const canceled = square.change('invoices', bill, { status: 'CANCELED', ...nothing })
    cancelOrder(square, bill)
    return { invoice: toInvoice(canceled) }
  },
}

/** What the plan does with invoices. */
export const invoiceSteps = {
  issue: (due: Due) => void new Square(due).change('invoices', due.record, { status: 'UNPAID' }),
  chargeBill: (due: Due) => {
    const square = new Square(due)
    const { records } = due
    const bill = records.invoices.update(due.record, { charge_at: null })
    const order = records.orders.get(textOf(bill.order_id))
    const { next } = settled(bill.payment_requests, amountOf(order?.net_amount_due_money))
    const card = records.cards.get(textOf(next?.card_id))
    if (order && card?.enabled === true && card.last_4 !== FAILING_CARD)
      chargeFile(square, order, card, bill.next_payment_amount_money ?? null)
    if (card?.enabled !== true)
      square.announce('invoice.scheduled_charge_failed', {
        ...{
          type: 'invoice',
          id: bill.id,
          object: { invoice: toInvoice(bill) },
          location_id: bill.location_id ?? null,
        },
      })
  },
}
