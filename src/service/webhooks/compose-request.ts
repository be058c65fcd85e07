import { signBody } from '../../protocol/signature.ts'
import type { Faults } from './faults.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

const USER_AGENT = 'Svc-Webhooks/1.0'
const STALE_SECONDS = 600

/**
 * The headers and body of one attempt (specification, Delivery request): signed anew each time, the body the same bytes
 * each time, unless a fault spoils it.
 *
 * @param at real time, milliseconds since the epoch
 */
export function composeRequest(
  secret: string,
  delivery: OutgoingDelivery,
  faults: Faults,
  at: number,
): { headers: string[]; rawBody: Uint8Array } {
  const { bytes } = delivery
  const stale = faults.fire('staleTimestamp', delivery)
  const isForged = faults.fire('badSignature', delivery) !== undefined
  const isAltered = faults.fire('alteredPayload', delivery) !== undefined
  const headers = toHeaders(delivery, {
    t: Math.floor(at / 1_000) - (stale ? Math.round(stale.seconds ?? STALE_SECONDS) : 0),
    secret: isForged ? `${secret}!` : secret,
    rawBody: bytes,
  })
  return { headers, rawBody: isAltered ? alter(bytes) : bytes }
}

function toHeaders(delivery: OutgoingDelivery, signed: { t: number; secret: string; rawBody: Uint8Array }): string[] {
  return [
    'content-type',
    'application/json',
    'user-agent',
    USER_AGENT,
    'svc-event',
    toHeaderValue(delivery.type),
    'svc-delivery',
    delivery.id,
    'svc-signature',
    signBody(signed),
  ]
}

/** A header holds bytes, which Node takes from the low byte of each character: the bytes are those of UTF-8. */
const toHeaderValue = (type: string): string => Buffer.from(type).toString('latin1')

/** Changes the last digit of the timestamp, so that the body is still JSON of the same shape and length. */
function alter(bytes: Uint8Array): Uint8Array {
  const altered = Buffer.from(bytes)
  const at = altered.indexOf('"created":"') + '"created":"2000-01-01T00:00:00.00'.length
  altered[at] = altered[at] === 0x30 ? 0x31 : 0x30
  return altered
}
