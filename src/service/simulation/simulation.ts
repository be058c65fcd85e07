import type { BehaviourPlan, BehaviourRequest } from '../../protocol/behaviour.ts'
import { badRequest, notFound } from '../../protocol/errors.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { ClockReading, LogEntry, RecordsPage } from '../../protocol/reads.ts'
import type { ResponseRule, ResponseRuleRequest } from '../../protocol/response-rule.ts'
import type { CollectionSummary, FastForwardResult, SimulationStatus } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import { nextTurn } from '../../runtime/timers.ts'
import { derivePlan } from '../behaviour/derive-plan.ts'
import { type ParsedPlan, parsePlan } from '../behaviour/parse-plan.ts'
import { createDataset } from '../dataset/create-dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import { RuleBook, type RuleBookState } from '../simulated-api/rules/rule-book.ts'
import { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'
import { type Access, AccessList } from './access-list.ts'
import { KeyRing } from './key-ring.ts'
import { type LivingState, LivingWorld } from './living-world.ts'
import { RequestGate } from './request-gate.ts'
import { RequestLog } from './request-log.ts'
import { checkCollections, DEFAULT_SEED, type SimulationInit } from './simulation-init.ts'
import { StaleReads } from './stale-reads.ts'

const HOUR_MS = 3_600_000

/** Some of the access settings; those left out stay. */
type AccessChange = { [Name in keyof Access]?: Access[Name] | undefined }

/**
 * One simulation: a state machine over (description, seed, volume, epoch) and the commands so far. Every command is
 * synchronous and happens at the world time of its own clock; only a fast-forward is cut into slices, and nothing else of
 * the simulation runs between them ({@link Simulation.ready}).
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

  readonly #living: LivingWorld
  readonly #api: SimulatedApi
  readonly #stale: StaleReads
  readonly #rules: RuleBook
  readonly #access: AccessList
  readonly #keys: KeyRing
  readonly #requests = new RequestLog()
  readonly #gate: RequestGate
  readonly #snapshots = new Map<string, LivingState & { rules: RuleBookState }>()
  #phase: 'queued' | 'running' | 'resetting' | 'closed' = 'queued'
  #ready: Promise<void>
  #held = new AbortController()

  /** Throws `bad_request` for a collection that the model does not have, `invalid_request` for a rule that is wrong. */
  constructor(init: SimulationInit) {
    const { model, runtime, volume = {}, seedRecords = {} } = init
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
    this.#living = new LivingWorld({
      model,
      dataset: createDataset(model, { seed: this.seed, epoch: this.epoch, volume, seedRecords }),
      seed: this.seed,
      epoch: this.epoch,
      runtime,
      webhooks: init.webhooks,
      present: (change) => this.#present(change),
      onChange: (change, at) => this.#stale.follow(change, at),
    })
    const { validation = 'strict', strictParents = false } = init
    const createApi = (world: World): SimulatedApi =>
      new SimulatedApi({ model, world, seed: this.seed, validation, strictParents })
    this.#api = createApi(this.#living.world)
    this.#stale = new StaleReads(model, this.#living.world, createApi)
    this.#rules = new RuleBook(this.seed)
    this.#access = new AccessList(init.access)
    this.#keys = new KeyRing(runtime.secret)
    this.#gate = new RequestGate({
      model,
      runtime,
      api: this.#api,
      access: this.#access,
      keys: this.#keys,
      rules: this.#rules,
      stale: this.#stale,
      log: this.#requests,
      living: this.#living,
      release: () => this.#held.signal,
      countRequest: init.countRequest ?? (() => true),
    })
    for (const rule of init.rules ?? []) this.addRule(rule)
    this.#living.setPlan(parsePlan([...(init.plan ?? derivePlan(model))], model).plan)
    this.#ready = this.#becomeRunning()
  }

  status(): SimulationStatus {
    if (this.#phase === 'queued' || this.#phase === 'resetting') return this.#phase
    return this.#living.isPaused ? 'paused' : 'running'
  }

  /** Resolves when nothing is under way that requests have to wait for: creation, a reset, a fast-forward. */
  ready(): Promise<void> {
    return this.#ready
  }

  /** Whether requests need not wait. */
  isReady(): boolean {
    return this.#phase === 'running' && !this.#living.isFastForwarding
  }

  collections(): CollectionSummary[] {
    this.#living.catchUp()
    return this.model.collections.map(({ name, statusField, id, parent }) => ({
      name,
      records: this.#living.world.collection(name).count,
      statusField: statusField?.join('.') ?? null,
      idField: id.field?.join('.') ?? null,
      parent: parent?.collection ?? null,
    }))
  }

  /** Names of the event kinds that the simulation emits. */
  eventKinds(): string[] {
    return this.#living.feed.kinds(this.model)
  }

  plan(): BehaviourPlan {
    return this.#living.plan
  }

  /** Replaces the behaviour plan; answers with the plan as kept and why steps were dropped. */
  setBehaviour(rules: BehaviourRequest['rules']): ParsedPlan {
    const parsed = parsePlan(rules, this.model)
    this.#living.setPlan(parsed.plan)
    return parsed
  }

  rules(): ResponseRule[] {
    return this.#rules.list()
  }

  /** Throws `invalid_request` for a config that does not fit its kind. */
  addRule(request: ResponseRuleRequest): ResponseRule {
    const rule = this.#rules.add(request, this.#living.now())
    this.#watchStale()
    return rule
  }

  /** Throws `not_found` when there is no such rule. Lets held requests go. */
  removeRule(id: string): void {
    this.#rules.remove(id)
    this.#watchStale()
    this.#releaseHeld()
  }

  access(): Access {
    return this.#access.read()
  }

  /** Throws `bad_request` for an invalid range; nothing is changed then. */
  setAccess(change: AccessChange): void {
    this.#access.change(change)
  }

  /** Issues a key under `name`, or adopts `secret`. The full key is only ever returned here. */
  issueKey(name: string, secret?: string): string {
    return this.#keys.issue(name, secret)
  }

  keyPrefixes(): string[] {
    return this.#keys.prefixes()
  }

  /** Answers a request to the simulated API. Call it when {@link Simulation.ready} has resolved. */
  handle(request: ApiRequest): ApiResponse {
    this.#living.catchUp()
    return this.#gate.handle(request)
  }

  /**
   * Runs the behaviour plan as if `hours` had passed. All or nothing: past 1,000,000 changes everything is undone and
   * `bad_request` is thrown, as it is while the simulation is paused.
   */
  async fastForward(hours: number): Promise<FastForwardResult> {
    const turn = this.#ready.then(() => {
      if (!this.#living.isPaused) return this.#fastForward(hours)
      throw badRequest(`Failed to fast-forward simulation "${this.slug}": it is paused. Resume it first.`)
    })
    this.#ready = turn.then(ignore, ignore)
    return { hours, changes: await turn }
  }

  /** Stands the world still: the simulated API answers 503 and the schedule stops. */
  pause(): void {
    this.#living.pause()
  }

  resume(): void {
    this.#living.resume()
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
      this.#living.reset()
      this.#rules.restart(this.epoch)
      this.#forgetRequests()
      return this.#becomeRunning()
    })
  }

  /** Records as the simulation keeps them, past the simulated API. Throws `not_found` for an unknown collection. */
  records(name: string, { limit, offset }: { limit: number; offset: number }): RecordsPage {
    this.#living.catchUp()
    if (!this.model.collections.some((collection) => collection.name === name)) {
      throw notFound(`No collection "${name}" in simulation "${this.slug}".`)
    }
    const view = this.#living.world.collection(name)
    const { keys, total } = view.select({ offset, limit })
    return { data: keys.map((key) => view.get(key)).filter((record) => record !== undefined), total, limit, offset }
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    this.#living.catchUp()
    return this.#living.feed.read()
  }

  /** The latest 100 requests, newest first. */
  logs(): LogEntry[] {
    return this.#requests.read()
  }

  clock(): ClockReading {
    return { now: toIso(this.#living.now()), offsetMs: this.#living.offsetMs, paused: this.#living.isPaused }
  }

  /** Keeps data, world clock, plan, rules, counters and events as they are now. Returns the snapshot's id. */
  snapshot(): string {
    const id = `snap_${this.#snapshots.size + 1}`
    this.#snapshots.set(id, { ...this.#living.dump(), rules: this.#rules.dump() })
    return id
  }

  /** Puts a snapshot back; webhooks and keys stay, waiting deliveries are dropped. Throws `not_found`. */
  restore(id: string): void {
    const snapshot = this.#snapshots.get(id)
    if (snapshot === undefined) throw notFound(`No snapshot "${id}" of simulation "${this.slug}".`)
    this.#releaseHeld()
    this.#living.load(snapshot)
    this.#rules.load(snapshot.rules)
    this.#watchStale()
    this.#forgetRequests()
  }

  /** Calls `listener` with each event as it happens, until the returned function is called. */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    const unsubscribe = this.#living.feed.subscribe(listener)
    this.audienceChanged()
    return () => {
      unsubscribe()
      this.audienceChanged()
    }
  }

  /** To be called when a webhook was added, removed or enabled: from now on somebody may be waiting for changes. */
  audienceChanged(): void {
    this.#living.catchUp()
    this.#living.wake()
  }

  /** Stops everything and lets held requests go. */
  async close(): Promise<void> {
    this.#phase = 'closed'
    this.#living.close()
    this.#snapshots.clear()
    this.#releaseHeld()
    await this.webhooks.close()
  }

  async #fastForward(hours: number): Promise<number> {
    try {
      return await this.#living.fastForward(hours * HOUR_MS)
    } catch (error) {
      this.#stale.restart()
      throw error
    }
  }

  /** The record as the simulated API would return it; null for one that is gone. */
  #present(change: Change): Json {
    if (change.type === 'deleted') return null
    return 'singleton' in change ? change.record : this.#api.present(change.collection, change.record)
  }

  /** What was remembered of requests belongs to the data that they met. */
  #forgetRequests(): void {
    this.#api.reset()
    this.#gate.reset()
    this.#stale.restart()
  }

  #watchStale(): void {
    this.#stale.watch(this.#rules.list().flatMap(({ id, kind }) => (kind === 'staleRead' ? [id] : [])))
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
