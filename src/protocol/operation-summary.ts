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
  'signIn',
  'computed',
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
  /** What an action sets: `status -> cancelled`, `cancelled_at = now`. Empty for an action that changes nothing, and for other kinds. */
  sets: string[]
  /** Names of its query parameters. */
  query: string[]
  /** Those of them that filter nothing; only an inspection looks for them. */
  unread: string[]
  /** Name of the rule that found what it does. */
  rule: string
  /** How sure that is; `example`: nothing is known. */
  confidence: (typeof confidences)[number]
  /** Whether a person should look at it: a guess, an example, or an action that changes nothing. */
  unclear: boolean
  /** The line of `model.yaml` that says what it does, to be corrected there. */
  line: string
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
  sets: z.array(z.string()),
  query: z.array(z.string()),
  unread: z.array(z.string()),
  rule: z.string(),
  confidence: z.enum(confidences),
  unclear: z.boolean(),
  line: z.string(),
  body: z.boolean(),
}) satisfies z.ZodType<OperationSummary>
