import { plainOperations, shown } from './plain.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  isAmong,
  type Json,
  type Kept,
  listOf,
  type Operations,
  type SquareRequest,
  textOf,
} from './square.ts'

const MEMBER = {
  ...{ reference_id: '', status: '', given_name: '', family_name: '', email_address: '', phone_number: '' },
  assigned_locations: {},
}

export const toMember = (member: Fields): Fields =>
  filled({
    ...member,
    assigned_locations: member.assigned_locations ?? { assignment_type: 'ALL_CURRENT_AND_FUTURE_LOCATIONS' },
  })

const memberOf = (square: SquareRequest): Kept => square.find('team_members', 'Team member with ID {id} not found.')

/** Whether a member works at one of some locations; no location stands for any. */
function isAssigned({ assigned_locations }: Fields, locations: readonly string[]): boolean {
  const { assignment_type, location_ids } = fieldsOf(assigned_locations)
  return (
    locations.length === 0 ||
    assignment_type !== 'EXPLICIT_LOCATIONS' ||
    idsOf(location_ids).some((id) => locations.includes(id))
  )
}

function create(square: SquareRequest): Fields {
  const { records, times } = square
  const { wage_setting, ...sent } = square.sent({ ...MEMBER, wage_setting: {} }, 'team_member')
  const { given_name, family_name, email_address, status } = sent
  if (!given_name) square.unset('team_member.given_name')
  if (!family_name) square.unset('team_member.family_name')
  if (email_address && records.team_members.some({ email_address }))
    square.refuse('INVALID_VALUE', 'A team member with this email address exists.', 'team_member.email_address')
  const made = records.team_members.create({ ...sent, status: status ?? 'ACTIVE', ...times })
  const wage = wage_setting && { wage_setting: setWages(square, made.id, fieldsOf(wage_setting)) }
  return { team_member: { ...toMember(made), ...wage } }
}

/** A member as single answers show it: with what it earns. */
function withWage(square: SquareRequest, member: Kept): Fields {
  const known = wageOf(square, member.id)
  const { id: _, ...setting } = known ? shown(known) : ({} as Fields)
  return { ...toMember(member), ...(known && { wage_setting: { team_member_id: member.id, ...setting } }) }
}

/** An hour of a yearly wage, at the hours of a week. */
const hourly = (one: Fields): Fields => {
  const { annual_rate, weekly_hours = 40 } = one
  const { amount, currency = 'USD' } = fieldsOf(annual_rate)
  if (one.pay_type !== 'SALARY' || typeof amount !== 'number') return one
  return { ...one, hourly_rate: { amount: Math.ceil(amount / 52 / Number(weekly_hours)), currency } }
}

/** The jobs of a member, with their titles and hourly wages. */
const assigned = ({ records }: SquareRequest, jobs: Json | undefined): Fields[] =>
  listOf(jobs).map((one) => {
    const job = records.plain.find({ kind: 'job', id: textOf(one.job_id) })
    return hourly({ ...(job && { job_title: job.title ?? null }), ...one })
  })

const wageOf = ({ records }: SquareRequest, of: string): Kept | undefined =>
  records.plain.find({ kind: 'wage_setting', of })

/** What a member of the team earns. */
function wages(square: SquareRequest): Fields {
  const { id } = memberOf(square)
  const known = wageOf(square, id)
  const { id: _, ...setting } =
    known === undefined ? { job_assignments: [], is_overtime_exempt: false, version: 1 } : shown(known)
  return { wage_setting: { team_member_id: id, ...setting } }
}

/** Sets what a member earns, in place of all that it earned. */
function setWages(square: SquareRequest, of: string, { version: _, ...given }: Fields): Fields {
  const { plain } = square.records
  const known = wageOf(square, of)
  const set = { is_overtime_exempt: false, ...given, job_assignments: assigned(square, given.job_assignments) }
  const facts = { id: square.letters(24), kind: 'wage_setting', of, version: 1, ...set, ...square.times }
  const { id: _id, ...setting } = shown(known ? square.change('plain', known, set) : plain.create(facts))
  const wage_setting = { team_member_id: of, ...setting }
  square.announce('team_member.wage_setting.updated', { type: 'wage_setting', id: of, object: { wage_setting } })
  return wage_setting
}

/** The wage of each job of a member, or of all. */
function jobsOf({ records }: SquareRequest): Fields[] {
  return records.plain.where({ kind: 'wage_setting' }).flatMap(({ id, of: team_member_id = null, job_assignments }) =>
    listOf(job_assignments).map((one, at) => {
      const { job_title: title = null, hourly_rate = null, job_id = null } = one
      return { id: `${id}${at}`, team_member_id, title, hourly_rate, job_id, tip_eligible: true }
    }),
  )
}

const jobs = plainOperations('job', ['title'], { is_tip_eligible: true })

export const team: Operations = {
  'POST /v2/team-members': create,
  'POST /v2/team-members/bulk-create': ({ of, body }) => ({
    team_members: Object.fromEntries(
      Object.entries(fieldsOf(body.team_members)).map(([name, asked]) => [
        name,
        of.call('POST', '/v2/team-members', fieldsOf(asked)).body,
      ]),
    ),
  }),
  'POST /v2/team-members/search': (square) => {
    const { status, is_owner, location_ids } = fieldsOf(fieldsOf(square.body.query).filter)
    const found = square.oldest(
      'team_members',
      (member) =>
        isAmong(member.status, status) && isAmong(member.is_owner, is_owner) && isAssigned(member, idsOf(location_ids)),
    )
    return square.page('team_members', found, toMember, { usual: 100, most: 200 })
  },
  'GET /v2/team-members/{team_member_id}': (square) => ({ team_member: withWage(square, memberOf(square)) }),
  'PUT /v2/team-members/{team_member_id}': (square) => {
    const { wage_setting, ...sent } = square.sent({ ...MEMBER, wage_setting: {} }, 'team_member')
    const member = square.records.team_members.update(memberOf(square), { ...sent, updated_at: square.time })
    if (wage_setting) setWages(square, member.id, fieldsOf(wage_setting))
    return { team_member: withWage(square, member) }
  },
  'POST /v2/team-members/bulk-update': (square) => ({
    team_members: Object.fromEntries(
      Object.entries(fieldsOf(square.body.team_members)).map(([id, asked]) => [
        id,
        square.ask('PUT', '/v2/team-members', id, fieldsOf(asked)),
      ]),
    ),
  }),
  'POST /v2/team-members/jobs': jobs.create,
  'GET /v2/team-members/jobs': jobs.list,
  'GET /v2/team-members/jobs/{job_id}': jobs.get,
  'PUT /v2/team-members/jobs/{job_id}': jobs.update,
  'GET /v2/team-members/{team_member_id}/wage-setting': wages,
  'PUT /v2/team-members/{team_member_id}/wage-setting': (square) => {
    const { id } = memberOf(square)
    const known = wageOf(square, id)
    const given = fieldsOf(square.body.wage_setting)
    if (known !== undefined) square.checkConflict(given.version, known, 'wage_setting.version')
    return { wage_setting: setWages(square, id, given) }
  },
  'GET /v2/labor/team-member-wages': (square) => {
    const { team_member_id } = square.query
    return square.page(
      'team_member_wages',
      jobsOf(square).filter((one) => isAmong(one.team_member_id, team_member_id)),
      (wage) => wage,
    )
  },
  'GET /v2/labor/team-member-wages/{id}': (square) => ({
    team_member_wage:
      jobsOf(square).find(({ id }) => id === square.path.id) ?? square.gone('Team member wage not found.'),
  }),
}
