import type { BehaviourRule } from '../../../protocol/behaviour.ts'
import type { RuleRuns } from '../../behaviour/plan-runner.ts'
import type { Access } from '../../simulated-api/access-list.ts'
import type { LaterChange } from '../../simulated-api/facts/later-changes.ts'
import type { RememberedAnswer } from '../../simulated-api/idempotency.ts'
import type { KeptKey } from '../../simulated-api/key-ring.ts'
import type { RateAccount } from '../../simulated-api/rules/rate-limiter.ts'
import type { AddedRule, RuleCounter } from '../../simulated-api/rules/rule-book.ts'
import { noWebhooks } from '../../webhooks/webhook-settings.ts'
import type { WorldDelta } from '../../world/journal.ts'
import { JournaledMap, type MapDelta, type MapEntries } from '../../world/journaled-map.ts'
import { runToEnd } from '../../world/long-reads.ts'
import type { PreparedWorld } from '../../world/prepared-world.ts'
import type { World } from '../../world/world.ts'
import type { EventLog, LogDelta } from './event-log.ts'

/** The settings of a core: everything that commands change, except records and events. A delta has only changed entries. */
const createSettings = () => ({
  /** See `WorldClock`. */
  clock: new JournaledMap<number>(),
  /** Rules of the behaviour plan by their ids, in the plan's order. */
  plan: new JournaledMap<BehaviourRule>(),
  runs: new JournaledMap<RuleRuns>(),
  /** Remainders of fractions, by rule and step. */
  carries: new JournaledMap<number>(),
  /** Changes that requests have brought about for later, in order of the requests. */
  later: new JournaledMap<LaterChange>(),
  /** Response rules by id, in order of addition. */
  rules: new JournaledMap<AddedRule>(),
  ruleCounters: new JournaledMap<RuleCounter>(),
  /** `rules`: number of response rules ever added. */
  totals: new JournaledMap<number>(),
  /** By rule and caller. */
  rateLimits: new JournaledMap<RateAccount>(),
  /** Answers to requests with an idempotency key. */
  answers: new JournaledMap<RememberedAnswer>(),
  /** One entry, `list`. */
  access: new JournaledMap<Access>(),
  /** One entry, `latest`: where the latest request with changes has reached the simulation, for links made later. */
  origin: new JournaledMap<string>(),
  /** By the SHA-256 of the key. */
  keys: new JournaledMap<KeptKey>(),
  ...noWebhooks(),
})
export type Settings = ReturnType<typeof createSettings>

type ValueOf<Part> = Part extends JournaledMap<infer Value> ? Value : never
export type SettingsDelta = { readonly [Part in keyof Settings]?: MapDelta<ValueOf<Settings[Part]>> }

/**
 * The changes of commands. Applied to a core in the same initial state, it gives the same state. Plain JSON, as large
 * as the changes.
 */
export interface Delta {
  readonly v: 1
  /** World time of the last command, milliseconds. */
  readonly at: number
  readonly world: WorldDelta
  readonly settings: SettingsDelta
  readonly events: LogDelta
  /** Whether it is the whole state. */
  readonly isWhole?: true
}

/** A delta with the whole state. */
export interface CoreDump extends Delta {
  readonly settings: Required<SettingsDelta>
  readonly isWhole: true
}

/** All state that a core's commands change, with one journal. */
export class CoreState {
  readonly world: World
  readonly log: EventLog
  readonly settings: Settings = createSettings()
  /** World time up to which the plan has run, milliseconds. Time alone is no change. */
  restsAt: number
  readonly #restedAt: number[] = []
  readonly #parts = Object.entries(this.settings) as readonly (readonly [string, JournaledMap<unknown>])[]

  constructor(world: World, log: EventLog, restsAt: number) {
    this.world = world
    this.log = log
    this.restsAt = restsAt
  }

  /** Starts a journal. May be nested: changes kept by an inner journal become part of the outer one. */
  begin(): void {
    this.#restedAt.push(this.restsAt)
    this.world.begin()
    this.log.begin()
    for (const [, part] of this.#parts) part.begin()
  }

  /** The changes since the last `begin`; undefined without any. The journal stays open. */
  draft(): Delta | undefined {
    const changed: Record<string, MapDelta<unknown>> = {}
    for (const [name, part] of this.#parts) {
      const entries = part.draft()
      if (entries.length > 0) changed[name] = entries
    }
    const world = this.world.draft()
    const isSame = !world.fromStart && world.collections.length === 0 && world.singletons.length === 0
    if (isSame && Object.keys(changed).length === 0) return undefined
    const settings = changed as SettingsDelta
    return { v: 1, at: this.restsAt, world, settings, events: this.log.draft() }
  }

  /** Keeps every change since the last `begin`. */
  keep(): void {
    this.#restedAt.pop()
    this.world.keep()
    this.log.keep()
    for (const [, part] of this.#parts) part.keep()
  }

  /** Reverts every change since the last `begin` without a trace. */
  undo(): void {
    runToEnd(this.undoing())
  }

  /** The same with pauses. Must be run to its end. */
  *undoing(): Generator<undefined, void> {
    this.restsAt = this.#restedAt.pop() ?? this.restsAt
    yield* this.world.undoing()
    this.log.undo()
    for (const [, part] of this.#parts) part.undo()
  }

  /**
   * Restores the data and its settings.
   *
   * @param prepared the prepared data, if any
   */
  restore({ world, settings }: CoreDump, prepared?: PreparedWorld): void {
    const rulesAdded = this.settings.totals.get('rules') ?? 0
    this.world.take(prepared ?? runToEnd(this.world.preparing(world)))
    for (const name of RESTORED)
      (this.settings[name] as JournaledMap<unknown>).load(settings[name] as MapEntries<unknown>)
    this.settings.totals.set('rules', Math.max(rulesAdded, this.settings.totals.get('rules') ?? 0))
  }

  /** Applies changes drafted by another core in the same state. No journal may be open. */
  apply({ at, world, settings, events, isWhole }: Delta): void {
    this.restsAt = at
    this.world.restore(world)
    for (const [name, part] of Object.entries(this.settings)) {
      const changed = settings[name as keyof Settings] ?? []
      if (isWhole) part.clear()
      ;(part as JournaledMap<unknown>).apply(changed)
    }
    if (isWhole) this.log.load(events, this.world)
    else this.log.apply(events, this.world)
  }

  /** The whole state, as a delta from the start; costs as much as all changes. A long read. */
  dump(): CoreDump {
    const world = this.world.longReads.read(this.world.dumping())
    const parts = Object.entries(this.settings).map(([name, part]) => [name, part.dump()] as const)
    const settings = Object.fromEntries(parts) as unknown as Required<SettingsDelta>
    return { v: 1, at: this.restsAt, world, settings, events: this.log.dump(), isWhole: true }
  }
}

/** Settings restored with the data. */
const RESTORED = [
  'plan',
  'runs',
  'carries',
  'later',
  'rules',
  'ruleCounters',
  'totals',
  'rateLimits',
  'answers',
] as const
