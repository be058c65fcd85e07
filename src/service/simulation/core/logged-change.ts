import type { ChangeCause } from '../../../protocol/event.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import type { Change } from '../../world/change.ts'

/** A change as it is kept: everything that its event needs, composed only when the event is read. Plain JSON. */
export interface LoggedChange {
  readonly kind: Change['type']
  /** Name of the collection or of the singleton. */
  readonly subject: string
  readonly isSingleton: boolean
  /** Key of the record, or scope of the singleton. */
  readonly key: string
  /** What the change made of it; null where it was deleted or left out. */
  readonly record: JsonObject | null
  /** The log has no room for the record any more. */
  readonly isOmitted?: true
  /** World time, milliseconds. */
  readonly at: number
  readonly cause: ChangeCause
  /** The type that a handler gives its event: nothing was changed. */
  readonly event?: string
  /** No webhook is sent of it. */
  readonly isQuiet?: true
  readonly generation: number
  readonly sequence: number
  /** See `strand` of the event log. */
  readonly strand?: string
}

/** What only the announcement of a change needs: it is not kept. */
export interface ChangeContext {
  /** The record before the change. */
  readonly before?: JsonObject | undefined
  /** The request that made the change. */
  readonly request?: { readonly headers: Readonly<Record<string, string>> } | undefined
  /** The part of the data to which the record belongs. */
  readonly part?: string | undefined
}

/** A change that is still to be announced. */
export type FreshChange = LoggedChange & ChangeContext

/** A logged change in a delta: without the record where that stands in the world after the delta. */
export type DraftedChange = Omit<LoggedChange, 'record'> & { readonly record?: JsonObject | null }

/**
 * The changes with the latest records, up to the log's 8 MB: the oldest are omitted first, the latest one never. The
 * same array where all are kept. An omitted record stays omitted after additions: the result depends only on the
 * changes.
 *
 * @param changes oldest first
 */
export function keepLatestRecords(changes: readonly LoggedChange[]): readonly LoggedChange[] {
  let bytes = 0
  for (let at = changes.length - 1; at >= 0; at--) {
    const { record, isOmitted } = changes[at] as LoggedChange
    bytes += isOmitted ? Number.POSITIVE_INFINITY : sizeOf(record)
    if (bytes > LIMITS.loggedRecordsBytes && at < changes.length - 1) {
      return [...changes.slice(0, at + 1).map(omitRecord), ...changes.slice(at + 1)]
    }
  }
  return changes
}

/** A deletion has no record to omit. */
export function omitRecord(change: LoggedChange): LoggedChange {
  return change.record === null ? change : { ...change, isOmitted: true, record: null }
}
