import { type Fields, filled, type Kept, MAIN_LOCATION, type Operations, type SquareRequest } from './square.ts'

const LOCATION = {
  ...{ name: '', address: {}, timezone: '', status: '', country: '', language_code: '', currency: '' },
  ...{ phone_number: '', business_name: '', type: '', website_url: '', business_hours: {}, business_email: '' },
  ...{ description: '', twitter_username: '', instagram_username: '', facebook_url: '', coordinates: {}, mcc: '' },
}

const toLocation = (location: Fields): Fields =>
  filled({ ...location, capabilities: ['CREDIT_CARD_PROCESSING', 'AUTOMATIC_TRANSFERS'] })

/** The location that the path names; `main` is the first. */
function locationOf(square: SquareRequest): Kept {
  const { location_id } = square.path
  const id = location_id === 'main' ? MAIN_LOCATION : location_id
  return square.find('locations', 'Location with ID `{id}` not found.', id)
}

/** What the seller has none of: lists by their paths. */
const NONE: Readonly<Record<string, string>> = {
  ...{ 'bank-accounts': 'bank_account_id', 'cash-drawers/shifts': 'shift_id', 'customers/segments': 'segment_id' },
  devices: 'device_id',
}

export const locations: Operations = {
  ...Object.fromEntries(
    Object.entries(NONE).flatMap(([path, id]) => [
      [`GET /v2/${path}`, (square: SquareRequest) => square.page(path, [])],
      [`GET /v2/${path}/{${id}}`, (square: SquareRequest) => square.gone(`There is no such ${id.replace('_id', '')}.`)],
    ]),
  ),
  'GET /v2/sites': () => ({}),
  'GET /v2/merchants': (square) => square.page('merchant', square.oldest('merchants')),
  'GET /v2/merchants/{merchant_id}': (square) => {
    const { merchant_id } = square.path
    const found = merchant_id === 'me' ? square.oldest('merchants')[0] : square.find('merchants', 'Merchant not found.')
    return { merchant: filled(found ?? square.gone('Merchant not found.')) }
  },
  'GET /v2/locations': (square) => ({ locations: square.oldest('locations').map(toLocation) }),
  'POST /v2/locations': (square) => {
    const sent = filled(square.sent(LOCATION, 'location'))
    const { name = null, business_name = name } = sent
    if (square.records.locations.some({ name }))
      square.refuse('INVALID_VALUE', 'A location with this name already exists.', 'location.name')
    const made = square.records.locations.create({ ...sent, business_name, created_at: square.time })
    return { location: toLocation(made) }
  },
  'GET /v2/locations/{location_id}': (square) => ({ location: toLocation(locationOf(square)) }),
  'PUT /v2/locations/{location_id}': (square) => {
    const location = locationOf(square)
    return { location: toLocation(square.records.locations.update(location, square.sent(LOCATION, 'location'))) }
  },
}
