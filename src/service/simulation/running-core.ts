import type { ChangeEvent } from '../../protocol/event.ts'
import type { FastForwardResult } from '../../protocol/simulation.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn, WakeTimer } from '../../runtime/timers.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { CommandKind, CommandOf, CommandResults } from './command.ts'
import type { SimulationCore } from './core.ts'
import { Lifecycle, type Phase, SLICE_MS } from './lifecycle.ts'

/** How long commands wait for a plan that catches up with time. Past it they are let in between. */
const LONGEST_CATCH_UP_MS = 10_000

/**
 * A core in real time: runs what falls due, long work in slices of 50 ms, and announces changes to the webhooks and the
 * listeners.
 */
export class RunningCore {
  readonly core: SimulationCore
  readonly #runtime: Runtime
  readonly #webhooks: Webhooks
  readonly #lifecycle: Lifecycle
  readonly #timer: WakeTimer
  readonly #listeners = new Set<(event: ChangeEvent) => void>()
  /** Whether the plan cannot keep up with time, so that commands no longer wait for it. */
  #isLagging = false

  constructor(core: SimulationCore, runtime: Runtime, webhooks: Webhooks) {
    this.core = core
    this.#runtime = runtime
    this.#webhooks = webhooks
    this.#lifecycle = new Lifecycle(runtime.clock)
    this.#timer = new WakeTimer(runtime.startTimer)
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
    return this.#isLagging ? this.core.now(this.now()) - this.core.restsAt : undefined
  }

  /** Real time, milliseconds. */
  now(): number {
    return this.#runtime.clock.now()
  }

  /** Whether commands need not wait. Runs what fell due since the last look for 50 ms; they wait for the rest of it. */
  isReady(): boolean {
    try {
      return this.#lifecycle.phase === 'running' && this.#runDue()
    } catch {
      return true // The next command meets the same error, and answers with it.
    }
  }

  /** Runs what fell due since the last look, as far as nothing else is under way. Throws what a run of the plan throws. */
  tick(): void {
    if (this.#lifecycle.phase === 'running') this.#runDue()
  }

  /** The way of every command into the core, and of its events out. */
  execute<Kind extends CommandKind>(command: CommandOf<Kind>): CommandResults[Kind] {
    if (this.#lifecycle.isComputing) throw new Error(`Failed to ${command.kind}: a fast-forward is under way.`)
    const result = this.core.execute(this.#isLagging ? { ...command, leavesDue: true } : command)
    this.#announce()
    if (command.kind !== 'request' && command.kind !== 'tick') this.#wake()
    return result
  }

  /** Executes a reset as soon as nothing else is under way. */
  reset(): Promise<void> {
    return this.#lifecycle.run('resetting', () => {
      if (this.#lifecycle.isClosed) return
      this.execute({ at: this.now(), kind: 'reset' })
      this.#webhooks.dropWaiting()
    })
  }

  /** See `fast-forward` of the core. */
  fastForward(hours: number): Promise<FastForwardResult> {
    return this.#lifecycle.compute('fast-forwarding', this.#fastForward(hours))
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener)
    this.core.hasListeners = true
    this.tick()
    this.#wake()
    return () => {
      this.#listeners.delete(listener)
      this.core.hasListeners = this.#listeners.size > 0
      this.#wake()
    }
  }

  close(): void {
    this.#lifecycle.close()
    this.#timer.stop()
    this.#listeners.clear()
  }

  *#fastForward(hours: number): Generator<void, FastForwardResult> {
    try {
      return yield* this.core.fastForward({ at: this.now(), kind: 'fast-forward', hours })
    } finally {
      this.#announce()
      this.#wake()
    }
  }

  /** Runs what fell due for 50 ms. False where more is due: the rest runs in the background. */
  #runDue(): boolean {
    if (this.#isLagging || !this.core.isBehind(this.now())) return true
    const run = this.#catchUp()
    if (this.#lifecycle.runSlice(run) !== undefined) return true
    // An error of the plan is thrown again by the next command, which answers with it.
    void this.#lifecycle.compute('catching-up', run).catch(() => {})
    return false
  }

  *#catchUp(): Generator<void> {
    const { clock } = this.#runtime
    const startedAt = clock.monotonic()
    const at = this.now()
    try {
      while (!(yield* this.core.catchUp(at))) {
        this.#announce()
        if (clock.monotonic() - startedAt < LONGEST_CATCH_UP_MS) continue
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
      if (this.#lifecycle.phase === 'running') this.#isLagging = this.#runSomeDue()
    }
    this.#wake()
  }

  /** Runs what is due, run by run, for 50 ms. Returns whether more is due. */
  #runSomeDue(): boolean {
    const { clock } = this.#runtime
    const end = clock.monotonic() + SLICE_MS
    try {
      const at = this.now()
      while (this.core.isBehind(at) && clock.monotonic() < end) this.core.runNextDue(at)
    } catch {
      return false
    }
    this.#announce()
    return this.core.isBehind(this.now())
  }

  /** Announces what has changed since the last call; an event that has no taker is never composed. */
  #announce(): void {
    for (const logged of this.core.takeFresh()) {
      const isWanted = this.#webhooks.wants(this.core.typeOf(logged))
      if (!isWanted && this.#listeners.size === 0) continue
      const { cause, ...event } = this.core.toEvent(logged)
      if (isWanted) this.#webhooks.enqueue(event)
      for (const listener of this.#listeners) listener({ ...event, cause })
    }
    this.#webhooks.update(this.core.webhooks)
  }

  /** While changes have takers, a timer runs what falls due; otherwise the next look at the simulation does. */
  #wake(): void {
    const dueAt = this.core.nextDueAt
    const isAwake = (this.#listeners.size > 0 || this.core.webhooks.count > 0) && !this.#lifecycle.isClosed
    if (!isAwake || dueAt === undefined) {
      this.#timer.stop()
      return
    }
    this.#timer.wakeIn(dueAt - this.core.now(this.now()), () => {
      if (this.isReady() && !this.core.isBehind(this.now())) this.#wake()
    })
  }
}
