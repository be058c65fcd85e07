import type { Delivery, WebhookState } from '../../protocol/webhook.ts'
import type { Clock } from '../../runtime/clock.ts'
import { EndpointLanes } from './endpoint-lanes.ts'
import type { AnnouncedChange, EventForm } from './event-form.ts'
import { FirstAttempts } from './first-attempts.ts'
import type { Outgoing } from './guarded-connect.ts'
import type { AttemptOutcome } from './lane.ts'
import { type EventBody, hasFailedSince, OutgoingDelivery } from './outgoing-delivery.ts'
import { noDelivery, shownWebhook, type WebhookSetting } from './webhook-settings.ts'

const MAX_RECORDS = 1_000
/** Retries that may be under way at once. First attempts are not counted. */
const PARALLEL_RETRIES = 4
/** How long before the end of a lease a request has to be over, to be noted under it. */
const TO_BE_NOTED_MS = 2_000
/** Failed attempts in a row from which on an endpoint is not trusted with more than this many deliveries. */
const FAILED_ATTEMPTS = 10
const MOST_WAITING = 10_000

/** A delivery that is due some time. */
export interface DueDelivery {
  readonly queue: DeliveryQueue
  readonly delivery: OutgoingDelivery
  /** Whether a fault lets the next delivery overtake it. */
  readonly isReordered: boolean
}

/** What waits for one webhook, and the lanes that it is sent on. */
export class DeliveryQueue {
  webhook: WebhookSetting
  /** How changes are told to it. */
  readonly form: EventForm
  /** Whether the webhook is switched off. */
  isOff = false
  /** Whether first attempts are being sent. */
  isSending = false
  hasAnswered = false
  /** Retries under way. */
  retriesUnderWay = 0
  /** Retries that are due and wait for a free lane or for the webhook to be enabled. */
  readonly due: OutgoingDelivery[] = []
  /** Deliveries that a fault lets the next one overtake. */
  readonly overtaken = new Set<OutgoingDelivery>()
  readonly lanes: EndpointLanes
  readonly #waiting = new Set<OutgoingDelivery>()
  readonly #clock: Clock
  #records: OutgoingDelivery[] = []
  readonly first: FirstAttempts
  #startsUntil: number | undefined
  #failures = 0
  #failedAttempts = 0
  #dropped = 0
  #isClosed = false

  constructor(webhook: WebhookSetting, form: EventForm, options: Outgoing) {
    this.webhook = webhook
    this.form = form
    this.lanes = new EndpointLanes(webhook, form, options)
    this.#clock = options.runtime.clock
    this.first = new FirstAttempts(form.dialect.scheme.batch)
  }

  /** Takes over what was changed of the webhook: what waits goes to the new address, signed with the new secret. */
  change(webhook: WebhookSetting): void {
    this.webhook = webhook
    this.lanes.change(webhook)
  }

  /** Whether the endpoint is to be switched off: its address is refused, or so many deliveries in a row have failed, 50 unless its dialect says otherwise. */
  get isExhausted(): boolean {
    const { offAfter } = this.form.dialect.delivery
    return this.lanes.refusal !== undefined || (offAfter !== null && this.#failures >= offAfter)
  }

  get isActive(): boolean {
    return !this.isOff && !this.isExhausted && !this.#isClosed && this.#mayStart
  }

  /** The types of events that this webhook gets of a change. Overlapping filters make one delivery. */
  wantedOf(change: AnnouncedChange): readonly string[] {
    return this.isActive ? this.form.wantedOf(change, this.webhook) : []
  }

  /** Keeps a delivery on record. */
  add(delivery: OutgoingDelivery): void {
    if (delivery.isWaiting) this.#waiting.add(delivery)
    this.#records.push(delivery)
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS)
  }

  /** How many deliveries were dropped. */
  get dropped(): number {
    return this.#dropped
  }

  /** Puts an event behind those that wait for their first attempt, where the endpoint is trusted with it. */
  addFirst(body: EventBody): void {
    if (this.#isOverfull(1)) this.#drop([body])
    else this.first.add(body)
  }

  /** The next delivery to send for the first time, unless the webhook is off. See {@link FirstAttempts.take}. */
  takeFirst(): OutgoingDelivery | undefined {
    const taken = this.isActive ? this.first.take() : undefined
    if (taken === undefined) return undefined
    const [body, ...more] = taken
    const delivery = new OutgoingDelivery(this.webhook.id, body, more)
    this.add(delivery)
    return delivery
  }

  /** The next retry that is due, unless the webhook is off or enough of them are under way. */
  takeRetry(): OutgoingDelivery | undefined {
    return this.isActive && this.retriesUnderWay < PARALLEL_RETRIES ? this.due.shift() : undefined
  }

  /** Lets a delivery be sent as a retry. One that a fault has reordered may have been sent already. */
  makeDue(delivery: OutgoingDelivery, isReordered: boolean): void {
    if (delivery.isDropped || !delivery.isWaiting || (isReordered && !this.overtaken.delete(delivery))) return
    this.due.push(delivery)
  }

  /** One of the latest 1,000 deliveries that were sent. Throws `not_found`. */
  find(id: string): OutgoingDelivery {
    const found = this.#records.findLast((delivery) => delivery.id === id)
    if (found === undefined) throw noDelivery(id)
    return found
  }

  /** A replay has arrived: nothing more is to be sent of the delivery. */
  settle(delivery: OutgoingDelivery): void {
    const at = this.due.indexOf(delivery)
    if (at !== -1) this.due.splice(at, 1)
    this.finish(delivery, 'delivered')
  }

  /** Puts the deliveries among the retries that are due which have failed since then and can be sent again. */
  recover(since: number): { deliveries: number; gone: number } {
    const failed = this.#records.filter((delivery) => hasFailedSince(since, delivery))
    const kept = failed.filter((delivery) => this.lanes.sent.has(delivery))
    for (const delivery of kept) {
      delivery.state = 'retrying'
      this.#waiting.add(delivery)
      this.due.push(delivery)
    }
    return { deliveries: kept.length, gone: failed.length - kept.length }
  }

  /** The deliveries that `delivery` has just overtaken. */
  takeOvertaken(delivery: OutgoingDelivery): OutgoingDelivery[] {
    if (this.overtaken.size === 0 || !this.isActive) return []
    const taken = [...this.overtaken].filter((other) => other !== delivery)
    for (const other of taken) this.overtaken.delete(other)
    return taken
  }

  /** Counts failed attempts in a row. Where the endpoint is not trusted any more, what is too much is dropped. */
  noteAttempt({ error, status }: AttemptOutcome): void {
    this.#failedAttempts = error === null ? 0 : this.#failedAttempts + 1
    this.hasAnswered ||= status !== null
    if (!this.#isOverfull(0)) return
    const room = Math.max(0, MOST_WAITING - this.#waiting.size)
    this.#drop(this.first.takePast(room))
  }

  /** Ends a delivery, and counts how many have failed in a row. */
  finish(delivery: OutgoingDelivery, state: 'delivered' | 'failed'): void {
    const { offAfter, offStatus } = this.form.dialect.delivery
    const isOver = offStatus.includes(delivery.attempts.at(-1)?.status ?? 0)
    if (state === 'delivered') this.#failures = 0
    else this.#failures = isOver ? Math.max(offAfter ?? 1, this.#failures + 1) : this.#failures + 1
    this.#end(delivery, state)
  }

  /** Marks a delivery failed that a fault keeps from being sent; the webhook's endpoint is not to blame. */
  lose(delivery: OutgoingDelivery): void {
    this.#end(delivery, 'failed')
    delivery.forgetBody()
  }

  /** Begins to count failures anew, or where a store says. */
  setFailures(failures = 0): void {
    this.#failures = failures
  }

  /** Failed deliveries in a row. */
  get failures(): number {
    return this.#failures
  }

  /** Whether the last ten attempts have failed. */
  get isFailing(): boolean {
    return this.#failedAttempts >= FAILED_ATTEMPTS
  }

  /** Lets requests begin that are over before this end of a lease, in monotonic milliseconds. */
  set leaseEndsAt(at: number) {
    this.#startsUntil = at - this.form.dialect.delivery.timeoutSeconds * 1_000 - TO_BE_NOTED_MS
  }

  get #mayStart(): boolean {
    return this.#startsUntil === undefined || this.#clock.monotonic() < this.#startsUntil
  }

  /** Forgets every delivery that is not finished, and ends those under way. */
  dropWaiting(): void {
    for (const delivery of this.#waiting) delivery.isDropped = true
    this.#waiting.clear()
    this.#records = this.#records.filter((delivery) => !delivery.isDropped)
    this.first.clear()
    this.due.length = 0
    this.overtaken.clear()
    this.lanes.close()
  }

  /** Forgets every delivery: a store has them. */
  forget(): void {
    this.dropWaiting()
    this.#records = []
    this.lanes.sent.clear()
  }

  /** Ends everything. Nothing is wanted or sent any more. */
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
      failures: this.#failures,
      ...(refusal && { reason: refusal.message }),
    }
  }

  #end(delivery: OutgoingDelivery, state: 'delivered' | 'failed' | 'dropped'): void {
    delivery.state = state
    delivery.dueAt = null
    this.#waiting.delete(delivery)
  }

  /** Whether too much waits behind an endpoint that fails, with so many more. */
  #isOverfull(more: number): boolean {
    const waiting = this.#waiting.size + this.first.size
    return this.isFailing && waiting + more > MOST_WAITING
  }

  /** Records deliveries as dropped: the latest of them. */
  #drop(bodies: readonly EventBody[]): void {
    this.#dropped += bodies.length
    for (const body of bodies.slice(-MAX_RECORDS)) {
      const delivery = new OutgoingDelivery(this.webhook.id, body)
      this.add(delivery)
      this.#end(delivery, 'dropped')
      delivery.forgetBody()
    }
  }
}
