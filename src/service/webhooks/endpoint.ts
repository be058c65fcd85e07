import { matchesEventFilter } from '../../protocol/event.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Delivery, Webhook, WebhookState } from '../../protocol/webhook.ts'
import { Lane, type LaneOptions } from './lane.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

const MAX_RECORDS = 1_000

/** One registered webhook: its filter, its secret, whether it is switched off, and the deliveries that wait for it. */
export class Endpoint {
  readonly webhook: Webhook
  readonly secret: string
  /** Whether first attempts are being sent, one after the other. */
  isSending = false
  /** Retries under way besides. */
  retriesUnderWay = 0
  /** Retries that are due and wait for a free lane or for the endpoint to be enabled. */
  readonly due: OutgoingDelivery[] = []
  /** Deliveries that a fault lets the next one overtake. */
  readonly overtaken = new Set<OutgoingDelivery>()
  readonly #laneOptions: LaneOptions
  readonly #waiting = new Set<OutgoingDelivery>()
  readonly #lanes = new Set<Lane>()
  readonly #restingLanes: Lane[] = []
  #records: OutgoingDelivery[] = []
  #queue: OutgoingDelivery[] = []
  #queueHead = 0
  #failures = 0
  #isOff = false
  #isRemoved = false

  constructor(webhook: Webhook, secret: string, laneOptions: LaneOptions) {
    this.webhook = webhook
    this.secret = secret
    this.#laneOptions = laneOptions
  }

  get isActive(): boolean {
    return !this.#isOff && !this.#isRemoved
  }

  /** Whether a first attempt waits. */
  get hasQueued(): boolean {
    return this.#queueHead < this.#queue.length
  }

  /** Overlapping filters make one delivery. */
  wants(type: string): boolean {
    return this.isActive && this.webhook.events.some((filter) => matchesEventFilter(filter, type))
  }

  /** Keeps a delivery on record. */
  add(delivery: OutgoingDelivery): void {
    this.#waiting.add(delivery)
    this.#records.push(delivery)
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS)
  }

  /** Puts a delivery behind those that wait for their first attempt. */
  queue(delivery: OutgoingDelivery): void {
    this.#queue.push(delivery)
  }

  /** The next delivery to send for the first time, unless the endpoint is off. */
  takeQueued(): OutgoingDelivery | undefined {
    if (!this.isActive || !this.hasQueued) return undefined
    const delivery = this.#queue[this.#queueHead++] as OutgoingDelivery
    if (this.#queueHead > 1_024 && this.#queueHead * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#queueHead)
      this.#queueHead = 0
    }
    return delivery
  }

  /** Ends a delivery. The 50th failed one in a row switches the endpoint off. */
  finish(delivery: OutgoingDelivery, state: 'delivered' | 'failed'): void {
    delivery.state = state
    delivery.dueAt = null
    this.#waiting.delete(delivery)
    this.#failures = state === 'delivered' ? 0 : this.#failures + 1
    if (this.#failures >= LIMITS.webhookFailuresBeforeOff) this.#isOff = true
  }

  /** Marks a delivery failed that a fault keeps from being sent; the endpoint is not to blame. */
  lose(delivery: OutgoingDelivery): void {
    delivery.state = 'failed'
    this.#waiting.delete(delivery)
  }

  /** The deliveries that `delivery` has just overtaken. */
  takeOvertaken(delivery: OutgoingDelivery): OutgoingDelivery[] {
    if (this.overtaken.size === 0 || !this.isActive) return []
    const taken = [...this.overtaken].filter((other) => other !== delivery)
    for (const other of taken) this.overtaken.delete(other)
    return taken
  }

  enable(): void {
    this.#isOff = false
    this.#failures = 0
  }

  /** Ends everything. Nothing is wanted or sent any more. */
  remove(): void {
    this.#isRemoved = true
    this.dropWaiting()
  }

  /** A lane for one request; give it back afterwards. */
  takeLane(): Lane {
    const resting = this.#restingLanes.pop()
    if (resting) return resting
    const lane = new Lane(this.#laneOptions)
    this.#lanes.add(lane)
    return lane
  }

  giveLane(lane: Lane): void {
    if (this.#lanes.has(lane)) this.#restingLanes.push(lane)
  }

  /** Forgets every delivery that is not finished, and ends those under way. */
  dropWaiting(): void {
    for (const delivery of this.#waiting) delivery.isDropped = true
    this.#waiting.clear()
    this.#records = this.#records.filter((delivery) => !delivery.isDropped)
    this.#queue = []
    this.#queueHead = 0
    this.due.length = 0
    this.overtaken.clear()
    for (const lane of this.#lanes) lane.close()
    this.#lanes.clear()
    this.#restingLanes.length = 0
  }

  /** The latest 1000 deliveries, oldest first. */
  deliveries(): Delivery[] {
    return this.#records.slice(-MAX_RECORDS).map((delivery) => delivery.describe(this.#isOff))
  }

  state(): WebhookState {
    return { ...this.webhook, state: this.#isOff ? 'off' : 'active', failures: this.#failures }
  }
}
