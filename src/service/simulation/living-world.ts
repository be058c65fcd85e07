import type { BehaviourPlan } from '../../protocol/behaviour.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ChangeCause } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn } from '../../runtime/timers.ts'
import { PlanRunner, type PlanState } from '../behaviour/plan-runner.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Driver } from '../schedule/driver.ts'
import { Schedule } from '../schedule/schedule.ts'
import { WorldClock } from '../schedule/world-clock.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Change } from '../world/change.ts'
import { World, type WorldOverlay } from '../world/world.ts'
import { ChangeFeed } from './change-feed.ts'
import type { EventLogState } from './event-log.ts'

/** How long a fast-forward computes before it lets other simulations have a turn. */
const SLICE_MS = 50

/** Everything that time and requests change in the data, to be put back later. */
export interface LivingState {
  readonly world: WorldOverlay
  readonly now: number
  readonly plan: PlanState
  readonly events: EventLogState
}

interface LivingWorldOptions {
  readonly model: ApiModel
  readonly dataset: Dataset
  readonly seed: string
  /** World time at creation, milliseconds. */
  readonly epoch: number
  readonly runtime: Runtime
  readonly webhooks: Webhooks
  /** The object that the event of a change shows. */
  readonly present: (change: Change) => Json
  /** Called after each change. */
  readonly onChange: (change: Change, at: number) => void
}

/** The data in time: a world, its clock, and the behaviour plan that changes it; every change is announced. */
export class LivingWorld {
  readonly world: World
  readonly feed: ChangeFeed
  readonly #epoch: number
  readonly #runtime: Runtime
  readonly #onChange: LivingWorldOptions['onChange']
  readonly #clock: WorldClock
  readonly #schedule: Schedule
  readonly #driver: Driver
  readonly #runner: PlanRunner
  #cause: ChangeCause = 'behaviour'
  #isFastForwarding = false
  #isClosed = false

  constructor(options: LivingWorldOptions) {
    const { model, dataset, seed, epoch, runtime, webhooks, present } = options
    this.world = new World(model, dataset)
    this.feed = new ChangeFeed({ seed, model, webhooks, present })
    this.#epoch = epoch
    this.#runtime = runtime
    this.#onChange = options.onChange
    this.#clock = new WorldClock(runtime.clock, epoch)
    this.#schedule = new Schedule(epoch)
    this.#driver = new Driver(runtime.startTimer)
    const apply = (change: Change): void => this.#apply(change, this.#schedule.now)
    this.#runner = new PlanRunner({ seed, world: this.world, schedule: this.#schedule, apply })
  }

  /** World time, milliseconds. */
  now(): number {
    return this.#clock.now()
  }

  get offsetMs(): number {
    return this.#clock.offsetMs
  }

  get isPaused(): boolean {
    return this.#clock.isPaused
  }

  get isFastForwarding(): boolean {
    return this.#isFastForwarding
  }

  get plan(): BehaviourPlan {
    return this.#runner.plan
  }

  /** Replaces the behaviour plan; each rule first runs one period from now. */
  setPlan(plan: BehaviourPlan): void {
    this.catchUp()
    this.#runner.start(plan)
    this.wake()
  }

  /** Runs what fell due in real time since somebody last looked. */
  catchUp(): void {
    if (!this.#isFastForwarding && !this.#clock.isPaused) this.#schedule.advanceTo(this.#clock.now())
  }

  /** Writes what a request changes. */
  commit(changes: readonly Change[], at: number): void {
    this.#cause = 'request'
    for (const change of changes) this.#apply(change, at)
    this.#cause = 'behaviour'
  }

  pause(): void {
    this.catchUp()
    if (!this.#clock.isPaused) this.#clock.pause()
    this.wake()
  }

  resume(): void {
    if (this.#clock.isPaused) this.#clock.resume()
    this.wake()
  }

  /** Goes back to the data as generated and to the time of creation; the plan starts again, a paused clock stays paused. */
  reset(): void {
    this.world.load()
    this.#clock.set(this.#epoch)
    this.#schedule.clear(this.#epoch)
    this.#runner.start(this.#runner.plan)
    this.feed.load()
    this.wake()
  }

  dump(): LivingState {
    this.catchUp()
    return { world: this.world.dump(), now: this.now(), plan: this.#runner.dump(), events: this.feed.dump() }
  }

  load(state: LivingState): void {
    this.world.load(state.world)
    this.#clock.set(state.now)
    this.#schedule.clear(state.now)
    this.#runner.load(state.plan)
    this.feed.load(state.events)
    this.wake()
  }

  /**
   * Runs the plan as if `ms` had passed, in slices. All or nothing: past 1,000,000 changes, or when the simulation is
   * closed meanwhile, everything is undone and the error thrown. Returns the number of changes.
   */
  async fastForward(ms: number): Promise<number> {
    this.catchUp()
    const before = { plan: this.#runner.dump(), now: this.#schedule.now, events: this.feed.hold() }
    this.world.begin()
    this.#isFastForwarding = true
    this.#cause = 'fast-forward'
    try {
      await this.#runSlices(this.#clock.now() + ms)
      this.world.commit()
      return this.feed.release()
    } catch (error) {
      this.world.undo()
      this.#schedule.clear(before.now)
      this.#runner.load(before.plan)
      this.feed.drop(before.events)
      throw error
    } finally {
      this.#isFastForwarding = false
      this.#cause = 'behaviour'
      this.wake()
    }
  }

  /** While somebody waits for changes, a timer runs what falls due; otherwise the next look at the simulation does. */
  wake(): void {
    const dueAt = this.#schedule.nextDueAt
    const isAsleep = this.#isClosed || this.#clock.isPaused || this.#isFastForwarding || !this.feed.isWatched
    this.#driver.wakeIn(isAsleep || dueAt === undefined ? undefined : dueAt - this.#clock.now(), () => {
      this.catchUp()
      this.wake()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#driver.stop()
    this.feed.close()
  }

  async #runSlices(target: number): Promise<void> {
    const { clock } = this.#runtime
    let sliceEnd = clock.monotonic() + SLICE_MS
    while (this.#schedule.runNext(target)) {
      if (this.feed.heldCount > LIMITS.fastForwardChanges) throw tooManyChanges()
      if (clock.monotonic() < sliceEnd) continue
      await nextTurn()
      if (this.#isClosed) throw badRequest('Failed to fast-forward: the simulation was deleted meanwhile.')
      sliceEnd = clock.monotonic() + SLICE_MS
    }
    this.#clock.set(target)
  }

  #apply(change: Change, at: number): void {
    this.world.apply(change)
    this.#onChange(change, at)
    this.feed.add(change, at, this.#cause)
  }
}

function tooManyChanges(): Error {
  const most = LIMITS.fastForwardChanges.toLocaleString('en-US')
  return badRequest(
    `Failed to fast-forward: it would make more than ${most} changes, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan.`,
  )
}
