import type { BehaviourPlan, BehaviourRequest } from '../../protocol/behaviour.ts'
import { badRequest, notFound } from '../../protocol/errors.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { ClockReading, LogEntry, RecordsPage } from '../../protocol/reads.ts'
import type { ResponseRule, ResponseRuleRequest } from '../../protocol/response-rule.ts'
import type { CollectionSummary, FastForwardResult, SimulationStatus } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { nextTurn } from '../../runtime/timers.ts'
import { derivePlan } from '../behaviour/derive-plan.ts'
import { type ParsedPlan, parsePlan } from '../behaviour/parse-plan.ts'
import { createDataset } from '../dataset/create-dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Driver } from '../schedule/driver.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Access } from './access-list.ts'
import type { AccessChange, CommandKind, CommandOf, CommandResults } from './command.ts'
import { SimulationCore } from './core.ts'
import type { CoreDump } from './delta.ts'
import { eventKinds } from './event-kinds.ts'
import { KEY_PREFIX } from './key-ring.ts'
import { RequestLog } from './request-log.ts'
import { checkCollections, DEFAULT_SEED, listSome, type SimulationInit } from './simulation-init.ts'

/** How long a fast-forward computes before it lets other simulations have a turn. */
const SLICE_MS = 50

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

  readonly #runtime: Runtime
  readonly #core: SimulationCore
  readonly #driver: Driver
  readonly #requests = new RequestLog()
  readonly #listeners = new Set<(event: ChangeEvent) => void>()
  readonly #snapshots = new Map<string, CoreDump>()
  #phase: 'queued' | 'running' | 'resetting' | 'closed' = 'queued'
  #isFastForwarding = false
  #ready: Promise<void>
  #held = new AbortController()

  /** Throws `bad_request` for a collection that the model does not have, `invalid_request` for a rule that is wrong. */
  constructor(init: SimulationInit) {
    const { model, runtime, volume = {}, seedRecords = {}, hints = {} } = init
    checkCollections('volume', Object.keys(volume), model)
    checkCollections('seedRecords', Object.keys(seedRecords), model)
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
    this.#driver = new Driver(runtime.startTimer)
    this.#core = new SimulationCore({
      model,
      dataset: createDataset(model, { seed: this.seed, epoch: this.epoch, volume, seedRecords, hints }),
      seed: this.seed,
      epoch: this.epoch,
      createdAt: this.createdAt,
      validation: init.validation ?? 'strict',
      strictParents: init.strictParents ?? false,
      access: init.access,
      plan: parsePlan([...(init.plan ?? derivePlan(model))], model).plan,
      countRequest: init.countRequest ?? (() => true),
    })
    for (const rule of init.rules ?? []) this.addRule(rule)
    this.#ready = this.#becomeRunning()
  }

  status(): SimulationStatus {
    if (this.#phase === 'queued' || this.#phase === 'resetting') return this.#phase
    return this.#core.isPaused ? 'paused' : 'running'
  }

  /** Resolves when nothing is under way that requests have to wait for: creation, a reset, a fast-forward. */
  ready(): Promise<void> {
    return this.#ready
  }

  /** Whether requests need not wait. */
  isReady(): boolean {
    return this.#phase === 'running' && !this.#isFastForwarding
  }

  collections(): CollectionSummary[] {
    this.#tick()
    return this.model.collections.map(({ name, statusField, id, parent }) => ({
      name,
      records: this.#core.world.collection(name).count,
      statusField: statusField?.join('.') ?? null,
      idField: id.field?.join('.') ?? null,
      parent: parent?.collection ?? null,
    }))
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
    this.#releaseHeld()
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

  /** Answers a request to the simulated API. Call it when {@link Simulation.ready} has resolved. */
  handle(request: ApiRequest): ApiResponse {
    const { clock } = this.#runtime
    const arrivedAt = clock.monotonic()
    const at = this.#now()
    const entry = this.#requests.add(request, this.#core.now(at))
    const { response, trace } = this.#execute({ at, kind: 'request', request })
    Object.assign(entry, trace)
    const complete = (): void => {
      entry.status = response.status
      entry.durationMs = Math.round((clock.monotonic() - arrivedAt) * 1_000) / 1_000
    }
    if (response.delayMs === undefined && response.fault === undefined) {
      complete()
      return response
    }
    return { ...response, release: this.#held.signal, onSent: complete, ...this.#late(request, response) }
  }

  /**
   * Runs the behaviour plan as if `hours` had passed. All or nothing: past 1,000,000 changes everything is undone and
   * `bad_request` is thrown, as it is while the simulation is paused.
   */
  async fastForward(hours: number): Promise<FastForwardResult> {
    const turn = this.#ready.then(() => this.#runSlices({ at: this.#now(), kind: 'fast-forward', hours }))
    this.#ready = turn.then(ignore, ignore)
    return turn
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
    this.#phase = 'resetting'
    this.#releaseHeld()
    this.#ready = this.#ready.then(() => {
      if (this.#phase === 'closed') return
      this.#execute({ at: this.#now(), kind: 'reset' })
      this.webhooks.dropWaiting()
      return this.#becomeRunning()
    })
  }

  /** Records as the simulation keeps them, past the simulated API. Throws `not_found` for an unknown collection. */
  records(name: string, { limit, offset }: { limit: number; offset: number }): RecordsPage {
    this.#tick()
    const known = this.model.collections.map((collection) => collection.name)
    if (!known.includes(name)) {
      throw notFound(`No collection "${name}" in simulation "${this.slug}". There are: ${listSome(known)}.`)
    }
    const view = this.#core.world.collection(name)
    const { keys, total } = view.select({ offset, limit })
    return { data: keys.map((key) => view.get(key)).filter((record) => record !== undefined), total, limit, offset }
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    this.#tick()
    return this.#core.events()
  }

  /** The latest 100 requests, newest first. */
  logs(): LogEntry[] {
    return this.#requests.read()
  }

  clock(): ClockReading {
    const real = this.#now()
    const now = this.#core.now(real)
    return { now: toIso(now), offsetMs: now - real, paused: this.#core.isPaused }
  }

  /** Keeps data, world time, plan, rules, counters and events as they are now. Returns the snapshot's id. */
  snapshot(): string {
    this.#tick()
    const id = `snap_${this.#snapshots.size + 1}`
    this.#snapshots.set(id, this.#core.dump())
    return id
  }

  /** Puts a snapshot back; webhooks, keys and access stay, waiting deliveries are dropped. Throws `not_found`. */
  restore(id: string): void {
    const snapshot = this.#snapshots.get(id)
    if (snapshot === undefined) throw notFound(`No snapshot "${id}" of simulation "${this.slug}".`)
    this.#releaseHeld()
    this.#core.restore(snapshot, this.#now())
    this.webhooks.dropWaiting()
    this.#wake()
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener)
    this.audienceChanged()
    return () => {
      this.#listeners.delete(listener)
      this.#wake()
    }
  }

  /** To be called when a webhook was added, removed or enabled: from now on somebody may be waiting for changes. */
  audienceChanged(): void {
    this.#tick()
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

  #now(): number {
    return this.#runtime.clock.now()
  }

  /** The way of every command into the core, and of its events out. */
  #execute<Kind extends CommandKind>(command: CommandOf<Kind>): CommandResults[Kind] {
    const result = this.#core.execute(command)
    this.#announce()
    if (command.kind !== 'request' && command.kind !== 'tick') this.#wake()
    return result
  }

  /** Runs what fell due since somebody last looked. */
  #tick(): void {
    if (!this.#isFastForwarding) this.#execute({ at: this.#now(), kind: 'tick' })
  }

  /** What to answer when a request was held before it was processed, and its hold is over. */
  #late(request: ApiRequest, { fault }: ApiResponse): Pick<ApiResponse, 'proceed'> {
    if (fault?.kind !== 'hold' || !fault.processAfter) return {}
    return { proceed: () => this.#execute({ at: this.#now(), kind: 'request', request, isLate: true }).response }
  }

  async #runSlices(command: CommandOf<'fast-forward'>): Promise<FastForwardResult> {
    const { clock } = this.#runtime
    const run = this.#core.fastForward(command)
    this.#isFastForwarding = true
    try {
      let sliceEnd = clock.monotonic() + SLICE_MS
      for (let step = run.next(); ; step = run.next()) {
        if (step.done) return step.value
        if (clock.monotonic() < sliceEnd) continue
        await nextTurn()
        if (this.#phase === 'closed') run.throw(badRequest('Failed to fast-forward: the simulation was deleted.'))
        sliceEnd = clock.monotonic() + SLICE_MS
      }
    } finally {
      this.#isFastForwarding = false
      this.#announce()
      this.#wake()
    }
  }

  #announce(): void {
    for (const logged of this.#core.takeFresh()) {
      const isWanted = this.webhooks.wants(logged.type)
      if (!isWanted && this.#listeners.size === 0) continue
      const { cause, ...event } = this.#core.toEvent(logged)
      if (isWanted) this.webhooks.enqueue(event)
      for (const listener of this.#listeners) listener({ ...event, cause })
    }
  }

  /** While somebody waits for changes, a timer runs what falls due; otherwise the next look at the simulation does. */
  #wake(): void {
    const dueAt = this.#core.nextDueAt
    const isWatched = this.#listeners.size > 0 || this.webhooks.list().length > 0
    const isAwake = isWatched && !this.#isFastForwarding && this.#phase !== 'closed'
    this.#driver.wakeIn(isAwake && dueAt !== undefined ? dueAt - this.#core.now(this.#now()) : undefined, () => {
      this.#tick()
      this.#wake()
    })
  }

  #releaseHeld(): void {
    this.#held.abort()
    this.#held = new AbortController()
  }

  async #becomeRunning(): Promise<void> {
    await nextTurn()
    if (this.#phase !== 'closed') this.#phase = 'running'
  }
}

const ignore = (): void => {}
