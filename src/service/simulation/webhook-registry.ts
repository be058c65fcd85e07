import type { WebhookDialect } from '../../protocol/dialect/dialect.ts'
import { ApiError } from '../../protocol/errors.ts'
import { type JsonObject, readField } from '../../protocol/json.ts'
import type { ErrorFacts } from '../simulated-api/presentation/error-facts.ts'
import type { WebhookSettings } from '../webhooks/webhook-settings.ts'
import { parseWebhookUrl } from '../webhooks/webhook-target.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'
import type { CoreOptions } from './core-options.ts'

type Registration = NonNullable<WebhookDialect['registration']>

/** Undefined where the API registers no webhooks itself. */
export function openRegistry(
  { speech, hasPrivateWebhooks = false }: Pick<CoreOptions, 'speech' | 'hasPrivateWebhooks'>,
  webhooks: WebhookSettings,
): WebhookRegistry | undefined {
  const registration = speech?.dialect.registration
  return registration && new WebhookRegistry(registration, webhooks, hasPrivateWebhooks)
}

/** Webhooks that clients of the simulated API register as records of it. */
export class WebhookRegistry {
  readonly #registration: Registration
  readonly #webhooks: WebhookSettings
  readonly #hasPrivate: boolean

  constructor(registration: Registration, webhooks: WebhookSettings, hasPrivate: boolean) {
    this.#registration = registration
    this.#webhooks = webhooks
    this.#hasPrivate = hasPrivate
  }

  /** What is wrong with the first of the records that is no webhook. Each connection judges the address again. */
  faultOf(changes: readonly Change[]): ErrorFacts | undefined {
    const { collection, url } = this.#registration
    for (const change of changes) {
      if (!('collection' in change) || change.collection !== collection || change.type === 'deleted') continue
      try {
        parseWebhookUrl(String(readField(change.record, url.split('.'))), { hasPrivate: this.#hasPrivate })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const facts = { fault: 'value', expected: 'a public https URL' }
        return { status: 400, code: 'invalid_request', message: error.message, field: url, facts }
      }
    }
    return undefined
  }

  /** Sets up what the changes of a request make of the records. */
  follow(changes: readonly Change[], world: World): void {
    for (const change of changes) {
      if (!('collection' in change) || change.collection !== this.#registration.collection) continue
      const record = world.collection(change.collection).get(change.key)
      if (record === undefined) this.#remove(change.key)
      else this.#set(change.key, record)
    }
  }

  #set(id: string, record: JsonObject): void {
    const { url, events, secret, active } = this.#registration
    const read = (field: string) => readField(record, field.split('.'))
    const wanted = read(events)
    this.#webhooks.add({
      id,
      url: String(read(url)),
      events: Array.isArray(wanted) ? wanted.map(String) : ['*'],
      secret: String(read(secret)),
      scheme: 'entry',
    })
    const isOn = Object.entries(active).every(([field, value]) => JSON.stringify(read(field)) === JSON.stringify(value))
    if (isOn) this.#webhooks.enable(id)
    else this.#webhooks.disable(id)
  }

  #remove(id: string): void {
    if (this.#webhooks.list().some((webhook) => webhook.id === id)) this.#webhooks.remove(id)
  }
}
