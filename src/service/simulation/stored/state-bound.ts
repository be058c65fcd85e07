/** A state is measured again after this many characters of changes, as a part of its limit, or after this time. */
const WEIGHED_AGAIN = 1 / 16
const WEIGHED_AGAIN_MS = 10_000

/**
 * The limit of one simulation's state. Changes may replace each other, so their length is an upper bound; the state
 * itself is measured when the bound exceeds the limit.
 */
export class StateBound {
  readonly #most: number
  readonly #weigh: () => number
  readonly #now: () => number
  /** Characters at the last measurement, and of later changes. */
  #weighed: number
  #added = 0
  #weighedAt = Number.NEGATIVE_INFINITY

  /** @param most characters @param length upper bound of the state's characters @param weigh measures it again */
  constructor(most: number, length: number, { weigh, now }: { weigh: () => number; now: () => number }) {
    this.#most = most
    this.#weighed = length
    this.#weigh = weigh
    this.#now = now
  }

  /** Adds changes. */
  add(length: number): void {
    this.#added += length
  }

  /** Replaces the state. */
  replace(length: number): void {
    this.#weighed = length
    this.#added = 0
    this.#weighedAt = Number.NEGATIVE_INFINITY
  }

  /** Whether it may grow. The measured state may already include the addition. */
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
