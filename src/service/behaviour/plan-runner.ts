import type { BehaviourPlan, BehaviourRule, BehaviourStep } from '../../protocol/behaviour.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Random } from '../../runtime/random.ts'
import type { Change } from '../world/change.ts'
import type { JournaledMap } from '../world/journaled-map.ts'
import type { World } from '../world/world.ts'
import { planCreates } from './steps/create.ts'
import { planDeletes } from './steps/delete.ts'
import { earliestDue, planDue, type RunDue } from './steps/due.ts'
import { planExpiries } from './steps/expire.ts'
import type { PlannedStep, StepContext, StepOf } from './steps/step.ts'
import { planIncrements, planRelates, planTransitions, planUpdates } from './steps/update.ts'

/** Most changes in one batch. */
const CHANGES_AT_ONCE = 250
/** The cost of a step's run besides the records that it reads, in records. */
const STEP_COST = 10

/** Progress of a rule. */
export interface RuleRuns {
  /** World time of the next run. */
  readonly nextAt: number
  /** Number of runs. */
  readonly count: number
  /** World time of the last run, and its number of changed records; undefined before the first run. */
  readonly last?: { readonly at: number; readonly changes: number }
}

/** A plan, and its state between runs. */
interface PlanState {
  /** Rules by their ids, in the plan's order. */
  readonly plan: JournaledMap<BehaviourRule>
  readonly runs: JournaledMap<RuleRuns>
  /** Remainders of fractions, by rule id and step number. */
  readonly carries: JournaledMap<number>
}

interface NextRun extends RuleRuns {
  readonly rule: BehaviourRule
}

/** Runs a behaviour plan: each rule at its own due times, ties in the plan's order. The state has the due times. */
export class PlanRunner {
  readonly #seed: string
  readonly #world: World
  readonly #state: PlanState
  readonly #runDue: RunDue
  #next: NextRun | undefined
  /** The revisions of plan and runs for which `#next` is valid. */
  #foundAt = -1
  /** What `earliestDue` found, at a revision of the collection. */
  readonly #earliest = new WeakMap<StepOf<'due'>, { readonly revision: number; readonly at: number }>()

  constructor(seed: string, world: World, state: PlanState, runDue: RunDue) {
    this.#seed = seed
    this.#world = world
    this.#state = state
    this.#runDue = runDue
  }

  get plan(): BehaviourPlan {
    return { rules: [...this.#state.plan.values()] }
  }

  /** World time of the next run; undefined when there is none. */
  get nextDueAt(): number | undefined {
    return this.#findNext()?.nextAt
  }

  /** Replaces the plan. Every enabled rule first runs one period after `now`. */
  start(plan: BehaviourPlan, now: number): void {
    this.#state.plan.load(plan.rules.map((rule) => [rule.id, rule]))
    this.#state.runs.load(
      plan.rules.map(({ id, everySeconds }) => [id, { nextAt: now + everySeconds * 1000, count: 0 }]),
    )
    this.#state.carries.clear()
  }

  /** Progress of each rule, in the plan's order. */
  runs(): { rule: BehaviourRule; runs: RuleRuns }[] {
    return this.plan.rules.flatMap((rule) => {
      const runs = this.#state.runs.get(rule.id)
      return runs === undefined ? [] : [{ rule, runs }]
    })
  }

  /**
   * Where all steps of the plan are `due`: skips runs up to `target` that would change nothing, those before the first
   * due record, which count as runs, and brings the next run of a rule forward to its first record that is due.
   */
  passIdleRuns(target: number): void {
    const rules: (BehaviourRule & { readonly dueAt: number })[] = []
    for (const rule of this.#state.plan.values()) {
      if (!rule.enabled) continue
      const dueAt = rule.steps.map((step) => (step.kind === 'due' ? this.#earliestDue(step) : undefined))
      if (dueAt.includes(undefined)) return
      rules.push({ ...rule, dueAt: Math.min(...dueAt.map(Number)) })
    }
    const until = Math.min(target + 1, ...rules.map(({ dueAt }) => dueAt))
    for (const { id, everySeconds, dueAt } of rules) {
      const runs = this.#state.runs.get(id)
      if (runs === undefined) continue
      const idle = Math.max(0, Math.ceil((until - runs.nextAt) / (everySeconds * 1000)))
      const nextAt = runs.nextAt + idle * everySeconds * 1000
      const lastAt = nextAt - everySeconds * 1000
      const isBetween = dueAt > (idle > 0 ? lastAt : (runs.last?.at ?? lastAt)) && dueAt < nextAt
      if (idle === 0 && !isBetween) continue
      const last = idle > 0 ? { last: { at: lastAt, changes: 0 } } : {}
      this.#state.runs.set(id, { ...runs, count: runs.count + idle, ...last, nextAt: isBetween ? dueAt : nextAt })
    }
  }

  #earliestDue(step: StepOf<'due'>): number {
    const { revision } = this.#world.collection(step.collection)
    const known = this.#earliest.get(step)
    if (known?.revision === revision) return known.at
    const at = earliestDue(step, this.#world)
    this.#earliest.set(step, { revision, at })
    return at
  }

  /** Runs one rule out of schedule, at world time `at`: its schedule stays. See {@link PlanRunner.run}. */
  *runNow(rule: BehaviourRule, at: number): Generator<readonly Change[] | undefined, number> {
    const { nextAt, count } = this.#state.runs.get(rule.id) ?? { nextAt: at + rule.everySeconds * 1000, count: 0 }
    return yield* this.#runSteps(rule, at, { nextAt, count })
  }

  /**
   * Runs the next due rule. Yields changes, at most 250 at a time, or undefined for a pause; the caller must apply each
   * batch before the next. Returns how many records were read, where each step counts as ten.
   */
  *run(): Generator<readonly Change[] | undefined, number> {
    const next = this.#findNext()
    if (next === undefined) return 0
    const { rule, nextAt: at, count } = next
    return yield* this.#runSteps(rule, at, { nextAt: at + rule.everySeconds * 1000, count })
  }

  /** @param runs number of earlier runs, and the time of the next run */
  *#runSteps(
    rule: BehaviourRule,
    at: number,
    { nextAt, count }: RuleRuns,
  ): Generator<readonly Change[] | undefined, number> {
    const noteRun = (changes: number) =>
      this.#state.runs.set(rule.id, { nextAt, count: count + 1, last: { at, changes } })
    noteRun(0)
    let left: number = LIMITS.behaviourChangesPerRun
    let looked = 0
    for (const [number, step] of rule.steps.entries()) {
      if (left === 0) break
      const context = {
        world: this.#world,
        at,
        random: Random.for(this.#seed, rule.id, count, number),
        portion: (exact: number) => this.#portion(`${rule.id}\u0000${number}`, exact),
        looked: 0,
      }
      const changes = (yield* planStep(step, context, this.#runDue)).slice(0, left)
      for (let start = 0; start < changes.length; start += CHANGES_AT_ONCE) {
        yield changes.slice(start, start + CHANGES_AT_ONCE)
      }
      if (changes.length === 0) yield
      left -= changes.length
      looked += context.looked + STEP_COST
    }
    noteRun(LIMITS.behaviourChangesPerRun - left)
    return looked
  }

  #findNext(): NextRun | undefined {
    const { plan, runs } = this.#state
    const revision = plan.revision + runs.revision
    if (this.#foundAt === revision) return this.#next
    this.#foundAt = revision
    this.#next = undefined
    for (const rule of plan.values()) {
      const known = runs.get(rule.id)
      if (!rule.enabled || known === undefined) continue
      if (this.#next === undefined || known.nextAt < this.#next.nextAt) this.#next = { rule, ...known }
    }
    return this.#next
  }

  /** The whole part of `exact` plus the previous remainder; keeps the new remainder for the next run. */
  #portion(name: string, exact: number): number {
    const total = exact + (this.#state.carries.get(name) ?? 0)
    const whole = Math.floor(total + 1e-9)
    this.#state.carries.set(name, total - whole)
    return whole
  }
}

function planStep(step: BehaviourStep, context: StepContext, runDue: RunDue): PlannedStep {
  switch (step.kind) {
    case 'create':
      return planCreates(step, context)
    case 'update':
    case 'touch':
      return planUpdates(step, context)
    case 'transition':
      return planTransitions(step, context)
    case 'increment':
      return planIncrements(step, context)
    case 'expire':
      return planExpiries(step, context)
    case 'relate':
      return planRelates(step, context)
    case 'delete':
      return planDeletes(step, context)
    case 'due':
      return planDue(step, context, runDue)
  }
}
