import type { LibraryEntry } from '../../library/library-entry.ts'
import { webhookDialect } from '../../protocol/dialect/dialect.ts'
import { getPreset } from '../../protocol/dialect/presets.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SpokenEntry } from '../webhooks/event-forms.ts'

/** How a library entry tells its changes to webhooks; undefined for one that tells them as we do. */
export function toSpokenEntry({ webhooks, ...entry }: LibraryEntry): SpokenEntry | undefined {
  if (webhooks === undefined) return undefined
  const { slug, name, provider, apiVersion } = entry
  const facts: JsonObject = { slug, name, provider, ...(apiVersion !== undefined && { apiVersion }) }
  if (typeof webhooks.scheme !== 'string') return { slug, facts, dialect: webhookDialect.parse(webhooks) }
  const preset = getPreset(webhooks.scheme)
  const delivery = { ...preset.delivery, ...webhooks.delivery }
  const dialect = webhookDialect.parse({ ...preset, ...webhooks, scheme: preset.scheme, delivery })
  return { slug, facts, dialect }
}
