import { badRequest } from '../../protocol/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { nextTurn } from '../../runtime/timers.ts'

/** What a simulation is busy with. */
export type Phase = 'queued' | 'running' | 'resetting' | 'fast-forwarding' | 'catching-up' | 'closed'

/** How long is computed before others have a turn. */
export const SLICE_MS = 50

/** What is under way in one simulation: long work runs one after the other, and requests wait for it. */
export class Lifecycle {
  readonly #clock: Clock
  #phase: Phase = 'queued'
  #under = 0
  #isComputing = false
  #ready: Promise<void>

  /** Begins queued, and runs from the next turn of the event loop on. */
  constructor(clock: Clock) {
    this.#clock = clock
    this.#ready = nextTurn().then(() => this.#rest())
  }

  get phase(): Phase {
    return this.#phase
  }

  get isClosed(): boolean {
    return this.#phase === 'closed'
  }

  /** Whether a run in slices is between its beginning and its end: nothing else may change the core then. */
  get isComputing(): boolean {
    return this.#isComputing
  }

  /** Resolves when nothing is under way. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** Runs `work` after what is under way; until it is done the phase is `phase`. */
  run<T>(phase: 'resetting' | 'fast-forwarding' | 'catching-up', work: () => T | Promise<T>): Promise<T> {
    if (this.#phase !== 'closed') this.#phase = phase
    this.#under++
    const done = this.#ready.then(work).finally(() => {
      this.#under--
      this.#rest()
    })
    this.#ready = done.then(
      () => {},
      () => {},
    )
    return done
  }

  /** Computes for 50 ms at most; undefined where there is more to compute. */
  runSlice<T>(run: Generator<void, T>): { readonly value: T } | undefined {
    const end = this.#clock.monotonic() + SLICE_MS
    for (let step = run.next(); ; step = run.next()) {
      if (step.done) return { value: step.value }
      if (this.#clock.monotonic() >= end) return undefined
    }
  }

  /** Computes to the end after what is under way, giving way to the rest of the process every 50 ms. */
  compute<T>(phase: 'fast-forwarding' | 'catching-up', run: Generator<void, T>): Promise<T> {
    if (this.#under === 0) this.#isComputing = true
    return this.run(phase, () => this.#runInSlices(phase, run))
  }

  close(): void {
    this.#phase = 'closed'
  }

  async #runInSlices<T>(phase: 'fast-forwarding' | 'catching-up', run: Generator<void, T>): Promise<T> {
    this.#isComputing = true
    try {
      for (;;) {
        const done = this.runSlice(run)
        if (done !== undefined) return done.value
        await nextTurn()
        const task = phase === 'catching-up' ? 'catch up' : 'fast-forward'
        if (this.isClosed) run.throw(badRequest(`Failed to ${task}: the simulation was deleted meanwhile.`))
      }
    } finally {
      this.#isComputing = false
    }
  }

  #rest(): void {
    if (this.#phase !== 'closed' && this.#under === 0) this.#phase = 'running'
  }
}
