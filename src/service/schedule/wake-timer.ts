import type { Runtime } from '../../runtime/runtime.ts'
import type { CancelTimer } from '../../runtime/timers.ts'

/** One real timer for what comes next. */
export class WakeTimer {
  readonly #startTimer: Runtime['startTimer']
  #cancel: CancelTimer | undefined

  constructor(startTimer: Runtime['startTimer']) {
    this.#startTimer = startTimer
  }

  /** Calls `run` once after `ms` of real time; replaces what was waiting. */
  wakeIn(ms: number, run: () => void): void {
    this.stop()
    this.#cancel = this.#startTimer(ms, run)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
