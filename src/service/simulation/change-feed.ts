import type { ChangeCause, ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Change } from '../world/change.ts'
import { EventLog, type EventLogState, type LoggedChange } from './event-log.ts'

/** Where every change becomes an event: into the log, to the webhooks, to whoever listens. */
export class ChangeFeed {
  readonly #log: EventLog
  readonly #webhooks: Webhooks
  readonly #singulars: ReadonlyMap<string, string>
  readonly #listeners = new Set<(event: ChangeEvent) => void>()
  /** Events that wait while they may still be undone. */
  #held: LoggedChange[] | undefined

  constructor(options: { seed: string; model: ApiModel; webhooks: Webhooks; present: (change: Change) => Json }) {
    this.#log = new EventLog(options.seed, options.present)
    this.#webhooks = options.webhooks
    const { collections, singletons } = options.model
    this.#singulars = new Map([...collections, ...singletons].map(({ name, singular }) => [name, singular]))
  }

  /** How many events wait. */
  get heldCount(): number {
    return this.#held?.length ?? 0
  }

  /** Whether somebody wants to hear of changes when they happen. */
  get isWatched(): boolean {
    return this.#listeners.size > 0 || this.#webhooks.list().length > 0
  }

  /** Names of the event kinds that there can be. */
  kinds(model: ApiModel): string[] {
    const kinds = model.collections.flatMap(({ singular }) =>
      ['created', 'updated', 'deleted'].map((verb) => `${singular}.${verb}`),
    )
    const singletons = model.singletons.flatMap(({ singular }) =>
      ['updated', 'deleted'].map((verb) => `${singular}.${verb}`),
    )
    return [...new Set([...kinds, ...singletons])]
  }

  add(change: Change, at: number, cause: ChangeCause): void {
    const subject = 'singleton' in change ? change.singleton : change.collection
    const logged = this.#log.add(change, `${this.#singulars.get(subject)}.${change.type}`, at, cause)
    if (this.#held === undefined) this.#announce(logged)
    else this.#held.push(logged)
  }

  /** From now on events wait, until `release` or `drop`. */
  hold(): EventLogState {
    this.#held = []
    return this.#log.dump()
  }

  /** Announces what waits. Returns how many events that were. */
  release(): number {
    const held = this.#held ?? []
    this.#held = undefined
    for (const logged of held) this.#announce(logged)
    return held.length
  }

  /** Forgets what waits, as if it had never happened. */
  drop(before: EventLogState): void {
    this.#held = undefined
    this.#log.undo(before)
  }

  /** The latest 100 events, newest first. */
  read(): ChangeEvent[] {
    return this.#log.read()
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#listeners.clear()
  }

  dump(): EventLogState {
    return this.#log.dump()
  }

  /** Goes back to an earlier log, or to an empty one; deliveries that still wait belong to the old one and are dropped. */
  load(state?: EventLogState): void {
    this.#log.load(state)
    this.#webhooks.dropWaiting()
  }

  #announce(logged: LoggedChange): void {
    const isWanted = this.#webhooks.wants(logged.type)
    if (!isWanted && this.#listeners.size === 0) return
    const { cause, ...event } = this.#log.toEvent(logged)
    if (isWanted) this.#webhooks.enqueue(event)
    for (const listener of this.#listeners) listener({ ...event, cause })
  }
}
