import { toWav } from '../shared/wav.ts'
import { isAsked } from './sending.ts'
import {
  ACCOUNT,
  type Kept,
  mailTime,
  type Operations,
  operationsOf,
  type Twilio,
  type TwilioRequest,
  textOf,
  type View,
  viewOf,
} from './twilio.ts'

const RATE = 8_000
/** Silence in MPEG-2 Layer III: 8 kbit/s, 16 kHz, mono. */
const FRAME = Buffer.concat([Buffer.from('fff318c0', 'hex'), Buffer.alloc(32)])
const OF_ACCOUNT = `${ACCOUNT}/Recordings`
const OF_CALL = `${ACCOUNT}/Calls/{CallSid}/Recordings`

const addressOf = ({ account_sid, sid }: Kept): string =>
  `https://api.twilio.example/2010-04-01/Accounts/${account_sid}/Recordings/${sid}`

const show: View = (recording, twilio) => ({
  ...viewOf(OF_ACCOUNT, '', 'callback')(recording, twilio),
  media_url: addressOf(recording),
})

/** Seconds since a time. */
export const secondsSince = ({ now }: Twilio, time: unknown): string =>
  String(Math.floor(now.getTime() / 1_000) - Math.floor(Date.parse(textOf(time as string)) / 1_000))

const announce = (twilio: Twilio, recording: Kept, callback: string): void =>
  twilio.happen(`recording.${recording.status}`, callback, {
    ...{ AccountSid: recording.account_sid, CallSid: recording.call_sid || null, RecordingSid: recording.sid },
    ConferenceSid: recording.conference_sid,
    ...{ RecordingUrl: addressOf(recording), RecordingStatus: recording.status, RecordingSource: recording.source },
    ...{ RecordingDuration: recording.duration, RecordingChannels: String(recording.channels) },
    ...{ RecordingStartTime: mailTime(recording.start_time), RecordingTrack: 'both' },
  })

/** Records a whole call. */
export function recordCall(twilio: Twilio, call: Kept, source: string): { RecordingSid: string; RecordingUrl: string } {
  const { account_sid = '', channels = 1, duration = '', recording_callback, recording_events, start_time = '' } = call
  const fields = { account_sid, call_sid: call.sid, channels, duration, source, start_time, status: 'completed' }
  const recording = twilio.create('recordings', fields)
  if (Array.isArray(recording_events) && recording_events.includes('completed'))
    announce(twilio, recording, textOf(recording_callback))
  return { RecordingSid: recording.sid, RecordingUrl: addressOf(recording) }
}

/** Ends a recording that a request has begun. */
export function completeRecording(twilio: Twilio, recording: Kept): void {
  if (recording.status === 'completed') return
  const fields = { status: 'completed', duration: secondsSince(twilio, recording.start_time) }
  announce(twilio, twilio.update('recordings', recording, fields), textOf(recording.callback))
}

/** Ends what is still recorded of a call. */
export function completeRecordings(twilio: Twilio, call: Kept): void {
  for (const recording of twilio.records.recordings.where({ call_sid: call.sid })) completeRecording(twilio, recording)
}

const OF_CONFERENCE = `${ACCOUNT}/Conferences/{ConferenceSid}/Recordings`

const callOf = (twilio: TwilioRequest): Kept => twilio.find('calls', twilio.path.CallSid)

/** The recording that the path names; `Twilio.CURRENT` is the one that runs. */
function recordingOf(twilio: TwilioRequest): Kept {
  const { recordings } = twilio.records
  const { CallSid, Sid } = twilio.path
  if (Sid !== 'Twilio.CURRENT') return twilio.find('recordings')
  const running = ({ call_sid, status }: Kept) =>
    call_sid === CallSid && /^(?:in-progress|paused)$/.test(textOf(status))
  return recordings.find(running) ?? twilio.gone()
}

export const recordings: Operations = {
  ...operationsOf({ collection: 'recordings', path: OF_ACCOUNT, show, has: 'read delete' }),
  [`GET ${OF_ACCOUNT}.json`]: (twilio) => {
    const all = twilio.records.recordings.where({ account_sid: twilio.account })
    const asked = twilio.asked(all, 'CallSid ConferenceSid')
    const found = asked.filter((one) => isAsked(twilio, 'DateCreated', one.date_created))
    return twilio.page('recordings', found, (one) => show(one, twilio))
  },
  ...operationsOf({
    ...{ collection: 'recordings', path: OF_CALL, show, has: 'list delete' },
    above: (twilio) => ({ call_sid: callOf(twilio).sid }),
  }),
  ...operationsOf({
    ...{ collection: 'recordings', path: OF_CONFERENCE, show, has: 'list' },
    above: (twilio) => ({ conference_sid: twilio.find('conferences', twilio.path.ConferenceSid).sid }),
  }),
  [`POST ${OF_CALL}.json`]: (twilio) => {
    const { account_sid = '', sid, status } = callOf(twilio)
    if (status !== 'in-progress') refuseState(twilio, 'Requested resource is not eligible for recording')
    const callback = twilio.address('RecordingStatusCallback')
    twilio.listen(callback, twilio.of.key)
    const channels = twilio.body.RecordingChannels === 'dual' ? 2 : 1
    const events = twilio.body.RecordingStatusCallbackEvent ?? ['completed']
    const isWanted = (event: string): boolean => Array.isArray(events) && events.includes(event)
    const fields = { account_sid, call_sid: sid, channels, start_time: twilio.time }
    const recording = twilio.create('recordings', { ...fields, callback: isWanted('completed') ? callback : '' })
    announce(twilio, recording, isWanted('in-progress') ? callback : '')
    return show(recording, twilio)
  },
  [`GET ${OF_CALL}/{Sid}.json`]: (twilio) => show(recordingOf(twilio), twilio),
  [`POST ${OF_CALL}/{Sid}.json`]: (twilio) => {
    const recording = twilio.update('recordings', recordingOf(twilio), twilio.sent('Status'))
    if (recording.status === 'stopped') twilio.later(1, recording, 'recorded')
    return show(recording, twilio)
  },
  /** The silence of a recording, as WAV: 8,000 bytes a second, in mono; or as frames of MP3, of 36 bytes and 36 ms. */
  [`GET ${OF_ACCOUNT}/{File}`]: (twilio) => {
    const [sid, type = 'wav'] = textOf(twilio.path.File).split('.')
    const { duration, status } = twilio.find('recordings', sid)
    if (status !== 'completed' || !['mp3', 'wav'].includes(type)) twilio.gone()
    if (type === 'mp3') {
      const frames = Array.from({ length: Math.ceil(Number(duration) / 0.036) }, () => FRAME)
      return twilio.of.respond({ headers: { 'Content-Type': 'audio/mpeg' }, body: Buffer.concat(frames) })
    }
    const silence = Buffer.alloc(Math.max(Number(duration), 0) * RATE, 128)
    return twilio.of.respond({ headers: { 'Content-Type': 'audio/x-wav' }, body: toWav(silence, RATE, 1) })
  },
}

/** Refuses what a call in its state does not take. */
export const refuseState = (twilio: TwilioRequest, message = 'Call is not in-progress. Cannot redirect.'): never =>
  twilio.refuse(21220, message)
