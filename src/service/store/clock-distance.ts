/** How many times a way's length a sample may be old until one with a way that is longer by as much counts as much. */
const AGE_OF_WAY = 1_000

/** How far a database's clock is before this machine's: by the answer with the shortest way, which is worth less as it grows old, since clocks are put right. */
export class ClockDistance {
  #offsetMs = 0
  #wayMs = Number.POSITIVE_INFINITY
  #at = 0

  get offsetMs(): number {
    return this.#offsetMs
  }

  /** Takes what the database's clock showed between two times of this machine's. */
  note(shown: number, { sentAt, at }: { readonly sentAt: number; readonly at: number }): void {
    const wayMs = at - sentAt
    const isSetBack = at < this.#at
    if (wayMs < 0 || (!isSetBack && wayMs > this.#wayMs + (at - this.#at) / AGE_OF_WAY)) return
    this.#offsetMs = Math.round(shown - (sentAt + at) / 2)
    this.#wayMs = wayMs
    this.#at = at
  }
}
