import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'
import { allNames } from './intake.ts'

/** A text of an answer, by its name. */
export type SecretField = readonly [name: string, schema: Schema]

const SECRET = /(key|token|secret|code|password)$/i
const NONE: readonly SecretField[] = []

/**
 * Texts that only the answer to a creation has, such as the secret of an API key: a client could do nothing with the key
 * without it, and later calls identify the record by it.
 */
export function secretFieldsOf({ effect }: Operation, model: CollectionModel | undefined): readonly SecretField[] {
  const answer = effect.kind === 'create' ? effect.envelope.schema : undefined
  if (model === undefined || answer === undefined || answer === model.schema) return NONE
  const own = allNames(model.schema)
  return [...answer.properties].filter(
    ([name, { types, enum: values }]) => SECRET.test(name) && !own.has(name) && types.includes('string') && !values,
  )
}
