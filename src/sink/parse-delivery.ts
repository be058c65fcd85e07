import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { Refusal } from './refusal.ts'

/** The body of a delivery, checked (specification, Delivery request). */
export interface DeliveredEvent {
  id: string
  type: string
  created: string
  data: { collection: string; id: string; object: JsonObject | null }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CREATED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Parses bytes as strict UTF-8 and JSON and checks them against the specification. Throws a {@link Refusal}. */
export function parseDelivery(
  rawBody: Uint8Array,
  headers: { delivery: readonly string[] | undefined; event: readonly string[] | undefined },
): { event: DeliveredEvent; deliveryId: string } {
  const event = toEvent(parseJson(rawBody))
  const [deliveryId = ''] = headers.delivery ?? []
  if (headers.delivery?.length !== 1 || !UUID.test(deliveryId)) {
    throw new Refusal(400, 'delivery_id', 'Expected `Svc-Delivery` to be one UUID.')
  }
  if (headers.event?.length !== 1 || !isKind(headers.event[0] ?? '', event.type)) {
    const got = headers.event?.join(', ') ?? 'none'
    throw new Refusal(400, 'event_mismatch', `Expected \`Svc-Event\` to be the body's type ${event.type}, got ${got}.`)
  }
  return { event, deliveryId: deliveryId.toLowerCase() }
}

/** Node reads headers as Latin-1; letters beyond it come as UTF-8. */
function isKind(header: string, type: string): boolean {
  return header === type || Buffer.from(header, 'latin1').toString() === type
}

function parseJson(rawBody: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody))
  } catch (cause) {
    throw new Refusal(400, 'body_not_json', 'Expected the body to be JSON in UTF-8 without a byte order mark.', {
      cause,
    })
  }
}

function toEvent(body: Json): DeliveredEvent {
  if (!isJsonObject(body)) throw wrong('body', 'an object')
  const { id, type, created, data } = body
  if (typeof id !== 'string' || !UUID.test(id)) throw wrong('id', 'a UUID')
  if (typeof type !== 'string' || type === '') throw wrong('type', 'an event kind')
  if (typeof created !== 'string' || !CREATED.test(created) || Number.isNaN(Date.parse(created))) {
    throw wrong('created', 'an ISO 8601 UTC timestamp with milliseconds')
  }
  if (!isJsonObject(data)) throw wrong('data', 'an object')
  const { collection, id: recordId, object } = data
  if (typeof collection !== 'string' || collection === '') throw wrong('data.collection', 'a collection name')
  if (typeof recordId !== 'string' || recordId === '') throw wrong('data.id', 'a record id')
  if (object !== null && !isJsonObject(object as Json)) throw wrong('data.object', 'an object or null')
  return { id, type, created, data: { collection, id: recordId, object: object as JsonObject | null } }
}

function wrong(field: string, bound: string): Refusal {
  return new Refusal(400, 'body_schema', `Expected \`${field}\` to be ${bound}.`)
}
