import * as z from 'zod'

/** Query of `POST /v1/simulations/{id}/snapshots` (ours: `snapshot-list`). */
export const snapshotQuery = z.object({ name: z.string().min(1).max(200).optional() })

/** A kept snapshot (`GET /v1/simulations/{id}/snapshots`, ours). */
export interface KeptSnapshot {
  id: string
  /** Its world time, ISO 8601. */
  at: string
  /** Its name, or null. */
  name: string | null
  /** Number of changes since creation, reset or restore at the time of the snapshot. */
  changes: number
}

/** The schema of {@link KeptSnapshot}. */
export const keptSnapshot = z.object({
  id: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  name: z.string().nullable(),
  changes: z.int().min(0),
}) satisfies z.ZodType<KeptSnapshot>
