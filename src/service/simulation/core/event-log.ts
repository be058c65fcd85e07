import { invalidRequest } from '../../../protocol/errors.ts'
import { type ChangeCause, type ChangeEvent, matchesEventFilter } from '../../../protocol/event.ts'
import { grouped } from '../../../protocol/grouped.ts'
import type { Json } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { uuidFrom } from '../../../runtime/uuid.ts'
import type { ApiModel } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import type { World } from '../../world/world.ts'
import {
  type ChangeContext,
  type DraftedChange,
  type FreshChange,
  keepLatestRecords,
  type LoggedChange,
} from './logged-change.ts'

/** The changes of an event log. */
export interface LogDelta {
  /** The latest of the new events, oldest first, at most 1,000. */
  readonly added: readonly DraftedChange[]
  /** Number of the next event of this generation. */
  readonly sequence: number
  /** Number of restores of the data. The ids of an earlier generation are never used again. */
  readonly generation: number
}

/** State of the log at a `begin`. An array only grows at its end, or is replaced. */
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
  /** Distinguishes its ids from those of other simulations. */
  readonly #origin: string
  /** Kinds of events, by collection or singleton and by type of change. */
  readonly #kinds: ReadonlyMap<string, Readonly<Record<Change['type'], string>>>
  #latest: LoggedChange[] = []
  /** Bytes of records added by requests since the last measurement. */
  #grown = 0
  /** Whether the plan has changed records since then. */
  #isUnmeasured = false
  /** Changes to be announced. */
  #fresh: FreshChange[] = []
  #sequence = 0
  #generation = 0
  /**
   * Makes the ids of new events differ from those of events that the store has lost, after a restore or a failover: a consumer may know them.
   * Where there is no store, ids are the same in every run.
   */
  strand: string | undefined
  /** Journals that are open, the innermost last. */
  readonly #marks: LogMark[] = []

  /** @param slug a chosen one: a consumer may use two simulations of one description */
  constructor(seed: string, { title, version, collections, singletons }: ApiModel, slug = '') {
    const shown = collections.filter(({ isApart }) => !isApart)
    const names = [...shown, ...singletons].map(({ name }) => name)
    this.#origin = uuidFrom(seed, slug, title, version, ...names)
    this.#kinds = new Map(
      [...collections, ...singletons].map(({ name, singular }) => [
        name,
        { created: `${singular}.created`, updated: `${singular}.updated`, deleted: `${singular}.deleted` },
      ]),
    )
  }

  /** @param isHeard whether to announce the change */
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
      ...(this.strand !== undefined && { strand: this.strand }),
      ...(isQuiet && { isQuiet }),
      ...('event' in change && change.event !== undefined && { event: change.event }),
      // The last field, here and in deltas: dumps of equal cores are equal byte for byte.
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
   * Changes, newest first; the records of older ones are omitted beyond 8 MB. Throws `invalid_request` for an unknown
   * id in `before`.
   */
  read({ limit, before, type, collection, recordId }: EventSelection = LATEST_EVENTS): LoggedChange[] {
    const found: LoggedChange[] = []
    let isAfter = before !== undefined
    for (const logged of keepLatestRecords(this.#latest.slice(-LIMITS.keptEvents)).toReversed()) {
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

  /** Changes to be announced. */
  get fresh(): readonly FreshChange[] {
    return this.#fresh
  }

  /** Takes the changes since the last call, for announcing. */
  takeFresh(): readonly FreshChange[] {
    if (this.#fresh.length === 0) return NOTHING
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }

  /** Kind of the event, for filters. */
  typeOf({ subject, kind, event }: LoggedChange): string {
    return event ?? this.#kinds.get(subject)?.[kind] ?? kind
  }

  /** The event of a change. @param object the record as the simulated API returns it */
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

  /** Number of events in this generation. */
  get sequence(): number {
    return this.#sequence
  }

  get generation(): number {
    return this.#generation
  }

  /** Empties the log. Later events get different ids, so that a consumer with the old ids does not take them for repeats. */
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

  /** The log since the last `begin`; everything after a restore of the data. */
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

  /** Adds another log's draft. @param world after the same commands */
  apply({ added, ...delta }: LogDelta, world: World): void {
    this.load({ ...delta, added: delta.generation === this.#generation ? [...this.#latest, ...added] : added }, world)
  }

  /** Loads a result of `dump`. */
  load({ added, sequence, generation }: LogDelta, world: World): void {
    const views = new Map<string, CollectionView>()
    this.#latest = added.slice(-LIMITS.keptEvents).map((entry) => withRecord(entry, world, views))
    this.#fresh = []
    this.#sequence = sequence
    this.#generation = generation
  }

  /**
   * Drops the records that {@link read} no longer shows. The array is replaced: an open journal goes back to the old
   * one. Records changed by the plan share their large values with earlier ones, so many changes of the plan are
   * measured together, at the next request's change.
   */
  #measure({ record }: LoggedChange): void {
    this.#grown += sizeOf(record)
    if (!this.#isUnmeasured && this.#grown <= LIMITS.loggedRecordsBytes / 4) return
    this.#latest = [...keepLatestRecords(this.#latest.slice(-LIMITS.keptEvents))]
    this.#grown = 0
    this.#isUnmeasured = false
  }

  #idOf({ generation, sequence, strand }: LoggedChange): string {
    const place = [this.#origin, 'event', generation, sequence]
    return strand === undefined ? uuidFrom(...place) : uuidFrom(...place, strand)
  }

  #toDelta(isAsked: (logged: LoggedChange) => boolean): LogDelta {
    const seen = new Set<string>()
    const added: DraftedChange[] = []
    // New changes are at the end, and whether a record has room depends only on later ones.
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
/** A singleton's id is its scope, or its name where there is only one. */
const recordIdOf = ({ isSingleton, key, subject }: LoggedChange): string => (isSingleton ? key || subject : key)

/** An entry without a record takes the world's. @param views of collections used so far */
function withRecord(entry: DraftedChange, world: World, views: Map<string, CollectionView>): LoggedChange {
  if (entry.record !== undefined) return { ...entry, record: entry.record }
  const { subject, key, isSingleton } = entry
  if (isSingleton) return { ...entry, record: world.singleton(subject, key) ?? null }
  const view = views.get(subject) ?? world.collection(subject)
  views.set(subject, view)
  return { ...entry, record: view.get(key) ?? null }
}

/** The selected events of the log, newest first. */
export interface EventSelection {
  readonly limit: number
  /** Only requests before the one with this id. */
  readonly before?: string | undefined
  /** Kind, or `task.*`. */
  readonly type?: string | undefined
  readonly collection?: string | undefined
  readonly recordId?: string | undefined
}

/** The latest 100. */
const LATEST_EVENTS: EventSelection = { limit: LIMITS.latestEvents }

function noEvent(id: string | undefined): Error {
  const kept = grouped(LIMITS.keptEvents)
  return invalidRequest(
    `Expected \`before\` to be the id of one of the latest ${kept} events of this simulation, got ${JSON.stringify(id)}.`,
  )
}
