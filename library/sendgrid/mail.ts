import { valueText } from '../../src/protocol/json.ts'
import { firstFault } from '../shared/values.ts'
import { sendCampaign } from './campaigns.ts'
import { renderHandlebars } from './handlebars.ts'
import {
  type Due,
  emailsOf,
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  listOf,
  type Operations,
  SendGrid,
  type SendGridRequest,
  type Suppressed,
  textsOf,
} from './sendgrid.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Bytes of custom arguments at most. */
const MOST_OF_ARGS = 10_000
const MOST_PERSONS = 1_000
const MOST_CATEGORIES = 10
const MOST_AHEAD_S = 72 * 3_600
const RESERVED = new Set(
  'x-sg-id,x-sg-eid,received,dkim-signature,content-type,content-transfer-encoding,to,from,subject,reply-to,cc,bcc'.split(
    ',',
  ),
)

type Fault = readonly [message: string, field: string]

const isAddress = (address: string): boolean => address.split('@').length === 2

/** Why a request's mail is not sent, in SendGrid's words: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors */
function faultOf({ body, records, unix }: SendGridRequest): Fault | undefined {
  const { subject, template_id, batch_id, asm } = body
  const persons = listOf(body.personalizations)
  const contents = listOf(body.content)
  const from = fieldsOf(body.from).email
  const answerTo = fieldsOf(body.reply_to).email
  const categories = textsOf(body.categories)
  const attachments = listOf(body.attachments)
  const { group_id } = fieldsOf(asm)
  const isFirstHtml = contents[0]?.type === 'text/html'
  const badContent = attachments.findIndex(
    ({ content }) => typeof content === 'string' && !BASE64.test(content.replace(/\s/g, '')),
  )
  const faults: readonly (readonly [isFault: unknown, ...fault: Fault])[] = [
    [
      body.reply_to != null && body.reply_to_list != null,
      'The reply_to parameter and the reply_to_list parameter cannot be used together.',
      'reply_to_list',
    ],
    [
      group_id !== undefined && records.groups.get(Number(group_id)) === undefined,
      `The asm group ID must be a valid Group ID on your account. You provided '${group_id}'.`,
      'asm.group_id',
    ],
    ...[body, ...persons].map(faultOfExtras),
    [badContent >= 0, 'The attachment content must be base64 encoded.', `attachments.${badContent}.content`],
    [persons.length > MOST_PERSONS, `There may be at most ${MOST_PERSONS} personalizations.`, 'personalizations'],
    [
      persons.length === 0,
      'The personalizations field is required and must have at least one personalization.',
      'personalizations',
    ],
    [
      !from,
      'The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.',
      'from.email',
    ],
    [!valueText(from ?? '').includes('@'), 'The from email does not contain a valid address.', 'from.email'],
    [
      persons.some(({ to }) => listOf(to).length === 0),
      'The to array is required for all personalization objects, and must have at least one email object with a valid email address.',
      'personalizations.0.to',
    ],
    [
      !subject && !template_id && persons.some((person) => !person.subject),
      'The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.',
      'subject',
    ],
    [
      contents.length === 0 && !template_id,
      'Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.',
      'content',
    ],
    [
      contents.some(({ value }) => !value),
      'The content value must be a string at least one character in length.',
      'content.0.value',
    ],
    [
      contents.length > 0 && !contents[0]?.type,
      'The content type must be a string at least one character in length.',
      'content.0.type',
    ],
    [
      isFirstHtml && contents.some(({ type }) => type === 'text/plain'),
      'If present, text/plain and text/html may only be provided once, and text/plain must be first, followed by text/html.',
      'content',
    ],
    [
      categories.length > MOST_CATEGORIES,
      `There is a limit of ${MOST_CATEGORIES} categories for each email that is sent. You provided ${categories.length} categories.`,
      'categories',
    ],
    [
      new Set(categories).size < categories.length,
      'The categories must be a unique list, and you have included a category more than once.',
      'categories',
    ],
    [
      answerTo && !isAddress(valueText(answerTo)),
      'The reply_to email does not contain a valid address.',
      'reply_to.email',
    ],
    [
      attachments.some(({ content, filename }) => !content || !filename),
      'The attachment content and filename are required.',
      'attachments',
    ],
    [
      template_id && ![34, 36].includes(valueText(template_id).length),
      `The template_id must be a valid GUID, you provided '${template_id}'.`,
      'template_id',
    ],
    [
      Number(body.send_at ?? 0) > unix + MOST_AHEAD_S,
      'Scheduling more than 72 hours in advance is forbidden.',
      'send_at',
    ],
    [batch_id && records.batches.get(String(batch_id)) === undefined, 'The batch_id is not valid.', 'batch_id'],
    ...persons.flatMap((person) => {
      const addresses = addressesOf(person)
      return [
        [
          new Set(addresses).size < addresses.length,
          'Each email address in the personalization block should be unique between to, cc, and bcc.',
          'personalizations',
        ],
        [!addresses.every(isAddress), 'Does not contain a valid address.', 'personalizations.0.to.0.email'],
      ] as const
    }),
  ]
  return firstFault(faults, ([isFault, ...fault]) => (isFault ? fault : undefined))
}

/** Why the custom arguments or headers of a mail, or of one person's, are refused. */
function faultOfExtras({ custom_args = {}, headers }: Fields): readonly [isFault: unknown, ...fault: Fault] {
  const name = Object.keys(fieldsOf(headers)).find((header) => RESERVED.has(header.toLowerCase()))
  return name === undefined
    ? [
        Buffer.byteLength(JSON.stringify(custom_args)) > MOST_OF_ARGS,
        'The combined size of both global and personalization custom arguments may not exceed 10,000 bytes per personalization.',
        'custom_args',
      ]
    : [true, 'Header can not be one of the reserved keys.', `headers.${name}`]
}

const addressesOf = ({ to, cc, bcc }: Fields): string[] =>
  [to, cc, bcc].flatMap((part) => emailsOf(part).map((email) => email.toLowerCase()))

/** Whether mail is tracked where its request does not choose. */
const tracks = ({ records }: SendGrid, id: string): boolean =>
  fieldsOf(records.settings.get(id)?.values).enabled === true

const BYPASSED = {
  all: 'bypass_list_management',
  bounces: 'bypass_bounce_management',
  spam: 'bypass_spam_management',
  unsubscribes: 'bypass_unsubscribe_management',
} as const
type Bypassed = keyof typeof BYPASSED

/** Keeps the mail of one person for each of the addresses. */
function send(sendgrid: SendGridRequest, person: Fields, message_id: string): void {
  const { body, records, unix } = sendgrid
  const { template_id } = body
  const design = template_id ? records.template_versions.find({ template_id, active: 1 }) : undefined
  const contentOf = (type: string) => listOf(body.content).find((one) => one.type === type)?.value
  const fill = (text: Json): string => {
    const words = Object.entries(fieldsOf(person.substitutions))
    const replaced = words.reduce((all, [tag, value]) => all.replaceAll(tag, valueText(value)), valueText(text))
    return template_id ? renderHandlebars(replaced, fieldsOf(person.dynamic_template_data)) : replaced
  }
  const settings = fieldsOf(body.mail_settings)
  const { open_tracking, click_tracking } = fieldsOf(body.tracking_settings)
  const due = Number(person.send_at ?? body.send_at ?? 0)
  for (const email of addressesOf(person)) {
    const { id } = records.messages.create({
      ...{ message_id, sg_message_id: `${message_id}.recvd-${sendgrid.letters(8)}-0`, email },
      from: fieldsOf(body.from).email,
      subject: fill(design?.subject || (person.subject ?? body.subject ?? '')),
      html: fill(contentOf('text/html') ?? design?.html_content ?? (template_id ? '<p>' : '')),
      text: fill(contentOf('text/plain') ?? design?.plain_content ?? ''),
      categories: textsOf(body.categories),
      custom_args: { ...fieldsOf(body.custom_args), ...fieldsOf(person.custom_args) },
      asm_group_id: fieldsOf(body.asm).group_id ?? 0,
      tracks_opens: fieldsOf(open_tracking).enable ?? tracks(sendgrid, 'open'),
      tracks_clicks: fieldsOf(click_tracking).enable ?? tracks(sendgrid, 'click'),
      bypassed: Object.entries(BYPASSED).flatMap(([what, name]) =>
        fieldsOf(settings[name]).enable === true ? [what] : [],
      ),
      ...{ batch_id: body.batch_id ?? '', template_id: template_id ?? '', send_at: due, created: unix },
      dynamic_template_data: fieldsOf(person.dynamic_template_data),
    })
    const at = due > 0 ? new Date(due * 1_000).toISOString() : sendgrid.later(1)
    records.timers.create({ at, stage: 'processed', subject: id })
  }
}

/** Tells the webhooks what has happened to a mail. */
function happen(sendgrid: SendGrid, mail: Kept, event: string, more: Fields = {}): void {
  const { records, unix } = sendgrid
  const { email = null, sg_message_id = null } = mail
  records.happenings.create({
    type: event,
    payload: {
      ...fieldsOf(mail.custom_args),
      ...{ email, timestamp: unix, 'smtp-id': `<${mail.message_id}@geopod-ismtpd-0>`, event },
      ...(textsOf(mail.categories).length > 0 && { category: mail.categories }),
      ...{ sg_event_id: sendgrid.letters(22), sg_message_id },
      ...(Number(mail.asm_group_id) > 0 && { asm_group_id: mail.asm_group_id }),
      ...more,
    },
  })
}

/** Adds the address of a mail to the suppressed ones. */
function suppress({ records, unix }: SendGrid, { email }: Kept, collection: Suppressed, fields: Fields = {}): void {
  if (records[collection].get(email as string) === undefined)
    records[collection].create({ email, created: unix, ...fields })
}

/** Why a mail is not delivered; undefined for one that is. */
function dropReason({ records }: SendGrid, { email, asm_group_id, bypassed }: Kept): string | undefined {
  const isBypassed = (...which: Bypassed[]) => which.some((one) => textsOf(bypassed).includes(one))
  const isIn = (collection: Suppressed) => records[collection].get(email as string) !== undefined
  if (isIn('bounces') && !isBypassed('all', 'bounces')) return 'Bounced Address'
  if (isIn('spam_reports') && !isBypassed('all', 'spam')) return 'Spam Reporting Address'
  if (isIn('invalid_emails')) return 'Invalid'
  if (isIn('unsubscribes') && !isBypassed('all', 'unsubscribes')) return 'Unsubscribed Address'
  const hasLeft = records.group_suppressions.some({ email, group_id: asm_group_id })
  return hasLeft && !isBypassed('all') ? 'Unsubscribed Address' : undefined
}

const CLIENT = { useragent: 'Mozilla/5.0', ip: '198.51.100.7' }
const BOUNCE = { reason: '550 5.1.1 The email account does not exist', status: '5.1.1' }
const BLOCK = { reason: '550 5.7.1 blocked', status: '5.7.1' }

/** What happens to a mail at a stage. */
type Stage = (sendgrid: SendGrid, mail: Kept) => void

/** Plans stages of a mail, each some seconds later. */
function goOn(sendgrid: SendGrid, { id }: Kept, stages: Readonly<Record<string, number>>): void {
  for (const [stage, seconds] of Object.entries(stages))
    sendgrid.records.timers.create({ at: sendgrid.later(seconds), stage, subject: id })
}

/** The stages of a mail. The part of an address before `@` chooses them: `bounced@`, `blocked@`, `deferred@`, `spamreport@`. */
const STAGES: Readonly<Record<string, Stage>> = {
  processed(sendgrid, mail) {
    const { records } = sendgrid
    const set = (status: string) => records.messages.update(mail, { status })
    const plan = records.scheduled_sends.get(mail.batch_id as string)
    if (plan?.status === 'cancel') return void set('canceled')
    if (plan?.status === 'pause') return goOn(sendgrid, mail, { processed: 60 })
    const reason = dropReason(sendgrid, mail)
    set(reason === undefined ? 'processed' : 'dropped')
    if (reason !== undefined) return happen(sendgrid, mail, 'dropped', { reason, status: '5.0.0' })
    happen(sendgrid, mail, 'processed', Number(mail.send_at) > 0 ? { send_at: mail.send_at ?? null } : {})
    const local = localOf(mail)
    if (local === 'deferred') goOn(sendgrid, mail, { deferred: 2, delivered: 300 })
    else goOn(sendgrid, mail, { [local === 'bounced' || local === 'blocked' ? local : 'delivered']: 2 })
  },
  delivered(sendgrid, mail) {
    sendgrid.records.messages.update(mail, { status: 'delivered' })
    happen(sendgrid, mail, 'delivered', { response: '250 OK' })
    const html = valueText(mail.html)
    const local = localOf(mail)
    if (html !== '' && mail.tracks_opens) goOn(sendgrid, mail, { opened: 60 })
    if (html.includes('href=') && mail.tracks_clicks) goOn(sendgrid, mail, { clicked: 120 })
    if (local === 'spamreport') goOn(sendgrid, mail, { reported: 180 })
    if (local === 'unsubscribe') goOn(sendgrid, mail, { unsubscribed: 180 })
    if (local === 'group_unsubscribe' && Number(mail.asm_group_id) > 0) goOn(sendgrid, mail, { left: 180 })
  },
  opened: (sendgrid, mail) =>
    happen(sendgrid, mail, 'open', { ...CLIENT, sg_content_type: 'html', sg_machine_open: false }),
  clicked(sendgrid, mail) {
    const url = valueText(mail.html).split('href="')[1]?.split('"')[0] ?? null
    happen(sendgrid, mail, 'click', { ...CLIENT, url, url_offset: { index: 0, type: 'html' } })
  },
  deferred(sendgrid, mail) {
    sendgrid.records.messages.update(mail, { status: 'deferred' })
    happen(sendgrid, mail, 'deferred', { response: '400 try again later', attempt: '1' })
  },
  bounced(sendgrid, mail) {
    sendgrid.records.messages.update(mail, { status: 'bounced' })
    happen(sendgrid, mail, 'bounce', { ...BOUNCE, type: 'bounce', bounce_classification: 'Invalid Address' })
    suppress(sendgrid, mail, 'bounces', BOUNCE)
  },
  blocked(sendgrid, mail) {
    sendgrid.records.messages.update(mail, { status: 'blocked' })
    happen(sendgrid, mail, 'bounce', { ...BLOCK, type: 'blocked', bounce_classification: 'Reputation' })
    suppress(sendgrid, mail, 'blocks', BLOCK)
  },
  reported(sendgrid, mail) {
    happen(sendgrid, mail, 'spamreport')
    suppress(sendgrid, mail, 'spam_reports', { ip: CLIENT.ip })
  },
  unsubscribed(sendgrid, mail) {
    happen(sendgrid, mail, 'unsubscribe')
    suppress(sendgrid, mail, 'unsubscribes')
  },
  left(sendgrid, mail) {
    happen(sendgrid, mail, 'group_unsubscribe', CLIENT)
    const { email, asm_group_id: group_id } = mail
    sendgrid.records.group_suppressions.create({ email, group_id, created_at: sendgrid.unix })
  },
}

const localOf = ({ email }: Kept): string => valueText(email).split('@')[0] ?? ''

/** What the plan calls. */
export function fire(due: Due): void {
  const sendgrid = new SendGrid(due)
  const { stage, subject } = due.record
  const { [String(stage)]: goesOn } = STAGES
  const of = stage === 'campaign' ? sendgrid.records.singlesends : sendgrid.records.messages
  const found = of.get(subject as string)
  if (found !== undefined) (stage === 'campaign' ? sendCampaign : goesOn)?.(sendgrid, found)
  due.remove()
}

/** The state that a request gives a batch. */
function statusIn(sendgrid: SendGridRequest): string {
  const { status } = sendgrid.body
  if (status === 'cancel' || status === 'pause') return status
  return sendgrid.refuse('The status must be cancel or pause.', 'status')
}

export const mail: Operations = {
  'POST /v3/mail/send': (sendgrid) => {
    const fault = faultOf(sendgrid)
    if (fault !== undefined) sendgrid.refuse(...fault)
    const id = sendgrid.letters(22)
    const isSandbox = fieldsOf(fieldsOf(sendgrid.body.mail_settings).sandbox_mode).enable === true
    if (!isSandbox) for (const person of listOf(sendgrid.body.personalizations)) send(sendgrid, person, id)
    const headers = { 'X-Message-Id': id, 'Content-Type': 'text/plain' }
    return sendgrid.of.respond({ status: isSandbox ? 200 : 202, headers, body: '' })
  },
  'POST /v3/mail/batch': (sendgrid) => sendgrid.records.batches.create({ batch_id: sendgrid.letters(48) }),
  'GET /v3/mail/batch/{batch_id}': (sendgrid) =>
    sendgrid.records.batches.get(sendgrid.path.batch_id) ?? sendgrid.refuse('invalid batch id', 'batch_id'),
  'POST /v3/user/scheduled_sends': (sendgrid) => {
    const { batches, scheduled_sends } = sendgrid.records
    const batch_id = String(sendgrid.body.batch_id ?? '')
    if (batches.get(batch_id) === undefined) sendgrid.refuse('invalid batch id', 'batch_id')
    const status = statusIn(sendgrid)
    if (scheduled_sends.get(batch_id) !== undefined)
      sendgrid.refuse('a status update already exists for this batch id', 'batch_id')
    return scheduled_sends.create({ batch_id, status })
  },
  'GET /v3/user/scheduled_sends': ({ records }) => records.scheduled_sends.where({}).toReversed(),
  'GET /v3/user/scheduled_sends/{batch_id}': ({ records, path }) =>
    records.scheduled_sends.where({ batch_id: path.batch_id }),
  'PATCH /v3/user/scheduled_sends/{batch_id}': (sendgrid) => {
    sendgrid.change('scheduled_sends', { status: statusIn(sendgrid) })
    return sendgrid.empty
  },
  'DELETE /v3/user/scheduled_sends/{batch_id}': (sendgrid) => sendgrid.remove('scheduled_sends'),
}
