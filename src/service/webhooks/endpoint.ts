import { matchesEventFilter } from '../../protocol/event-filter.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Delivery, Webhook, WebhookState } from '../../protocol/webhook.ts'
import { Lane, type LaneOptions } from './lane.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

const MAX_RECORDS = 1_000

/** One registered webhook: its filter, its secret, whether it is switched off, and the deliveries that wait for it. */
export class Endpoint {
  readonly webhook: Webhook
  readonly secret: string
  /** Failed deliveries in a row. */
  failures = 0
  isOff = false
  isRemoved = false
  /** Whether first attempts are being sent, one after the other. */
  isSending = false
  /** Retries under way besides. */
  retriesInFlight = 0
  /** Retries that are due and wait for a free lane or for the endpoint to be enabled. */
  readonly due: OutgoingDelivery[] = []
  readonly #laneOptions: LaneOptions
  readonly #waiting = new Set<OutgoingDelivery>()
  readonly #lanes = new Set<Lane>()
  readonly #restingLanes: Lane[] = []
  #records = new Map<string, OutgoingDelivery>()
  #queue: OutgoingDelivery[] = []
  #queueHead = 0

  constructor(webhook: Webhook, secret: string, laneOptions: LaneOptions) {
    this.webhook = webhook
    this.secret = secret
    this.#laneOptions = laneOptions
  }

  get isActive(): boolean {
    return !this.isOff && !this.isRemoved
  }

  /** Whether a first attempt waits. */
  get hasQueued(): boolean {
    return this.#queueHead < this.#queue.length
  }

  /** Overlapping filters make one delivery. */
  wants(type: string): boolean {
    return this.isActive && this.webhook.events.some((filter) => matchesEventFilter(filter, type))
  }

  /** Adds a delivery behind those that wait for their first attempt. */
  add(delivery: OutgoingDelivery): void {
    this.#waiting.add(delivery)
    this.#records.set(delivery.id, delivery)
    if (this.#records.size > MAX_RECORDS) this.#records.delete(this.#records.keys().next().value as string)
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
    this.failures = state === 'delivered' ? 0 : this.failures + 1
    if (this.failures >= LIMITS.webhookFailuresBeforeOff) this.isOff = true
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
    for (const delivery of this.#waiting) {
      delivery.isDropped = true
      this.#records.delete(delivery.id)
    }
    this.#waiting.clear()
    this.#queue = []
    this.#queueHead = 0
    this.due.length = 0
    this.closeLanes()
  }

  closeLanes(): void {
    for (const lane of this.#lanes) lane.close()
    this.#lanes.clear()
    this.#restingLanes.length = 0
  }

  /** The latest 1000 deliveries, oldest first. */
  deliveries(): Delivery[] {
    return [...this.#records.values()].map((delivery) => delivery.describe(this.isOff))
  }

  state(): WebhookState {
    return { ...this.webhook, state: this.isOff ? 'off' : 'active', failures: this.failures }
  }
}
