import type { IncomingMessage } from 'node:http'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Rejection } from './rejection.ts'

/** The body of a delivery, checked (specification, Delivery request). */
export type DeliveredEvent = Pick<ReceivedWebhook, 'id' | 'type' | 'created' | 'data'>

/** A body over the limit is still read up to this many times the limit, so that the sender sees our answer. */
const OVERRUN = 4
const JSON_TYPE = /^application\/json[ \t]*(;.*)?$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CREATED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Throws a {@link Rejection} unless it is a POST of plain JSON. */
export function checkHead(request: IncomingMessage): void {
  if (request.method !== 'POST') {
    throw new Rejection(405, 'method_not_allowed', `Expected method POST, got ${request.method}.`)
  }
  const types = request.headersDistinct['content-type'] ?? []
  if (types.length !== 1 || !JSON_TYPE.test(types[0] ?? '')) {
    const got = types.join(', ') || 'none'
    throw new Rejection(415, 'unsupported_content_type', `Expected content-type application/json, got ${got}.`)
  }
  const encoding = (request.headersDistinct['content-encoding'] ?? []).join(', ')
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Rejection(415, 'unsupported_content_encoding', `Expected no content-encoding, got ${encoding}.`)
  }
}

/** The whole body, counted as it comes. Throws a {@link Rejection} when it is too large or breaks off. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const tooLarge = () => reject(new Rejection(413, 'body_too_large', `Expected a body of at most ${limit} bytes.`))
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else if (size > limit * OVERRUN) tooLarge()
      else chunks.length = 0
    })
    request.once('end', () => (size > limit ? tooLarge() : resolve(Buffer.concat(chunks, size))))
    const onBreak = () =>
      reject(new Rejection(null, 'aborted', `The sender broke off after ${size} bytes of the body.`))
    request.once('error', onBreak)
    request.once('close', onBreak)
  })
}

/** Parses bytes as strict UTF-8 and JSON and checks them against the specification. Throws a {@link Rejection}. */
export function parseDelivery(
  rawBody: Uint8Array,
  headers: { delivery: readonly string[] | undefined; event: readonly string[] | undefined },
): { event: DeliveredEvent; deliveryId: string } {
  const event = toEvent(parseJson(rawBody))
  const [deliveryId = ''] = headers.delivery ?? []
  if (headers.delivery?.length !== 1 || !UUID.test(deliveryId)) {
    throw new Rejection(400, 'delivery_id', 'Expected `Svc-Delivery` to be one UUID.')
  }
  if (headers.event?.length !== 1 || !isKind(headers.event[0] ?? '', event.type)) {
    const got = headers.event?.join(', ') ?? 'none'
    throw new Rejection(
      400,
      'event_mismatch',
      `Expected \`Svc-Event\` to be the body's type ${event.type}, got ${got}.`,
    )
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
    throw new Rejection(400, 'body_not_json', 'Expected the body to be JSON in UTF-8 without a byte order mark.', {
      cause,
    })
  }
}

function toEvent(body: Json): DeliveredEvent {
  if (!isJsonObject(body)) throw misfit('body', 'an object')
  const { id, type, created, data } = body
  if (typeof id !== 'string' || !UUID.test(id)) throw misfit('id', 'a UUID')
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
