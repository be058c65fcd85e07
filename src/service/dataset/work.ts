import { LIMITS } from '../../protocol/limits.ts'
import { CheckEffort } from '../../schema/check-effort.ts'

/** From this number of values on, optional ones are omitted, so that enough work is left for required ones. */
const MOST_BEFORE_REQUIRED = 6_000

/**
 * The work limit of one record or document. Every value takes its share, so that the cost does not depend on the
 * nesting of schemas. It starts again for each record, so that a record is the same whenever it is made.
 */
export class Work {
  /** The limit of checks during tries. */
  readonly checks = new CheckEffort(LIMITS.generatedChecks)
  #taken = 0

  /** Whether optional values must be omitted. */
  get isScarce(): boolean {
    return this.#taken >= MOST_BEFORE_REQUIRED
  }

  /** Whether required values, too, must be as small as possible. */
  get isSpent(): boolean {
    return this.#taken >= LIMITS.generatedValues
  }

  /** Counts generated values. */
  take(values: number): void {
    this.#taken += values
  }
}
