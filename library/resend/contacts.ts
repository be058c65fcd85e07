import { valueText } from '../../src/protocol/json.ts'
import { isAddress } from './mail.ts'
import {
  type Fields,
  fieldsOf,
  given,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  type Resend,
  type ResendRequest,
  shown,
} from './resend.ts'

const SEGMENT = 'id name created_at'
const CONTACT = 'id email first_name last_name unsubscribed created_at'
const EVENT = 'id email first_name last_name unsubscribed segment_ids created_at updated_at'
const NAMES = 'first_name last_name unsubscribed'

const idsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Sends the event of a contact. */
function happen(resend: Resend, verb: string, contact: Kept): Kept {
  const audience_id = idsOf(contact.segment_ids)[0] ?? ''
  resend.happen(`contact.${verb}`, { ...only(contact, EVENT), audience_id })
  return contact
}

const update = (resend: Resend, contact: Kept, fields: Fields): Kept =>
  happen(resend, 'updated', resend.records.contacts.update(contact, { ...fields, updated_at: resend.time }))

/** Creates a contact, or changes the one with its address. */
function put(resend: ResendRequest): Fields {
  const { body, of, records } = resend
  resend.need('email')
  const email = valueText(body.email).toLowerCase()
  if (!isAddress(email))
    resend.refuse({
      message: 'Invalid `email` field. The email address needs to follow the `email@example.com` format.',
    })
  const named = Array.isArray(body.segments) ? body.segments.map((one) => String(fieldsOf(one).id ?? one)) : []
  const wanted = of.path.segment_id === undefined ? named : [of.path.segment_id]
  if (!wanted.every((id) => records.segments.get(id))) resend.gone('Audience')
  const known = records.contacts.find({ email })
  const properties = { ...fieldsOf(known?.properties), ...fieldsOf(body.properties) }
  const segment_ids = [...new Set([...idsOf(known?.segment_ids), ...wanted])]
  const fields = { ...given(body, NAMES), properties, segment_ids }
  if (known !== undefined) return resend.named('contacts', update(resend, known, fields))
  const topics = listOf(body.topics)
  const contact = resend.create('contacts', { ...fields, email, topics, updated_at: resend.time })
  return resend.named('contacts', happen(resend, 'created', contact))
}

const change = (resend: ResendRequest): Fields => {
  const contact = resend.find('contacts')
  const properties = { ...fieldsOf(contact.properties), ...fieldsOf(resend.body.properties) }
  return resend.named('contacts', update(resend, contact, { ...given(resend.body, NAMES), properties }))
}

/** A contact that is not there is deleted, too. @param shows whether the answer has its id, whatever the path names */
const remove = (shows: 'id' | 'path') => (resend: ResendRequest) => {
  const { contact: name = '' } = resend.of.path
  const { contacts } = resend.records
  const contact = contacts.get(name) ?? contacts.find({ email: name.toLowerCase() })
  if (contact !== undefined) {
    happen(resend, 'deleted', contact)
    contacts.remove(contact)
  }
  return { object: 'contact', contact: shows === 'id' ? (contact?.id ?? name) : name, deleted: true }
}

/** A contact with its properties, each with its type. */
const read = (resend: ResendRequest): Fields => {
  const contact = resend.find('contacts')
  const properties = Object.entries(fieldsOf(contact.properties)).map(([key, value]) => {
    const type = resend.records.contact_properties.find({ key })?.type ?? 'string'
    return [key, { type, value }]
  })
  return { object: 'contact', ...shown(contact, CONTACT), properties: Object.fromEntries(properties) }
}

const ofSegment = (resend: ResendRequest): Fields => {
  const { id } = resend.find('segments')
  const members = resend.records.contacts.where(({ segment_ids }) => idsOf(segment_ids).includes(id))
  return resend.list(members, (contact) => shown(contact, CONTACT), Infinity)
}

const segmentOperations: Operations = {
  'POST /segments': (resend) => {
    resend.need('name')
    const segment = resend.create('segments', given(resend.body, 'name'))
    return { ...resend.named('segments', segment), name: segment.name }
  },
  'GET /segments': (resend) => resend.list(resend.records.segments, (segment) => shown(segment, SEGMENT), Infinity),
  'GET /segments/{segment_id}': (resend) => ({ object: 'segment', ...shown(resend.find('segments'), SEGMENT) }),
  'PATCH /segments/{segment_id}': (resend) => {
    resend.need('name')
    return resend.change('segments', given(resend.body, 'name'))
  },
  'DELETE /segments/{segment_id}': (resend) => {
    const { segment_id: id = '' } = resend.of.path
    const { contacts, segments } = resend.records
    for (const contact of contacts.where(({ segment_ids }) => idsOf(segment_ids).includes(id)))
      contacts.update(contact, { segment_ids: idsOf(contact.segment_ids).filter((one) => one !== id) })
    if (segments.get(id)) segments.remove(id)
    return { object: 'segment', id, deleted: true }
  },
}

/** Segments, which were called audiences before: both names have the same operations. */
export const segments: Operations = {
  ...segmentOperations,
  ...Object.fromEntries(
    Object.entries(segmentOperations).map(([on, handle]) => [on.replace('/segments', '/audiences'), handle]),
  ),
}

/** Adds a contact to a segment, or removes it. */
function join(resend: ResendRequest, isMember: boolean): Fields {
  const contact = resend.find('contacts', resend.of.path.contact)
  const { id } = resend.find('segments')
  const others = idsOf(contact.segment_ids).filter((one) => one !== id)
  update(resend, contact, { segment_ids: isMember ? [...others, id] : others })
  return { object: 'contact_segment', id, contact_id: contact.id, segment_id: id }
}

export const contacts: Operations = {
  'POST /contacts': put,
  'POST /audiences/{segment_id}/contacts': put,
  'GET /contacts': (resend) => {
    const { segment_id } = resend.of.query
    const { contacts } = resend.records
    const all = segment_id
      ? contacts.where(({ segment_ids }) => idsOf(segment_ids).includes(String(segment_id)))
      : contacts
    return resend.list(all, (contact) => shown(contact, CONTACT), Infinity)
  },
  'GET /segments/{segment_id}/contacts': ofSegment,
  'GET /audiences/{segment_id}/contacts': ofSegment,
  'GET /contacts/{contact}': read,
  'GET /audiences/{segment_id}/contacts/{contact}': read,
  'PATCH /contacts/{contact}': change,
  'PATCH /audiences/{segment_id}/contacts/{contact}': change,
  'DELETE /contacts/{contact}': remove('id'),
  'DELETE /audiences/{segment_id}/contacts/{contact}': remove('path'),
  'GET /contacts/{contact}/segments': (resend) => {
    const ids = idsOf(resend.find('contacts').segment_ids)
    const segments = resend.records.segments.where(({ id }) => ids.includes(id))
    return resend.list(segments, (segment) => shown(segment, SEGMENT))
  },
  'POST /contacts/{contact}/segments/{segment_id}': (resend) => join(resend, true),
  'DELETE /contacts/{contact}/segments/{segment_id}': (resend) => {
    const left = join(resend, false)
    return { ...left, audienceId: left.id ?? null, deleted: true }
  },
  'GET /contacts/{contact}/topics': (resend) => {
    const chosen = listOf(resend.find('contacts').topics)
    return resend.list(resend.records.topics, (topic) => ({
      ...only(topic, 'id name description'),
      subscription: chosen.find(({ id }) => id === topic.id)?.subscription ?? topic.default_subscription ?? null,
    }))
  },
  'PATCH /contacts/{contact}/topics': (resend) => {
    const contact = resend.find('contacts')
    const topics = listOf(Array.isArray(resend.body) ? resend.body : resend.body.topics)
    if (!topics.every(({ id }) => resend.records.topics.get(String(id)))) resend.gone('Topic')
    const chosen = new Map([...listOf(contact.topics), ...topics].map((one) => [one.id, one]))
    resend.records.contacts.update(contact, { topics: [...chosen.values()], updated_at: resend.time })
    resend.happen('contact.topics.updated', { email: contact.email ?? null, topics })
    return { id: contact.id }
  },
}

const TOPIC = 'id name default_subscription visibility created_at'

const toTopic = (topic: Kept): Fields => ({
  ...shown(topic, TOPIC),
  ...(topic.description !== null && { description: topic.description }),
})

/** Sends the event of a topic. */
function happenTopic(resend: Resend, verb: 'created' | 'updated' | 'deleted', topic: Kept): void {
  const fields = only(topic, 'id name description default_subscription created_at')
  resend.happen(`topic.${verb}`, { ...fields, deleted: verb === 'deleted', updated_at: resend.time })
}

export const topics: Operations = {
  'POST /topics': (resend) => {
    resend.need('name', 'default_subscription')
    const topic = resend.create('topics', given(resend.body, 'name description default_subscription visibility'))
    happenTopic(resend, 'created', topic)
    return resend.named('topics', topic)
  },
  'GET /topics': (resend) => resend.list(resend.records.topics, toTopic),
  'GET /topics/{topic_id}': (resend) => ({ object: 'topic', ...toTopic(resend.find('topics')) }),
  'PATCH /topics/{topic_id}': (resend) => {
    const changed = resend.change('topics', given(resend.body, 'name description visibility'))
    happenTopic(resend, 'updated', resend.find('topics'))
    return changed
  },
  'DELETE /topics/{topic_id}': (resend) => {
    happenTopic(resend, 'deleted', resend.find('topics'))
    return resend.remove('topics')
  },
}

const PROPERTY = 'id key type fallback_value created_at'

export const properties: Operations = {
  'POST /contact-properties': (resend) => {
    resend.need('key', 'type')
    const { key } = resend.body
    if (resend.records.contact_properties.some({ key }))
      resend.refuse({ status: 409, message: `The property ${key} exists already.` })
    const property = resend.create('contact_properties', given(resend.body, 'key type fallback_value'))
    return resend.named('contact_properties', property)
  },
  'GET /contact-properties': (resend) =>
    resend.list(resend.records.contact_properties, (property) => shown(property, PROPERTY)),
  'GET /contact-properties/{property_id}': (resend) => ({
    ...{ object: 'contact_property', ...shown(resend.find('contact_properties'), PROPERTY) },
  }),
  'PATCH /contact-properties/{property_id}': (resend) =>
    resend.change('contact_properties', given(resend.body, 'fallback_value')),
  'DELETE /contact-properties/{property_id}': (resend) => resend.remove('contact_properties'),
}

const SUPPRESSION = 'id email origin source_id created_at'

/** Suppresses an address, unless it is already. */
function suppress(resend: ResendRequest, address: string): Fields {
  const email = address.toLowerCase()
  const known = resend.records.suppressions.find({ email })
  const suppression = known ?? resend.create('suppressions', { email })
  if (known === undefined) resend.happen('suppression.added', only(suppression, SUPPRESSION))
  return resend.named('suppressions', suppression)
}

function unsuppress(resend: ResendRequest, suppression: Kept): Fields {
  resend.happen('suppression.removed', only(suppression, SUPPRESSION))
  resend.records.suppressions.remove(suppression)
  return { ...resend.named('suppressions', suppression), deleted: true }
}

export const suppressions: Operations = {
  'POST /suppressions': (resend) => {
    resend.need('email')
    return suppress(resend, valueText(resend.body.email))
  },
  'GET /suppressions': (resend) => {
    const { origin } = resend.of.query
    const { suppressions } = resend.records
    const all = origin ? suppressions.where({ origin }) : suppressions
    return resend.list(all, (suppression) => shown(suppression, SUPPRESSION))
  },
  'GET /suppressions/{suppression}': (resend) => ({
    ...{ object: 'suppression', ...shown(resend.find('suppressions'), SUPPRESSION) },
  }),
  'DELETE /suppressions/{suppression}': (resend) => unsuppress(resend, resend.find('suppressions')),
  'POST /suppressions/batch/add': (resend) => {
    resend.need('emails')
    return { data: idsOf(resend.body.emails).map((address) => suppress(resend, address)) }
  },
  'POST /suppressions/batch/remove': (resend) => {
    const { emails, ids } = resend.body
    if (!ids) resend.need('emails')
    const { suppressions } = resend.records
    const byEmail = idsOf(emails).flatMap((email) => suppressions.find({ email: email.toLowerCase() }) ?? [])
    const byId = idsOf(ids).flatMap((id) => suppressions.get(id) ?? [])
    return { data: [...byEmail, ...byId].map((one) => unsuppress(resend, one)) }
  },
}
