import { isJsonObject, valueText } from '../../src/protocol/json.ts'
import { phone } from '../shared/phone.ts'
import { after } from '../shared/times.ts'
import {
  type Due,
  type Fields,
  type Form,
  fieldsOf,
  filled,
  type IntercomRequest,
  type Json,
  type Kept,
  numberOf,
  type Operations,
  textOf,
} from './intercom.ts'
import { toAdmin, toSegment } from './views.ts'

const EXPORT_S = 300

const toTeam = ({ id, name, admin_ids }: Kept): Fields => ({
  ...{ type: 'team', id, name: name ?? null },
  admin_ids: [admin_ids ?? []].flat().map(numberOf),
  admin_priority_level: { primary_admin_ids: [], secondary_admin_ids: [] },
})

function setAway(intercom: IntercomRequest): Fields {
  const { records, body, unix } = intercom
  const found = intercom.admin(intercom.path.id)
  for (const name of ['away_mode_enabled', 'away_mode_reassign'])
    if (typeof body[name] !== 'boolean') intercom.invalid(`${name} must be a boolean`)
  const form: Form = { away_mode_enabled: 'flag', away_mode_reassign: 'flag', away_status_reason_id: 'integer?' }
  const fields: Fields = { away_status_reason_id: null, ...intercom.sent(form) }
  const admin = records.admins.update(
    found,
    fields.away_mode_enabled ? fields : { ...fields, away_status_reason_id: null },
  )
  const log = records.activity_logs.create({
    performed_by: { type: 'admin', id: admin.id, email: admin.email ?? null, ip: '127.0.0.1' },
    metadata: {
      away_mode: fields.away_mode_enabled ?? null,
      reassign_conversations: fields.away_mode_reassign ?? null,
      source: 'api',
    },
    created_at: unix,
    activity_type: 'admin_away_mode_change',
    activity_description: `${textOf(admin.name)} changed their away mode setting`,
  })
  intercom.happen('admin.away_mode_updated', toAdmin(admin))
  intercom.happen('admin.activity_log_event.created', { ...log })
  return toAdmin(admin)
}

const toAttribute = (attribute: Kept): Fields => filled({ ...attribute, id: numberOf(attribute.id) })

const ATTRIBUTE: Form = { archived: 'flag', description: 'text', messenger_writable: 'flag', options: 'list?' }

/** Options are texts, or objects with a `value`. */
const optionsOf = (options: Json | undefined): Json[] =>
  [options ?? []].flat().map((option) => (isJsonObject(option) ? (option.value ?? option) : option))

const dataAttributes: Operations = {
  'GET /data_attributes': (intercom) => {
    const { model, include_archived } = intercom.query
    const isShown = (attribute: Kept): boolean =>
      (attribute.archived === false || String(include_archived) === 'true') &&
      (model === undefined || attribute.model === model)
    return { type: 'list', data: intercom.all('data_attributes', isShown).map(toAttribute) }
  },
  'POST /data_attributes': (intercom) => {
    const { records, body } = intercom
    intercom.need('name', () => 'Name is a required parameter.')
    const { model = '', name = '', data_type = '' } = body
    if (model !== 'contact' && model !== 'company')
      intercom.invalid('The Data Attribute model field must be either contact or company.')
    if (!['string', 'integer', 'float', 'boolean', 'date', 'datetime', 'options'].includes(textOf(data_type)))
      intercom.invalid("Data Type isn't an option")
    const { options, ...fields } = intercom.given({ ...ATTRIBUTE, name: 'text' })
    const data = model === 'contact' ? 'people' : 'company'
    if (records.data_attributes.some({ model, name }))
      intercom.invalid(
        `You already have '${textOf(name)}' in your ${data} data. To save this as new ${data} data, use a different name.`,
      )
    const attribute = records.data_attributes.create({
      ...{ ...fields, archived: false, model, full_name: `custom_attributes.${textOf(name)}`, label: name },
      data_type: data_type === 'options' ? 'string' : data_type,
      options: options === undefined ? null : optionsOf(options),
      ...intercom.times,
    })
    return toAttribute(attribute)
  },
  'PUT /data_attributes/{id}': (intercom) => {
    const { records, body, path } = intercom
    const attribute =
      records.data_attributes.get(path.id) ??
      intercom.gone("We couldn't find that data attribute to update", 'field_not_found')
    if (body.archived === true && attribute.custom === false)
      intercom.refuse(400, 'data_invalid', 'Standard attributes cannot be archived')
    const { options, ...fields } = intercom.sent(ATTRIBUTE)
    const changed = { ...fields, ...(options && { options: optionsOf(options) }) }
    return toAttribute(intercom.update('data_attributes', attribute, changed))
  },
}

const toInstance = ({ kind, ...instance }: Kept): Fields => ({ type: kind ?? null, ...instance })

const INSTANCES = '/custom_object_instances/{custom_object_type_identifier}'

/** The instance that the path or the query names. */
function findInstance(intercom: IntercomRequest): Kept {
  const { custom_object_type_identifier: kind = '', custom_object_instance_id: id } = intercom.path
  const test = id === undefined ? { kind, external_id: intercom.query.external_id ?? '' } : { kind, id }
  return intercom.records.custom_object_instances.find(test) ?? intercom.gone('Custom object instance not found')
}

function removeInstance(intercom: IntercomRequest): Fields {
  const { id, kind } = findInstance(intercom)
  intercom.records.custom_object_instances.remove(id)
  return { object: kind ?? null, id, deleted: true }
}

const customObjects: Operations = {
  [`GET ${INSTANCES}`]: (intercom) => toInstance(findInstance(intercom)),
  [`GET ${INSTANCES}/{custom_object_instance_id}`]: (intercom) => toInstance(findInstance(intercom)),
  [`DELETE ${INSTANCES}`]: removeInstance,
  [`DELETE ${INSTANCES}/{custom_object_instance_id}`]: removeInstance,
  [`POST ${INSTANCES}`]: (intercom) => {
    const { unix, path } = intercom
    const { custom_object_instances: instances } = intercom.records
    const kind = path.custom_object_type_identifier ?? ''
    intercom.need('external_id')
    const { external_id, external_created_at, external_updated_at, custom_attributes } = intercom.given({
      ...{ external_id: 'id', external_created_at: 'integer', external_updated_at: 'integer' },
      custom_attributes: 'object',
    })
    const made = { kind, external_id, external_created_at: external_created_at ?? unix, created_at: unix } as Fields
    const instance = instances.find({ kind, external_id }) ?? instances.create(made)
    return toInstance(
      intercom.update('custom_object_instances', instance, {
        external_updated_at: external_updated_at ?? unix,
        custom_attributes: { ...fieldsOf(instance.custom_attributes), ...fieldsOf(custom_attributes) },
      }),
    )
  },
}

const toAllowlist = ({ enabled, ip_allowlist }: Kept): Fields =>
  ({ type: 'ip_allowlist', enabled, ip_allowlist }) as Fields

const exportJob = (intercom: IntercomRequest): Kept => {
  const { job_identifier: id } = intercom.path
  return intercom.records.exports.get(id) ?? intercom.gone(`Export job not found for identifier: ${id}`)
}

export const finishExport = (due: Due): void => {
  due.update({ status: 'completed' })
}

export const account: Operations = {
  ...{ ...dataAttributes, ...customObjects },
  'GET /me': ({ me }) => ({
    ...toAdmin(me),
    email_verified: true,
    app: {
      ...{ type: 'app', id_code: 'backlot', name: 'Backlot', created_at: me.created_at ?? 0, secure: false },
      ...{ identity_verification: false, timezone: 'Etc/UTC', region: 'US' },
    },
  }),
  'GET /admins': (intercom) => ({ type: 'admin.list', admins: intercom.all('admins').map(toAdmin) }),
  'GET /admins/activity_logs': (intercom) => {
    const { created_at_after: from, created_at_before: to } = intercom.query
    if (!from) intercom.missing('created_at_after is required')
    const isBetween = ({ created_at }: Kept) =>
      Number(created_at) >= Number(from) && Number(created_at) <= Number(to || Number.POSITIVE_INFINITY)
    const { shown, pages } = intercom.numbered(intercom.records.activity_logs.where(isBetween), 20)
    return { type: 'activity_log.list', activity_logs: shown, pages }
  },
  'GET /admins/{id}': (intercom) => toAdmin(intercom.admin(intercom.path.id)),
  'PUT /admins/{id}/away': setAway,
  'GET /away_status_reasons': (intercom) => ({ type: 'list', data: intercom.all('away_status_reasons') }),
  'GET /teams': (intercom) => ({ type: 'team.list', teams: intercom.all('teams').map(toTeam) }),
  'GET /teams/{id}': (intercom) =>
    toTeam(intercom.records.teams.get(intercom.path.id) ?? intercom.gone('Team not found', 'team_not_found')),
  'GET /segments': (intercom) => {
    const isCounted = String(intercom.query.include_count) === 'true'
    const segments = intercom.all('segments').map((segment) => ({
      ...toSegment(segment),
      ...(isCounted && { count: intercom.having('contacts', 'segment_ids', segment.id).length }),
    }))
    return { type: 'segment.list', segments, pages: null }
  },
  'GET /segments/{id}': (intercom) => toSegment(intercom.find('segments')),
  'GET /subscription_types': (intercom) => ({ type: 'list', data: intercom.all('subscription_types') }),
  'POST /phone_call_redirects': (intercom) => {
    intercom.need('phone', () => 'phone number or email is missing')
    if (phone(intercom.body.phone ?? '').valid !== true) intercom.invalid('Phone number is invalid')
    return { type: 'phone_call_redirect', phone: valueText(intercom.body.phone ?? '') }
  },
  'GET /ip_allowlist': (intercom) => toAllowlist(intercom.find('ip_allowlists', '1')),
  'PUT /ip_allowlist': (intercom) => {
    const fields = intercom.sent({ enabled: 'flag', ip_allowlist: 'list' })
    return toAllowlist(intercom.records.ip_allowlists.update('1', fields))
  },
  'POST /export/content/data': (intercom) => {
    intercom.need('created_at_after created_at_before')
    const done_at = after(intercom.now, EXPORT_S)
    const { id, status } = intercom.records.exports.create({ status: 'pending', done_at })
    return { job_identifier: id, status, download_expires_at: '', download_url: '' }
  },
  'GET /export/content/data/{job_identifier}': (intercom) => {
    const { id, status } = exportJob(intercom)
    const download_url = `https://api.intercom.example/download/content/data/${id}`
    return { job_identifier: id, status, download_url }
  },
  'POST /export/cancel/{job_identifier}': (intercom) => {
    const job = exportJob(intercom)
    intercom.records.exports.update(job, { status: 'canceled' })
    return { job_identifier: job.id, status: 'canceled' }
  },
}
