import type { DeliveryQueue } from './delivery-queue.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

/** A delivery that is due some time. */
export interface DueDelivery {
  readonly queue: DeliveryQueue
  readonly delivery: OutgoingDelivery
  /** Whether a fault lets the next delivery overtake it. */
  readonly isReordered: boolean
}
