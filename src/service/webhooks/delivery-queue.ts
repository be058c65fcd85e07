import type { Delivery, WebhookState } from '../../protocol/webhook.ts'
import type { Clock } from '../../runtime/clock.ts'
import { EndpointLanes } from './endpoint-lanes.ts'
import type { AnnouncedChange, EventForm } from './event-form.ts'
import { FirstAttempts } from './first-attempts.ts'
import type { Outgoing } from './guarded-connect.ts'
import type { AttemptOutcome } from './lane.ts'
import { type EventBody, OutgoingDelivery } from './outgoing-delivery.ts'
import { noDelivery, shownWebhook, type WebhookSetting } from './webhook-settings.ts'

const MAX_RECORDS = 1_000
/** Most concurrent retries, besides first attempts. */
const PARALLEL_RETRIES = 4
/** How long before the end of a lease a request must end, so that its result can be saved. */
const TO_BE_NOTED_MS = 2_000
/** Number of consecutive failed attempts after which the number of an endpoint's waiting deliveries is limited. */
const FAILED_ATTEMPTS = 10
const MOST_WAITING = 10_000

export interface DueDelivery {
  readonly queue: DeliveryQueue
  readonly delivery: OutgoingDelivery
  /** Whether a fault lets the next delivery pass it. */
  readonly isReordered: boolean
}

/** Waiting deliveries of one webhook, and its connections. */
export class DeliveryQueue {
  webhook: WebhookSetting
  /** The form of its events. */
  readonly form: EventForm
  /** Whether the webhook is disabled. */
  isOff = false
  /** Whether first attempts are being sent. */
  isSending = false
  hasAnswered = false
  /** Consecutive failed deliveries. */
  failures = 0
  /** Number of deliveries dropped because too many waited. */
  dropped = 0
  /** Retries in progress. */
  retriesUnderWay = 0
  /** Due retries that wait for a free connection or for the webhook to be enabled. */
  readonly due: OutgoingDelivery[] = []
  /** Deliveries that a fault delays until after the next one. */
  readonly overtaken = new Set<OutgoingDelivery>()
  readonly lanes: EndpointLanes
  readonly #waiting = new Set<OutgoingDelivery>()
  readonly #clock: Clock
  #records: OutgoingDelivery[] = []
  readonly first: FirstAttempts
  #startsUntil: number | undefined
  #failedAttempts = 0
  #isClosed = false

  constructor(webhook: WebhookSetting, form: EventForm, options: Outgoing) {
    this.webhook = webhook
    this.form = form
    this.lanes = new EndpointLanes(webhook, form, options)
    this.#clock = options.runtime.clock
    this.first = new FirstAttempts(form.format.scheme.batch)
  }

  /** Applies new settings: waiting deliveries use the new address and the new secret. */
  change(webhook: WebhookSetting): void {
    this.webhook = webhook
    this.lanes.change(webhook)
  }

  /**
   * Whether the endpoint must be disabled: its address is refused, or too many consecutive deliveries have failed (50
   * by default).
   */
  get isExhausted(): boolean {
    const { offAfter } = this.form.format.delivery
    return this.lanes.refusal !== undefined || (offAfter !== null && this.failures >= offAfter)
  }

  get isActive(): boolean {
    return !this.isOff && !this.isExhausted && !this.#isClosed && this.#mayStart
  }

  /** This webhook's event types of a change. Overlapping filters make one delivery. */
  wantedOf(change: AnnouncedChange): readonly string[] {
    return this.isActive ? this.form.wantedOf(change, this.webhook) : []
  }

  /** Records a delivery. */
  add(delivery: OutgoingDelivery): void {
    if (delivery.isWaiting) this.#waiting.add(delivery)
    this.#records.push(delivery)
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS)
  }

  /** Adds an event to those that wait for their first attempt, within the limit of a failing endpoint. */
  addFirst(body: EventBody): void {
    if (this.#isOverfull(1)) this.#drop([body])
    else this.first.add(body)
  }

  /** The next delivery for a first attempt, unless the webhook is off. See {@link FirstAttempts.take}. */
  takeFirst(): OutgoingDelivery | undefined {
    const taken = this.isActive ? this.first.take() : undefined
    if (taken === undefined) return undefined
    const [body, ...more] = taken
    const delivery = new OutgoingDelivery(this.webhook.id, body, more)
    this.add(delivery)
    return delivery
  }

  /** The next due retry, unless the webhook is off or enough retries are in progress. */
  takeRetry(): OutgoingDelivery | undefined {
    return this.isActive && this.retriesUnderWay < PARALLEL_RETRIES ? this.due.shift() : undefined
  }

  /** Makes a delivery due as a retry. A reordered one may have been sent already. */
  makeDue(delivery: OutgoingDelivery, isReordered: boolean): void {
    if (delivery.isDropped || !delivery.isWaiting || (isReordered && !this.overtaken.delete(delivery))) return
    this.due.push(delivery)
  }

  /** One of the latest 1,000 sent deliveries. Throws `not_found`. */
  find(id: string): OutgoingDelivery {
    const found = this.#records.findLast((delivery) => delivery.id === id)
    if (found === undefined) throw noDelivery(id)
    return found
  }

  /** Ends a delivery after a successful replay. */
  settle(delivery: OutgoingDelivery): void {
    const at = this.due.indexOf(delivery)
    if (at !== -1) this.due.splice(at, 1)
    this.finish(delivery, 'delivered')
  }

  /** The deliveries that `delivery` has passed. */
  takeOvertaken(delivery: OutgoingDelivery): OutgoingDelivery[] {
    if (this.overtaken.size === 0 || !this.isActive) return []
    const taken = [...this.overtaken].filter((other) => other !== delivery)
    for (const other of taken) this.overtaken.delete(other)
    return taken
  }

  /** Counts consecutive failed attempts. Beyond the limit of a failing endpoint, drops waiting events. */
  noteAttempt({ error, status }: AttemptOutcome): void {
    this.#failedAttempts = error === null ? 0 : this.#failedAttempts + 1
    this.hasAnswered ||= status !== null
    if (!this.#isOverfull(0)) return
    const room = Math.max(0, MOST_WAITING - this.#waiting.size)
    this.#drop(this.first.takePast(room))
  }

  /** Ends a delivery, and counts consecutive failures. */
  finish(delivery: OutgoingDelivery, state: 'delivered' | 'failed'): void {
    const { offAfter, offStatus } = this.form.format.delivery
    const isOver = offStatus.includes(delivery.attempts.at(-1)?.status ?? 0)
    if (state === 'delivered') this.failures = 0
    else this.failures = isOver ? Math.max(offAfter ?? 1, this.failures + 1) : this.failures + 1
    this.#end(delivery, state)
  }

  /** Marks a delivery as failed that a fault prevents; this does not count for the endpoint. */
  lose(delivery: OutgoingDelivery): void {
    this.#end(delivery, 'failed')
    delivery.forgetBody()
  }

  /** Whether the last ten attempts failed. */
  get isFailing(): boolean {
    return this.#failedAttempts >= FAILED_ATTEMPTS
  }

  /** Allows requests that end before this end of a lease, in monotonic milliseconds. */
  set leaseEndsAt(at: number) {
    this.#startsUntil = at - this.form.format.delivery.timeoutSeconds * 1_000 - TO_BE_NOTED_MS
  }

  get #mayStart(): boolean {
    return this.#startsUntil === undefined || this.#clock.monotonic() < this.#startsUntil
  }

  /** Drops every unfinished delivery, and aborts running requests. */
  dropWaiting(): void {
    for (const delivery of this.#waiting) delivery.isDropped = true
    this.#waiting.clear()
    this.#records = this.#records.filter((delivery) => !delivery.isDropped)
    this.first.clear()
    this.due.length = 0
    this.overtaken.clear()
    this.lanes.close()
  }

  /** Drops every delivery: a store has them. */
  forget(): void {
    this.dropWaiting()
    this.#records = []
    this.lanes.sent.clear()
  }

  /** Ends everything. Nothing is sent any more. */
  close(): void {
    this.#isClosed = true
    this.dropWaiting()
  }

  /** The latest 1000 deliveries, oldest first. */
  deliveries(): Delivery[] {
    const isHeld = this.isOff || this.isExhausted
    const waiting = this.first.latest(MAX_RECORDS).map((body) => new OutgoingDelivery(this.webhook.id, body))
    return [...this.#records, ...waiting]
      .sort((left, right) => left.number - right.number)
      .slice(-MAX_RECORDS)
      .map((delivery) => delivery.describe(isHeld))
  }

  state(): WebhookState {
    const state = this.isOff || this.isExhausted ? 'off' : 'active'
    const { refusal } = this.lanes
    return {
      ...shownWebhook(this.webhook),
      state,
      failures: this.failures,
      ...(refusal && { reason: refusal.message }),
    }
  }

  #end(delivery: OutgoingDelivery, state: 'delivered' | 'failed' | 'dropped'): void {
    delivery.state = state
    delivery.dueAt = null
    this.#waiting.delete(delivery)
  }

  /** Whether too many events would wait for a failing endpoint, with this many more. */
  #isOverfull(more: number): boolean {
    const waiting = this.#waiting.size + this.first.size
    return this.isFailing && waiting + more > MOST_WAITING
  }

  /** Records the latest of these deliveries as dropped. */
  #drop(bodies: readonly EventBody[]): void {
    this.dropped += bodies.length
    for (const body of bodies.slice(-MAX_RECORDS)) {
      const delivery = new OutgoingDelivery(this.webhook.id, body)
      this.add(delivery)
      this.#end(delivery, 'dropped')
      delivery.forgetBody()
    }
  }
}
