import { type Fields, fieldsOf, type Kept } from '../shared/values.ts'
import { type Context, checkVersion, missing, needed, nextOf, pageOf, timesOf } from './context.ts'

export const shown = ({ kind: _, of: _o, ...one }: Kept): Fields => one

/** The record of this kind that a path names last. */
function found(context: Context, kind: string): Kept {
  const id = String(Object.values(context.path).at(-1))
  return context.records.plain.find({ kind, id }) ?? missing(context, `There is no ${kind} with the ID ${id}.`)
}

/** Records that are kept as they are sent. */
function plain(kind: string, needs: readonly string[], usual: Fields = {}) {
  return {
    create: (context: Context) => {
      for (const name of needs) needed(context, kind, name)
      const made = { ...usual, ...fieldsOf(context.body[kind]), version: 1, ...timesOf(context) }
      const of = context.path.program_id ?? null
      return { [kind]: shown(context.records.plain.create({ id: context.id(), kind, of, ...made })) }
    },
    list: (context: Context) => {
      const { location_id, status } = context.query
      const asked = { kind, ...(location_id !== undefined && { location_id }), ...(status !== undefined && { status }) }
      return pageOf(context, `${kind}s`, context.records.plain.where(asked).map(shown))
    },
    get: (context: Context) => ({ [kind]: shown(found(context, kind)) }),
    update: (context: Context) => {
      const known = found(context, kind)
      checkVersion(context, kind, known)
      const next = { ...fieldsOf(context.body[kind]), ...nextOf(context, known) }
      return { [kind]: shown(context.records.plain.update(known.id, next)) }
    },
    remove: (context: Context) => {
      context.records.plain.remove(found(context, kind).id)
      return {}
    },
  }
}

const breaks = plain('break_type', ['location_id', 'break_name', 'expected_duration', 'is_paid'])
const jobs = plain('job', ['title'], { is_tip_eligible: true })
const active = { status: 'ACTIVE', loyalty_program_id: 'LOYALTYBACKLOT' }
const promotions = plain('loyalty_promotion', ['name', 'incentive', 'available_time'], active)

export const resources = {
  'POST /v2/labor/break-types': breaks.create,
  'GET /v2/labor/break-types': breaks.list,
  'GET /v2/labor/break-types/{id}': breaks.get,
  'PUT /v2/labor/break-types/{id}': breaks.update,
  'DELETE /v2/labor/break-types/{id}': breaks.remove,
  'POST /v2/team-members/jobs': jobs.create,
  'GET /v2/team-members/jobs': jobs.list,
  'GET /v2/team-members/jobs/{job_id}': jobs.get,
  'PUT /v2/team-members/jobs/{job_id}': jobs.update,
  'POST /v2/loyalty/programs/{program_id}/promotions': promotions.create,
  'GET /v2/loyalty/programs/{program_id}/promotions': promotions.list,
  'GET /v2/loyalty/programs/{program_id}/promotions/{promotion_id}': promotions.get,
  'POST /v2/loyalty/programs/{program_id}/promotions/{promotion_id}/cancel': (context: Context) => {
    const { id } = found(context, 'loyalty_promotion')
    const canceled_at = context.now.toISOString()
    return { loyalty_promotion: shown(context.records.plain.update(id, { status: 'CANCELED', canceled_at })) }
  },
}
