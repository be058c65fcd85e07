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
  'token',
  'example',
] as const

/** How sure the effect of an operation is, from sure to unknown. */
export const confidences = ['declared', 'certain', 'likely', 'guess', 'example'] as const

/** One operation of the simulated API (`GET /v1/simulations/{id}/operations`, ours). */
export interface OperationSummary {
  /** operationId, or method and path where there is none. */
  id: string
  method: string
  /** Path template as the description has it, below the base path. */
  path: string
  summary: string | null
  /** `example`: it answers with an example of the description. */
  kind: (typeof kinds)[number]
  /** The collection or document of the operation. */
  subject: string | null
  /** Names of its query parameters. */
  query: string[]
  /** Whether its answer depends on earlier requests, or later answers depend on it. */
  stateful: boolean
  /** Name of the rule that found what it does. */
  rule: string
  /** How sure that is; `example`: nothing is known. */
  confidence: (typeof confidences)[number]
  /** Whether its requests have a body. */
  body: boolean
}

/** The schema of {@link OperationSummary}. */
export const operationSummary = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string().nullable(),
  kind: z.enum(kinds),
  subject: z.string().nullable(),
  query: z.array(z.string()),
  stateful: z.boolean(),
  rule: z.string(),
  confidence: z.enum(confidences),
  body: z.boolean(),
}) satisfies z.ZodType<OperationSummary>
