/** Timers by name: at most one for each name. */
export class NamedTimers {
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>()

  /** Runs a function later, unless its name is already waiting. */
  later(name: string, ms: number, run: () => void): void {
    if (this.#running.has(name)) return
    const timer = setTimeout(() => {
      this.#running.delete(name)
      run()
    }, ms)
    this.#running.set(name, timer)
  }

  cancel(name: string): void {
    clearTimeout(this.#running.get(name))
    this.#running.delete(name)
  }

  cancelAll(): void {
    for (const name of [...this.#running.keys()]) this.cancel(name)
  }
}
