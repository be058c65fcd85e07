import {
  type Fields,
  type Form,
  fieldsOf,
  type Intercom,
  type IntercomRequest,
  idsOf,
  isMissing,
  type Json,
  type Kept,
  type Operations,
  textOf,
  withId,
  withoutId,
} from './intercom.ts'
import { toCompany, toContact, toNote, toSegment, toTag } from './views.ts'

/** The segment "New". */
const NEW_SEGMENT = '6510000000000000000000a1'

const SEARCHED = `
  id role name avatar owner_id email email_domain phone formatted_phone external_id created_at updated_at signed_up_at
  last_seen_at last_contacted_at last_replied_at last_email_opened_at last_email_clicked_at language_override browser
  browser_version browser_language os location unsubscribed_from_emails marked_email_as_spam has_hard_bounced
  custom_attributes utm_campaign utm_content utm_medium utm_source utm_term referrer android_app_name
  android_app_version android_device android_os_version android_sdk_version android_last_seen_at ios_app_name
  ios_app_version ios_device ios_os_version ios_sdk_version ios_last_seen_at segment_ids tag_ids company_ids
  workspace_id archived sms_consent unsubscribed_from_sms`
  .trim()
  .replace(/\s+/g, ' ')

const PLACES = {
  ...{ tag_id: 'tag_ids', segment_id: 'segment_ids', company_id: 'company_ids' },
  ...{ tags: 'tag_ids', segments: 'segment_ids', companies: 'company_ids' },
}

const FORM: Form = {
  ...{ external_id: 'id?', email: 'text?', phone: 'text?', name: 'text?', avatar: 'text?', owner_id: 'integer?' },
  ...{ signed_up_at: 'integer?', last_seen_at: 'integer?', unsubscribed_from_emails: 'flag' },
  custom_attributes: 'object',
}

export const contactOf = (intercom: IntercomRequest, id: Json | undefined = intercom.path.contact_id): Kept =>
  intercom.records.contacts.get(textOf(id)) ?? intercom.gone('User Not Found')

/** A user and a lead have topics of their own. */
const tellOf = (intercom: Intercom, contact: Kept, topic: string): void => {
  intercom.happen(`contact.${contact.role === 'user' ? 'user' : 'lead'}.${topic}`, toContact(intercom, contact))
}

/** Refuses a custom attribute that nobody has made. */
function checkAttributes(intercom: IntercomRequest): void {
  const known = new Set(intercom.all('data_attributes', { model: 'contact' }).map(({ name }) => name))
  const unknown = Object.keys(fieldsOf(intercom.body.custom_attributes)).find((name) => !known.has(name))
  if (unknown !== undefined) intercom.invalid(`Custom attribute '${unknown}' does not exist`)
}

const domainOf = (email: Json | undefined): string | null => textOf(email).split('@')[1] ?? null

/** The fields of a body, with the address in lower case. */
const addressed = ({ email, ...fields }: Fields): Fields => {
  const address = textOf(email).toLowerCase() || null
  return email === undefined ? fields : { ...fields, email: address, email_domain: domainOf(address) }
}

const refuseRival = (intercom: IntercomRequest, { id, archived }: Kept): never =>
  intercom.refuse(
    409,
    'conflict',
    `${archived ? 'An archived' : 'A'} contact matching those details already exists with id=${id}`,
  )

/** Refuses an external id, or the address of a user, that another contact has. */
function checkRivals(intercom: IntercomRequest, { external_id, email, role }: Fields, own?: string): void {
  const isOther = (contact: Kept) => contact.id !== own
  const byId = (contact: Kept) => contact.external_id === external_id && contact.visitor === false && isOther(contact)
  const byMail = (contact: Kept) => contact.email === email && contact.role === 'user' && isOther(contact)
  const { contacts } = intercom.records
  const rival =
    (isMissing(external_id) ? undefined : contacts.find(byId)) ??
    (isMissing(email) || role !== 'user' ? undefined : contacts.find(byMail))
  if (rival !== undefined) refuseRival(intercom, rival)
}

/** Creates a contact, and sends that. */
export function addContact(intercom: Intercom, fields: Fields): Kept {
  const made = { ...addressed(fields), segment_ids: [NEW_SEGMENT], ...intercom.times }
  const contact = intercom.records.contacts.create(made)
  tellOf(intercom, contact, 'created')
  return contact
}

function createContact(intercom: IntercomRequest): Fields {
  const { body } = intercom
  checkAttributes(intercom)
  if (['email', 'external_id', 'role'].every((name) => isMissing(body[name])))
    intercom.missing('At least one of email, external_id or role must be present')
  const role = intercom.choose('role', ['user', 'lead'], { where: { role: body.role ?? 'user' } })
  const fields = addressed(intercom.given(FORM))
  if (!isMissing(fields.email) && !textOf(fields.email).includes('@')) intercom.invalid('Email is invalid')
  checkRivals(intercom, { ...fields, role })
  const made = { ...(role === 'lead' && { external_id: intercom.hex(24) }), ...fields, role }
  return toContact(intercom, addContact(intercom, made))
}

function changeContact(intercom: IntercomRequest): Fields {
  const before = contactOf(intercom)
  checkAttributes(intercom)
  intercom.choose('role', ['user', 'lead', null])
  const { custom_attributes, ...sent } = intercom.sent({ ...FORM, language_override: 'text?', role: 'text' })
  const fields = addressed(sent)
  checkRivals(intercom, { ...fields, role: before.role ?? null }, before.id)
  const contact = intercom.update('contacts', before, {
    ...fields,
    custom_attributes: { ...fieldsOf(before.custom_attributes), ...fieldsOf(custom_attributes) },
  })
  const shown = toContact(intercom, contact)
  tellOf(intercom, contact, 'updated')
  if (sent.email !== undefined && contact.email !== before.email) intercom.happen('contact.email.updated', shown)
  if (before.role === 'lead' && contact.role === 'user') intercom.happen('contact.lead.signed_up', shown)
  if (before.unsubscribed_from_emails === false && contact.unsubscribed_from_emails === true)
    intercom.happen('contact.unsubscribed', shown)
  return shown
}

const referTo = ({ id, external_id }: Kept): Fields => ({ type: 'contact', id, external_id: external_id ?? null })

const archive =
  (archived: boolean) =>
  (intercom: IntercomRequest): Fields => {
    const contact = intercom.update('contacts', contactOf(intercom), { archived })
    intercom.happen(archived ? 'contact.archived' : 'contact.unarchived', toContact(intercom, contact))
    return { ...referTo(contact), archived }
  }

/** Merges a contact into another one, with its notes, conversations and tickets. */
export function absorb(intercom: Intercom, from: Kept, into: Kept): Kept {
  const { records } = intercom
  const joined = (name: string) => [...new Set([...idsOf(into[name]), ...idsOf(from[name])])]
  const kept = ['email', 'email_domain', 'phone', 'name'].map((name) => [name, into[name] ?? from[name] ?? null])
  const lists = ['tag_ids', 'company_ids', 'segment_ids'].map((name) => [name, joined(name)])
  const contact = intercom.update('contacts', into, {
    ...Object.fromEntries([...kept, ...lists]),
    custom_attributes: { ...fieldsOf(from.custom_attributes), ...fieldsOf(into.custom_attributes) },
  })
  for (const note of intercom.all('notes', { contact_id: from.id })) records.notes.update(note, { contact_id: into.id })
  for (const name of ['conversations', 'tickets'] as const)
    for (const record of intercom.having(name, 'contact_ids', from.id))
      records[name].update(record, { contact_ids: withId(withoutId(record.contact_ids, from.id), into.id) })
  records.contacts.remove(from)
  return contact
}

const tagOf = (intercom: IntercomRequest, id: Json | undefined): Kept => intercom.find('tags', id ?? '')

const tellTag = (intercom: IntercomRequest, contact: Kept, tag: Kept, topic: string): void =>
  intercom.happen(`contact.${contact.role === 'user' ? 'user' : 'lead'}.tag.${topic}`, {
    ...{ type: 'contact_tag', created_at: intercom.unix, tag: toTag(tag), contact: toContact(intercom, contact) },
  })

/** When and by whom a record got a tag. */
const appliedOf = ({ tagged }: Kept, id: string): Fields =>
  fieldsOf([tagged ?? []].flat().find((one) => fieldsOf(one).id === id))

/** Tags of a contact, a conversation or a ticket, with who has set them. */
export const tagsOf = ({ records }: Intercom, record: Kept): Fields[] =>
  idsOf(record.tag_ids).map((id) => {
    const tag = records.tags.get(id)
    return { ...(tag && toTag(tag)), ...appliedOf(record, id) }
  })

/** What a record with one more tag has. */
export function taggedWith({ unix }: Intercom, record: Kept, { tag, by }: { tag: Kept; by: Kept }) {
  const applied: Fields = { applied_at: unix, applied_by: { type: 'admin', id: by.id } }
  const others = [record.tagged ?? []].flat().filter((one) => fieldsOf(one).id !== tag.id)
  const fields: Fields = { tag_ids: withId(record.tag_ids, tag.id), tagged: [...others, { id: tag.id, ...applied }] }
  return { fields, answer: { ...toTag(tag), ...applied } }
}

const companyOf = (intercom: IntercomRequest, id: Json | undefined): Kept =>
  intercom.records.companies.get(textOf(id)) ?? intercom.gone('Company Not Found', 'company_not_found')

/** Sends that a contact has joined or left a company. */
function tellCompany(intercom: IntercomRequest, contact: Kept, company: Kept, topic: string): Fields {
  const shown = toCompany(intercom, company)
  intercom.happen(`company.contact.${topic}`, {
    ...{ type: 'company', contact: toContact(intercom, contact), company: shown },
  })
  return shown
}

/** Sets what a contact agrees to: in, out or neither. */
function consent(
  intercom: IntercomRequest,
  id: Json | undefined,
  type?: string,
): { contact: Kept; subscription: Kept } {
  const before = contactOf(intercom)
  const subscription = intercom.find('subscription_types', id ?? '')
  const listOf = (name: string, isIn: boolean) => (isIn ? withId : withoutId)(before[name], subscription.id)
  const contact = intercom.records.contacts.update(before, {
    opted_in: listOf('opted_in', type === 'opt_in'),
    opted_out: listOf('opted_out', type === 'opt_out'),
  })
  return { contact, subscription }
}

export const contacts: Operations = {
  'GET /contacts': (intercom) => {
    const found = intercom.records.contacts.where({ archived: false, visitor: false })
    const { shown, rest } = intercom.cut(found, 50)
    return { type: 'list', data: shown.map((contact) => toContact(intercom, contact)), ...rest }
  },
  'POST /contacts': createContact,
  'POST /contacts/search': (intercom) => {
    const found = intercom.records.contacts.where({ archived: false, visitor: false })
    const { shown, rest } = intercom.search(found, { fields: SEARCHED, places: PLACES, usual: 50 })
    return { type: 'list', data: shown.map((contact) => toContact(intercom, contact)), ...rest }
  },
  'GET /contacts/find_by_external_id/{external_id}': (intercom) => {
    const { external_id = '' } = intercom.path
    const contact = intercom.records.contacts.find({ external_id, visitor: false })
    return toContact(intercom, contact ?? intercom.gone('User Not Found'))
  },
  'GET /contacts/{contact_id}': (intercom) => toContact(intercom, contactOf(intercom)),
  'PUT /contacts/{contact_id}': changeContact,
  'DELETE /contacts/{contact_id}': (intercom) => {
    const contact = contactOf(intercom)
    const answer = referTo(contact)
    intercom.happen('contact.deleted', answer)
    for (const note of intercom.all('notes', { contact_id: contact.id })) intercom.records.notes.remove(note)
    intercom.records.contacts.remove(contact)
    return { ...answer, deleted: true }
  },
  'POST /contacts/{contact_id}/archive': archive(true),
  'POST /contacts/{contact_id}/unarchive': archive(false),
  'POST /contacts/{contact_id}/block': (intercom) => {
    const contact = intercom.update('contacts', contactOf(intercom), { archived: true, blocked: true })
    return { ...referTo(contact), blocked: true }
  },
  'POST /contacts/merge': (intercom) => {
    const [from, into] = [intercom.body.from, intercom.body.into].map((id) => contactOf(intercom, id ?? ''))
    if (from?.role !== 'lead' || into?.role !== 'user') return intercom.invalid('Only a lead can be merged into a user')
    const shown = toContact(intercom, absorb(intercom, from, into))
    intercom.happen('contact.merged', shown)
    return shown
  },
  'GET /contacts/{contact_id}/companies': (intercom) => {
    const { companies } = intercom.records
    const found = idsOf(contactOf(intercom).company_ids).flatMap((id) => companies.get(id) ?? [])
    const list = intercom.list(found, (company) => toCompany(intercom, company))
    return { ...list, companies: list.data ?? [] }
  },
  'POST /contacts/{contact_id}/companies': (intercom) => {
    const before = contactOf(intercom)
    intercom.need('id', () => 'company not specified')
    const company = companyOf(intercom, intercom.body.id)
    if (company.archived) intercom.gone('Company Not Found', 'company_not_found')
    const contact = intercom.update('contacts', before, { company_ids: withId(before.company_ids, company.id) })
    return tellCompany(intercom, contact, company, 'attached')
  },
  'DELETE /contacts/{contact_id}/companies/{company_id}': (intercom) => {
    const before = contactOf(intercom)
    const company = companyOf(intercom, intercom.path.company_id)
    if (!idsOf(before.company_ids).includes(company.id)) intercom.gone('Company Not Found', 'company_not_found')
    const contact = intercom.update('contacts', before, { company_ids: withoutId(before.company_ids, company.id) })
    return tellCompany(intercom, contact, company, 'detached')
  },
  'GET /contacts/{contact_id}/tags': (intercom) => ({ type: 'list', data: tagsOf(intercom, contactOf(intercom)) }),
  'POST /contacts/{contact_id}/tags': (intercom) => {
    const before = contactOf(intercom)
    const tag = tagOf(intercom, intercom.body.id)
    const { fields, answer } = taggedWith(intercom, before, { tag, by: intercom.me })
    tellTag(intercom, intercom.update('contacts', before, fields), tag, 'created')
    return answer
  },
  'DELETE /contacts/{contact_id}/tags/{tag_id}': (intercom) => {
    const before = contactOf(intercom)
    const tag = tagOf(intercom, intercom.path.tag_id)
    const contact = intercom.update('contacts', before, { tag_ids: withoutId(before.tag_ids, tag.id) })
    tellTag(intercom, contact, tag, 'deleted')
    return toTag(tag)
  },
  'GET /contacts/{contact_id}/subscriptions': (intercom) => {
    const { opted_in, opted_out } = contactOf(intercom)
    const types = intercom.records.subscription_types
    return { type: 'list', data: [...idsOf(opted_in), ...idsOf(opted_out)].flatMap((id) => types.get(id) ?? []) }
  },
  'POST /contacts/{contact_id}/subscriptions': (intercom) => {
    const { id = '' } = intercom.body
    contactOf(intercom)
    intercom.find('subscription_types', id)
    const type = intercom.choose('consent_type', ['opt_in', 'opt_out'])
    const { contact, subscription } = consent(intercom, id, type)
    if (type === 'opt_in') intercom.happen('contact.subscribed', toContact(intercom, contact))
    return { ...subscription }
  },
  'DELETE /contacts/{contact_id}/subscriptions/{subscription_id}': (intercom) => ({
    ...consent(intercom, intercom.path.subscription_id).subscription,
  }),
  'GET /contacts/{contact_id}/segments': (intercom) => {
    const { segments } = intercom.records
    const found = idsOf(contactOf(intercom).segment_ids).flatMap((id) => segments.get(id) ?? [])
    return { type: 'list', data: found.map(toSegment) }
  },
  'GET /contacts/{contact_id}/notes': (intercom) => {
    const notes = intercom.records.notes.where({ contact_id: contactOf(intercom).id })
    return intercom.list(notes, (note) => toNote(intercom, note), 50)
  },
  'POST /contacts/{contact_id}/notes': (intercom) => {
    const { admin_id } = intercom.body
    const { id: contact_id } = contactOf(intercom)
    if (intercom.html === null) intercom.invalid('Body is required')
    const author = isMissing(admin_id) ? intercom.me : intercom.find('admins', admin_id)
    const fields = { contact_id, author_id: author.id, body: intercom.html, created_at: intercom.unix }
    return toNote(intercom, intercom.records.notes.create(fields))
  },
  'GET /notes/{id}': (intercom) => toNote(intercom, intercom.find('notes')),
}
