import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookEvent } from '../protocol/event.ts'
import {
  checkSecret,
  parseSignatureHeader,
  signWebhook,
  type VerifiedSignature,
  verifyWebhook,
  WebhookVerificationError,
} from '../protocol/signature.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { uuidFrom } from '../runtime/uuid.ts'
import { dropOldest } from './drop-oldest.ts'
import { Forwards } from './forwards.ts'
import { DEFAULT_CAPACITY, Inbox } from './inbox.ts'
import type { EventMatcher } from './match.ts'
import { type DeliveredEvent, parseDelivery } from './parse-delivery.ts'
import { checkHead, readBody } from './read-request.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Refusal, toHeaders, toRejectedRequest } from './refusal.ts'
import { type ReplayMode, replayWebhook } from './replay.ts'
import { Replies, type SinkReply, sendReply } from './replies.ts'

/** A webhook whose secret a path knows. */
export interface TrustedWebhook {
  webhookId: string
  secret: string
}

/** One delivery as this path keeps it: the webhook of the inbox, still writable, and whether a 2xx was our answer. */
interface KnownDelivery {
  readonly webhook: { -readonly [Name in keyof ReceivedWebhook]: ReceivedWebhook[Name] }
  isTaken: boolean
}

export interface SinkPathOptions {
  url: string
  runtime: Runtime
  limits: { bodyBytes: number; secretHoldMs: number }
  /** The most webhooks to keep. */
  capacity?: number | undefined
  onClose: () => void
}

/** One simulation's address at the sink: it verifies, answers, and keeps what came in its inbox. */
export class SinkPath {
  /** The address to register as a webhook. */
  readonly url: string
  readonly inbox: Inbox
  readonly #runtime: Runtime
  readonly #limits: SinkPathOptions['limits']
  readonly #capacity: number
  readonly #onClose: () => void
  readonly #trusted: TrustedWebhook[] = []
  readonly #replies = new Replies()
  readonly #forwards: Forwards
  readonly #local: TrustedWebhook
  #deliveries = new Map<string, KnownDelivery>()
  #secretWaiters: (() => void)[] = []

  constructor(options: SinkPathOptions) {
    const { runtime, capacity = DEFAULT_CAPACITY } = options
    this.#capacity = capacity
    this.url = options.url
    this.#runtime = runtime
    this.#limits = options.limits
    this.#onClose = options.onClose
    this.#forwards = new Forwards(runtime)
    this.#local = { webhookId: runtime.uuid(), secret: `whsec_${runtime.secret(32)}` }
    this.inbox = new Inbox({ capacity: this.#capacity })
  }

  /** Signs the entries of the event feed; the secret to give to a handler under test in feed mode. */
  get localSecret(): string {
    return this.#local.secret
  }

  /** Tells the path a webhook's secret. Requests that came before are held for it. Throws a TypeError for an empty secret. */
  trust(webhook: TrustedWebhook): void {
    checkSecret(webhook.secret)
    this.#trusted.push({ ...webhook })
    for (const wake of this.#secretWaiters.splice(0)) wake()
  }

  /** Answers in another way from now on; the latest reply that matches an event is used. */
  respond(reply: SinkReply, matcher?: EventMatcher): void {
    this.#replies.add(reply, matcher)
  }

  /** Sends a webhook again, to an application under test. */
  replay(webhook: ReceivedWebhook, options: { to: string; as?: ReplayMode }): Promise<Response> {
    const secret = [...this.#trusted, this.#local].find(({ webhookId }) => webhookId === webhook.webhookId)?.secret
    return replayWebhook(webhook, { ...options, secret, runtime: this.#runtime })
  }

  /**
   * Passes on every request that comes, bytes and headers unchanged and verified or not, to an application under test.
   * Its answer becomes ours, and the webhook is in the inbox once it has answered.
   */
  forwardTo(url: string): AsyncDisposable {
    return this.#forwards.add(url)
  }

  /** Puts an entry of the event feed in the inbox, as the service would have delivered it but signed by us. */
  async addFeedEntry(event: WebhookEvent): Promise<ReceivedWebhook> {
    const { id, type, created, data } = event
    const now = this.#runtime.clock.now()
    const rawBody = Buffer.from(JSON.stringify({ id, type, created, data }))
    const deliveryId = uuidFrom(this.#local.webhookId, id)
    const t = Math.floor(now / 1_000)
    const header = signWebhook({ rawBody, secret: this.#local.secret, t })
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'svc-event': type,
      'svc-delivery': deliveryId,
      'svc-signature': header,
    }
    const signature = { t, v1: header.slice(header.indexOf('v1=') + 3), skewSeconds: now / 1_000 - t }
    const known = { headers, rawBody, signature, deliveryId, webhookId: this.#local.webhookId }
    const webhook = this.#create(event as DeliveredEvent, { ...known, source: 'feed' })
    await this.#forwards.pass(headers, rawBody)
    this.inbox.add(webhook)
    return webhook
  }

  /** Empties the inbox; a delivery that was cleared away counts as new when it comes again. */
  clear(): void {
    this.inbox.clear()
    this.#deliveries = new Map()
  }

  /** Empties the inbox and forgets the replies. */
  reset(): void {
    this.clear()
    this.#replies.clear()
  }

  /** Takes the path away: it is unknown afterwards, and waits end. */
  close(): void {
    this.#onClose()
    for (const wake of this.#secretWaiters.splice(0)) wake()
    this.#forwards.close()
    this.inbox.close()
  }

  /** Takes one request: verifies, records and answers it. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let rawBody: Buffer | undefined
    try {
      checkHead(request)
      rawBody = await readBody(request, this.#limits.bodyBytes)
      const forwarded = this.#forwards.pass(toHeaders(request), rawBody)
      const known = await this.#verify(request, rawBody).finally(() => forwarded)
      this.#answer(known, response, await forwarded)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(error, request, response)
      const seen = { at: this.#runtime.clock.now(), request, rawBody, remoteAddress: request.socket.remoteAddress }
      this.inbox.reject(toRejectedRequest(error, seen))
    }
  }

  /** Everything that a request must prove, in the order of the design; records it as received. */
  async #verify(request: IncomingMessage, rawBody: Buffer): Promise<KnownDelivery> {
    const lines = request.headersDistinct
    const { signature, webhookId } = await this.#verifySignature(lines['svc-signature'], rawBody)
    const { event, deliveryId } = parseDelivery(rawBody, { delivery: lines['svc-delivery'], event: lines['svc-event'] })
    const seen = { headers: toHeaders(request), rawBody, signature, deliveryId, webhookId }
    const known = this.#deliveries.get(deliveryId)
    if (known) return repeat(known, seen)
    const first = { webhook: this.#create(event, { ...seen, source: 'webhook' }), isTaken: false }
    this.#deliveries.set(deliveryId, first)
    dropOldest(this.#deliveries, this.#capacity)
    return first
  }

  async #verifySignature(header: string[] | undefined, rawBody: Buffer) {
    try {
      parseSignatureHeader(header)
      await this.#waitForSecret()
      const secret = this.#trusted.map((trusted) => trusted.secret)
      const verified = verifyWebhook({ header, rawBody, secret, now: this.#runtime.clock.now() })
      const { webhookId } = this.#trusted[verified.secretIndex] as TrustedWebhook
      return { signature: toSignature(verified), webhookId }
    } catch (cause) {
      if (!(cause instanceof WebhookVerificationError)) throw cause
      throw new Refusal(cause.code === 'signature_malformed' ? 400 : 401, cause.code, cause.message, { cause })
    }
  }

  async #waitForSecret(): Promise<void> {
    if (this.#trusted.length > 0) return
    await new Promise<void>((resolve) => {
      const cancelTimer = this.#runtime.startTimer(this.#limits.secretHoldMs, resolve)
      this.#secretWaiters.push(() => {
        cancelTimer()
        resolve()
      })
    })
    if (this.#trusted.length > 0) return
    throw new Refusal(401, 'secret_unknown', 'No secret is known for this path: its webhook was never registered.')
  }

  #create(event: DeliveredEvent, seen: Seen & { source: ReceivedWebhook['source'] }): KnownDelivery['webhook'] {
    return {
      ...event,
      ...seen,
      attempt: 1,
      attempts: 1,
      duplicates: 0,
      answered: null,
      receivedAt: this.#runtime.clock.now(),
      verified: seen.source === 'webhook',
    }
  }

  #answer(known: KnownDelivery, response: ServerResponse, appStatus: number | undefined): void {
    const { webhook } = known
    const reply = this.#takeReply(webhook) ?? { status: appStatus ?? 200 }
    webhook.answered = null
    sendReply(response, reply, this.#runtime, (status) => {
      webhook.answered = status
      known.isTaken ||= status >= 200 && status < 300
    })
    if (webhook.attempts === 1) this.inbox.add(webhook)
    else this.inbox.update(webhook)
  }

  #takeReply(webhook: ReceivedWebhook): SinkReply | undefined {
    try {
      return this.#replies.take(webhook)
    } catch (cause) {
      const detail = `A matcher that was given to \`respond\` threw: ${cause instanceof Error ? cause.message : cause}`
      throw new Refusal(500, 'reply_failed', detail, { cause })
    }
  }
}

type Seen = Pick<ReceivedWebhook, 'headers' | 'rawBody' | 'signature' | 'deliveryId' | 'webhookId'>

/** The same delivery again: a retry while no 2xx was answered, a duplicate afterwards, a fault when its body changed. */
function repeat(known: KnownDelivery, seen: Seen): KnownDelivery {
  const { webhook } = known
  if (!Buffer.from(webhook.rawBody).equals(seen.rawBody)) {
    const detail = `The delivery ${seen.deliveryId} came before with another body: a retry must carry the same bytes.`
    throw new Refusal(400, 'delivery_id_reused', detail)
  }
  webhook.attempts++
  if (known.isTaken) webhook.duplicates++
  else Object.assign(webhook, { attempt: webhook.attempt + 1, headers: seen.headers, signature: seen.signature })
  return known
}

function refuse(refusal: Refusal, request: IncomingMessage, response: ServerResponse): void {
  if (refusal.status === null || response.destroyed) return
  request.resume()
  const body = JSON.stringify({ error: { code: refusal.reason, message: refusal.message } })
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(refusal.status === 405 ? { allow: 'POST' } : {}),
    ...(refusal.status === 413 ? { connection: 'close' } : {}),
  })
  response.end(body)
}

function toSignature({ t, v1, skewSeconds }: VerifiedSignature): ReceivedWebhook['signature'] {
  return { t, v1, skewSeconds }
}
