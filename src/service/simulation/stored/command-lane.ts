import { type ApiError, badRequest } from '../../../protocol/errors.ts'
import type { FastForwardResult } from '../../../protocol/simulation.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { WakeTimer } from '../../../runtime/timers.ts'
import { type Appended, StoreFull } from '../../store/store.ts'
import { busy, deleted, SimulationFull, storeFull, toAnswer } from '../running/command-lane-errors.ts'
import type { RunningCore } from '../running/running-core.ts'
import type { Slices } from '../slices.ts'
import type { HeadLook, StoredCore } from './stored-core.ts'

/** Most commands in one batch. */
const MOST_IN_BATCH = 64
const MOST_WAITING = 1_000
/** How long a command waits to start while the lane is busy, or another node holds the simulation. */
const LONGEST_WAIT_MS = 2_000
/** How long a command waits for the plan to catch up; then commands run after each 50,000 changes. */
const LONGEST_CATCH_UP_MS = 10_000
/** How long a batch is repeated because another node was first. */
const PATIENCE_MS = 10_000
const HELD_PAUSE_MS = 100
const HOLD_MS = 5_000
/** Interval at which a running fast-forward renews its hold, and refuses commands that wait too long. */
const RENEW_HOLD_MS = 1_000
/** Interval of checking for other nodes' changes, while clients read events or wait for delayed answers. */
const FOLLOW_MS = 250

/**
 * All commands of one stored simulation on this node, in consecutive batches. The changes of a batch are saved before
 * its answers are sent; where another node was first, the batch is undone and repeated on that node's changes.
 */
export class CommandLane {
  readonly #running: RunningCore
  readonly #stored: StoredCore
  readonly #runtime: Runtime
  readonly #slices: Slices
  readonly #timer: WakeTimer
  #waiting: Asked[] = []
  #isRunning = false
  /** The fast-forward that is taken from those, until it runs. */
  #starting: Asked['fastForward']
  /** The error for all commands after the lane is closed. */
  #refusal: ApiError | undefined
  #behindSince: number | undefined

  constructor(running: RunningCore, stored: StoredCore, { runtime, slices }: { runtime: Runtime; slices: Slices }) {
    this.#running = running
    this.#stored = stored
    this.#runtime = runtime
    this.#slices = slices
    this.#timer = new WakeTimer(runtime.startTimer)
    this.#wake()
  }

  /** Number of commands that wait for a batch. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether any command has no answer yet. */
  get isBusy(): boolean {
    return this.#isRunning
  }

  /** Whether the simulation was closed here, or deleted elsewhere. */
  get isClosed(): boolean {
    return this.#refusal !== undefined
  }

  /**
   * Runs `work` in a batch, again after an undo; resolves with its result when the changes are saved. Rejects with 503
   * `unavailable` when it cannot start in 2 s or the store does not answer, with 507 where the store is full.
   *
   * @param isRead whether it will hardly change anything: then the head is asked for while it runs
   */
  run<T>(work: () => T, isRead = false): Promise<T> {
    return this.#add({ work, isRead }) as Promise<T>
  }

  /** Fast-forwards in its own batch. Ends, with everything undone, when `left` aborts. */
  fastForward(hours: number, left: AbortSignal | undefined): Promise<FastForwardResult> {
    const work = () => this.#running.fastForward(hours, left)
    return this.#add({ work, fastForward: {} }) as Promise<FastForwardResult>
  }

  /** Ends running or waiting fast-forwards. @param fact why */
  interrupt(fact: string): void {
    this.#running.interrupt(fact)
    const unstarted = [this.#starting, ...this.#waiting.map(({ fastForward }) => fastForward)]
    for (const fastForward of unstarted) if (fastForward) fastForward.ended ??= fact
  }

  /** Refuses waiting and later commands. */
  close(refusal: ApiError = busy('closing')): void {
    this.#refusal ??= refusal
    this.#timer.stop()
    for (const { reject } of this.#waiting.splice(0)) reject(this.#refusal)
  }

  #add(asked: Pick<Asked, 'work' | 'isRead' | 'fastForward'>): Promise<unknown> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(busy('too many requests wait'))
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ ...asked, resolve, reject, since: this.#runtime.clock.monotonic() })
    if (!this.#isRunning) {
      this.#isRunning = true
      queueMicrotask(() => void this.#runAll())
    }
    return promise
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#runNext()
    this.#isRunning = false
    this.#wake()
  }

  async #runNext(): Promise<void> {
    const [first] = this.#waiting
    const batch: Asked[] = []
    try {
      if (first?.fastForward !== undefined) await this.#runFastForward(batch, first.fastForward)
      else await this.#runBatch(batch)
    } catch (error) {
      const shown = toAnswer(error)
      for (const { reject } of batch) reject(shown)
      if (batch.length === 0) for (const { reject } of this.#waiting.splice(0)) reject(shown)
      this.#refuseLate(PATIENCE_MS, 'its store gives no answer')
    }
  }

  async #runBatch(batch: Asked[]): Promise<void> {
    const { core } = this.#running
    core.begin()
    let results: BatchResult[]
    let look: HeadLook | undefined
    try {
      const isCaughtUp = !core.timeline.isBehind(this.#running.now()) || (await this.#catchUp())
      if (isCaughtUp) this.#behindSince = undefined
      else this.#behindSince ??= this.#runtime.clock.monotonic()
      if (isCaughtUp || this.#isPast(this.#behindSince, LONGEST_CATCH_UP_MS)) batch.push(...this.#takeBatch())
      if (batch.length > 0 && batch.every(({ isRead }) => isRead)) look = this.#stored.look()
      // The question is sent before the reads keep this thread, and answered meanwhile.
      if (look !== undefined) await Promise.resolve()
      results = batch.map(({ work }) => resultOf(work))
    } catch (error) {
      core.undo()
      throw error
    }
    await this.#finish(batch, results, { look })
  }

  /** Saves the changes of a batch and passes on its results; or repeats or refuses it. */
  async #finish(
    batch: Asked[],
    results: BatchResult[],
    { look, hold = null, isAlone = hold !== null }: Finishing,
  ): Promise<void> {
    const { core } = this.#running
    let outcome: Appended | 'full' | 'too large'
    try {
      outcome = await this.#keep(hold, look)
    } catch (error) {
      core.undo()
      if (error instanceof StoreFull) outcome = 'full'
      else if (error instanceof SimulationFull && !isAlone) outcome = 'too large'
      else throw error
    }
    if (outcome === 'kept') tell(batch, results)
    else if (outcome === 'full' && hold === null) this.#refuseChanges(batch.length > 0 ? batch : this.#takeBatch())
    else if (outcome === 'full') throw storeFull()
    else if (outcome === 'too large') await this.#doEach(batch.length > 0 ? batch : this.#takeBatch())
    else if (hold === null || outcome === 'gone') await this.#again(batch, outcome)
    else throw busy('another node has changed it meanwhile')
  }

  /** Ends the open journal if its changes could be saved. */
  async #keep(hold: string | null, look: HeadLook | undefined): Promise<Appended> {
    const { core } = this.#running
    const delta = core.draft()
    if (delta === undefined) {
      if (!(await this.#stored.isCurrent(look))) {
        core.undo()
        return 'behind'
      }
      core.keep()
      return 'kept'
    }
    const result = await this.#stored.commit(delta, hold)
    if (result !== 'kept') core.undo()
    return result
  }

  async #again(asked: readonly Asked[], outcome: Appended): Promise<void> {
    // A held simulation still has the batch's initial head.
    const batch = outcome === 'held' ? this.#answerReads(asked) : asked
    if (outcome === 'held') await this.#runtime.sleep(HELD_PAUSE_MS)
    if (outcome === 'gone' || !(await this.#stored.refresh())) {
      for (const { reject } of batch) reject(deleted())
      this.close(deleted())
      return
    }
    const mostMs = outcome === 'held' ? LONGEST_WAIT_MS : PATIENCE_MS
    this.#waiting.unshift(...batch)
    this.#refuseLate(mostMs, outcome === 'held' ? 'fast-forwarding on another node' : 'changed by other nodes')
  }

  /** In a full simulation, commands that do not enlarge it still run. Due runs of its plan wait. */
  async #doEach(batch: readonly Asked[]): Promise<void> {
    for (const asked of batch) {
      this.#running.core.begin()
      await this.#finish([asked], [resultOf(asked.work)], { isAlone: true }).catch((error) =>
        asked.reject(toAnswer(error)),
      )
    }
  }

  /** In a full store, commands without changes are still answered. */
  #refuseChanges(batch: readonly Asked[]): void {
    for (const { reject } of this.#answerReads(batch)) reject(storeFull())
  }

  /** Answers commands without changes. Returns the others, with nothing done. */
  #answerReads(batch: readonly Asked[]): Asked[] {
    const { core } = this.#running
    return batch.filter((asked) => {
      if (asked.fastForward !== undefined) return true
      core.begin()
      const result = resultOf(asked.work)
      const isRead = core.draft() === undefined
      if (isRead) core.keep()
      else core.undo()
      if (isRead) tell([asked], [result])
      return !isRead
    })
  }

  async #runFastForward(batch: Asked[], state: NonNullable<Asked['fastForward']>): Promise<void> {
    const asked = this.#waiting.shift() as Asked
    batch.push(asked)
    if (state.ended !== undefined) throw refuseFastForward(state.ended)
    const hold = this.#runtime.uuid()
    this.#starting = state
    const held = await this.#stored.hold(hold, HOLD_MS).finally(() => {
      this.#starting = undefined
    })
    if (held !== 'kept') return this.#again(batch, held)
    const renewing = new AbortController()
    const renewed = this.#renew(hold, renewing.signal)
    const { core } = this.#running
    core.begin()
    const { ended } = state
    const result = ended === undefined ? await resultOfPromise(asked.work) : { error: refuseFastForward(ended) }
    renewing.abort()
    await renewed
    // There is nothing to commit, which would end the hold.
    if (core.draft() === undefined) await this.#stored.hold(hold, 0).catch(() => {})
    await this.#finish(batch, [result], { hold })
  }

  async #renew(hold: string, done: AbortSignal): Promise<void> {
    for (;;) {
      const isDone = await this.#runtime.sleep(RENEW_HOLD_MS, done).then(
        () => done.aborted,
        () => true,
      )
      // Commands that have waited too long are the next: it is not the time to refuse them.
      if (isDone) return
      // A hold that could not be renewed expires, and the append is refused.
      await this.#stored.hold(hold, HOLD_MS).catch(() => {})
      this.#refuseLate(LONGEST_WAIT_MS, 'fast-forwarding')
    }
  }

  /** False where more is due. */
  async #catchUp(): Promise<boolean> {
    const run = this.#running.catchUpForBatch()
    for (;;) {
      const done = this.#slices.run(run)
      if (done !== undefined) return done.value
      this.#refuseLate(LONGEST_WAIT_MS, 'catching-up')
      await this.#slices.next()
    }
  }

  /** Commands up to the next fast-forward. */
  #takeBatch(): Asked[] {
    const end = this.#waiting.findIndex(({ fastForward }) => fastForward !== undefined)
    return this.#waiting.splice(0, Math.min(end === -1 ? MOST_IN_BATCH : end, MOST_IN_BATCH))
  }

  /** Refuses commands that have waited too long. */
  #refuseLate(mostMs: number, fact: string): void {
    const late = this.#waiting.filter(({ since }) => this.#isPast(since, mostMs))
    if (late.length === 0) return
    this.#waiting = this.#waiting.filter((asked) => !late.includes(asked))
    for (const { reject } of late) reject(busy(fact))
  }

  #isPast(since: number | undefined, ms: number): boolean {
    return since !== undefined && this.#runtime.clock.monotonic() - since >= ms
  }

  /** While changes have receivers, a timer runs the plan and finds other nodes' changes; otherwise the next access does. */
  #wake(): void {
    const dueMs = this.#running.dueInMs ?? Number.POSITIVE_INFINITY
    const { receivers, holds } = this.#running
    const isFollowing = this.#stored.isShared && (receivers.hasFollowers || holds.areWaiting)
    const ms = Math.min(dueMs, isFollowing ? FOLLOW_MS : Number.POSITIVE_INFINITY)
    if (this.isClosed || ms === Number.POSITIVE_INFINITY) this.#timer.stop()
    else this.#timer.wakeIn(ms, () => void this.run(() => {}).catch(() => {}))
  }
}

/** Result of work in a batch, passed on when the batch is saved. */
type BatchResult = { readonly value: unknown } | { readonly error: unknown }

/** A command of a batch, with its caller. */
interface Asked {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly since: number
  /** Whether it will hardly change anything. */
  readonly isRead?: boolean
  /** A fast-forward, which has its own batch. */
  readonly fastForward?: { ended?: string }
}

/** How a batch is saved. */
interface Finishing {
  /** For reads: the head as it was asked for before they ran. */
  readonly look?: HeadLook | undefined
  readonly hold?: string | null
  /** Whether it has one command only. */
  readonly isAlone?: boolean
}

const refuseFastForward = (fact: string): ApiError =>
  badRequest(`Failed to fast-forward: ${fact}, so nothing was changed.`)

/** Runs synchronous work. */
function resultOf(work: () => unknown): BatchResult {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** Runs asynchronous work. */
const resultOfPromise = (work: () => unknown): Promise<BatchResult> =>
  Promise.resolve()
    .then(work)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )

/** Passes the results of a batch to its callers. */
function tell(batch: readonly Asked[], results: readonly BatchResult[]): void {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const result = results[at] as BatchResult
    if ('value' in result) resolve(result.value)
    else reject(result.error)
  }
}
