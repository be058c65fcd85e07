import type { BehaviourPlan } from '../../protocol/behaviour.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ResponseRule } from '../../protocol/response-rule.ts'
import type { ValidationMode } from '../../protocol/simulation.ts'
import { parsePlan } from '../behaviour/parse-plan.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import { RateLimiter } from '../simulated-api/rules/rate-limiter.ts'
import { RuleBook } from '../simulated-api/rules/rule-book.ts'
import { SimulatedApi } from '../simulated-api/simulated-api.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'
import { type Access, AccessList } from './access-list.ts'
import type { CommandKind, CommandOf, CommandResults } from './command.ts'
import { type CoreDump, changedSettings, type Delta, type SettingsState } from './delta.ts'
import type { EventLogState, LoggedChange } from './event-log.ts'
import { KeyRing } from './key-ring.ts'
import { LivingWorld } from './living-world.ts'
import { RequestGate } from './request-gate.ts'
import { StaleReads } from './stale-reads.ts'

const HOUR_MS = 3_600_000

/** What a core is a function of, beside its commands. */
export interface CoreOptions {
  readonly model: ApiModel
  readonly dataset: Dataset
  readonly seed: string
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  readonly validation: ValidationMode
  /** Whether creating below a parent that does not exist answers 404. */
  readonly strictParents: boolean
  readonly access: Access
  readonly plan: BehaviourPlan
  /** Counts a request that is let in; false past the account's request limit. */
  readonly countRequest: () => boolean
}

/**
 * A simulation as a pure state machine: state = f(description, seed, volume, epoch, the commands so far). Nothing in it is
 * async, reads a clock or draws at random; the same commands give the same bytes.
 */
export class SimulationCore {
  readonly #model: ApiModel
  readonly #living: LivingWorld
  readonly #api: SimulatedApi
  readonly #stale: StaleReads
  readonly #rules: RuleBook
  readonly #limiter = new RateLimiter()
  readonly #access: AccessList
  readonly #keys = new KeyRing()
  readonly #gate: RequestGate
  #before: { settings: SettingsState; events: EventLogState } | undefined

  constructor({ model, dataset, seed, epoch, createdAt, validation, strictParents, ...options }: CoreOptions) {
    this.#model = model
    const onChange = (change: Change, at: number): void => this.#stale.follow(change, at)
    this.#living = new LivingWorld({ model, dataset, seed, epoch, createdAt, onChange })
    const createApi = (world: World): SimulatedApi =>
      new SimulatedApi({ model, world, seed, validation, strictParents })
    this.#api = createApi(this.#living.world)
    this.#stale = new StaleReads(model, this.#living.world, createApi)
    this.#rules = new RuleBook(seed)
    this.#access = new AccessList(options.access)
    this.#gate = new RequestGate({
      model,
      api: this.#api,
      access: this.#access,
      keys: this.#keys,
      rules: this.#rules,
      limiter: this.#limiter,
      stale: this.#stale,
      isPaused: () => this.#living.isPaused,
      countRequest: options.countRequest,
    })
    this.#living.setPlan(options.plan)
  }

  /** Executes one command at its own time. What it throws, it has not half done. */
  execute<Kind extends CommandKind>(command: CommandOf<Kind>): CommandResults[Kind] {
    this.#living.catchUp(command.at)
    return this.#handlers[command.kind](command)
  }

  /**
   * A fast-forward that can be paused after each run of the plan: the same as its command. All or nothing. Throws
   * `bad_request` while paused and past 1,000,000 changes.
   */
  *fastForward({ at, hours }: CommandOf<'fast-forward'>): Generator<void, CommandResults['fast-forward']> {
    if (this.#living.isPaused) throw badRequest('Failed to fast-forward: the simulation is paused. Resume it first.')
    this.#living.catchUp(at)
    let isDone = false
    try {
      const changes = yield* this.#living.fastForward(at, hours * HOUR_MS)
      isDone = true
      return { hours, changes }
    } finally {
      if (!isDone) this.#stale.restart()
    }
  }

  /** Takes the changes since the last call, to announce them. */
  takeFresh(): LoggedChange[] {
    return this.#living.takeFresh()
  }

  /** The event of a change, as it is delivered and read. */
  toEvent(logged: LoggedChange): ChangeEvent {
    return this.#living.log.toEvent(logged, this.#present(logged.change))
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    return this.#living.log.read().map((logged) => this.toEvent(logged))
  }

  get world(): World {
    return this.#living.world
  }

  /** World time, milliseconds. */
  now(real: number): number {
    return this.#living.now(real)
  }

  get isPaused(): boolean {
    return this.#living.isPaused
  }

  /** World time of the plan's next run; undefined when there is none. */
  get nextDueAt(): number | undefined {
    return this.#living.nextDueAt
  }

  get plan(): BehaviourPlan {
    return this.#living.plan
  }

  rules(): ResponseRule[] {
    return this.#rules.list()
  }

  access(): Access {
    return this.#access.read()
  }

  keyPrefixes(): string[] {
    return this.#keys.prefixes()
  }

  /** Begins to remember what commands change: `take` or `undo` ends it. */
  begin(): void {
    this.world.begin()
    this.#before = { settings: this.#settings(), events: this.#living.log.dump() }
  }

  /** Keeps what the commands since `begin` did, and returns it. */
  take(): Delta {
    const { settings, events } = this.#begun()
    const { sequence, generation } = this.#living.log.dump()
    return {
      v: 1,
      world: this.world.commit(),
      settings: changedSettings(settings, this.#settings()),
      events: { added: this.#living.log.since(events), sequence, generation },
    }
  }

  /** Takes back what the commands since `begin` did, as if they had never been. */
  undo(): void {
    const { settings, events } = this.#begun()
    this.world.undo()
    this.#loadSettings(settings)
    this.#living.log.load(events)
    this.#stale.restart()
  }

  /** Makes of this core what the commands behind `delta` made of another one that stood where this one stands. */
  apply({ world, settings, events }: Delta): void {
    this.world.restore(world)
    this.#loadSettings({ ...this.#settings(), ...settings })
    const isSameWorld = events.generation === this.#living.log.dump().generation && !world.fromStart
    const latest = isSameWorld ? [...this.#living.log.dump().latest, ...events.added] : events.added
    this.#living.log.load({ ...events, latest: latest.slice(-LIMITS.latestEvents) })
    this.#stale.restart()
  }

  /** The whole state, as the delta from the start; costs as much as has changed since. `apply` it to a fresh core. */
  dump(): CoreDump {
    const { latest, sequence, generation } = this.#living.log.dump()
    return {
      v: 1,
      world: this.world.dump(),
      settings: this.#settings(),
      events: { added: latest, sequence, generation },
    }
  }

  /** Puts data, world time, plan, rules and counters back to an earlier state; keys, access and the pause stay. */
  restore({ world, settings, events }: CoreDump, real: number): void {
    const { generation } = this.#living.log.dump()
    this.world.restore(world)
    this.#living.returnTo(settings, real)
    const added = Math.max(this.#rules.dump().added, settings.rules.added)
    this.#loadRequests({ ...settings, rules: { ...settings.rules, added } })
    this.#living.log.load({ ...events, latest: events.added, generation: generation + 1 })
    this.#stale.restart()
  }

  readonly #handlers: { readonly [Kind in CommandKind]: (command: CommandOf<Kind>) => CommandResults[Kind] } = {
    request: ({ at, request, isLate = false }) => {
      const now = this.#living.now(at)
      const answer = this.#gate.handle(request, now, isLate)
      this.#living.commit(answer.changes, now)
      return answer
    },
    'fast-forward': (command) => {
      const run = this.fastForward(command)
      for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
    },
    tick: () => undefined,
    'set-behaviour': ({ rules }) => {
      const parsed = parsePlan(rules, this.#model)
      this.#living.setPlan(parsed.plan)
      return parsed
    },
    'add-rule': ({ at, rule }) => {
      const added = this.#rules.add(rule, this.#living.now(at))
      this.#watchStale()
      return added
    },
    'remove-rule': ({ id }) => {
      this.#rules.remove(id)
      this.#watchStale()
      return undefined
    },
    'set-access': ({ change }) => {
      this.#access.change(change)
      return undefined
    },
    'issue-key': ({ name, key }) => {
      this.#keys.add(name, key)
      return undefined
    },
    pause: ({ at }) => {
      this.#living.pause(at)
      return undefined
    },
    resume: ({ at }) => {
      this.#living.resume(at)
      return undefined
    },
    reset: ({ at }) => {
      this.#living.reset(at)
      this.#rules.restart(this.#living.now(at))
      this.#forgetRequests()
      return undefined
    },
  }

  #settings(): SettingsState {
    return {
      ...this.#living.dumpTime(),
      rules: this.#rules.dump(),
      limits: this.#limiter.dump(),
      access: this.#access.read(),
      keys: this.#keys.dump(),
      idempotency: this.#api.dump(),
    }
  }

  #loadSettings(state: SettingsState): void {
    this.#living.loadTime(state)
    this.#loadRequests(state)
    this.#access.change(state.access)
    this.#keys.load(state.keys)
  }

  #loadRequests({ rules, limits, idempotency }: SettingsState): void {
    this.#rules.load(rules)
    this.#watchStale()
    this.#limiter.load(limits)
    this.#api.load(idempotency)
  }

  #begun(): { settings: SettingsState; events: EventLogState } {
    const before = this.#before
    if (before === undefined) throw new Error('Failed to end a command: none was begun.')
    this.#before = undefined
    return before
  }

  /** The record as the simulated API would return it; null for one that is gone. */
  #present(change: Change): Json {
    if (change.type === 'deleted') return null
    return 'singleton' in change ? change.record : this.#api.present(change.collection, change.record)
  }

  /** What was remembered of requests belongs to the data that they met. */
  #forgetRequests(): void {
    this.#api.reset()
    this.#limiter.clear()
    this.#stale.restart()
  }

  #watchStale(): void {
    this.#stale.watch(this.#rules.list().flatMap(({ id, kind }) => (kind === 'staleRead' ? [id] : [])))
  }
}
