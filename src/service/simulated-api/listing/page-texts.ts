import { LIMITS } from '../../../protocol/limits.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { RecordShelf } from '../presentation/record-shelf.ts'
import type { ShownRecord } from '../presentation/record-texts.ts'

/** {@link showFitting}, when all texts are cached; undefined when one is missing. */
export function recallFitting(shelf: RecordShelf, records: readonly LiveRecord[]): readonly ShownRecord[] | undefined {
  const page: ShownRecord[] = []
  let characters = 0
  for (const record of records) {
    const shown = shelf.recall(record)
    if (shown === undefined) return undefined
    characters += shown.length
    if (characters > LIMITS.listedCharacters && page.length > 0) return page
    page.push(shown)
  }
  return page
}

/** The texts of the first records that fit on a page; at least one. Pauses before each missing text. */
export function* showFitting(
  shelf: RecordShelf,
  records: readonly LiveRecord[],
): Generator<undefined, readonly ShownRecord[]> {
  const page: ShownRecord[] = []
  const isScattered = shelf.isScattered(records)
  let characters = 0
  for (const record of records) {
    let shown = shelf.recall(record)
    if (shown === undefined) {
      yield
      shown = shelf.make(record)
    } else if (isScattered) shelf.renew(shown)
    characters += shown.length
    if (characters > LIMITS.listedCharacters && page.length > 0) break
    page.push(shown)
  }
  return page
}
