import type { Runtime } from '../../runtime/runtime.ts'
import type { CancelTimer } from '../../runtime/timers.ts'

/** The one real timer of a simulation: wakes it when its next task is due, while somebody is listening for changes. */
export class Driver {
  readonly #startTimer: Runtime['startTimer']
  #cancel: CancelTimer | undefined

  constructor(startTimer: Runtime['startTimer']) {
    this.#startTimer = startTimer
  }

  /** Calls `run` once after `ms` of real time; replaces what was waiting. Undefined: nothing is waited for. */
  wakeIn(ms: number | undefined, run: () => void): void {
    this.#cancel?.()
    this.#cancel = ms === undefined ? undefined : this.#startTimer(ms, run)
  }

  stop(): void {
    this.wakeIn(undefined, () => {})
  }
}
