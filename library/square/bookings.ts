import {
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  isoOf,
  isWithin,
  type Kept,
  listOf,
  MAIN_LOCATION,
  type Operations,
  type SquareRequest,
  sortedBy,
  textOf,
} from './square.ts'

const NOTES = { start_at: '', customer_note: '', seller_note: '', appointment_segments: [] }
const BOOKING = { ...NOTES, location_id: '', customer_id: '' }
const OPEN = ['ACCEPTED', 'PENDING']
const OWNER = 'TMbacklotOwner01'
const HOUR_MS = 3_600_000
/** How far lists look ahead unless asked otherwise. */
const MONTH_MS = 31 * 24 * HOUR_MS
/** How many start times of a range are offered, an hour apart. */
const MOST_OFFERED = 4
const BUSINESS = {
  ...{ seller_id: 'MLBACKLOT', booking_enabled: true, customer_timezone_choice: 'CUSTOMER_CHOICE' },
  ...{ booking_policy: 'ACCEPT_ALL', allow_user_cancel: true, support_seller_level_writes: true },
}

export const toBooking = (booking: Fields): Fields =>
  filled({
    ...{ ...booking, source: 'API', all_day: false, transition_time_minutes: 0, location_type: 'BUSINESS_LOCATION' },
    creator_details: { creator_type: 'TEAM_MEMBER', team_member_id: OWNER },
  })

const bookingOf = (square: SquareRequest): Kept => square.find('bookings', 'Booking with ID `{id}` not found.')

function checkOpen(square: SquareRequest, { status }: Kept): void {
  if (!OPEN.includes(textOf(status))) square.refuse('BAD_REQUEST', 'The booking is canceled.')
}

function create(square: SquareRequest): Fields {
  const { records } = square
  const sent = square.sent(BOOKING, 'booking')
  if (!sent.start_at) square.unset('booking.start_at')
  if (sent.appointment_segments == null) square.unset('booking.appointment_segments')
  if (records.locations.get(textOf(sent.location_id)) === undefined)
    square.gone('Location not found.', 'booking.location_id')
  if (sent.customer_id && records.customers.get(textOf(sent.customer_id)) === undefined)
    square.gone('Customer not found.', 'booking.customer_id')
  return { booking: toBooking(records.bookings.create({ ...sent, ...square.times })) }
}

/** Times of a range at which no booking begins. */
function available(square: SquareRequest): Fields {
  const { start_at_range, segment_filters, location_id = MAIN_LOCATION } = fieldsOf(fieldsOf(square.body.query).filter)
  const { start_at, end_at } = fieldsOf(start_at_range)
  const start = isoOf(start_at) ?? square.unset('query.filter.start_at_range')
  const taken = square.records.bookings.where(({ status }) => OPEN.includes(textOf(status)))
  const takenAt = taken.map((booking) => isoOf(booking.start_at))
  const offered = Array.from({ length: MOST_OFFERED }, (_, hours) =>
    new Date(Date.parse(start) + hours * HOUR_MS).toISOString(),
  ).filter((time) => !takenAt.includes(time) && time < (isoOf(end_at) ?? '~'))
  const appointment_segments = listOf(segment_filters).map(({ service_variation_id = null, team_member_id_filter }) => {
    const { item_variation_data, version = 1 } =
      square.records.catalog_objects.get(textOf(service_variation_id)) ?? ({} as Fields)
    const { service_duration } = fieldsOf(item_variation_data)
    return {
      duration_minutes: Math.round(Number(service_duration ?? HOUR_MS) / 60_000),
      service_variation_id,
      team_member_id: idsOf(fieldsOf(team_member_id_filter).any)[0] ?? OWNER,
      service_variation_version: version,
    }
  })
  return {
    availabilities: offered.map((time) => ({
      start_at: `${time.slice(0, 19)}Z`,
      location_id,
      appointment_segments,
    })),
  }
}

const locationProfile = ({ id }: Kept): Fields => ({ location_id: id, online_booking_enabled: true })

const memberProfile = ({ id, given_name, family_name }: Kept): Fields => ({
  ...{ team_member_id: id, display_name: `${textOf(given_name)} ${textOf(family_name)}`, is_bookable: true },
})

export const bookings: Operations = {
  'POST /v2/bookings/team-member-booking-profiles/bulk-retrieve': (square) => ({
    team_member_booking_profiles: Object.fromEntries(
      idsOf(square.body.team_member_ids).map((id) => [
        id,
        square.ask('GET', '/v2/bookings/team-member-booking-profiles', id),
      ]),
    ),
  }),
  'POST /v2/bookings': create,
  'GET /v2/bookings': (square) => {
    const { customer_id, location_id, team_member_id, start_at_max } = square.query
    const from = isoOf(square.query.start_at_min) ?? square.time
    const to = isoOf(start_at_max) ?? new Date(Date.parse(from) + MONTH_MS).toISOString()
    const found = square.oldest('bookings', (one) => {
      const [segment = {}] = listOf(one.appointment_segments)
      return (
        isAmong(one.customer_id, customer_id) &&
        isAmong(one.location_id, location_id) &&
        isAmong(segment.team_member_id, team_member_id) &&
        isWithin(isoOf(one.start_at), from, to)
      )
    })
    return square.page(
      'bookings',
      sortedBy(found, ({ start_at }) => isoOf(start_at)),
      toBooking,
      { usual: 100, most: 200 },
    )
  },
  'POST /v2/bookings/bulk-retrieve': (square) => ({
    bookings: Object.fromEntries(
      idsOf(square.body.booking_ids).map((id) => [id, square.ask('GET', '/v2/bookings', id)]),
    ),
  }),
  'POST /v2/bookings/availability/search': available,
  'GET /v2/bookings/business-booking-profile': () => ({ business_booking_profile: BUSINESS }),
  'GET /v2/bookings/location-booking-profiles': (square) =>
    square.page('location_booking_profiles', square.oldest('locations'), locationProfile),
  'GET /v2/bookings/{booking_id}': (square) => ({ booking: toBooking(bookingOf(square)) }),
  'PUT /v2/bookings/{booking_id}': (square) => {
    const booking = bookingOf(square)
    square.checkVersion(fieldsOf(square.body.booking).version, booking, 'booking', 'booking.version')
    checkOpen(square, booking)
    return { booking: toBooking(square.change('bookings', booking, square.sent(NOTES, 'booking'))) }
  },
  'POST /v2/bookings/{booking_id}/cancel': (square) => {
    const booking = bookingOf(square)
    checkOpen(square, booking)
    return { booking: toBooking(square.change('bookings', booking, { status: 'CANCELLED_BY_SELLER' })) }
  },
  'GET /v2/bookings/location-booking-profiles/{location_id}': (square) => ({
    location_booking_profile: locationProfile(square.find('locations', 'Location not found.')),
  }),
  'GET /v2/bookings/team-member-booking-profiles': (square) => ({
    team_member_booking_profiles: square.oldest('team_members', { status: 'ACTIVE' }).map(memberProfile),
  }),
  'GET /v2/bookings/team-member-booking-profiles/{team_member_id}': (square) => ({
    team_member_booking_profile: memberProfile(
      square.records.team_members.find({ id: square.path.team_member_id ?? '', status: 'ACTIVE' }) ??
        square.gone('Team member booking profile not found.'),
    ),
  }),
}
