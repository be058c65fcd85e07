import { LIMITS } from '../../../protocol/limits.ts'
import type { Envelope } from '../../openapi/model.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { Setting } from '../operations/call.ts'

/**
 * How many of the records, from the first on, a page has room for; at least one. Their texts are kept for the answer. Pauses
 * after each that is made.
 */
export function* countFitting(
  { presenter }: Setting,
  envelope: Envelope,
  records: readonly LiveRecord[],
): Generator<undefined, number> {
  let characters = 0
  let { made } = presenter
  for (const [at, record] of records.entries()) {
    if (presenter.made !== made) yield
    made = presenter.made
    characters += presenter.show(record, envelope.schema ?? presenter.itemSchema(record.collection)).text.length
    if (characters > LIMITS.listedCharacters) return Math.max(1, at)
  }
  return records.length
}
