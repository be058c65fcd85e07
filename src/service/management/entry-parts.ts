import type { LibraryEntry } from '../../library/library-entry.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import { webhookDialect } from '../../protocol/dialect/dialect.ts'
import { getPreset } from '../../protocol/dialect/presets.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SpokenEntry } from '../webhooks/event-forms.ts'

/** What the simulations of a library entry share: nothing of it is ever changed. */
export interface EntryParts {
  readonly speech: SpokenEntry | undefined
  readonly conduct: Conduct | undefined
}

export const toEntryParts = (entry: LibraryEntry): EntryParts => ({
  speech: toSpokenEntry(entry),
  conduct: toConduct(entry),
})

/** How a library entry tells its changes to webhooks; undefined for one that tells them as we do. */
function toSpokenEntry(entry: LibraryEntry): SpokenEntry | undefined {
  const { slug, webhooks } = entry
  if (webhooks === undefined) return undefined
  const facts = factsOf(entry)
  if (typeof webhooks.scheme !== 'string') return { slug, facts, dialect: webhookDialect.parse(webhooks) }
  const preset = getPreset(webhooks.scheme)
  const delivery = { ...preset.delivery, ...webhooks.delivery }
  const dialect = webhookDialect.parse({ ...preset, ...webhooks, scheme: preset.scheme, delivery })
  return { slug, facts, dialect }
}

/** What a library entry says of its operations; undefined for one that says nothing. */
function toConduct(entry: LibraryEntry): Conduct | undefined {
  const { effects, magic, errors } = entry
  if (effects === undefined && magic === undefined && errors === undefined) return undefined
  return { ...(effects && { effects }), ...(magic && { magic }), ...(errors && { errors }), facts: factsOf(entry) }
}

/** Fields of the entry that expressions may read. */
function factsOf({ slug, name, provider, apiVersion }: LibraryEntry): JsonObject {
  return { slug, name, provider, ...(apiVersion !== undefined && { apiVersion }) }
}
