import * as z from 'zod'

/** Query of `POST /v1/simulations/{id}/snapshots` (ours: `snapshot-list`). */
export const snapshotQuery = z.object({ name: z.string().min(1).max(200).optional() })

/** A kept snapshot (`GET /v1/simulations/{id}/snapshots`, ours). */
export const keptSnapshot = z.object({
  id: z.string(),
  /** Its world time, ISO 8601. */
  at: z.iso.datetime({ precision: 3 }),
  /** Its name, or null. */
  name: z.string().nullable(),
  /** Number of changes since creation, reset or restore at the time of the snapshot. */
  changes: z.int().min(0),
})
export type KeptSnapshot = z.infer<typeof keptSnapshot>
