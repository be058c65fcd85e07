import { LIMITS } from '../../../protocol/limits.ts'
import type { Envelope } from '../../openapi/model.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { Setting } from '../operations/call.ts'

/** How many of the records, from the first on, a page has room for; at least one. Their texts are kept for the answer. */
export function countFitting({ presenter }: Setting, envelope: Envelope, records: readonly LiveRecord[]): number {
  let characters = 0
  for (const [at, record] of records.entries()) {
    characters += presenter.show(record, envelope.schema ?? presenter.itemSchema(record.collection)).text.length
    if (characters > LIMITS.listedCharacters) return Math.max(1, at)
  }
  return records.length
}
