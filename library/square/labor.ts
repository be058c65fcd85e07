import { plainOf, plainOperations, shown } from './plain.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  isoOf,
  isWithin,
  type Json,
  type Kept,
  listOf,
  type Operations,
  type SquareRequest,
  sortedBy,
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

const shifts = plainOperations('scheduled_shift', ['draft_shift_details'])
const WORKWEEK = { id: 'backlotworkweek', start_of_week: 'MON', start_of_day_local_time: '00:00', version: 1 }

const workweek = ({ records }: SquareRequest): Kept =>
  records.plain.find({ kind: 'workweek_config' }) ?? records.plain.create({ ...WORKWEEK, kind: 'workweek_config' })

/** Refuses a shift without its place, or one that ends before it starts. */
function checkShift(square: SquareRequest, draft: Fields): Fields {
  const { end_at, location_id, start_at } = draft
  const field = 'scheduled_shift.draft_shift_details'
  const missing = ['location_id', 'job_id', 'start_at', 'end_at'].find((name) => !draft[name])
  if (missing !== undefined) square.unset(`${field}.${missing}`)
  if (textOf(isoOf(end_at)) <= textOf(isoOf(start_at)))
    square.refuse('INVALID_VALUE', 'The end must be after the start.', `${field}.end_at`)
  const location = square.records.locations.get(textOf(location_id)) ?? square.gone('Location not found.', field)
  return { timezone: location.timezone ?? 'UTC', is_deleted: false, ...draft }
}

const publish = (square: SquareRequest, shift: Kept): Fields => {
  const published_shift_details = shift.draft_shift_details ?? null
  if (fieldsOf(published_shift_details).is_deleted === true) {
    square.records.plain.remove(shift)
    return { scheduled_shift: shown({ ...shift, published_shift_details }) }
  }
  return { scheduled_shift: shown(square.change('plain', shift, { published_shift_details })) }
}

const scheduled: Operations = {
  'POST /v2/labor/scheduled-shifts': (square) => {
    const { draft_shift_details } = fieldsOf(square.body.scheduled_shift)
    if (draft_shift_details == null) square.unset('scheduled_shift.draft_shift_details')
    const draft = checkShift(square, fieldsOf(draft_shift_details))
    return shifts.create(square, { draft_shift_details: draft })
  },
  'GET /v2/labor/scheduled-shifts/{id}': shifts.get,
  'PUT /v2/labor/scheduled-shifts/{id}': (square) => {
    const { draft_shift_details: before } = plainOf(square, 'scheduled_shift')
    const { draft_shift_details: sent } = fieldsOf(square.body.scheduled_shift)
    return shifts.update(square, {
      draft_shift_details: checkShift(square, { ...fieldsOf(before), ...fieldsOf(sent) }),
    })
  },
  'POST /v2/labor/scheduled-shifts/{id}/publish': (square) => {
    const shift = square.find('plain', 'Scheduled shift with ID `{id}` not found.', square.path.id)
    square.checkConflict(square.body.version, shift)
    return publish(square, shift)
  },
  'POST /v2/labor/scheduled-shifts/bulk-publish': (square) => ({
    responses: Object.fromEntries(
      Object.entries(fieldsOf(square.body.scheduled_shifts)).map(([id, asked]) => [
        id,
        square.ask('POST', '/v2/labor/scheduled-shifts', id, fieldsOf(asked), '/publish'),
      ]),
    ),
  }),
  'POST /v2/labor/scheduled-shifts/search': (square) => {
    const { filter, sort } = fieldsOf(square.body.query)
    const { location_ids, start, end, team_member_ids, assignment_status, scheduled_shift_statuses } = fieldsOf(filter)
    const found = square.oldest('plain', (one) => {
      const draft = fieldsOf(one.draft_shift_details)
      const isIn = (time: Json | undefined, range: Json | undefined): boolean =>
        isWithin(isoOf(time), fieldsOf(range).start_at, fieldsOf(range).end_at)
      return (
        one.kind === 'scheduled_shift' &&
        isAmong(draft.location_id, location_ids) &&
        (isAmong(draft.team_member_id, team_member_ids) || (!draft.team_member_id && assignment_status == null)) &&
        isAmong(draft.team_member_id ? 'ASSIGNED' : 'UNASSIGNED', assignment_status) &&
        isAmong(one.published_shift_details ? 'PUBLISHED' : 'DRAFT', scheduled_shift_statuses) &&
        isIn(draft.start_at, start) &&
        isIn(draft.end_at, end)
      )
    })
    const { field = 'START_AT', order } = fieldsOf(sort)
    const key = textOf(field).toLowerCase()
    const placeOf = (one: Kept) => (key in one ? one[key] : isoOf(fieldsOf(one.draft_shift_details)[key]))
    return square.page('scheduled_shifts', sortedBy(found, placeOf, order === 'DESC'), shown, { most: 50 })
  },
  'GET /v2/labor/workweek-configs': (square) => square.page('workweek_configs', [workweek(square)], shown),
  'PUT /v2/labor/workweek-configs/{id}': (square) => {
    workweek(square)
    return plainOperations('workweek_config', []).update(square)
  },
}

export const labor: Operations = {
  ...scheduled,
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
