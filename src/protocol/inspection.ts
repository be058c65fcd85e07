import * as z from 'zod'
import { type OperationSummary, operationSummary } from './operation-summary.ts'

/** `POST /v1/inspect` (ours): a description to inspect; no simulation is created. */
export const inspectRequest = z.object({ spec: z.string().min(1) })

/** Summary of a description, from `POST /v1/inspect` (ours) and `backlot inspect --json`. */
export interface Inspection {
  title: string
  version: string
  basePath: string
  /** How sure the effects of the operations are: `11 certain, 4 likely, 2 guessed, 1 example`. */
  summary: string
  collections: {
    name: string
    /** Name of the id field. */
    id: string | null
    statusField: string | null
    parent: string | null
    /** Kinds of its events. */
    events: string[]
  }[]
  /** Single documents. */
  singletons: { name: string; parent: string | null }[]
  operations: OperationSummary[]
  /** Parts of the description that were not understood. */
  warnings: string[]
}

/** The schema of {@link Inspection}. */
export const inspection = z.object({
  title: z.string(),
  version: z.string(),
  basePath: z.string(),
  summary: z.string(),
  collections: z.array(
    z.object({
      name: z.string(),
      id: z.string().nullable(),
      statusField: z.string().nullable(),
      parent: z.string().nullable(),
      events: z.array(z.string()),
    }),
  ),
  singletons: z.array(z.object({ name: z.string(), parent: z.string().nullable() })),
  operations: z.array(operationSummary),
  warnings: z.array(z.string()),
}) satisfies z.ZodType<Inspection>
