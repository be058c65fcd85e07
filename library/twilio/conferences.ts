import { place } from './calls.ts'
import { aboutMember, isLive, LiveCalls, runningConference } from './live-calls.ts'
import { ACCOUNT, type Fields, type Kept, type Operations, operationsOf, type TwilioRequest, viewOf } from './twilio.ts'

const CONFERENCES = `${ACCOUNT}/Conferences`
const PARTICIPANTS = `${CONFERENCES}/{ConferenceSid}/Participants`
const FIELDS = 'Label Muted Hold Coaching CallSidToCoach StartConferenceOnEnter EndConferenceOnExit'

const show = viewOf(CONFERENCES, 'Participants', 'callback callback_events events started record recording_callback')
const showParticipant = viewOf(PARTICIPANTS)

/** The conference that the path names by its sid, or a running one by its name. */
function findConference(twilio: TwilioRequest): Kept | undefined {
  const { ConferenceSid = '' } = twilio.path
  const named = { account_sid: twilio.account, friendly_name: ConferenceSid }
  return twilio.records.conferences.get(ConferenceSid) ?? runningConference(twilio, named)
}

const inConference = (twilio: TwilioRequest): Fields => {
  const { sid } = findConference(twilio) ?? twilio.gone()
  return { conference_sid: sid }
}

/** The participant that the path names by its call or its label. */
function participantOf(twilio: TwilioRequest): Kept {
  const { CallSid = '' } = twilio.path
  const { participants } = twilio.records
  const above = inConference(twilio)
  return (
    participants.find({ ...above, call_sid: CallSid }) ??
    participants.find({ ...above, label: CallSid }) ??
    twilio.gone()
  )
}

/** Calls somebody into a conference, which begins with the first one. */
function call(twilio: TwilioRequest): Fields {
  const found = findConference(twilio)
  const { ConferenceSid = '' } = twilio.path
  if (found === undefined && ConferenceSid.startsWith('CF')) twilio.gone()
  const { account_sid, sid: call_sid } = place(twilio, {})
  const named = { account_sid: twilio.account, friendly_name: ConferenceSid }
  const callback = twilio.text('ConferenceStatusCallback')
  const callback_events = twilio.body.ConferenceStatusCallbackEvent ?? []
  const conference = found ?? twilio.create('conferences', { ...named, callback, callback_events })
  twilio.listen(conference.callback, twilio.of.key)
  const above = { account_sid: account_sid ?? '', call_sid, conference_sid: conference.sid, status: 'queued' }
  return showParticipant(twilio.create('participants', { ...above, ...twilio.sent(FIELDS) }), twilio)
}

function changeParticipant(twilio: TwilioRequest): Fields {
  const { Hold, Muted } = twilio.body
  const participant = twilio.update('participants', participantOf(twilio), twilio.sent(FIELDS))
  const conference = findConference(twilio) ?? twilio.gone()
  const live = new LiveCalls(twilio.of)
  const about = aboutMember(participant)
  if (Muted !== undefined)
    live.announceConference(conference, 'mute', Muted === true ? 'participant-mute' : 'participant-unmute', about)
  if (Hold !== undefined)
    live.announceConference(conference, 'hold', Hold === true ? 'participant-hold' : 'participant-unhold', about)
  return showParticipant(participant, twilio)
}

const ONE = `${PARTICIPANTS}/{CallSid}.json`

export const conferences: Operations = {
  ...operationsOf({
    ...{ collection: 'conferences', path: CONFERENCES, filters: 'FriendlyName Status', show, has: 'list read' },
  }),
  [`POST ${CONFERENCES}/{Sid}.json`]: (twilio) => {
    const conference = twilio.find('conferences')
    if (twilio.body.Status === 'completed')
      new LiveCalls(twilio.of).endConference(conference, 'conference-ended-via-api')
    return show(twilio.find('conferences'), twilio)
  },
  [`POST ${PARTICIPANTS}.json`]: call,
  [`GET ${PARTICIPANTS}.json`]: (twilio) => {
    const found = twilio.asked(twilio.records.participants.where(inConference(twilio)), 'Muted Hold')
    return twilio.page('participants', found, (participant) => showParticipant(participant, twilio))
  },
  [`GET ${ONE}`]: (twilio) => showParticipant(participantOf(twilio), twilio),
  [`POST ${ONE}`]: changeParticipant,
  [`DELETE ${ONE}`]: (twilio) => {
    const leaving = twilio.find('calls', participantOf(twilio).call_sid as string)
    if (isLive(leaving)) new LiveCalls(twilio.of).end(leaving, 'completed')
    return twilio.empty
  },
}
