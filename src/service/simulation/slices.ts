import type { Clock } from '../../runtime/clock.ts'
import { atEndOfTurn } from '../../runtime/timers.ts'

/** Most computing time of all a service's simulations in one turn of the event loop. */
const SLICE_MS = 10

/** Runs long computations of a service in slices: however many there are, requests wait at most 10 ms. */
export class Slices {
  readonly #clock: Clock
  #leftMs = SLICE_MS
  #isRenewing = false
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Computes within this turn's remaining time; undefined where there is more. */
  run<T>(run: Generator<unknown, T>): { readonly value: T } | undefined {
    if (this.#leftMs <= 0) return undefined
    const end = this.#clock.monotonic() + this.#leftMs
    this.#renewLater()
    let now = 0
    try {
      for (let step = run.next(); ; step = run.next()) {
        if (step.done) return { value: step.value }
        now = this.#clock.monotonic()
        if (now >= end) return undefined
      }
    } finally {
      this.#leftMs = end - (now >= end ? now : this.#clock.monotonic())
    }
  }

  /** Computes to the end, in several turns. */
  async finish<T>(run: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const done = this.run(run)
      if (done !== undefined) return done.value
      await this.next()
    }
  }

  /** Resolves in a turn with its whole time. Waiting callers have one turn each, in order of their calls. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#renewLater()
    })
  }

  #renewLater(): void {
    if (this.#isRenewing) return
    this.#isRenewing = true
    atEndOfTurn(() => {
      this.#isRenewing = false
      this.#leftMs = SLICE_MS
      this.#waiting.shift()?.()
      if (this.#waiting.length > 0) this.#renewLater()
    })
  }
}
