import { LiveCalls } from './live-calls.ts'
import { secondsSince } from './recordings.ts'
import {
  ACCOUNT,
  type Fields,
  type Operations,
  operationsOf,
  type TwilioRequest,
  type View,
  viewOf,
  without,
} from './twilio.ts'

const QUEUES = `${ACCOUNT}/Queues`
const MEMBERS = `${QUEUES}/{QueueSid}/Members`

const show: View = (queue, twilio) => ({
  ...viewOf(QUEUES)(queue, twilio),
  current_size: twilio.records.queue_members.count({ queue_sid: queue.sid }),
})

/** Who waits in a queue, the first one first. */
function membersOf(twilio: TwilioRequest): Fields[] {
  const { path, records } = twilio
  const members = records.queue_members.where({ queue_sid: path.QueueSid ?? '' }).reverse()
  return members.map((member, at) => ({
    ...without(member, 'action rest'),
    ...{ position: at + 1, wait_time: Number(secondsSince(twilio, member.date_enqueued)) },
  }))
}

/** The member that the path names by its call, or as `Front`. */
function memberOf(twilio: TwilioRequest): Fields {
  const { CallSid } = twilio.path
  const members = membersOf(twilio)
  return members.find(({ call_sid }) => CallSid === 'Front' || call_sid === CallSid) ?? twilio.gone()
}

export const queues: Operations = {
  ...operationsOf({
    ...{ collection: 'queues', path: QUEUES, fields: 'FriendlyName MaxSize', needed: 'FriendlyName', show },
    made: (twilio) => {
      const named = { account_sid: twilio.account, friendly_name: twilio.text('FriendlyName') }
      if (twilio.records.queues.some(named)) twilio.refuse(22003, 'A queue with this friendly name exists already.')
      return {}
    },
  }),
  [`GET ${MEMBERS}.json`]: (twilio) => twilio.page('queue_members', membersOf(twilio), (member) => member),
  [`GET ${MEMBERS}/{CallSid}.json`]: memberOf,
  /** Takes a call out of the queue, and gives it other TwiML. */
  [`POST ${MEMBERS}/{CallSid}.json`]: (twilio) => {
    const member = memberOf(twilio)
    const call = twilio.find('calls', member.call_sid as string)
    const live = new LiveCalls(twilio.of)
    live.dequeue(call, 'redirected')
    live.ask(call, twilio.body.Url)
    return member
  },
}
