import { valueText } from '../../src/protocol/json.ts'
import { contactsOf, matching } from './queries.ts'
import {
  type Fields,
  fieldsOf,
  type Kept,
  listOf,
  type Operations,
  only,
  operationsOf,
  type SendGrid,
  type SendGridRequest,
  textsOf,
  without,
} from './sendgrid.ts'

const SELF = 'https://api.sendgrid.example/v3/marketing'
const MOST_SHOWN = 50
const EXPORT_S = 30
const EXPORT_KEPT_MS = 3 * 86_400_000

const CONTACT =
  'first_name last_name phone_number city country postal_code address_line_1 address_line_2 state_province_region external_id unique_name alternate_emails'
const IDENTIFIERS = 'email phone_number_id external_id'

const RESERVED = Object.entries({
  ...{ email: 2, first_name: 0, last_name: 1, phone_number: 10, city: 6, country: 9, postal_code: 8 },
  ...{ address_line_1: 4, address_line_2: 5, state_province_region: 7, external_id: 20, unique_name: 14 },
}).map(([name, number]) => ({ id: `_rf${number}_T`, name, field_type: 'Text' }))

/** Adds or changes contacts, and answers the job that has done it. */
function upsert(sendgrid: SendGridRequest): Fields {
  const { records, body, time } = sendgrid
  const { contacts, field_definitions } = records
  const given = listOf(body.contacts)
  const definitionOf = (name: string) => field_definitions.get(name) ?? field_definitions.find({ name })
  if (body.contacts === undefined) sendgrid.refuse('contacts field is required', 'contacts')
  const unknown = given.flatMap((one) => Object.keys(fieldsOf(one.custom_fields))).find((name) => !definitionOf(name))
  if (unknown !== undefined) sendgrid.refuse(`invalid custom field ${unknown}`, 'contacts.custom_fields')
  if (given.some((one) => IDENTIFIERS.split(' ').every((name) => !one[name])))
    sendgrid.refuse('at least one identifier is required', 'contacts')
  const before = contacts.count()
  const known = new Map([...contacts].map((contact) => [contact.email, contact]))
  for (const one of given) {
    const email = valueText(one.email ?? '').toLowerCase()
    const contact = known.get(email) ?? contacts.create({ email, created_at: time })
    const custom = Object.entries(fieldsOf(one.custom_fields)).map(([name, value]) => [definitionOf(name)?.name, value])
    const named = CONTACT.split(' ').filter((name) => one[name] !== undefined && one[name] !== null)
    const changed = contacts.update(contact, {
      ...only(one, named.join(' ')),
      custom_fields: { ...fieldsOf(contact.custom_fields), ...Object.fromEntries(custom) },
      list_ids: [...new Set([...textsOf(contact.list_ids), ...textsOf(body.list_ids)])],
      updated_at: time,
    })
    known.set(email, changed)
  }
  const created = contacts.count() - before
  const results = { requested_count: given.length, created_count: created, updated_count: given.length - created }
  const job = records.imports.create({
    ...{ id: sendgrid.uuid(), job_type: 'upsert_contacts', status: 'completed', started_at: time, finished_at: time },
    results: { ...results, deleted_count: 0, errored_count: 0 },
  })
  return { job_id: job.id }
}

const toList = (sendgrid: SendGrid, list: Kept): Fields => ({
  ...list,
  contact_count: sendgrid.having('contacts', 'list_ids', list.id).length,
  _metadata: { self: `${SELF}/lists/${list.id}` },
})

const toExport = ({ now }: SendGrid, made: Kept): Fields => {
  const { id, ready, created_at } = made
  const isReady = String(ready) <= now.toISOString()
  const expires = new Date(Date.parse(String(created_at)) + EXPORT_KEPT_MS).toISOString()
  return {
    ...without(made, 'ready'),
    ...{ export_type: 'contacts_export', status: isReady ? 'ready' : 'pending' },
    urls: [`https://exports.sendgrid.example/${id}.csv`],
    ...(isReady && { completed_at: ready ?? null }),
    expires_at: `${expires.slice(0, 19)}Z`,
  }
}

const counts = (found: readonly unknown[]): Fields => ({ contact_count: found.length, billable_count: found.length })

const toSegment = (sendgrid: SendGrid, segment: Kept): Fields => ({
  ...segment,
  contacts_count: contactsOf(sendgrid, segment).length,
  status: { query_validation: 'VALID', error_message: '' },
  sample_updated_at: segment.updated_at ?? null,
  next_sample_update: '',
})

const segments = operationsOf({
  ...{ collection: 'segments', path: '/v3/marketing/segments/2.0', param: 'segment_id', needed: 'name' },
  form: { name: '', query_dsl: '', parent_list_ids: [] },
  show: (segment, sendgrid) => toSegment(sendgrid, segment),
  list: (shown) => ({ segments: shown, _metadata: { self: `${SELF}/segments/2.0` } }),
})

const FIELD = { name: '', field_type: '' }

export const contacts: Operations = {
  'PUT /v3/marketing/contacts': upsert,
  'GET /v3/marketing/contacts': ({ records }) => ({
    ...{ result: [...records.contacts], contact_count: records.contacts.count(), _metadata: {} },
  }),
  'DELETE /v3/marketing/contacts': (sendgrid) => {
    const { ids, delete_all_contacts } = sendgrid.query
    const all = () => [...sendgrid.records.contacts].map(({ id }) => id)
    sendgrid.removeAll('contacts', String(delete_all_contacts) === 'true' ? all() : textsOf(ids))
    return { job_id: sendgrid.uuid() }
  },
  'GET /v3/marketing/contacts/count': ({ records }) => counts([...records.contacts]),
  'POST /v3/marketing/contacts/batch': ({ records, body }) => ({
    result: textsOf(body.ids).flatMap((id) => records.contacts.get(id) ?? []),
  }),
  'GET /v3/marketing/contacts/{id}': (sendgrid) => sendgrid.find('contacts'),
  'POST /v3/marketing/contacts/search': (sendgrid) => {
    sendgrid.need('query')
    const all = sendgrid.records.contacts.where({}).toReversed()
    const found = matching(sendgrid, all, sendgrid.body.query) ?? sendgrid.refuse('the query cannot be read', 'query')
    return { result: found, contact_count: found.length, _metadata: {} }
  },
  'POST /v3/marketing/contacts/search/emails': (sendgrid) => {
    sendgrid.need('emails')
    const { contacts } = sendgrid.records
    const found = textsOf(sendgrid.body.emails).map((email) => email.toLowerCase())
    const result = found.map((email) => [email, contacts.find({ email })] as const)
    if (result.every(([, contact]) => contact === undefined)) sendgrid.refuse('not found', undefined, 404)
    const shown = result.map(([email, contact]) => [email, contact ? { contact } : { error: 'contact not found' }])
    return { result: Object.fromEntries(shown) }
  },
  'POST /v3/marketing/lists': (sendgrid) => {
    sendgrid.need('name')
    const { lists } = sendgrid.records
    const fields = sendgrid.sent({ name: '' })
    if (lists.some({ name: fields.name })) sendgrid.refuse('there is already a list with this name', 'name')
    return toList(sendgrid, lists.create(fields))
  },
  'GET /v3/marketing/lists': (sendgrid) => {
    const show = (list: Kept) => toList(sendgrid, list)
    const lists = sendgrid.records.lists.where({}).toReversed()
    return sendgrid.paged('marketing/lists', lists, { show, usual: 100, most: 1_000 })
  },
  'GET /v3/marketing/lists/{id}': (sendgrid) => {
    const list = sendgrid.find('lists')
    const sample = sendgrid.having('contacts', 'list_ids', list.id).slice(0, MOST_SHOWN)
    const isSampled = String(sendgrid.query.contact_sample) === 'true'
    return { ...toList(sendgrid, list), ...(isSampled && { contact_sample: sample }) }
  },
  'PATCH /v3/marketing/lists/{id}': (sendgrid) =>
    toList(sendgrid, sendgrid.change('lists', sendgrid.sent({ name: '' }))),
  'DELETE /v3/marketing/lists/{id}': (sendgrid) => {
    const { id } = sendgrid.find('lists')
    const deleted = sendgrid.remove('lists')
    if (String(sendgrid.query.delete_contacts) !== 'true') return deleted
    for (const contact of sendgrid.having('contacts', 'list_ids', id)) sendgrid.records.contacts.remove(contact)
    return sendgrid.of.respond({ status: 200, body: { job_id: sendgrid.uuid() } })
  },
  'GET /v3/marketing/lists/{id}/contacts/count': (sendgrid) =>
    counts(sendgrid.having('contacts', 'list_ids', sendgrid.find('lists').id)),
  'DELETE /v3/marketing/lists/{id}/contacts': (sendgrid) => {
    const { id } = sendgrid.find('lists')
    for (const who of textsOf(sendgrid.query.contact_ids)) {
      const contact = sendgrid.records.contacts.get(who)
      const list_ids = textsOf(contact?.list_ids).filter((one) => one !== id)
      if (contact !== undefined) sendgrid.records.contacts.update(contact, { list_ids })
    }
    return { job_id: sendgrid.uuid() }
  },
  'POST /v3/marketing/field_definitions': (sendgrid) => {
    const { field_definitions } = sendgrid.records
    const { name, field_type } = sendgrid.sent(FIELD)
    if (field_definitions.some({ name })) sendgrid.refuse('there is already a field with this name', 'name')
    if (field_type && !['Text', 'Number', 'Date'].includes(String(field_type)))
      sendgrid.refuse('field_type must be Text or Number or Date', 'field_type')
    sendgrid.need('name field_type')
    const id = `e${field_definitions.count() + 1}_${String(field_type)[0]}`
    return field_definitions.create({ id, name, field_type })
  },
  'GET /v3/marketing/field_definitions': ({ records }) => ({
    ...{ custom_fields: records.field_definitions.where({}).toReversed(), reserved_fields: RESERVED },
  }),
  'PATCH /v3/marketing/field_definitions/{id}': (sendgrid) =>
    sendgrid.change('field_definitions', sendgrid.sent(FIELD)),
  'DELETE /v3/marketing/field_definitions/{id}': (sendgrid) => sendgrid.remove('field_definitions'),
  ...segments,
  'GET /v3/marketing/segments/2.0/{segment_id}': (sendgrid) => {
    const segment = sendgrid.find('segments')
    const contacts_sample = contactsOf(sendgrid, segment).slice(0, MOST_SHOWN)
    return { ...toSegment(sendgrid, segment), contacts_sample }
  },
  'POST /v3/marketing/contacts/exports': (sendgrid) => {
    const { records, time } = sendgrid
    const ready = sendgrid.later(EXPORT_S)
    const { id } = records.exports.create({ ready, created_at: time, contact_count: records.contacts.count() })
    return { id, _metadata: { self: `${SELF}/contacts/exports/${id}` } }
  },
  'GET /v3/marketing/contacts/exports': (sendgrid) => ({
    ...{ result: [...sendgrid.records.exports].map((made) => toExport(sendgrid, made)), _metadata: {} },
  }),
  'GET /v3/marketing/contacts/exports/{id}': (sendgrid) => toExport(sendgrid, sendgrid.find('exports')),
  'PUT /v3/marketing/contacts/imports': (sendgrid) => {
    sendgrid.need('file_type')
    const fields = { id: sendgrid.uuid(), job_type: 'upsert', status: 'pending', results: {} }
    const { id } = sendgrid.records.imports.create({ ...fields, started_at: sendgrid.time })
    return {
      ...{ job_id: id, upload_uri: `https://uploads.sendgrid.example/${id}` },
      upload_headers: [{ header: 'x-amz-server-side-encryption', value: 'aws:kms' }],
    }
  },
  'GET /v3/marketing/contacts/imports/{import_id}': (sendgrid) => sendgrid.find('imports'),
}
