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
