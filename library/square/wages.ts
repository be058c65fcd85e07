import { type Fields, fieldsOf, listOf } from '../shared/values.ts'
import { type Context, checkVersion, missing, nextOf, pageOf, timesOf } from './context.ts'
import { shown } from './resources.ts'

/** What a member of the team earns. */
function wages(context: Context): Fields {
  const { path, records } = context
  const id = String(path.team_member_id)
  const member = records.team_members.get(id) ?? missing(context, `Team member ${id} not found.`)
  const known = records.plain.find({ kind: 'wage_setting', of: id })
  const first: Fields = { job_assignments: [], is_overtime_exempt: false, version: 1, ...fieldsOf(member.wage_setting) }
  const { id: _, ...setting } = known === undefined ? first : shown(known)
  const job_assignments = listOf(setting.job_assignments).map(hourly)
  return { wage_setting: { team_member_id: id, ...setting, job_assignments } }
}

/** An hour of a yearly wage, at the hours of a week. */
const hourly = (one: Fields): Fields => {
  const { annual_rate, weekly_hours = 40 } = one
  const { amount, currency = 'USD' } = fieldsOf(annual_rate)
  if (one.pay_type !== 'SALARY' || typeof amount !== 'number') return one
  return { ...one, hourly_rate: { amount: Math.round(amount / 52 / Number(weekly_hours)), currency } }
}

/** The wage of each job of a member, or of all. */
function jobsOf({ records }: Context): Fields[] {
  return records.plain.where({ kind: 'wage_setting' }).flatMap(({ id, of: team_member_id = null, job_assignments }) =>
    listOf(job_assignments).map((one, at) => {
      const { job_title: title = null, hourly_rate = null, job_id = null } = hourly(one)
      return { id: `${id}${at}`, team_member_id, title, hourly_rate, job_id, tip_eligible: true }
    }),
  )
}

export const wageSettings = {
  'GET /v2/team-members/{team_member_id}/wage-setting': wages,
  'PUT /v2/team-members/{team_member_id}/wage-setting': (context: Context) => {
    const { plain } = context.records
    const of = String(context.path.team_member_id)
    wages(context)
    const known = plain.find({ kind: 'wage_setting', of })
    const set = { is_overtime_exempt: false, ...fieldsOf(context.body.wage_setting) }
    if (known === undefined)
      plain.create({ id: context.id(), kind: 'wage_setting', of, ...set, version: 1, ...timesOf(context) })
    else {
      checkVersion(context, 'wage_setting', known)
      plain.update(known.id, { ...set, ...nextOf(context, known) })
    }
    return wages(context)
  },
  'GET /v2/labor/team-member-wages': (context: Context) => {
    const { team_member_id } = context.query
    const all = jobsOf(context).filter((one) => team_member_id === undefined || one.team_member_id === team_member_id)
    return pageOf(context, 'team_member_wages', all)
  },
  'GET /v2/labor/team-member-wages/{id}': (context: Context) => ({
    team_member_wage:
      jobsOf(context).find(({ id }) => id === context.path.id) ?? missing(context, 'Team member wage not found.'),
  }),
}
