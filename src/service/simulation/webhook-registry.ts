import type { WebhookDialect } from '../../protocol/dialect/dialect.ts'
import { type JsonObject, readField } from '../../protocol/json.ts'
import type { WebhookSettings } from '../webhooks/webhook-settings.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'

type Registration = NonNullable<WebhookDialect['registration']>

/** Webhooks that clients of the simulated API register as records of it. */
export class WebhookRegistry {
  readonly #registration: Registration
  readonly #webhooks: WebhookSettings

  constructor(registration: Registration, webhooks: WebhookSettings) {
    this.#registration = registration
    this.#webhooks = webhooks
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
