import { ApiError, notFound } from '../../protocol/errors.ts'
import type { WebhookEvent } from '../../protocol/event.ts'
import type {
  Delivery,
  NewWebhookFault,
  RegisteredWebhook,
  Webhook,
  WebhookFault,
  WebhookRequest,
  WebhookState,
} from '../../protocol/webhook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { Dispatcher } from './dispatcher.ts'
import { Endpoint } from './endpoint.ts'
import { Faults } from './faults.ts'
import type { Dial } from './guarded-connect.ts'
import { EventBody, OutgoingDelivery } from './outgoing-delivery.ts'
import type { SinkExemptions } from './sink-exemptions.ts'
import { checkTarget, parseWebhookUrl } from './webhook-target.ts'

export interface WebhooksOptions {
  runtime: Runtime
  exemptions: SinkExemptions
  /** Most webhooks, as the account's plan sets it. @default no limit */
  maxWebhooks?: number | undefined
  /** How connections are opened once the address guard has agreed. @default undici's connector */
  dial?: Dial | undefined
}

const SECRET_BYTES = 32
const NOTE =
  'Store the secret now: it is not shown again. Verify each delivery with it and the Svc-Signature header, over the raw body.'

/**
 * The webhooks of one simulation: who is registered and what waits to be delivered. Changing that is synchronous; a
 * delivery never holds up the change that it tells of.
 */
export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #faults: Faults
  readonly #dispatcher: Dispatcher
  #isClosed = false

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#faults = new Faults(options.runtime)
    this.#dispatcher = new Dispatcher({
      runtime: options.runtime,
      faults: this.#faults,
      endpoints: this.#endpoints,
    })
  }

  /** Registers a webhook; throws `invalid_request`, `unsafe_url` or `plan_limit`. No connection is made. */
  async register(request: WebhookRequest): Promise<RegisteredWebhook> {
    const { runtime, exemptions, maxWebhooks = Number.POSITIVE_INFINITY, dial } = this.#options
    const target = parseWebhookUrl(request.url)
    await checkTarget(target, runtime, exemptions)
    if (this.#endpoints.size >= maxWebhooks) {
      throw new ApiError(402, 'plan_limit', `Expected at most ${maxWebhooks} webhooks per simulation on this plan.`)
    }
    const webhook = { id: runtime.uuid(), url: request.url, events: [...request.events] }
    const secret = `whsec_${runtime.secret(SECRET_BYTES)}`
    this.#endpoints.set(webhook.id, new Endpoint(webhook, secret, { target, runtime, exemptions, dial }))
    return { ...webhook, secret, note: NOTE }
  }

  /** How many there are. */
  get count(): number {
    return this.#endpoints.size
  }

  list(): Webhook[] {
    return [...this.#endpoints.values()].map(({ webhook }) => ({ ...webhook, events: [...webhook.events] }))
  }

  /** The webhooks, whether each is switched off, and its failed deliveries in a row. */
  states(): WebhookState[] {
    return [...this.#endpoints.values()].map((endpoint) => endpoint.state())
  }

  /** Removes a webhook with everything that waits for it; throws `not_found`. */
  remove(id: string): void {
    const endpoint = this.#get(id)
    this.#endpoints.delete(id)
    endpoint.remove()
  }

  /** Switches a webhook on again: its count starts anew and what was held goes on. Throws `not_found`. */
  enable(id: string): void {
    const endpoint = this.#get(id)
    endpoint.enable()
    this.#dispatcher.resume(endpoint)
  }

  /** The latest 1000 deliveries of a webhook, oldest first, with every attempt. Throws `not_found`. */
  deliveries(id: string): Delivery[] {
    return this.#get(id).deliveries()
  }

  /** Whether an active webhook takes events of this kind. Only then is one worth composing. */
  wants(type: string): boolean {
    for (const endpoint of this.#endpoints.values()) if (endpoint.wants(type)) return true
    return false
  }

  /** Takes an event for every webhook that wants it; sending starts in the next turn of the event loop. */
  enqueue(event: WebhookEvent): void {
    if (this.#isClosed) return
    const body = new EventBody(event)
    for (const endpoint of this.#endpoints.values()) {
      if (!endpoint.wants(event.type)) continue
      this.#dispatcher.send(endpoint, new OutgoingDelivery(endpoint.webhook.id, body))
    }
  }

  /** Spoils deliveries on purpose from now on. */
  addFault(request: NewWebhookFault): WebhookFault {
    return this.#faults.add(request)
  }

  /** Throws `not_found`. */
  removeFault(id: string): void {
    this.#faults.remove(id)
  }

  /** The faults that are on, each with its latest 1000 firings. */
  faults(): WebhookFault[] {
    return this.#faults.list()
  }

  /** Turns the delivery clock, running each retry that falls due at its own time. Returns how many were run. */
  async advance(seconds: number): Promise<{ attempts: number }> {
    return { attempts: await this.#dispatcher.advance(seconds) }
  }

  /** Runs the next retry, turning the delivery clock to it. Returns how many were run: 0 when none waits. */
  async runNext(): Promise<{ attempts: number }> {
    return { attempts: await this.#dispatcher.runNext(1) }
  }

  /** Runs every retry until each delivery is delivered, failed or held. Returns how many were run. */
  async drain(): Promise<{ attempts: number }> {
    return { attempts: await this.#dispatcher.runNext(Number.POSITIVE_INFINITY) }
  }

  /** Resolves with true once nothing is under way and nothing is due; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    return this.#dispatcher.settled(timeoutMs)
  }

  /** Forgets the deliveries that are not finished: the world that they tell of is gone. */
  dropWaiting(): void {
    this.#dispatcher.dropWaiting()
  }

  /** Cancels every timer and connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#dispatcher.close()
  }

  #get(id: string): Endpoint {
    const endpoint = this.#endpoints.get(id)
    if (!endpoint) throw notFound(`No webhook ${JSON.stringify(id)} in this simulation.`)
    return endpoint
  }
}
