import type { FastForwardResult } from '../../../protocol/simulation.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { nextTurn, WakeTimer } from '../../../runtime/timers.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { LongRead } from '../../world/long-reads.ts'
import type { CommandInput, CommandKind, CommandResults } from '../core/command.ts'
import type { SimulationCore } from '../core/core.ts'
import type { Delta } from '../core/core-state.ts'
import type { HappenedEvent, Taker } from './announcements.ts'
import { endsHolds, Holds } from './holds.ts'
import { Lifecycle, type Phase } from './lifecycle.ts'
import { Outlets } from './outlets.ts'
import { RequestReads } from './request-reads.ts'
import type { Slices } from './slices.ts'

/** How long commands wait for a plan that catches up with time. Past it they are let in between. */
const LONGEST_CATCH_UP_MS = 10_000
/** Checkpoints, of 50,000 changes each, after which commands are let in too. */
const MOST_CHECKPOINTS = 20
/** How long runs are made one after the other where commands are let in between. */
const LAGGING_SLICE_MS = 10

/**
 * A core in real time: runs what falls due, long work in slices, and announces changes to the webhooks and to those who
 * follow.
 */
export class RunningCore {
  readonly core: SimulationCore
  readonly #runtime: Runtime
  readonly #slices: Slices
  readonly #lifecycle: Lifecycle
  readonly #timer: WakeTimer
  readonly reads: RequestReads
  readonly outlets: Outlets
  /** Answers that response rules hold back. */
  readonly holds = new Holds()
  /** Distance of the store's clock to this machine's. */
  clockOffsetMs = 0
  /** Whether a lane runs what falls due, and announces changes when they are kept. */
  readonly #isStored: boolean
  /** Real time of the last command that a store has kept: time goes back on no machine that goes on from there. */
  #keptAt = Number.NEGATIVE_INFINITY
  /** Whether the plan cannot keep up with time, so that commands no longer wait for it. */
  #isLagging = false
  /** Whether a command was let in before a catch-up is done. */
  #isHurried = false
  /** Whether the latest run of the plan has thrown: the next command meets the same error, and answers with it. */
  #hasFailed = false

  constructor(
    core: SimulationCore,
    webhooks: Webhooks,
    { runtime, slices, isStored = false }: { runtime: Runtime; slices: Slices; isStored?: boolean | undefined },
  ) {
    this.core = core
    this.#runtime = runtime
    this.#slices = slices
    this.#isStored = isStored
    this.#lifecycle = new Lifecycle(runtime.clock, slices)
    this.#timer = new WakeTimer(runtime.startTimer)
    this.reads = new RequestReads(core, this.#lifecycle, { runtime, slices, isStored })
    this.outlets = new Outlets(core, webhooks, { slices, isStored })
  }

  get phase(): Phase {
    return this.#lifecycle.phase
  }

  /** Resolves when nothing is under way that commands have to wait for. */
  get ready(): Promise<void> {
    return this.#lifecycle.ready
  }

  /** How far the plan is behind the world's time, in milliseconds; undefined where it keeps up. */
  get lagMs(): number | undefined {
    const isBehind = this.#isLagging || this.#lifecycle.phase === 'catching-up'
    const isStoredBehind = this.#isStored && this.core.living.isBehind(this.now())
    return isBehind || isStoredBehind ? Math.max(0, this.core.clock.now(this.now()) - this.core.restsAt) : undefined
  }

  /** Real time, milliseconds: that of the store where there is one. */
  now(): number {
    return Math.max(this.#runtime.clock.now() + this.clockOffsetMs, this.#keptAt)
  }

  /** Whether commands need not wait. Runs what fell due since the last look for a slice; they wait for the rest of it. */
  isReady(): boolean {
    if (this.#isStored) return true
    try {
      return this.#lifecycle.phase === 'running' && this.#runDue()
    } catch {
      this.#hasFailed = true
      return true
    }
  }

  /** Runs what fell due since the last look, as far as nothing else is under way. Throws what a run of the plan throws. */
  tick(): void {
    if (!this.#isStored && this.#lifecycle.phase === 'running') this.#runDue()
  }

  /**
   * The way of every command into the core, and of its events out. What fell due since the last look is left to the next, which makes it in
   * slices. A request throws a {@link LongRead}, with nothing done, where its {@link RequestReads} have begun and it takes long.
   */
  execute<Kind extends CommandKind>(input: CommandInput<Kind>, at = this.now()): CommandResults[Kind] {
    const { kind } = input
    if (this.#lifecycle.isComputing) throw new Error(`Failed to ${kind}: a fast-forward is under way.`)
    const result = this.core.execute({ ...input, at }, !this.#hasFailed)
    this.#hasFailed = false
    this.#announce()
    if (kind !== 'request' && kind !== 'tick') this.#wake()
    return result
  }

  /** Does what reads records. Throws a {@link LongRead}, with nothing done, where that takes so long that it has to go on with `read` first. */
  read<T>(work: () => T, read?: LongRead): T {
    this.reads.begin(read)
    let isDone = false
    try {
      const result = work()
      isDone = true
      return result
    } finally {
      this.reads.end(isDone)
    }
  }

  /** Executes a reset as soon as nothing else is under way; at once in a batch of a lane. */
  reset(): void {
    const reset = () => this.#lifecycle.isClosed || this.execute({ kind: 'reset' })
    void (this.#isStored ? reset() : this.#lifecycle.run('resetting', reset))
  }

  /** See `fast-forward` of the core. Ends, with everything undone, where `left` aborts. */
  fastForward(hours: number, left?: AbortSignal): Promise<FastForwardResult> {
    const run = this.#told((at) => this.core.fastForward({ at, kind: 'fast-forward', hours }))
    return this.#lifecycle.fastForward(run, left)
  }

  /** Runs a rule of the plan out of turn, in slices, after what is under way. */
  runRule(ruleId: string): Promise<CommandResults['run-rule']> {
    return this.#lifecycle.catchUp(this.#told((at) => this.core.runRule({ at, kind: 'run-rule', ruleId })))
  }

  /** Ends fast-forwards, which are undone, and lets commands in before a catch-up is done. @param fact why */
  interrupt(fact: string): void {
    this.#lifecycle.endFastForwards(fact)
    this.#isHurried = this.#lifecycle.phase === 'catching-up'
  }

  /** Hands each event to `follower` as it happens, until the returned function is called. */
  follow(follower: Taker<HappenedEvent>): () => void {
    const unfollow = this.outlets.follow(follower)
    this.tick()
    this.#wake()
    return () => {
      unfollow()
      this.#wake()
    }
  }

  /**
   * Catches up before a batch of a lane, in a generator that can be paused: true when nothing more is due. False after a
   * checkpoint, and where the plan fails: the next command meets the same error.
   */
  *catchUpForBatch(): Generator<undefined, boolean> {
    const at = this.now()
    if (!this.core.living.isBehind(at)) return true
    try {
      return yield* this.core.living.catchUp(at)
    } catch {
      this.#hasFailed = true
      return true
    }
  }

  noteKept(at: number): void {
    this.#keptAt = at
    this.outlets.announce()
  }

  /** Takes over what another core has changed, or what a store has kept. */
  apply(delta: Delta, at: number): void {
    const { generation, sequence } = this.core.log
    this.core.apply(delta)
    this.#keptAt = at
    if (endsHolds(delta)) this.holds.release()
    const { log } = this.core
    const known = log.generation === generation ? sequence : 0
    this.outlets.relay(log.latest(log.sequence - known))
  }

  /** How long until the plan's next run, in milliseconds; undefined where there is none or changes have no takers. */
  get dueInMs(): number | undefined {
    const dueAt = this.core.living.nextDueAt
    const isAwake = this.outlets.areOpen && !this.#lifecycle.isClosed
    return isAwake && dueAt !== undefined ? dueAt - this.core.clock.now(this.now()) : undefined
  }

  close(): void {
    this.#lifecycle.close()
    this.#timer.stop()
    this.outlets.close()
  }

  *#told<T>(begin: (at: number) => Generator<undefined, T>): Generator<undefined, T> {
    try {
      return yield* begin(this.now())
    } finally {
      this.#announce()
      this.#wake()
    }
  }

  /** Runs what fell due for a slice. False where more is due: the rest runs in the background. */
  #runDue(): boolean {
    if (this.#isLagging || !this.core.living.isBehind(this.now())) return true
    const run = this.#catchUp()
    if (this.#slices.run(run) !== undefined) return true
    // The next command meets an error of the plan again.
    this.#lifecycle.catchUp(run).catch(() => {
      this.#hasFailed = true
    })
    return false
  }

  *#catchUp(): Generator<undefined, void> {
    const { clock } = this.#runtime
    const startedAt = clock.monotonic()
    const at = this.now()
    this.#isHurried = false
    try {
      for (let checkpoints = 1; !(yield* this.core.living.catchUp(at)); checkpoints++) {
        this.#announce()
        const isLong = checkpoints >= MOST_CHECKPOINTS || clock.monotonic() - startedAt >= LONGEST_CATCH_UP_MS
        if (!isLong && !this.#isHurried) continue
        void this.#lag()
        return
      }
    } finally {
      this.#announce()
    }
    this.#wake()
  }

  /** Goes on catching up between commands. */
  async #lag(): Promise<void> {
    this.#isLagging = true
    while (this.#isLagging) {
      await nextTurn()
      await this.#lifecycle.ready
      if (this.#lifecycle.isClosed) return
      if (this.#lifecycle.phase !== 'running') continue
      this.#isLagging = await this.#lifecycle.catchUp(this.#runSomeDue()).catch(() => false)
    }
    this.#wake()
  }

  /** Runs what is due, run by run, for a slice. Returns whether more is due. */
  *#runSomeDue(): Generator<undefined, boolean> {
    const { clock } = this.#runtime
    const end = clock.monotonic() + LAGGING_SLICE_MS
    const at = this.now()
    try {
      while (this.core.living.isBehind(at) && clock.monotonic() < end) yield* this.core.living.catchUp(at, 0)
    } finally {
      this.#announce()
    }
    return this.core.living.isBehind(this.now())
  }

  #announce(): void {
    if (!this.#isStored) this.outlets.announce()
  }

  /** While changes have takers, a timer runs what falls due; otherwise the next look at the simulation does. */
  #wake(): void {
    const ms = this.#isStored ? undefined : this.dueInMs
    if (ms === undefined) {
      this.#timer.stop()
      return
    }
    this.#timer.wakeIn(ms, () => {
      if (this.isReady() && !this.core.living.isBehind(this.now())) this.#wake()
    })
  }
}
