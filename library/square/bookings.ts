import { type Fields, fieldsOf, type Kept, listOf } from '../shared/values.ts'
import { type Context, missing, pageOf } from './context.ts'

const profile = ({ id }: Kept): Fields => ({ location_id: id, online_booking_enabled: true })

export const bookings = {
  'POST /v2/bookings/bulk-retrieve': (context: Context) => ({
    bookings: Object.fromEntries(
      [context.body.booking_ids ?? []].flat().map((id) => [String(id), context.call('GET', `/v2/bookings/${id}`).body]),
    ),
  }),
  'GET /v2/bookings/location-booking-profiles': (context: Context) =>
    pageOf(context, 'location_booking_profiles', [...context.records.locations].map(profile)),
  'GET /v2/bookings/location-booking-profiles/{location_id}': (context: Context) => ({
    location_booking_profile: profile(
      context.records.locations.get(String(context.path.location_id)) ?? missing(context, 'Location not found.'),
    ),
  }),
  'GET /v2/bookings/team-member-booking-profiles/{team_member_id}': (context: Context) => {
    const { body } = context.call('GET', '/v2/bookings/team-member-booking-profiles')
    const all = listOf(fieldsOf(body).team_member_booking_profiles)
    return {
      team_member_booking_profile:
        all.find(({ team_member_id }) => team_member_id === context.path.team_member_id) ??
        missing(context, 'Team member booking profile not found.'),
    }
  },
}
