import * as z from 'zod'

/** Query of `POST /v1/simulations/{id}/snapshots` (ours: `snapshot-list`). */
export const snapshotQuery = z.object({ name: z.string().min(1).max(200).optional() })

/** A snapshot that is kept (`GET /v1/simulations/{id}/snapshots`, ours). */
export interface KeptSnapshot {
  id: string
  /** World time that it keeps, ISO 8601. */
  at: string
  /** What it was called; null where it has no name. */
  name: string | null
  /** How many changes there were when it was taken, since the data was made or put back. */
  changes: number
}

/** The schema of {@link KeptSnapshot}. */
export const keptSnapshot = z.object({
  id: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  name: z.string().nullable(),
  changes: z.int().min(0),
}) satisfies z.ZodType<KeptSnapshot>
