import { phone } from '../shared/phone.ts'
import { isLive, LiveCalls, UNANSWERED } from './live-calls.ts'
import { refuseState } from './recordings.ts'
import { documentOf, type Faults, isAddress, isAsked, refuseNumber, refuseUnfinished, unusable } from './sending.ts'
import {
  ACCOUNT,
  type Fields,
  isMissing,
  type Json,
  type Kept,
  type Operations,
  only,
  operationsOf,
  reachedBy,
  settingsOf,
  type TwilioRequest,
  textOf,
  viewOf,
} from './twilio.ts'

const PATH = `${ACCOUNT}/Calls`
const ANSWERED_S = 4
const LASTS_S = 10
/** When callers give up on a number that does not answer, in seconds. */
const GIVES_UP_S: Readonly<Record<string, number>> = { busy: 3, failed: 3, 'no-answer': 31 }

/** The numbers of Twilio's test credentials: twilio.com/docs/iam/test-credentials. */
const REFUSED_TO: Faults = {
  '+15005550001': [21217, "The phone number you provided in 'To' does not appear to be valid."],
  '+15005550002': [21214, "'To' phone number cannot be reached."],
  '+15005550003': [21215, "Account not authorized to call the country of the 'To' number."],
  '+15005550004': [21216, "Account not allowed to call the 'To' number."],
}
const REFUSED_FROM: Faults = {
  '+15005550001': unusable('+15005550001'),
  '+15005550007': [21210, "'From' phone number not verified."],
}

const show = viewOf(
  PATH,
  'Events Notifications Payments Recordings Siprec Streams Transcriptions UserDefinedMessageSubscriptions UserDefinedMessages',
  'amd_callback callback callback_events channels detects fallback gather no_input_at record recording_callback recording_events rest rings signs_with spoken twiml url',
)

/** A number in both forms that calls show; an address of another kind as it is. */
const formsOf = (given: string): readonly [address: string, formatted: string] => {
  const { channel, friendly, number, valid } = phone(given)
  return valid === true ? [channel === '' ? textOf(number) : given, textOf(friendly)] : [given, given]
}

/** Calls a number, which rings after a second and answers after four, or never. */
export function place(twilio: TwilioRequest, fields: Fields): Kept {
  const [to, from, callback] = [twilio.text('To'), twilio.text('From'), twilio.text('StatusCallback')]
  if (to === '') twilio.refuse(21201, "No 'To' number is specified.")
  if (from === '') twilio.refuse(21213, "No 'From' number is specified.")
  const fault = REFUSED_TO[to] ?? REFUSED_FROM[from]
  if (fault !== undefined) twilio.refuse(...fault)
  const { channel, number, possible } = phone(to)
  if (possible !== true && channel === '') refuseNumber(twilio, to)
  if (from.startsWith('+') && phone(from).possible !== true) twilio.refuse(...unusable(from))
  if (callback !== '' && !isAddress(callback)) twilio.refuse(21626, `StatusCallback is not a valid URL: ${callback}`)
  const [[toNumber, to_formatted], [fromNumber, from_formatted]] = [formsOf(to), formsOf(from)]
  const recordingCallback = twilio.address('RecordingStatusCallback')
  const call = twilio.create('calls', {
    ...{ account_sid: twilio.account, to: toNumber, from: fromNumber, to_formatted, from_formatted },
    ...{ callback: twilio.address('StatusCallback'), fallback: twilio.address('FallbackUrl', 'FallbackMethod') },
    ...{ callback_events: twilio.body.StatusCallbackEvent ?? ['completed'], record: twilio.body.Record ?? false },
    ...{ recording_callback: recordingCallback, signs_with: twilio.of.key, ...fields },
  })
  for (const address of [call.callback, recordingCallback, call.url, call.amd_callback, call.fallback])
    twilio.listen(address, twilio.of.key)
  const live = new LiveCalls(twilio.of)
  live.hear(call, call.twiml ?? '')
  const announced = live.announce(call, 'initiated')
  const unanswered = UNANSWERED[textOf(number)]
  if (unanswered !== 'failed') twilio.later(1, call, 'ringing')
  if (unanswered === undefined) twilio.later(ANSWERED_S, call, 'answered')
  else twilio.later(GIVES_UP_S[unanswered] ?? 0, call, 'unanswered')
  return announced
}

function createCall(twilio: TwilioRequest): Fields {
  const { applications, incoming_phone_numbers } = twilio.records
  const url = twilio.text('Url')
  if (url === '' && !twilio.has('Twiml') && !twilio.has('ApplicationSid'))
    twilio.refuse(21205, 'Url parameter is required.')
  if (url !== '' && !isAddress(url)) twilio.refuse(21205, `Url is not a valid URL: ${url}`)
  const { AsyncAmd, MachineDetection, RecordingChannels, RecordingStatusCallbackEvent } = twilio.body
  const application = applications.get(twilio.text('ApplicationSid'))
  const addressOfApplication = reachedBy(application?.voice_method, application?.voice_url)
  const call = place(twilio, {
    ...{ url: url === '' ? addressOfApplication : twilio.address('Url', 'Method'), twiml: twilio.text('Twiml') },
    ...{ recording_events: RecordingStatusCallbackEvent ?? ['completed'], detects: !isMissing(MachineDetection) },
    channels: RecordingChannels === 'dual' ? 2 : 1,
    amd_callback: AsyncAmd === 'true' ? twilio.address('AsyncAmdStatusCallback') : '',
  })
  if (!(textOf(call.to) in UNANSWERED)) twilio.later(ANSWERED_S + LASTS_S, call, 'completed')
  const own = incoming_phone_numbers.find({ phone_number: call.to ?? '' })
  if (own !== undefined) receive(twilio, own, call)
  return show(call, twilio)
}

/** A call to a number of the account: its address is asked what to do. */
function receive(twilio: TwilioRequest, own: Kept, call: Kept): void {
  const set = settingsOf(twilio, own, 'voice')
  const url = reachedBy(set.voice_method, set.voice_url)
  if (url === '') return
  const callback = reachedBy(set.status_callback_method, set.status_callback)
  const fallback = reachedBy(set.voice_fallback_method, set.voice_fallback_url)
  const arrived = twilio.create('calls', {
    ...{ ...only(call, 'from from_formatted to to_formatted'), ...only(own, 'account_sid') },
    ...{ phone_number_sid: own.sid, direction: 'inbound', start_time: twilio.time },
    ...{ callback, callback_events: ['completed'], url, fallback, status: 'ringing' },
    signs_with: twilio.of.key,
  })
  for (const address of [callback, fallback]) twilio.listen(address, twilio.of.key)
  new LiveCalls(twilio.of).ask(arrived, url)
  twilio.records.calls.update(arrived, { status: 'in-progress' })
  twilio.later(ANSWERED_S + LASTS_S, arrived, 'completed')
}

/** Ends a live call, or gives it other TwiML. */
function redirect(twilio: TwilioRequest): Fields {
  const { Status, StatusCallbackEvent } = twilio.body
  const [url, callback] = [twilio.address('Url', 'Method'), twilio.address('StatusCallback')]
  const document = twilio.text('Twiml')
  const call = twilio.find('calls')
  const changes = Status !== undefined || url !== '' || document !== ''
  if (changes && (!isLive(call) || (Status === 'canceled' && call.status === 'in-progress'))) refuseState(twilio)
  if (Status !== undefined && Status !== 'canceled' && Status !== 'completed')
    twilio.refuse(20001, `Status is invalid: ${Status}`)
  const set = (fields: Fields): Kept => twilio.records.calls.update(call, fields)
  if (callback !== '') {
    twilio.listen(callback, twilio.of.key)
    set({ callback, callback_events: StatusCallbackEvent ?? ['completed'] })
  }
  const live = new LiveCalls(twilio.of)
  const isAnswered = call.status === 'in-progress'
  if (Status !== undefined) live.end(set({}), textOf(Status))
  if (url !== '') {
    const changed = set({ url, twiml: '' })
    if (isAnswered) {
      live.depart(changed)
      live.ask(changed, url)
    }
  }
  if (document !== '') {
    const changed = set({ twiml: document, url: '' })
    if (isAnswered) live.run(changed, document, true)
  }
  return show(twilio.find('calls'), twilio)
}

/** What happens to a call, in place of a person or of the application's address. */
const onCall =
  (act: (live: LiveCalls, call: Kept, twilio: TwilioRequest) => void) =>
  (twilio: TwilioRequest): Fields => {
    act(new LiveCalls(twilio.of), twilio.find('calls', twilio.path.CallSid), twilio)
    return show(twilio.find('calls', twilio.path.CallSid), twilio)
  }

export const calls: Operations = {
  ...operationsOf({ collection: 'calls', path: PATH, show, has: 'read' }),
  [`POST ${PATH}.json`]: createCall,
  [`GET ${PATH}.json`]: (twilio) => {
    const all = twilio.records.calls.where({ account_sid: twilio.account })
    const asked = twilio.asked(all, 'To From Status ParentCallSid')
    const found = asked.filter((call) => isAsked(twilio, 'StartTime', call.date_created))
    return twilio.page('calls', found, (call) => show(call, twilio))
  },
  [`POST ${PATH}/{Sid}.json`]: redirect,
  [`DELETE ${PATH}/{Sid}.json`]: (twilio) => {
    const call = twilio.find('calls')
    refuseUnfinished(twilio, call, ['queued', 'ringing', 'in-progress'])
    twilio.records.calls.remove(call)
    return twilio.empty
  },
  'POST /test_helpers/calls/{CallSid}/answer': onCall((live, call, twilio) => {
    if (!['queued', 'ringing'].includes(textOf(call.status))) refuseState(twilio)
    live.answer(live.ring(call))
  }),
  /** The person presses keys, or says something. */
  'POST /test_helpers/calls/{CallSid}/gather': onCall((live, call, twilio) => {
    const { gather, status } = call
    if (status !== 'in-progress' || isMissing(gather)) refuseState(twilio)
    const { Digits, SpeechResult } = twilio.body
    const spoken: Record<string, Json | undefined> = {
      SpeechResult,
      ...(!isMissing(SpeechResult) && { Confidence: '0.9' }),
    }
    live.ask(live.records.calls.update(call, { gather: '', no_input_at: '' }), gather, { Digits, ...spoken })
  }),
  'POST /test_helpers/calls/{CallSid}/failed': onCall((live, call) => live.fallBack(call)),
  /** What the address of a call has answered. */
  'POST /test_helpers/calls/{CallSid}/twiml': onCall((live, call, twilio) => live.run(call, documentOf(twilio))),
}
