import { eventKinds } from '../../names/event-kinds.ts'
import type { BehaviourPlan, BehaviourRequest } from '../../protocol/behaviour.ts'
import { ApiError } from '../../protocol/errors.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import { explainUnknownKind } from '../../protocol/event.ts'
import type { ClockReading } from '../../protocol/reads.ts'
import type { ParsedRuleRequest, ResponseRule } from '../../protocol/response-rule.ts'
import type { CollectionSummary, FastForwardResult, SimulationStatus } from '../../protocol/simulation.ts'
import type { NewWebhookFault, RegisteredWebhook, WebhookFault, WebhookRequest } from '../../protocol/webhook.ts'
import type { ParsedPlan } from '../behaviour/parse-plan.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from '../simulated-api/exchange.ts'
import type { RuleSubject } from '../simulated-api/rules/rule-subject.ts'
import { admitWebhook, SECRET_NOTE } from '../webhooks/webhook-settings.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { LongRead } from '../world/long-reads.ts'
import type { Access } from './access-list.ts'
import type { HappenedEvent, Taker } from './announcements.ts'
import type { AccessChange, CommandInput, CommandKind, CommandResults } from './command.ts'
import { SimulationCore } from './core.ts'
import { coreOptionsOf } from './core-options.ts'
import { Holds } from './holds.ts'
import { KEY_PREFIX } from './key-ring.ts'
import type { Phase } from './lifecycle.ts'
import { checkOperationId } from './operation-id.ts'
import { type LoggedAnswer, RequestLog } from './request-log.ts'
import { type GivenAnswer, Responders } from './responders.ts'
import { RunningCore } from './running-core.ts'
import { DEFAULT_SEED, type SimulationInit } from './simulation-init.ts'
import { SimulationRecords } from './simulation-records.ts'
import { Snapshots } from './snapshots.ts'
import { summariseCollections } from './world-reads.ts'

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
  readonly responders = new Responders()
  readonly records: SimulationRecords

  readonly #init: SimulationInit
  readonly #core: SimulationCore
  readonly #running: RunningCore
  readonly #snapshots = new Snapshots()

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
    this.#init = init
    const { seed, epoch, createdAt } = this
    this.#core = new SimulationCore(coreOptionsOf(init, { seed, epoch, createdAt }))
    this.log = new RequestLog(runtime.clock, this.#core)
    const onExhausted = (id: string) => void this.#switchOff(id)
    this.webhooks = new Webhooks({ runtime, reachable: init.reachable, onExhausted })
    this.#running = new RunningCore(this.#core, this.webhooks, init)
    this.records = new SimulationRecords(this.model, this.#running)
    for (const rule of init.rules ?? []) this.addRule(rule)
  }

  status(): SimulationStatus {
    const { phase } = this
    if (phase === 'queued' || phase === 'resetting') return phase
    return this.#core.isPaused ? 'paused' : 'running'
  }

  /** What is under way; `running` where nothing is. */
  get phase(): Phase {
    return this.#running.phase
  }

  /** Resolves when nothing is under way that requests have to wait for. */
  ready(): Promise<void> {
    return this.#running.ready
  }

  /** Whether requests need not wait. */
  isReady(): boolean {
    return this.#running.isReady()
  }

  collections(): CollectionSummary[] {
    this.#running.tick()
    return summariseCollections(this.model, this.#core.world)
  }

  plan(): BehaviourPlan {
    return this.#core.plan
  }

  /** Replaces the behaviour plan; answers with the plan as kept and why steps were dropped. */
  setBehaviour(rules: BehaviourRequest['rules']): ParsedPlan {
    return this.#execute({ kind: 'set-behaviour', rules })
  }

  rules(): ResponseRule[] {
    return this.#core.rules()
  }

  /** Throws `invalid_request` for a config that does not fit its kind, `bad_request` for an unknown operation. */
  addRule(rule: ParsedRuleRequest): ResponseRule {
    if (rule.operation !== undefined) checkOperationId(this.model, rule.operation)
    return this.#execute({ kind: 'add-rule', rule })
  }

  /** Throws `not_found` when there is no such rule. Lets held requests go. */
  removeRule(id: string): void {
    this.#execute({ kind: 'remove-rule', id })
    this.holds.release()
  }

  access(): Access {
    return this.#core.access()
  }

  /** Throws `bad_request` for an invalid range; nothing is changed then. */
  setAccess(change: AccessChange): void {
    this.#execute({ kind: 'set-access', change })
  }

  /** Issues a key under `name`, or adopts `key`. The full key is only ever returned here. */
  issueKey(name: string, key: string = `${KEY_PREFIX}${this.#init.runtime.secret(16)}`): string {
    this.#execute({ kind: 'issue-key', name, key })
    return key
  }

  keyPrefixes(): string[] {
    return this.#core.keyPrefixes()
  }

  /** Answers a request. Throws while not ready, and a {@link LongRead} to `goOn` with and to be asked again with. */
  handle(request: ApiRequest, read?: LongRead, given?: GivenAnswer): LoggedAnswer {
    const { meter } = this.#init
    const at = this.#running.now()
    const number = read?.request ?? this.log.add(request, this.#core.now(at))
    try {
      const isOverLimit = meter?.isOverRequestLimit ?? false
      const answered = this.#running.answer({ at, kind: 'request', request, isOverLimit, given }, read)
      if (answered.isCounted) meter?.countRequest()
      this.log.noteAnswer(number, answered)
      return { response: answered.response, number }
    } catch (error) {
      if (error instanceof LongRead) error.request = number
      else this.log.noteSent(number)
      throw error
    }
  }

  goOn(read: LongRead, caller: { readonly destroyed: boolean }): Promise<void> {
    return this.#running.goOn(read, caller)
  }

  /** A request that the gates let pass, as rules see it; undefined for one that is refused whatever its body holds. */
  admit(request: ApiRequest): RuleSubject | undefined {
    const isOverLimit = this.#init.meter?.isOverRequestLimit ?? false
    return this.#core.admit({ at: this.#running.now(), request, isOverLimit })
  }

  /** Answers a request that a response rule held before it was processed. @param number of the request in the log */
  handleLate(request: ApiRequest, number: number): ApiResponse {
    const answered = this.#execute({ kind: 'request', request, isLate: true })
    this.log.noteAnswer(number, answered)
    return answered.response
  }

  /**
   * Runs the behaviour plan as if `hours` had passed, all or nothing. Throws `bad_request` while the simulation is paused,
   * past 1,000,000 changes, after 60 s of computing, and where it is interrupted or `left` aborts.
   */
  fastForward(hours: number, left?: AbortSignal): Promise<FastForwardResult> {
    return this.#running.fastForward(hours, left)
  }

  /** Ends fast-forwards that are under way, which are undone. @param fact why: `the simulation was paused meanwhile` */
  interrupt(fact: string): void {
    this.#running.interrupt(fact)
  }

  /** Stands the world still: the simulated API answers 503 and the schedule stops. */
  pause(): void {
    this.#execute({ kind: 'pause' })
  }

  resume(): void {
    this.#execute({ kind: 'resume' })
  }

  /** Regenerates the data, in the background. Keys, webhooks, rules, access, plan and pause stay; waiting deliveries go. */
  reset(): void {
    this.holds.release()
    void this.#running.reset()
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    this.#running.tick()
    return this.#core.events()
  }

  clock(): ClockReading {
    return this.#running.clock()
  }

  /** Keeps data, world time, plan, rules, counters and events as they are now. Returns the snapshot's id. */
  snapshot(): string {
    this.#running.tick()
    return this.#snapshots.add(this.#core.dump())
  }

  /** Puts a snapshot back; webhooks, keys and access stay, waiting deliveries are dropped. Throws `not_found`. */
  restore(id: string): void {
    const snapshot = this.#snapshots.get(id)
    this.holds.release()
    this.#execute({ kind: 'restore', state: snapshot })
    this.#running.dropWaiting()
  }

  /** Hands each event to `follower` as it happens, until the returned function is called. */
  follow(follower: Taker<HappenedEvent>): () => void {
    return this.#running.follow(follower)
  }

  /** Registers a webhook; throws `invalid_request`, `unsafe_url` or `plan_limit`. No connection is made. */
  async addWebhook(request: WebhookRequest): Promise<RegisteredWebhook> {
    const { runtime, reachable, maxWebhooks = Number.POSITIVE_INFINITY } = this.#init
    const webhook = await admitWebhook(request, runtime, reachable)
    await this.ready()
    if (this.#core.webhooks.count >= maxWebhooks) {
      throw new ApiError(402, 'plan_limit', `Expected at most ${maxWebhooks} webhooks per simulation on this plan.`)
    }
    this.#execute({ kind: 'add-webhook', webhook })
    const kinds = eventKinds(this.model)
    const warnings = webhook.events.flatMap((filter) => explainUnknownKind(filter, kinds) ?? [])
    return { ...webhook, note: SECRET_NOTE, ...(warnings.length > 0 && { warnings }) }
  }

  /** Removes a webhook with everything that waits for it; throws `not_found`. */
  removeWebhook(id: string): void {
    this.#execute({ kind: 'remove-webhook', id })
  }

  /** Switches a webhook on again: its count starts anew and what was held goes on. Throws `not_found`. */
  enableWebhook(id: string): void {
    this.#execute({ kind: 'enable-webhook', id })
    this.webhooks.forgiveFailures(id)
  }

  /** Spoils deliveries on purpose from now on. */
  addWebhookFault(request: NewWebhookFault): WebhookFault {
    const { events = '*' } = request
    const fault = { ...request, id: this.#init.runtime.uuid(), events: typeof events === 'string' ? [events] : events }
    this.#execute({ kind: 'add-webhook-fault', fault })
    return { ...fault, firings: [] }
  }

  /** Throws `not_found`. */
  removeWebhookFault(id: string): void {
    this.#execute({ kind: 'remove-webhook-fault', id })
  }

  /** Stops everything and lets held requests go. */
  async close(): Promise<void> {
    this.#running.close()
    this.#snapshots.clear()
    this.holds.release()
    await this.webhooks.close()
  }

  /** Executes a command now. */
  #execute<Kind extends CommandKind>(command: CommandInput<Kind>): CommandResults[Kind] {
    return this.#running.execute({ ...command, at: this.#running.now() })
  }

  async #switchOff(id: string): Promise<void> {
    await this.ready()
    if (this.webhooks.isExhausted(id)) this.#execute({ kind: 'disable-webhook', id })
  }
}
