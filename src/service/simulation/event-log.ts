import type { ChangeCause, ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { toIso } from '../../runtime/date-text.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change } from '../world/change.ts'

/** A change as it is kept: everything that its event needs, composed only when somebody reads it. */
export interface LoggedChange {
  readonly change: Change
  readonly type: string
  /** World time, milliseconds. */
  readonly at: number
  readonly cause: ChangeCause
  readonly generation: number
  readonly sequence: number
}

/** What an event log remembers. */
export interface EventLogState {
  readonly latest: readonly LoggedChange[]
  /** Number of the next event of this generation. */
  readonly sequence: number
  /** How often the data was put back: ids of the old world are never used again. */
  readonly generation: number
}

/** The latest changes of one simulation, as events (specification, Events). */
export class EventLog {
  /** What sets its ids apart from those of other simulations. */
  readonly #origin: string
  /** Kinds of events, by collection or singleton and by type of change. */
  readonly #kinds: ReadonlyMap<string, Readonly<Record<Change['type'], string>>>
  #latest: LoggedChange[] = []
  #sequence = 0
  #generation = 0

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

  add(change: Change, at: number, cause: ChangeCause): LoggedChange {
    const type = this.#kinds.get(subjectOf(change))?.[change.type] ?? change.type
    const logged = { change, type, at, cause, generation: this.#generation, sequence: this.#sequence++ }
    this.#latest.push(logged)
    if (this.#latest.length >= 2 * LIMITS.latestEvents) this.#latest = this.#latest.slice(-LIMITS.latestEvents)
    return logged
  }

  /** The latest 100 changes, newest first. */
  read(): LoggedChange[] {
    return this.#latest.slice(-LIMITS.latestEvents).reverse()
  }

  /** The event of a change. @param object the record as the simulated API would return it */
  toEvent({ change, type, at, cause, generation, sequence }: LoggedChange, object: Json): ChangeEvent {
    return {
      id: uuidFrom(this.#origin, 'event', generation, sequence),
      type,
      created: toIso(at),
      data: { collection: subjectOf(change), id: idOf(change), object },
      cause,
    }
  }

  /** The latest changes, oldest first, that `earlier` does not have. */
  since(earlier: EventLogState): LoggedChange[] {
    const isNew = ({ generation, sequence }: LoggedChange) =>
      generation !== earlier.generation || sequence >= earlier.sequence
    return this.#latest.slice(-LIMITS.latestEvents).filter(isNew)
  }

  dump(): EventLogState {
    return { latest: this.#latest.slice(-LIMITS.latestEvents), sequence: this.#sequence, generation: this.#generation }
  }

  /** Empties the log. Later events get ids of their own: a consumer that remembers the old ids takes none for a repeat. */
  clear(): void {
    this.#latest = []
    this.#sequence = 0
    this.#generation++
  }

  /** Goes back to exactly what `dump` gave. */
  load({ latest, sequence, generation }: EventLogState): void {
    this.#latest = [...latest]
    this.#sequence = sequence
    this.#generation = generation
  }
}

const subjectOf = (change: Change): string => ('singleton' in change ? change.singleton : change.collection)

/** Id of the record; of a singleton its scope, or its name where there is but one. */
const idOf = (change: Change): string => ('singleton' in change ? change.scopeKey || change.singleton : change.key)
