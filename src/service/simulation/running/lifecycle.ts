import { badRequest } from '../../../protocol/errors.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { nextTurn } from '../../../runtime/timers.ts'
import type { Slices } from '../slices.ts'

/** The activity of a simulation. */
export type Phase = 'queued' | 'running' | 'resetting' | 'fast-forwarding' | 'catching-up' | 'reading' | 'closed'

/** Most processor time of one computation, without its pauses. */
const LONGEST_COMPUTATION_MS = 60_000

const TOO_LONG = `it would take more than ${LONGEST_COMPUTATION_MS / 1_000} s of computing, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan`

/** The activity of one simulation: long computations run one after the other, and requests wait for them. */
export class Lifecycle {
  readonly #clock: Clock
  readonly #slices: Slices
  #phase: Phase = 'queued'
  #under = 0
  #isComputing = false
  /** Running or waiting fast-forwards, each with the reason for ending it, once there is one. */
  readonly #fastForwards = new Set<{ ended?: string }>()
  #ready: Promise<void>

  /** Starts queued, and runs from the next turn of the event loop on. */
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

  /** Whether a computation in slices is unfinished: meanwhile no other code may change the core. */
  get isComputing(): boolean {
    return this.#isComputing
  }

  /** Resolves without activity. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** Runs `work` after current activity; until its end the phase is `phase`. */
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

  /** Catches up in slices, after current activity. Rejects when the simulation is deleted meanwhile. */
  catchUp<T>(run: Generator<unknown, T>): Promise<T> {
    if (this.#under === 0) this.#isComputing = true
    return this.run('catching-up', () => this.#runInSlices(run))
  }

  /** Reads in slices, after current activity: nothing changes meanwhile. */
  read<T>(run: Generator<unknown, T>): Promise<T> {
    return this.run('reading', () => this.#runInSlices(run))
  }

  /**
   * Fast-forwards in slices, after current activity. Rejects, with everything undone, after 60 s of computing, when
   * `endFastForwards` is called or when `left` aborts.
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

  /** Ends running or waiting fast-forwards, and undoes them. @param fact why */
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
