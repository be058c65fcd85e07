import { ApiError } from '../../src/protocol/errors.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { INFERENCE_RULES } from '../../src/service/openapi/inference/infer-model.ts'
import { REQUEST_RULES, RULES } from '../../src/service/openapi/inference/rules/rules.ts'
import type { Effect } from '../../src/service/openapi/model.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import type { Described } from './descriptions.ts'

/** What a rule decides: the operations that have another effect without it, or records with other keys. */
export interface LedgerRow {
  readonly rule: string
  readonly operations: number
  readonly descriptions: number
  readonly vendors: readonly string[]
}

/** What rules of inference decide: each is left out, and the effects are compared. */
export function computeLedger(
  descriptions: readonly Described[],
  rules: readonly string[] = INFERENCE_RULES.map(({ name }) => name),
): LedgerRow[] {
  const all = descriptions.map(({ vendor, document }) => ({ vendor, document, operations: operationsOf(document) }))
  const reasons = new Set([...RULES, ...REQUEST_RULES].map(({ name }) => name))
  return rules.map((rule) => {
    const decided = all
      // A rule that is the reason of no operation changes nothing when it is left out.
      .filter(({ operations }) => !reasons.has(rule) || operations.some(({ reason }) => reason === rule))
      .map(({ vendor, document, operations }) => {
        const without = operationsWithout(rule, document)
        return { vendor, count: operations.filter(({ effect }, at) => effect !== without[at]?.effect).length }
      })
      .filter(({ count }) => count > 0)
    return {
      rule,
      operations: decided.reduce((sum, { count }) => sum + count, 0),
      descriptions: decided.length,
      vendors: [...new Set(decided.map(({ vendor }) => vendor))].sort(),
    }
  })
}

/** Without a rule that the description's own `x-backlot` needs, it cannot be read: each of its operations has another effect then. */
function operationsWithout(rule: string, document: Described['document']): { effect: string }[] {
  try {
    return operationsOf(document, new Set([rule]))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_spec') return []
    throw error
  }
}

/** The rules that found the effects of all operations, and the effects and the keys of their records as texts. */
function operationsOf(document: Described['document'], leftOut?: ReadonlySet<string>) {
  const { operations, collections } = readDescription(document, { leftOut })
  const keys = new Map(collections.map(({ name, id }) => [name, `${id.field}`]))
  return operations.map(({ effect, reason }) => ({
    reason: reason.rule,
    effect: `${textOf(effect)} ${'collection' in effect ? keys.get(effect.collection) : ''}`,
  }))
}

/** An effect as a text, with the names of schemas in place of schemas. Effects compute their fields when they are read. */
function textOf(effect: Effect): string {
  const fields: Record<string, unknown> = {}
  for (const name in effect) fields[name] = effect[name as keyof Effect]
  return JSON.stringify(fields, (_, value: unknown) => (isSchema(value) ? nameOf(value) : value))
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'types' in value && 'properties' in value

const nameOf = ({ name, properties }: Schema): string => name ?? [...properties.keys()].join()
