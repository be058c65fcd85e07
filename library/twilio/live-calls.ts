import { phone } from '../shared/phone.ts'
import { sendReply } from './messages.ts'
import { completeRecording, completeRecordings, recordCall, secondsSince } from './recordings.ts'
import { failureAt } from './sending.ts'
import {
  API_VERSION,
  type Fields,
  fieldsOf,
  isMissing,
  type Json,
  type Kept,
  listOf,
  mailTime,
  Twilio,
  textOf,
} from './twilio.ts'
import { twiml } from './twiml.ts'

/** Numbers that do not answer; only backlot has them. */
export const UNANSWERED: Readonly<Record<string, string>> = {
  '+15005550030': 'busy',
  '+15005550031': 'no-answer',
  '+15005550032': 'failed',
}
const MACHINE = '+15005550033'
/** Seconds that a dialled leg and a voice message last. */
const LEG_S = '10'

/** What calls do by themselves, and by the TwiML of the application. */
export class LiveCalls extends Twilio {
  #fresh(call: Kept): Kept {
    return this.records.calls.get(call.sid) ?? call
  }

  /** Sends an event of a call: to its callback, if that wants it. */
  announce(call: Kept, happened: string, wanted = happened): Kept {
    const { account_sid, callback_events, direction, duration, from, parent_call_sid, rings, sid, status, to } = call
    const isWanted = Array.isArray(callback_events) && callback_events.includes(wanted)
    this.happen(`call.${happened}`, isWanted ? call.callback : '', {
      ...{ Called: to, To: to, Caller: from, From: from, CallSid: sid, ParentCallSid: parent_call_sid },
      ...{ CallStatus: happened === 'initiated' ? 'initiated' : status, Direction: direction, AccountSid: account_sid },
      ...{ ApiVersion: API_VERSION, CallbackSource: 'call-progress-events', Timestamp: mailTime(this.now) },
      ...{ SequenceNumber: String(rings), CallDuration: duration },
      ...(!isMissing(duration) && { Duration: '1' }),
    })
    return this.records.calls.update(call, { rings: Number(rings) + 1 })
  }

  ring(call: Kept): Kept {
    if (call.status !== 'queued') return call
    return this.announce(this.update('calls', call, { status: 'ringing' }), 'ringing')
  }

  answer(ringing: Kept): void {
    if (ringing.status !== 'ringing') return
    const answered_by = ringing.detects === true ? (ringing.to === MACHINE ? 'machine_start' : 'human') : null
    const fields = { status: 'in-progress', start_time: this.time, answered_by }
    const call = this.announce(this.update('calls', ringing, fields), 'answered')
    const { account_sid, amd_callback, sid, twiml: document, url } = call
    this.#connect(call)
    if (!isMissing(amd_callback))
      this.happen('call.amd', amd_callback, {
        ...{ AccountSid: account_sid, CallSid: sid, AnsweredBy: answered_by, MachineDetectionDuration: '2300' },
      })
    if (!isMissing(url)) this.ask(call, url)
    if (!isMissing(document)) this.run(call, document ?? '')
  }

  complete(call: Kept): void {
    if (call.status === 'in-progress') this.end(call, 'completed', { price: '-0.01300' })
  }

  /** Ends a call that nobody answers. */
  lose(call: Kept): void {
    const status = UNANSWERED[textOf(call.to)]
    if (status !== undefined && ['queued', 'ringing'].includes(textOf(call.status))) this.end(call, status)
  }

  end(before: Kept, status: string, more: Fields = {}): void {
    const start_time = before.start_time ?? this.time
    const times = { start_time, end_time: this.time, duration: secondsSince(this, start_time) }
    const call = this.announce(this.update('calls', before, { status, ...times, ...more }), status, 'completed')
    if (call.record === true && status === 'completed') recordCall(this, call, 'OutboundAPI')
    completeRecordings(this, call)
    this.depart(call)
  }

  /** Takes a call out of its queue and its conference. */
  depart(call: Kept): void {
    this.dequeue(call, isLive(call) ? 'redirected' : 'hangup')
    this.#leave(call)
  }

  /** Takes a call out of its queue. One that goes on by itself does so by the answer of the `action`. */
  dequeue(call: Kept, result: 'bridged' | 'hangup' | 'leave' | 'redirected'): void {
    const member = this.records.queue_members.get(call.sid)
    if (member === undefined) return
    const { action = '', date_enqueued, queue_sid, rest } = member
    this.records.queue_members.remove(member)
    const goesOn = result === 'bridged' || result === 'leave'
    if (action !== '') {
      const facts = { QueueResult: result, QueueSid: queue_sid, QueueTime: secondsSince(this, date_enqueued) }
      this.ask(call, action, facts, goesOn ? 'call.twiml' : 'call.dequeued')
    } else if (goesOn) this.run(call, rest ?? {})
  }

  /** Goes on after a `<Gather>` without input. */
  noInput(call: Kept): void {
    const { no_input_at, rest, status } = call
    if (status !== 'in-progress' || isMissing(no_input_at) || textOf(no_input_at) > this.now.toISOString()) return
    this.run(this.records.calls.update(call, { gather: '', no_input_at: '' }), rest ?? {})
  }

  /** Asks an address of the application for TwiML, which may name others relative to it. */
  ask(
    call: Kept,
    asked: Json | undefined,
    more: Readonly<Record<string, Json | undefined>> = {},
    type = 'call.twiml',
  ): void {
    const { account_sid, answered_by, direction, from, sid, signs_with = null, status, to } = this.#fresh(call)
    const address = textOf(asked)
    if (type === 'call.twiml') this.records.calls.update(call, { url: address })
    this.listen(address, signs_with)
    const form = {
      ...{ Called: to, To: to, Caller: from, From: from, CallSid: sid, CallStatus: status, Direction: direction },
      ...{ AccountSid: account_sid, ApiVersion: API_VERSION, AnsweredBy: answered_by, ...more },
      ...{ FromCountry: phone(textOf(from)).country ?? null, ToCountry: phone(textOf(to)).country ?? null },
    }
    const given = Object.entries(form).filter(([, value]) => value !== null)
    this.happen(type, address, Object.fromEntries(given))
  }

  /** The address of a call did not answer: its fallback is asked, once. Without one, the call goes on. */
  fallBack(call: Kept): void {
    const { fallback, url } = call
    if (isMissing(fallback)) return
    this.ask(this.records.calls.update(call, { fallback: '' }), fallback, failureAt(url))
  }

  /** A timer registers no callbacks: those of a document are known before it runs. */
  hear(call: Kept, document: Json): void {
    for (const address of twiml(document, textOf(call.url)).addresses) this.listen(address, call.signs_with ?? null)
  }

  /** Does what a document says. @param isRedirected takes the call out of its queue and its conference */
  run(before: Kept, document: Json, isRedirected = false): void {
    const { rest, verbs, words } = twiml(document, textOf(before.url))
    const call = this.records.calls.update(before, { spoken: words })
    this.hear(call, document)
    const isMoved = verbs.some(({ verb, Conference }) => verb === 'Enqueue' || !isMissing(Conference))
    if (isRedirected && !isMoved) this.depart(call)
    for (const verb of verbs) this.#act(this.#fresh(call), verb, rest)
  }

  #act(call: Kept, verb: Fields, rest: Json | undefined): void {
    const acts: Readonly<Record<string, () => void>> = {
      Dial: () => {
        if (!isMissing(verb.Conference)) this.#join(call, fieldsOf(verb.Conference))
        else if (isMissing(verb.Queue)) this.#dial(call, verb)
        else this.#takeNext(call, verb)
      },
      Enqueue: () => this.#enqueue(call, verb, rest),
      Gather: () => this.#gather(call, verb, rest),
      Hangup: () => this.complete(call),
      Leave: () => this.dequeue(call, 'leave'),
      Pay: () => this.#pay(call, verb),
      Record: () => this.#takeMessage(call, verb),
      Redirect: () => this.ask(call, verb.text),
      Reject: () => this.end(call, 'busy'),
      Sms: () => this.#text(call, verb),
    }
    acts[textOf(verb.verb)]?.()
  }

  #gather(call: Kept, verb: Fields, rest: Json | undefined): void {
    const timeout = Number.parseFloat(textOf(verb.timeout))
    const seconds = Number.isNaN(timeout) ? 5 : timeout
    const until = new Date(this.now.getTime() + seconds * 1_000).toISOString()
    this.records.calls.update(call, { gather: verb.action ?? call.url ?? '', rest: rest ?? {}, no_input_at: until })
    this.later(seconds, call, 'noInput')
  }

  /** The person pays, by a card of tests. */
  #pay(call: Kept, verb: Fields): void {
    if (isMissing(verb.action)) return
    const isCharge = !isMissing(verb.chargeAmount)
    this.ask(call, verb.action, {
      ...{ Result: 'success', PaymentMethod: 'credit-card', PaymentCardNumber: 'xxxxxxxxxxxx1111' },
      ...{ PaymentCardType: 'visa', ExpirationDate: '1230', SecurityCode: 'xxx' },
      ...(isCharge ? { PaymentConfirmationCode: 'ch_backlot' } : { PaymentToken: 'tok_backlot' }),
    })
  }

  #text(call: Kept, verb: Fields): void {
    const { account_sid = '', from = '', signs_with = null, to = '' } = call
    const isInbound = call.direction === 'inbound'
    sendReply(this, {
      ...{ account_sid, from: verb.from ?? (isInbound ? to : from), to: verb.to ?? (isInbound ? from : to) },
      ...{ body: textOf(verb.text), callback: textOf(verb.statusCallback), secret: signs_with },
    })
  }

  #enqueue(call: Kept, verb: Fields, rest: Json | undefined): void {
    const named = { account_sid: call.account_sid ?? '', friendly_name: verb.text ?? '' }
    const queue = this.records.queues.find(named) ?? this.create('queues', named)
    const { queue_members } = this.records
    const place = {
      queue_sid: queue.sid,
      date_enqueued: mailTime(this.now),
      action: verb.action ?? '',
      rest: rest ?? {},
    }
    this.#leave(call)
    const waiting = queue_members.get(call.sid)
    const isFull = queue_members.count({ queue_sid: queue.sid }) >= Number(queue.max_size)
    if (isFull && waiting === undefined) {
      if (isMissing(verb.action)) this.run(call, rest ?? {})
      else this.ask(call, verb.action, { QueueResult: 'queue-full' })
      return
    }
    if (waiting === undefined) queue_members.create({ ...place, call_sid: call.sid })
    else queue_members.update(waiting, place)
    const size = String(queue_members.count({ queue_sid: queue.sid }))
    const seconds = { QueueTime: '0', AvgQueueTime: '0' }
    const facts = { QueueSid: queue.sid, QueuePosition: size, CurrentQueueSize: size, ...seconds }
    if (!isMissing(verb.waitUrl)) this.ask(call, verb.waitUrl, facts)
  }

  /** Connects an agent with the first one in a queue; with nobody there, the agent waits. */
  #takeNext(agent: Kept, verb: Fields): void {
    const { calls, queue_members, queues } = this.records
    const { text = '', url } = fieldsOf(verb.Queue)
    const queue = queues.find({ account_sid: agent.account_sid ?? '', friendly_name: text })
    const first = queue_members.where({ queue_sid: queue?.sid ?? '' }).at(-1)
    const caller = calls.get(textOf(first?.call_sid))
    if (first === undefined || caller === undefined) return
    const QueueTime = secondsSince(this, first.date_enqueued)
    if (!isMissing(url))
      this.ask(caller, url, { QueueSid: first.queue_sid, QueueTime, DequeingCallSid: agent.sid }, 'call.dequeued')
    this.dequeue(caller, 'bridged')
    if (!isMissing(verb.action)) this.ask(agent, verb.action, endOfDial('completed', caller.sid))
  }

  #takeMessage(before: Kept, verb: Fields): void {
    const callback = textOf(verb.recordingStatusCallback)
    this.listen(callback, before.signs_with ?? null)
    const call = this.records.calls.update(before, { duration: LEG_S, recording_callback: callback })
    const recording = recordCall(this, call, 'RecordVerb')
    if (!isMissing(verb.action))
      this.ask(call, verb.action, { ...recording, RecordingDuration: LEG_S, Digits: 'hangup' })
    this.records.calls.update(call, { duration: null })
  }

  /** Calls numbers, clients and SIP addresses at once; the first who answers hangs up after ten seconds. */
  #dial(call: Kept, verb: Fields): void {
    const nouns = listOf(verb.nouns).filter(({ verb: noun }) => ['Number', 'Client', 'Sip'].includes(textOf(noun)))
    const all = nouns.length > 0 ? nouns : [verb]
    const named = all.map((noun) => `${noun.verb === 'Client' ? 'client:' : ''}${textOf(noun.text)}`)
    const at = Math.max(
      named.findIndex((to) => !(to in UNANSWERED)),
      0,
    )
    const legs = all.map((noun, place) =>
      this.#callLeg(call, verb, noun, { to: named[place] ?? '', isLate: place !== at }),
    )
    const first: Fields = legs[at] ?? {}
    const { record, recordingStatusCallback = '', recordingStatusCallbackEvent } = verb
    const isRecorded = first.status === 'completed' && !isMissing(record) && record !== 'do-not-record'
    this.listen(recordingStatusCallback, call.signs_with ?? null)
    const recorded = {
      ...{ ...call, duration: LEG_S, recording_callback: recordingStatusCallback },
      recording_events: (textOf(recordingStatusCallbackEvent) || 'completed').split(' '),
    }
    const recording = isRecorded ? recordCall(this, recorded, 'DialVerb') : {}
    if (!isMissing(verb.action))
      this.ask(call, verb.action, { ...endOfDial(textOf(first.status), textOf(first.sid)), ...recording })
  }

  /** A call to one whom a `<Dial>` names. @param isLate somebody else has answered before */
  #callLeg(call: Kept, verb: Fields, noun: Fields, { to, isLate }: { to: string; isLate: boolean }): Kept {
    const end = UNANSWERED[to] ?? (isLate ? 'no-answer' : 'completed')
    const leg = this.create('calls', {
      ...{ account_sid: call.account_sid ?? '', to, from: verb.callerId ?? call.from ?? '' },
      ...{ parent_call_sid: call.sid, direction: 'outbound-dial', callback: textOf(noun.statusCallback) },
      callback_events: (textOf(noun.statusCallbackEvent) || 'completed').split(' '),
    })
    this.listen(leg.callback, call.signs_with ?? null)
    const ringing = this.ring(this.announce(leg, 'initiated'))
    const isCompleted = end === 'completed'
    const answered = isCompleted
      ? this.announce(this.update('calls', ringing, { status: 'in-progress', start_time: this.time }), 'answered')
      : ringing
    const ended = { status: end, end_time: this.time, duration: isCompleted ? LEG_S : '0' }
    return this.announce(this.update('calls', answered, ended), end, 'completed')
  }

  /** Takes the caller into the conference of this name. */
  #join(call: Kept, noun: Fields): void {
    const { account_sid = '', signs_with = null } = call
    const named = { account_sid, friendly_name: noun.text ?? '' }
    const status = noun.startConferenceOnEnter === 'false' ? 'init' : 'in-progress'
    const callback = textOf(noun.statusCallback)
    for (const address of [callback, noun.recordingStatusCallback]) this.listen(address, signs_with)
    const conference =
      runningConference(this, named) ??
      this.create('conferences', {
        ...{ ...named, status, callback, callback_events: textOf(noun.statusCallbackEvent).split(' ') },
        ...{ record: noun.record === 'record-from-start', recording_callback: textOf(noun.recordingStatusCallback) },
      })
    const place = {
      ...{ account_sid, call_sid: call.sid, conference_sid: conference.sid, label: noun.participantLabel ?? null },
      ...{ muted: noun.muted === 'true', end_conference_on_exit: noun.endConferenceOnExit === 'true' },
      ...{ start_conference_on_enter: noun.startConferenceOnEnter !== 'false', status: 'queued' },
    }
    this.dequeue(call, 'redirected')
    if (this.records.participants.get(call.sid) === undefined) this.create('participants', place)
    else this.#leave(call, place)
    this.#connect(call)
  }

  /** Sends an event of a conference: to its callback, if that wants events of this kind. */
  announceConference(conference: Kept, kind: string, event: string, about: Fields = {}): void {
    const { account_sid, callback, callback_events, friendly_name, sid } = conference
    const events = Number(this.records.conferences.get(sid)?.events) + 1
    this.records.conferences.update(conference, { events })
    const isWanted = Array.isArray(callback_events) && callback_events.includes(kind)
    this.happen(`conference.${event}`, isWanted ? callback : '', {
      ...{ ConferenceSid: sid, FriendlyName: friendly_name, AccountSid: account_sid, StatusCallbackEvent: event },
      ...{ Timestamp: mailTime(this.now), SequenceNumber: String(events), ...about },
    })
  }

  /** A participant has joined. The second one starts the conference, once one is there who may. */
  #connect(call: Kept): void {
    const { conferences, participants } = this.records
    const member = participants.get(call.sid)
    const conference = conferences.get(textOf(member?.conference_sid))
    if (member === undefined || conference === undefined) return
    const others = participants.count({ conference_sid: conference.sid, status: 'connected' })
    participants.update(member, { status: 'connected' })
    this.announceConference(conference, 'join', 'participant-join', aboutMember(member))
    const starting = { conference_sid: conference.sid, status: 'connected', start_conference_on_enter: true }
    if (others === 0 || conference.started === true || !participants.some(starting)) return
    const started = conferences.update(conference, { started: true, status: 'in-progress' })
    this.announceConference(started, 'start', 'conference-start', aboutMember(member))
  }

  /** @param next where the participant goes on to */
  #leave(call: Kept, next?: Fields): void {
    const { conferences, participants } = this.records
    const member = participants.get(call.sid)
    const conference = conferences.get(textOf(member?.conference_sid))
    if (member === undefined || conference === undefined) return
    if (next === undefined) participants.remove(member)
    else participants.update(member, next)
    this.announceConference(conference, 'leave', 'participant-leave', aboutMember(member))
    const endsIt = member.end_conference_on_exit === true
    const reason = endsIt ? 'participant-with-end-conference-on-exit-left' : 'last-participant-left'
    if (endsIt || !participants.some({ conference_sid: conference.sid })) this.endConference(conference, reason)
  }

  /** Ends a conference, and the calls of all participants. */
  endConference(before: Kept, reason: string): void {
    if (before.status === 'completed') return
    const fields = { status: 'completed', reason_conference_ended: reason }
    const conference = this.update('conferences', before, fields)
    for (const member of this.records.participants.where({ conference_sid: conference.sid }).reverse()) {
      this.records.participants.remove(member)
      const about = { ...aboutMember(member), ReasonConferenceEnded: reason }
      this.announceConference(conference, 'leave', 'participant-leave', about)
      const call = this.records.calls.get(textOf(member.call_sid))
      if (call !== undefined && isLive(call)) this.end(call, 'completed')
    }
    this.announceConference(conference, 'end', 'conference-end', { ReasonConferenceEnded: reason })
    const { account_sid = '', date_created: start_time = '', record, recording_callback = '', sid } = conference
    const about = { account_sid, start_time, conference_sid: sid, source: 'Conference', callback: recording_callback }
    if (record === true) completeRecording(this, this.create('recordings', about))
  }
}

/** What the `action` of a `<Dial>` gets. */
const endOfDial = (status: string, sid: string): Fields => ({
  ...{ DialCallStatus: status, DialCallSid: sid, DialBridged: String(status === 'completed') },
  ...(status === 'completed' && { DialCallDuration: LEG_S }),
})

/** The conference of a name that has not ended. */
export const runningConference = ({ records }: Twilio, named: Fields): Kept | undefined =>
  records.conferences.where(named).find(({ status }) => status !== 'completed')

/** Whether a call goes on. */
export const isLive = ({ status }: Kept): boolean => ['queued', 'ringing', 'in-progress'].includes(textOf(status))

/** A participant, as events of conferences have it. */
export const aboutMember = ({ call_sid = '', hold, label = null, muted }: Fields): Fields => ({
  ...{ CallSid: call_sid, Muted: String(muted), Hold: String(hold) },
  ...(label !== null && { ParticipantLabel: label }),
})
