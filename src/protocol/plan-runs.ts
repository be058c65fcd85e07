import * as z from 'zod'

/** Query of `GET .../behaviour/runs` (ours: `plan-runs`). */
export const planRunsQuery = z.object({
  /** World time, ISO 8601. @default a day from now */
  until: z.iso.datetime({ offset: true }).optional(),
})

/** Progress of a rule of the behaviour plan. */
export interface RuleRunsSummary {
  ruleId: string
  /** How often it has run since the plan was set. */
  count: number
  /** World time of the last run, ISO 8601; null before the first run. */
  lastAt: string | null
  /** How many records the last run changed; null before the first run. */
  lastChanges: number | null
  /** World time of the next run, ISO 8601; null where the rule is not enabled. */
  nextAt: string | null
}

/** `GET .../behaviour/runs` (ours). */
export interface PlanRuns {
  data: RuleRunsSummary[]
  /** Runs until `until`, earliest first; at most 1,000. */
  upcoming: { ruleId: string; at: string }[]
}

const moment = z.iso.datetime({ precision: 3 })

/** The schema of {@link PlanRuns}. */
export const planRuns = z.object({
  data: z.array(
    z.object({
      ruleId: z.string(),
      count: z.int().min(0),
      lastAt: moment.nullable(),
      lastChanges: z.int().min(0).nullable(),
      nextAt: moment.nullable(),
    }),
  ),
  upcoming: z.array(z.object({ ruleId: z.string(), at: moment })),
}) satisfies z.ZodType<PlanRuns>
