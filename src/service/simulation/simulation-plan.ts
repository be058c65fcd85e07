import type { BehaviourPlan, PlanRuns } from '../../protocol/behaviour.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { RunningCore } from './running/running-core.ts'

const DAY_MS = 86_400_000
/** Most future runs in one answer. */
const MOST_UPCOMING = 1_000

/** The behaviour plan of a simulation, and the times of its runs. */
export class SimulationPlan {
  readonly #running: RunningCore

  constructor(running: RunningCore) {
    this.#running = running
  }

  read(): BehaviourPlan {
    return this.#running.core.runner.plan
  }

  /** Number of runs, last result and next time of each rule. @param until world time, milliseconds; a day from now by default */
  runs(until?: number): PlanRuns {
    this.#running.tick()
    const { core } = this.#running
    const end = until ?? core.clock.now(this.#running.now()) + DAY_MS
    const known = core.runner.runs()
    const data = known.map(({ rule, runs }) => ({
      ruleId: rule.id,
      count: runs.count,
      lastAt: runs.last === undefined ? null : toIso(runs.last.at),
      lastChanges: runs.last?.changes ?? null,
      nextAt: rule.enabled ? toIso(runs.nextAt) : null,
    }))
    const upcoming = known.flatMap(({ rule, runs }) => {
      const periodMs = rule.everySeconds * 1_000
      const count = rule.enabled ? Math.max(0, Math.floor((end - runs.nextAt) / periodMs) + 1) : 0
      const times = Array.from({ length: Math.min(count, MOST_UPCOMING) }, (_, at) => runs.nextAt + at * periodMs)
      return times.map((at) => ({ ruleId: rule.id, at }))
    })
    const first = upcoming.toSorted((left, right) => left.at - right.at).slice(0, MOST_UPCOMING)
    return { data, upcoming: first.map(({ ruleId, at }) => ({ ruleId, at: toIso(at) })) }
  }
}
