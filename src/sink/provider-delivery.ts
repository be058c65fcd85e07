import { isJsonObject, type Json, type JsonObject, readPath, valueText } from '../protocol/json.ts'
import { fromPointer } from '../protocol/json-pointer.ts'
import type { HeaderLines } from '../protocol/webhook-scheme/signature-header.ts'
import type { WebhookFormat } from '../protocol/webhook-scheme/webhook-format.ts'
import { isUuid, uuidFrom } from '../runtime/uuid.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Rejection } from './rejection.ts'

/** The body of a delivery, validated (specification, Delivery request). */
export type DeliveredEvent = Pick<ReceivedWebhook, 'id' | 'type' | 'created' | 'data'>

/** A delivery in another scheme, with its events. */
interface ProviderDelivery {
  readonly deliveryId: string
  readonly events: readonly DeliveredEvent[]
}

const CREATED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A request with a verified signature. */
interface SignedRequest {
  readonly headers: HeaderLines
  readonly rawBody: Uint8Array
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * The events of a delivery in another scheme than our own. A service that knows the sink labels them in an extra
 * header; otherwise they are read from their places in the format.
 */
export function readProviderDelivery(format: WebhookFormat, request: SignedRequest): ProviderDelivery {
  const body = parseBody(format, request)
  const [records] = request.headers('backlot-record')
  return records === undefined ? readUnlabelled(format, request, body) : readLabelled(request, body, records)
}

function parseBody({ scheme }: WebhookFormat, { headers, rawBody }: SignedRequest): Json {
  const isForm = scheme.contentType === 'form' || headers('content-type')[0]?.includes('urlencoded') === true
  if (!isForm) return parseBodyJson(rawBody)
  return Object.fromEntries(new URLSearchParams(Buffer.from(rawBody).toString()))
}

function readLabelled({ headers }: SignedRequest, body: Json, records: string): ProviderDelivery {
  const deliveryId = headers('backlot-delivery')[0] ?? ''
  if (!isUuid(deliveryId)) throw new Rejection(400, 'delivery_id', 'Expected `Backlot-Delivery` to be one UUID.')
  const types = Buffer.from(headers('backlot-event')[0] ?? '', 'latin1')
    .toString()
    .split(', ')
  const events = records.split(', ').map((record, at) => toLabelledEvent(record, types[at] ?? '', body))
  return { deliveryId: deliveryId.toLowerCase(), events }
}

/** `invoices/in_1;event=<uuid>;created=<time>;item=/0;place=/0/data`. */
function toLabelledEvent(record: string, type: string, body: Json): DeliveredEvent {
  const [name = '', ...rest] = record.split(';')
  const [collection = '', recordId = ''] = name.split('/').map(decoded)
  const facts = new Map(rest.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]))
  const place = decoded(facts.get('place') ?? facts.get('item') ?? '')
  const object = readPath(body, fromPointer(place))
  const id = facts.get('event') ?? ''
  const created = facts.get('created') ?? ''
  return { id, type, created, data: { collection, id: recordId, object: isJsonObject(object) ? object : null } }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new Rejection(400, 'body_schema', 'Expected `Backlot-Record` to be percent-encoded.', { cause })
  }
}

function readUnlabelled(format: WebhookFormat, { headers, rawBody, now }: SignedRequest, body: Json): ProviderDelivery {
  const items = format.scheme.batch > 1 && Array.isArray(body) ? body : [body]
  const deliveryId = idIn(format, headers) ?? uuidFrom(Buffer.from(rawBody).toString())
  const events = items.map((item, at): DeliveredEvent => {
    if (format.envelope === undefined) return toEvent(item)
    const type = typeIn(format, headers, item)
    const object = recordIn(format.envelope, item)
    const id = isJsonObject(object) ? valueText(object.id) : ''
    const created = new Date(now).toISOString()
    const data = { collection: type.split(/[./]/)[0] ?? '', id, object: isJsonObject(object) ? object : null }
    return { id: uuidFrom(deliveryId, at), type, created, data }
  })
  return { deliveryId, events }
}

/** The id of the delivery in a header, as a UUID. */
function idIn({ scheme }: WebhookFormat, headers: HeaderLines): string | undefined {
  for (const fact of ['{delivery}', '{id}']) {
    const name = Object.entries(scheme.headers).find(([, template]) => template === fact)?.[0]
    const id = name === undefined ? undefined : headers(name.toLowerCase())[0]
    if (id !== undefined) return isUuid(id) ? id.toLowerCase() : uuidFrom(id)
  }
  return undefined
}

function typeIn({ scheme, envelope = null }: WebhookFormat, headers: HeaderLines, item: Json): string {
  const name = Object.entries(scheme.headers).find(([, template]) => template === '{type}')?.[0]
  const carried = name === undefined ? undefined : headers(name.toLowerCase())[0]
  if (carried !== undefined) return Buffer.from(carried, 'latin1').toString()
  const [type, subject, action] = ['type', 'subject', 'action'].map((part) => eventPartIn(envelope, item, part))
  if (type !== undefined) return type
  const header = Object.entries(scheme.headers).find(([, template]) => template === '{subject}')?.[0]
  const about = subject ?? (header === undefined ? undefined : headers(header.toLowerCase())[0])
  return [about, action].filter((part) => part !== undefined && part !== '').join('.') || 'unknown'
}

/** The value at an envelope's place for a part of the event. */
function eventPartIn(envelope: Json | undefined, item: Json | undefined, part: string): string | undefined {
  if (Array.isArray(envelope)) return Array.isArray(item) ? eventPartIn(envelope[0], item[0], part) : undefined
  if (!isJsonObject(envelope)) return undefined
  if (envelope.$event === part) return typeof item === 'string' ? item : undefined
  for (const [name, below] of Object.entries(envelope)) {
    const found = isJsonObject(item) ? eventPartIn(below, item[name], part) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The value at an envelope's place for the record. A name with placeholders matches any name that the envelope does not have. */
function recordIn(envelope: Json | undefined, item: Json | undefined): Json | undefined {
  if (Array.isArray(envelope)) return Array.isArray(item) ? recordIn(envelope[0], item[0]) : undefined
  if (!isJsonObject(envelope)) return undefined
  if (envelope.$record === '.') return item
  for (const [name, below] of Object.entries(envelope)) {
    if (!isJsonObject(item)) return undefined
    const key = name.includes('{') ? Object.keys(item).find((other) => !Object.hasOwn(envelope, other)) : name
    const found = key === undefined ? undefined : recordIn(below, item[key])
    if (found !== undefined) return found
  }
  return undefined
}

/** Strict UTF-8, no byte order mark. */
export function parseBodyJson(rawBody: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody))
  } catch (cause) {
    throw new Rejection(400, 'body_not_json', 'Expected the body to be JSON in UTF-8 without a byte order mark.', {
      cause,
    })
  }
}

/** The body of our own deliveries, validated. */
export function toEvent(body: Json): DeliveredEvent {
  if (!isJsonObject(body)) throw misfit('body', 'an object')
  const { id, type, created, data } = body
  if (typeof id !== 'string' || !isUuid(id)) throw misfit('id', 'a UUID')
  if (typeof type !== 'string' || type === '') throw misfit('type', 'an event kind')
  if (typeof created !== 'string' || !CREATED.test(created) || Number.isNaN(Date.parse(created))) {
    throw misfit('created', 'an ISO 8601 UTC timestamp with milliseconds')
  }
  if (!isJsonObject(data)) throw misfit('data', 'an object')
  const { collection, id: recordId, object } = data
  if (typeof collection !== 'string' || collection === '') throw misfit('data.collection', 'a collection name')
  if (typeof recordId !== 'string' || recordId === '') throw misfit('data.id', 'a record id')
  if (object !== null && !isJsonObject(object as Json)) throw misfit('data.object', 'an object or null')
  return { id, type, created, data: { collection, id: recordId, object: object as JsonObject | null } }
}

function misfit(field: string, bound: string): Rejection {
  return new Rejection(400, 'body_schema', `Expected \`${field}\` to be ${bound}.`)
}
