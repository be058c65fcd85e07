import { hasFields, parseJson } from '../../protocol/json.ts'
import type { HandshakeTerms } from '../../protocol/webhook-scheme/webhook-format.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { LaneAnswer } from './lane.ts'
import { EventBody, OutgoingDelivery } from './outgoing-delivery.ts'

const CHALLENGE_BYTES = 20
/** Its number, before that of the first event. */
const BEFORE_EVENTS = -1

/**
 * Sends an endpoint the handshake of its format before events, once per address. Resolves with whether events may
 * follow; otherwise the queue is off, and the record of the handshake has the reason.
 */
export async function shakeHands(queue: DeliveryQueue, { clock, uuid, secret }: Runtime): Promise<boolean> {
  const { lanes, webhook, form } = queue
  const { handshake } = form.format
  if (handshake === undefined || !lanes.owesHandshake) return true
  const { echo } = handshake
  const fields = typeof echo === 'object' && 'fields' in echo ? JSON.stringify(echo.fields) : undefined
  const challenge = fields ?? (handshake.challenge === 'secret' ? webhook.secret : secret(CHALLENGE_BYTES))
  const [id, at] = [uuid(), clock.now()]
  const facts = { type: handshake.type, id, created: new Date(at).toISOString(), collection: '', recordId: '' }
  const text = form.tellHandshake(handshake, { id, at, challenge })
  const body = EventBody.again({ ...facts, text, place: undefined }, BEFORE_EVENTS, form)
  const delivery = new OutgoingDelivery(webhook.id, body)
  delivery.headers = headersOf(handshake, challenge, lanes.leadsToSink)
  queue.add(delivery)
  const { error, answer } = await lanes.post(delivery, {})
  if (delivery.isDropped) return false
  const fault = error ?? faultOf(handshake, challenge, answer)
  if (fault === undefined) lanes.noteGreeting()
  else {
    delivery.refuse(`handshake: ${fault}`)
    queue.isOff = true
  }
  queue.finish(delivery, fault === undefined ? 'delivered' : 'failed')
  return fault === undefined
}

/** Alternating names and values. For a sink of the run, they say where to repeat the challenge. */
function headersOf({ headers = {}, echo }: HandshakeTerms, challenge: string, isOurSink: boolean): string[] {
  const own = Object.entries(headers).flatMap(([name, text]) => [name, text.replaceAll('{challenge}', challenge)])
  const place = typeof echo !== 'object' ? '' : 'header' in echo ? `;header=${echo.header}` : ';whole'
  return isOurSink ? [...own, 'backlot-handshake', challenge + place] : own
}

function faultOf({ echo }: HandshakeTerms, challenge: string, answer: LaneAnswer | undefined): string | undefined {
  if (echo === 'none') return undefined
  if (echo === 'body') {
    const text = Buffer.concat(answer?.chunks ?? []).toString()
    return text.includes(challenge) ? undefined : 'expected the body of the answer to repeat the challenge'
  }
  if ('fields' in echo) {
    const text = Buffer.concat(answer?.chunks ?? []).toString()
    return hasFields(parseJson(text), echo.fields) ? undefined : `expected the answer to have ${challenge}`
  }
  const given = [answer?.headers[echo.header.toLowerCase()] ?? []].flat()
  return given.includes(challenge) ? undefined : `expected the answer to repeat the challenge in ${echo.header}`
}
