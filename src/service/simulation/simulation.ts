import type { ChangeEvent } from '../../protocol/event.ts'
import type { ClockReading } from '../../protocol/reads.ts'
import type { CollectionSummary, FastForwardResult, KeptSnapshot, SimulationStatus } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Access } from '../simulated-api/access-list.ts'
import type { CompiledApi } from '../simulated-api/compiled/compiled-api.ts'
import { UserFunctions } from '../simulated-api/handlers/user-functions.ts'
import { KEY_PREFIX, type KeptKey } from '../simulated-api/key-ring.ts'
import type { JournalMark, Missed } from '../store/store.ts'
import type { StoreParts } from '../store/store-parts.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import { typesIn } from '../webhooks/event-form.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import type { CommandInput, CommandResults, OwnerCommand } from './core/command.ts'
import { SimulationCore } from './core/core.ts'
import { coreOptionsOf } from './core/core-options.ts'
import type { CoreDump } from './core/core-state.ts'
import type { EventSelection } from './core/event-log.ts'
import { summariseCollections } from './core/world-reads.ts'
import { DEFAULT_SEED, type SimulationInit } from './origin/simulation-init.ts'
import { OwnerRules } from './owner-rules.ts'
import { SimulationRequests } from './requests/simulation-requests.ts'
import type { HappenedEvent } from './running/announcements.ts'
import type { Holds } from './running/holds.ts'
import type { Phase } from './running/lifecycle.ts'
import { readInSlices } from './running/request-reads.ts'
import { RunningCore } from './running/running-core.ts'
import { SimulationPlan } from './simulation-plan.ts'
import { SimulationRecords } from './simulation-records.ts'
import { KeptSimulation } from './stored/kept-simulation.ts'
import { restore, restoreInSlices, Snapshots } from './stored/snapshots.ts'
import { takeOver } from './stored/stored-core.ts'
import { WebhookCommands } from './webhook-commands.ts'

/**
 * One simulation: the pure core with its surroundings: the clock that gives every command its time, the log of
 * requests, and the webhooks and listeners of changes.
 */
export class Simulation {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly api: CompiledApi
  readonly model: ApiModel
  readonly seed: string
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  readonly instructions: string | undefined
  readonly webhooks: Webhooks
  readonly webhookCommands: WebhookCommands
  readonly requests: SimulationRequests
  readonly functions: UserFunctions
  readonly records: SimulationRecords
  readonly rules: OwnerRules
  readonly plan: SimulationPlan
  /** Set where it is kept in a store. */
  kept: KeptSimulation | undefined

  readonly #init: SimulationInit
  readonly #core: SimulationCore
  readonly #running: RunningCore
  readonly #snapshots = new Snapshots()

  /** Event types of the library entry; none where it uses our own kinds. */
  get entryTypes(): readonly string[] {
    return (this.#init.apiWebhooks && typesIn(this.#init.apiWebhooks.format)) ?? []
  }

  /** Host names of the library entry, with their paths. */
  get hosts(): SimulationInit['hosts'] {
    return this.#init.hosts
  }

  /** Throws `bad_request` for an unknown collection, `invalid_request` for an invalid rule. */
  constructor(init: SimulationInit) {
    const { runtime } = init
    this.id = init.id
    this.name = init.name
    this.slug = init.slug
    this.api = init.blueprint.api
    this.model = init.blueprint.model
    this.seed = init.seed ?? DEFAULT_SEED
    this.createdAt = init.createdAt ?? runtime.clock.now()
    this.epoch = init.epoch ?? Math.floor(this.createdAt / 1000) * 1000
    this.instructions = init.instructions
    this.#init = init
    const { seed, epoch, createdAt } = this
    this.functions = init.functions ?? new UserFunctions()
    this.#core = new SimulationCore(coreOptionsOf({ ...init, functions: this.functions }, { seed, epoch, createdAt }))
    const onExhausted = (id: string) => void this.webhookCommands.switchOff(id)
    this.webhooks = new Webhooks({ runtime, reachable: init.reachable, onExhausted, entry: init.apiWebhooks })
    this.#running = new RunningCore(this.#core, this.webhooks, init)
    this.webhookCommands = new WebhookCommands(this, this.#running, init)
    this.requests = new SimulationRequests(this.#running, init)
    this.records = new SimulationRecords(this.#running)
    this.plan = new SimulationPlan(this.#running)
    this.rules = new OwnerRules(this.#running)
    for (const rule of init.rules ?? []) this.rules.add(rule)
  }

  /** Saves everything in a store from now on; `mark` is its position there. For a simulation made with `isStored`. */
  keepIn(parts: StoreParts, mark: JournalMark, stateLength: number): void {
    const { id, webhooks, requests } = this
    const made = { running: this.#running, requests, webhooks, ...this.#init }
    this.kept = new KeptSimulation({ id, mark, stateLength }, made, parts)
    this.webhookCommands.switchOffRefused()
  }

  /** Updates the simulation to the state of its journal. */
  takeOver(missed: Missed): JournalMark | undefined {
    return takeOver(this.#running, missed)
  }

  /** Why records with the address of a webhook are none. */
  skippedWebhooks(): string[] {
    return this.#core.timeline.registry?.skippedIn(this.#core.world) ?? []
  }

  /** The whole state, for saving. */
  dump(): CoreDump {
    return this.#core.dump()
  }

  /** The entry of every read and change of the state: at once, or in a batch of the lane. See {@link CommandLane.run}. */
  run<T>(work: () => T, isRead = false): T | Promise<T> {
    return this.kept === undefined ? work() : this.kept.lane.run(work, isRead)
  }

  /** The deliveries of webhooks, sent by this or any node. */
  get deliveries(): Deliveries {
    return this.kept?.deliveries ?? this.webhooks
  }

  /** Answers delayed by response rules, and streamed ones. */
  get holds(): Holds {
    return this.#running.holds
  }

  /** Whether commands go through a lane. */
  get isStored(): boolean {
    return this.kept !== undefined
  }

  /** Whether another node has deleted it. */
  get isGone(): boolean {
    return this.kept?.lane.isClosed ?? false
  }

  status(): SimulationStatus {
    const { phase } = this
    if (!this.isStored && (phase === 'queued' || phase === 'resetting')) return phase
    return this.#core.clock.isPaused ? 'paused' : 'running'
  }

  /** The current activity; `running` without one. */
  get phase(): Phase {
    return this.#running.phase
  }

  /** Resolves when requests need not wait. */
  ready(): Promise<void> {
    return this.#running.ready
  }

  /** Whether requests need not wait. */
  isReady(): boolean {
    return this.#running.isReady()
  }

  collections(): CollectionSummary[] {
    this.#running.tick()
    return summariseCollections(this.#core.world)
  }

  access(): Access {
    return this.#core.access.read()
  }

  /** Executes a command. One that throws has changed nothing. */
  execute<Kind extends OwnerCommand>(input: CommandInput<Kind>): CommandResults[Kind] {
    return this.#running.execute(input)
  }

  /** Issues a key under `name`, or adopts `key`. Only this call returns the full key. */
  issueKey(name: string, key: string = `${KEY_PREFIX}${this.#init.runtime.secret(16)}`): string {
    this.#running.execute({ kind: 'issue-key', name, key })
    return key
  }

  keys(): KeptKey[] {
    return this.#core.keys.list()
  }

  /**
   * Runs the behaviour plan as if `hours` had passed, all or nothing. Throws `bad_request` while the simulation is
   * paused, beyond 1,000,000 changes, after 60 s of computing, and when it is interrupted or `left` aborts.
   */
  fastForward(hours: number, left?: AbortSignal): Promise<FastForwardResult> {
    return this.kept?.lane.fastForward(hours, left) ?? this.#running.fastForward(hours, left)
  }

  /** Runs a rule of the plan now. Rejects with `not_found`, and `bad_request` while the simulation is paused. */
  runRule(id: string): Promise<{ changes: number }> {
    return (
      this.kept?.lane.run(() => this.#running.execute({ kind: 'run-rule', ruleId: id })) ?? this.#running.runRule(id)
    )
  }

  /** Ends running fast-forwards, which are undone. @param fact why: `the simulation was paused meanwhile` */
  interrupt(fact: string): void {
    if (this.kept === undefined) this.#running.interrupt(fact)
    else this.kept.lane.interrupt(fact)
  }

  /** Regenerates the data, in the background. Keys, webhooks, rules, access, plan and pause stay; waiting deliveries are dropped. */
  reset(): void {
    this.holds.end()
    this.#running.reset()
  }

  /** Events, newest first; by default the latest 100. */
  events(selection?: EventSelection): ChangeEvent[] {
    this.#running.tick()
    return this.#core.events(selection)
  }

  /** The simulation's own time, and the lag of the plan. */
  clock(): ClockReading {
    this.isReady()
    const { lagMs } = this.#running
    const real = this.#running.now()
    const now = this.#core.clock.now(real)
    const reading = { now: toIso(now), offsetMs: now - real, paused: this.#core.clock.isPaused }
    return lagMs === undefined ? reading : { ...reading, lagMs }
  }

  /**
   * Saves data, world time, plan, rules, counters and events of one moment; long parts are read in slices. Resolves
   * with the snapshot's id. Rejects when `left` aborts.
   */
  async snapshot(name: string | null = null, left?: AbortSignal): Promise<string> {
    const dump = await readInSlices({ simulation: this, left }, (read) => {
      this.#running.tick()
      return this.#running.read(() => this.#core.dump(), read)
    })
    return (this.kept?.snapshots ?? this.#snapshots).add(dump, name)
  }

  /** The kept snapshots, newest first. */
  snapshots(): KeptSnapshot[] | Promise<KeptSnapshot[]> {
    return (this.kept?.snapshots ?? this.#snapshots).list()
  }

  /** Restores a snapshot; webhooks, keys and access stay, waiting deliveries are dropped. Rejects with `not_found`. */
  async restore(id: string): Promise<void> {
    const kept = this.kept
    if (kept === undefined) return restoreInSlices(this.#running, this.#snapshots.get(id), this.#init.slices)
    const state = await kept.snapshots.get(id)
    return kept.lane.run(() => restore(this.#running, { state }))
  }

  /** Passes each event to `follower`, until the returned function is called. */
  follow(follower: (event: HappenedEvent) => void): () => void {
    return this.#running.follow(follower)
  }

  /** Stops everything and releases held requests. */
  async close(): Promise<void> {
    const sent = this.kept?.deliveries.close()
    this.kept?.lane.close()
    this.#running.close()
    this.#snapshots.clear()
    this.holds.end()
    await sent
    await this.webhooks.dispatcher.close()
  }
}
