import * as z from 'zod'

/** Query of `GET .../behaviour/runs` (ours: `plan-runs`). */
export const planRunsQuery = z.object({
  /** World time, ISO 8601. @default a day from now */
  until: z.iso.datetime({ offset: true }).optional(),
})

/** How far a rule of the behaviour plan has come. */
export interface RuleRunsSummary {
  ruleId: string
  /** How often it has run since the plan was set. */
  count: number
  /** World time of the last run, ISO 8601; null where it has not run yet. */
  lastAt: string | null
  /** How many records the last run has changed; null where it has not run yet. */
  lastChanges: number | null
  /** World time of the next run, ISO 8601; null where the rule is not enabled. */
  nextAt: string | null
}

/** `GET .../behaviour/runs` (ours). */
export interface PlanRuns {
  data: RuleRunsSummary[]
  /** Runs up to `until`, the earliest first; 1,000 at most. */
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
