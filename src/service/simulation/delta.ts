import type { PlanState } from '../behaviour/plan-runner.ts'
import type { WorldClockState } from '../schedule/world-clock.ts'
import type { IdempotencyState } from '../simulated-api/idempotency.ts'
import type { RateLimiterState } from '../simulated-api/rules/rate-limiter.ts'
import type { RuleBookState } from '../simulated-api/rules/rule-book.ts'
import type { WorldDelta } from '../world/world.ts'
import type { Access } from './access-list.ts'
import type { LoggedChange } from './event-log.ts'
import type { IssuedKeys } from './key-ring.ts'

/** The state of a core beside its records and events. Each part is small and is written whole when it changes. */
export interface SettingsState {
  readonly clock: WorldClockState
  /** World time at which the schedule rests. */
  readonly restsAt: number
  readonly plan: PlanState
  readonly rules: RuleBookState
  readonly limits: RateLimiterState
  readonly access: Access
  readonly keys: IssuedKeys
  readonly idempotency: IdempotencyState
}

/**
 * What commands made of a core. Applied to a core that stands where the first one stood, it gives the same state; a dump is
 * the delta from the start. Plain JSON, of the size of what changed.
 */
export interface Delta {
  readonly v: 1
  readonly world: WorldDelta
  /** Parts of the settings that changed. */
  readonly settings: Partial<SettingsState>
  readonly events: {
    /** The latest of the new events, oldest first, at most 100. */
    readonly added: readonly LoggedChange[]
    /** Number of the next event of this generation. */
    readonly sequence: number
    /** How often the data was put back. */
    readonly generation: number
  }
}

/** A delta from the start that holds everything. */
export interface CoreDump extends Delta {
  readonly settings: SettingsState
}

/** The parts of `after` that are not as in `before`. */
export function changedSettings(before: SettingsState, after: SettingsState): Partial<SettingsState> {
  const names = Object.keys(after) as (keyof SettingsState)[]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}
