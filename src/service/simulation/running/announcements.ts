import type { ChangeEvent } from '../../../protocol/event.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import type { FreshChange } from '../core/event-log.ts'
import type { Slices } from './slices.ts'

/** A change as followers take it: its event is composed by those who want it. */
export interface HappenedEvent {
  readonly type: string
  compose(): ChangeEvent
}

/** Takes what happens, one by one, at a pace of its own. */
export interface Taker<What> {
  take(what: What): void
  /** Resolves when it can take more; undefined where it can now. */
  room?(): Promise<void> | undefined
  /** What requests have changed while it had no room takes too much memory. */
  giveUp?(): void
}

/** How much of what requests have changed may wait, in bytes. What the plan changes is bounded by its own limits. */
const MOST_WAITING = 8 * 1024 * 1024

/** Changes that are told at once; more follow in slices. */
const AT_ONCE = 100

/** Changes on their way to one taker, in their order, at the pace at which it takes them. */
export class Announcements {
  readonly #taker: Taker<FreshChange>
  readonly #slices: Slices
  #lots: (readonly FreshChange[])[] = []
  /** How many of the first lot were taken. */
  #taken = 0
  #isRunning = false
  /** Size of the requests' changes that wait, in bytes. */
  #size = 0
  #onIdle: (() => void)[] = []

  constructor(taker: Taker<FreshChange>, slices: Slices) {
    this.#taker = taker
    this.#slices = slices
  }

  /** Whether changes wait to be taken. */
  get isWaiting(): boolean {
    return this.#lots.length > 0
  }

  add(changes: readonly FreshChange[]): void {
    let taken = 0
    if (!this.isWaiting) {
      for (; taken < changes.length && taken < AT_ONCE && this.#taker.room?.() === undefined; taken++) {
        this.#taker.take(changes[taken] as FreshChange)
      }
    }
    if (taken === changes.length) return
    const rest = taken === 0 ? changes : changes.slice(taken)
    this.#lots.push(rest)
    for (const { cause, record } of rest) if (cause === 'request' || cause === 'edit') this.#size += sizeOf(record)
    if (this.#size > MOST_WAITING) this.#taker.giveUp?.()
    if (!this.#isRunning) void this.#takeAll()
  }

  /** Resolves when no change waits. */
  async idle(): Promise<void> {
    while (this.isWaiting) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  /** Forgets what waits. */
  clear(): void {
    this.#lots = []
    this.#taken = 0
    this.#size = 0
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #takeAll(): Promise<void> {
    this.#isRunning = true
    while (this.isWaiting) {
      await this.#taker.room?.()
      await this.#slices.next()
      this.#slices.run(this.#takeSome())
    }
    this.#isRunning = false
    this.clear()
  }

  /** Takes while there is room. */
  *#takeSome(): Generator<undefined, void> {
    for (let [lot] = this.#lots; lot !== undefined; [lot] = this.#lots) {
      if (this.#taker.room?.() !== undefined) return
      this.#taker.take(lot[this.#taken++] as FreshChange)
      if (this.#taken >= lot.length) {
        this.#lots.shift()
        this.#taken = 0
      }
      yield
    }
  }
}
