import { renderHandlebars } from './handlebars.ts'
import { contactsOf } from './queries.ts'
import {
  type Fields,
  fieldsOf,
  type Kept,
  type Operations,
  operationsOf,
  type SendGrid,
  type SendGridRequest,
  textsOf,
  without,
} from './sendgrid.ts'

const SELF = 'https://api.sendgrid.example/v3'

const SENDER = {
  ...{ nickname: '', from: {}, reply_to: {}, address: null, address_2: null },
  ...{ city: null, state: null, zip: null, country: null },
}
const SENDERS = { collection: 'senders', param: 'sender_id', needed: 'nickname', form: SENDER } as const
const DESIGN = {
  ...{ name: '', html_content: '', plain_content: '', generate_plain_content: true },
  ...{ subject: '', editor: '', categories: [] },
}
const CAMPAIGN = { name: '', send_at: null, send_to: {}, email_config: {}, categories: [] }

/** What a copy sets anew. */
const asNew = ({ time }: SendGrid): Fields => ({ created_at: time, updated_at: time })

/** Sends a Single Send to its contacts. */
export function sendCampaign(sendgrid: SendGrid, campaign: Kept): void {
  const { records, unix } = sendgrid
  const config = fieldsOf(campaign.email_config)
  const from = fieldsOf(records.senders.get(config.sender_id as number)?.from).email
  records.singlesends.update(campaign, { status: 'triggered' })
  for (const person of peopleOf(sendgrid, fieldsOf(campaign.send_to))) {
    const fill = (name: string) => renderHandlebars(String(config[name] ?? ''), person)
    const { id } = records.messages.create({
      ...{ message_id: sendgrid.letters(22), sg_message_id: sendgrid.letters(30), email: person.email },
      ...{ ...(from && { from }), subject: fill('subject'), html: fill('html_content'), text: fill('plain_content') },
      ...{ categories: campaign.categories, custom_args: { singlesend_id: campaign.id } },
      ...{ asm_group_id: config.suppression_group_id ?? 0, created: unix },
    })
    records.timers.create({ at: sendgrid.later(1), stage: 'processed', subject: id })
  }
}

/** All contacts, or those of lists and segments. */
function peopleOf(sendgrid: SendGrid, { all, list_ids, segment_ids }: Fields): Kept[] {
  const { contacts, segments } = sendgrid.records
  if (all === true) return contacts.where({}).toReversed()
  const lists = textsOf(list_ids)
  const listed = contacts.where((contact) => textsOf(contact.list_ids).some((id) => lists.includes(id))).toReversed()
  const chosen = textsOf(segment_ids).flatMap((id) => segments.get(id) ?? [])
  const found = [...listed, ...chosen.flatMap((segment) => contactsOf(sendgrid, segment))]
  return [...new Map(found.map((contact) => [contact.id, contact])).values()]
}

const METRICS = {
  ...{ requests: 'processed', delivered: 'delivered', opens: 'open', unique_opens: 'open', clicks: 'click' },
  ...{ unique_clicks: 'click', bounces: 'bounce', bounce_drops: '', invalid_emails: '', spam_reports: 'spamreport' },
  ...{ spam_report_drops: '', unsubscribes: 'unsubscribe' },
}

function statisticsOf({ records }: SendGrid, { id }: Kept): Fields {
  const own = records.happenings.where({ 'payload.singlesend_id': id })
  const stats = Object.entries(METRICS).map(([name, event]) => [name, own.filter(({ type }) => type === event).length])
  return { id, ab_phase: 'all', ab_variation: 'all', aggregation: 'total', stats: Object.fromEntries(stats) }
}

/** Plans a Single Send. */
function schedule(sendgrid: SendGridRequest): Fields {
  const campaign = sendgrid.find('singlesends')
  const { all, list_ids, segment_ids } = fieldsOf(campaign.send_to)
  const { sender_id, subject } = fieldsOf(campaign.email_config)
  if (all !== true && textsOf(list_ids).length + textsOf(segment_ids).length === 0)
    sendgrid.refuse('send_to must name lists, segments or all contacts', 'send_to')
  sendgrid.need('send_at')
  if (campaign.status === 'triggered') sendgrid.refuse('the Single Send has been sent')
  if (!sender_id && !subject) sendgrid.refuse('a subject and a sender are required', 'email_config')
  const asked = String(sendgrid.body.send_at)
  const now = sendgrid.now.getTime()
  const time = asked === 'now' ? now : Date.parse(asked)
  if (!(time >= now)) sendgrid.refuse('send_at must be a time in the future in ISO 8601, or now', 'send_at')
  const sends = { status: 'scheduled', send_at: asked === 'now' ? sendgrid.time : asked }
  sendgrid.change('singlesends', { ...sends, updated_at: sendgrid.time })
  const at = new Date(time + 1_000).toISOString()
  sendgrid.records.timers.create({ at, stage: 'campaign', subject: campaign.id })
  return sends
}

const toList = (path: string, result: readonly Fields[]): Fields => ({
  ...{ result: [...result], _metadata: { self: `${SELF}/${path}`, count: result.length } },
})

/** Adds a copy of the record that the path names. */
function copy(sendgrid: SendGridRequest, collection: 'designs' | 'singlesends', fields: (of: Kept) => Fields): Fields {
  const original = sendgrid.find(collection)
  const copied = { ...without(original, 'id'), ...fields(original), ...asNew(sendgrid) }
  return sendgrid.records[collection].create(copied)
}

export const campaigns: Operations = {
  ...operationsOf({ ...SENDERS, path: '/v3/marketing/senders', list: (results) => ({ results }) }),
  ...operationsOf({ ...SENDERS, path: '/v3/senders', list: (result) => ({ result }) }),
  'POST /v3/marketing/senders/{sender_id}/resend_verification': (sendgrid) =>
    sendgrid.find('senders') && sendgrid.empty,
  'POST /v3/senders/{sender_id}/resend_verification': (sendgrid) => sendgrid.find('senders') && sendgrid.empty,
  ...operationsOf({
    ...{ collection: 'designs', path: '/v3/designs', param: 'id', needed: 'html_content', form: DESIGN },
    list: (shown) => toList('designs', shown),
  }),
  'POST /v3/designs/{id}': (sendgrid) =>
    copy(sendgrid, 'designs', ({ name, editor = null }) => ({
      name: sendgrid.body.name ?? `Duplicate: ${name}`,
      editor: sendgrid.body.editor ?? editor,
    })),
  ...operationsOf({
    ...{ collection: 'singlesends', path: '/v3/marketing/singlesends', param: 'id', needed: 'name', form: CAMPAIGN },
    list: (shown) => toList('marketing/singlesends', shown),
  }),
  'POST /v3/marketing/singlesends/{id}': (sendgrid) =>
    copy(sendgrid, 'singlesends', ({ name }) => ({
      ...{ name: sendgrid.body.name ?? `Copy of ${name}`, status: 'draft', send_at: null },
    })),
  'DELETE /v3/marketing/singlesends': (sendgrid) => {
    sendgrid.removeAll('singlesends', textsOf(sendgrid.query.ids))
    return sendgrid.empty
  },
  'GET /v3/marketing/singlesends/categories': ({ records }) => ({
    categories: [...new Set([...records.singlesends].flatMap(({ categories }) => textsOf(categories)))],
  }),
  'POST /v3/marketing/singlesends/search': ({ records, body: { name, status } }) => {
    const found = records.singlesends.where(
      (one) =>
        (name === undefined || name === null || one.name === name) &&
        (status === undefined || status === null || textsOf(status).includes(String(one.status))),
    )
    return { result: found, _metadata: { count: found.length } }
  },
  'PUT /v3/marketing/singlesends/{id}/schedule': schedule,
  'DELETE /v3/marketing/singlesends/{id}/schedule': (sendgrid) => {
    const { timers } = sendgrid.records
    const { id, send_at } = sendgrid.change('singlesends', { status: 'draft', updated_at: sendgrid.time })
    for (const timer of timers.where({ stage: 'campaign', subject: id })) timers.remove(timer)
    return { send_at, status: 'draft' }
  },
  'GET /v3/marketing/stats/singlesends': (sendgrid) => {
    const sent = sendgrid.records.singlesends.where(({ status }) => status !== 'draft').toReversed()
    return { results: sent.map((one) => statisticsOf(sendgrid, one)), _metadata: { count: sent.length } }
  },
  'GET /v3/marketing/stats/singlesends/{id}': (sendgrid) => ({
    ...{ results: [statisticsOf(sendgrid, sendgrid.find('singlesends'))], _metadata: { count: 1 } },
  }),
}
