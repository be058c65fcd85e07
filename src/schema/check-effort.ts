/** What checks against alternatives may still cost, all together. When it is used up, every value is taken to fit. */
export class CheckEffort {
  #left: number

  /** @param most values that are looked at inside alternatives */
  constructor(most: number) {
    this.#left = most
  }

  /** Counts a value that is looked at; false where there is no effort left for it. */
  take(): boolean {
    return this.#left-- > 0
  }
}
