import type { LaneAnswer, LaneRequest } from './lane.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

/** What one attempt has sent, and what it was answered. */
export interface SentRequest extends LaneRequest {
  /** The attempt, from 1. */
  readonly attempt: number
  readonly url: string
  readonly answer: LaneAnswer | undefined
}

/** Most deliveries kept with their requests, and most bytes of these. */
const MOST_DELIVERIES = 100
const MOST_BYTES = 4 * 1024 * 1024

/** Requests and responses of the latest 100 deliveries to one webhook: at most 4 MiB, the oldest are dropped first. */
export class SentRequests {
  /** The delivery with the latest attempt is last. */
  readonly #byDelivery = new Map<OutgoingDelivery, SentRequest[]>()
  #bytes = 0

  add(delivery: OutgoingDelivery, sent: SentRequest): void {
    const earlier = this.of(delivery)
    this.#byDelivery.delete(delivery)
    this.#byDelivery.set(delivery, [...earlier, sent])
    this.#bytes += sizeOf(sent)
    while (this.#byDelivery.size > 1 && (this.#byDelivery.size > MOST_DELIVERIES || this.#bytes > MOST_BYTES)) {
      const [oldest] = this.#byDelivery.keys()
      this.#forget(oldest as OutgoingDelivery)
    }
  }

  /** Whether the delivery is kept, so that it can be sent again. */
  has(delivery: OutgoingDelivery): boolean {
    return this.#byDelivery.has(delivery)
  }

  of(delivery: OutgoingDelivery): readonly SentRequest[] {
    return this.#byDelivery.get(delivery) ?? []
  }

  clear(): void {
    this.#byDelivery.clear()
    this.#bytes = 0
  }

  #forget(delivery: OutgoingDelivery): void {
    for (const sent of this.of(delivery)) this.#bytes -= sizeOf(sent)
    this.#byDelivery.delete(delivery)
    if (!delivery.isWaiting) delivery.forgetBody()
  }
}

const sizeOf = ({ rawBody, answer }: SentRequest): number => rawBody.length + (answer?.bytes ?? 0)
