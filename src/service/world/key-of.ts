import type { JsonObject } from '../../protocol/json.ts'
import { readField } from '../../protocol/json-fields.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { keyIn } from './field.ts'

/** Key of a record by its id field; undefined where the collection has none or the record does not hold it. */
export function keyOf(model: CollectionModel, record: JsonObject): string | undefined {
  return model.id.field && keyIn(readField(record, model.id.field))
}
