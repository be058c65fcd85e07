import type { JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { sizeOf } from '../../../protocol/size-of.ts'

/** A record of a logged change; null where the change deleted it, or where it was left out. */
interface Recorded {
  readonly record: JsonObject | null
  /** Later changes took the place of the record. */
  readonly isOmitted?: true
}

/** The changes as {@link keepLatestRecords} has them, newest first: no more are looked at than are asked for. */
export function* newestWithRecords<Change extends Recorded>(changes: readonly Change[]): Generator<Change, void> {
  let bytes = 0
  for (let at = changes.length - 1; at >= 0; at--) {
    const change = changes[at] as Change
    bytes += change.isOmitted ? Number.POSITIVE_INFINITY : sizeOf(change.record)
    yield bytes > LIMITS.loggedRecordsBytes && at < changes.length - 1 ? omitRecord(change) : change
  }
}

/**
 * The changes with as many of the latest records as a log keeps, 8 MB: the oldest go first, the latest one never. The same
 * array where all are kept. What is left out once stays left out whatever is added: the answer depends on the changes alone.
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

/** What was deleted has no record to leave out. */
export function omitRecord<Change extends Recorded>(change: Change): Change {
  return change.record === null ? change : { ...change, isOmitted: true, record: null }
}
