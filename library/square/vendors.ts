import {
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  type Json,
  type Kept,
  type Operations,
  type SquareRequest,
} from './square.ts'

const VENDOR = { name: '', status: '', account_number: '', note: '', address: {}, contacts: [] }

const vendorOf = (square: SquareRequest): Kept => square.find('vendors', 'Vendor with ID `{id}` not found.')

/** The answer of each of many requests, by its name. */
const each = (bodies: Json | undefined, answer: (body: Fields, name: string) => unknown): Fields => ({
  responses: Object.fromEntries(
    Object.entries(fieldsOf(bodies)).map(([name, body]) => [name, answer(fieldsOf(body), name) as Json]),
  ),
})

export const vendors: Operations = {
  'POST /v2/vendors/bulk-create': (square) =>
    each(square.body.vendors, (vendor) => {
      const body = { idempotency_key: square.uuid(), vendor }
      return square.of.call('POST', '/v2/vendors/create', body).body
    }),
  'POST /v2/vendors/bulk-retrieve': (square) => ({
    responses: Object.fromEntries(
      idsOf(square.body.vendor_ids).map((id) => [id, square.ask('GET', '/v2/vendors', id)]),
    ),
  }),
  'PUT /v2/vendors/bulk-update': (square) =>
    each(square.body.vendors, (asked, id) => square.ask('PUT', '/v2/vendors', id, asked)),
  'POST /v2/vendors/create': (square) => {
    const { name = null, ...sent } = square.sent(VENDOR, 'vendor')
    if (!name) square.unset('vendor.name')
    if (square.records.vendors.some({ name }))
      square.refuse('BAD_REQUEST', 'A vendor with this name exists already.', 'vendor.name')
    return { vendor: filled(square.records.vendors.create({ name, ...sent, ...square.times })) }
  },
  'GET /v2/vendors/{vendor_id}': (square) => ({ vendor: filled(vendorOf(square)) }),
  'PUT /v2/vendors/{vendor_id}': (square) => {
    const vendor = vendorOf(square)
    square.checkVersion(fieldsOf(square.body.vendor).version, vendor, 'vendor', 'vendor.version')
    return { vendor: filled(square.change('vendors', vendor, filled(square.sent(VENDOR, 'vendor')))) }
  },
  'POST /v2/vendors/search': (square) => {
    const { name, status } = fieldsOf(square.body.filter)
    const found = square.oldest('vendors', (one) => isAmong(one.name, name) && isAmong(one.status, status))
    return square.page('vendors', found, filled, { most: 200 })
  },
}
