/** Lets go of answers that are held back or delayed, all at once. */
export class Holds {
  /** Made when something is first held: few simulations hold anything, and to abort costs 0.1 ms. */
  #controller: AbortController | undefined

  /** Aborted when what is held now may go. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  /** Lets everything go that is held now; what is held later waits for the next call. */
  release(): void {
    this.#controller?.abort()
    this.#controller = undefined
  }
}
