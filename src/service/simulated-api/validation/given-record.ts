import { didYouMean } from '../../../names/nearest-name.ts'
import { isJsonObject, type Json, type JsonObject, readField, removeField } from '../../../protocol/json.ts'
import { checkerOf } from '../../../schema/checker.ts'
import { describeProblem, listProblems, type Problem } from '../../../schema/problem.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'
import { allNames } from '../facts/intake.ts'
import { keepsUnknown } from '../presentation/project.ts'

/** Fields that the owner may set in a record of one collection. */
export interface GivenFields {
  /** Schema of a record; undefined without one. */
  readonly schema: Schema | undefined
  /** Undeclared fields that lists or request bodies have. */
  readonly others: ReadonlySet<string>
  readonly id: FieldPath | undefined
}

/** A field that no answer would show. */
interface Stranger {
  readonly place: string
  readonly name: string
  readonly known: readonly string[]
}

/** Most names listed for an unknown field. */
const MOST_LISTED = 20

export function findGivenFields(model: CollectionModel, operations: readonly Operation[]): GivenFields {
  const bodies = operations.flatMap(({ effect }) =>
    'collection' in effect && effect.collection === model.name && 'body' in effect ? [effect.body?.schema] : [],
  )
  const paths = [
    model.id.field,
    model.parent?.field,
    ...model.alternateKeys,
    ...model.relations.map(({ field }) => field),
  ]
  const schema = model.schema ?? model.listSchema
  const others = new Set([
    ...[model.listSchema, ...bodies].flatMap((other) => [...allNames(other).keys()]),
    ...paths.flatMap((path) => path?.[0] ?? []),
  ])
  return { schema, others, id: model.id.field }
}

/** The record's name in messages, and whether it must be complete. */
interface GivenPlace {
  /** `seedRecords.tasks[0]`. @default its fields stand for themselves */
  readonly place?: string
  /** Whether required fields must be present. @default false */
  readonly isWhole?: boolean
}

/** Describes what does not fit in a record, or in a part of one; undefined where all fits. */
export function explainGiven(
  given: JsonObject,
  { schema, others, id }: GivenFields,
  { place = '', isWhole = false }: GivenPlace = {},
): string | undefined {
  if (schema === undefined) return undefined
  const unknownFields = [...findStrangers(given, schema, place, others)]
  const own = id !== undefined && readField(given, id) === null ? removeField(given, id) : given
  const misfit = checkerOf(schema, { direction: 'part' })(own)
  const problem = misfit ?? (isWhole ? checkerOf(schema, { direction: 'request' })(own) : undefined)
  const messages = [
    ...unknownFields.map(explainStranger),
    ...listProblems(problem ? [problem] : []).map((found) => explainProblem(found, place)),
  ]
  const [first, ...more] = messages
  if (first === undefined || more.length === 0) return first
  return `${first} ${more.length} more ${more.length === 1 ? 'fault' : 'faults'} found.`
}

/** Fields that are neither declared nor allowed as unknown. */
function* findStrangers(
  value: Json,
  schema: Schema | undefined,
  place: string,
  others: ReadonlySet<string> = NONE,
): Generator<Stranger> {
  if (schema === undefined) return
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* findStrangers(item, schema.items, `${place}[${at}]`)
  }
  if (!isJsonObject(value)) return
  const names = allNames(schema)
  const { additionalProperties: rest } = schema
  for (const [name, item] of Object.entries(value)) {
    const field = names.get(name) ?? (typeof rest === 'object' ? rest : undefined)
    if (field !== undefined) yield* findStrangers(item, field, fieldPlace(place, name))
    else if (!others.has(name) && !isOpen(schema))
      yield { place, name, known: [...new Set([...names.keys(), ...others])] }
  }
}

const NONE: ReadonlySet<string> = new Set()

function isOpen(schema: Schema): boolean {
  const objects = schema.variants?.filter(({ types }) => types.length === 0 || types.includes('object'))
  return objects === undefined ? keepsUnknown(schema) : objects.some(keepsUnknown)
}

const fieldPlace = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

function explainStranger({ place, name, known }: Stranger): string {
  const shown = name.slice(0, 100)
  const listed = known.slice(0, MOST_LISTED).join(', ')
  const more = known.length > MOST_LISTED ? ` and ${known.length - MOST_LISTED} more` : ''
  const where = place === '' ? 'the record' : `\`${place}\``
  return `Expected ${where} to have no field "${shown}", got one.${didYouMean(shown, known)} It may have ${listed}${more}.`
}

function explainProblem(problem: Problem, place: string): string {
  const { path, got, allowed = [] } = problem
  const field = path.reduce(
    (above, name) => (/^\d+$/.test(name) ? `${above}[${name}]` : fieldPlace(above, name)),
    place,
  )
  const names = allowed.filter((value) => typeof value === 'string')
  const nearest = typeof got === 'string' ? didYouMean(got, names) : ''
  return `${describeProblem({ ...problem, path: field === '' ? [] : [field] }, 'the record')}${nearest}`
}
