import { renderTexts } from '../shared/rendered.ts'
import { BAD_TIME, linkOf, send } from './mail.ts'
import {
  type Due,
  type Fields,
  fieldsOf,
  given,
  type Kept,
  listOf,
  type Operations,
  only,
  Resend,
  type ResendRequest,
  shown,
  textsOf,
} from './resend.ts'

/** Most contacts to which one broadcast goes. */
const MOST_CONTACTS = 500
const ITEM = 'id name audience_id segment_id status created_at scheduled_at sent_at'
const CONTENT = 'from subject reply_to preview_text topic_id html text'
/** What a request sets as it is. */
const SENT = 'name from subject preview_text html text topic_id'

/** A broadcast with one of these statuses. @param verb what is to be done with it */
function inStatus(resend: ResendRequest, statuses: readonly string[], verb: string, status = 422): Kept {
  const broadcast = resend.find('broadcasts')
  const message = `Only ${statuses.join(' or ')} broadcasts can be ${verb}`
  return statuses.includes(String(broadcast.status)) ? broadcast : resend.refuse({ status, message })
}

/** Sends a broadcast at the time of the request, or in five seconds. */
function queue(resend: ResendRequest, broadcast: Kept, due: string | undefined): void {
  resend.records.broadcasts.update(broadcast, {
    status: due === undefined ? 'queued' : 'scheduled',
    scheduled_at: due ?? null,
    sends_at: due ?? resend.later(5),
  })
}

/** When a request sends a broadcast. */
function dueOf(resend: ResendRequest): string | undefined {
  const { scheduled_at } = resend.body
  return scheduled_at ? (resend.timeOf(scheduled_at) ?? resend.refuse(BAD_TIME)) : undefined
}

/** Emails of a broadcast to which something happened. */
const mailsOf = (resend: ResendRequest, { id }: Kept, event: unknown): Kept[] =>
  resend.records.emails
    .where({ broadcast_id: id })
    .filter(({ happened }) => Array.isArray(happened) && happened.includes(String(event)))
    .toReversed()

/** A broadcast's text for a contact. */
function letterFor({ records }: Resend, broadcast: Kept, contact: Kept): Fields {
  const { id, first_name, last_name, email, properties } = contact
  const fallbacks = [...records.contact_properties].map(({ key, fallback_value }) => [key, fallback_value])
  const filled = Object.entries(fieldsOf(properties)).filter(([, value]) => value !== null)
  return fieldsOf(
    renderTexts(only(broadcast, 'subject html text'), {
      ...{ FIRST_NAME: first_name ?? null, LAST_NAME: last_name ?? null, EMAIL: email ?? null },
      RESEND_UNSUBSCRIBE_URL: `https://unsubscribe.resend.example/${id}`,
      contact: { ...Object.fromEntries([...fallbacks, ...filled]), ...contact },
    }),
  )
}

/** What the plan calls: sends a broadcast to the contacts of its segment that want it. */
export function sendBroadcast(due: Due): void {
  const resend = new Resend(due)
  const { topic_id, segment_id } = due.record
  const broadcast = due.update({ status: 'sent', sent_at: resend.time, sends_at: null })
  const topic = topic_id === null ? undefined : resend.records.topics.get(String(topic_id))
  const people = resend.records.contacts
    .where({ unsubscribed: false })
    .filter(({ segment_ids }) => Array.isArray(segment_ids) && segment_ids.includes(String(segment_id)))
  for (const contact of people.toReversed().slice(0, MOST_CONTACTS)) {
    const chosen = listOf(contact.topics).find(({ id }) => id === topic_id)?.subscription
    if ((chosen ?? topic?.default_subscription ?? 'opt_in') !== 'opt_in') continue
    send(resend, {
      ...only(broadcast, 'from reply_to topic_id'),
      ...letterFor(resend, broadcast, contact),
      ...{ to: contact.email ?? null, broadcast_id: broadcast.id, contact_id: contact.id },
    })
  }
}

export const broadcasts: Operations = {
  'POST /broadcasts': (resend) => {
    const { body, records } = resend
    const { segment_id, audience_id } = body
    const segment = segment_id ?? audience_id
    resend.need('from', 'subject')
    if (!segment) resend.need('segment_id')
    const { id } = records.segments.get(String(segment)) ?? resend.gone('Audience')
    const due = dueOf(resend)
    if (body.scheduled_at && body.send !== true)
      resend.refuse({ message: 'Missing `send` field: `scheduled_at` needs it.' })
    const broadcast = resend.create('broadcasts', {
      name: body.subject ?? null,
      ...given(body, SENT),
      ...{ segment_id: id, audience_id: id, reply_to: textsOf(body.reply_to) },
    })
    if (body.send === true) queue(resend, broadcast, due)
    return resend.named('broadcasts', broadcast)
  },
  'GET /broadcasts': (resend) =>
    resend.list(resend.records.broadcasts, (broadcast) => shown(broadcast, ITEM), Infinity),
  'GET /broadcasts/{broadcast_id}': (resend) => ({
    ...{ object: 'broadcast', ...shown(resend.find('broadcasts'), `${ITEM} ${CONTENT}`) },
  }),
  'PATCH /broadcasts/{broadcast_id}': (resend) => {
    const { body } = resend
    const broadcast = inStatus(resend, ['draft'], 'updated')
    const segment = body.segment_id ?? body.audience_id ?? broadcast.segment_id ?? null
    const reply_to = textsOf(body.reply_to) ?? broadcast.reply_to ?? null
    const fields = { ...given(body, SENT), segment_id: segment, audience_id: segment, reply_to }
    return resend.change('broadcasts', fields)
  },
  'DELETE /broadcasts/{broadcast_id}': (resend) => {
    inStatus(resend, ['draft', 'scheduled'], 'deleted')
    return resend.remove('broadcasts')
  },
  'POST /broadcasts/{broadcast_id}/send': (resend) => {
    const broadcast = inStatus(resend, ['draft'], 'sent')
    const due = dueOf(resend)
    if (!broadcast.html && !broadcast.text) resend.refuse({ message: 'Missing `html` or `text` field.' })
    queue(resend, broadcast, due)
    return resend.named('broadcasts', broadcast)
  },
  'POST /broadcasts/{broadcast_id}/cancel': (resend) => {
    inStatus(resend, ['queued', 'scheduled'], 'canceled', 403)
    return resend.change('broadcasts', { status: 'draft', scheduled_at: null, sends_at: null })
  },
  'POST /broadcasts/{broadcast_id}/duplicate': (resend) => {
    const broadcast = resend.find('broadcasts')
    const name = `${broadcast.name} (Copy)`
    const copy = resend.create('broadcasts', { ...only(broadcast, `segment_id audience_id ${CONTENT}`), name })
    return resend.named('broadcasts', copy)
  },
  'GET /broadcasts/{broadcast_id}/recipients': (resend) => {
    const { type, email } = resend.of.query
    const mails = mailsOf(resend, resend.find('broadcasts'), type)
    const toFirst = ({ to }: Kept) => (Array.isArray(to) ? (to[0] ?? null) : null)
    const found = email ? mails.filter((mail) => toFirst(mail) === email) : mails
    return resend.list(found, (mail) => ({
      ...{ id: mail.id, contact_id: mail.contact_id ?? null, email: toFirst(mail) },
      ...((type === 'opened' || type === 'clicked') && { count: 1 }),
      ...(type === 'clicked' && { clicked_links: [{ url: linkOf(mail) ?? null, clicks: 1 }] }),
      ...(type === 'bounced' && { bounce_type: 'permanent' }),
    }))
  },
  'GET /broadcasts/{broadcast_id}/clicked-links': (resend) => {
    const links = mailsOf(resend, resend.find('broadcasts'), 'clicked').map((mail) => linkOf(mail) ?? '')
    const counted = [...Map.groupBy(links, (url) => url)].map(([url, { length: clicks }]) => ({
      ...{ id: Buffer.from(url).toString('base64'), url, clicks, unique_clicks: clicks },
    }))
    return resend.list(counted, (link) => link)
  },
}
