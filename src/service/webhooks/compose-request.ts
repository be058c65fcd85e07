import { headerText, type RequestSigner } from '../../protocol/webhook-scheme/request-signer.ts'
import type { WebhookScheme } from '../../protocol/webhook-scheme/scheme.ts'
import { tamper } from '../../protocol/webhook-scheme/tamper.ts'
import type { LaneRequest } from './lane.ts'
import type { EventPlace, OutgoingDelivery } from './outgoing-delivery.ts'
import type { WebhookSetting } from './webhook-settings.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Input for the requests to one webhook. */
interface RequestMaker {
  readonly webhook: WebhookSetting
  readonly scheme: WebhookScheme
  readonly signer: RequestSigner
  /** Whether the body is a form although those of the scheme are JSON. */
  readonly isForm: boolean
  /** Whether the receiver is a sink of the run, which gets labels of each event. */
  readonly isOurSink: boolean
}

/** Deliberate faults of one attempt. */
export interface SpoiledAttempt {
  /** Age of its signature. */
  readonly staleSeconds?: number | undefined
  /** Whether it is signed with another secret. */
  readonly isForged?: boolean
  /** Whether the body is changed after it was signed. */
  readonly isAltered?: boolean
}

/**
 * The headers and body of one attempt (specification, Delivery request): with a new signature each time, and the same
 * bytes in the body, unless a fault changes it.
 *
 * @param at real time, milliseconds since the epoch
 */
export function composeRequest(
  { webhook, scheme, signer, isForm, isOurSink }: RequestMaker,
  delivery: OutgoingDelivery,
  { staleSeconds = 0, isForged = false, isAltered = false }: SpoiledAttempt,
  at: number,
): LaneRequest {
  const [body] = delivery.bodies
  const latest = delivery.attempts.at(-1)
  const bytes = delivery.bytes(scheme.batch > 1)
  const signed = (isForged ? signer.forger : signer).sign({
    at: at - staleSeconds * 1_000,
    rawBody: webhook.isGet ? Buffer.alloc(0) : bytes,
    url: webhook.isGet ? `${webhook.url}${webhook.url.includes('?') ? '&' : '?'}${Buffer.from(bytes)}` : webhook.url,
    id: body?.id ?? delivery.id,
    type: delivery.type,
    delivery: delivery.id,
    hook: numberOf(webhook),
    retry: delivery.attempts.length,
    retryReason: latest === undefined ? '' : retryReason(latest),
  })
  const own = isForm ? signed.headers.filter(([name]) => name !== 'content-type') : signed.headers
  const headers = [...(isForm ? ['content-type', FORM] : []), ...own.flat(), ...delivery.headers]
  if (isOurSink) headers.push(...ownHeaders(delivery, scheme.batch > 1))
  const altered = (sent: Uint8Array) => (isAltered ? tamper(scheme, sent) : sent)
  const query = signed.url.slice(webhook.url.length)
  return webhook.isGet
    ? { headers, rawBody: signed.rawBody, query: Buffer.from(altered(Buffer.from(query))).toString(), method: 'GET' }
    : { headers, rawBody: altered(signed.rawBody), query, method: 'POST' }
}

/** Why the previous attempt failed, in Slack's words. */
function retryReason({ status, error }: { status: number | null; error: string | null }): string {
  if (status !== null) return 'http_error'
  return error?.startsWith('timeout') ? 'http_timeout' : 'connection_failed'
}

/** Headers that label a delivery's events for a sink of the run, in any format. */
function ownHeaders(delivery: OutgoingDelivery, isBatch: boolean): string[] {
  const places = delivery.bodies.map(({ place }) => place)
  return [
    'backlot-event',
    places.map(({ type }) => headerText(type)).join(', '),
    'backlot-delivery',
    delivery.id,
    'backlot-record',
    places.map((place, at) => recordHeader(place, isBatch ? `/${at}` : '')).join(', '),
  ]
}

/** `invoices/in_1;event=<uuid>;created=<time>;place=/data/object`: collection, id and pointer in percent-encoding. */
function recordHeader({ collection, recordId, id, created, place }: EventPlace, front: string): string {
  const name = `${encodeURIComponent(collection)}/${encodeURIComponent(recordId)}`
  const pointer = place === undefined ? '' : `;place=${encodeURIComponent(front + place)}`
  const item = front === '' ? '' : `;item=${encodeURIComponent(front)}`
  return `${name};event=${id};created=${created}${item}${pointer}`
}

/** The API's id of a webhook that is its record; else a number from the first digits of its UUID. */
function numberOf({ id, isRecord }: WebhookSetting): string {
  return isRecord === true ? id : String(Number.parseInt(id.slice(0, 8), 16))
}
