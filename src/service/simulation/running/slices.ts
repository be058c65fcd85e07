import type { Clock } from '../../../runtime/clock.ts'
import { atEndOfTurn } from '../../../runtime/timers.ts'

/** How long the simulations of a service compute in one turn of the event loop, all together. */
const SLICE_MS = 10

/** Long computations of a service in slices: however many there are, requests have their turn after 10 ms. */
export class Slices {
  readonly #clock: Clock
  #leftMs = SLICE_MS
  #isRenewing = false
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Computes for as long as this turn has time left; undefined where there is more to compute. */
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

  /** Computes to the end, in as many turns as it takes. */
  async finish<T>(run: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const done = this.run(run)
      if (done !== undefined) return done.value
      await this.next()
    }
  }

  /** Resolves in a turn that has its whole time left. Those who wait have one turn each, in the order of their calls. */
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
