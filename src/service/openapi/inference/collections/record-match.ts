import type { Envelope } from '../../model.ts'
import { componentOf, countShared, fieldsOf, isAlike } from '../bodies/bodies.ts'
import { hasOwnId } from '../bodies/shapes.ts'
import type { CollectionDraft } from './collection-draft.ts'

/** Whether a body shows a record of the collection: by its component, or by its id and its fields. */
export function isRecordOf({ schema, shape }: Envelope, collection: CollectionDraft): boolean {
  if (!schema || !collection.schema || shape === 'none') return false
  const [shown, own] = [componentOf(schema), componentOf(collection.schema)]
  if (schema === collection.schema || (shown !== undefined && shown === own)) return true
  if (schema.name !== undefined && collection.schema.name !== undefined) return false
  return hasOwnId(schema, collection.hints.keys) && isAlike(schema, collection.schema)
}

/** Whether an answer shows a record of the collection, or a part of one, whatever its component: `{ object, id }`. */
export function showsRecord(envelope: Envelope, collection: CollectionDraft): boolean {
  const { schema, shape } = envelope
  if (isRecordOf(envelope, collection)) return true
  if (!schema || shape === 'none' || !hasOwnId(schema, collection.hints.keys)) return false
  const shared = countShared(schema, collection.schema)
  return shared > 0 && shared >= Math.min(fieldsOf(schema).size, fieldsOf(collection.schema).size) / 2
}
