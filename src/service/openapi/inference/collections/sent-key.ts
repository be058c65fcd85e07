import { findField } from '../../../../names/find-field.ts'
import type { FieldPath } from '../../../../schema/schema.ts'
import { fieldsOf, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import { partWith } from './client-keys.ts'
import type { CollectionDraft } from './collection-draft.ts'

/** A key that the body of a creation has under the path parameter's name. */
interface SentKey {
  readonly name: string
  /** Where records show it; undefined where none does: then it is the record's own key. */
  readonly shown: FieldPath | undefined
}

/**
 * `POST /stores/{id}/files { file_id }` beside `/stores/{id}/files/{file_id}`: what is added is found by what it was
 * added by. A `user: { user_id }` of the record is the same.
 */
export function sentKeyOf({ site, item, schema, idField }: CollectionDraft): SentKey | undefined {
  const sent = fieldsOf(schemaOfBody(site.own.get('POST')?.draft.requestBody))
  const name = findField(sent.keys(), item?.params.at(-1) ?? '')
  if (name === undefined || idField === undefined || !isScalarSchema(sent.get(name))) return undefined
  if (fieldsOf(schema).has(name)) return undefined
  const part = partWith(schema, name)
  return { name, shown: part === undefined ? undefined : [part, name] }
}
