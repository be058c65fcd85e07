import { price } from './pricing.ts'
import {
  amountOf,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isWithin,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  type Square,
  type SquareRequest,
  sortedBy,
  textOf,
  without,
} from './square.ts'

const COPIED = 'location_id reference_id customer_id ticket_name metadata pricing_options source'
const TEXTS = { reference_id: '', customer_id: '', ticket_name: '' }
const ORDER = { location_id: '', ...TEXTS, metadata: {}, pricing_options: {}, source: {} }
const CLOSED = ['COMPLETED', 'CANCELED']
const ENDED = ['COMPLETED', 'CANCELED', 'FAILED']
/** Lists whose items a change names by `uid`. */
const LISTS = ['line_items', 'taxes', 'discounts', 'service_charges', 'fulfillments']

export const toOrder = (order: Fields): Fields =>
  filled({ ...without(order, 'fulfillment_update'), source: order.source ?? { name: 'Sandbox for backlot' } })

/** What events of an order show. */
export const toOrderEvent = (order: Fields): Fields => {
  const { id, fulfillment_update: moves, ...rest } = order
  const isMoved = Array.isArray(moves) && moves.length > 0
  return filled({
    ...only(rest, 'created_at updated_at location_id state version'),
    order_id: id,
    fulfillment_update: isMoved ? moves : null,
  })
}

/** The lines, discounts, taxes and sums of an order. @param was the fulfillments that it had */
export function priced(square: Square, order: Fields, was?: Json): Fields {
  const { records, time } = square
  const currency = textOf(records.locations.get(textOf(order.location_id))?.currency ?? 'USD')
  const objectOf = (id: Json | undefined) => (id == null ? undefined : records.catalog_objects.get(textOf(id)))
  return price({ time, currency, objectOf, newUid: () => square.letters() }, order, was)
}

/** Whether a fulfillment of an order is still to come. */
export const isOpen = (order: Fields): boolean =>
  listOf(order.fulfillments).some(({ state }) => !ENDED.includes(textOf(state)))

/** An order with the taxes of its items, if its pricing options say that they apply by themselves. */
function autoTaxed({ records }: Square, order: Fields): Fields {
  if (fieldsOf(order.pricing_options).auto_apply_taxes !== true) return order
  const goodsOf = (id: Json | undefined, data: string): Fields =>
    fieldsOf(records.catalog_objects.get(textOf(id))?.[data])
  const taxesOf = ({ catalog_object_id }: Fields): string[] =>
    idsOf(goodsOf(goodsOf(catalog_object_id, 'item_variation_data').item_id, 'item_data').tax_ids)
  const lines = listOf(order.line_items)
  const used = [...new Set(lines.flatMap(taxesOf))]
  return {
    ...order,
    line_items: lines.map((line) => ({
      ...line,
      applied_taxes: [...listOf(line.applied_taxes), ...taxesOf(line).map((tax_uid) => ({ tax_uid }))],
    })),
    taxes: [
      ...listOf(order.taxes),
      ...used.map((id) => ({ uid: id, catalog_object_id: id, scope: 'LINE_ITEM', auto_applied: true })),
    ],
  }
}

/** Refuses a new order whose location, goods or prices are not known. */
export function checkOrder(square: SquareRequest, order: Fields): void {
  const { records } = square
  const lines = listOf(order.line_items)
  const location = records.locations.get(textOf(order.location_id))
  if (location === undefined)
    square.gone(`Location with ID \`${textOf(order.location_id)}\` not found.`, 'order.location_id')
  if (lines.some(({ quantity }) => !/^\d{1,20}(\.\d{1,20})?$/.test(textOf(quantity))))
    square.refuse(
      'INVALID_VALUE',
      'Quantity must be a decimal number that is not negative.',
      'order.line_items.quantity',
    )
  const foreign = lines
    .map((line) => fieldsOf(line.base_price_money).currency)
    .find((one) => one && one !== location.currency)
  if (foreign !== undefined) {
    const detail = `The location has prices in ${location.currency}, not in ${foreign}.`
    square.refuse('INVALID_VALUE', detail, 'order.line_items.base_price_money.currency')
  }
  const unknown = lines.find(({ catalog_object_id: id }) => id && !records.catalog_objects.get(textOf(id)))
  if (unknown !== undefined)
    square.gone(
      `Catalog object with ID ${textOf(unknown.catalog_object_id)} not found.`,
      'order.line_items.catalog_object_id',
    )
  const adHoc = lines.filter(({ catalog_object_id: id }) => !id)
  const refuse = (what: string, field: string): never =>
    square.refuse('MISSING_REQUIRED_PARAMETER', `Ad hoc line items must have a ${what}.`, `order.line_items.${field}`)
  if (adHoc.some(({ base_price_money: money }) => fieldsOf(money).amount == null))
    refuse('base price', 'base_price_money')
  if (adHoc.some(({ name, item_type }) => !name && item_type !== 'CUSTOM_AMOUNT')) refuse('name', 'name')
}

/** The order that the path names. */
const orderOf = (square: SquareRequest, id: Json | undefined = square.path.order_id): Kept =>
  square.records.orders.get(textOf(id)) ?? square.gone(`Order not found for id ${textOf(id)}.`)

/** The items of a list after a change, which names known items by `uid`. */
export function mergedList(known: Fields[], asked: Fields[], newUid: () => string): Fields[] {
  const items = new Map(known.map((item) => [textOf(item.uid), item]))
  for (const item of asked) {
    const uid = item.uid == null ? newUid() : textOf(item.uid)
    items.set(uid, { uid, ...items.get(uid), ...item })
  }
  return [...items.values()]
}

function change(square: SquareRequest): Fields {
  const order = orderOf(square)
  const asked = fieldsOf(square.body.order)
  const cleared = idsOf(square.body.fields_to_clear)
  const { version, fulfillments, metadata } = asked
  if (version == null) square.unset('order.version')
  if (version !== order.version) {
    const detail = `Order version ${version} does not match the latest version ${order.version}.`
    square.refuse('VERSION_MISMATCH', detail, 'order.version', 409)
  }
  if (CLOSED.includes(textOf(order.state)) && fulfillments == null && metadata == null)
    square.refuse('BAD_REQUEST', `Order ${order.id} is ${order.state} and cannot be updated.`)
  const lists = LISTS.map((name): [string, Fields[]] => {
    const all = mergedList(listOf(order[name]), listOf(asked[name]), () => square.letters())
    const isCleared = ({ uid }: Fields): boolean => cleared.includes(`${name}[${textOf(uid)}]`)
    return [name, cleared.includes(name) ? [] : all.filter((item) => !isCleared(item))]
  })
  const { location_id, tenders } = order
  const parts = { location_id, tenders, ...Object.fromEntries(lists) } as Fields
  const prices = priced(square, parts, order.fulfillments)
  const isPaid = listOf(tenders).length > 0 && amountOf(prices.net_amount_due_money) <= 0 && !isOpen(prices)
  const sent = square.sent({ ...without(ORDER, 'location_id'), state: '' }, 'order')
  const state = sent.state ?? (isPaid ? 'COMPLETED' : order.state)
  const nothing = Object.keys(ORDER).flatMap((name) => (cleared.includes(name) ? [[name, null]] : []))
  return toOrder(
    square.change('orders', order, {
      ...{ ...prices, ...sent, ...Object.fromEntries(nothing), state: state ?? null },
      ...(CLOSED.includes(textOf(state)) && { closed_at: square.time }),
    }),
  )
}

function search(square: SquareRequest): Fields {
  const { location_ids, return_entries } = square.body
  const { filter, sort } = fieldsOf(square.body.query)
  if (location_ids == null)
    square.refuse('MISSING_REQUIRED_PARAMETER', 'Must provide at least 1 location_id', 'location_ids')
  const { date_time_filter, state_filter, customer_filter, fulfillment_filter, source_filter } = fieldsOf(filter)
  const { sort_field = 'CREATED_AT', sort_order } = fieldsOf(sort)
  const ranges = Object.entries(filled(fieldsOf(date_time_filter)))
  if (ranges.some(([name]) => name.toUpperCase() !== sort_field))
    square.refuse('BAD_REQUEST', 'The sort field must be the field of the date time filter.', 'query.sort.sort_field')
  const { fulfillment_types, fulfillment_states } = fieldsOf(fulfillment_filter)
  const found = square.oldest('orders', (order) => {
    const [fulfillment = {}] = listOf(order.fulfillments)
    const isIn = (time: Json | undefined, range: Json): boolean =>
      time != null && isWithin(time, fieldsOf(range).start_at, fieldsOf(range).end_at)
    return (
      ranges.every(([name, range]) => isIn(order[name], range)) &&
      isAmong(order.state, fieldsOf(state_filter).states) &&
      isAmong(order.location_id, location_ids) &&
      isAmong(order.customer_id, fieldsOf(customer_filter).customer_ids) &&
      isAmong(fulfillment.type, fulfillment_types) &&
      isAmong(fulfillment.state, fulfillment_states) &&
      isAmong(fieldsOf(order.source).name, fieldsOf(source_filter).source_names)
    )
  })
  const sorted = sortedBy(found, textOf(sort_field).toLowerCase(), sort_order !== 'ASC')
  const most = { usual: 500, most: 1000 }
  return return_entries === true
    ? square.page(
        'order_entries',
        sorted,
        ({ id, version, location_id }) => ({ order_id: id, version, location_id }) as Fields,
        most,
      )
    : square.page('orders', sorted, toOrder, most)
}

export const orders: Operations = {
  'POST /v2/orders': (square) => {
    const order = fieldsOf(square.body.order)
    checkOrder(square, order)
    const { state = null, ...sent } = square.sent({ ...ORDER, state: '' }, 'order')
    const prices = priced(square, autoTaxed(square, order))
    return {
      order: toOrder(square.records.orders.create({ ...sent, ...prices, state: state ?? 'OPEN', ...square.times })),
    }
  },
  'POST /v2/orders/calculate': (square) => {
    const order = fieldsOf(square.body.order)
    checkOrder(square, order)
    const usual = { ...square.times, state: 'OPEN', version: order.version ?? 1, tenders: [], refunds: [] }
    return { order: toOrder({ ...only(order, `id ${COPIED}`), ...usual, ...priced(square, autoTaxed(square, order)) }) }
  },
  'POST /v2/orders/batch-retrieve': ({ records, body }) => ({
    orders: idsOf(body.order_ids).flatMap((id) => {
      const order = records.orders.get(id)
      return order === undefined ? [] : [toOrder(order)]
    }),
  }),
  'GET /v2/orders/{order_id}': (square) => ({ order: toOrder(orderOf(square)) }),
  'POST /v2/orders/clone': (square) => {
    const order = orderOf(square, square.body.order_id)
    square.checkVersion(square.body.version, order, 'order')
    const prices = priced(square, without(order, 'tenders'))
    const twin = { ...only(order, COPIED), ...prices, state: 'DRAFT', ...square.times }
    return { order: toOrder(square.records.orders.create(twin)) }
  },
  'PUT /v2/orders/{order_id}': (square) => ({ order: change(square) }),
  'POST /v2/orders/search': search,
}
