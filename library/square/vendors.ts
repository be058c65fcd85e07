import { fieldsOf, filled, isAmong, type Kept, type Operations, type SquareRequest } from './square.ts'

const VENDOR = { name: '', status: '', account_number: '', note: '', address: {}, contacts: [] }

const vendorOf = (square: SquareRequest): Kept => square.find('vendors', 'Vendor with ID `{id}` not found.')

export const vendors: Operations = {
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
