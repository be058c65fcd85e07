import type { JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { sizeOf } from '../../../protocol/size-of.ts'

/** The record of a logged change; null for a deletion or an omitted record. */
interface Recorded {
  readonly record: JsonObject | null
  /** Later changes displaced the record. */
  readonly isOmitted?: true
}

/** The changes of {@link keepLatestRecords}, newest first: reads no more than requested. */
export function* newestWithRecords<Change extends Recorded>(changes: readonly Change[]): Generator<Change, void> {
  let bytes = 0
  for (let at = changes.length - 1; at >= 0; at--) {
    const change = changes[at] as Change
    bytes += change.isOmitted ? Number.POSITIVE_INFINITY : sizeOf(change.record)
    yield bytes > LIMITS.loggedRecordsBytes && at < changes.length - 1 ? omitRecord(change) : change
  }
}

/**
 * The changes with the latest records, up to the log's 8 MB: the oldest are omitted first, the latest one never. The
 * same array where all are kept. An omitted record stays omitted after additions: the result depends only on the
 * changes.
 *
 * @param changes oldest first
 */
export function keepLatestRecords<Change extends Recorded>(changes: readonly Change[]): readonly Change[] {
  let bytes = 0
  for (let at = changes.length - 1; at >= 0; at--) {
    const { record, isOmitted } = changes[at] as Change
    bytes += isOmitted ? Number.POSITIVE_INFINITY : sizeOf(record)
    if (bytes > LIMITS.loggedRecordsBytes && at < changes.length - 1) {
      return [...changes.slice(0, at + 1).map(omitRecord), ...changes.slice(at + 1)]
    }
  }
  return changes
}

/** A deletion has no record to omit. */
export function omitRecord<Change extends Recorded>(change: Change): Change {
  return change.record === null ? change : { ...change, isOmitted: true, record: null }
}
