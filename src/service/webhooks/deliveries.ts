import type { DeliveryDetail, RecoveredDeliveries, ReplayRequest } from '../../protocol/delivery-detail.ts'
import type { Delivery, WebhookFault, WebhookState } from '../../protocol/webhook.ts'

type Now<Value> = Value | Promise<Value>

/** What can be asked of the deliveries of one simulation: of this process, or of a store. */
export interface Deliveries {
  /** The webhooks, whether each is switched off, and its failed deliveries in a row. */
  states(): Now<WebhookState[]>
  /** The latest 1000 deliveries of a webhook, oldest first, with every attempt. Throws `not_found`. */
  deliveries(id: string): Now<Delivery[]>
  /** A delivery with what each of its attempts has sent and was answered. Throws `not_found`. */
  read(id: string, deliveryId: string): Now<DeliveryDetail>
  /** Sends a delivery once more, now. Throws `not_found` and `bad_request`. */
  replay(id: string, deliveryId: string, request: ReplayRequest): Promise<DeliveryDetail>
  /** Makes the next attempt of a delivery now. Throws `not_found` and `bad_request`. */
  retry(id: string, deliveryId: string): Promise<DeliveryDetail>
  /** Sends again what has failed since then, as retries that are due. Throws `not_found`. @param since real time, milliseconds */
  recover(id: string, since: number): Now<RecoveredDeliveries>
  /** The faults that are on, each with its latest 1000 firings. */
  faults(): Now<WebhookFault[]>
  /** Counts the failures of a webhook anew; what was held goes on. */
  forgiveFailures(id: string): Now<void>
  /** Turns the delivery clock, running each retry that falls due at its own time. Returns how many were run. */
  advance(seconds: number): Promise<{ attempts: number }>
  /** Runs the next retry, turning the delivery clock to it. Returns how many were run: 0 when none waits. */
  runNext(): Promise<{ attempts: number }>
  /** Runs every retry until each delivery is delivered, failed or held. Returns how many were run. */
  drain(): Promise<{ attempts: number }>
  /** Resolves with true once nothing is under way and nothing is due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean>
  /** How many deliveries were dropped, since too many waited behind an endpoint that fails. */
  readonly dropped: Now<number>
}
