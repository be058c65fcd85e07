import { misspeltFor } from '../../names/nearest-name.ts'
import type {
  BehaviourPlan,
  BehaviourRequest,
  BehaviourRule,
  BehaviourStep,
  InvalidStep,
  Where,
} from '../../protocol/behaviour.ts'
import { invalidRequest } from '../../protocol/errors.ts'
import type { Json } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import { schemaAt, toFieldPath } from '../world/field.ts'
import { boundOf, holdsMoments, holdsNumbers, valueNamed } from './field-values.ts'

/** The plan to keep, and one sentence for each dropped step. */
export interface ParsedPlan {
  plan: BehaviourPlan
  dropped: string[]
}

/**
 * Validates a plan against the data model. A step that cannot work is dropped and does not fail the request
 * (specification, `PUT .../behaviour`). `handlers` are the names allowed in `due` steps. Throws `invalid_request` when
 * two rules share an id.
 */
export function parsePlan(
  rules: BehaviourRequest['rules'],
  model: ApiModel,
  handlers: readonly string[] = [],
): ParsedPlan {
  const dropped: string[] = []
  const ids = uniqueIds(rules)
  const kept = rules.map((rule, at): BehaviourRule => {
    const id = ids[at] as string
    const steps: BehaviourStep[] = []
    for (const [number, step] of rule.steps.entries()) {
      const result = checkStep(step, model, handlers)
      if (typeof result === 'string') dropped.push(`rules[${at}].steps[${number}]: ${result}`)
      else steps.push(result)
    }
    return { id, name: rule.name ?? id, everySeconds: rule.everySeconds, enabled: rule.enabled ?? true, steps }
  })
  return { plan: { rules: kept }, dropped }
}

/** The ids of the rules, in order: the given ids, and free ids for the others. */
function uniqueIds(rules: BehaviourRequest['rules']): string[] {
  const given = new Set<string>()
  for (const [at, { id }] of rules.entries()) {
    if (id === undefined) continue
    if (given.has(id)) throw invalidRequest(`Expected \`rules[${at}].id\` to be unique in the plan, got "${id}" again.`)
    given.add(id)
  }
  let number = 0
  return rules.map(({ id }) => {
    if (id !== undefined) return id
    do number++
    while (given.has(`rule_${number}`))
    return `rule_${number}`
  })
}

/** The step, or the reason why it cannot work. */
function checkStep(
  step: BehaviourStep | InvalidStep,
  model: ApiModel,
  handlers: readonly string[],
): BehaviourStep | string {
  if ('invalid' in step) return step.invalid
  const collection = model.collections.find(({ name }) => name === step.collection)
  if (collection === undefined) {
    const known = model.collections.map(({ name }) => name)
    return `no collection "${step.collection}"; the description has ${known.slice(0, 12).join(', ') || 'none'}`
  }
  if (step.kind === 'due' && !handlers.includes(step.do)) {
    return `no handler "${step.do}"; there are ${handlers.slice(0, 12).join(', ') || 'none'}`
  }
  return faultOf(step, collection, model) ?? step
}

function faultOf(step: BehaviourStep, collection: CollectionModel, model: ApiModel): string | undefined {
  if ('minAgeSeconds' in step && step.minAgeSeconds !== undefined && collection.timestamps.created === undefined) {
    return `\`minAgeSeconds\` needs a creation timestamp, and records of "${collection.name}" have none`
  }
  for (const [name, values] of writtenFields(step, collection)) {
    const fault = idFault(collection, toFieldPath(name)) ?? fieldFault(collection, toFieldPath(name), values)
    if (fault !== undefined) return fault
  }
  for (const [name, values] of readFields(step, collection)) {
    const fault = readFault(collection, toFieldPath(name), values)
    if (fault !== undefined) return fault
  }
  const fault = boundsFault(step) ?? kindFault(step, collection)
  if (fault !== undefined) return fault
  if (step.kind === 'transition' && step.field === undefined && collection.statusField === null) {
    return `\`field\` is missing, and records of "${collection.name}" have no status field`
  }
  if (step.kind === 'relate' && !model.collections.some(({ name }) => name === step.target)) {
    return `no collection "${step.target}" to relate to`
  }
  return undefined
}

/** Fields that the step reads or writes, with the values to write. */
function writtenFields(step: BehaviourStep, collection: CollectionModel): [string, Json[]][] {
  const status = collection.statusField?.join('.')
  switch (step.kind) {
    case 'create':
      return Object.entries(step.values ?? {}).map(([name, value]) => [name, [value as Json]])
    case 'update':
      return [
        ...Object.entries(step.set ?? {}).map(([name, value]): [string, Json[]] => [name, [value as Json]]),
        ...(step.regenerate ?? []).map((name): [string, Json[]] => [name, []]),
      ]
    case 'transition': {
      const name = step.field ?? status
      if (name === undefined) return []
      const schema = schemaAt(collection.schema, toFieldPath(name))
      const isWeighed = typeof step.to === 'object' && step.to !== null
      return [[name, isWeighed ? Object.keys(step.to as object).map((text) => valueNamed(schema, text)) : [step.to]]]
    }
    case 'increment':
    case 'relate':
    case 'due':
      return [[step.field, []]]
    case 'expire': {
      const target = step.action === 'delete' ? undefined : (step.action.field ?? status)
      const to: Json[] = step.action === 'delete' ? [] : [step.action.to]
      return [[step.field, []], ...(target === undefined ? [] : [[target, to] as [string, Json[]]])]
    }
    default:
      return []
  }
}

/** Fields that the step chooses its records by, with the values that it looks for there. */
function readFields(step: BehaviourStep, { statusField }: CollectionModel): [string, Json[]][] {
  const where = 'where' in step ? Object.entries(step.where ?? {}) : []
  const fields = where.map(([name, condition]): [string, Json[]] => [name, valuesOf(condition)])
  const status = step.kind === 'transition' ? (step.field ?? statusField?.join('.')) : undefined
  if (step.kind !== 'transition' || step.from === undefined || status === undefined) return fields
  return [...fields, [status, [step.from].flat()]]
}

/** The values that a condition names; a bound (`gt`, `lt`) need not be a value that the field can have. */
function valuesOf(condition: Where[string]): Json[] {
  if (typeof condition !== 'object' || condition === null) return [condition]
  const { eq, ne, in: among = [] } = condition
  return [eq, ne, ...among].filter((value) => value !== undefined)
}

/** Ids are the simulation's, or a client's, to give: a plan would give the same one twice. */
function idFault({ name, id }: CollectionModel, field: FieldPath): string | undefined {
  const isId = id.field !== undefined && field.every((part, at) => id.field?.[at] === part)
  return isId ? `"${field.join('.')}" of "${name}" holds its id, which a step cannot write` : undefined
}

function fieldFault(collection: CollectionModel, field: FieldPath, values: readonly Json[]): string | undefined {
  const record = collection.schema
  if (record === undefined || record.properties.size === 0 || record.variants !== undefined) return undefined
  const schema = schemaAt(record, field)
  if (schema === undefined) {
    return record.properties.has(field[0] as string)
      ? undefined
      : `records of "${collection.name}" have no field "${field.join('.')}"`
  }
  if (schema.variants !== undefined) return undefined
  for (const value of values) {
    const bound = boundOf(schema, value)
    if (bound === undefined) continue
    return `"${field.join('.')}" of "${collection.name}" is ${bound}, not ${JSON.stringify(value)}`
  }
  return undefined
}

/** Why no record can have one of `values`. Open records may have fields that the description does not know, unless one is misspelt. */
function readFault(collection: CollectionModel, field: FieldPath, values: readonly Json[]): string | undefined {
  const { schema: record } = collection
  const [name = ''] = field
  const isUnknown = record !== undefined && record.additionalProperties !== false && !record.properties.has(name)
  if (!isUnknown) return fieldFault(collection, field, values)
  const nearest = misspeltFor(name, [...record.properties.keys()])
  return nearest && `records of "${collection.name}" have no field "${name}". Did you mean "${nearest}"?`
}

/** Contradicting bounds of a step. */
function boundsFault(step: BehaviourStep): string | undefined {
  if (step.kind !== 'increment') return undefined
  const { by, clampMin = Number.NEGATIVE_INFINITY, clampMax = Number.POSITIVE_INFINITY } = step
  if (typeof by === 'object' && by.min > by.max) return `\`by.min\` (${by.min}) is above \`by.max\` (${by.max})`
  return clampMin > clampMax ? `\`clampMin\` (${clampMin}) is above \`clampMax\` (${clampMax})` : undefined
}

/** A field whose values do not suit this kind of step. */
function kindFault(step: BehaviourStep, { name, schema: record }: CollectionModel): string | undefined {
  if (step.kind !== 'increment' && step.kind !== 'expire' && step.kind !== 'due') return undefined
  const schema = schemaAt(record, toFieldPath(step.field))
  if (schema === undefined || schema.variants !== undefined) return undefined
  if (step.kind === 'increment') {
    return holdsNumbers(schema) ? undefined : `"${step.field}" of "${name}" holds no number to increment`
  }
  return holdsMoments(schema, step.field)
    ? undefined
    : `"${step.field}" of "${name}" holds no moment to ${step.kind === 'due' ? 'wait for' : 'expire at'}`
}
