import type { WebhookEvent } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { EventForm } from '../../webhooks/event-form.ts'
import type { ApiWebhooks } from '../../webhooks/event-forms.ts'
import type { Change } from '../../world/change.ts'
import { PART } from '../../world/collection-states.ts'
import { keyIn, keyOf } from '../../world/field.ts'
import type { World } from '../../world/world.ts'
import type { EventLog } from './event-log.ts'
import type { FreshChange } from './logged-change.ts'

/** Most events in the API; the oldest are dropped. */
const MOST_EVENTS = 5_000

/** Undefined where the API has no collection of events. */
export function openEventCollection(
  apiWebhooks: ApiWebhooks | undefined,
  compose: ConstructorParameters<typeof EventCollection>[2],
): EventCollection | undefined {
  const collection = apiWebhooks?.dialect.log
  return apiWebhooks === undefined || collection === undefined
    ? undefined
    : new EventCollection(apiWebhooks, collection, compose)
}

/** The events of an API that shows them as records: the webhook events, in a collection. */
export class EventCollection {
  readonly #form: EventForm
  readonly #collection: string
  readonly #compose: { toEvent(change: FreshChange): WebhookEvent; readonly log: Pick<EventLog, 'typeOf'> }

  constructor(
    { dialect, facts }: ApiWebhooks,
    collection: string,
    compose: { toEvent(change: FreshChange): WebhookEvent; readonly log: Pick<EventLog, 'typeOf'> },
  ) {
    this.#form = new EventForm(dialect, facts)
    this.#collection = collection
    this.#compose = compose
  }

  /** The collection's changes for a change. */
  *changesOf(fresh: FreshChange, world: World): Generator<Change> {
    const { subject, kind, request, before } = fresh
    if (subject === this.#collection || fresh.isQuiet) return
    const event = this.#compose.toEvent(fresh)
    const shownBefore = before && this.#compose.toEvent({ ...fresh, record: before }).data.object
    const change = {
      type: this.#compose.log.typeOf(fresh),
      collection: subject,
      verb: kind,
      compose: () => event,
      before: () => (isJsonObject(shownBefore) ? shownBefore : undefined),
      kept: () => ({ now: fresh.record, before }),
      request,
      part: fresh.part,
    }
    const view = world.collection(this.#collection)
    const scope = fresh.part === undefined ? {} : { [PART]: fresh.part }
    for (const type of this.#form.typesOf(change)) {
      const record = JSON.parse(this.#form.write(change, event, type).text) as Json
      const key = isJsonObject(record) ? (keyOf(view.model, record) ?? keyIn(record)) : undefined
      if (key === undefined || view.has(key)) continue
      yield { type: 'created', collection: this.#collection, key, record: record as JsonObject, scope }
      const [oldest] = view.count > MOST_EVENTS ? view.select({ limit: 1 }).records : []
      if (oldest !== undefined) yield { type: 'deleted', collection: this.#collection, key: oldest.key }
    }
  }
}
