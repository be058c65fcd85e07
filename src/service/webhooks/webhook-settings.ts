import { notFound } from '../../protocol/errors.ts'
import type { Webhook, WebhookFault } from '../../protocol/webhook.ts'
import type { JournaledMap } from '../world/journaled-map.ts'

/** A webhook as it is set up. */
export interface WebhookSetting extends Webhook {
  /** `whsec_` and 64 hexadecimal digits; the whole text is the HMAC key. */
  readonly secret: string
  /** Switched off after 50 failed deliveries in a row, until it is enabled again. */
  readonly isOff: boolean
}

/** A fault as it is set up. */
export type FaultSetting = Omit<WebhookFault, 'firings'>

/** What the settings are kept in, by id. */
interface WebhookState {
  readonly webhooks: JournaledMap<WebhookSetting>
  readonly webhookFaults: JournaledMap<FaultSetting>
}

/** The webhooks of one simulation, and the faults that spoil their deliveries on purpose. */
export class WebhookSettings {
  readonly #state: WebhookState

  constructor(state: WebhookState) {
    this.#state = state
  }

  /** Moves with every change. */
  get revision(): number {
    return this.#state.webhooks.revision + this.#state.webhookFaults.revision
  }

  get count(): number {
    return this.#state.webhooks.size
  }

  list(): WebhookSetting[] {
    return [...this.#state.webhooks.values()]
  }

  /** In the order in which they were added. */
  faults(): FaultSetting[] {
    return [...this.#state.webhookFaults.values()]
  }

  add(webhook: Omit<WebhookSetting, 'isOff'>): void {
    this.#state.webhooks.set(webhook.id, { ...webhook, isOff: false })
  }

  /** Throws `not_found`. */
  remove(id: string): void {
    if (!this.#state.webhooks.delete(id)) throw noWebhook(id)
  }

  /** Switches a webhook off or on. Throws `not_found`. */
  switch(id: string, { isOff }: { isOff: boolean }): void {
    const webhook = this.#state.webhooks.get(id)
    if (webhook === undefined) throw noWebhook(id)
    if (webhook.isOff !== isOff) this.#state.webhooks.set(id, { ...webhook, isOff })
  }

  addFault(fault: FaultSetting): void {
    this.#state.webhookFaults.set(fault.id, fault)
  }

  /** Throws `not_found`. */
  removeFault(id: string): void {
    if (this.#state.webhookFaults.delete(id)) return
    throw notFound(`No webhook fault ${JSON.stringify(id)} in this simulation.`)
  }
}

export const noWebhook = (id: string): Error => notFound(`No webhook ${JSON.stringify(id)} in this simulation.`)
