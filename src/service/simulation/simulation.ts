import type { BehaviourPlan, BehaviourRequest } from '../../protocol/behaviour.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { ClockReading, RecordsPage } from '../../protocol/reads.ts'
import type { ResponseRule, ResponseRuleRequest } from '../../protocol/response-rule.ts'
import type { CollectionSummary, FastForwardResult, SimulationStatus } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ParsedPlan } from '../behaviour/parse-plan.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Driver } from '../schedule/driver.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Access } from './access-list.ts'
import { Audience } from './audience.ts'
import type { AccessChange, CommandKind, CommandOf, CommandResults } from './command.ts'
import { SimulationCore } from './core.ts'
import { coreOptionsOf } from './core-options.ts'
import { eventKinds } from './event-kinds.ts'
import { Holds } from './holds.ts'
import { KEY_PREFIX } from './key-ring.ts'
import { Lifecycle, type Phase } from './lifecycle.ts'
import { type LoggedAnswer, RequestLog } from './request-log.ts'
import { runInSlices } from './run-in-slices.ts'
import { DEFAULT_SEED, type RequestMeter, type SimulationInit } from './simulation-init.ts'
import { Snapshots } from './snapshots.ts'
import { readRecords, summariseCollections } from './world-reads.ts'

/**
 * One simulation: the pure core, and around it what the core must not know: the clock that gives every command its time,
 * the log of requests, the webhooks and listeners that changes are announced to.
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
  /** Answers that response rules hold back. */
  readonly holds = new Holds()
  readonly log: RequestLog

  readonly #runtime: Runtime
  readonly #core: SimulationCore
  readonly #driver: Driver
  readonly #meter: RequestMeter | undefined
  readonly #audience: Audience
  readonly #snapshots = new Snapshots()
  readonly #lifecycle = new Lifecycle()

  /** Throws `bad_request` for a collection that the model does not have, `invalid_request` for a rule that is wrong. */
  constructor(init: SimulationInit) {
    const { runtime } = init
    this.id = init.id
    this.name = init.name
    this.slug = init.slug
    this.model = init.blueprint.model
    this.seed = init.seed ?? DEFAULT_SEED
    this.createdAt = runtime.clock.now()
    this.epoch = init.epoch ?? Math.floor(this.createdAt / 1000) * 1000
    this.instructions = init.instructions
    this.webhooks = init.webhooks
    this.#runtime = runtime
    this.log = new RequestLog(runtime.clock)
    this.#meter = init.meter
    this.#audience = new Audience(init.webhooks)
    this.#driver = new Driver(runtime.startTimer)
    const { seed, epoch, createdAt } = this
    this.#core = new SimulationCore(coreOptionsOf(init, { seed, epoch, createdAt }))
    for (const rule of init.rules ?? []) this.addRule(rule)
  }

  status(): SimulationStatus {
    const { phase } = this.#lifecycle
    if (phase === 'queued' || phase === 'resetting') return phase
    return this.#core.isPaused ? 'paused' : 'running'
  }

  /** What is under way; `running` where nothing is. */
  get phase(): Phase {
    return this.#lifecycle.phase
  }

  /** Resolves when nothing is under way that requests have to wait for: creation, a reset, a fast-forward. */
  ready(): Promise<void> {
    return this.#lifecycle.ready
  }

  collections(): CollectionSummary[] {
    this.#tick()
    return summariseCollections(this.model, this.#core.world)
  }

  /** Names of the event kinds that the simulation emits. */
  eventKinds(): string[] {
    return eventKinds(this.model)
  }

  plan(): BehaviourPlan {
    return this.#core.plan
  }

  /** Replaces the behaviour plan; answers with the plan as kept and why steps were dropped. */
  setBehaviour(rules: BehaviourRequest['rules']): ParsedPlan {
    return this.#execute({ at: this.#now(), kind: 'set-behaviour', rules })
  }

  rules(): ResponseRule[] {
    return this.#core.rules()
  }

  /** Throws `invalid_request` for a config that does not fit its kind. */
  addRule(rule: ResponseRuleRequest): ResponseRule {
    return this.#execute({ at: this.#now(), kind: 'add-rule', rule })
  }

  /** Throws `not_found` when there is no such rule. Lets held requests go. */
  removeRule(id: string): void {
    this.#execute({ at: this.#now(), kind: 'remove-rule', id })
    this.holds.release()
  }

  access(): Access {
    return this.#core.access()
  }

  /** Throws `bad_request` for an invalid range; nothing is changed then. */
  setAccess(change: AccessChange): void {
    this.#execute({ at: this.#now(), kind: 'set-access', change })
  }

  /** Issues a key under `name`, or adopts `key`. The full key is only ever returned here. */
  issueKey(name: string, key: string = `${KEY_PREFIX}${this.#runtime.secret(16)}`): string {
    this.#execute({ at: this.#now(), kind: 'issue-key', name, key })
    return key
  }

  keyPrefixes(): string[] {
    return this.#core.keyPrefixes()
  }

  /** Answers a request to the simulated API. Throws while the simulation is not ready. */
  handle(request: ApiRequest): LoggedAnswer {
    const at = this.#now()
    const number = this.log.add(request, this.#core.now(at))
    try {
      const isOverLimit = this.#meter?.isOverRequestLimit ?? false
      const { response, trace, isCounted } = this.#execute({ at, kind: 'request', request, isOverLimit })
      if (isCounted) this.#meter?.countRequest()
      this.log.noteAnswer(number, response, trace)
      return { response, number }
    } catch (error) {
      this.log.noteSent(number)
      throw error
    }
  }

  /** Answers a request that a response rule held before it was processed. */
  handleLate(request: ApiRequest): ApiResponse {
    return this.#execute({ at: this.#now(), kind: 'request', request, isLate: true }).response
  }

  /**
   * Runs the behaviour plan as if `hours` had passed. All or nothing: past 1,000,000 changes everything is undone and
   * `bad_request` is thrown, as it is while the simulation is paused.
   */
  fastForward(hours: number): Promise<FastForwardResult> {
    return this.#lifecycle.run('fast-forwarding', () => this.#fastForward(hours))
  }

  /** Stands the world still: the simulated API answers 503 and the schedule stops. */
  pause(): void {
    this.#execute({ at: this.#now(), kind: 'pause' })
  }

  resume(): void {
    this.#execute({ at: this.#now(), kind: 'resume' })
  }

  /**
   * Regenerates the data from the original seed, in the background. Keys, webhooks, rules, access, the plan and the
   * paused state stay; waiting deliveries of the old world are dropped.
   */
  reset(): void {
    this.holds.release()
    void this.#lifecycle.run('resetting', async () => {
      if (this.#lifecycle.isClosed) return
      this.#execute({ at: this.#now(), kind: 'reset' })
      this.webhooks.dropWaiting()
    })
  }

  /** Records as the simulation keeps them, past the simulated API. Throws `not_found` for an unknown collection. */
  records(name: string, page: { limit: number; offset: number }): RecordsPage {
    this.#tick()
    return readRecords(this.model, this.#core.world, name, page)
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    this.#tick()
    return this.#core.events()
  }

  clock(): ClockReading {
    const real = this.#now()
    const now = this.#core.now(real)
    return { now: toIso(now), offsetMs: now - real, paused: this.#core.isPaused }
  }

  /** Keeps data, world time, plan, rules, counters and events as they are now. Returns the snapshot's id. */
  snapshot(): string {
    this.#tick()
    return this.#snapshots.add(this.#core.dump())
  }

  /** Puts a snapshot back; webhooks, keys and access stay, waiting deliveries are dropped. Throws `not_found`. */
  restore(id: string): void {
    const snapshot = this.#snapshots.get(id)
    this.holds.release()
    this.#execute({ at: this.#now(), kind: 'restore', state: snapshot })
    this.webhooks.dropWaiting()
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    const unsubscribe = this.#audience.subscribe(listener)
    this.audienceChanged()
    return () => {
      unsubscribe()
      this.#core.hasListeners = this.#audience.isThere
      this.#wake()
    }
  }

  /** To be called when a webhook was added, removed or enabled: from now on somebody may be waiting for changes. */
  audienceChanged(): void {
    this.#core.hasListeners = this.#audience.isThere
    this.#tick()
    this.#wake()
  }

  /** Stops everything and lets held requests go. */
  async close(): Promise<void> {
    this.#lifecycle.close()
    this.#driver.stop()
    this.#audience.close()
    this.#snapshots.clear()
    this.holds.release()
    await this.webhooks.close()
  }

  #now(): number {
    return this.#runtime.clock.now()
  }

  /** The way of every command into the core, and of its events out. */
  #execute<Kind extends CommandKind>(command: CommandOf<Kind>): CommandResults[Kind] {
    if (this.#lifecycle.isFastForwarding) throw new Error(`Failed to ${command.kind}: a fast-forward is under way.`)
    const result = this.#core.execute(command)
    this.#audience.announce(this.#core)
    if (command.kind !== 'request' && command.kind !== 'tick') this.#wake()
    return result
  }

  /** Runs what fell due since somebody last looked. */
  #tick(): void {
    if (!this.#lifecycle.isFastForwarding) this.#execute({ at: this.#now(), kind: 'tick' })
  }

  async #fastForward(hours: number): Promise<FastForwardResult> {
    const run = this.#core.fastForward({ at: this.#now(), kind: 'fast-forward', hours })
    const deleted = () => badRequest('Failed to fast-forward: the simulation was deleted meanwhile.')
    try {
      return await runInSlices(run, this.#runtime.clock, () => (this.#lifecycle.isClosed ? deleted() : undefined))
    } finally {
      this.#audience.announce(this.#core)
      this.#wake()
    }
  }

  /** While somebody waits for changes, a timer runs what falls due; otherwise the next look at the simulation does. */
  #wake(): void {
    const dueAt = this.#core.nextDueAt
    const isAwake = this.#audience.isThere && !this.#lifecycle.isClosed
    this.#driver.wakeIn(isAwake && dueAt !== undefined ? dueAt - this.#core.now(this.#now()) : undefined, () => {
      try {
        this.#tick()
        this.#wake()
      } catch {} // The next caller meets the same error and is told.
    })
  }
}
