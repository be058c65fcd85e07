/** Remaining cost of checks against alternatives, shared by several checks. When it is used up, every value is assumed to fit. */
export class CheckEffort {
  #left: number

  /** @param most values visited inside alternatives */
  constructor(most: number) {
    this.#left = most
  }

  /** Counts a visited value; false when the effort is used up. */
  take(): boolean {
    return this.#left-- > 0
  }
}
