import type { DeliveryDetail, RecoveredDeliveries, ReplayRequest } from '../../protocol/delivery-detail.ts'
import type { Delivery, WebhookFault, WebhookState } from '../../protocol/webhook.ts'
import type { Deliveries } from './deliveries.ts'
import { readDelivery, recoverDeliveries, replayDelivery, retryDelivery } from './replay.ts'
import type { Webhooks } from './webhooks.ts'

/** The deliveries of a simulation that no store keeps. */
export class DeliveriesInMemory implements Deliveries {
  readonly #webhooks: Webhooks

  constructor(webhooks: Webhooks) {
    this.#webhooks = webhooks
  }

  states(): WebhookState[] {
    return this.#webhooks.states()
  }

  deliveries(id: string): Delivery[] {
    return this.#webhooks.deliveries(id)
  }

  read(id: string, deliveryId: string): DeliveryDetail {
    return readDelivery(this.#webhooks.queue(id), deliveryId)
  }

  replay(webhookId: string, deliveryId: string, request: ReplayRequest): Promise<DeliveryDetail> {
    return replayDelivery(this.#webhooks, { webhookId, deliveryId, ...request })
  }

  retry(webhookId: string, deliveryId: string): Promise<DeliveryDetail> {
    return retryDelivery(this.#webhooks, webhookId, deliveryId)
  }

  recover(id: string, since: number): RecoveredDeliveries {
    return recoverDeliveries(this.#webhooks, id, since)
  }

  faults(): WebhookFault[] {
    return this.#webhooks.faults()
  }

  forgiveFailures(id: string): void {
    this.#webhooks.forgiveFailures(id)
  }

  advance(seconds: number): Promise<{ attempts: number }> {
    return this.#webhooks.advance(seconds)
  }

  runNext(): Promise<{ attempts: number }> {
    return this.#webhooks.runNext()
  }

  drain(): Promise<{ attempts: number }> {
    return this.#webhooks.drain()
  }

  settled(timeoutMs: number): Promise<boolean> {
    return this.#webhooks.settled(timeoutMs)
  }

  get dropped(): number {
    return this.#webhooks.dropped
  }
}
