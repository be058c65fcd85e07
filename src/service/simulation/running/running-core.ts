import type { FastForwardResult } from '../../../protocol/simulation.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { nextTurn, WakeTimer } from '../../../runtime/timers.ts'
import type { AnsweredRequest } from '../../simulated-api/answer-request.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { LongRead } from '../../world/long-reads.ts'
import type { CommandInput, CommandKind, CommandResults } from '../core/command.ts'
import type { SimulationCore } from '../core/core.ts'
import type { Delta } from '../core/core-state.ts'
import type { Slices } from '../slices.ts'
import type { HappenedEvent } from './announcements.ts'
import { ChangeReceivers } from './change-receivers.ts'
import { Holds } from './holds.ts'
import { Lifecycle, type Phase } from './lifecycle.ts'
import { RequestReads } from './request-reads.ts'

/** How long commands wait for the plan to catch up. Then they run in between. */
const LONGEST_CATCH_UP_MS = 10_000
/** Number of checkpoints, of 50,000 changes each, after which commands also run in between. */
const MOST_CHECKPOINTS = 20
/** Duration of consecutive runs while commands run in between. */
const LAGGING_SLICE_MS = 10

/** A core in real time: runs due work, long work in slices, and announces changes to webhooks and followers. */
export class RunningCore {
  readonly core: SimulationCore
  readonly #runtime: Runtime
  readonly #slices: Slices
  readonly #lifecycle: Lifecycle
  readonly #timer: WakeTimer
  readonly reads: RequestReads
  readonly receivers: ChangeReceivers
  /** Answers delayed by response rules. */
  readonly holds = new Holds()
  /** Offset of the store's clock from this machine's. */
  clockOffsetMs = 0
  /** Whether a lane runs due work, and announces changes after they are saved. */
  readonly #isStored: boolean
  /** Real time of the last saved command: no other machine may continue with an earlier time. */
  #keptAt = Number.NEGATIVE_INFINITY
  /** Whether the plan cannot keep up with time, so that commands do not wait for it. */
  #isLagging = false
  /** Whether a command may run before the end of a catch-up. */
  #isHurried = false
  /** Whether the latest run of the plan threw: the next command repeats the error, and answers with it. */
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
    this.#lifecycle = new Lifecycle(runtime, slices)
    this.#timer = new WakeTimer(runtime.startTimer)
    this.reads = new RequestReads(core, this.#lifecycle, { runtime, slices, isStored })
    this.receivers = new ChangeReceivers(core, webhooks, { slices, isStored })
  }

  get phase(): Phase {
    return this.#lifecycle.phase
  }

  /** Resolves when commands need not wait. */
  get ready(): Promise<void> {
    return this.#lifecycle.ready
  }

  /** Lag of the plan behind the world's time, in milliseconds; undefined where it keeps up. */
  get lagMs(): number | undefined {
    const isBehind = this.#isLagging || this.#lifecycle.phase === 'catching-up'
    const isStoredBehind = this.#isStored && this.core.timeline.isBehind(this.now())
    return isBehind || isStoredBehind ? Math.max(0, this.core.clock.now(this.now()) - this.core.restsAt) : undefined
  }

  /** Real time, milliseconds: of the store, if there is one. */
  now(): number {
    return Math.max(this.#runtime.clock.now() + this.clockOffsetMs, this.#keptAt)
  }

  /** Whether commands need not wait. Runs due work for one slice; commands wait for the rest. */
  isReady(): boolean {
    if (this.#isStored) return true
    try {
      return this.#lifecycle.phase === 'running' && this.#runDue()
    } catch {
      this.#hasFailed = true
      return true
    }
  }

  /** Runs due work, unless other activity runs. Throws the error of a run of the plan. */
  tick(): void {
    if (!this.#isStored && this.#lifecycle.phase === 'running') this.#runDue()
  }

  /**
   * The path of every command into the core, and of its events out. Remaining due work is left to the next call, which
   * runs it in slices. A request throws a {@link LongRead}, with nothing done, where its {@link RequestReads} have
   * started and it takes long.
   */
  execute<Kind extends CommandKind>(input: CommandInput<Kind>, at = this.now()): CommandResults[Kind] {
    const { kind } = input
    if (this.#lifecycle.isComputing) throw new Error(`Failed to ${kind}: a fast-forward is under way.`)
    const result = this.core.execute({ ...input, at }, !this.#hasFailed)
    this.#hasFailed = false
    this.#announce()
    if (kind !== 'tick') this.#wake()
    return result
  }

  /** {@link execute} for a request. One without changes has nothing to announce. */
  answer(input: CommandInput<'request'>, at = this.now()): AnsweredRequest {
    if (this.#lifecycle.isComputing) throw new Error('Failed to answer a request: a fast-forward is under way.')
    const hasFailed = this.#hasFailed
    const answered = this.core.answer({ ...input, at }, !hasFailed)
    this.#hasFailed = false
    if (hasFailed || answered.changes.length > 0 || answered.advanceTo !== undefined) this.#announce()
    return answered
  }

  /**
   * Runs a read of records. Throws a {@link LongRead}, with nothing done, where it takes so long that it must first
   * continue with `read`.
   */
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

  /** Executes a reset as soon as no other activity runs; at once in a batch of a lane. */
  reset(): void {
    const reset = () => this.#lifecycle.isClosed || this.execute({ kind: 'reset' })
    void (this.#isStored ? reset() : this.#lifecycle.run('resetting', reset))
  }

  /** See `fast-forward` of the core. Ends, with everything undone, when `left` aborts. */
  fastForward(hours: number, left?: AbortSignal): Promise<FastForwardResult> {
    return this.#lifecycle.fastForward(
      (interruption) =>
        this.#announcing((at) => this.core.fastForward({ at, kind: 'fast-forward', hours }, interruption)),
      left,
    )
  }

  /** Runs a rule of the plan now, in slices, after current activity. */
  runRule(ruleId: string): Promise<CommandResults['run-rule']> {
    return this.#lifecycle.catchUp(this.#announcing((at) => this.core.runRule({ at, kind: 'run-rule', ruleId })))
  }

  /** Ends fast-forwards, which are undone, and lets commands run before the end of a catch-up. @param fact why */
  interrupt(fact: string): void {
    this.#lifecycle.endFastForwards(fact)
    this.#isHurried = this.#lifecycle.phase === 'catching-up'
  }

  /** Passes each event to `follower`, until the returned function is called. */
  follow(follower: (event: HappenedEvent) => void): () => void {
    const unfollow = this.receivers.follow(follower)
    this.tick()
    this.#wake()
    return () => {
      unfollow()
      this.#wake()
    }
  }

  /**
   * Catches up before a batch of a lane, with pauses: true when nothing more is due. False after a checkpoint, and
   * where the plan fails: the next command repeats the error.
   */
  *catchUpForBatch(): Generator<undefined, boolean> {
    const at = this.now()
    if (!this.core.timeline.isBehind(at)) return true
    try {
      return yield* this.core.timeline.catchUp(at)
    } catch {
      this.#hasFailed = true
      return true
    }
  }

  noteKept(at: number): void {
    this.#keptAt = at
    this.receivers.announce()
  }

  /** Applies changes of another core or of a store. */
  apply(delta: Delta, at: number): void {
    const { generation, sequence } = this.core.log
    this.core.apply(delta)
    this.#keptAt = at
    this.holds.follow(delta)
    const { log } = this.core
    const known = log.generation === generation ? sequence : 0
    this.receivers.relay(log.latest(log.sequence - known))
  }

  /** Milliseconds until the plan's next run; undefined without one or without receivers of changes. */
  get dueInMs(): number | undefined {
    const dueAt = this.core.timeline.nextDueAt
    const isAwake = this.receivers.areOpen && !this.#lifecycle.isClosed
    return isAwake && dueAt !== undefined ? dueAt - this.core.clock.now(this.now()) : undefined
  }

  close(): void {
    this.#lifecycle.close()
    this.#timer.stop()
    this.receivers.close()
  }

  *#announcing<T>(begin: (at: number) => Generator<undefined, T>): Generator<undefined, T> {
    try {
      return yield* begin(this.now())
    } finally {
      this.#announce()
      this.#wake()
    }
  }

  /** Runs due work for one slice. False where more is due: the rest runs in the background. */
  #runDue(): boolean {
    if (this.#isLagging || !this.core.timeline.isBehind(this.now())) return true
    const run = this.#catchUp()
    if (this.#slices.run(run) !== undefined) return true
    // The next command repeats an error of the plan.
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
      for (let checkpoints = 1; !(yield* this.core.timeline.catchUp(at)); checkpoints++) {
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

  /** Continues catching up between commands. */
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

  /** Runs due work for one slice. Returns whether more is due. */
  *#runSomeDue(): Generator<undefined, boolean> {
    const { clock } = this.#runtime
    const end = clock.monotonic() + LAGGING_SLICE_MS
    const at = this.now()
    try {
      while (this.core.timeline.isBehind(at) && clock.monotonic() < end) yield* this.core.timeline.catchUp(at, 0)
    } finally {
      this.#announce()
    }
    return this.core.timeline.isBehind(this.now())
  }

  #announce(): void {
    if (!this.#isStored) this.receivers.announce()
  }

  /** While changes have receivers, a timer runs due work; otherwise the next access does. */
  #wake(): void {
    const ms = this.#isStored ? undefined : this.dueInMs
    if (ms === undefined) {
      this.#timer.stop()
      return
    }
    this.#timer.wakeIn(ms, () => {
      if (this.isReady() && !this.core.timeline.isBehind(this.now())) this.#wake()
    })
  }
}
