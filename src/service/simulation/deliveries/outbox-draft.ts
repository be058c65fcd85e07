import type { NewChunk, OutboxChange } from '../../store/work.ts'
import type { EventForms } from '../../webhooks/event-forms.ts'
import type { KeptBody } from '../../webhooks/outgoing-delivery.ts'
import type { WebhookSetting } from '../../webhooks/webhook-settings.ts'
import type { SimulationCore } from '../core/core.ts'
import type { Delta } from '../core/core-state.ts'
import { toAnnouncedChange } from '../core/event-collection.ts'
import { tooMuchAtOnce } from '../running/command-lane-errors.ts'
import { toChunk } from './kept-delivery.ts'

/** Most events and characters of one chunk. */
const MOST_EVENTS = 500
const MOST_CHARACTERS = 1024 * 1024
/** Most characters of all events in one commit. */
const MOST_OF_COMMIT = 32 * 1024 * 1024

/** The events of a webhook for the next chunk. */
interface OpenChunk {
  readonly bodies: KeptBody[]
  characters: number
}

/**
 * A commit's changes to deliveries: the composed events of its changes for each webhook, with pauses. Null without any.
 * Throws `bad_request` beyond 32 MB.
 */
export function* draftOutbox(
  core: SimulationCore,
  forms: EventForms,
  { delta, isPutBack }: { readonly delta: Delta; readonly isPutBack: boolean },
): Generator<undefined, OutboxChange | null> {
  const removed = (delta.settings.webhooks ?? []).flatMap(([id, webhook]) => (webhook === null ? [id] : []))
  const webhooks = core.webhooks.list().filter(({ id }) => !core.webhooks.isOff(id))
  const added = webhooks.length === 0 ? [] : yield* draftChunks(core, forms, webhooks)
  if (added.length === 0 && removed.length === 0 && !isPutBack) return null
  return { added, removed, isCleared: isPutBack }
}

function* draftChunks(
  core: SimulationCore,
  forms: EventForms,
  webhooks: readonly WebhookSetting[],
): Generator<undefined, NewChunk[]> {
  const open = new Map<string, OpenChunk>(webhooks.map(({ id }) => [id, { bodies: [], characters: 0 }]))
  const added: NewChunk[] = []
  let total = 0
  for (const fresh of core.log.fresh) {
    if (fresh.isQuiet) continue
    const change = toAnnouncedChange(core, fresh)
    for (const webhook of webhooks) {
      const form = forms.formOf(webhook)
      for (const type of form.wantedOf(change, webhook)) {
        const body = forms.bodyOf(change, form, type).keep()
        const chunk = open.get(webhook.id) as OpenChunk
        if (chunk.bodies.length === MOST_EVENTS || chunk.characters + body.text.length > MOST_CHARACTERS) {
          close(added, webhook.id, chunk)
        }
        chunk.bodies.push(body)
        chunk.characters += body.text.length
        total += body.text.length
      }
    }
    if (total > MOST_OF_COMMIT) throw tooMuchAtOnce()
    yield
  }
  for (const [webhook, chunk] of open) close(added, webhook, chunk)
  return added
}

function close(added: NewChunk[], webhook: string, chunk: OpenChunk): void {
  if (chunk.bodies.length === 0) return
  added.push({ webhook, events: chunk.bodies.length, text: toChunk(chunk.bodies) })
  chunk.bodies.length = 0
  chunk.characters = 0
}
