import type { BehaviourPlan, BehaviourRule } from '../../protocol/behaviour.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Random } from '../../runtime/random.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'
import { planStep } from './plan-step.ts'

/** What a plan remembers between runs. */
export interface PlanState {
  plan: BehaviourPlan
  /** World time of each rule's next run, by rule id. */
  nextRunAt: Map<string, number>
  /** How often each rule has run, by rule id. */
  runs: Map<string, number>
  /** Remainders of fractions, by rule id and step number. */
  carries: Map<string, number>
}

/** Runs a behaviour plan on a schedule: each rule at its own due times, ties in the plan's order. */
export class PlanRunner {
  readonly #seed: string
  readonly #world: World
  readonly #schedule: Schedule
  readonly #apply: (change: Change) => void
  #state: PlanState = { plan: { rules: [] }, nextRunAt: new Map(), runs: new Map(), carries: new Map() }

  constructor(options: { seed: string; world: World; schedule: Schedule; apply: (change: Change) => void }) {
    this.#seed = options.seed
    this.#world = options.world
    this.#schedule = options.schedule
    this.#apply = options.apply
  }

  get plan(): BehaviourPlan {
    return this.#state.plan
  }

  /** Replaces the plan. Every enabled rule first runs one period after the schedule's present time. */
  start(plan: BehaviourPlan): void {
    const now = this.#schedule.now
    const nextRunAt = new Map(plan.rules.map((rule) => [rule.id, now + rule.everySeconds * 1000]))
    this.load({ plan, nextRunAt, runs: new Map(), carries: new Map() })
  }

  /** A copy of what the plan remembers. */
  dump(): PlanState {
    const { plan, nextRunAt, runs, carries } = this.#state
    return { plan, nextRunAt: new Map(nextRunAt), runs: new Map(runs), carries: new Map(carries) }
  }

  /** Goes on from what `dump` gave, at the schedule's present time. */
  load(state: PlanState): void {
    this.#schedule.clear(this.#schedule.now)
    this.#state = {
      ...state,
      nextRunAt: new Map(state.nextRunAt),
      runs: new Map(state.runs),
      carries: new Map(state.carries),
    }
    for (const [order, rule] of state.plan.rules.entries()) if (rule.enabled) this.#enlist(rule, order)
  }

  #enlist(rule: BehaviourRule, order: number): void {
    const dueAt = this.#state.nextRunAt.get(rule.id) ?? this.#schedule.now + rule.everySeconds * 1000
    this.#schedule.add(dueAt, () => this.#run(rule, order, dueAt), order)
  }

  #run(rule: BehaviourRule, order: number, at: number): void {
    const run = this.#state.runs.get(rule.id) ?? 0
    this.#state.runs.set(rule.id, run + 1)
    this.#state.nextRunAt.set(rule.id, at + rule.everySeconds * 1000)
    this.#enlist(rule, order)
    let left: number = LIMITS.behaviourChangesPerRun
    for (const [number, step] of rule.steps.entries()) {
      const changes = planStep(step, {
        world: this.#world,
        at,
        random: Random.for(this.#seed, rule.id, run, number),
        portion: (exact) => this.#portion(`${rule.id}\u0000${number}`, exact),
      })
      for (const change of changes.slice(0, left)) this.#apply(change)
      left = Math.max(0, left - changes.length)
    }
  }

  /** The whole part of `exact` and of what was left over before; keeps the rest for the next run. */
  #portion(name: string, exact: number): number {
    const total = exact + (this.#state.carries.get(name) ?? 0)
    const whole = Math.floor(total + 1e-9)
    this.#state.carries.set(name, total - whole)
    return whole
  }
}
