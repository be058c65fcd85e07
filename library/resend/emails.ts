import { valueText } from '../../src/protocol/json.ts'
import { attachmentsOf, BAD_TIME, faultOf, receive, send } from './mail.ts'
import {
  type Fields,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  type ResendRequest,
  shown,
} from './resend.ts'

const HOUR_S = 3_600
const EMAIL = 'id message_id to from created_at subject bcc cc reply_to last_event scheduled_at topic_id'
const RECEIVED = 'id to from created_at subject bcc cc reply_to received_for message_id'
const FILE = 'id filename size content_type content_id content_disposition'

/** Keeps a request in the logs. */
const log = (resend: ResendRequest, endpoint: string) =>
  void resend.records.logs.create({
    ...{ created_at: resend.time, endpoint, user_agent: resend.of.headers['user-agent'] ?? null },
    request_body: resend.body,
  })

/** An email that is not sent yet. @param verb what is to be done with it */
function scheduled(resend: ResendRequest, verb: string): Kept {
  const email = resend.find('emails', resend.of.path.email_id)
  if (email.last_event !== 'scheduled') resend.refuse({ message: `Only scheduled emails can be ${verb}` })
  return email
}

/** A file as the API lists it, with an address that needs no key. */
const toFile = (resend: ResendRequest, file: Kept): Fields => ({
  ...{ object: 'attachment', ...only(file, FILE) },
  download_url: `${resend.of.origin}/downloads/attachments/${file.id}`,
  expires_at: resend.later(HOUR_S),
})

const files = (collection: 'emails' | 'received_emails') => (resend: ResendRequest) => {
  const email = resend.find(collection, resend.of.path.email_id)
  const usual = collection === 'received_emails' ? Infinity : undefined
  return resend.list(attachmentsOf(resend, email), (file) => toFile(resend, file), usual)
}

const file = (collection: 'emails' | 'received_emails') => (resend: ResendRequest) => {
  const email = resend.find(collection, resend.of.path.email_id)
  const found = resend.find('attachments')
  return found.email_id === email.id ? toFile(resend, found) : resend.gone('Attachment')
}

const toReceived = (resend: ResendRequest, email: Kept): Fields => ({
  ...only(email, RECEIVED),
  attachments: attachmentsOf(resend, email).map((one) => only(one, FILE)),
})

/** A received email as MIME (RFC 2045). */
function toMime(resend: ResendRequest, email: Kept): string {
  const { from, to, subject, message_id, text, html } = email
  const part = (type: Json | undefined, headers: string, content: Json | undefined) =>
    `--=_backlot\r\nContent-Type: ${type}${headers}\r\n\r\n${content}\r\n`
  return [
    `From: ${from}\r\nTo: ${(to as string[]).join(', ')}\r\nSubject: ${subject}\r\nMessage-ID: ${message_id}\r\n`,
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="=_backlot"\r\n\r\n',
    text ? part('text/plain', '; charset=utf-8', text) : '',
    html ? part('text/html', '; charset=utf-8', html) : '',
    ...attachmentsOf(resend, email).map(({ content_type, content_disposition, filename, content }) => {
      const disposition = `${content_disposition}; filename="${filename}"`
      const headers = `\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: ${disposition}`
      return part(content_type, headers, content)
    }),
    '--=_backlot--\r\n',
  ].join('')
}

/** What a key may do that is for sending alone, and what needs no key. */
export const sending: Operations = {
  'POST /emails': (resend) => {
    log(resend, '/emails')
    const fault = faultOf(resend, resend.body)
    return { id: fault ? resend.refuse(fault) : send(resend, resend.body).id }
  },
  'POST /emails/batch': (resend) => {
    log(resend, '/emails/batch')
    const isLenient = resend.of.headers['x-batch-validation'] === 'permissive'
    const [data, errors]: [Fields[], Fields[]] = [[], []]
    for (const [index, mail] of listOf(resend.body).entries()) {
      const fault = faultOf(resend, mail)
      if (fault === undefined) data.push({ id: send(resend, mail).id })
      else if (isLenient) errors.push({ index, message: fault.message })
      else resend.refuse(fault)
    }
    return { data, ...(isLenient && { errors }) }
  },
  'GET /downloads/attachments/{attachment_id}': (resend) => {
    const { content_type, content } = resend.find('attachments')
    const headers = { 'Content-Type': valueText(content_type) }
    return resend.of.respond({ headers, body: Buffer.from(valueText(content), 'base64') })
  },
  'GET /downloads/raw/{email_id}': (resend) => {
    const body = toMime(resend, resend.find('received_emails'))
    return resend.of.respond({ headers: { 'Content-Type': 'message/rfc822' }, body })
  },
}

export const emails: Operations = {
  'GET /emails': (resend) => resend.list(resend.records.emails, (email) => shown(email, EMAIL)),
  'GET /emails/{email_id}': (resend) => {
    const email = resend.find('emails')
    const { cc, bcc, reply_to } = email
    const tags = listOf(email.tags)
    const lists = { cc: cc ?? [], bcc: bcc ?? [], reply_to: reply_to ?? [] }
    return { object: 'email', ...shown(email, `${EMAIL} html text`), ...lists, ...(tags.length > 0 && { tags }) }
  },
  'PATCH /emails/{email_id}': (resend) => {
    resend.need('scheduled_at')
    const due = resend.timeOf(resend.body.scheduled_at) ?? resend.refuse(BAD_TIME)
    scheduled(resend, 'updated')
    return resend.change('emails', { scheduled_at: due, advances_at: due })
  },
  'POST /emails/{email_id}/cancel': (resend) => {
    scheduled(resend, 'canceled')
    return resend.change('emails', { last_event: 'canceled', advances_at: null })
  },
  'POST /emails/{email_id}/share': (resend) => {
    const token = `${resend.id()}${resend.id()}`.slice(0, 32)
    const url = `https://resend.example/shared?token=${token}`
    return { ...resend.named('emails', resend.find('emails')), url }
  },
  'GET /emails/{email_id}/attachments': files('emails'),
  'GET /emails/{email_id}/attachments/{attachment_id}': file('emails'),
  'GET /emails/receiving/{email_id}/attachments': files('received_emails'),
  'GET /emails/receiving/{email_id}/attachments/{attachment_id}': file('received_emails'),
  'POST /emails/receiving': (resend) => {
    resend.need('from', 'to')
    return resend.named('received_emails', receive(resend, resend.body))
  },
  'GET /emails/receiving': (resend) =>
    resend.list(resend.records.received_emails, (email) => toReceived(resend, email), Infinity),
  'GET /emails/receiving/{email_id}': (resend) => {
    const email = resend.find('received_emails')
    const raw = { download_url: `${resend.of.origin}/downloads/raw/${email.id}`, expires_at: resend.later(HOUR_S) }
    return { object: 'email', ...toReceived(resend, email), ...only(email, 'html text headers'), raw }
  },
  'GET /emails/metrics': (resend) => {
    const dayOf = (time: string) => time.slice(0, 10)
    const { start_date, end_date, metrics } = resend.of.query
    const start = valueText(start_date ?? dayOf(resend.later(-7 * 24 * HOUR_S)))
    const end = valueText(end_date ?? dayOf(resend.time))
    const counted = Object.groupBy(
      resend.records.happenings.where(({ created_at }) => {
        const day = dayOf(valueText(created_at))
        return day >= start && day <= end
      }),
      ({ type }) => valueText(type),
    )
    return {
      ...{ object: 'metrics', start_date: start, end_date: end },
      metrics: metrics ? valueText(metrics).split(',') : METRICS,
      ...{ dimensions: [], granularity: 'day' },
      totals: Object.fromEntries(METRICS.map((name) => [name, counted[`email.${name}`]?.length ?? 0])),
    }
  },
}

const METRICS = 'sent delivered opened clicked bounced complained suppressed delivery_delayed failed'.split(' ')
