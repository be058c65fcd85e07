import type { BehaviourPlan } from '../../protocol/behaviour.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ChangeCause } from '../../protocol/event.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { PlanRunner, type PlanState } from '../behaviour/plan-runner.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Schedule } from '../schedule/schedule.ts'
import { WorldClock, type WorldClockState } from '../schedule/world-clock.ts'
import type { Change } from '../world/change.ts'
import { World } from '../world/world.ts'
import { EventLog, type LoggedChange } from './event-log.ts'

/** Where a living world stands in time. Plain JSON. */
export interface TimeState {
  readonly clock: WorldClockState
  /** World time at which the schedule rests. */
  readonly restsAt: number
  readonly plan: PlanState
}

interface LivingWorldOptions {
  readonly model: ApiModel
  readonly dataset: Dataset
  readonly seed: string
  /** Where its creator chose one. */
  readonly slug?: string | undefined
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  /** Called after each change. */
  readonly onChange: (change: Change, at: number) => void
  /** Called when changes were taken back. */
  readonly onUndo: () => void
  /** Whether anybody wants to hear of changes now: what nobody hears is not kept to be announced. */
  readonly isHeard: () => boolean
}

/**
 * The data in time: a world, its clock and the behaviour plan that changes it. Pure: `real` is the real time that the
 * caller gives, and every change is kept for the caller to take and announce.
 */
export class LivingWorld {
  readonly world: World
  readonly log: EventLog
  readonly #epoch: number
  readonly #onChange: LivingWorldOptions['onChange']
  readonly #onUndo: LivingWorldOptions['onUndo']
  readonly #isHeard: LivingWorldOptions['isHeard']
  readonly #clock: WorldClock
  readonly #schedule: Schedule
  readonly #runner: PlanRunner
  #cause: ChangeCause = 'behaviour'
  #fresh: LoggedChange[] = []
  /** Changes that may still be taken back, and are not announced before that is settled. */
  #unsettled: LoggedChange[] | undefined
  #changes = 0

  constructor({ model, dataset, seed, slug, epoch, createdAt, onChange, onUndo, isHeard }: LivingWorldOptions) {
    this.world = new World(model, dataset)
    this.log = new EventLog(seed, model, slug)
    this.#epoch = epoch
    this.#onChange = onChange
    this.#onUndo = onUndo
    this.#isHeard = isHeard
    this.#clock = new WorldClock(createdAt, epoch)
    this.#schedule = new Schedule(epoch)
    const apply = (change: Change): void => this.#apply(change, this.#schedule.now)
    this.#runner = new PlanRunner({ seed, world: this.world, schedule: this.#schedule, apply })
  }

  /** World time, milliseconds. */
  now(real: number): number {
    return this.#clock.now(real)
  }

  get isPaused(): boolean {
    return this.#clock.isPaused
  }

  get plan(): BehaviourPlan {
    return this.#runner.plan
  }

  /** World time of the plan's next run; undefined when there is none, or while paused. */
  get nextDueAt(): number | undefined {
    return this.#clock.isPaused ? undefined : this.#schedule.nextDueAt
  }

  /** Runs what fell due in real time. All or nothing: where a run of the plan throws, everything it did is undone. */
  catchUp(real: number): void {
    if (this.#clock.isPaused) return
    const target = this.#clock.now(real)
    const { nextDueAt } = this.#schedule
    if (nextDueAt === undefined || nextDueAt > target) {
      this.#schedule.advanceTo(target)
      return
    }
    const settle = this.#begin()
    let isDone = false
    try {
      this.#schedule.advanceTo(target)
      isDone = true
    } finally {
      settle(isDone)
    }
  }

  /** Writes what a request changes. */
  commit(changes: readonly Change[], at: number): void {
    if (changes.length === 0) return
    this.#cause = 'request'
    for (const change of changes) this.#apply(change, at)
    this.#cause = 'behaviour'
  }

  /** Replaces the behaviour plan; each rule first runs one period from now. */
  setPlan(plan: BehaviourPlan): void {
    this.#runner.start(plan)
  }

  pause(real: number): void {
    if (!this.#clock.isPaused) this.#clock.pause(real)
  }

  resume(real: number): void {
    if (this.#clock.isPaused) this.#clock.resume(real)
  }

  /**
   * Goes back to the data as generated and to the time of creation; the plan starts again, a paused clock stays
   * paused.
   */
  reset(real: number): void {
    this.world.load()
    this.#clock.set(real, this.#epoch)
    this.#schedule.clear(this.#epoch)
    this.#runner.start(this.#runner.plan)
    this.log.clear()
    this.#fresh = []
  }

  /**
   * Runs the plan as if `ms` had passed, yielding after each run and within long ones so that the caller may pause
   * there. All or nothing: past 1,000,000 changes, or when the caller throws, everything is undone. Returns the number
   * of changes.
   */
  *fastForward(real: number, ms: number): Generator<void, number> {
    const target = this.#clock.now(real) + ms
    const first = this.#changes
    const settle = this.#begin()
    this.#cause = 'fast-forward'
    let isDone = false
    try {
      while (yield* this.#schedule.paceNext(target)) {
        if (this.#changes - first > LIMITS.fastForwardChanges) throw tooManyChanges()
        yield
      }
      this.#clock.set(real, target)
      isDone = true
      return this.#changes - first
    } finally {
      this.#cause = 'behaviour'
      settle(isDone)
    }
  }

  /** Takes the changes since the last call, to announce them. */
  takeFresh(): readonly LoggedChange[] {
    if (this.#fresh.length === 0) return this.#fresh
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }

  dumpTime(): TimeState {
    return { clock: this.#clock.dump(), restsAt: this.#schedule.now, plan: this.#runner.dump() }
  }

  /** Goes on from what `dumpTime` gave. */
  loadTime({ clock, restsAt, plan }: TimeState): void {
    this.#clock.load(clock)
    this.#schedule.clear(restsAt)
    this.#runner.load(plan)
    this.#fresh = []
  }

  /** Moves to the time that a schedule rested at as a new beginning: it is now, and paused or not as at present. */
  returnTo(state: TimeState, real: number): void {
    const { isPaused } = this
    this.loadTime(state)
    this.#clock.load({ offsetMs: state.restsAt - real, stoppedAt: isPaused ? state.restsAt : null })
  }

  /** Begins what may have to be undone. Call the answer with whether it is to be kept. */
  #begin(): (isKept: boolean) => void {
    const time = this.dumpTime()
    const events = this.log.dump()
    const unsettled: LoggedChange[] = []
    this.#unsettled = unsettled
    this.world.begin()
    return (isKept) => {
      this.#unsettled = undefined
      const fresh = this.#fresh
      if (isKept) {
        this.world.commit()
        this.#fresh = fresh.concat(unsettled)
        return
      }
      this.world.undo()
      this.loadTime(time)
      this.log.load(events)
      this.#fresh = fresh
      this.#onUndo()
    }
  }

  #apply(change: Change, at: number): void {
    this.world.apply(change)
    this.#onChange(change, at)
    this.#changes++
    const logged = this.log.add(change, at, this.#cause)
    if (this.#isHeard()) (this.#unsettled ?? this.#fresh).push(logged)
  }
}

function tooManyChanges(): Error {
  const most = LIMITS.fastForwardChanges.toLocaleString('en-US')
  return badRequest(
    `Failed to fast-forward: it would make more than ${most} changes, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan.`,
  )
}
