/** A state is weighed again after as many characters of changes, as a part of what it may have, or after this time. */
const WEIGHED_AGAIN = 1 / 16
const WEIGHED_AGAIN_MS = 10_000

/**
 * How large the state of one simulation may become. Changes replace one another, so that their length is a bound of what they add; the state
 * itself is weighed where that bound passes what it may have.
 */
export class StateBound {
  readonly #most: number
  readonly #weigh: () => number
  readonly #now: () => number
  /** Characters when it was weighed last, and of changes since. */
  #weighed: number
  #added = 0
  #weighedAt = Number.NEGATIVE_INFINITY

  /** @param most characters @param length characters that the state has at most @param weigh the same, counted anew */
  constructor(most: number, length: number, { weigh, now }: { weigh: () => number; now: () => number }) {
    this.#most = most
    this.#weighed = length
    this.#weigh = weigh
    this.#now = now
  }

  /** Notes that changes were made. */
  add(length: number): void {
    this.#added += length
  }

  /** Notes that the state is another one. */
  replace(length: number): void {
    this.#weighed = length
    this.#added = 0
    this.#weighedAt = Number.NEGATIVE_INFINITY
  }

  /** Whether it may grow. What is to be added may be part of what is weighed. */
  hasRoom(): boolean {
    if (this.#weighed + this.#added <= this.#most) return true
    const isLongAgo = this.#now() - this.#weighedAt >= WEIGHED_AGAIN_MS
    if (isLongAgo || this.#added > this.#most * WEIGHED_AGAIN) {
      this.#weighed = this.#weigh()
      this.#added = 0
      this.#weighedAt = this.#now()
    }
    return this.#weighed <= this.#most
  }
}
