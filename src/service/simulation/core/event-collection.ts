import type { ChangeEvent } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { once } from '../../../runtime/once.ts'
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

/** The events of an API that shows them as records: the webhook events, in a collection. */
export class EventCollection {
  readonly #form: EventForm
  readonly #collection: string
  /** The types of rows with `last`, in their order, and the collections of these rows. */
  readonly #last: { readonly types: readonly string[]; readonly collections: ReadonlySet<string> }
  readonly #core: Composer

  constructor({ format, facts }: ApiWebhooks, collection: string, core: Composer) {
    this.#form = new EventForm(format, facts)
    const events = format.events?.filter(({ last }) => last) ?? []
    this.#last = {
      types: typesIn({ events }) ?? [],
      collections: new Set(events.map(({ on }) => on.split('.')[0] ?? '')),
    }
    this.#collection = collection
    this.#core = core
  }

  /** Events that come after those of the other changes, as changes without an effect; with their rank. */
  lastOf(fresh: FreshChange): { rank: number; change: Change }[] {
    const { subject: collection, key, record, isSingleton } = fresh
    if (!this.#last.collections.has(collection) || isSingleton || record === null || fresh.isQuiet) return []
    return this.#form.typesOf(toAnnouncedChange(this.#core, fresh), true).map((event) => ({
      rank: this.#last.types.indexOf(event),
      change: { type: 'updated', collection, key, record, event },
    }))
  }

  /** The collection's changes for a change. */
  *changesOf(fresh: FreshChange, world: World): Generator<Change> {
    if (fresh.subject === this.#collection || fresh.isQuiet) return
    const change = toAnnouncedChange(this.#core, fresh)
    const view = world.collection(this.#collection)
    const scope = fresh.part === undefined ? {} : { [PART]: fresh.part }
    for (const type of this.#form.typesOf(change)) {
      const record = JSON.parse(this.#form.write(change, change.compose(), type).text) as Json
      const key = isJsonObject(record) ? (keyOf(view.model, record) ?? keyIn(record)) : undefined
      if (key === undefined || view.has(key)) continue
      yield { type: 'created', collection: this.#collection, key, record: record as JsonObject, scope }
      const [oldest] = view.count > MOST_EVENTS ? view.select({ limit: 1 }).records : []
      if (oldest !== undefined) yield { type: 'deleted', collection: this.#collection, key: oldest.key }
    }
  }
}

/** What composes the events of changes. */
interface Composer {
  readonly log: Pick<EventLog, 'typeOf'>
  toEvent(change: FreshChange): ChangeEvent
}

/** A change for webhooks, composed when it is needed first. */
export function toAnnouncedChange(core: Composer, fresh: FreshChange): AnnouncedChange {
  const { before, subject, kind, request, event, part } = fresh
  return {
    type: core.log.typeOf(fresh),
    event,
    collection: subject,
    verb: kind,
    compose: once(() => core.toEvent(fresh)),
    before: once(() => {
      const shown = before && core.toEvent({ ...fresh, record: before }).data.object
      return shown && isJsonObject(shown) ? shown : undefined
    }),
    kept: () => ({ now: fresh.record, before }),
    request,
    part,
  }
}
