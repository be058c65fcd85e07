import { eventKinds } from '../../names/event-kinds.ts'
import { explainUnknownKind } from '../../protocol/event.ts'
import type { NewWebhookFault, RegisteredWebhook, WebhookFault, WebhookRequest } from '../../protocol/webhook.ts'
import { findPreset } from '../../protocol/webhook-scheme/presets.ts'
import { publish } from '../../runtime/diagnostics.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts'
import type { EventForm } from '../webhooks/event-form.ts'
import { admitWebhook, secretNote, tooManyWebhooks, type WebhookSetting } from '../webhooks/webhook-settings.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { SimulationInit } from './origin/simulation-init.ts'
import type { RunningCore } from './running/running-core.ts'

/** The simulation with the webhooks. */
interface Owner {
  readonly model: ApiModel
  readonly webhooks: Webhooks
  ready(): Promise<void>
  run<T>(work: () => T): T | Promise<T>
}

/** Commands for the webhooks of one simulation, and for their delivery faults. */
export class WebhookCommands {
  readonly #owner: Owner
  readonly #running: RunningCore
  readonly #init: SimulationInit

  constructor(owner: Owner, running: RunningCore, init: SimulationInit) {
    this.#owner = owner
    this.#running = running
    this.#init = init
  }

  /** Registers a webhook; throws `invalid_request`, `unsafe_url` or `plan_limit`. No connection is made. */
  async add(request: WebhookRequest): Promise<RegisteredWebhook> {
    const { runtime, reachable, maxWebhooks = Number.POSITIVE_INFINITY } = this.#init
    const webhook = await admitWebhook(request, runtime, reachable, this.#init.apiWebhooks)
    await this.#owner.ready()
    await this.#owner.run(() => {
      if (this.#running.core.webhooks.count >= maxWebhooks) throw tooManyWebhooks(maxWebhooks)
      this.#running.execute({ kind: 'add-webhook', webhook })
    })
    return toRegistered(webhook, this.#queueOf(webhook.id)?.form, this.#owner.model)
  }

  /** Enables a webhook; its failures still count. Throws `not_found`, and for a refused address the error of a registration. */
  enable(id: string): void {
    const refusal = this.#queueOf(id)?.lanes.refusal
    if (refusal !== undefined) throw refusal
    this.#running.execute({ kind: 'enable-webhook', id })
  }

  /** Adds a deliberate delivery fault. */
  addFault(request: NewWebhookFault): WebhookFault {
    const { events = '*' } = request
    const fault = { ...request, id: this.#init.runtime.uuid(), events: typeof events === 'string' ? [events] : events }
    this.#running.execute({ kind: 'add-webhook-fault', fault })
    return { ...fault, firings: [] }
  }

  /** Disables a webhook whose deliveries fail, or whose endpoint failed the handshake. */
  async switchOff(id: string): Promise<void> {
    await this.#owner.ready()
    await this.#owner.run(() => this.#disable(id))
  }

  /** Disables stored webhooks with addresses that are no longer allowed. */
  switchOffRefused(): void {
    for (const [id, { lanes, isOff }] of this.#owner.webhooks.dispatcher.queues) {
      const { refusal } = lanes
      if (refusal === undefined) continue
      publish('warning', () => {
        const { id: simulation } = this.#init
        return { message: 'webhook refused', facts: { simulation, webhook: id, reason: refusal.message } }
      })
      // The first command of the simulation. If it fails, events wait, and nothing is sent.
      if (!isOff) Promise.resolve(this.#owner.run(() => this.#disable(id))).catch(() => {})
    }
  }

  #disable(id: string): void {
    const queue = this.#queueOf(id)
    if (queue?.isExhausted || queue?.isOff) this.#running.execute({ kind: 'disable-webhook', id })
  }

  #queueOf(id: string): DeliveryQueue | undefined {
    return this.#owner.webhooks.dispatcher.queues.get(id)
  }
}

/** The answer to a registration. For a library entry's format it has the scheme as data, since no preset name identifies it. */
function toRegistered(webhook: WebhookSetting, form: EventForm | undefined, model: ApiModel): RegisteredWebhook {
  const { scheme, events } = webhook
  const kinds = form?.types ?? eventKinds(model)
  const warnings = events.flatMap((filter) => explainUnknownKind(filter, kinds) ?? [])
  const isEntry = typeof scheme === 'string' && (findPreset(scheme) === undefined || form?.types !== undefined)
  return {
    ...webhook,
    ...(isEntry && form !== undefined && { signing: form.format.scheme, ...(form.types && { types: form.types }) }),
    note: secretNote(webhook),
    ...(warnings.length > 0 && { warnings }),
  }
}
