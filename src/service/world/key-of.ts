import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { CollectionView } from './collection-view.ts'
import { keyIn, readField } from './field.ts'

/** Key of a record by its id field; undefined where the collection has none or the record does not hold it. */
export function keyOf(model: CollectionModel, record: JsonObject): string | undefined {
  return model.id.field && keyIn(readField(record, model.id.field))
}

/**
 * Key for a record that is about to be created: its id, else (where no field holds one) the next free number.
 *
 * @param ahead how many records of the same command come before it
 */
export function keyForNew(view: CollectionView, record: JsonObject, ahead = 0): string {
  const key = keyOf(view.model, record)
  if (key !== undefined) return key
  let number = view.count + view.created + ahead + 1
  while (view.has(String(number))) number++
  return String(number)
}
