import type { Schema } from '../../../../schema/schema.ts'
import type { Envelope } from '../../model.ts'
import { componentOf, countShared, fieldsOf } from '../bodies/bodies.ts'
import { hasOwnId } from '../bodies/shapes.ts'
import type { CollectionDraft } from './collection-draft.ts'

/** Whether a body shows a record of the collection: the same component, or an id and half of its fields in common. */
export function showsRecord({ schema, shape }: Envelope, collection: CollectionDraft): boolean {
  if (!schema || !collection.schema || shape === 'none') return false
  if (isSameComponent(schema, collection)) return true
  const shared = countShared(schema, collection.schema)
  const smaller = Math.min(fieldsOf(schema).size, fieldsOf(collection.schema).size)
  return hasOwnId(schema, collection.hints.keys) && shared > 0 && shared >= smaller / 2
}

/** Whether a body is a whole record of the collection. */
export function isRecordOf({ schema, shape }: Envelope, collection: CollectionDraft): boolean {
  if (!schema || !collection.schema || shape === 'none') return false
  if (isSameComponent(schema, collection)) return true
  if (schema.name !== undefined && collection.schema.name !== undefined) return false
  const shared = countShared(schema, collection.schema)
  return hasOwnId(schema, collection.hints.keys) && shared >= 3 && shared >= fieldsOf(schema).size * 0.7
}

function isSameComponent(schema: Schema, collection: CollectionDraft): boolean {
  const component = componentOf(schema)
  return schema === collection.schema || (component !== undefined && component === componentOf(collection.schema))
}
