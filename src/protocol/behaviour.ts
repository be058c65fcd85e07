import * as z from 'zod'
import type { Json } from './json.ts'
import { LIMITS } from './limits.ts'
import { explainFaults } from './parse-request.ts'

/** A scalar that a record's field is compared with. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** `{ field: scalar | { eq, ne, gt, gte, lt, lte, in } }`: which records a step may choose. Fields may be dotted. */
export const whereCondition = z.record(
  z.string(),
  z.union([
    scalar,
    z.strictObject({
      eq: scalar.optional(),
      ne: scalar.optional(),
      gt: scalar.optional(),
      gte: scalar.optional(),
      lt: scalar.optional(),
      lte: scalar.optional(),
      in: z.array(scalar).min(1).optional(),
    }),
  ]),
)
export type Where = z.infer<typeof whereCondition>

const collection = z.string().min(1)
const age = z.number().min(0).max(LIMITS.behaviourAgeSeconds)
const selection = {
  collection,
  fraction: z.number().min(0).max(1).optional(),
  count: z.int().min(1).max(LIMITS.behaviourChangesPerRun).optional(),
  where: whereCondition.optional(),
  minAgeSeconds: age.optional(),
}
const values = z.record(z.string(), z.json())

/**
 * The step kinds of a behaviour rule. `delete` is the specification's; the others are ours (`decisions/`). An unknown
 * field makes a step invalid: a step with an ignored, misspelt condition would change the wrong records.
 */
export const behaviourStep = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('create'),
    collection,
    count: z.int().min(1).max(LIMITS.behaviourChangesPerRun).optional(),
    fraction: z.number().min(0).max(1).optional(),
    values: values.optional(),
    maxRecords: z.int().min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal('update'),
    ...selection,
    set: values.optional(),
    regenerate: z.array(z.string()).min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal('transition'),
    ...selection,
    field: z.string().optional(),
    from: z.union([scalar, z.array(scalar).min(1)]).optional(),
    to: z.union([scalar, z.record(z.string(), z.number().positive())]),
  }),
  z.strictObject({
    kind: z.literal('increment'),
    ...selection,
    field: z.string(),
    by: z.union([z.number(), z.strictObject({ min: z.number(), max: z.number() })]),
    clampMin: z.number().optional(),
    clampMax: z.number().optional(),
  }),
  z.strictObject({
    kind: z.literal('expire'),
    ...selection,
    field: z.string(),
    olderThanSeconds: age,
    action: z.union([z.literal('delete'), z.strictObject({ to: scalar, field: z.string().optional() })]),
  }),
  z.strictObject({ kind: z.literal('touch'), ...selection }),
  z.strictObject({ kind: z.literal('relate'), ...selection, field: z.string(), target: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('delete'),
    ...selection,
    onDependents: z.enum(['ignore', 'setNull', 'cascade']).optional(),
  }),
  z.strictObject({
    kind: z.literal('due'),
    collection,
    /** A time field of the record: the handler runs once this time has passed. */
    field: z.string(),
    where: whereCondition.optional(),
    /** The name of a handler. */
    do: z.string().min(1).max(100),
  }),
])
export type BehaviourStep = z.infer<typeof behaviourStep>

/** A step that was not understood, with the reason. */
export interface InvalidStep {
  readonly invalid: string
}

/** The step of a plan from outside. */
export function parseStep(raw: unknown): BehaviourStep | InvalidStep {
  const result = behaviourStep.safeParse(raw)
  return result.success ? result.data : { invalid: explainFaults(behaviourStep, raw, result.error, 'the step') }
}

const behaviourRule = z.object({
  id: z.string(),
  name: z.string(),
  /** Period between runs, in seconds of world time: 1 to 2,592,000. */
  everySeconds: z.int(),
  enabled: z.boolean(),
  /** Run in order at each due time; at most 20. */
  steps: z.array(behaviourStep),
})
/** A behaviour rule as kept and as read back. */
export type BehaviourRule = z.infer<typeof behaviourRule>

export const behaviourPlan = z.object({ rules: z.array(behaviourRule) })
/** The object that changes a simulation's data over time (specification, Behaviour plan). */
export type BehaviourPlan = z.infer<typeof behaviourPlan>

/** A behaviour rule as a user writes it: `id`, `name` and `enabled` may be left out. */
export interface NewBehaviourRule {
  id?: string
  name?: string
  everySeconds: number
  /** @default true */
  enabled?: boolean
  steps: BehaviourStep[]
}

/**
 * `PUT /v1/simulations/{id}/behaviour`. An invalid step is dropped later and does not fail the request (specification,
 * Endpoints).
 */
export const behaviourRequest = z.object({
  rules: z
    .array(
      z.object({
        id: z.string().min(1).max(100).optional(),
        name: z.string().max(200).optional(),
        everySeconds: z.int().min(LIMITS.behaviourEverySeconds.min).max(LIMITS.behaviourEverySeconds.max),
        enabled: z.boolean().optional(),
        steps: z.array(z.unknown().transform(parseStep)).max(LIMITS.behaviourSteps),
      }),
    )
    .max(LIMITS.behaviourRules),
})
export type BehaviourRequest = z.infer<typeof behaviourRequest>

/** Values that a step writes. */
export type StepValues = Record<string, Json>

/** Query of `GET .../behaviour/runs` (ours: `plan-runs`). */
export const planRunsQuery = z.object({
  /** World time, ISO 8601. @default a day from now */
  until: z.iso.datetime({ offset: true }).optional(),
})

const moment = z.iso.datetime({ precision: 3 })

/** `GET .../behaviour/runs` (ours). Times are world time, ISO 8601. */
export const planRuns = z.object({
  data: z.array(
    z.object({
      ruleId: z.string(),
      /** How often it has run since the plan was set. */
      count: z.int().min(0),
      /** Time of the last run; null before the first run. */
      lastAt: moment.nullable(),
      /** How many records the last run changed; null before the first run. */
      lastChanges: z.int().min(0).nullable(),
      /** Time of the next run; null where the rule is not enabled. */
      nextAt: moment.nullable(),
    }),
  ),
  /** Runs until `until`, earliest first; at most 1,000. */
  upcoming: z.array(z.object({ ruleId: z.string(), at: moment })),
})
export type PlanRuns = z.infer<typeof planRuns>
