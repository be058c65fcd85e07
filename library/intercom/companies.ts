import {
  type Fields,
  type Form,
  fieldsOf,
  type IntercomRequest,
  idsOf,
  isMissing,
  type Kept,
  listOf,
  type Operations,
  textOf,
  withId,
  withoutId,
} from './intercom.ts'
import { toCompany, toContact, toEvent, toSegment, toTag } from './views.ts'

const FORM: Form = {
  ...{ name: 'text?', plan: 'text?', size: 'integer?', website: 'text?', industry: 'text?', monthly_spend: 'number' },
  ...{ remote_created_at: 'integer?', custom_attributes: 'object' },
}
const MOST_SCROLLED = 100

const companyOf = (intercom: IntercomRequest): Kept =>
  intercom.records.companies.find({ id: intercom.path.id ?? '', archived: false }) ??
  intercom.gone('Company Not Found', 'company_not_found')

/** Sets what the body has of a company, and sends it. */
function fill(intercom: IntercomRequest, company: Kept, topic: string): Fields {
  const { custom_attributes, ...fields } = intercom.sent(FORM)
  const custom = { ...fieldsOf(company.custom_attributes), ...fieldsOf(custom_attributes) }
  const filled = intercom.update('companies', company, { ...fields, custom_attributes: custom })
  const shown = toCompany(intercom, filled)
  intercom.happen(topic, shown)
  return shown
}

const companies: Operations = {
  'GET /companies': (intercom) => {
    const { company_id, name, tag_id, segment_id } = intercom.query
    const live = intercom.all('companies', { archived: false })
    const show = (company: Kept) => toCompany(intercom, company)
    if (company_id || name) {
      const one = live.find((company) => (company_id ? company.company_id === company_id : company.name === name))
      return show(one ?? intercom.gone('Company Not Found', 'company_not_found'))
    }
    const has = (list: string, id: string) => live.filter((company) => idsOf(company[list]).includes(id))
    return intercom.list(tag_id ? has('tag_ids', tag_id) : segment_id ? has('segment_ids', segment_id) : live, show)
  },
  'POST /companies': (intercom) => {
    const { company_id, name } = intercom.body
    if (isMissing(company_id) && isMissing(name)) intercom.refuse(400, 'bad_request', "bad 'company_id' parameter")
    if (isMissing(company_id)) intercom.missing('company not specified')
    const id = intercom.sent({ company_id: 'id' })
    const known = intercom.records.companies.find({ ...id, archived: false })
    const company = known ?? intercom.records.companies.create({ ...id, ...intercom.times })
    return fill(intercom, company, known === undefined ? 'company.created' : 'company.updated')
  },
  'PUT /companies/{id}': (intercom) => fill(intercom, companyOf(intercom), 'company.updated'),
  'GET /companies/{id}': (intercom) => toCompany(intercom, companyOf(intercom)),
  'DELETE /companies/{id}': (intercom) => {
    const company = companyOf(intercom)
    const { id, company_id } = company
    intercom.happen('company.deleted', { type: 'company', id, company_id: company_id ?? null })
    for (const contact of intercom.having('contacts', 'company_ids', id))
      intercom.records.contacts.update(contact, { company_ids: withoutId(contact.company_ids, id) })
    intercom.records.companies.update(company, { archived: true })
    return { id, object: 'company', deleted: true }
  },
  'POST /companies/list': (intercom) => {
    const newest = intercom.records.companies.where({ archived: false })
    const found = intercom.query.order === 'asc' ? newest.toReversed() : newest
    return intercom.list(found, (company) => toCompany(intercom, company))
  },
  'GET /companies/scroll': (intercom) => {
    const { scroll_param } = intercom.query
    const [, place] = /^scroll:(\d{1,9})$/.exec(Buffer.from(scroll_param ?? '', 'base64').toString()) ?? []
    if (scroll_param && !(Number(place) > 1)) intercom.gone('scroll parameter not found')
    const page = Number(place ?? 1)
    const live = intercom.all('companies', { archived: false })
    const shown = live.slice((page - 1) * MOST_SCROLLED, page * MOST_SCROLLED)
    const next = Buffer.from(`scroll:${page + 1}`).toString('base64')
    return {
      ...{ type: 'list', data: shown.map((company) => toCompany(intercom, company)), pages: null, total_count: null },
      scroll_param: shown.length > 0 ? next : null,
    }
  },
  'GET /companies/{id}/contacts': (intercom) => {
    const found = intercom.having('contacts', 'company_ids', companyOf(intercom).id)
    const live = found.filter(({ archived }) => archived === false)
    return intercom.list(live, (contact) => toContact(intercom, contact), 50)
  },
  'GET /companies/{id}/segments': (intercom) => {
    const { segments } = intercom.records
    const found = idsOf(companyOf(intercom).segment_ids).flatMap((id) => segments.get(id) ?? [])
    return { type: 'list', data: found.map(toSegment) }
  },
  'GET /companies/{id}/notes': (intercom) => {
    companyOf(intercom)
    return { type: 'list', data: [] }
  },
}

/** Creates, finds or renames a tag, and sets it on companies and contacts or takes it away. */
function setTag(intercom: IntercomRequest): Fields {
  const { records, body } = intercom
  const { name } = intercom.given({ name: 'text' })
  if (isMissing(name)) intercom.invalid('invalid tag parameters')
  const byId = isMissing(body.id)
    ? undefined
    : (records.tags.get(textOf(body.id)) ?? intercom.gone('tag not found', 'tag_not_found'))
  const tag = byId
    ? records.tags.update(byId, { name: name ?? '' })
    : (records.tags.find({ name: name ?? '' }) ?? records.tags.create({ name: name ?? '' }))
  const tagIds = (record: Kept, { untag }: Fields) => ({
    tag_ids: (untag === true ? withoutId : withId)(record.tag_ids, tag.id),
  })
  for (const one of listOf(body.companies)) {
    const company =
      records.companies.get(textOf(one.id)) ??
      records.companies.find({ company_id: textOf(one.company_id) || '-' }) ??
      intercom.gone('Company Not Found', 'company_not_found')
    records.companies.update(company, tagIds(company, one))
  }
  for (const one of listOf(body.users ?? body.contacts)) {
    const { id, user_id, email } = one
    const contact = intercom.contactBy({ id, external_id: user_id, email }) ?? intercom.gone('User Not Found')
    records.contacts.update(contact, tagIds(contact, one))
  }
  return toTag(tag)
}

const tags: Operations = {
  'GET /tags': (intercom) => ({ type: 'list', data: intercom.all('tags').map(toTag) }),
  'GET /tags/{id}': (intercom) => toTag(intercom.find('tags')),
  'DELETE /tags/{id}': (intercom) => {
    const tag = intercom.find('tags')
    for (const name of ['contacts', 'companies', 'conversations', 'tickets'] as const)
      for (const record of intercom.having(name, 'tag_ids', tag.id))
        intercom.records[name].update(record, { tag_ids: withoutId(record.tag_ids, tag.id) })
    intercom.records.tags.remove(tag)
    return intercom.of.respond({})
  },
  'POST /tags': setTag,
}

/** The contact that the body or the query names. */
function contactOfEvent(intercom: IntercomRequest): Kept {
  const { body, query } = intercom
  const filter = fieldsOf(query.filter)
  const id = body.id ?? query.intercom_user_id ?? filter.intercom_user_id
  const external_id = body.user_id ?? query.user_id ?? filter.user_id
  const email = body.email ?? query.email ?? filter.email
  return intercom.contactBy({ id, external_id, email }) ?? intercom.gone('User Not Found')
}

const personOf = ({ id, external_id, email }: Kept): Fields => ({
  ...{ email: email ?? null, intercom_user_id: id, user_id: external_id ?? null },
})

const kept = ({ id, external_id, email }: Kept): Fields => ({
  ...{ user_id: external_id ?? null, email: email ?? null, contact_id: id },
})

const events: Operations = {
  'POST /events': (intercom) => {
    const contact = contactOfEvent(intercom)
    intercom.need('event_name created_at')
    const sent = intercom.given({ event_name: 'text', created_at: 'integer', metadata: 'object' })
    const event = intercom.records.data_events.create({ ...sent, ...kept(contact) })
    intercom.happen('event.created', toEvent(event))
    return intercom.of.respond({})
  },
  'GET /events': (intercom) => {
    const contact = contactOfEvent(intercom)
    const seen = intercom.records.data_events.where({ contact_id: contact.id })
    if (String(intercom.query.summary) !== 'true') {
      const size = Math.min(Number(intercom.query.per_page) || 50, 100)
      return { type: 'event.list', events: seen.slice(0, size).map(toEvent), pages: {}, ...personOf(contact) }
    }
    const oldest = seen.toReversed()
    const names = [...new Set(oldest.map(({ event_name }) => event_name))]
    const events = names.map((name) => {
      const times = oldest.filter(({ event_name }) => event_name === name).map(({ created_at }) => created_at)
      return { name, first: times[0], last: times.at(-1), count: times.length, description: null }
    })
    return { type: 'event.summary', ...personOf(contact), events }
  },
  'POST /events/summaries': (intercom) => {
    const contact = contactOfEvent(intercom)
    const { event_name, last } = intercom.given(
      { event_name: 'text', last: 'integer' },
      fieldsOf(intercom.body.event_summaries),
    )
    if (isMissing(event_name)) intercom.missing('event_name is required')
    intercom.records.data_events.create({ event_name, created_at: last ?? intercom.unix, ...kept(contact) } as Fields)
    return intercom.of.respond({})
  },
}

export const directory: Operations = { ...companies, ...tags, ...events }
