import type { DeliveryQueue } from './delivery-queue.ts'
import type { KeptFault } from './faults.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

/** Keeps what becomes of deliveries in a store. */
export interface DeliveryKeeper {
  /** An attempt was made, or a fault lets the delivery wait or loses it. */
  note(queue: DeliveryQueue, delivery: OutgoingDelivery): void
}

/** What a sender leaves to the next one, beside the deliveries. */
export interface KeptSending {
  /** How far the delivery clock is ahead of this machine's. */
  readonly offsetMs: number
  readonly faults: readonly KeptFault[]
}
