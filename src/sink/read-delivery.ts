import type { IncomingMessage } from 'node:http'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { checkSecret, parseSignatureHeader, verifySignature, WebhookVerificationError } from '../protocol/signature.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { isUuid } from '../runtime/uuid.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Rejection } from './rejection.ts'

/** The body of a delivery, checked (specification, Delivery request). */
export type DeliveredEvent = Pick<ReceivedWebhook, 'id' | 'type' | 'created' | 'data'>

/** What a request has proved: which webhook signed it, which delivery it is, and the event. */
interface VerifiedDelivery extends Pick<ReceivedWebhook, 'signature' | 'webhookId' | 'deliveryId'> {
  event: DeliveredEvent
}

/** A webhook whose secret a path knows. */
export interface TrustedWebhook {
  webhookId: string
  secret: string
}

/** A body over the limit is still read up to this many times the limit, so that the sender sees our answer. */
const OVERRUN = 4
const JSON_TYPE = /^application\/json[ \t]*(;.*)?$/i
const CREATED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The body of a request. Rejects with a {@link Rejection} unless it is a POST of plain JSON within the limit. */
export async function readPost(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  checkHead(request)
  return request.readableEnded ? Buffer.alloc(0) : collectBody(request, maxBytes)
}

/** The webhooks whose deliveries a path takes. */
export class TrustedWebhooks {
  readonly #runtime: Runtime
  readonly #secretHoldMs: number
  readonly #webhooks: TrustedWebhook[] = []
  #waiters: (() => void)[] = []

  constructor(runtime: Runtime, secretHoldMs: number) {
    this.#runtime = runtime
    this.#secretHoldMs = secretHoldMs
  }

  /** Throws a TypeError for an empty secret. */
  add(webhook: TrustedWebhook): void {
    checkSecret(webhook.secret)
    this.#webhooks.push({ ...webhook })
    this.#wake()
  }

  find(webhookId: string): TrustedWebhook | undefined {
    return this.#webhooks.find((webhook) => webhook.webhookId === webhookId)
  }

  /**
   * Checks the signature, then the body and the other headers. Rejects with a {@link Rejection} unless all are as the
   * service sends them. Waits for the first secret.
   */
  async verify({ headersDistinct: lines }: IncomingMessage, rawBody: Uint8Array): Promise<VerifiedDelivery> {
    const proof = await this.#verifySignature(lines['svc-signature'], rawBody)
    const event = toEvent(parseJson(rawBody))
    const deliveryId = readDeliveryId(lines['svc-delivery'])
    checkKind(lines['svc-event'], event.type)
    return { ...proof, event, deliveryId }
  }

  /** Ends every wait for a secret. */
  close(): void {
    this.#wake()
  }

  async #verifySignature(header: string[] | undefined, rawBody: Uint8Array) {
    try {
      parseSignatureHeader(header)
      await this.#waitForSecret()
      const secret = this.#webhooks.map((webhook) => webhook.secret)
      const now = this.#runtime.clock.now()
      const { t, v1, skewSeconds, secretIndex } = verifySignature({ header, rawBody, secret, now })
      const { webhookId } = this.#webhooks[secretIndex] as TrustedWebhook
      return { signature: { t, v1, skewSeconds }, webhookId }
    } catch (cause) {
      if (!(cause instanceof WebhookVerificationError)) throw cause
      throw new Rejection(cause.code === 'signature_malformed' ? 400 : 401, cause.code, cause.message, { cause })
    }
  }

  async #waitForSecret(): Promise<void> {
    if (this.#webhooks.length > 0) return
    await new Promise<void>((resolve) => {
      const cancelTimer = this.#runtime.startTimer(this.#secretHoldMs, resolve)
      this.#waiters.push(() => {
        cancelTimer()
        resolve()
      })
    })
    if (this.#webhooks.length > 0) return
    throw new Rejection(401, 'secret_unknown', 'No secret is known for this path: its webhook was never registered.')
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }
}

function checkHead(request: IncomingMessage): void {
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

/** Counts the body as it comes, whatever length was announced. */
function collectBody(request: IncomingMessage, limit: number): Promise<Buffer> {
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

function readDeliveryId(lines: readonly string[] | undefined): string {
  const [id] = lines ?? []
  if (id !== undefined && lines?.length === 1 && isUuid(id)) return id.toLowerCase()
  throw new Rejection(400, 'delivery_id', 'Expected `Svc-Delivery` to be one UUID.')
}

function checkKind(lines: readonly string[] | undefined, type: string): void {
  const [kind] = lines ?? []
  // Node gives each byte of a header as one character, and the bytes are UTF-8.
  const isSame = kind !== undefined && Buffer.from(kind, 'latin1').toString() === type
  if (isSame && lines?.length === 1) return
  const got = lines?.join(', ') ?? 'none'
  throw new Rejection(400, 'event_mismatch', `Expected \`Svc-Event\` to be the body's type ${type}, got ${got}.`)
}

/** Strict UTF-8, no byte order mark. */
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
