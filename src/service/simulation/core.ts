import type { BehaviourPlan } from '../../protocol/behaviour.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ResponseRule } from '../../protocol/response-rule.ts'
import { parsePlan } from '../behaviour/parse-plan.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'
import type { Access } from './access-list.ts'
import type { CommandKind, CommandOf, CommandResults } from './command.ts'
import { type CoreOptions, CoreParts } from './core-parts.ts'
import { type CoreDump, changedSettings, type Delta, type SettingsState } from './delta.ts'
import type { EventLogState, LoggedChange } from './event-log.ts'

const HOUR_MS = 3_600_000

/**
 * A simulation as a pure state machine: state = f(description, seed, volume, epoch, the commands so far). Nothing in
 * it is async, reads a clock or draws at random; the same commands give the same bytes.
 */
export class SimulationCore {
  readonly #model: ApiModel
  readonly #parts: CoreParts
  #before: { settings: SettingsState; events: EventLogState } | undefined

  constructor(options: CoreOptions) {
    this.#model = options.api.model
    this.#parts = new CoreParts(options)
  }

  /** Executes one command at its own time. What it throws, it has not half done. */
  execute<Kind extends CommandKind>(command: CommandOf<Kind>): CommandResults[Kind] {
    // A reset throws away what fell due, and is the way out where that cannot be run.
    if (command.kind !== 'reset') this.#parts.living.catchUp(command.at)
    return this.#handlers[command.kind](command)
  }

  /**
   * A fast-forward that can be paused after each run of the plan and within long ones: the same as its command. All or
   * nothing. Throws `bad_request` while paused and past 1,000,000 changes.
   */
  *fastForward({ at, hours }: CommandOf<'fast-forward'>): Generator<void, CommandResults['fast-forward']> {
    if (this.#parts.living.isPaused)
      throw badRequest('Failed to fast-forward: the simulation is paused. Resume it first.')
    this.#parts.living.catchUp(at)
    return { hours, changes: yield* this.#parts.living.fastForward(at, hours * HOUR_MS) }
  }

  /** Takes the changes since the last call, to announce them. */
  takeFresh(): readonly LoggedChange[] {
    return this.#parts.living.takeFresh()
  }

  /** The event of a change, as it is delivered and read. */
  toEvent(logged: LoggedChange): ChangeEvent {
    return this.#parts.living.log.toEvent(logged, this.#present(logged.change))
  }

  /** The latest 100 events, newest first. */
  events(): ChangeEvent[] {
    return this.#parts.living.log.read().map((logged) => this.toEvent(logged))
  }

  get world(): World {
    return this.#parts.living.world
  }

  /** World time, milliseconds. */
  now(real: number): number {
    return this.#parts.living.now(real)
  }

  get isPaused(): boolean {
    return this.#parts.living.isPaused
  }

  /** World time of the plan's next run; undefined when there is none. */
  get nextDueAt(): number | undefined {
    return this.#parts.living.nextDueAt
  }

  get plan(): BehaviourPlan {
    return this.#parts.living.plan
  }

  rules(): ResponseRule[] {
    return this.#parts.rules.list()
  }

  access(): Access {
    return this.#parts.access.read()
  }

  keyPrefixes(): string[] {
    return this.#parts.keys.prefixes()
  }

  /** Begins to remember what commands change: `take` or `undo` ends it. */
  begin(): void {
    this.world.begin()
    this.#before = { settings: this.#parts.settings(), events: this.#parts.living.log.dump() }
  }

  /** Keeps what the commands since `begin` did, and returns it. */
  take(): Delta {
    const { settings, events } = this.#begun()
    const { sequence, generation } = this.#parts.living.log.dump()
    return {
      v: 1,
      world: this.world.commit(),
      settings: changedSettings(settings, this.#parts.settings()),
      events: { added: this.#parts.living.log.since(events), sequence, generation },
    }
  }

  /** Takes back what the commands since `begin` did, as if they had never been. */
  undo(): void {
    const { settings, events } = this.#begun()
    this.world.undo()
    this.#parts.loadSettings(settings)
    this.#parts.living.log.load(events)
    this.#parts.stale.restart()
  }

  /** Makes of this core what the commands behind `delta` made of another one that stood where this one stands. */
  apply({ world, settings, events }: Delta): void {
    this.world.restore(world)
    this.#parts.loadSettings({ ...this.#parts.settings(), ...settings })
    const isSameWorld = events.generation === this.#parts.living.log.dump().generation && !world.fromStart
    const latest = isSameWorld ? [...this.#parts.living.log.dump().latest, ...events.added] : events.added
    this.#parts.living.log.load({ ...events, latest: latest.slice(-LIMITS.latestEvents) })
    this.#parts.stale.restart()
  }

  /** The whole state, as the delta from the start; costs as much as has changed since. `apply` it to a fresh core. */
  dump(): CoreDump {
    const { latest, sequence, generation } = this.#parts.living.log.dump()
    return {
      v: 1,
      world: this.world.dump(),
      settings: this.#parts.settings(),
      events: { added: latest, sequence, generation },
    }
  }

  /** Puts data, world time, plan, rules and counters back to an earlier state; keys, access and the pause stay. */
  restore({ world, settings, events }: CoreDump, real: number): void {
    const { generation } = this.#parts.living.log.dump()
    this.world.restore(world)
    this.#parts.living.returnTo(settings, real)
    const added = Math.max(this.#parts.rules.dump().added, settings.rules.added)
    this.#parts.loadRequests({ ...settings, rules: { ...settings.rules, added } })
    this.#parts.living.log.load({ ...events, latest: events.added, generation: generation + 1 })
    this.#parts.stale.restart()
  }

  readonly #handlers: { readonly [Kind in CommandKind]: (command: CommandOf<Kind>) => CommandResults[Kind] } = {
    request: ({ at, request, isLate = false }) => {
      const now = this.#parts.living.now(at)
      const answer = this.#parts.gate.handle(request, now, isLate)
      this.#parts.living.commit(answer.changes, now)
      return answer
    },
    'fast-forward': (command) => {
      const run = this.fastForward(command)
      for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
    },
    tick: () => undefined,
    'set-behaviour': ({ rules }) => {
      const parsed = parsePlan(rules, this.#model)
      this.#parts.living.setPlan(parsed.plan)
      return parsed
    },
    'add-rule': ({ at, rule }) => {
      const added = this.#parts.rules.add(rule, this.#parts.living.now(at))
      this.#parts.watchStale()
      return added
    },
    'remove-rule': ({ id }) => {
      this.#parts.rules.remove(id)
      this.#parts.watchStale()
      return undefined
    },
    'set-access': ({ change }) => {
      this.#parts.access.change(change)
      return undefined
    },
    'issue-key': ({ name, key }) => {
      this.#parts.keys.add(name, key)
      return undefined
    },
    pause: ({ at }) => {
      this.#parts.living.pause(at)
      return undefined
    },
    resume: ({ at }) => {
      this.#parts.living.resume(at)
      return undefined
    },
    reset: ({ at }) => {
      this.#parts.living.reset(at)
      this.#parts.rules.restart(this.#parts.living.now(at))
      this.#parts.forgetRequests()
      return undefined
    },
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
    return 'singleton' in change ? change.record : this.#parts.api.present(change.collection, change.record)
  }
}
