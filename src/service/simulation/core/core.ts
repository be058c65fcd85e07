import { eventKinds } from '../../../names/event-kinds.ts'
import { badRequest, invalidRequest } from '../../../protocol/errors.ts'
import type { ChangeEvent } from '../../../protocol/event.ts'
import type { Json } from '../../../protocol/json.ts'
import { bearerIn, hasFormToken, maskSignIn } from '../../../protocol/mask-secrets.ts'
import type { KeptRecord } from '../../../protocol/record-edit.ts'
import type { SignInOutcome } from '../../../protocol/sign-in-command.ts'
import { parsePlan } from '../../behaviour/parse-plan.ts'
import type { PlanRunner } from '../../behaviour/plan-runner.ts'
import type { RunDue } from '../../behaviour/steps/due.ts'
import { AccessList } from '../../simulated-api/access-list.ts'
import {
  type AnsweredRequest,
  type Arrival,
  admit,
  answerRequest,
  type RequestParts,
} from '../../simulated-api/answer-request.ts'
import { KeyRing } from '../../simulated-api/key-ring.ts'
import { RuleBook } from '../../simulated-api/rules/rule-book.ts'
import type { RuleSubject } from '../../simulated-api/rules/rule-subject.ts'
import { SimulatedApi } from '../../simulated-api/simulated-api.ts'
import { findExcess } from '../../simulated-api/validation/record-size.ts'
import { typesIn } from '../../webhooks/event-form.ts'
import { WebhookSettings } from '../../webhooks/webhook-settings.ts'
import type { Change } from '../../world/change.ts'
import { runToEnd } from '../../world/long-reads.ts'
import { World } from '../../world/world.ts'
import type { CommandKind, CommandOf, CommandResults, Interruption } from './command.ts'
import { type CoreOptions, namesForSteps } from './core-options.ts'
import { type CoreDump, CoreState, type Delta } from './core-state.ts'
import { type Editing, planEdit } from './edit-record.ts'
import { EventCollection } from './event-collection.ts'
import { EventLog, type EventSelection } from './event-log.ts'
import type { LoggedChange } from './logged-change.ts'
import { StaleReads } from './stale-reads.ts'
import { planTrigger } from './trigger-event.ts'
import { openRegistry } from './webhook-registry.ts'
import type { WorldClock } from './world-clock.ts'
import { describeRecord } from './world-reads.ts'
import { refuseInterrupted, WorldTimeline } from './world-timeline.ts'

const HOUR_MS = 3_600_000

/**
 * A simulation as a pure state machine: state = f(description, seed, volume, epoch, the commands so far). Nothing in
 * it is async, reads a clock or draws at random; the same commands give the same bytes.
 */
export class SimulationCore {
  // For reading: only commands change them.
  readonly webhooks: WebhookSettings
  readonly keys: KeyRing
  readonly rules: RuleBook
  readonly access: AccessList
  readonly clock: WorldClock
  readonly runner: PlanRunner
  readonly log: EventLog
  readonly timeline: WorldTimeline
  readonly #state: CoreState
  readonly #api: SimulatedApi
  readonly #stale: StaleReads
  readonly #requestParts: RequestParts
  readonly #epoch: number
  /** Names of handlers for `due` steps. */
  readonly #stepNames: readonly string[]
  /** The revision of the access settings in the list. */
  #accessRevision = 0

  constructor({ api, dataset, seed, slug, epoch, validation, lenientParents, lenientKeys, ...options }: CoreOptions) {
    const { model } = api
    this.#state = new CoreState(new World(model, dataset), new EventLog(seed, model, slug), epoch)
    const { world, settings } = this.#state
    const { entryEffects, functions, apiWebhooks } = options
    const ownTypes = apiWebhooks && (() => typesIn(apiWebhooks.format) ?? eventKinds(model))
    const { secret } = options
    this.rules = new RuleBook(seed, settings)
    const accepted = { validation, lenientParents, lenientKeys }
    const talks = { scripts: this.rules, isStrict: options.replies === 'strict' }
    const apiOptions = { api, seed, secret, ...accepted, ...talks, entryEffects, functions, events: ownTypes }
    this.keys = new KeyRing(settings.keys, options.keyPrefixes?.length || model.signIn ? options.keyPrefixes : [''])
    this.#api = new SimulatedApi({ ...apiOptions, world, answers: settings.answers, keys: this.keys })
    this.access = new AccessList(options.access)
    this.webhooks = new WebhookSettings(settings)
    this.#stale = new StaleReads(world, this.rules, apiOptions)
    const runDue: RunDue = (...due) => this.#api.runDue(...due, settings.origin.get('latest'))
    this.timeline = new WorldTimeline(this.#state, this.#stale, { seed, epoch, ...options, runDue })
    this.clock = this.timeline.clock
    this.runner = this.timeline.runner
    this.log = this.#state.log
    this.#epoch = epoch
    this.#stepNames = namesForSteps(functions)
    const events = apiWebhooks?.format.log
    this.timeline.eventCollection = apiWebhooks && events ? new EventCollection(apiWebhooks, events, this) : undefined
    this.timeline.registry = openRegistry(options, this.webhooks)
    this.timeline.registry?.adopt(world)
    this.#requestParts = {
      api: this.#api,
      access: this.access,
      keys: this.keys,
      rules: this.rules,
      limits: settings.rateLimits,
      stale: this.#stale,
      registry: this.timeline.registry,
    }
    settings.access.set('list', this.access.read())
    this.#accessRevision = settings.access.revision
    this.runner.start(options.plan, epoch)
  }

  /** Executes one command at its own time, after all due runs unless `leavesDue`. A command that throws has changed nothing. */
  execute<Kind extends CommandKind>(command: CommandOf<Kind>, leavesDue = false): CommandResults[Kind] {
    const { kind, at } = command
    // A reset discards due runs, and so also solves failing ones.
    const isNewStart = kind === 'reset' || kind === 'restore'
    if (!isNewStart && !this.timeline.rest(this.clock.now(at)) && !leavesDue) this.#catchUp(at)
    return this.#handlers[kind](command)
  }

  /** {@link execute} for a request: catches up with its time, answers it, and commits its changes. */
  answer(command: CommandOf<'request'>, leavesDue = false): AnsweredRequest {
    const { at, request, isOverLimit = false, isLate = false } = command
    const now = this.clock.now(at)
    if (!this.timeline.rest(now) && !leavesDue) this.#catchUp(at)
    const arrival = { request, at: now, realAt: at, isPaused: this.clock.isPaused, isOverLimit, isLate }
    const answered = answerRequest(this.#requestParts, arrival)
    if (answered.changes.length > 0) {
      // Commands with changes cannot be restarted.
      this.world.longReads.end()
      const id = answered.response.headers['Request-Id']
      const headers = typeof id === 'string' ? { ...request.headers, 'request-id': id } : request.headers
      this.timeline.commit(answered.changes, now, { cause: 'request', request: { ...request, headers } })
      const { origin } = this.#state.settings
      if (origin.get('latest') !== request.origin) origin.set('latest', request.origin)
      if (answered.later !== undefined) this.timeline.schedule(answered.later)
    }
    if (answered.advanceTo !== undefined) this.timeline.advance(at, answered.advanceTo)
    return answered
  }

  #actOnSignIn({ at, asked, origin }: CommandOf<'act-on-sign-in'>): SignInOutcome {
    const now = this.clock.now(at)
    const { outcome, changes } = this.#api.actOnSignIn(asked, { at: now, realAt: at, origin })
    this.timeline.commit(changes, now, { cause: 'edit' })
    return outcome
  }

  /** Whether a request is refused whatever its body. Changes nothing. */
  admit(arrival: Pick<Arrival, 'at' | 'request' | 'isOverLimit'>): RuleSubject | undefined {
    const at = this.clock.now(arrival.at)
    return admit(this.#requestParts, { ...arrival, at, isPaused: this.clock.isPaused, isLate: false })
  }

  /**
   * A fast-forward with pauses after and within each run of the plan, with the result of its command. All or nothing.
   * Throws `bad_request` while paused, beyond 1,000,000 changes and when interrupted.
   */
  *fastForward(
    { at, hours }: CommandOf<'fast-forward'>,
    interruption?: Interruption,
  ): Generator<undefined, CommandResults['fast-forward']> {
    if (this.clock.isPaused) throw badRequest('Failed to fast-forward: the simulation is paused. Resume it first.')
    while (!(yield* this.timeline.catchUp(at))) refuseInterrupted(interruption)
    return { hours, changes: yield* this.timeline.fastForward(at, hours * HOUR_MS, interruption) }
  }

  /** Runs one rule of the plan now, with pauses and with the result of its command. All or nothing. */
  *runRule({ at, ruleId }: CommandOf<'run-rule'>): Generator<undefined, CommandResults['run-rule']> {
    return { changes: yield* this.timeline.runRule(at, ruleId) }
  }

  /** The event of a change. */
  toEvent(logged: LoggedChange): ChangeEvent {
    const event = this.log.toEvent(logged, this.#present(logged))
    return this.#api.signIn?.secretRecords.has(logged.subject) ? withoutSecrets(event) : event
  }

  /** A text of a request in the log, without secrets of the sign-in and of forms of pages. @param operation that it is for */
  maskSignIn(operation: string | null, text: string): string {
    const { signIn } = this.#api
    if (hasFormToken(text)) return maskSignIn(text)
    if (signIn === undefined) return text
    if (operation !== null && signIn.steps.has(operation)) return maskSignIn(text)
    const token = bearerIn(text)
    return token !== undefined && this.#api.accessToken(token, 0) !== undefined ? maskSignIn(text) : text
  }

  /** The latest `count` changes, oldest first; at most 100. */
  latestChanges(count: number): readonly LoggedChange[] {
    return this.log.latest(count)
  }

  /** Events, newest first; by default the latest 100. */
  events(selection?: EventSelection): ChangeEvent[] {
    return this.log.read(selection).map((logged) => this.toEvent(logged))
  }

  get world(): World {
    return this.#state.world
  }

  /** World time up to which the plan has run, milliseconds. */
  get restsAt(): number {
    return this.#state.restsAt
  }

  /** Starts a journal: `keep` or `undo` ends it. */
  begin(): void {
    this.#state.begin()
  }

  /** The changes of commands since `begin`; undefined without any. They can still be undone. */
  draft(): Delta | undefined {
    return this.#state.draft()
  }

  /** Keeps the changes of commands since `begin`. */
  keep(): void {
    this.#state.keep()
  }

  /** Reverts the changes of commands since `begin` without a trace. */
  undo(): void {
    this.#state.undo()
    this.#readAccess()
  }

  /** Applies the changes of commands of another core that was in the same state. */
  apply(delta: Delta): void {
    if (!delta.world.fromStart) this.#stale.followDelta(delta.world, delta.at)
    this.#state.apply(delta)
    this.#readAccess()
  }

  /** The whole state, as a delta from the start. `apply` it to a new core. */
  dump(): CoreDump {
    return this.#state.dump()
  }

  readonly #handlers: { readonly [Kind in CommandKind]: (command: CommandOf<Kind>) => CommandResults[Kind] } = {
    request: (command) => this.answer(command),
    'fast-forward': (command) => runToEnd(this.fastForward(command)),
    tick: () => undefined,
    'set-behaviour': ({ at, rules }) => {
      const parsed = parsePlan(rules, this.world.model, this.#stepNames)
      this.runner.start(parsed.plan, this.clock.now(at))
      return parsed
    },
    'set-rule': ({ at, rule, id }) => this.rules.set(rule, this.clock.now(at), id),
    'remove-rule': ({ id }) => this.rules.remove(id),
    'set-access': ({ change }) => {
      this.access.change(change)
      this.#state.settings.access.set('list', this.access.read())
      this.#accessRevision = this.#state.settings.access.revision
    },
    'run-rule': (command) => runToEnd(this.runRule(command)),
    'issue-key': ({ at, name, key }) => this.keys.add(name, key, this.clock.now(at)),
    'revoke-key': ({ prefix }) => this.keys.revoke(prefix),
    'add-webhook': ({ webhook }) => this.webhooks.add(webhook),
    'remove-webhook': ({ at, id }) => {
      const ofRecord = this.timeline.registry?.removalOf(id, this.world)
      if (ofRecord === undefined) this.webhooks.remove(id)
      else this.timeline.commit([ofRecord], this.clock.now(at), { cause: 'edit' })
    },
    'enable-webhook': ({ id }) => this.webhooks.enable(id),
    'disable-webhook': ({ id }) => this.webhooks.disable(id),
    'add-webhook-fault': ({ fault }) => this.webhooks.addFault(fault),
    'remove-webhook-fault': ({ id }) => this.webhooks.removeFault(id),
    'edit-record': (command) => this.#edit(command),
    'trigger-event': (command) => this.toEvent(this.#trigger(command)),
    'act-on-sign-in': (command) => this.#actOnSignIn(command),
    pause: ({ at }) => this.clock.pause(at),
    resume: ({ at }) => this.clock.resume(at),
    reset: ({ at }) => this.#reset(at),
    restore: (command) => this.#restore(command),
  }

  /** Changes a record; returns it, or undefined for a deletion. */
  #edit({ at, edit, isQuiet }: CommandOf<'edit-record'>): KeptRecord | undefined {
    const editing = this.#editingAt(at)
    const change = planEdit(editing, edit)
    this.#checkEdit([change])
    this.timeline.commit([change], editing.at, { cause: 'edit', isQuiet })
    const live = this.world.collection(change.collection).live(change.key)
    return live && describeRecord(this.world, live)
  }

  /** Causes an event; returns its change. A record needed for it is created quietly. */
  #trigger({ at, trigger, isQuiet }: CommandOf<'trigger-event'>): LoggedChange {
    const editing = this.#editingAt(at)
    const { before, change } = planTrigger(editing, trigger, this.runner.plan)
    this.#checkEdit([...(before ? [before] : []), change])
    if (before !== undefined) this.timeline.commit([before], editing.at, { cause: 'edit', isQuiet: true })
    this.timeline.commit([change], editing.at, { cause: 'edit', isQuiet })
    return this.log.latest(1)[0] as LoggedChange
  }

  #checkEdit(changes: readonly Change[]): void {
    const excess = findExcess(changes)
    if (excess !== undefined) throw invalidRequest(excess.message)
    this.timeline.registry?.check(changes)
  }

  #editingAt(real: number): Editing {
    return { api: this.#api.api, world: this.world, at: this.clock.now(real) }
  }

  #catchUp(at: number): void {
    this.world.longReads.end()
    while (!runToEnd(this.timeline.catchUp(at))) {}
  }

  /** Goes back to the generated data and to the time of creation; the plan starts again, a paused clock stays paused. */
  #reset(at: number): void {
    const { answers, rateLimits, later } = this.#state.settings
    this.world.load()
    this.timeline.registry?.clear()
    this.timeline.registry?.adopt(this.world)
    this.timeline.moveTo(this.#epoch, at)
    this.runner.start(this.runner.plan, this.#epoch)
    this.log.clear()
    this.rules.restart(this.clock.now(at))
    // Cached answers belong to the former data.
    answers.clear()
    later.clear()
    rateLimits.clear()
  }

  #restore({ at, state: dump, prepared }: CommandOf<'restore'>): void {
    const { world, log } = this.#state
    this.#state.restore(dump, prepared)
    this.timeline.registry?.restore(dump.settings)
    this.timeline.moveTo(dump.at, at)
    log.load({ ...dump.events, generation: log.generation + 1 }, world)
  }

  /** Applies restored or external access settings. */
  #readAccess(): void {
    const { access } = this.#state.settings
    const keys = access.get('list')
    if (access.revision !== this.#accessRevision && keys !== undefined) this.access.change(keys)
    this.#accessRevision = access.revision
  }

  /** The record as the simulated API returns it; null for a deleted one. */
  #present({ record, isSingleton, subject }: LoggedChange): Json {
    return record === null || isSingleton ? record : this.#api.present(subject, record)
  }
}

/** Fields of records of a sign-in with codes, secrets and sessions. */
const SECRET_FIELDS = new Set(['client_secret', 'user_code', 'device', 'session', 'sign_in_id'])

/** An event about a record of a sign-in, whose id is a code, a token or a session. */
function withoutSecrets(event: ChangeEvent): ChangeEvent {
  const { id } = event.data
  const isSecret = (name: string, value: Json) => typeof value === 'string' && (value === id || SECRET_FIELDS.has(name))
  const shown = (name: string, value: Json) => (isSecret(name, value) ? `${String(value).slice(0, 6)}…` : value)
  return { ...event, data: JSON.parse(JSON.stringify(event.data), shown) }
}
