import type { BuiltInEntry, LaidEntry } from '../../library/library-entry.ts'
import type { EntryRows } from '../../protocol/entry-rows.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { getPreset } from '../../protocol/webhook-scheme/presets.ts'
import type { ApiWebhooks } from '../webhooks/event-forms.ts'

/** An entry of the library, or of one creation. */
export type SharedEntry = LaidEntry & Pick<BuiltInEntry, 'compiled'>

/** Immutable parts that the simulations of a library entry share. */
export interface EntryParts {
  readonly apiWebhooks: ApiWebhooks | undefined
  readonly entryRows: EntryRows | undefined
}

export const toEntryParts = async (entry: SharedEntry): Promise<EntryParts> => ({
  apiWebhooks: await toApiWebhooks(entry),
  entryRows: toEntryRows(entry),
})

/** A library entry's webhooks; undefined for one with our own. */
async function toApiWebhooks(entry: SharedEntry): Promise<ApiWebhooks | undefined> {
  const { slug, webhooks, compiled } = entry
  if (webhooks === undefined) return undefined
  const facts = factsOf(entry)
  if (compiled?.format !== undefined) return { slug, facts, format: compiled.format }
  const { webhookFormat } = await import('../../protocol/webhook-scheme/webhook-format.ts')
  if (typeof webhooks.scheme !== 'string') return { slug, facts, format: webhookFormat.parse(webhooks) }
  const preset = getPreset(webhooks.scheme)
  const delivery = { ...preset.delivery, ...webhooks.delivery }
  const format = webhookFormat.parse({ ...preset, ...webhooks, scheme: preset.scheme, delivery })
  return { slug, facts, format }
}

/** A library entry's effects of operations; undefined without any. */
function toEntryRows(entry: LaidEntry): EntryRows | undefined {
  const { effects, errors, ignored } = entry
  if (effects === undefined && errors === undefined) return undefined
  const parts = { ...(effects && { effects }), ...(errors && { errors }) }
  return { ...parts, ...(ignored && { ignored }), facts: factsOf(entry) }
}

/** Fields of the entry for expressions. */
function factsOf({ slug, name, provider, apiVersion }: LaidEntry): JsonObject {
  return { slug, name, provider, ...(apiVersion !== undefined && { apiVersion }) }
}
