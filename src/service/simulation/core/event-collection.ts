import type { WebhookEvent } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { type AnnouncedChange, EventForm, typesIn } from '../../webhooks/event-form.ts'
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
  const collection = apiWebhooks?.format.log
  return apiWebhooks === undefined || collection === undefined
    ? undefined
    : new EventCollection(apiWebhooks, collection, compose)
}

/** The events of an API that shows them as records: the webhook events, in a collection. */
export class EventCollection {
  readonly #form: EventForm
  readonly #collection: string
  /** The types of rows with `last`, in their order, and the collections of these rows. */
  readonly #last: { readonly types: readonly string[]; readonly collections: ReadonlySet<string> }
  readonly #compose: { toEvent(change: FreshChange): WebhookEvent; readonly log: Pick<EventLog, 'typeOf'> }

  constructor(
    { format, facts }: ApiWebhooks,
    collection: string,
    compose: { toEvent(change: FreshChange): WebhookEvent; readonly log: Pick<EventLog, 'typeOf'> },
  ) {
    this.#form = new EventForm(format, facts)
    const events = format.events?.filter(({ last }) => last) ?? []
    this.#last = {
      types: typesIn({ events }) ?? [],
      collections: new Set(events.map(({ on }) => on.split('.')[0] ?? '')),
    }
    this.#collection = collection
    this.#compose = compose
  }

  /** Events that come after those of the other changes, as changes without an effect; with their rank. */
  lastOf(fresh: FreshChange): { rank: number; change: Change }[] {
    const { subject: collection, key, record, isSingleton } = fresh
    if (!this.#last.collections.has(collection) || isSingleton || record === null || fresh.isQuiet) return []
    return this.#form.typesOf(this.#toAnnounced(fresh), true).map((event) => ({
      rank: this.#last.types.indexOf(event),
      change: { type: 'updated', collection, key, record, event },
    }))
  }

  /** The collection's changes for a change. */
  *changesOf(fresh: FreshChange, world: World): Generator<Change> {
    if (fresh.subject === this.#collection || fresh.isQuiet) return
    const change = this.#toAnnounced(fresh)
    const event = change.compose()
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

  #toAnnounced(fresh: FreshChange): AnnouncedChange {
    const { subject, kind, request, before } = fresh
    const event = this.#compose.toEvent(fresh)
    const shownBefore = before && this.#compose.toEvent({ ...fresh, record: before }).data.object
    return {
      type: this.#compose.log.typeOf(fresh),
      event: fresh.event,
      collection: subject,
      verb: kind,
      compose: () => event,
      before: () => (isJsonObject(shownBefore) ? shownBefore : undefined),
      kept: () => ({ now: fresh.record, before }),
      request,
      part: fresh.part,
    }
  }
}
