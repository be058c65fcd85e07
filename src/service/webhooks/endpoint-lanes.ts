import { ApiError } from '../../protocol/errors.ts'
import { matchesEventFilter } from '../../protocol/event.ts'
import { RequestSigner } from '../../protocol/webhook-scheme/request-signer.ts'
import { composeRequest, type SpoiledAttempt } from './compose-request.ts'
import type { EventForm } from './event-form.ts'
import type { Outgoing } from './guarded-connect.ts'
import { type AttemptOutcome, Lane } from './lane.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'
import { SentRequests } from './sent-requests.ts'
import type { WebhookSetting } from './webhook-settings.ts'
import { judgeAgain, type WebhookTarget } from './webhook-target.ts'

/** The connections to one webhook's endpoint, and their requests. */
export class EndpointLanes {
  readonly sent = new SentRequests()
  #webhook: WebhookSetting
  readonly #form: EventForm
  readonly #options: Outgoing
  /** Undefined for a forbidden address. */
  #target: WebhookTarget | undefined
  /** Why the address is forbidden: the webhook comes from a store, and the options have changed. */
  refusal: ApiError | undefined
  #signer: RequestSigner
  readonly #open = new Set<Lane>()
  readonly #resting: Lane[] = []
  /** The address that answered the handshake. */
  #greeted: string | undefined

  constructor(webhook: WebhookSetting, form: EventForm, options: Outgoing) {
    this.#webhook = webhook
    this.#form = form
    this.#options = options
    this.#judge()
    this.#signer = new RequestSigner(form.format.scheme, webhook.secret)
  }

  /** Uses the webhook's new settings. A running request still ends at the old address. */
  change(webhook: WebhookSetting): void {
    const { url, secret } = this.#webhook
    this.#webhook = webhook
    if (webhook.secret !== secret) this.#signer = new RequestSigner(this.#form.format.scheme, webhook.secret)
    if (webhook.url === url) return
    this.#judge()
    for (const lane of this.#resting) lane.close()
    this.#resting.length = 0
    this.#open.clear()
  }

  /**
   * Sends once, and records the attempt. Never rejects: an internal error is a visible failed attempt.
   *
   * @param isManual requested by the owner
   */
  async post(delivery: OutgoingDelivery, spoiled: SpoiledAttempt, isManual = false): Promise<AttemptOutcome> {
    const { clock } = this.#options.runtime
    const at = clock.now()
    const startedAt = clock.monotonic()
    const lane = this.#resting.pop() ?? this.#openLane()
    let outcome: AttemptOutcome
    try {
      if (lane === undefined) throw this.refusal
      const { scheme } = this.#form.format
      const isForm = this.#form.isForm(delivery.type)
      const maker = { webhook: this.#webhook, scheme, signer: this.#signer, isForm, isOurSink: this.leadsToSink }
      const request = composeRequest(maker, delivery, spoiled, at)
      outcome = await lane.post(request)
      const { answer } = outcome
      const url = this.#webhook.url + request.query
      this.sent.add(delivery, { ...request, url, attempt: delivery.attempts.length + 1, answer })
    } catch (error) {
      const fact = error instanceof Error ? error.message : String(error)
      outcome = { status: null, error: `internal error: ${fact}`, address: null }
    }
    if (lane !== undefined && this.#open.has(lane)) this.#resting.push(lane)
    else lane?.close()
    if (!delivery.isDropped) delivery.record({ at, durationMs: clock.monotonic() - startedAt, isManual, ...outcome })
    return outcome
  }

  /** Whether the endpoint must answer a handshake before events. */
  get owesHandshake(): boolean {
    const { handshake } = this.#form.format
    if (handshake === undefined || this.#greeted === this.#webhook.url) return false
    const { events = ['*'] } = this.#webhook
    const owes = (type: string) => events.some((filter) => matchesEventFilter(filter, type))
    return handshake.events === undefined || handshake.events.some(owes)
  }

  /** Whether a handshake is sent at once. A sink of the run gets it with the first event: it always answers. */
  get greetsAtOnce(): boolean {
    return this.owesHandshake && !this.leadsToSink
  }

  /** Notes that the endpoint answered the handshake. */
  noteGreeting(): void {
    this.#greeted = this.#webhook.url
  }

  /**
   * Whether the receiver is a sink of the run, which gets labels of each event. A sink may be removed, so it is looked
   * up each time.
   */
  get leadsToSink(): boolean {
    if (this.#target === undefined || this.#webhook.scheme === undefined) return false
    return this.#options.reachable.findSink(this.#target.host, this.#target.port) !== undefined
  }

  /** Aborts running requests. */
  close(): void {
    for (const lane of this.#open) lane.close()
    this.#open.clear()
    this.#resting.length = 0
  }

  #judge(): void {
    const judged = judgeAgain(this.#webhook.url, this.#options.reachable)
    const isRefused = judged instanceof ApiError
    this.refusal = isRefused ? judged : undefined
    this.#target = isRefused ? undefined : judged
  }

  #openLane(): Lane | undefined {
    if (this.#target === undefined) return undefined
    const lane = new Lane(this.#target, this.#options, this.#form.format.delivery)
    this.#open.add(lane)
    return lane
  }
}
