import { LIMITS } from '../../protocol/limits.ts'
import { CheckEffort } from '../../schema/check-effort.ts'

/** From so many values on, what is optional is left out, so that enough is left for what is required. */
const MOST_BEFORE_REQUIRED = 6_000

/**
 * What the making of one record or document may still cost. Every value takes its share, so that the cost does not depend
 * on how schemas nest. It begins anew with each record, so that a record is the same whenever it is made.
 */
export class Work {
  /** What the checks of tries may cost. */
  readonly checks = new CheckEffort(LIMITS.generatedChecks)
  #taken = 0

  /** Whether optional values have to be left out. */
  get isScarce(): boolean {
    return this.#taken >= MOST_BEFORE_REQUIRED
  }

  /** Whether required values, too, have to be as small as they can be. */
  get isSpent(): boolean {
    return this.#taken >= LIMITS.generatedValues
  }

  /** Counts values that are made. */
  take(values: number): void {
    this.#taken += values
  }
}
