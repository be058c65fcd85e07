import type { Runtime } from '../../runtime/runtime.ts'

/** Number of deliveries in progress, and waits for their end. */
export class UnderWay {
  /** Whether the delivery clock is advancing: nothing is settled before its end. */
  isTurning = false
  readonly #startTimer: Runtime['startTimer']
  #count = 0
  #quietWaiters: (() => void)[] = []
  readonly #settledWaiters = new Set<() => void>()

  constructor(startTimer: Runtime['startTimer']) {
    this.#startTimer = startTimer
  }

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
  }

  /** Resolves when nothing is in progress. */
  async quiet(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#quietWaiters.push(resolve))
  }

  /** Resolves with true when nothing is in progress and the clock is not advancing; with false after `timeoutMs`. */
  settled(timeoutMs: number): Promise<boolean> {
    if (this.#count === 0 && !this.isTurning) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isSettled: boolean) => {
        cancelTimer()
        this.#settledWaiters.delete(onSettled)
        resolve(isSettled)
      }
      const onSettled = () => finish(true)
      const cancelTimer = this.#startTimer(timeoutMs, () => finish(false))
      this.#settledWaiters.add(onSettled)
    })
  }

  /** Resolves finished waits. */
  release(): void {
    if (this.#count > 0) return
    for (const resolve of this.#quietWaiters.splice(0)) resolve()
    if (!this.isTurning) for (const onSettled of [...this.#settledWaiters]) onSettled()
  }
}
