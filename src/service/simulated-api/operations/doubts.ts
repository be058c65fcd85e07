import { endsInKey } from '../../../names/id-names.ts'
import { wordsOf } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'
import type { CompiledApi } from '../compiled/compiled-api.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import { allNames } from '../facts/intake.ts'
import { keepsUnknown } from '../presentation/project.ts'
import { recordField } from '../records/client-fields.ts'

/** Numbers that follow from other records or from parts of a sum. */
const COMPUTED = /^(counts?|totals?|sum|average|avg|mean|balance|ratings?|num)$/
/** What a client sends that no answer shows. */
const HIDDEN = /pass(word|wd|code)|pwd|secret|token|captcha|confirm|otp|^(code|id|type)$/i
const CHANGES: ReadonlySet<string> = new Set(['create', 'update', 'replace'])

/** Found once for each operation. */
export function doubtsOf(api: CompiledApi, compiled: CompiledOperation): NonNullable<CompiledOperation['doubts']> {
  compiled.doubts ??= { lost: findLostFields(compiled), madeUp: findMadeUpFields(api, compiled) }
  return compiled.doubts
}

/** Fields of an operation's body that no field of the records keeps. Options, which are flags, do something else. */
function findLostFields(compiled: CompiledOperation): readonly string[] {
  const { effect, requestBody, success, parameters } = compiled.operation
  const { model } = compiled.collection ?? {}
  const [sent] = requestBody?.content.values() ?? []
  const body = ('body' in effect ? effect.body?.schema : undefined) ?? sent
  if (!CHANGES.has(effect.kind) || model?.schema === undefined || keepsUnknown(model.schema)) return []
  const own = allNames(model.schema)
  const answers = [model.listSchema, ...[...success.content.values()].map(({ schema }) => schema)]
  const elsewhere = new Set([
    ...answers.flatMap((schema) => [...allNames(schema).keys()]),
    ...parameters.map(({ name }) => name),
    ...('sets' in effect ? (effect.sets ?? []) : []).flatMap(({ to }) =>
      typeof to === 'object' && 'sent' in to ? to.sent : [],
    ),
    ...(model.id.sentAs === undefined ? [] : [model.id.sentAs]),
  ])
  const { parts } = compiled.intakeOf(sent)
  return [...allNames(body)].flatMap(([name, field]) => {
    const isFile = field.format === 'binary' || field.format === 'byte'
    const isOption =
      field.writeOnly || isFile || field.types[0] === 'boolean' || HIDDEN.test(name) || name.includes('.')
    const isKept =
      elsewhere.has(name) || parts.has(name) || recordField(model, own, name, sampleOf(field)) !== undefined
    return isOption || isKept ? [] : [name]
  })
}

const sampleOf = ({ types }: Schema): '' | Record<string, never> =>
  types.includes('object') || types.includes('array') ? {} : ''

/** Fields of an operation's answer that look computed, of records that others belong to, and that nothing keeps right. */
function findMadeUpFields(api: CompiledApi, { operation, collection }: CompiledOperation): readonly string[] {
  if (collection === undefined) return []
  const { model, upkeep } = collection
  const { operations, collections } = api.model
  const owned = collections.filter(
    ({ parent, relations }) =>
      parent?.collection === model.name || relations.some((relation) => relation.collection === model.name),
  )
  if (owned.length === 0 && operation.effect.kind !== 'create') return []
  const counters = owned.flatMap(({ name }) => api.countersOf(name).filter((one) => one.collection === model.name))
  const kept = new Set([
    ...counters.map(({ counter }) => counter),
    ...operations.flatMap((one) => setBy(one, model)),
    ...Object.keys(model.initial ?? {}),
  ])
  const names = allNames(model.schema)
  // The totals of lines within a record follow them.
  const hasLines = [...names.values()].some(
    ({ items }) => items?.types.includes('object') && !items.properties.has('id'),
  )
  return [...names].flatMap(([name, { types, readOnly }]) => {
    const words = wordsOf(name)
    // Django writes the counts that a method computes as read-only texts.
    const isComputed = (readOnly || /number|integer/.test(types.join())) && words.some((word) => COMPUTED.test(word))
    return isComputed && !hasLines && !endsInKey(name) && !kept.has(name) && !upkeep.sent.has(name) ? [name] : []
  })
}

const setBy = ({ effect }: Operation, { name }: CollectionModel): string[] =>
  'sets' in effect && 'collection' in effect && effect.collection === name
    ? (effect.sets ?? []).map(({ field }) => `${field[0]}`)
    : []
