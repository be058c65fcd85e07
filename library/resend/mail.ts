import { valueText } from '../../src/protocol/json.ts'
import { typeOfFile } from '../shared/media-type.ts'
import { renderTexts } from '../shared/rendered.ts'
import {
  type Due,
  type Fault,
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  listOf,
  only,
  Resend,
  type ResendRequest,
  textsOf,
} from './resend.ts'

/** Most addresses to which one email goes. */
const MOST_RECEIVERS = 50
const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/** `ada@example.org` of `Ada <Ada@example.org>`. */
const addressOf = (text: Json | undefined): string =>
  (valueText(text).split('<').at(-1) ?? '').replace('>', '').toLowerCase()

const hostOf = (text: Json | undefined): string => addressOf(text).split('@')[1] ?? ''

/** Whether a text is an address, with a name or without. */
export const isAddress = (text: Json | undefined): boolean => Boolean(hostOf(text).split('.')[1])

/** The first address to which the HTML of an email links. */
export const linkOf = ({ html }: Fields): string | undefined => valueText(html).split('href="')[1]?.split('"')[0]

const textOf = (value: Json | undefined): string | null => (value == null ? null : valueText(value))

/** What the template of a mail publishes; undefined without one. */
function publishedOf({ records: { templates } }: Resend, mail: Fields): Fields | undefined {
  const name = valueText(fieldsOf(mail.template).id)
  if (name === '') return undefined
  const published = templates.get(name)?.published ?? templates.find({ alias: name })?.published
  return published == null ? undefined : fieldsOf(published)
}

const badAddress = (field: string): Fault => ({
  message: `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`,
})

export const BAD_TIME: Fault = {
  message: 'Invalid `scheduled_at` field. Use a date in ISO 8601 or a time such as `in 5 minutes`.',
}

/** Why a mail of a request is not sent; undefined for one that is. */
export function faultOf(resend: ResendRequest, mail: Fields): Fault | undefined {
  const { html, text, scheduled_at, template } = mail
  const hasTemplate = Boolean(fieldsOf(template).id)
  const used = publishedOf(resend, mail)
  const from = mail.from ?? used?.from
  const to = textsOf(mail.to) ?? []
  const host = hostOf(from)
  const due = resend.timeOf(scheduled_at)
  const missing = (field: string) => ({ name: 'missing_required_field', message: `Missing \`${field}\` field.` })
  if (!from) return missing('from')
  if (to.length === 0) return missing('to')
  if (hasTemplate && used === undefined) return { name: 'not_found', status: 404, message: 'Template not found' }
  if (!mail.subject && !used?.subject) return missing('subject')
  if (!html && !text && !hasTemplate) return { message: 'Missing `html` or `text` field.' }
  if (!isAddress(from)) return badAddress('from')
  if (!to.every(isAddress)) return badAddress('to')
  if (to.length > MOST_RECEIVERS) return { message: `The \`to\` field must have at most ${MOST_RECEIVERS} addresses.` }
  if (due !== undefined && due > resend.later(30 * DAY_S))
    return { message: 'The `scheduled_at` must be within 30 days.' }
  if (scheduled_at && due === undefined) return BAD_TIME
  if (listOf(mail.attachments).some(({ content, path }) => !content && !path))
    return { name: 'invalid_attachment', message: 'Attachment must have either a `content` or `path`.' }
  if (hasTemplate && (html || text))
    return { message: 'The `template` field cannot be used together with `html` or `text`.' }
  const filled = fieldsOf(fieldsOf(template).variables)
  const lacking = listOf(used?.variables).find(
    ({ key, fallback_value }) => !fallback_value && fallback_value !== 0 && !Object.hasOwn(filled, String(key)),
  )
  if (lacking !== undefined) return { message: `Missing template variable \`${lacking.key}\`.` }
  return faultOfSender(resend, host)
}

/** Why the key, or the domain of the sender, does not send. */
function faultOfSender({ apiKey, records: { domains } }: ResendRequest, host: string): Fault | undefined {
  const own = apiKey && domains.get(apiKey.domain_id as string | null)
  if (own !== undefined && own.name !== host)
    return { status: 403, message: `This API key is not authorized to send emails from ${host}` }
  const domain = domains.find({ name: host })
  if (domain !== undefined && domain.status !== 'verified')
    return { status: 403, message: `The ${host} domain is not verified. Please, add and verify your domain.` }
  return undefined
}

/** Sends a mail, or keeps it for its time. */
export function send(resend: Resend, mail: Fields): Kept {
  const used = publishedOf(resend, mail)
  const of = (name: string) => mail[name] ?? used?.[name] ?? null
  const fallbacks = Object.fromEntries(listOf(used?.variables).map((one) => [one.key, one.fallback_value ?? null]))
  const facts = { ...fallbacks, ...fieldsOf(fieldsOf(mail.template).variables) }
  const letter = { subject: of('subject'), html: of('html'), text: of('text') }
  const { subject, html, text } = used === undefined ? letter : fieldsOf(renderTexts(letter, facts))
  const due = resend.timeOf(mail.scheduled_at)
  const email = resend.records.emails.create({
    ...{ from: valueText(of('from')), to: textsOf(mail.to) ?? [], cc: textsOf(mail.cc), bcc: textsOf(mail.bcc) },
    ...{ reply_to: textsOf(of('reply_to')), subject: valueText(subject), html: textOf(html), text: textOf(text) },
    ...{ tags: listOf(mail.tags), headers: fieldsOf(mail.headers), topic_id: mail.topic_id ?? null },
    template_id: used === undefined ? null : valueText(fieldsOf(mail.template).id),
    ...{ broadcast_id: mail.broadcast_id ?? null, contact_id: mail.contact_id ?? null },
    message_id: resend.messageId('email'),
    ...{ created_at: resend.time, scheduled_at: due ?? null, advances_at: due ?? resend.time },
    last_event: due === undefined ? 'queued' : 'scheduled',
  })
  for (const one of listOf(mail.attachments)) attach(resend, email, one)
  if (due !== undefined) resend.happen('email.scheduled', toEvent(email))
  else if (email.broadcast_id === null) advance(resend, email)
  return email
}

/** Adds a file to an email, sent or received. */
function attach({ records: { attachments } }: Resend, email: Kept, file: Fields): void {
  const content = valueText(file.content)
  attachments.create({
    ...{ email_id: email.id, filename: textOf(file.filename), content, path: textOf(file.path) },
    size: Buffer.from(content, 'base64').length,
    content_type: textOf(file.content_type) ?? typeOfFile(file.filename ?? null),
    content_id: textOf(file.content_id),
    content_disposition: file.content_id ? 'inline' : 'attachment',
  })
}

/** The files of an email, in the order in which they were sent. */
export const attachmentsOf = ({ records }: Resend, { id }: Kept): Kept[] =>
  records.attachments.where({ email_id: id }).toReversed()

/** Receives an email, from outside or from the simulation itself. */
export function receive(resend: Resend, mail: Fields): Kept {
  const to = textsOf(mail.to) ?? []
  const email = resend.records.received_emails.create({
    ...{ from: mail.from, to, received_for: to, cc: textsOf(mail.cc) ?? [], bcc: textsOf(mail.bcc) ?? [] },
    ...{ reply_to: textsOf(mail.reply_to) ?? [], subject: valueText(mail.subject) },
    ...{ html: mail.html ?? null, text: mail.text ?? null, headers: fieldsOf(mail.headers) },
    message_id: mail.message_id ?? resend.messageId('mail'),
    created_at: resend.time,
  })
  for (const one of listOf(mail.attachments)) attach(resend, email, one)
  const files = attachmentsOf(resend, email).map((one) =>
    only(one, 'id filename content_type content_disposition content_id'),
  )
  const fields = only(email, 'created_at from to bcc cc received_for message_id subject')
  resend.happen('email.received', { email_id: email.id, ...fields, attachments: files })
  return email
}

/** What events show of an email. */
function toEvent(email: Kept): Fields {
  const { id, broadcast_id, template_id, tags } = email
  const pairs = listOf(tags).map(({ name, value }) => [name, value ?? null])
  return {
    email_id: id,
    ...only(email, 'created_at message_id from to subject'),
    ...(broadcast_id !== null && { broadcast_id }),
    ...(template_id !== null && { template_id }),
    ...(pairs.length > 0 && { tags: Object.fromEntries(pairs) }),
  }
}

const BOUNCE = {
  message: "The recipient's email provider sent a general bounce message: the address does not exist.",
  ...{ subType: 'General', type: 'Permanent', diagnosticCode: ['smtp; 550 5.1.1 user unknown'] },
}
const SUPPRESSED = {
  message: 'The recipient is on the suppression list, since an earlier email bounced or was reported as spam.',
  ...{ type: 'OnAccountSuppressionList', reason: 'previous_bounce', diagnosticCode: [] },
}

/** What happens next to an email. */
interface Next {
  readonly event: string
  /** When it goes on from there; undefined where it ends. */
  readonly seconds?: number
  /** What the event shows more. */
  readonly more?: Fields
}

/** Undefined for an email to which nothing happens. The addresses at resend.dev are for tests, as Resend has them. */
function nextOf({ records, time }: Resend, email: Kept, target: string): Next | undefined {
  const box = target.replace(/\+[^@]*/, '')
  const sender = records.domains.find({ name: hostOf(email.from) })
  switch (email.last_event) {
    case 'scheduled':
    case 'queued':
      return { event: 'sent', seconds: 5 }
    case 'sent':
      if (records.suppressions.some({ email: target }) || box === 'suppressed@resend.dev')
        return { event: 'suppressed', more: { suppressed: SUPPRESSED } }
      if (box === 'bounced@resend.dev') return { event: 'bounced', more: { bounce: BOUNCE } }
      return { event: 'delivered', seconds: HOUR_S }
    case 'delivered':
      if (box === 'complained@resend.dev') return { event: 'complained' }
      if (box === 'delivered@resend.dev' || !email.html || sender?.open_tracking === false) return undefined
      return { event: 'opened', seconds: 5 * MINUTE_S }
    case 'opened': {
      const link = linkOf(email)
      if (!link || sender?.click_tracking === false) return undefined
      const click = { ipAddress: '203.0.113.7', link, timestamp: time, userAgent: 'Mozilla/5.0' }
      return { event: 'clicked', more: { click } }
    }
    default:
      return undefined
  }
}

/** Lets happen to an email what is next. */
export function advance(resend: Resend, email: Kept): void {
  const { domains, emails } = resend.records
  const target = addressOf((email.to as string[])[0])
  const { event, seconds, more } = nextOf(resend, email, target) ?? {}
  const advances_at = seconds === undefined ? null : resend.later(seconds)
  if (event === undefined) return void emails.update(email, { advances_at })
  if (event === 'delivered' && domains.some({ name: hostOf(target), 'capabilities.receiving': 'enabled' }))
    receive(resend, { ...email, attachments: attachmentsOf(resend, email) })
  emails.update(email, { advances_at, last_event: event, happened: [...(email.happened as string[]), event] })
  resend.happen(`email.${event}`, { ...toEvent(email), ...more })
}

/** What the plan calls. */
export const advanceMail = (due: Due): void => advance(new Resend(due), due.record)
