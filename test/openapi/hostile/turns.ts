import { cpuMs } from '../../support/processor-time.ts'

/** The turns of the event loop while something is computed. */
export class Turns {
  #startedAt = cpuMs()
  #longestMs = 0
  #timer: NodeJS.Immediate = setImmediate(() => this.#turn())

  #turn(): void {
    const now = cpuMs()
    this.#longestMs = Math.max(this.#longestMs, now - this.#startedAt)
    this.#startedAt = now
    this.#timer = setImmediate(() => this.#turn())
  }

  /** Processor time of the longest turn. */
  end(): number {
    clearImmediate(this.#timer)
    return Math.max(this.#longestMs, cpuMs() - this.#startedAt)
  }
}
