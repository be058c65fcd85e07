import * as z from 'zod'
import { operationSummary } from './operation-summary.ts'

/** `POST /v1/inspect` (ours): a description to inspect; no simulation is created. */
export const inspectRequest = z.object({ spec: z.string().min(1) })

/** Summary of a description, from `POST /v1/inspect` (ours) and `backlot inspect --json`. */
export const inspection = z.object({
  title: z.string(),
  version: z.string(),
  basePath: z.string(),
  /** How sure the effects of the operations are: `11 certain, 4 likely, 2 guessed, 1 example`. */
  summary: z.string(),
  collections: z.array(
    z.object({
      name: z.string(),
      /** Name of the id field. */
      id: z.string().nullable(),
      statusField: z.string().nullable(),
      parent: z.string().nullable(),
      /** Kinds of its events. */
      events: z.array(z.string()),
    }),
  ),
  /** Single documents. */
  singletons: z.array(z.object({ name: z.string(), parent: z.string().nullable() })),
  operations: z.array(operationSummary),
  /** Parts of the description that were not understood. */
  warnings: z.array(z.string()),
})
export type Inspection = z.infer<typeof inspection>
