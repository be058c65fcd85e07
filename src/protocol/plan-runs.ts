import * as z from 'zod'

/** Query of `GET .../behaviour/runs` (ours: `plan-runs`). */
export const planRunsQuery = z.object({
  /** World time, ISO 8601. @default a day from now */
  until: z.iso.datetime({ offset: true }).optional(),
})

const moment = z.iso.datetime({ precision: 3 })

/** `GET .../behaviour/runs` (ours). Times are world time, ISO 8601. */
export const planRuns = z.object({
  data: z.array(
    z.object({
      ruleId: z.string(),
      /** How often it has run since the plan was set. */
      count: z.int().min(0),
      /** Time of the last run; null before the first run. */
      lastAt: moment.nullable(),
      /** How many records the last run changed; null before the first run. */
      lastChanges: z.int().min(0).nullable(),
      /** Time of the next run; null where the rule is not enabled. */
      nextAt: moment.nullable(),
    }),
  ),
  /** Runs until `until`, earliest first; at most 1,000. */
  upcoming: z.array(z.object({ ruleId: z.string(), at: moment })),
})
export type PlanRuns = z.infer<typeof planRuns>
