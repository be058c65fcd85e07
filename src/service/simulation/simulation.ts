import type { BehaviourPlan, BehaviourRequest } from '../../protocol/behaviour.ts'
import { badRequest, notFound } from '../../protocol/errors.ts'
import type { ChangeCause, ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ClockReading, LogEntry, RecordsPage } from '../../protocol/reads.ts'
import type { ResponseRule, ResponseRuleRequest } from '../../protocol/response-rule.ts'
import type { CollectionSummary, FastForwardResult, SimulationStatus } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn } from '../../runtime/timers.ts'
import { derivePlan } from '../behaviour/derive-plan.ts'
import { type ParsedPlan, parsePlan } from '../behaviour/parse-plan.ts'
import { PlanRunner, type PlanState } from '../behaviour/plan-runner.ts'
import { createDataset } from '../dataset/create-dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Driver } from '../schedule/driver.ts'
import { Schedule } from '../schedule/schedule.ts'
import { WorldClock } from '../schedule/world-clock.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import { RuleBook, type RuleBookState } from '../simulated-api/rules/rule-book.ts'
import { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Change } from '../world/change.ts'
import { World, type WorldOverlay } from '../world/world.ts'
import { type Access, AccessList } from './access-list.ts'
import { EventLog, type EventLogState, type LoggedChange } from './event-log.ts'
import { KeyRing } from './key-ring.ts'
import { RequestGate } from './request-gate.ts'
import { RequestLog } from './request-log.ts'
import { checkCollections, DEFAULT_SEED, type SimulationInit } from './simulation-init.ts'

const HOUR_MS = 3_600_000
/** How long a fast-forward computes before it lets other simulations have a turn. */
const SLICE_MS = 50

/** Everything of a simulation that time and requests change, to be put back later. */
interface Snapshot {
  readonly world: WorldOverlay
  readonly now: number
  readonly plan: PlanState
  readonly rules: RuleBookState
  readonly events: EventLogState
}

/**
 * One simulation: a state machine over (description, seed, volume, epoch) and the commands so far. Every command is
 * synchronous and takes the world time at which it is run from its own clock; only a fast-forward is cut into slices,
 * and nothing else of the simulation runs between them ({@link Simulation.ready}).
 */
export class Simulation {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly model: ApiModel
  readonly seed: string
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  readonly instructions: string | undefined
  readonly webhooks: Webhooks

  readonly #runtime: Runtime
  readonly #world: World
  readonly #clock: WorldClock
  readonly #schedule: Schedule
  readonly #driver: Driver
  readonly #runner: PlanRunner
  readonly #rules: RuleBook
  readonly #api: SimulatedApi
  readonly #access: AccessList
  readonly #keys: KeyRing
  readonly #events: EventLog
  readonly #requests = new RequestLog()
  readonly #gate: RequestGate
  readonly #singulars: ReadonlyMap<string, string>
  readonly #listeners = new Set<(event: ChangeEvent) => void>()
  readonly #snapshots = new Map<string, Snapshot>()
  #phase: 'queued' | 'running' | 'resetting' | 'closed' = 'queued'
  #ready: Promise<void> = Promise.resolve()
  #held = new AbortController()
  /** Where changes wait while a fast-forward may still be undone. */
  #pending: LoggedChange[] | undefined
  #cause: ChangeCause = 'behaviour'

  /** Throws `bad_request` for a collection that the model does not have, `invalid_request` for a rule that is wrong. */
  constructor(init: SimulationInit) {
    const { model, runtime } = init
    checkCollections('volume', Object.keys(init.volume ?? {}), model)
    checkCollections('seedRecords', Object.keys(init.seedRecords ?? {}), model)
    this.id = init.id
    this.name = init.name
    this.slug = init.slug
    this.model = model
    this.seed = init.seed ?? DEFAULT_SEED
    this.createdAt = runtime.clock.now()
    this.epoch = init.epoch ?? Math.floor(this.createdAt / 1000) * 1000
    this.instructions = init.instructions
    this.webhooks = init.webhooks
    this.#runtime = runtime
    this.#world = new World(
      model,
      createDataset(model, {
        seed: this.seed,
        epoch: this.epoch,
        volume: init.volume ?? {},
        seedRecords: init.seedRecords ?? {},
      }),
    )
    this.#clock = new WorldClock(runtime.clock, this.epoch)
    this.#schedule = new Schedule(this.epoch)
    this.#driver = new Driver(runtime.startTimer)
    this.#runner = new PlanRunner({
      seed: this.seed,
      world: this.#world,
      schedule: this.#schedule,
      apply: (change) => this.#apply(change, this.#schedule.now),
    })
    this.#rules = new RuleBook(this.seed)
    this.#api = new SimulatedApi({
      model,
      world: this.#world,
      seed: this.seed,
      validation: init.validation ?? 'strict',
      strictParents: init.strictParents ?? false,
    })
    this.#access = new AccessList(init.access)
    this.#keys = new KeyRing(runtime.secret)
    this.#events = new EventLog(this.seed, (change) => this.#present(change))
    this.#singulars = new Map([...model.collections, ...model.singletons].map(({ name, singular }) => [name, singular]))
    this.#gate = new RequestGate({
      model,
      runtime,
      api: this.#api,
      access: this.#access,
      keys: this.#keys,
      rules: this.#rules,
      log: this.#requests,
      countRequest: init.countRequest ?? (() => true),
    })
    for (const rule of init.rules ?? []) this.#rules.add(rule, this.epoch)
    this.#runner.start(parsePlan([...(init.plan ?? derivePlan(model))], model).plan)
    this.#ready = this.#become('running')
  }

  status(): SimulationStatus {
    if (this.#phase === 'running' || this.#phase === 'closed') return this.#clock.isPaused ? 'paused' : 'running'
    return this.#phase
  }

  /** Resolves when nothing is under way that requests have to wait for: creation, a reset, a fast-forward. */
  ready(): Promise<void> {
    return this.#ready
  }

  /** Whether {@link Simulation.ready} has resolved: requests are answered at once. */
  isReady(): boolean {
    return this.#phase === 'running' && this.#pending === undefined
  }

  collections(): CollectionSummary[] {
    this.#catchUp()
    return this.model.collections.map(({ name, statusField, id, parent }) => ({
      name,
      records: this.#world.collection(name).count,
      statusField: statusField?.join('.') ?? null,
      idField: id.field?.join('.') ?? null,
      parent: parent?.collection ?? null,
    }))
  }

  /** Names of the event kinds that the simulation emits. */
  eventKinds(): string[] {
    const kinds = this.model.collections.flatMap(({ singular }) => [
      `${singular}.created`,
      `${singular}.updated`,
      `${singular}.deleted`,
    ])
    const singletons = this.model.singletons.flatMap(({ singular }) => [`${singular}.updated`, `${singular}.deleted`])
    return [...new Set([...kinds, ...singletons])]
  }

  plan(): BehaviourPlan {
    return this.#runner.plan
  }

  /** Replaces the behaviour plan; answers with the plan as kept and why steps were dropped. */
  setBehaviour(rules: BehaviourRequest['rules']): ParsedPlan {
    const parsed = parsePlan(rules, this.model)
    this.#catchUp()
    this.#runner.start(parsed.plan)
    this.#wake()
    return parsed
  }

  rules(): ResponseRule[] {
    return this.#rules.list()
  }

  /** Throws `invalid_request` for a config that does not fit its kind. */
  addRule(request: ResponseRuleRequest): ResponseRule {
    return this.#rules.add(request, this.#clock.now())
  }

  /** Throws `not_found` when there is no such rule. Lets held requests go. */
  removeRule(id: string): void {
    this.#rules.remove(id)
    this.#releaseHeld()
  }

  access(): Access {
    return this.#access.read()
  }

  setAccess(change: { [Name in keyof Access]?: Access[Name] | undefined }): void {
    this.#access.change(change)
  }

  /** Issues a key under `name`, or adopts `secret`. The full key is only ever returned here. */
  issueKey(_name: string, secret?: string): string {
    return this.#keys.issue(secret)
  }

  keyPrefixes(): string[] {
    return this.#keys.prefixes()
  }

  /** Answers a request to the simulated API. Call it when {@link Simulation.ready} has resolved. */
  handle(request: ApiRequest): ApiResponse {
    this.#catchUp()
    const now = this.#clock.now()
    const { response, changes } = this.#gate.handle(request, {
      at: now,
      isPaused: this.#clock.isPaused,
      release: this.#held.signal,
    })
    this.#cause = 'request'
    for (const change of changes) this.#apply(change, now)
    this.#cause = 'behaviour'
    return response
  }

  /**
   * Runs the behaviour plan as if `hours` had passed. All or nothing: past 1,000,000 changes everything is undone and
   * `bad_request` is thrown, as it is while the simulation is paused.
   */
  async fastForward(hours: number): Promise<FastForwardResult> {
    await this.#ready
    if (this.#clock.isPaused) {
      throw badRequest(`Failed to fast-forward simulation "${this.slug}": it is paused. Resume it first.`)
    }
    const run = this.#fastForward(hours)
    this.#ready = run.then(
      () => {},
      () => {},
    )
    return run
  }

  pause(): void {
    this.#catchUp()
    if (!this.#clock.isPaused) this.#clock.pause()
    this.#wake()
  }

  resume(): void {
    if (this.#clock.isPaused) this.#clock.resume()
    this.#wake()
  }

  /**
   * Regenerates the data from the original seed, in the background. Keys, webhooks, rules, access, the plan and the
   * paused state stay; waiting deliveries of the old world are dropped.
   */
  reset(): void {
    this.#phase = 'resetting'
    this.#releaseHeld()
    this.#ready = this.#ready.then(() => {
      if (this.#phase === 'closed') return
      this.#world.load()
      this.#api.reset()
      this.#clock.set(this.epoch)
      this.#schedule.clear(this.epoch)
      this.#runner.start(this.#runner.plan)
      this.#rules.restart(this.epoch)
      this.#events.load()
      this.webhooks.dropWaiting()
      return this.#become('running')
    })
  }

  /** Records as the simulation keeps them, past the simulated API. Throws `not_found` for an unknown collection. */
  records(name: string, { limit, offset }: { limit: number; offset: number }): RecordsPage {
    this.#catchUp()
    if (!this.model.collections.some((collection) => collection.name === name)) {
      throw notFound(`No collection "${name}" in simulation "${this.slug}".`)
    }
    const view = this.#world.collection(name)
    const { keys, total } = view.select({ offset, limit })
    return { data: keys.map((key) => view.get(key)).filter((record) => record !== undefined), total, limit, offset }
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    this.#catchUp()
    return this.#events.read()
  }

  /** The latest 100 requests, newest first. */
  logs(): LogEntry[] {
    return this.#requests.read()
  }

  clock(): ClockReading {
    return { now: toIso(this.#clock.now()), offsetMs: this.#clock.offsetMs, paused: this.#clock.isPaused }
  }

  /** Keeps data, world clock, plan, rules, counters and events as they are now. Returns the snapshot's id. */
  snapshot(): string {
    this.#catchUp()
    const id = `snap_${this.#snapshots.size + 1}`
    this.#snapshots.set(id, {
      world: this.#world.dump(),
      now: this.#clock.now(),
      plan: this.#runner.dump(),
      rules: this.#rules.dump(),
      events: this.#events.dump(),
    })
    return id
  }

  /** Puts a snapshot back; webhooks and keys stay, waiting deliveries are dropped. Throws `not_found`. */
  restore(id: string): void {
    const snapshot = this.#snapshots.get(id)
    if (snapshot === undefined) throw notFound(`No snapshot "${id}" of simulation "${this.slug}".`)
    this.#releaseHeld()
    this.#world.load(snapshot.world)
    this.#api.reset()
    this.#clock.set(snapshot.now)
    this.#schedule.clear(snapshot.now)
    this.#runner.load(snapshot.plan)
    this.#rules.load(snapshot.rules)
    this.#events.load(snapshot.events)
    this.webhooks.dropWaiting()
    this.#wake()
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener)
    this.#wake()
    return () => {
      this.#listeners.delete(listener)
      this.#wake()
    }
  }

  /** Tells the simulation that somebody may be waiting for its changes now: a webhook was added or removed. */
  audienceChanged(): void {
    this.#wake()
  }

  /** Stops everything and lets held requests go. */
  async close(): Promise<void> {
    this.#phase = 'closed'
    this.#driver.stop()
    this.#listeners.clear()
    this.#snapshots.clear()
    this.#releaseHeld()
    await this.webhooks.close()
  }

  async #fastForward(hours: number): Promise<FastForwardResult> {
    this.#catchUp()
    const before = { plan: this.#runner.dump(), events: this.#events.dump(), now: this.#schedule.now }
    const pending: LoggedChange[] = []
    this.#world.begin()
    this.#pending = pending
    this.#cause = 'fast-forward'
    try {
      await this.#runSlices(this.#clock.now() + hours * HOUR_MS, pending)
      this.#world.commit()
    } catch (error) {
      this.#world.undo()
      this.#events.undo(before.events)
      this.#schedule.clear(before.now)
      this.#runner.load(before.plan)
      throw error
    } finally {
      this.#pending = undefined
      this.#cause = 'behaviour'
    }
    for (const logged of pending) this.#announce(logged)
    this.#wake()
    return { hours, changes: pending.length }
  }

  async #runSlices(target: number, pending: readonly LoggedChange[]): Promise<void> {
    const { clock } = this.#runtime
    let sliceEnd = clock.monotonic() + SLICE_MS
    while (this.#schedule.runNext(target)) {
      if (pending.length > LIMITS.fastForwardChanges) {
        throw badRequest(
          `Failed to fast-forward simulation "${this.slug}": it would make more than ${LIMITS.fastForwardChanges.toLocaleString('en-US')} changes, so nothing was changed. Ask for fewer hours, or for a slower behaviour plan.`,
        )
      }
      if (clock.monotonic() < sliceEnd) continue
      await nextTurn()
      if (this.#phase === 'closed') throw notFound(`Simulation "${this.slug}" was deleted during the fast-forward.`)
      sliceEnd = clock.monotonic() + SLICE_MS
    }
    this.#clock.set(target)
  }

  /** Runs what fell due in real time since somebody last looked. */
  #catchUp(): void {
    if (this.#pending === undefined && !this.#clock.isPaused) this.#schedule.advanceTo(this.#clock.now())
  }

  /** While somebody waits for changes, a timer runs what falls due; otherwise the next look at the simulation does. */
  #wake(): void {
    const dueAt = this.#schedule.nextDueAt
    const isWatched = this.#listeners.size > 0 || this.webhooks.list().length > 0
    const isIdle = dueAt === undefined || this.#clock.isPaused || this.#phase === 'closed' || !isWatched
    this.#driver.wakeIn(isIdle ? undefined : dueAt - this.#clock.now(), () => {
      this.#catchUp()
      this.#wake()
    })
  }

  #apply(change: Change, at: number): void {
    this.#world.apply(change)
    const subject = 'singleton' in change ? change.singleton : change.collection
    const logged = this.#events.add(change, `${this.#singulars.get(subject)}.${change.type}`, at, this.#cause)
    if (this.#pending === undefined) this.#announce(logged)
    else this.#pending.push(logged)
  }

  #announce(logged: LoggedChange): void {
    const isWanted = this.webhooks.wants(logged.type)
    if (!isWanted && this.#listeners.size === 0) return
    const { cause, ...event } = this.#events.toEvent(logged)
    if (isWanted) this.webhooks.enqueue(event)
    for (const listener of this.#listeners) listener({ ...event, cause })
  }

  /** The record as the simulated API would return it; null for one that is gone. */
  #present(change: Change): Json {
    if (change.type === 'deleted') return null
    return 'singleton' in change ? change.record : this.#api.present(change.collection, change.record)
  }

  #releaseHeld(): void {
    this.#held.abort()
    this.#held = new AbortController()
  }

  /** Moves on in the next turn of the event loop. */
  async #become(phase: 'running'): Promise<void> {
    await nextTurn()
    if (this.#phase === 'closed') return
    this.#phase = phase
    this.#wake()
  }
}
