import * as z from 'zod'
import { type BehaviourRequest, parseStep } from '../../protocol/behaviour.ts'
import type { Json } from '../../protocol/json.ts'
import type { ApiModel } from '../openapi/model.ts'
import { schemaAt, toFieldPath } from '../world/field.ts'

/** Most records of one collection in a proposal, so that a model cannot raise the price of a creation. */
const MOST_RECORDS = 1_000
const MOST_HINTS = 100
const MOST_VALUES = 50

const scalar = z.union([z.string().max(500), z.number(), z.boolean()])

/** The answer format for a language model. Lists instead of maps: models fill them more reliably. */
export const proposalRequest = z.object({
  volumes: z.array(z.object({ collection: z.string(), records: z.number() })).describe('how many records to generate'),
  hints: z
    .array(z.object({ collection: z.string(), field: z.string(), values: z.array(scalar) }))
    .describe('realistic values that generated records may hold in a field, dotted where nested'),
  behaviour: z
    .array(
      z.object({
        name: z.string(),
        everySeconds: z.number(),
        steps: z.array(
          z.object({
            kind: z.enum(['create', 'transition', 'delete', 'touch']),
            collection: z.string(),
            count: z.number().nullable(),
            fraction: z.number().nullable(),
            from: z.string().nullable(),
            to: z.string().nullable(),
          }),
        ),
      }),
    )
    .describe('how the data changes while time passes; leave empty to keep the usual plan'),
})
type RawProposal = z.infer<typeof proposalRequest>

/** The usable part of a proposal: within bounds, about existing collections and fields. */
export interface Proposal {
  readonly volume: Readonly<Record<string, number>>
  /** Values by collection and dotted field. */
  readonly hints: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>
  /** Undefined: no rules were proposed. */
  readonly behaviour: BehaviourRequest['rules'] | undefined
}

/** Keeps the usable part of a language model's proposal. */
export function boundProposal({ volumes, hints, behaviour }: RawProposal, model: ApiModel): Proposal {
  const known = new Map(model.collections.map((collection) => [collection.name, collection]))
  const volume = volumes
    .filter(({ collection }) => known.has(collection))
    .map(({ collection, records }) => [collection, Math.min(Math.max(0, Math.round(records)), MOST_RECORDS)] as const)
  const kept: Record<string, Record<string, Json[]>> = {}
  for (const { collection, field, values } of hints.slice(0, MOST_HINTS)) {
    const schema = known.get(collection)?.schema
    if (values.length === 0 || schema === undefined || schemaAt(schema, toFieldPath(field)) === undefined) continue
    kept[collection] = { ...kept[collection], [field]: values.slice(0, MOST_VALUES) }
  }
  const rules = behaviour.map((rule) => ({
    ...rule,
    everySeconds: toPeriod(rule.everySeconds),
    steps: rule.steps.map((step) => parseStep(toStep(step))),
  }))
  return {
    volume: Object.fromEntries(volume),
    hints: kept,
    behaviour: rules.length === 0 ? undefined : rules.slice(0, 20),
  }
}

const toPeriod = (seconds: number): number => Math.min(Math.max(60, Math.round(seconds) || 3_600), 2_592_000)

/**
 * The step without empty fields and without fields that its kind does not have: a language model fills in every field of a
 * schema.
 */
function toStep({ from, to, ...step }: RawProposal['behaviour'][number]['steps'][number]): object {
  const filled = step.kind === 'transition' ? { ...step, from, to } : step
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== null))
}
