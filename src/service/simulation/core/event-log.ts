import { type ChangeCause, type ChangeEvent, matchesEventFilter } from '../../../protocol/event.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { uuidFrom } from '../../../runtime/uuid.ts'
import type { ApiModel } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import type { World } from '../../world/world.ts'
import { type EventSelection, LATEST_EVENTS, noEvent } from './event-selection.ts'
import { keepLatestRecords, newestWithRecords } from './kept-records.ts'

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

/** What commands made of an event log. */
export interface LogDelta {
  /** The latest of the new events, oldest first, at most 1,000. */
  readonly added: readonly DraftedChange[]
  /** Number of the next event of this generation. */
  readonly sequence: number
  /** How often the data was put back. The ids of an earlier generation are never used again. */
  readonly generation: number
}

/** Where the log stood at a `begin`. An array only grows at its end, or is replaced. */
interface LogMark {
  readonly latest: LoggedChange[]
  readonly latestLength: number
  readonly fresh: FreshChange[]
  readonly freshLength: number
  readonly sequence: number
  readonly generation: number
}

/** The latest changes of one simulation, as events (specification, Events). */
export class EventLog {
  /** What sets its ids apart from those of other simulations. */
  readonly #origin: string
  /** Kinds of events, by collection or singleton and by type of change. */
  readonly #kinds: ReadonlyMap<string, Readonly<Record<Change['type'], string>>>
  #latest: LoggedChange[] = []
  /** Size of the records that requests have added since all were measured, in bytes. */
  #grown = 0
  /** Whether the plan has changed records since. */
  #isUnmeasured = false
  /** Changes that are still to be announced. */
  #fresh: FreshChange[] = []
  #sequence = 0
  #generation = 0
  /** Journals that are open, the innermost last. */
  readonly #marks: LogMark[] = []

  /** @param slug where one was chosen: of two simulations of one description, a consumer may have both */
  constructor(seed: string, { title, version, collections, singletons }: ApiModel, slug = '') {
    const names = [...collections, ...singletons].map(({ name }) => name)
    this.#origin = uuidFrom(seed, slug, title, version, ...names)
    this.#kinds = new Map(
      [...collections, ...singletons].map(({ name, singular }) => [
        name,
        { created: `${singular}.created`, updated: `${singular}.updated`, deleted: `${singular}.deleted` },
      ]),
    )
  }

  /** @param isHeard whether the change is to be announced */
  add(
    change: Change,
    { at, cause, isHeard, isQuiet }: { at: number; cause: ChangeCause; isHeard: boolean; isQuiet: boolean },
    context?: ChangeContext,
  ): FreshChange {
    const isSingleton = 'singleton' in change
    const logged: LoggedChange = {
      kind: change.type,
      subject: isSingleton ? change.singleton : change.collection,
      isSingleton,
      key: isSingleton ? change.scopeKey : change.key,
      at,
      cause,
      generation: this.#generation,
      sequence: this.#sequence++,
      ...(isQuiet && { isQuiet }),
      // The last field, here and in what a delta gives: dumps of equal cores are equal byte for byte.
      record: change.type === 'deleted' ? null : change.record,
    }
    this.#latest.push(logged)
    if (this.#latest.length >= 1.25 * LIMITS.keptEvents) this.#latest = this.#latest.slice(-LIMITS.keptEvents)
    if (cause === 'request' || cause === 'edit') this.#measure(logged)
    else this.#isUnmeasured = true
    const fresh = context === undefined ? logged : { ...logged, ...context }
    if (isHeard) this.#fresh.push(fresh)
    return fresh
  }

  /**
   * Changes, newest first; the older of them without their records where those have more than 8 MB. Throws `invalid_request` where
   * `before` is the id of no event that is kept.
   */
  read({ limit, before, type, collection, recordId }: EventSelection = LATEST_EVENTS): LoggedChange[] {
    const found: LoggedChange[] = []
    let isAfter = before !== undefined
    for (const logged of newestWithRecords(this.#latest.slice(-LIMITS.keptEvents))) {
      if (isAfter) {
        isAfter = this.#idOf(logged) !== before
        continue
      }
      if (type !== undefined && !matchesEventFilter(type, this.typeOf(logged))) continue
      if (collection !== undefined && collection !== logged.subject) continue
      if (recordId === undefined || recordId === recordIdOf(logged)) found.push(logged)
      if (found.length === limit) break
    }
    if (isAfter) throw noEvent(before)
    return found
  }

  /** The latest `count` changes, oldest first; at most 100. */
  latest(count: number): readonly LoggedChange[] {
    return this.#latest.slice(Math.max(0, this.#latest.length - Math.min(count, LIMITS.latestEvents)))
  }

  /** Changes that are still to be announced. */
  get fresh(): readonly FreshChange[] {
    return this.#fresh
  }

  /** Takes the changes since the last call, to announce them. */
  takeFresh(): readonly FreshChange[] {
    if (this.#fresh.length === 0) return NOTHING
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }

  /** Kind of the event, as filters name it. */
  typeOf({ subject, kind }: LoggedChange): string {
    return this.#kinds.get(subject)?.[kind] ?? kind
  }

  /** The event of a change. @param object the record as the simulated API would return it */
  toEvent(logged: LoggedChange, object: Json): ChangeEvent {
    const { subject, at, cause, isQuiet, isOmitted } = logged
    return {
      id: this.#idOf(logged),
      type: this.typeOf(logged),
      created: toIso(at),
      data: { collection: subject, id: recordIdOf(logged), object },
      cause,
      ...(isQuiet && { quiet: true }),
      ...(isOmitted && { omitted: true }),
    }
  }

  /** How many events there were, those of earlier generations left out. */
  get sequence(): number {
    return this.#sequence
  }

  get generation(): number {
    return this.#generation
  }

  /** Empties the log. Later events get ids of their own: a consumer that remembers the old ids takes none for a repeat. */
  clear(): void {
    this.#latest = []
    this.#fresh = []
    this.#sequence = 0
    this.#generation++
  }

  begin(): void {
    this.#marks.push({
      latest: this.#latest,
      latestLength: this.#latest.length,
      fresh: this.#fresh,
      freshLength: this.#fresh.length,
      sequence: this.#sequence,
      generation: this.#generation,
    })
  }

  /** What was logged since the last `begin`; everything, where the data was put back meanwhile. */
  draft(): LogDelta {
    const mark = this.#marks.at(-1)
    const isNew = ({ sequence }: LoggedChange) => sequence >= (mark?.sequence ?? 0)
    const isSame = mark?.generation === this.#generation
    return this.#toDelta(isSame ? (latest) => latest.generation === mark.generation && isNew(latest) : () => true)
  }

  keep(): void {
    this.#marks.pop()
  }

  undo(): void {
    const mark = this.#marks.pop()
    if (mark === undefined) return
    this.#latest = mark.latest
    this.#latest.length = mark.latestLength
    this.#fresh = mark.fresh
    this.#fresh.length = mark.freshLength
    this.#sequence = mark.sequence
    this.#generation = mark.generation
  }

  dump(): LogDelta {
    return this.#toDelta(() => true)
  }

  /** Adds what another log has drafted. @param world as it stands after the same commands */
  apply({ added, ...delta }: LogDelta, world: World): void {
    this.load({ ...delta, added: delta.generation === this.#generation ? [...this.#latest, ...added] : added }, world)
  }

  /** Goes on from what `dump` gave. */
  load({ added, sequence, generation }: LogDelta, world: World): void {
    const views = new Map<string, CollectionView>()
    this.#latest = added.slice(-LIMITS.keptEvents).map((entry) => withRecord(entry, world, views))
    this.#fresh = []
    this.#sequence = sequence
    this.#generation = generation
  }

  /**
   * Forgets the records that {@link read} shows no more. The array is replaced: a journal that is open goes back to the old one.
   * What the plan makes of a record has its large values in common with what was there before, so that many changes of the
   * plan are measured together, when a request has changed something after them.
   */
  #measure({ record }: LoggedChange): void {
    this.#grown += sizeOf(record)
    if (!this.#isUnmeasured && this.#grown <= LIMITS.loggedRecordsBytes / 4) return
    this.#latest = [...keepLatestRecords(this.#latest.slice(-LIMITS.keptEvents))]
    this.#grown = 0
    this.#isUnmeasured = false
  }

  #idOf({ generation, sequence }: LoggedChange): string {
    return uuidFrom(this.#origin, 'event', generation, sequence)
  }

  #toDelta(isAsked: (logged: LoggedChange) => boolean): LogDelta {
    const seen = new Set<string>()
    const added: DraftedChange[] = []
    // What is new stands at the end, and which records have room depends on what comes after them alone.
    const least = this.#latest.length - LIMITS.keptEvents
    const first = Math.max(least, this.#latest.findLastIndex((logged) => !isAsked(logged)) + 1)
    for (const logged of keepLatestRecords(this.#latest.slice(Math.max(0, first))).toReversed()) {
      const { record, ...entry } = logged
      const name = `${entry.subject}\u0000${entry.key}`
      added.push(record === null || seen.has(name) ? logged : entry)
      seen.add(name)
    }
    return { added: added.reverse(), sequence: this.#sequence, generation: this.#generation }
  }
}

const NOTHING: readonly LoggedChange[] = []
/** A singleton is named by its scope, or by its name where there is but one. */
const recordIdOf = ({ isSingleton, key, subject }: LoggedChange): string => (isSingleton ? key || subject : key)

/** An entry without a record tells of the one that stands in the world. @param views of collections that were looked at */
function withRecord(entry: DraftedChange, world: World, views: Map<string, CollectionView>): LoggedChange {
  if (entry.record !== undefined) return { ...entry, record: entry.record }
  const { subject, key, isSingleton } = entry
  if (isSingleton) return { ...entry, record: world.singleton(subject, key) ?? null }
  const view = views.get(subject) ?? world.collection(subject)
  views.set(subject, view)
  return { ...entry, record: view.get(key) ?? null }
}
