import * as z from 'zod'
import { simulationSummary } from './simulation.ts'

/** Query of `GET /v1/simulations` (ours: `summary`). `since` is the `revision` of an earlier answer, or empty for the first. */
export const simulationsQuery = z.object({
  detail: z.enum(['true', 'false']).default('false'),
  since: z.string().max(100).optional(),
})

/** Further fields of the answer to `GET /v1/simulations?detail=true&since=` (ours). */
export interface OverviewRevision {
  /** Identifies the state of this answer, for the next `since`. */
  revision: string
  /** Ids of the simulations deleted since then. Without this field, the entries are all simulations. */
  gone?: string[]
}

const count = z.int().min(0)

/** One entry of `GET /v1/simulations?detail=true` (ours). It changes only with activity, so that `ETag` works. */
export const simulationOverview = simulationSummary.extend({
  /** Title of the description. */
  title: z.string(),
  /** How many records there are now. */
  records: count,
  /** World time minus real time, in milliseconds; null while paused. */
  offsetMs: z.number().nullable(),
  /** Requests to the simulated API that this process has answered. */
  requests: count,
  webhooks: count,
  /** Webhooks that were switched off after failed deliveries. */
  webhooksOff: count,
})
export type SimulationOverview = z.infer<typeof simulationOverview>
