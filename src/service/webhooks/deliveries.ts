import type {
  AdvanceRequest,
  Delivery,
  DeliveryDetail,
  ReplayRequest,
  WebhookFault,
  WebhookState,
} from '../../protocol/webhook.ts'

type Now<Value> = Value | Promise<Value>

/** Access to one simulation's deliveries, in this process or in a store. */
export interface Deliveries {
  /** The webhooks, whether each is disabled, and its number of consecutive failed deliveries. */
  states(): Now<WebhookState[]>
  /** The latest 1000 deliveries of a webhook, oldest first, with every attempt. Throws `not_found`. */
  deliveries(id: string): Now<Delivery[]>
  /** A delivery with the request and response of each attempt. Throws `not_found`. */
  read(id: string, deliveryId: string): Now<DeliveryDetail>
  /** Sends a delivery again, now. Throws `not_found` and `bad_request`. */
  replay(id: string, deliveryId: string, request: ReplayRequest): Promise<DeliveryDetail>
  /** The active faults, each with its latest 1000 firings. */
  faults(): Now<WebhookFault[]>
  /** Resets the failures of a webhook; held deliveries continue. */
  forgiveFailures(id: string): Now<void>
  /** Advances the delivery clock, running each due retry at its own time. Returns the number of attempts. */
  advance(request: AdvanceRequest): Promise<{ attempts: number }>
  /** Resolves with true when nothing is in progress or due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean>
  /** Number of deliveries dropped because too many waited for a failing endpoint. */
  readonly dropped: Now<number>
}
