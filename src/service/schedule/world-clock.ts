import type { Clock } from '../../runtime/clock.ts'

/** State of a world clock. */
export interface WorldClockState {
  /** World time less real time, in milliseconds. */
  offsetMs: number
  /** World time at which it stands still; undefined while it runs. */
  stoppedAt: number | undefined
}

/** The simulated world's time: real time plus what was fast-forwarded. It stands still while the simulation is paused. */
export class WorldClock {
  readonly #clock: Clock
  #state: WorldClockState

  constructor(clock: Clock, epoch: number) {
    this.#clock = clock
    this.#state = { offsetMs: epoch - clock.now(), stoppedAt: undefined }
  }

  /** World time, in milliseconds since the Unix epoch. */
  now(): number {
    return this.#state.stoppedAt ?? this.#clock.now() + this.#state.offsetMs
  }

  /** World time less real time, in milliseconds. */
  get offsetMs(): number {
    return this.now() - this.#clock.now()
  }

  get isPaused(): boolean {
    return this.#state.stoppedAt !== undefined
  }

  /** Sets the time; a paused clock stays paused there. */
  set(now: number): void {
    this.#state = {
      offsetMs: now - this.#clock.now(),
      stoppedAt: this.isPaused ? now : undefined,
    }
  }

  pause(): void {
    this.#state = { ...this.#state, stoppedAt: this.now() }
  }

  resume(): void {
    this.#state = { offsetMs: this.now() - this.#clock.now(), stoppedAt: undefined }
  }
}
