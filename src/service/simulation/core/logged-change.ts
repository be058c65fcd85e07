import type { ChangeCause } from '../../../protocol/event.ts'
import type { JsonObject } from '../../../protocol/json.ts'
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
}

/** A change that is still to be announced. */
export type FreshChange = LoggedChange & ChangeContext

/** A logged change in a delta: without the record where that stands in the world after the delta. */
export type DraftedChange = Omit<LoggedChange, 'record'> & { readonly record?: JsonObject | null }
