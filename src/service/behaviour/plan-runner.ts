import type { BehaviourPlan, BehaviourRule } from '../../protocol/behaviour.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Random } from '../../runtime/random.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Change } from '../world/change.ts'
import type { World } from '../world/world.ts'
import { planStep } from './plan-step.ts'

/** Changes that are made without a pause. */
const CHANGES_AT_ONCE = 1_000

/** A plan, and what it remembers between runs. Plain JSON. */
export interface PlanState {
  readonly plan: BehaviourPlan
  readonly runs: readonly (readonly [ruleId: string, run: RuleRuns])[]
  /** Remainders of fractions, by rule id and step number. */
  readonly carries: readonly (readonly [step: string, remainder: number])[]
}

/** How far a rule has come. */
interface RuleRuns {
  /** World time of the next run. */
  readonly nextAt: number
  /** How often it has run. */
  readonly count: number
}

/** Runs a behaviour plan on a schedule: each rule at its own due times, ties in the plan's order. */
export class PlanRunner {
  readonly #seed: string
  readonly #world: World
  readonly #schedule: Schedule
  readonly #apply: (change: Change) => void
  #plan: BehaviourPlan = { rules: [] }
  #runs = new Map<string, RuleRuns>()
  #carries = new Map<string, number>()

  constructor(options: { seed: string; world: World; schedule: Schedule; apply: (change: Change) => void }) {
    this.#seed = options.seed
    this.#world = options.world
    this.#schedule = options.schedule
    this.#apply = options.apply
  }

  get plan(): BehaviourPlan {
    return this.#plan
  }

  /** Replaces the plan. Every enabled rule first runs one period after the schedule's present time. */
  start(plan: BehaviourPlan): void {
    const now = this.#schedule.now
    const runs = plan.rules.map((rule) => [rule.id, { nextAt: now + rule.everySeconds * 1000, count: 0 }] as const)
    this.load({ plan, runs, carries: [] })
  }

  dump(): PlanState {
    return { plan: this.#plan, runs: [...this.#runs], carries: [...this.#carries] }
  }

  /** Goes on from what `dump` gave, at the schedule's present time. */
  load({ plan, runs, carries }: PlanState): void {
    this.#schedule.clear(this.#schedule.now)
    this.#plan = plan
    this.#runs = new Map(runs)
    this.#carries = new Map(carries)
    for (const [order, rule] of plan.rules.entries()) if (rule.enabled) this.#enlist(rule, order)
  }

  #enlist(rule: BehaviourRule, order: number): void {
    const { nextAt, count } = this.#runs.get(rule.id) as RuleRuns
    this.#schedule.add(nextAt, () => this.#run(rule, order, { nextAt, count }), order)
  }

  /** Yields before each step, and among the changes of one that makes many. */
  *#run(rule: BehaviourRule, order: number, { nextAt: at, count: run }: RuleRuns): Generator<void> {
    this.#runs.set(rule.id, { nextAt: at + rule.everySeconds * 1000, count: run + 1 })
    this.#enlist(rule, order)
    let left: number = LIMITS.behaviourChangesPerRun
    for (const [number, step] of rule.steps.entries()) {
      if (left === 0) return
      yield
      const changes = planStep(step, {
        world: this.#world,
        at,
        random: Random.for(this.#seed, rule.id, run, number),
        portion: (exact) => this.#portion(`${rule.id}\u0000${number}`, exact),
      })
      for (const [made, change] of changes.slice(0, left).entries()) {
        if (made % CHANGES_AT_ONCE === CHANGES_AT_ONCE - 1) yield
        this.#apply(change)
      }
      left = Math.max(0, left - changes.length)
    }
  }

  /** The whole part of `exact` and of what was left over before; keeps the rest for the next run. */
  #portion(name: string, exact: number): number {
    const total = exact + (this.#carries.get(name) ?? 0)
    const whole = Math.floor(total + 1e-9)
    this.#carries.set(name, total - whole)
    return whole
  }
}
