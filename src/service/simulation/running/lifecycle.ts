import { badRequest } from '../../../protocol/errors.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { nextTurn } from '../../../runtime/timers.ts'
import type { Slices } from './slices.ts'

/** What a simulation is busy with. */
export type Phase = 'queued' | 'running' | 'resetting' | 'fast-forwarding' | 'catching-up' | 'reading' | 'closed'

/** How long one computation may take, the pauses in it left out. */
const LONGEST_COMPUTATION_MS = 60_000

const TOO_LONG = `it would take more than ${LONGEST_COMPUTATION_MS / 1_000} s of computing, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan`

/** What is under way in one simulation: long work runs one after the other, and requests wait for it. */
export class Lifecycle {
  readonly #clock: Clock
  readonly #slices: Slices
  #phase: Phase = 'queued'
  #under = 0
  #isComputing = false
  /** Fast-forwards that are under way or wait, each with the reason to end it, once there is one. */
  readonly #fastForwards = new Set<{ ended?: string }>()
  #ready: Promise<void>

  /** Begins queued, and runs from the next turn of the event loop on. */
  constructor(clock: Clock, slices: Slices) {
    this.#clock = clock
    this.#slices = slices
    this.#ready = nextTurn().then(() => this.#rest())
  }

  get phase(): Phase {
    return this.#phase
  }

  get isClosed(): boolean {
    return this.#phase === 'closed'
  }

  /** Whether a computation in slices is between its beginning and its end: nothing else may change the core then. */
  get isComputing(): boolean {
    return this.#isComputing
  }

  /** Resolves when nothing is under way. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** Runs `work` after what is under way; until it is done the phase is `phase`. */
  run<T>(phase: 'resetting' | 'fast-forwarding' | 'catching-up' | 'reading', work: () => T | Promise<T>): Promise<T> {
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

  /** Catches up to the end, in slices, after what is under way. Rejects where the simulation is deleted meanwhile. */
  catchUp<T>(run: Generator<unknown, T>): Promise<T> {
    if (this.#under === 0) this.#isComputing = true
    return this.run('catching-up', () => this.#runInSlices(run))
  }

  /** Reads to the end, in slices, after what is under way: nothing is changed meanwhile. */
  read<T>(run: Generator<unknown, T>): Promise<T> {
    return this.run('reading', () => this.#runInSlices(run))
  }

  /**
   * Fast-forwards to the end, in slices, after what is under way. Rejects, with everything undone, where that takes more
   * than 60 s of computing, where `endFastForwards` is called or `left` aborts.
   */
  async fastForward<T>(run: Generator<unknown, T>, left?: AbortSignal): Promise<T> {
    const state: { ended?: string } = {}
    const leave = () => {
      state.ended ??= 'its caller has left'
    }
    this.#fastForwards.add(state)
    left?.addEventListener('abort', leave)
    try {
      return await this.run('fast-forwarding', () => this.#runInSlices(run, state))
    } finally {
      this.#fastForwards.delete(state)
      left?.removeEventListener('abort', leave)
    }
  }

  /** Ends the fast-forwards that are under way or wait, and has what they did undone. @param fact why */
  endFastForwards(fact: string): void {
    for (const state of this.#fastForwards) state.ended ??= `${fact}, so nothing was changed`
  }

  close(): void {
    this.#phase = 'closed'
  }

  async #runInSlices<T>(run: Generator<unknown, T>, fastForward?: { readonly ended?: string }): Promise<T> {
    this.#isComputing = true
    let isEnded = false
    let computedMs = 0
    try {
      for (;;) {
        await this.#slices.next()
        if (this.isClosed) throw badRequest('The simulation was deleted before this was done.')
        const startedAt = this.#clock.monotonic()
        const fact = fastForward?.ended ?? (computedMs > LONGEST_COMPUTATION_MS ? TOO_LONG : undefined)
        if (fastForward !== undefined && fact !== undefined && !isEnded) {
          isEnded = true
          run.throw(badRequest(`Failed to fast-forward: ${fact}.`))
        }
        const done = this.#slices.run(run)
        if (done !== undefined) return done.value
        computedMs += this.#clock.monotonic() - startedAt
      }
    } finally {
      this.#isComputing = false
    }
  }

  #rest(): void {
    if (this.#phase !== 'closed' && this.#under === 0) this.#phase = 'running'
  }
}
