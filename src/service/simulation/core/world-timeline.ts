import { badRequest, notFound } from '../../../protocol/errors.ts'
import type { ChangeCause } from '../../../protocol/event.ts'
import { grouped } from '../../../protocol/grouped.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { PlanRunner } from '../../behaviour/plan-runner.ts'
import type { RunDue } from '../../behaviour/steps/due.ts'
import { planLater } from '../../behaviour/steps/later.ts'
import type { LaterChange } from '../../simulated-api/facts/later-changes.ts'
import type { Change } from '../../world/change.ts'
import { runToEnd } from '../../world/long-reads.ts'
import type { Interruption } from './command.ts'
import type { CoreOptions } from './core-options.ts'
import type { CoreState } from './core-state.ts'
import type { EventCollection } from './event-collection.ts'
import type { ChangeContext } from './logged-change.ts'
import type { StaleReads } from './stale-reads.ts'
import type { WebhookRegistry } from './webhook-registry.ts'
import { WorldClock } from './world-clock.ts'

/** Number of changes after which a catch-up keeps its results so far. */
const CHECKPOINT_CHANGES = 50_000
/** Number of records read by steps after which it does so with fewer changes. A step counts as ten. */
const CHECKPOINT_LOOKED_AT = 2_000_000

/** Most records that the steps of one fast-forward may read. */
const MOST_LOOKED_AT = 1_000_000_000

interface RunTotals {
  changes: number
  /** Records read by steps. */
  looked: number
}

/** Cause of a change, and whether it is quiet. */
interface HowChanged {
  readonly cause: ChangeCause
  readonly isQuiet?: boolean
  /** The request that made the change, for webhooks. */
  readonly request?: ChangeContext['request']
}

const BY_REQUEST: HowChanged = { cause: 'request' }

/** The data over time: the clock and the behaviour plan. Pure: `real` is the caller's real time. */
export class WorldTimeline {
  /** Whether changes are announced even without a webhook. */
  hasListeners = false
  /** Records of events, if the API has them. */
  eventCollection: EventCollection | undefined
  /** Webhooks as records, if the API has them. */
  registry: WebhookRegistry | undefined
  readonly clock: WorldClock
  readonly runner: PlanRunner
  readonly #state: CoreState
  readonly #stale: StaleReads
  /** The earliest later change, at the revision for which it is valid. */
  #later: readonly [string, LaterChange] | undefined
  #laterRevision = -1
  #webhooksRevision = -1
  #hasFormats = false

  /** @param start world time and real time of creation, milliseconds */
  constructor(
    state: CoreState,
    stale: StaleReads,
    start: Pick<CoreOptions, 'seed' | 'epoch' | 'createdAt'> & { readonly runDue: RunDue },
  ) {
    this.#state = state
    this.#stale = stale
    this.clock = new WorldClock(state.settings.clock, { real: start.createdAt, epoch: start.epoch })
    this.runner = new PlanRunner(start.seed, state.world, state.settings, start.runDue)
  }

  /** World time of the plan's next run, or of a request's later change; undefined when there is none, or while paused. */
  get nextDueAt(): number | undefined {
    if (this.clock.isPaused) return undefined
    const later = this.#findLater()?.[1].at
    const { nextDueAt } = this.runner
    return later === undefined || nextDueAt === undefined ? (nextDueAt ?? later) : Math.min(later, nextDueAt)
  }

  /**
   * Runs due work in real time, with pauses. It ends with false after `most` changes, or equal work, where more is due.
   * All or nothing: an error undoes everything.
   */
  *catchUp(real: number, most = CHECKPOINT_CHANGES): Generator<undefined, boolean> {
    const target = this.clock.now(real)
    if (this.#isDue(target)) {
      yield* this.#allOrNothing(this.#runDue(target, 'behaviour', { most }))
    }
    return this.rest(target)
  }

  /** Whether a run of the plan is due. */
  isBehind(real: number): boolean {
    return this.#isDue(this.clock.now(real))
  }

  /** Notes the world time if nothing is due; else false. */
  rest(now: number): boolean {
    if (this.#isDue(now)) return false
    if (now > this.#state.restsAt) this.#state.restsAt = now
    return true
  }

  /**
   * Runs the plan as if `ms` had passed, with pauses. All or nothing: beyond 1,000,000 changes, or when interrupted,
   * everything is undone. Returns the number of changes.
   */
  *fastForward(real: number, ms: number, interruption?: Interruption): Generator<undefined, number> {
    const target = this.clock.now(real) + ms
    if (target > LIMITS.worldTimeMs) throw pastTheEnd(this.clock.now(real))
    const { changes } = yield* this.#allOrNothing(this.#runDue(target, 'fast-forward', { interruption }))
    this.moveTo(target, real)
    return changes
  }

  /** Runs one rule of the plan now, all or nothing. Returns the number of changes. Throws `not_found` and `bad_request`. */
  *runRule(real: number, id: string): Generator<undefined, number> {
    const rule = this.runner.plan.rules.find((one) => one.id === id)
    if (rule === undefined) throw notFound(`No rule "${id.slice(0, 100)}" in the behaviour plan of this simulation.`)
    if (this.clock.isPaused)
      throw badRequest(`Failed to run the rule "${id}": the simulation is paused. Resume it first.`)
    const totals: RunTotals = { changes: 0, looked: 0 }
    const at = this.clock.now(real)
    yield* this.#allOrNothing(this.#applyRun(this.runner.runNow(rule, at), { at, cause: 'behaviour' }, totals))
    return totals.changes
  }

  /** Advances the clock to world time `target`, running due work; does nothing for a past time. */
  advance(real: number, target: number): void {
    const ms = target - this.clock.now(real)
    if (ms > 0) runToEnd(this.fastForward(real, ms))
  }

  /** Keeps changes of a request for later. */
  schedule(changes: readonly LaterChange[]): void {
    const { later, totals } = this.#state.settings
    for (const change of changes) {
      const number = (totals.get('later') ?? 0) + 1
      totals.set('later', number)
      later.set(String(number), change)
    }
  }

  /** Applies changes of a request or the owner. */
  commit(changes: readonly Change[], at: number, how: HowChanged = BY_REQUEST): void {
    const last = changes.flatMap((change) => this.#apply(change, at, how))
    for (const { change } of last.sort((one, other) => one.rank - other.rank)) this.#apply(change, at, how)
  }

  /** Sets the world's time to `at`; a paused clock stays paused. */
  moveTo(at: number, real: number): void {
    this.clock.set(real, at)
    this.#state.restsAt = at
  }

  #isDue(target: number): boolean {
    const dueAt = this.nextDueAt
    return dueAt !== undefined && dueAt <= target
  }

  /** Runs work due by `target`; a catch-up ends after `most` changes. */
  *#runDue(
    target: number,
    cause: 'behaviour' | 'fast-forward',
    { most = 0, interruption }: { most?: number; interruption?: Interruption | undefined },
  ): Generator<undefined, RunTotals> {
    const totals: RunTotals = { changes: 0, looked: 0 }
    for (;;) {
      const later = this.#findLater()
      this.runner.passIdleRuns(Math.min(target, later?.[1].at ?? target))
      if (!this.#isDue(target)) return totals
      const at = Math.max(this.#state.restsAt, this.nextDueAt ?? 0)
      this.#state.restsAt = at
      const isLater = later !== undefined && later[1].at <= (this.runner.nextDueAt ?? Number.POSITIVE_INFINITY)
      const run = isLater ? this.#runLater(...later) : this.runner.run()
      yield* this.#applyRun(run, { at, cause, interruption }, totals)
      if (cause === 'fast-forward') refuseTooMuch(totals)
      else if (totals.changes >= most || totals.looked >= CHECKPOINT_LOOKED_AT) return totals
    }
  }

  /** The earliest later change, with its name. */
  #findLater(): readonly [string, LaterChange] | undefined {
    const { later } = this.#state.settings
    if (later.revision === this.#laterRevision) return this.#later
    this.#laterRevision = later.revision
    let first: readonly [string, LaterChange] | undefined
    for (const name of later.names()) {
      const change = later.get(name)
      if (change !== undefined && (first === undefined || change.at < first[1].at)) first = [name, change]
    }
    this.#later = first
    return first
  }

  *#runLater(name: string, later: LaterChange): ReturnType<PlanRunner['run']> {
    this.#state.settings.later.delete(name)
    const change = planLater(this.#state.world, later)
    if (change !== undefined) yield [change]
    return 1
  }

  /** Runs all of `run`, or undoes it on an error. */
  *#allOrNothing<T>(run: Generator<undefined, T>): Generator<undefined, T> {
    let isDone = false
    this.#state.begin()
    try {
      const result = yield* run
      isDone = true
      return result
    } finally {
      if (isDone) this.#state.keep()
      else yield* this.#state.undoing()
    }
  }

  /** Applies the changes of a run as they are planned. */
  *#applyRun(
    run: ReturnType<PlanRunner['run']>,
    { at, cause, interruption }: { at: number; cause: ChangeCause; interruption?: Interruption | undefined },
    totals: RunTotals,
  ): Generator<undefined, void> {
    for (let step = run.next(); ; step = run.next()) {
      if (step.done) {
        totals.looked += step.value
        return
      }
      const changes = step.value ?? []
      this.commit(changes, at, { cause })
      totals.changes += changes.length
      yield
      refuseInterrupted(interruption)
    }
  }

  /** Returns the events that come after those of the other changes. */
  #apply(change: Change, at: number, { cause, isQuiet = false, request }: HowChanged) {
    const { world, log, settings } = this.#state
    const isEvent = 'event' in change && change.event !== undefined
    if (!isEvent) this.#stale.follow(change, at)
    const context =
      this.#tellsMore || this.eventCollection !== undefined
        ? { before: this.#before(change), request, part: world.partOf(change) }
        : undefined
    if (!isEvent) world.apply(change)
    const isHeard = this.hasListeners || settings.webhooks.size > 0
    const isEntry = change.type === 'created' && change.isQuiet === true
    const isApart = 'collection' in change && world.collection(change.collection).model.isApart === 'quiet'
    const fresh = log.add(change, { at, cause, isQuiet: isQuiet || isEntry || isApart, isHeard }, context)
    for (const recorded of this.eventCollection?.changesOf(fresh, world) ?? []) {
      this.#stale.follow(recorded, at)
      world.apply(recorded)
    }
    this.registry?.follow(change, world, cause === 'behaviour' || cause === 'fast-forward')
    return this.eventCollection?.lastOf(fresh) ?? []
  }

  /** Whether a webhook has another format, and so may need the state before a change. */
  get #tellsMore(): boolean {
    const { webhooks } = this.#state.settings
    if (webhooks.revision !== this.#webhooksRevision) {
      this.#webhooksRevision = webhooks.revision
      this.#hasFormats = [...webhooks.values()].some(({ scheme }) => scheme !== undefined)
    }
    return this.#hasFormats
  }

  #before(change: Change): JsonObject | undefined {
    if (change.type === 'created') return undefined
    const { world } = this.#state
    if ('singleton' in change) return world.singleton(change.singleton, change.scopeKey) ?? undefined
    return world.collection(change.collection).get(change.key) ?? undefined
  }
}

/** Throws `bad_request` for a fast-forward that has to end. */
export function refuseInterrupted(interruption: Interruption | undefined): void {
  if (interruption?.fact !== undefined) throw badRequest(`Failed to fast-forward: ${interruption.fact}.`)
}

/** Throws `bad_request` for a fast-forward with too many changes or too much work. */
function refuseTooMuch({ changes, looked }: RunTotals): void {
  const most = LIMITS.fastForwardChanges
  if (changes <= most && looked <= MOST_LOOKED_AT) return
  const excess =
    changes > most
      ? `it would make more than ${grouped(most)} changes`
      : `its steps would look at more than ${grouped(MOST_LOOKED_AT)} records`
  throw badRequest(
    `Failed to fast-forward: ${excess}, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan.`,
  )
}

/** The error of a fast-forward beyond the last time of a world. */
function pastTheEnd(now: number): Error {
  const [last, got] = [LIMITS.worldTimeMs, now].map((ms) => toIso(ms).slice(0, -14))
  return badRequest(
    `Failed to fast-forward: the time of a simulation ends on ${last}, and this one is at ${got}. Reset it, or create one with an earlier \`epoch\`.`,
  )
}
