import { valueText } from '../../src/protocol/json.ts'
import { matching } from './queries.ts'
import {
  type Fields,
  fieldsOf,
  type Kept,
  type Operations,
  type SendGrid,
  type SendGridRequest,
  textsOf,
} from './sendgrid.ts'
import { statistics } from './statistics.ts'

const USUAL_MESSAGES = 10

/** What has happened to a mail, the oldest first. */
const eventsOf = ({ records }: SendGrid, { sg_message_id }: Kept): Kept[] =>
  records.happenings.where({ 'payload.sg_message_id': sg_message_id }).toReversed()

function toMessage(sendgrid: SendGrid, mail: Kept): Fields {
  const events = eventsOf(sendgrid, mail)
  const count = (event: string) => events.filter(({ type }) => type === event).length
  const isKnown = mail.status === 'delivered' || mail.status === 'processed'
  const { from = null, subject = null, email = null, sg_message_id = null, status = null } = mail
  return {
    ...{ from_email: from, msg_id: sg_message_id, subject, to_email: email },
    ...{ status: isKnown ? status : 'not_delivered', opens_count: count('open'), clicks_count: count('click') },
    last_event_time: sendgrid.timeOf(Number(mail.created) * 1_000),
  }
}

/** The statistics of the days that a request names. */
function statisticsFor(sendgrid: SendGridRequest, more: Fields = {}): Fields[] {
  const { start_date, end_date, aggregated_by } = sendgrid.query
  if (!start_date) sendgrid.refuse('start_date is required', 'start_date')
  if (Number.isNaN(Date.parse(String(start_date))))
    sendgrid.refuse('start_date must be a date such as 2026-01-31', 'start_date')
  return statistics({
    ...{ of: sendgrid.records.happenings.where({}).toReversed(), from: start_date ?? null },
    ...{ to: end_date ?? sendgrid.time.slice(0, 10), by: aggregated_by ?? null, ...more },
  })
}

export const activity: Operations = {
  'GET /v3/messages': (sendgrid) => {
    const found = matching(sendgrid, sendgrid.records.messages, sendgrid.query.query)
    const messages = found ?? sendgrid.refuse('the query cannot be read', 'query')
    const most = Number(sendgrid.query.limit ?? USUAL_MESSAGES)
    return { messages: messages.slice(0, most).map((mail) => toMessage(sendgrid, mail)) }
  },
  'GET /v3/messages/{msg_id}': (sendgrid) => {
    const mail = sendgrid.records.messages.find({ sg_message_id: sendgrid.path.msg_id }) ?? sendgrid.gone()
    const events = eventsOf(sendgrid, mail).map(({ type, payload }) => ({
      event_name: type,
      processed: sendgrid.timeOf(Number(fieldsOf(payload).timestamp) * 1_000),
    }))
    return { ...toMessage(sendgrid, mail), events }
  },
  'GET /v3/categories': (sendgrid) => {
    const start = valueText(sendgrid.query.category ?? '').toLowerCase()
    const names = sendgrid.records.messages
      .where({})
      .toReversed()
      .flatMap(({ categories }) => textsOf(categories))
    const found = [...new Set(names)].filter((name) => name.toLowerCase().startsWith(start))
    return sendgrid.page(found).map((category) => ({ category }))
  },
  'GET /v3/stats': (sendgrid) => sendgrid.page(statisticsFor(sendgrid)),
  'GET /v3/categories/stats': (sendgrid) => statisticsFor(sendgrid, { categories: textsOf(sendgrid.query.categories) }),
  'POST /v3/validations/email': (sendgrid) => {
    sendgrid.need('email')
    const email = valueText(sendgrid.body.email)
    const [local = '', host = ''] = email.split('@')
    const isGood = host.includes('.')
    const has_known_bounces = sendgrid.records.bounces.get(email) !== undefined
    const checks = {
      domain: {
        ...{ has_valid_address_syntax: isGood, has_mx_or_a_record: isGood, is_suspected_disposable_address: false },
      },
      local_part: { is_suspected_role_address: false },
      additional: { has_known_bounces, has_suspected_bounces: false },
    }
    const { source } = sendgrid.body
    const verdict = { verdict: isGood ? 'Valid' : 'Invalid', score: isGood ? 0.95 : 0 }
    return { result: { email, ...verdict, local, host, ...(source && { source }), checks, ip_address: '192.0.2.1' } }
  },
}
