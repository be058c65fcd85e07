import type { Clock } from '../../runtime/clock.ts'

/** Tells whether something has taken its time. */
export class StopWatch {
  readonly #clock: Clock
  readonly #limitMs: number
  #end = 0

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  begin(): void {
    this.#end = this.#clock.monotonic() + this.#limitMs
  }

  get isSpent(): boolean {
    return this.#clock.monotonic() >= this.#end
  }
}
