/** Lets go of answers that are held back or delayed, all at once. */
export class Holds {
  #controller = new AbortController()

  /** Aborted when what is held now may go. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Lets everything go that is held now; what is held later waits for the next call. */
  release(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
  }
}
