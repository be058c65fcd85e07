import { nextTurn } from '../../runtime/timers.ts'

/** What a simulation is busy with. */
export type Phase = 'queued' | 'running' | 'resetting' | 'fast-forwarding' | 'closed'

/** What is under way in one simulation: long work runs one after the other, and requests wait for it. */
export class Lifecycle {
  #phase: Phase = 'queued'
  #under = 0
  #current: Phase | undefined
  #ready: Promise<void>

  /** Begins queued, and runs from the next turn of the event loop on. */
  constructor() {
    this.#ready = nextTurn().then(() => this.#rest())
  }

  get phase(): Phase {
    return this.#phase
  }

  get isClosed(): boolean {
    return this.#phase === 'closed'
  }

  /** Whether a fast-forward is being computed right now. */
  get isFastForwarding(): boolean {
    return this.#current === 'fast-forwarding'
  }

  /** Resolves when nothing is under way. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** Runs `work` after what is under way; until it is done the phase is `phase`. */
  run<T>(phase: 'resetting' | 'fast-forwarding', work: () => Promise<T>): Promise<T> {
    if (this.#phase !== 'closed') this.#phase = phase
    this.#under++
    const start = (): Promise<T> => {
      this.#current = phase
      return work()
    }
    const done = this.#ready.then(start).finally(() => {
      this.#current = undefined
      this.#under--
      this.#rest()
    })
    this.#ready = done.then(
      () => {},
      () => {},
    )
    return done
  }

  close(): void {
    this.#phase = 'closed'
  }

  #rest(): void {
    if (this.#phase !== 'closed' && this.#under === 0) this.#phase = 'running'
  }
}
