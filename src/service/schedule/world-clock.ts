/** State of a world clock. */
export interface WorldClockState {
  /** World time less real time, in milliseconds. */
  readonly offsetMs: number
  /** World time at which it stands still; null while it runs. */
  readonly stoppedAt: number | null
}

/**
 * The simulated world's time: real time plus what was fast-forwarded. It stands still while the simulation is paused. Pure:
 * real time (milliseconds since the Unix epoch) is handed in.
 */
export class WorldClock {
  #state: WorldClockState

  /** A clock that shows `epoch` at real time `real`. */
  constructor(real: number, epoch: number) {
    this.#state = { offsetMs: epoch - real, stoppedAt: null }
  }

  /** World time, in milliseconds since the Unix epoch. */
  now(real: number): number {
    return this.#state.stoppedAt ?? real + this.#state.offsetMs
  }

  get isPaused(): boolean {
    return this.#state.stoppedAt !== null
  }

  /** Sets the time; a paused clock stays paused there. */
  set(real: number, now: number): void {
    this.#state = { offsetMs: now - real, stoppedAt: this.isPaused ? now : null }
  }

  pause(real: number): void {
    this.#state = { ...this.#state, stoppedAt: this.now(real) }
  }

  /** Goes on from where it stands. */
  resume(real: number): void {
    this.#state = { offsetMs: this.now(real) - real, stoppedAt: null }
  }

  dump(): WorldClockState {
    return this.#state
  }

  load(state: WorldClockState): void {
    this.#state = state
  }
}
