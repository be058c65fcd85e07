import type { IncomingMessage } from 'node:http'
import { checkSecret, checkSignatureHeader, verifySignature } from '../protocol/signature.ts'
import type { HeaderLines } from '../protocol/webhook-scheme/signature-header.ts'
import { verifyRequest } from '../protocol/webhook-scheme/verify-request.ts'
import type { WebhookFormat } from '../protocol/webhook-scheme/webhook-format.ts'
import { WebhookVerificationError } from '../protocol/webhook-verification-error.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { isUuid } from '../runtime/uuid.ts'
import { type DeliveredEvent, parseBodyJson, readProviderDelivery, toEvent } from './provider-delivery.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Rejection } from './rejection.ts'
import { chosenFormat, type SchemeChoice } from './scheme-choice.ts'

/** A verified request: its webhook, its delivery and its events. */
interface VerifiedDelivery extends Pick<ReceivedWebhook, 'signature' | 'webhookId' | 'deliveryId'> {
  /** Several where the scheme sends batches. */
  events: readonly DeliveredEvent[]
  /** Whether each attempt has its own body, because the body holds the time or the signature. */
  isStamped: boolean
}

/** A webhook with a known secret. */
export interface TrustedWebhook {
  webhookId: string
  /** For a key pair, the private key. */
  secret: string
  /** The public key of a key pair, for verification. */
  publicKey?: string
  /** How its deliveries are signed. @default our own */
  scheme?: SchemeChoice
}

/** A {@link TrustedWebhook} with a parsed scheme. */
interface SpokenWebhook extends TrustedWebhook {
  readonly format: WebhookFormat | undefined
}

/** A body over the limit is still read up to this multiple of the limit, so that the sender sees our answer. */
const OVERRUN = 4
const JSON_TYPE = /^application\/json[ \t]*(;.*)?$/i
const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(;.*)?$/i

/** Whether a request has a form as its body. */
export function bringsForm(request: IncomingMessage): boolean {
  const types = request.headersDistinct['content-type'] ?? []
  return types.length === 1 && FORM_TYPE.test(types[0] ?? '')
}

/**
 * The body of a request. Rejects with a {@link Rejection} unless it is a POST of plain JSON within the limit.
 *
 * @param options.takesForm whether a form is also accepted
 */
export async function readPost(
  request: IncomingMessage,
  { maxBytes, takesForm }: { maxBytes: number; takesForm: boolean },
): Promise<Buffer> {
  checkHead(request, takesForm)
  return request.readableEnded ? Buffer.alloc(0) : collectBody(request, maxBytes)
}

/** The webhooks whose deliveries a path accepts. */
export class TrustedWebhooks {
  readonly #runtime: Runtime
  readonly #secretHoldMs: number
  readonly #webhooks: SpokenWebhook[] = []
  #waiters: (() => void)[] = []

  constructor(runtime: Runtime, secretHoldMs: number) {
    this.#runtime = runtime
    this.#secretHoldMs = secretHoldMs
  }

  /** Throws a TypeError for an empty secret, `invalid_request` for an unknown scheme. */
  add(webhook: TrustedWebhook): void {
    checkSecret(webhook.secret)
    const { scheme } = webhook
    const format = scheme === undefined || scheme === 'svc' ? undefined : chosenFormat(scheme)
    this.#webhooks.push({ ...webhook, format })
    this.#wake()
  }

  find(webhookId: string): SpokenWebhook | undefined {
    return this.#webhooks.find((webhook) => webhook.webhookId === webhookId)
  }

  /** Whether a webhook may send forms: one in a provider's form. Waits for the first secret. */
  async takesForms(): Promise<boolean> {
    await this.#waitForSecret()
    return this.#webhooks.some(({ format }) => format !== undefined)
  }

  /**
   * Checks the signature, then the body and the other headers. Rejects with a {@link Rejection} for anything that the
   * service does not send. Waits for the first secret.
   *
   * @param url the called address
   */
  async verify(
    { headersDistinct: lines }: IncomingMessage,
    rawBody: Uint8Array,
    url: string,
  ): Promise<VerifiedDelivery> {
    if (await this.#speaksOther(lines['svc-signature'] !== undefined)) {
      return this.#verifySpoken((name) => lines[name] ?? [], rawBody, url)
    }
    const proof = await this.#verifySignature(lines['svc-signature'], rawBody)
    const event = toEvent(parseBodyJson(rawBody))
    const deliveryId = readDeliveryId(lines['svc-delivery'])
    checkKind(lines['svc-event'], event.type)
    return { ...proof, events: [event], deliveryId, isStamped: false }
  }

  /** Ends every wait for a secret. */
  close(): void {
    this.#wake()
  }

  async #verifySignature(header: string[] | undefined, rawBody: Uint8Array) {
    try {
      checkSignatureHeader(header)
      await this.#waitForSecret()
      const own = this.#webhooks.filter(({ format }) => format === undefined)
      const secret = own.map((webhook) => webhook.secret)
      const now = this.#runtime.clock.now()
      const { t, v1, skewSeconds, secretIndex } = verifySignature({ header, rawBody, secret, now })
      const { webhookId } = own[secretIndex] as TrustedWebhook
      return { signature: { t, v1, skewSeconds }, webhookId }
    } catch (cause) {
      throw toSignatureRejection(cause)
    }
  }

  /** Whether a delivery may have another form than our own. Signed in our way, it has our form where a webhook has it. */
  async #speaksOther(isSignedAsOurs: boolean): Promise<boolean> {
    if (this.#webhooks.length === 0) await this.#waitForSecret()
    const isOwn = ({ format }: SpokenWebhook) => format === undefined
    return isSignedAsOurs ? this.#webhooks.length > 0 && !this.#webhooks.some(isOwn) : !this.#webhooks.every(isOwn)
  }

  /** Verifies with the first trusted webhook whose scheme and secret fit. */
  #verifySpoken(headers: HeaderLines, rawBody: Uint8Array, url: string): VerifiedDelivery {
    let refusal: unknown
    const now = this.#runtime.clock.now()
    for (const { webhookId, secret, publicKey, format } of this.#webhooks) {
      if (format === undefined) continue
      try {
        const request = { headers, rawBody, url }
        const { signature, signedAt, skewSeconds } = verifyRequest(format.scheme, request, [publicKey ?? secret], now)
        const delivery = readProviderDelivery(format, { headers, rawBody, now })
        const t = signedAt === null ? null : signedAt / 1_000
        const isStamped = format.scheme.stamp !== undefined
        return { ...delivery, isStamped, webhookId, signature: { t, v1: signature, skewSeconds } }
      } catch (cause) {
        if (refusal === undefined || isMissing(refusal)) refusal = cause
      }
    }
    throw toSignatureRejection(refusal)
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

function toSignatureRejection(cause: unknown): unknown {
  if (!(cause instanceof WebhookVerificationError)) return cause
  return new Rejection(cause.code === 'signature_malformed' ? 400 : 401, cause.code, cause.message, { cause })
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof WebhookVerificationError && cause.code === 'signature_missing'

function checkHead(request: IncomingMessage, takesForm: boolean): void {
  if (request.method !== 'POST') {
    throw new Rejection(405, 'method_not_allowed', `Expected method POST, got ${request.method}.`)
  }
  const types = request.headersDistinct['content-type'] ?? []
  const isTaken = types.length === 1 && JSON_TYPE.test(types[0] ?? '')
  if (!isTaken && !(takesForm && bringsForm(request))) {
    const got = types.join(', ') || 'none'
    throw new Rejection(415, 'unsupported_content_type', `Expected content-type application/json, got ${got}.`)
  }
  const encoding = (request.headersDistinct['content-encoding'] ?? []).join(', ')
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Rejection(415, 'unsupported_content_encoding', `Expected no content-encoding, got ${encoding}.`)
  }
}

/** Counts the received bytes of the body, whatever its announced length. */
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
  // Node gives each byte of a header as one character; the bytes are UTF-8.
  const isSame = kind !== undefined && Buffer.from(kind, 'latin1').toString() === type
  if (isSame && lines?.length === 1) return
  const got = lines?.join(', ') ?? 'none'
  throw new Rejection(400, 'event_mismatch', `Expected \`Svc-Event\` to be the body's type ${type}, got ${got}.`)
}
