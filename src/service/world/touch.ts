import type { Json, JsonObject } from '../../protocol/json.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { FieldPath, Schema } from '../openapi/schema.ts'
import { readField, writeField } from './field.ts'

/** Numbers above this are milliseconds: as seconds it would be the year 5138. */
const LARGEST_SECONDS = 100_000_000_000

/** A copy of `record` whose field of the last change, where the collection has one, says `at` (milliseconds, world time). */
export function touch(model: CollectionModel, record: JsonObject, at: number): JsonObject {
  const field = model.timestamps.updated
  if (field === undefined) return record
  return writeField(record, field, toTimestamp(at, readField(record, field), schemaAt(model.schema, field)))
}

/**
 * A moment as the API writes it: like `previous` where there is one (seconds, milliseconds, text with or without a
 * fraction), else as `schema` says, else ISO 8601 with milliseconds.
 */
export function toTimestamp(at: number, previous: Json | undefined, schema: Schema | undefined): Json {
  if (typeof previous === 'number') return previous > LARGEST_SECONDS ? at : Math.floor(at / 1000)
  const isNumber =
    schema?.types.some((type) => type === 'integer' || type === 'number') && !schema.types.includes('string')
  if (typeof previous !== 'string' && isNumber) return Math.floor(at / 1000)
  const text = toIso(at)
  if (schema?.format === 'date') return text.slice(0, 10)
  if (typeof previous === 'string' && /^\d{4}-\d\d-\d\d$/.test(previous)) return text.slice(0, 10)
  if (typeof previous === 'string' && /:\d\dZ$/.test(previous)) return `${text.slice(0, 19)}Z`
  if (typeof previous === 'string' && /\d[+-]\d\d:?\d\d$/.test(previous)) return `${text.slice(0, 19)}+00:00`
  return text
}

/** The schema of a field, or undefined where the record's schema does not say. */
export function schemaAt(schema: Schema | undefined, field: FieldPath): Schema | undefined {
  let found = schema
  for (const name of field) found = found?.properties.get(name)
  return found
}
