import type { Clock } from '../../runtime/clock.ts'

/**
 * The clock that retries fall due on. It moves with real time and can be turned forward, never by a fast-forward of the
 * world (house: two clocks).
 */
export class DeliveryClock {
  readonly #clock: Clock
  #offsetMs = 0
  #stoppedAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#stoppedAt ?? this.#clock.now() + this.#offsetMs
  }

  /** Stands still at `time`, or where it is when that is later. */
  stopAt(time: number): void {
    this.#stoppedAt = Math.max(this.now(), time)
  }

  /** Goes on from where it stands. */
  resume(): void {
    if (this.#stoppedAt === undefined) return
    this.#offsetMs = this.#stoppedAt - this.#clock.now()
    this.#stoppedAt = undefined
  }
}
