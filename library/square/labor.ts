import { plainOperations } from './plain.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  isoOf,
  type Kept,
  listOf,
  type Operations,
  type SquareRequest,
  textOf,
} from './square.ts'

const TIMECARD = {
  ...{ location_id: '', team_member_id: '', start_at: '', end_at: '', wage: {}, breaks: [] },
  declared_cash_tip_money: {},
}

/** Refuses a timecard or a break that ends before it starts. */
function checkTimes(square: SquareRequest, timecard: Fields): void {
  for (const { start_at, end_at } of [timecard, ...listOf(timecard.breaks)])
    if (end_at && textOf(isoOf(end_at)) <= textOf(isoOf(start_at)))
      square.refuse('INVALID_VALUE', 'The end must be after the start.', 'timecard.end_at')
}

const timecardOf = (square: SquareRequest): Kept => square.find('timecards', 'Timecard with ID `{id}` not found.')

const breaks = plainOperations('break_type', ['location_id', 'break_name', 'expected_duration', 'is_paid'])

export const labor: Operations = {
  'POST /v2/labor/timecards': (square) => {
    const { records } = square
    const sent = square.sent(TIMECARD, 'timecard')
    const { team_member_id = null, location_id, start_at, end_at } = sent
    const location = records.locations.get(textOf(location_id))
    if (!start_at) square.unset('timecard.start_at')
    if (records.team_members.get(textOf(team_member_id)) === undefined)
      square.gone('Team member not found.', 'timecard.team_member_id')
    if (location === undefined) square.gone('Location not found.', 'timecard.location_id')
    if (!end_at && records.timecards.some({ team_member_id, status: 'OPEN' }))
      square.refuse('BAD_REQUEST', 'The team member has an open timecard.')
    checkTimes(square, sent)
    const timezone = location?.timezone ?? 'UTC'
    const made = { ...sent, status: end_at ? 'CLOSED' : 'OPEN', version: 1, timezone, ...square.times }
    return { timecard: filled(records.timecards.create(made)) }
  },
  'GET /v2/labor/timecards/{timecard_id}': (square) => ({ timecard: filled(timecardOf(square)) }),
  'PUT /v2/labor/timecards/{timecard_id}': (square) => {
    const timecard = timecardOf(square)
    const { version } = fieldsOf(square.body.timecard)
    square.checkVersion(version, timecard, 'timecard', 'timecard.version', 400)
    const sent = square.sent(TIMECARD, 'timecard')
    checkTimes(square, { ...timecard, ...sent })
    const { end_at = timecard.end_at } = sent
    const changed = square.change('timecards', timecard, { ...sent, status: end_at ? 'CLOSED' : 'OPEN' })
    return { timecard: filled(changed) }
  },
  'DELETE /v2/labor/timecards/{timecard_id}': (square) => {
    square.records.timecards.remove(timecardOf(square))
    return {}
  },
  'POST /v2/labor/timecards/search': (square) => {
    const { team_member_ids, location_ids, status } = fieldsOf(fieldsOf(square.body.query).filter)
    const found = square.oldest(
      'timecards',
      (one) =>
        isAmong(one.team_member_id, team_member_ids) &&
        isAmong(one.location_id, location_ids) &&
        isAmong(one.status, status),
    )
    return square.page('timecards', found, filled, { most: 200 })
  },
  'POST /v2/labor/break-types': breaks.create,
  'GET /v2/labor/break-types': breaks.list,
  'GET /v2/labor/break-types/{id}': breaks.get,
  'PUT /v2/labor/break-types/{id}': breaks.update,
  'DELETE /v2/labor/break-types/{id}': breaks.remove,
}
