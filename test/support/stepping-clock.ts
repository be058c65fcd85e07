/** More than the computing time that a fast-forward may take. */
const TOO_LONG_MS = 61_000

/** A clock that moves with each reading, so that every run has the same slices; one reading takes too long. */
export class SteppingClock {
  readings = 0
  slowReading = Number.POSITIVE_INFINITY
  /** Called at each reading. */
  onReading: () => void = () => {}
  readonly #stepMs: number
  #monotonic = 0
  #computed = 0

  /** @param stepMs time of a reading; a slice is 10 ms */
  constructor(stepMs: number) {
    this.#stepMs = stepMs
  }

  now = (): number => Date.UTC(2026, 0, 5)

  monotonic = (): number => {
    const isSlow = ++this.readings === this.slowReading
    this.#monotonic += isSlow ? TOO_LONG_MS : this.#stepMs
    if (isSlow) this.#computed += TOO_LONG_MS
    this.onReading()
    return this.#monotonic
  }

  computedMs = (): number => this.#computed
}
