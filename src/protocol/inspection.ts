import * as z from 'zod'

/** What an operation of the simulated API does to its records. */
const kinds = [
  'list',
  'search',
  'read',
  'update',
  'replace',
  'delete',
  'create',
  'action',
  'bulkCreate',
  'bulkUpdate',
  'bulkDelete',
  'singletonRead',
  'singletonUpdate',
  'singletonReplace',
  'singletonDelete',
  'signIn',
  'computed',
  'example',
] as const

/** How sure the effect of an operation is, from sure to unknown. */
export const confidences = ['declared', 'certain', 'likely', 'guess', 'example'] as const

/** One operation of the simulated API (`GET /v1/simulations/{id}/operations`, ours). */
export const operationSummary = z.object({
  /** operationId, or method and path where there is none. */
  id: z.string(),
  method: z.string(),
  /** Path template as the description has it, below the base path. */
  path: z.string(),
  summary: z.string().nullable(),
  /** `example`: it answers with an example of the description. */
  kind: z.enum(kinds),
  /** The collection or document of the operation. */
  subject: z.string().nullable(),
  /** What an action sets: `status -> cancelled`, `cancelled_at = now`. Empty for an action that changes nothing, and for other kinds. */
  sets: z.array(z.string()),
  /** Names of its query parameters. */
  query: z.array(z.string()),
  /** Those of them that filter nothing; only an inspection looks for them. */
  unread: z.array(z.string()),
  /** Name of the rule that found what it does. */
  rule: z.string(),
  /** How sure that is; `example`: nothing is known. */
  confidence: z.enum(confidences),
  /** Whether a person should look at it: a guess, an example, or an action that changes nothing. */
  unclear: z.boolean(),
  /** The line of `model.yaml` that says what it does, to be corrected there. */
  line: z.string(),
  /** Whether its requests have a body. */
  body: z.boolean(),
})
export type OperationSummary = z.infer<typeof operationSummary>

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
