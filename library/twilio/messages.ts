import { isJsonObject, jsonOr, lengthOf, valueText } from '../../src/protocol/json.ts'
import { typeOfFile } from '../shared/media-type.ts'
import { phone } from '../shared/phone.ts'
import { rendered } from '../shared/rendered.ts'
import { addMessage, conversationWith } from './chats.ts'
import { segmentsOf } from './segments.ts'
import {
  addressOf,
  documentOf,
  type Faults,
  failureAt,
  isAddress,
  isAsked,
  refuseNumber,
  refuseUnfinished,
  unusable,
} from './sending.ts'
import {
  ACCOUNT,
  API_VERSION,
  type Fields,
  fieldsOf,
  isMissing,
  type Json,
  type Kept,
  mailTime,
  type Operations,
  operationsOf,
  reachedBy,
  settingsOf,
  type Twilio,
  type TwilioRequest,
  textOf,
  viewOf,
} from './twilio.ts'
import { keyword, twiml } from './twiml.ts'

const PATH = `${ACCOUNT}/Messages`
const MOST_MEDIA = 10
const MOST_LETTERS = 1_600
/** A scheduled message is sent five minutes from now at the earliest, less what a request takes, and after 35 days at the latest. */
const SOONEST_S = 295
const LATEST_S = 35 * 86_400

/** The numbers of Twilio's test credentials: twilio.com/docs/iam/test-credentials. */
const REFUSED_TO: Faults = {
  '+15005550001': [21211, "Invalid 'To' Phone Number: +1500555XXXX"],
  '+15005550002': [21612, "Message cannot be sent with the current combination of 'To' and/or 'From' parameters."],
  '+15005550003': [
    21408,
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.",
  ],
  '+15005550004': [21610, 'Attempt to send to unsubscribed recipient'],
  '+15005550009': [21614, "'To' number is not a valid mobile number."],
}
const REFUSED_FROM: Faults = {
  '+15005550001': unusable('+15005550001'),
  '+15005550007': [
    21606,
    "The 'From' phone number provided is not a valid message-capable Twilio phone number for this destination.",
  ],
  '+15005550008': [21611, "This 'From' number has exceeded the maximum number of queued messages.", 429],
}

/** Numbers whose messages fail later; only backlot has them. */
const LOST: Readonly<Record<string, readonly [status: string, code: number, message: string]>> = {
  '+15005550020': ['undelivered', 30003, 'Unreachable destination handset'],
  '+15005550021': ['undelivered', 30004, 'Message blocked'],
  '+15005550022': ['undelivered', 30005, 'Unknown destination handset'],
  '+15005550023': ['undelivered', 30006, 'Landline or unreachable carrier'],
  '+15005550024': ['undelivered', 30007, 'Message filtered'],
  '+15005550025': ['failed', 30008, 'Unknown error'],
}

const show = viewOf(PATH, 'Media Feedback', 'callback fallback signs_with')

/** Sends the status of a message: to its callback, but for the first one (…/outbound-message-status-in-status-callbacks). */
const announce = (twilio: Twilio, message: Kept, callback: Json | undefined = ''): void =>
  twilio.happen(`message.${message.status}`, callback, {
    ...{ SmsSid: message.sid, MessageSid: message.sid, SmsStatus: message.status, MessageStatus: message.status },
    ...{ To: message.to, From: message.from ?? '', AccountSid: message.account_sid, ApiVersion: API_VERSION },
    ...{ MessagingServiceSid: message.messaging_service_sid, ErrorCode: message.error_code },
  })

const change = (twilio: Twilio, message: Kept, fields: Fields): Kept => {
  const changed = twilio.update('messages', message, fields)
  announce(twilio, changed, message.callback)
  return changed
}

/** What time brings to a message. */
export const messageStages = {
  sent: (twilio: Twilio, message: Kept): void => {
    if (!['queued', 'accepted', 'scheduled'].includes(textOf(message.status))) return
    const service = { service_sid: message.messaging_service_sid ?? '' }
    const from = message.from ?? twilio.records.service_numbers.find(service)?.phone_number ?? '+15005550006'
    const num_segments = String(segmentsOf(textOf(message.body)))
    const queued = message.status === 'queued' ? message : change(twilio, message, { status: 'queued', from })
    change(twilio, queued, { status: 'sent', num_segments, from, date_sent: twilio.time, price: '-0.00790' })
  },
  delivered: (twilio: Twilio, message: Kept): void => {
    if (message.status === 'sent') change(twilio, message, { status: 'delivered' })
  },
  lost: (twilio: Twilio, message: Kept): void => {
    const [status, error_code, error_message] = LOST[textOf(message.to)] ?? []
    if (status === undefined || ['canceled', 'delivered'].includes(textOf(message.status))) return
    change(twilio, message, { status, error_code: error_code ?? null, error_message: error_message ?? null })
  },
}

/** A new message, with its media. Those with media have sids of their own kind. */
function createMessage(twilio: Twilio, fields: Fields, media: readonly string[]): Kept {
  const message = twilio.create('messages', {
    ...{ sid: twilio.sid(media.length > 0 ? 'MM' : 'SM'), num_media: String(media.length) },
    ...{ num_segments: String(segmentsOf(textOf(fields.body))), ...fields },
  })
  for (const url of media)
    twilio.create('media', {
      ...{ account_sid: fields.account_sid ?? '', parent_sid: message.sid, content_type: typeOfFile(url) },
    })
  return message
}

/** A message that the account answers with. */
export interface Reply {
  readonly account_sid: Json
  readonly from: Json
  readonly to: Json
  readonly body: string
  readonly media?: readonly string[]
  /** Its callback, and the token that signs for it. */
  readonly callback?: string
  readonly secret?: Json
  /** @default `outbound-reply` */
  readonly direction?: string
}

export function sendReply(twilio: Twilio, { media = [], callback = '', secret = null, ...fields }: Reply): void {
  twilio.listen(callback, secret)
  const reply = { direction: 'outbound-reply', ...fields, callback, status: 'queued' }
  const message = createMessage(twilio, reply, media)
  announce(twilio, message)
  twilio.later(1, message, 'sent')
  twilio.later(3, message, 'delivered')
}

/** Sends what is written in a conversation to the others who take part by SMS. */
export function passOn(twilio: Twilio, { account_sid = '', sid }: Kept, { author, body }: Kept): void {
  for (const { messaging_binding } of twilio.records.conversation_participants.where({ conversation_sid: sid })) {
    const { address: to = author, proxy_address: from = '' } = fieldsOf(messaging_binding)
    const sent = { account_sid, from, body: textOf(body), direction: 'outbound-api' }
    if (to !== undefined && to !== author) sendReply(twilio, { ...sent, to })
  }
}

const textsOf = (value: Json | undefined): string[] => [value ?? []].flat().map(valueText)

/** Whom a request is from and to; refuses what Twilio does. */
function checkPeople(twilio: TwilioRequest): void {
  const [from, to] = [twilio.text('From'), twilio.text('To')]
  if (to === '') twilio.refuse(21604, "A 'To' phone number is required.")
  const fault = REFUSED_TO[to] ?? REFUSED_FROM[from]
  if (fault !== undefined) twilio.refuse(...fault)
  if (phone(to).possible !== true) refuseNumber(twilio, to)
  if (from === '' && !twilio.has('MessagingServiceSid')) twilio.refuse(21603, "A 'From' phone number is required.")
  const isSender = /^(?:[a-z]+:.+|\+.*|\d{3,8}|(?=.*[A-Za-z])[\w &+-]{1,11}|1?\d{10})$/.test(from)
  if (from !== '' && (!isSender || (from.startsWith('+') && phone(from).possible !== true)))
    twilio.refuse(...unusable(from))
  if (from !== '' && phone(from).channel !== phone(to).channel)
    twilio.refuse(21910, 'Invalid From and To pair. From and To should be of the same channel')
  if (from !== '' && addressOf(from) === addressOf(to))
    twilio.refuse(21266, "'To' and 'From' number cannot be the same.")
}

/** Where the text of a content template is, by its type. */
const TEMPLATE_TEXTS = {
  'twilio/text': 'body',
  'twilio/media': 'body',
  'twilio/quick-reply': 'body',
  'twilio/list-picker': 'body',
  'twilio/call-to-action': 'body',
  'twilio/card': 'title',
}

/** The text of a request, or of the content template that it names. */
function textIn(twilio: TwilioRequest): string {
  const { Body, ContentSid, ContentVariables, MediaUrl } = twilio.body
  if (isMissing(Body) && isMissing(ContentSid) && isMissing(MediaUrl))
    twilio.refuse(21619, 'A text message body or media urls must be specified.')
  if (isMissing(ContentSid) && !isMissing(ContentVariables)) twilio.refuse(21654, 'ContentSid Required')
  if (!isMissing(Body)) return valueText(Body)
  if (isMissing(ContentSid)) return ''
  const content =
    twilio.records.contents.get(valueText(ContentSid)) ?? twilio.refuse(21655, 'The ContentSid is Invalid')
  const given = isMissing(ContentVariables) ? {} : jsonOr(valueText(ContentVariables), null)
  if (!isJsonObject(given)) return twilio.refuse(21656, 'The ContentVariables Parameter is invalid')
  const types = fieldsOf(content.types)
  const texts = Object.entries(TEMPLATE_TEXTS).map(([type, field]) => fieldsOf(types[type])[field])
  const template = texts.find((text) => !isMissing(text)) ?? ''
  return valueText(rendered({ of: template, with: { ...fieldsOf(content.variables), ...given } }))
}

/** When a scheduled message is sent; undefined for one that is sent now. */
function scheduledIn(twilio: TwilioRequest): Date | undefined {
  if (!twilio.has('ScheduleType')) return
  if (!twilio.has('MessagingServiceSid')) twilio.refuse(35118, 'MessagingServiceSid is required to schedule a message.')
  if (!twilio.has('SendAt')) twilio.refuse(35111, 'SendAt timestamp is missing.')
  const time = new Date(twilio.text('SendAt'))
  const seconds = (time.getTime() - twilio.now.getTime()) / 1_000
  if (!(seconds >= SOONEST_S && seconds <= LATEST_S))
    twilio.refuse(35114, 'Scheduling does not support this timestamp.')
  return time
}

function send(twilio: TwilioRequest): Fields {
  const { applications, incoming_phone_numbers, messaging_services, opt_outs, service_numbers } = twilio.records
  const serviceSid = twilio.text('MessagingServiceSid')
  checkPeople(twilio)
  const service = messaging_services.get(serviceSid)
  if (serviceSid !== '' && service === undefined) twilio.refuse(21701, 'The Messaging Service does not exist.')
  const asked = twilio.text('StatusCallback')
  if (asked !== '' && !isAddress(asked)) twilio.refuse(21609, `The 'StatusCallback' URL ${asked} is not a valid URL.`)
  const media = textsOf(twilio.body.MediaUrl)
  if (media.length > MOST_MEDIA) twilio.refuse(21623, 'Number of media files exceeds allowed limit.')
  if (!media.every(isAddress)) twilio.refuse(21620, 'Invalid media URL(s)')
  const body = textIn(twilio)
  if (lengthOf(body) > MOST_LETTERS)
    twilio.refuse(21617, 'The concatenated message body exceeds the 1600 character limit.')
  const sendAt = scheduledIn(twilio)
  const from = twilio.has('From') ? addressOf(twilio.text('From')) : null
  const to = addressOf(twilio.text('To'))
  const pooled = service_numbers.find({ service_sid: serviceSid })
  if (opt_outs.some({ from: pooled?.phone_number ?? from, to }))
    twilio.refuse(21610, 'Attempt to send to unsubscribed recipient')
  const application = applications.get(twilio.text('ApplicationSid'))
  const callback = asked || textOf(service?.status_callback) || textOf(application?.message_status_callback)
  const message = createMessage(
    twilio,
    {
      ...{ account_sid: twilio.account, to, from, body, callback, messaging_service_sid: serviceSid || null },
      ...(serviceSid !== '' && { num_segments: '0' }),
      status: sendAt === undefined ? (serviceSid === '' ? 'queued' : 'accepted') : 'scheduled',
    },
    media,
  )
  twilio.listen(callback, twilio.of.key)
  announce(twilio, message)
  const [sentIn, endsIn] = sendAt === undefined ? [1, 3] : [0, 2]
  if (LOST[to]?.[0] !== 'failed') twilio.later(sentIn, message, 'sent', sendAt)
  twilio.later(endsIn, message, to in LOST ? 'lost' : 'delivered', sendAt)
  const own = incoming_phone_numbers.find({ phone_number: phone(to).number ?? '' })
  if (own !== undefined) receive(twilio, own, { from: from ?? '+15005550006', to, body, media })
  return show(message, twilio)
}

/** A message that has arrived, as its form has it. */
const formOf = ({ account_sid, body, from, messaging_service_sid, num_media, num_segments, sid, to }: Kept) => ({
  ...{ SmsMessageSid: sid, SmsSid: sid, MessageSid: sid, AccountSid: account_sid, From: from, To: to, Body: body },
  ...{ MessagingServiceSid: messaging_service_sid, NumMedia: num_media, NumSegments: num_segments },
  ...{ SmsStatus: 'received', ApiVersion: API_VERSION },
  ...{ FromCountry: phone(textOf(from)).country, ToCountry: phone(textOf(to)).country },
  ...(textOf(from).startsWith('whatsapp:') && { ProfileName: 'Ada', WaId: textOf(from).replace(/\D/g, '') }),
})

interface Arriving {
  readonly from: string
  readonly to: string
  readonly body: string
  readonly media: readonly string[]
}

const OPTED_OUT =
  'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.'
const OPTED_IN =
  'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.'

/** A message to a number of the account: its address is asked what to answer. */
function receive(twilio: TwilioRequest, own: Kept, { from, to, body, media }: Arriving): void {
  const { messaging_services, opt_outs, service_numbers } = twilio.records
  const { account_sid = '', phone_number = '' } = own
  const inbox = messaging_services.get(textOf(service_numbers.find({ phone_number })?.service_sid))
  const set = settingsOf(twilio, own, 'sms')
  const isOfInbox = inbox?.use_inbound_webhook_on_number === false && !isMissing(inbox.inbound_request_url)
  const address = isOfInbox
    ? reachedBy(inbox.inbound_method, inbox.inbound_request_url)
    : reachedBy(set.sms_method, set.sms_url)
  const fallback = isOfInbox
    ? reachedBy(inbox.fallback_method, inbox.fallback_url)
    : reachedBy(set.sms_fallback_method, set.sms_fallback_url)
  const arrived = createMessage(
    twilio,
    {
      ...{ account_sid, to, from, body, status: 'received', direction: 'inbound', date_sent: twilio.time },
      ...{ messaging_service_sid: inbox?.sid ?? null, signs_with: twilio.of.key, callback: address, fallback },
    },
    media,
  )
  for (const one of [address, fallback]) twilio.listen(one, twilio.of.key)
  twilio.happen('message.received', address, {
    ...Object.fromEntries(media.map((url, at) => [`MediaUrl${at}`, url])),
    ...Object.fromEntries(media.map((url, at) => [`MediaContentType${at}`, typeOfFile(url)])),
    ...formOf(arrived),
  })
  const chat = conversationWith(twilio, from, to)
  if (chat !== undefined) passOn(twilio, chat, addMessage(twilio, chat, { author: from, body }, 'SMS'))
  const answer = (text: string): void => sendReply(twilio, { account_sid, from: to, to: from, body: text })
  const optOut = { from: to, to: from }
  const word = keyword(body)
  if (word === 'help') answer('Reply STOP to unsubscribe. Msg&Data Rates May Apply.')
  if (word === 'stop') {
    opt_outs.create(optOut)
    answer(OPTED_OUT)
  }
  if (word === 'start' && opt_outs.some(optOut)) {
    twilio.removeAll('opt_outs', optOut)
    answer(OPTED_IN)
  }
}

const belowMessage = (twilio: TwilioRequest): Kept => twilio.find('messages', twilio.path.MessageSid)

const MEDIA = `${PATH}/{MessageSid}/Media`
const showMedia = viewOf(`${PATH}/{ParentSid}/Media`)

export const messages: Operations = {
  ...operationsOf({ collection: 'messages', path: PATH, show, has: 'read' }),
  [`POST ${PATH}.json`]: send,
  [`GET ${PATH}.json`]: (twilio) => {
    const all = twilio.records.messages.where({ account_sid: twilio.account })
    const found = twilio
      .asked(all, 'To From')
      .filter((message) => isAsked(twilio, 'DateSent', message.date_sent ?? message.date_created))
    return twilio.page('messages', found, (message) => show(message, twilio))
  },
  [`POST ${PATH}/{Sid}.json`]: (twilio) => {
    const message = twilio.find('messages')
    const isCanceled = twilio.body.Status === 'canceled'
    if (isCanceled && message.status !== 'scheduled') twilio.refuse(30409, 'This message cannot be canceled.', 409)
    const canceled = isCanceled ? change(twilio, message, { status: 'canceled' }) : message
    return show(twilio.update('messages', canceled, twilio.sent('Body')), twilio)
  },
  [`DELETE ${PATH}/{Sid}.json`]: (twilio) => {
    const message = twilio.find('messages')
    refuseUnfinished(twilio, message, ['accepted', 'queued', 'scheduled'])
    twilio.removeAll('media', { parent_sid: message.sid })
    twilio.records.messages.remove(message)
    return twilio.empty
  },
  ...operationsOf({ collection: 'media', path: MEDIA, show: showMedia, has: 'read delete' }),
  [`GET ${MEDIA}.json`]: (twilio) => {
    const media = twilio.records.media.where({ parent_sid: belowMessage(twilio).sid }).reverse()
    return twilio.page('media_list', media, (one) => showMedia(one, twilio))
  },
  [`POST ${PATH}/{MessageSid}/Feedback.json`]: (twilio) => {
    const { sid } = belowMessage(twilio)
    const date = mailTime(twilio.now)
    const dates = { date_created: date, date_updated: date }
    const outcome = twilio.text('Outcome') || 'confirmed'
    return { account_sid: twilio.account, message_sid: sid, outcome, ...dates, uri: twilio.target }
  },
  /** What the address of a number has answered to a message. */
  'POST /test_helpers/messages/{MessageSid}/twiml': (twilio) => {
    const message = belowMessage(twilio)
    const { account_sid = '', callback, from = '', to = '', sid, signs_with } = message
    for (const verb of twiml(documentOf(twilio), textOf(callback)).verbs) {
      if (verb.verb === 'Redirect') {
        twilio.listen(verb.text, signs_with ?? null)
        twilio.happen('message.redirected', verb.text, formOf(message))
      }
      if (verb.verb !== 'Message') continue
      const pictures = verb.nouns.filter(({ verb: noun }) => noun === 'Media')
      sendReply(twilio, {
        ...{ account_sid, from: to, to: verb.to ?? from, secret: signs_with ?? null },
        body: textOf(fieldsOf(verb.Body).text) || verb.text,
        media: pictures.map(({ text }) => text),
        callback: textOf(verb.statusCallback) || textOf(verb.action),
      })
    }
    return { sid }
  },
  /** The address of a number did not answer: its fallback is asked, once. */
  'POST /test_helpers/messages/{MessageSid}/failed': (twilio) => {
    const message = belowMessage(twilio)
    const { callback, fallback = '', sid } = message
    if (fallback === '') return { sid }
    twilio.records.messages.update(message, { callback: fallback, fallback: '' })
    twilio.happen('message.redirected', fallback, { ...formOf(message), ...failureAt(callback) })
    return { sid }
  },
  /** A page for browsers: the messages that were sent and received. */
  'GET /messages': ({ of, records }) =>
    of.page(() => {
      const rows = [...records.messages].slice(0, 50).map(({ body, from, to, status }) => ({
        ...{ label: valueText(body), value: valueText(status), detail: `From ${from} to ${to}` },
      }))
      return { title: 'Messages', parts: [{ rows, name: 'Messages' }] }
    }),
}
