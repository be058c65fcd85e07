import type { WebhookEvent } from '../../src/protocol/event.ts'
import type { AnnouncedChange } from '../../src/service/webhooks/event-form.ts'

/** An event of a plain shape as a change, of which no record before it is known. */
export function toAnnounced(event: WebhookEvent): AnnouncedChange {
  const verb = /\.(created|deleted)$/.exec(event.type)?.[1] ?? 'updated'
  return {
    type: event.type,
    collection: event.data.collection,
    verb: verb as AnnouncedChange['verb'],
    compose: () => event,
  }
}
