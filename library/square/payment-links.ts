import { checkOrder, priced, toOrder } from './orders.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  type Kept,
  type Operations,
  only,
  type SquareRequest,
  textOf,
} from './square.ts'

const LINK = { description: '', payment_note: '', checkout_options: {}, pre_populated_data: {} }
const ORDER = { reference_id: '', customer_id: '', metadata: {} }

/** The payment link that the path names. */
const linkOf = (square: SquareRequest): Kept =>
  square.records.payment_links.get(square.path.id) ?? square.gone(`Payment link with ID ${square.path.id} not found.`)

/** The order that a new link is for. */
function orderIn(square: SquareRequest): Fields {
  const { order, quick_pay } = square.body
  if (order == null && quick_pay == null)
    square.refuse('MISSING_REQUIRED_PARAMETER', 'Either order or quick_pay must be set.', 'order')
  if (order != null && quick_pay != null)
    square.refuse('INVALID_VALUE', 'Only one of order and quick_pay may be set.', 'order')
  if (order != null) return fieldsOf(order)
  const { location_id = null, name = null, price_money = null } = fieldsOf(quick_pay)
  return { location_id, line_items: [{ name, quantity: '1', base_price_money: price_money }] }
}

export const paymentLinks: Operations = {
  'POST /v2/online-checkout/payment-links': (square) => {
    const { records, times } = square
    const sent = square.sent(LINK)
    const asked = orderIn(square)
    checkOrder(square, asked)
    const copied = { ...only(asked, 'location_id'), ...square.sent(ORDER, 'order') }
    const order = records.orders.create({ ...copied, ...priced(square, asked), state: 'DRAFT', ...times })
    const link = records.payment_links.create({
      ...{ ...sent, order_id: order.id, created_at: square.time },
      url: `https://sandbox.square.link.example/u/${order.id}`,
      long_url: `https://checkout.square.example/merchant/MLBACKLOT/checkout/${order.id}`,
    })
    return { payment_link: filled(link), related_resources: { orders: [toOrder(order)] } }
  },
  'GET /v2/online-checkout/payment-links': (square) => square.page('payment_links', [...square.records.payment_links]),
  'GET /v2/online-checkout/payment-links/{id}': (square) => ({ payment_link: filled(linkOf(square)) }),
  'PUT /v2/online-checkout/payment-links/{id}': (square) => {
    const link = linkOf(square)
    const { version = null } = fieldsOf(square.body.payment_link)
    square.checkVersion(version ?? '', link, 'payment link', 'payment_link.version')
    return { payment_link: filled(square.change('payment_links', link, square.sent(LINK, 'payment_link'))) }
  },
  'DELETE /v2/online-checkout/payment-links/{id}': (square) => {
    const { records, time } = square
    const { id, order_id = null } = linkOf(square)
    records.payment_links.remove(id)
    records.orders.update(textOf(order_id), { state: 'CANCELED', closed_at: time, updated_at: time })
    return { id, cancelled_order_id: order_id }
  },
}
