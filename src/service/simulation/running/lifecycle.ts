import { badRequest } from '../../../protocol/errors.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { nextTurn } from '../../../runtime/timers.ts'
import type { Interruption } from '../core/command.ts'
import type { Slices } from '../slices.ts'

/** The activity of a simulation. */
export type Phase = 'queued' | 'running' | 'resetting' | 'fast-forwarding' | 'catching-up' | 'reading' | 'closed'

/** Most processor time of one computation, without its pauses. */
const LONGEST_COMPUTATION_MS = 60_000

const TOO_LONG = `it would take more than ${LONGEST_COMPUTATION_MS / 1_000} s of computing, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan`

/** The activity of one simulation: long computations run one after the other, and requests wait for them. */
export class Lifecycle {
  readonly #computedMs: Runtime['computedMs']
  readonly #slices: Slices
  #phase: Phase = 'queued'
  #under = 0
  #isComputing = false
  /** Of running and waiting fast-forwards. */
  readonly #interruptions = new Set<Interruption>()
  #ready: Promise<void>

  /** Starts queued, and runs from the next turn of the event loop on. */
  constructor({ computedMs }: Pick<Runtime, 'computedMs'>, slices: Slices) {
    this.#computedMs = computedMs
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
   * `endFastForwards` is called, when `left` aborts and when the simulation is deleted.
   */
  async fastForward<T>(begin: (interruption: Interruption) => Generator<unknown, T>, left?: AbortSignal): Promise<T> {
    const interruption: Interruption = {}
    const leave = () => {
      interruption.fact ??= 'its caller has left'
    }
    this.#interruptions.add(interruption)
    left?.addEventListener('abort', leave)
    try {
      return await this.run('fast-forwarding', () => this.#runInSlices(begin(interruption), interruption))
    } finally {
      this.#interruptions.delete(interruption)
      left?.removeEventListener('abort', leave)
    }
  }

  /** Ends running or waiting fast-forwards, and undoes them. @param fact why */
  endFastForwards(fact: string): void {
    for (const interruption of this.#interruptions) interruption.fact ??= `${fact}, so nothing was changed`
  }

  close(): void {
    this.#phase = 'closed'
  }

  /** An interrupted computation continues until it has undone its changes; without `interruption` it is left as it is. */
  async #runInSlices<T>(run: Generator<unknown, T>, interruption?: Interruption): Promise<T> {
    this.#isComputing = true
    let takenMs = 0
    try {
      for (;;) {
        await this.#slices.next()
        if (interruption === undefined && this.isClosed) {
          throw badRequest('The simulation was deleted before this was done.')
        }
        if (interruption !== undefined && this.isClosed) interruption.fact ??= 'the simulation was deleted meanwhile'
        if (interruption !== undefined && takenMs > LONGEST_COMPUTATION_MS) interruption.fact ??= TOO_LONG
        const startedAt = this.#computedMs()
        const done = this.#slices.run(run)
        if (done !== undefined) return done.value
        takenMs += this.#computedMs() - startedAt
      }
    } finally {
      this.#isComputing = false
    }
  }

  #rest(): void {
    if (this.#phase !== 'closed' && this.#under === 0) this.#phase = 'running'
  }
}
