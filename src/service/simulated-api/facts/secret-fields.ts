import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'
import { allNames } from './intake.ts'

/** A text or an object of an answer, by its name. */
export type SecretField = readonly [name: string, schema: Schema]

/** Names of values about the call, not about the record. */
const BESIDE = /(status|message|error|warning|info|next|prev|cursor|meta|links?$|request_?id$|^(object|type|kind)$)/i
const NONE: readonly SecretField[] = []

/**
 * Texts and objects that only the answer to a creation has, such as the secret of an API key or the address for an
 * upload: a client could not go on without them, and later calls identify the record by some.
 */
export function secretFieldsOf({ effect }: Operation, model: CollectionModel | undefined): readonly SecretField[] {
  const answer = effect.kind === 'create' ? effect.envelope.schema : undefined
  if (model === undefined || answer === undefined || answer === model.schema) return NONE
  const own = allNames(model.schema)
  return [...answer.properties].filter(
    ([name, { types, enum: values, properties }]) =>
      !own.has(name) &&
      !BESIDE.test(name) &&
      !values &&
      // An object with an id is another record.
      (types.includes('string') || (types.includes('object') && !properties.has('id'))),
  )
}
