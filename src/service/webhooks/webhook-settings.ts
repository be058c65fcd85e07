import { ApiError, notFound } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Webhook, WebhookFault, WebhookRequest } from '../../protocol/webhook.ts'
import { makeSecret } from '../../protocol/webhook-scheme/keys.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { JournaledMap } from '../world/journaled-map.ts'
import { type ApiWebhooks, chooseFormat } from './event-forms.ts'
import type { ReachableAddresses } from './reachable-addresses.ts'
import { checkTarget, parseWebhookUrl } from './webhook-target.ts'

/** The settings of a webhook. */
export interface WebhookSetting extends Webhook {
  /** In the form of its scheme; for a key pair, the private key. */
  readonly secret: string
  /** The public key of a key pair, as the provider shows it. */
  readonly publicKey?: string
  /** Whether it is a record of the simulated API, with the same id. */
  readonly isRecord?: true
  /** Whether the form of the body is sent as the query. */
  readonly isGet?: true
  /** Values that the event's subject must have, by field; subjects without the field pass. */
  readonly within?: JsonObject
  /** Whether it gets the events of other accounts of the simulated API, or of none of them. */
  readonly ofAccounts?: boolean
}

/** The note in the answer to a registration. */
export function secretNote({ scheme, publicKey }: WebhookSetting): string {
  const store = 'Store the secret now: it is not shown again.'
  if (scheme === undefined)
    return `${store} Verify each delivery with it and the Svc-Signature header, over the raw body.`
  const name = typeof scheme === 'string' ? `the scheme ${scheme}` : 'the given scheme'
  const key = publicKey === undefined ? 'it' : 'the public key'
  return `${store} Verify each delivery with ${key} as ${name} is verified, over the raw body.`
}

/** A webhook for lists: without its secret. */
export function shownWebhook({ id, url, events, scheme }: WebhookSetting): Webhook {
  return { id, url, events: [...events], ...(scheme !== undefined && { scheme }) }
}

/**
 * Checks a new webhook; throws `invalid_request` or `unsafe_url`. No connection is made. Its scheme is that of the
 * entry or the description by default, where there is one.
 */
export async function admitWebhook(
  { url, events, scheme: choice }: WebhookRequest,
  runtime: Runtime,
  reachable: ReachableAddresses,
  entry?: ApiWebhooks,
): Promise<WebhookSetting> {
  const scheme = choice ?? (entry && 'entry')
  const format = chooseFormat(scheme, entry)
  await checkTarget(parseWebhookUrl(url, reachable), runtime, reachable)
  const spoken = scheme === undefined || scheme === 'svc' ? {} : { scheme }
  return { id: runtime.uuid(), url, events: [...events], ...makeSecret(format.scheme, runtime.secret), ...spoken }
}

/** The settings of a fault. */
export type FaultSetting = Omit<WebhookFault, 'firings'>

/** The stored settings, by id. */
interface KeptWebhooks {
  readonly webhooks: JournaledMap<WebhookSetting>
  /** Webhooks disabled after 50 consecutive failed deliveries, until they are enabled again. */
  readonly webhooksOff: JournaledMap<true>
  readonly webhookFaults: JournaledMap<FaultSetting>
}

/** Settings without webhooks. */
export const noWebhooks = (): KeptWebhooks => ({
  webhooks: new JournaledMap(),
  webhooksOff: new JournaledMap(),
  webhookFaults: new JournaledMap(),
})

/** The webhooks of one simulation, and the deliberate faults of their deliveries. */
export class WebhookSettings {
  readonly #state: KeptWebhooks

  constructor(state: KeptWebhooks = noWebhooks()) {
    this.#state = state
  }

  /** Increases with every change. */
  get revision(): number {
    const { webhooks, webhooksOff, webhookFaults } = this.#state
    return webhooks.revision + webhooksOff.revision + webhookFaults.revision
  }

  get count(): number {
    return this.#state.webhooks.size
  }

  find(id: string): WebhookSetting | undefined {
    return this.#state.webhooks.get(id)
  }

  list(): WebhookSetting[] {
    return [...this.#state.webhooks.values()]
  }

  /** In order of addition. */
  faults(): FaultSetting[] {
    return [...this.#state.webhookFaults.values()]
  }

  isOff(id: string): boolean {
    return this.#state.webhooksOff.has(id)
  }

  add(webhook: WebhookSetting): void {
    this.#state.webhooks.set(webhook.id, webhook)
  }

  /** Throws `not_found`. */
  remove(id: string): void {
    if (!this.#state.webhooks.delete(id)) throw noWebhook(id)
    this.#state.webhooksOff.delete(id)
  }

  /** Enables a webhook. Throws `not_found`. */
  enable(id: string): void {
    if (!this.#state.webhooks.has(id)) throw noWebhook(id)
    this.#state.webhooksOff.delete(id)
  }

  /** Disables a webhook. Throws `not_found`. */
  disable(id: string): void {
    if (!this.#state.webhooks.has(id)) throw noWebhook(id)
    this.#state.webhooksOff.set(id, true)
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

export const tooManyWebhooks = (most: number): ApiError =>
  new ApiError(402, 'plan_limit', `Expected at most ${most} webhooks per simulation on this plan.`)

export const noWebhook = (id: string): Error => notFound(`No webhook ${JSON.stringify(id)} in this simulation.`)

export const noDelivery = (id: string): Error =>
  notFound(`No delivery "${id.slice(0, 100)}" among the latest 1,000 of this webhook that were sent.`)
