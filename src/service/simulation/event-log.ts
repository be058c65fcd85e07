import type { ChangeCause, ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { toIso } from '../../runtime/date-text.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { Change } from '../world/change.ts'

/** A change as it is kept: everything that its event needs, composed only when somebody reads it. */
export interface LoggedChange {
  readonly change: Change
  readonly type: string
  readonly at: number
  readonly cause: ChangeCause
  readonly generation: number
  readonly sequence: number
}

/** What an event log remembers. */
export interface EventLogState {
  latest: LoggedChange[]
  sequence: number
}

/** The latest changes of one simulation, as events (specification, Events). */
export class EventLog {
  readonly #seed: string
  readonly #present: (change: Change) => Json
  #latest: LoggedChange[] = []
  #sequence = 0
  #generation = 0

  /** @param present the object that an event of this change shows: the record as the simulated API would return it */
  constructor(seed: string, present: (change: Change) => Json) {
    this.#seed = seed
    this.#present = present
  }

  add(change: Change, type: string, at: number, cause: ChangeCause): LoggedChange {
    const logged = { change, type, at, cause, generation: this.#generation, sequence: this.#sequence++ }
    this.#latest.push(logged)
    if (this.#latest.length >= 2 * LIMITS.latestEvents) this.#latest = this.#latest.slice(-LIMITS.latestEvents)
    return logged
  }

  /** The latest 100 events, newest first. */
  read(): ChangeEvent[] {
    return this.#latest
      .slice(-LIMITS.latestEvents)
      .reverse()
      .map((logged) => this.toEvent(logged))
  }

  toEvent({ change, type, at, cause, generation, sequence }: LoggedChange): ChangeEvent {
    return {
      id: uuidFrom(this.#seed, 'event', generation, sequence),
      type,
      created: toIso(at),
      data: { collection: subjectOf(change), id: idOf(change), object: this.#present(change) },
      cause,
    }
  }

  dump(): EventLogState {
    return { latest: [...this.#latest], sequence: this.#sequence }
  }

  /**
   * Goes back to an earlier log, or to an empty one. Later events get ids of their own all the same: a consumer that
   * remembers the ids of the old world must not take them for repeats.
   */
  load(state: EventLogState = { latest: [], sequence: 0 }): void {
    this.#latest = [...state.latest]
    this.#sequence = state.sequence
    this.#generation++
  }

  /** Takes back what was added since `dump`, as if it had never happened. */
  undo(state: EventLogState): void {
    this.#latest = [...state.latest]
    this.#sequence = state.sequence
  }
}

const subjectOf = (change: Change): string => ('singleton' in change ? change.singleton : change.collection)

/** Id of the record; of a singleton its scope, or its name where there is but one. */
const idOf = (change: Change): string => ('singleton' in change ? change.scopeKey || change.singleton : change.key)
