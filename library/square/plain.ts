import { type Fields, fieldsOf, type Kept, listOf } from '../openai/context.ts'
import { type Context, checkVersion, missing, needed, pageOf, timesOf } from './context.ts'

const shown = ({ kind: _, of: _o, ...one }: Kept): Fields => one

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
      const all = context.records.plain.where({ kind }).map(shown)
      const isWanted = (one: Fields) =>
        (location_id === undefined || one.location_id === location_id) &&
        (status === undefined || one.status === status)
      return pageOf(context, `${kind}s`, all.filter(isWanted))
    },
    get: (context: Context) => ({ [kind]: shown(found(context, kind)) }),
    update: (context: Context) => {
      const known = found(context, kind)
      checkVersion(context, kind, known)
      const next = { version: Number(known.version) + 1, updated_at: context.now.toISOString() }
      return { [kind]: shown(context.records.plain.update(known.id, { ...fieldsOf(context.body[kind]), ...next })) }
    },
    remove: (context: Context) => {
      context.records.plain.remove(found(context, kind).id)
      return {}
    },
  }
}

const breaks = plain('break_type', ['location_id', 'break_name', 'expected_duration', 'is_paid'])
const jobs = plain('job', ['title'], { is_tip_eligible: true })
const promotions = plain('loyalty_promotion', ['name', 'incentive', 'available_time'], {
  status: 'ACTIVE',
  loyalty_program_id: 'LOYALTYBACKLOT',
})

/** What a member of the team earns. */
function wages(context: Context): Fields {
  const { path, records } = context
  const id = String(path.team_member_id)
  const member = records.team_members.get(id) ?? missing(context, `Team member ${id} not found.`)
  const known = records.plain.find({ kind: 'wage_setting', of: id })
  const first: Fields = { job_assignments: [], is_overtime_exempt: false, version: 1, ...fieldsOf(member.wage_setting) }
  const { id: _, ...setting } = known === undefined ? first : shown(known)
  return {
    wage_setting: { team_member_id: id, ...setting, job_assignments: listOf(setting.job_assignments).map(hourly) },
  }
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
  return records.plain.where({ kind: 'wage_setting' }).flatMap(({ id, of = null, job_assignments }) =>
    listOf(job_assignments)
      .map(hourly)
      .map(({ job_title: title = null, hourly_rate = null, job_id = null }, at) => ({
        id: `${id}${at}`,
        team_member_id: of,
        title,
        hourly_rate,
        job_id,
        tip_eligible: true,
      })),
  )
}

/** An object of the catalog as another operation answers it. */
const objectOf = (context: Context, id: unknown): Fields =>
  fieldsOf(fieldsOf(context.call('GET', `/v2/catalog/object/${String(id)}`).body).object)

function save(context: Context, object: Fields): Fields {
  const { status, body } = context.call('POST', '/v2/catalog/object', { idempotency_key: context.id(), object })
  const answer = fieldsOf(body)
  return status === 200 ? answer : (context.respond({ status, body: JSON.stringify(answer) }) as Fields)
}

/** The part of a form that has the request. */
const sentWith = ({ body }: Context): Fields =>
  typeof body.request === 'string' ? fieldsOf(JSON.parse(body.request)) : fieldsOf(body.request)

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
  'GET /v2/team-members/{team_member_id}/wage-setting': wages,
  'PUT /v2/team-members/{team_member_id}/wage-setting': (context: Context) => {
    const { body, now, path, records } = context
    wages(context)
    const given = fieldsOf(body.wage_setting)
    const known = records.plain.find({ kind: 'wage_setting', of: String(path.team_member_id) })
    if (known !== undefined) checkVersion(context, 'wage_setting', known)
    const set = { is_overtime_exempt: false, ...given }
    if (known === undefined)
      records.plain.create({
        id: context.id(),
        kind: 'wage_setting',
        of: path.team_member_id ?? null,
        ...set,
        version: 1,
        ...timesOf(context),
      })
    else records.plain.update(known.id, { ...set, version: Number(known.version) + 1, updated_at: now.toISOString() })
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
  'POST /v2/catalog/images': (context: Context) => {
    const { image, object_id, is_primary = false } = sentWith(context)
    const [file] = context.files
    const asked = fieldsOf(image)
    const url = `${context.origin}/v2/catalog/images/files/${context.id()}/${file?.name ?? 'image'}`
    const { catalog_object } = save(context, {
      id: '#image',
      ...asked,
      type: 'IMAGE',
      image_data: { ...fieldsOf(asked.image_data), url },
    })
    const made = fieldsOf(catalog_object)
    if (object_id != null) {
      const { item_data, ...owner } = objectOf(context, object_id)
      const ids = [fieldsOf(item_data).image_ids ?? []].flat()
      const image_ids = is_primary === true ? [made.id ?? null, ...ids] : [...ids, made.id ?? null]
      save(context, { ...owner, item_data: { ...fieldsOf(item_data), image_ids } })
    }
    return { image: made }
  },
  'PUT /v2/catalog/images/{image_id}': (context: Context) => {
    const { image_data, ...image } = objectOf(context, context.path.image_id)
    const [file] = context.files
    const url = `${context.origin}/v2/catalog/images/files/${context.id()}/${file?.name ?? 'image'}`
    const { catalog_object = null } = save(context, { ...image, image_data: { ...fieldsOf(image_data), url } })
    return { image: catalog_object }
  },
  'POST /v2/catalog/update-item-modifier-lists': (context: Context) => {
    const { item_ids, modifier_lists_to_enable, modifier_lists_to_disable } = context.body
    const [on, off] = [modifier_lists_to_enable, modifier_lists_to_disable].map((list) => [list ?? []].flat())
    for (const id of [item_ids ?? []].flat()) {
      const { item_data, ...item } = objectOf(context, id)
      const left = listOf(fieldsOf(item_data).modifier_list_info).filter(
        ({ modifier_list_id = null }) => !on?.includes(modifier_list_id) && !off?.includes(modifier_list_id),
      )
      const added = (on ?? []).map((modifier_list_id) => ({ modifier_list_id, enabled: true }))
      save(context, { ...item, item_data: { ...fieldsOf(item_data), modifier_list_info: [...left, ...added] } })
    }
    return { updated_at: context.now.toISOString() }
  },
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

const profile = ({ id }: Kept): Fields => ({ location_id: id, online_booking_enabled: true })
