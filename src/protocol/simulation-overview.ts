import * as z from 'zod'
import { simulationSummary } from './simulation.ts'

/** Query of `GET /v1/simulations` (ours: `summary`). */
export const simulationsQuery = z.object({ detail: z.enum(['true', 'false']).default('false') })

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
