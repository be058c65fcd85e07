import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebhookEvent } from '../protocol/event.ts'
import { signBody } from '../protocol/signature.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { uuidFrom } from '../runtime/uuid.ts'
import { type ForwardedAnswer, Forwards, type ReplayMode, replayWebhook } from './forwards.ts'
import { DEFAULT_CAPACITY, dropOldest, Inbox } from './inbox.ts'
import type { EventMatcher } from './match.ts'
import type { DeliveredEvent } from './provider-delivery.ts'
import { bringsForm, readPost, type TrustedWebhook, TrustedWebhooks } from './read-delivery.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { answerRejection, Rejection, toHeaders, toRejectedRequest } from './rejection.ts'
import { Replies, type ReplyBody, type SinkReply, writeReply } from './replies.ts'

/** Options of a path. */
interface SinkPathOptions {
  token: string
  url: string
  /** The sink's open paths by token, including this one until it is closed. */
  openPaths: Map<string, SinkPath>
  runtime: Runtime
  limits: { bodyBytes: number; secretHoldMs: number }
  /** Most webhooks to keep. */
  capacity?: number | undefined
}

/** A webhook of the inbox that this path may still change. */
type KeptWebhook = { -readonly [Name in keyof ReceivedWebhook]: ReceivedWebhook[Name] }

/** One delivery as a path keeps it: its webhooks (several for a batch), and whether we answered with 2xx. */
interface KnownDelivery {
  readonly webhooks: readonly KeptWebhook[]
  isTaken: boolean
}

/** A verified request, without its event. */
type Seen = Pick<ReceivedWebhook, 'headers' | 'rawBody' | 'signature' | 'deliveryId' | 'webhookId'>

/** One simulation's address at the sink: it verifies and answers requests, and puts webhooks in its inbox. */
export class SinkPath {
  /** The address to register for a webhook. */
  readonly url: string
  readonly inbox: Inbox
  readonly #options: SinkPathOptions
  readonly #runtime: Runtime
  readonly #capacity: number
  readonly #trusted: TrustedWebhooks
  readonly #replies = new Replies()
  readonly #forwards: Forwards
  readonly #local: TrustedWebhook
  #deliveries = new Map<string, KnownDelivery>()

  /** @internal */
  constructor(options: SinkPathOptions) {
    const { url, runtime, limits, capacity = DEFAULT_CAPACITY } = options
    this.url = url
    this.#options = options
    this.#runtime = runtime
    this.#capacity = capacity
    this.#trusted = new TrustedWebhooks(runtime, limits.secretHoldMs)
    this.#forwards = new Forwards(runtime)
    this.#local = { webhookId: runtime.uuid(), secret: `whsec_${runtime.secret(32)}` }
    this.inbox = new Inbox({ capacity })
  }

  /** The secret that signs entries of the event feed; a handler under test needs it in feed mode. */
  get localSecret(): string {
    return this.#local.secret
  }

  /** Adds a webhook's secret to the path. Earlier requests have waited for it. Throws a TypeError for an empty secret. */
  trust(webhook: TrustedWebhook): void {
    this.#trusted.add(webhook)
  }

  /** Sets the answer from now on; the latest reply that matches an event is used. */
  respond(reply: SinkReply, matcher?: EventMatcher): void {
    this.#replies.add(reply, matcher)
  }

  /** Sends a webhook again, to an application under test. */
  replay(webhook: ReceivedWebhook<unknown>, options: { to: string; as?: ReplayMode }): Promise<Response> {
    const known = this.#trusted.find(webhook.webhookId)
    const secret = known?.secret ?? (webhook.webhookId === this.#local.webhookId ? this.#local.secret : undefined)
    return replayWebhook(webhook, { ...options, secret, scheme: known?.format?.scheme, runtime: this.#runtime })
  }

  /**
   * Passes on every request that comes, bytes and headers unchanged and verified or not, to an application under test.
   * Its answer becomes ours, and the webhook is in the inbox once it has answered.
   *
   * @param onUnreachable is called with the reason, once, where the application could not be reached and never was before
   */
  forwardTo(url: string, onUnreachable?: (reason: string) => void): AsyncDisposable {
    return this.#forwards.add(url, onUnreachable)
  }

  /** Adds an entry of the event feed to the inbox, in the form of the service's delivery but signed by us. */
  async addFeedEntry({ id, type, created, data }: WebhookEvent): Promise<ReceivedWebhook> {
    const now = this.#runtime.clock.now()
    const event = { id, type, created, data } as DeliveredEvent
    const rawBody = Buffer.from(JSON.stringify(event))
    const { webhookId, secret } = this.#local
    const deliveryId = uuidFrom(webhookId, id)
    const t = Math.floor(now / 1_000)
    const header = signBody({ rawBody, secret, t })
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'svc-event': type,
      'svc-delivery': deliveryId,
      'svc-signature': header,
    }
    const signature = { t, v1: header.slice(header.indexOf('v1=') + 3), skewSeconds: now / 1_000 - t }
    const webhook = toWebhook(event, { headers, rawBody, signature, deliveryId, webhookId }, 'feed', now)
    await this.#forwards.pass({ headers, rawBody, query: '' })
    this.inbox.add(webhook)
    return webhook
  }

  /** The application of {@link forwardTo} that has not answered for the longest time, and for how many milliseconds. */
  unanswered(): { url: string; ms: number } | undefined {
    return this.#forwards.unanswered()
  }

  /** Empties the inbox; a further attempt of a cleared delivery counts as new. */
  clear(): void {
    this.inbox.clear()
    this.#deliveries = new Map()
  }

  /** Empties the inbox and forgets the replies. */
  reset(): void {
    this.clear()
    this.#replies.clear()
  }

  /** Removes the path: requests to it are refused afterwards, and waits end. */
  close(): void {
    const { token, openPaths } = this.#options
    if (openPaths.get(token) === this) openPaths.delete(token)
    this.#trusted.close()
    this.#forwards.close()
    this.inbox.close()
  }

  /** Handles one request: reads, forwards, verifies, records and answers it. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let rawBody: Buffer | undefined
    try {
      const takesForm = bringsForm(request) && (await this.#trusted.takesForms())
      rawBody = await readPost(request, { maxBytes: this.#options.limits.bodyBytes, takesForm })
      const handshake = request.headers['backlot-handshake']
      if (handshake !== undefined) {
        await this.#trusted.verify(request, rawBody, this.url + queryOf(request))
        answerHandshake(response, String(handshake))
        return
      }
      const came = { headers: toHeaders(request), rawBody, query: queryOf(request) }
      const forwarded = this.#forwards.pass(came)
      const delivery = await this.#verify(request, came).finally(() => forwarded)
      this.#answer(delivery, response, await forwarded)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      answerRejection(error, request, response)
      const seen = { at: this.#runtime.clock.now(), request, rawBody, remoteAddress: request.socket.remoteAddress }
      this.inbox.reject(toRejectedRequest(error, seen))
    }
  }

  /** Verifies and records: a new delivery, or another attempt of an earlier one. */
  async #verify(
    request: IncomingMessage,
    { headers, rawBody }: Pick<ReceivedWebhook, 'headers' | 'rawBody'>,
  ): Promise<KnownDelivery> {
    const { events, isStamped, ...proof } = await this.#trusted.verify(request, rawBody, this.url + queryOf(request))
    const seen = { headers, rawBody, ...proof }
    const known = this.#deliveries.get(seen.deliveryId)
    if (known !== undefined) return repeat(known, seen, isStamped)
    const now = this.#runtime.clock.now()
    const first = { webhooks: events.map((event) => toWebhook(event, seen, 'webhook', now)), isTaken: false }
    this.#deliveries.set(seen.deliveryId, first)
    dropOldest(this.#deliveries, this.#capacity)
    return first
  }

  #answer(delivery: KnownDelivery, response: ServerResponse, forwarded: ForwardedAnswer | undefined): void {
    const { webhooks } = delivery
    const reply: SinkReply & ReplyBody = this.#takeReply(webhooks) ?? {
      status: forwarded?.status ?? 200,
      text: forwarded?.text,
      type: forwarded?.type,
    }
    for (const webhook of webhooks) webhook.answered = null
    const send = () => {
      const status = writeReply(response, reply)
      if (status === null) return
      for (const webhook of webhooks) webhook.answered = status
      delivery.isTaken ||= status >= 200 && status < 300
    }
    if (reply.delayMs && !reply.hang) response.once('close', this.#runtime.startTimer(reply.delayMs, send))
    else send()
    for (const webhook of webhooks) {
      if (webhook.attempts === 1) this.inbox.add(webhook)
      else this.inbox.update(webhook)
    }
  }

  /** The reply to a delivery: the first that matches one of its webhooks. */
  #takeReply(webhooks: readonly ReceivedWebhook[]): SinkReply | undefined {
    try {
      for (const webhook of webhooks) {
        const reply = this.#replies.take(webhook)
        if (reply !== undefined) return reply
      }
      return undefined
    } catch (cause) {
      const detail = `A matcher that was given to \`respond\` threw: ${cause instanceof Error ? cause.message : cause}`
      throw new Rejection(500, 'reply_failed', detail, { cause })
    }
  }
}

function toWebhook(
  event: DeliveredEvent,
  seen: Seen,
  source: ReceivedWebhook['source'],
  receivedAt: number,
): KeptWebhook {
  const counts = { attempt: 1, attempts: 1, duplicates: 0, answered: null }
  return { ...event, ...seen, ...counts, source, receivedAt, verified: source === 'webhook' }
}

/** Another request of the same delivery: a retry before an answer with 2xx, a duplicate afterwards, a fault when its body changed. */
function repeat(known: KnownDelivery, seen: Seen, isStamped: boolean): KnownDelivery {
  for (const webhook of known.webhooks) {
    if (!isStamped && !Buffer.from(webhook.rawBody).equals(seen.rawBody)) {
      const detail = `The delivery ${seen.deliveryId} came before with another body: a retry must carry the same bytes.`
      throw new Rejection(400, 'delivery_id_reused', detail)
    }
    webhook.attempts++
    if (known.isTaken) webhook.duplicates++
    else Object.assign(webhook, { attempt: webhook.attempt + 1, headers: seen.headers, signature: seen.signature })
  }
  return known
}

/** The query of a request with its `?`; empty without one. */
const queryOf = ({ url = '' }: IncomingMessage): string => /\?[^#]*/.exec(url)?.[0] ?? ''

/**
 * Repeats the challenge of a handshake where the sender expects it.
 *
 * @param wanted the header of the sender: `<challenge>` for the body, `<challenge>;whole` for the whole body,
 *   `<challenge>;header=X-Hook-Secret` for a header
 */
function answerHandshake(response: ServerResponse, wanted: string): void {
  const [challenge = '', place] = wanted.split(';header=')
  const text = wanted.endsWith(';whole') ? wanted.slice(0, -';whole'.length) : JSON.stringify({ challenge })
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(place !== undefined && { [place]: challenge }),
  })
  response.end(text)
}
