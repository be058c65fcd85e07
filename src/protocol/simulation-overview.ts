import * as z from 'zod'
import type { SimulationSummary } from './simulation.ts'

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

/** One entry of `GET /v1/simulations?detail=true` (ours). It changes only with activity, so that `ETag` works. */
export interface SimulationOverview extends SimulationSummary {
  /** Title of the description. */
  title: string
  /** How many records there are now. */
  records: number
  /** World time minus real time, in milliseconds; null while paused. */
  offsetMs: number | null
  /** Requests to the simulated API that this process has answered. */
  requests: number
  webhooks: number
  /** Webhooks that were switched off after failed deliveries. */
  webhooksOff: number
}

const count = z.int().min(0)

/** The schema of {@link SimulationSummary}. */
export const simulationSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  status: z.enum(['queued', 'running', 'paused', 'resetting']),
  url: z.string(),
  createdAt: z.iso.datetime({ precision: 3 }),
}) satisfies z.ZodType<SimulationSummary>

/** The schema of {@link SimulationOverview}. */
export const simulationOverview = simulationSummary.extend({
  title: z.string(),
  records: count,
  offsetMs: z.number().nullable(),
  requests: count,
  webhooks: count,
  webhooksOff: count,
}) satisfies z.ZodType<SimulationOverview>
