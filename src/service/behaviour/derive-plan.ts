import { foldName } from '../../names/words.ts'
import type { BehaviourStep, NewBehaviourRule } from '../../protocol/behaviour.ts'
import type { Schema } from '../../schema/schema.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import { schemaAt } from '../world/field.ts'

const HOUR = 3_600
const JOB_STEP = 300
/** Most collections that the plan changes; the others change only by requests. */
const MOST_COLLECTIONS = 12
/** Final or rare statuses. */
const SETBACK =
  /^(cancel|void|reject|declin|den[iy]|fail|error|expire|archiv|delet|block|suspend|disabl|inactiv|deactiv|decommis|terminat|revok|paus|lost|refund|return|disput|bounc|undeliver|uncollect|overdue|past_?due|no_?show|closed|spam)/i

/**
 * A default plan for a description: in collections with a create operation, a record is created from time to time,
 * moves through its statuses, and is rarely deleted.
 */
export function derivePlan(model: ApiModel): NewBehaviourRule[] {
  const jobs = jobNames(model)
  // What a line of `model.yaml` brings about later is not to happen by chance.
  const declared = new Set(
    model.operations.flatMap(({ effect }) =>
      'later' in effect && effect.later !== undefined ? [effect.collection] : [],
    ),
  )
  const creatable = namesWith(model, 'create')
  const deletable = namesWith(model, 'delete')
  const parents = new Map(model.collections.map(({ name, parent }) => [name, parent?.collection]))
  const ends = model.collections.filter(({ name }) => jobs.has(name) && !declared.has(name)).flatMap(endRule)
  const others = model.collections
    .filter(({ name }) => creatable.has(name) && !jobs.has(name))
    .map((collection) => ({ collection, depth: depthOf(collection.name, parents) }))
    .sort((left, right) => left.depth - right.depth)
    .slice(0, MOST_COLLECTIONS)
    .flatMap(({ collection }, at) => [
      {
        id: `${collection.name}_arrive`,
        name: `New ${collection.name} arrive`,
        everySeconds: (1 + (at % 4)) * HOUR,
        steps: [{ kind: 'create' as const, collection: collection.name, count: 1, maxRecords: 2_000 }],
      },
      ...(declared.has(collection.name) ? [] : [...expiryRule(collection), ...progressRule(collection)]),
      ...(deletable.has(collection.name) ? [departRule(collection)] : []),
    ])
  return [...others, ...ends]
}

/** The collections of jobs, which operations only begin: they answer with 202. */
function jobNames({ operations }: ApiModel): Set<string> {
  return new Set(
    operations.flatMap(({ effect, success: { status } }) => {
      if (status !== 202) return []
      if ('makes' in effect && effect.makes) return effect.makes.collection
      return effect.kind === 'create' ? effect.collection : []
    }),
  )
}

/** Jobs end soon, and well. */
function endRule(collection: CollectionModel): NewBehaviourRule[] {
  const [rule] = progressRule(collection)
  const steps = rule?.steps.flatMap((step) =>
    step.kind !== 'transition' || SETBACK.test(String(step.to)) ? [] : { ...step, fraction: 1 },
  )
  return rule === undefined || steps === undefined
    ? []
    : [{ ...rule, name: `${collection.name} end`, everySeconds: JOB_STEP, steps: steps.toReversed() }]
}

function progressRule(collection: CollectionModel): NewBehaviourRule[] {
  const isTimed = expiryRule(collection).length > 0
  const values = statusValues(collection).filter((value) => !isTimed || !isExpired(value))
  const steps = transitionsAlong(values).map(
    ([from, to, fraction]): BehaviourStep => ({ kind: 'transition', collection: collection.name, from, to, fraction }),
  )
  const rule = {
    id: `${collection.name}_progress`,
    name: `${collection.name} make progress`,
    everySeconds: HOUR,
    steps,
  }
  return steps.length === 0 ? [] : [rule]
}

/** Resend's domain claims, Twilio's challenges and WorkOS' invitations expire at their time, as long as they are open. */
function expiryRule(collection: CollectionModel): NewBehaviourRule[] {
  const { name, schema, statusField } = collection
  const values = statusValues(collection)
  const to = values.find(isExpired)
  const [field, time] = [...(schema?.fields ?? [])].find(isExpiry) ?? []
  if (to === undefined || field === undefined) return []
  const open = values.filter((value, at) => value !== to && (at === 0 || OPEN.test(String(value)))).map(String)
  const where = { [statusField?.join('.') ?? '']: { in: open } }
  // A date is over at the end of its day.
  const olderThanSeconds = time?.format === 'date' ? 24 * HOUR : 0
  const step = { kind: 'expire' as const, collection: name, field, olderThanSeconds, action: { to }, where }
  return [{ id: `${name}_expire`, name: `${name} expire`, everySeconds: JOB_STEP, steps: [step] }]
}

const isExpired = (value: Status): boolean => /^expired$/i.test(String(value))
const isExpiry = ([name, { format }]: readonly [string, Schema]): boolean =>
  EXPIRY.test(foldName(name)) && /^date/.test(format ?? '')
const EXPIRY = /^(expire[sd]?|expiry|expiration|valid(until|to))(at|on|date|time)?$/
/** Statuses, besides the first, in which something can still expire. */
const OPEN = /^(active|open|valid|live|sent|issued)$/i

const departRule = ({ name }: CollectionModel): NewBehaviourRule => ({
  id: `${name}_leave`,
  name: `Old ${name} are deleted`,
  everySeconds: 24 * HOUR,
  steps: [{ kind: 'delete', collection: name, fraction: 0.01 }],
})

/** A value of a status. */
type Status = string | boolean

/** Values of the status in the description's order; for a flag, false and true. */
function statusValues(collection: CollectionModel): Status[] {
  const schema = collection.statusField === null ? undefined : schemaAt(collection.schema, collection.statusField)
  if (schema === undefined) return []
  const values = schema.enum ?? collection.vocabulary.get(collection.statusField?.join('.') ?? '')
  if (values !== undefined) return values.filter((value) => typeof value === 'string').slice(0, 12)
  return schema.types.includes('boolean') ? [false, true] : []
}

/** Each value leads to the next one that is no setback; the first value rarely leads to a setback. */
function transitionsAlong(values: readonly Status[]): [Status, Status, number][] {
  const isSetback = (value: Status) => typeof value === 'string' && SETBACK.test(value)
  const path = values.filter((value) => !isSetback(value))
  const steps = path.slice(1).map((to, at): [Status, Status, number] => [path[at] as Status, to, 0.05])
  const first = path[0]
  const setback = values.find(isSetback)
  return first === undefined || setback === undefined ? steps : [...steps, [first, setback, 0.01]]
}

function namesWith(model: ApiModel, kind: 'create' | 'delete'): Set<string> {
  return new Set(model.operations.flatMap(({ effect }) => (effect.kind === kind ? [effect.collection] : [])))
}

/** The number of ancestors of a collection. */
function depthOf(name: string, parents: ReadonlyMap<string, string | undefined>): number {
  let depth = 0
  for (let at = parents.get(name); at !== undefined && depth < 10; at = parents.get(at)) depth++
  return depth
}
