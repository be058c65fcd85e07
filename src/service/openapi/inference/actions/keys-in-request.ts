import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { fieldsOf, isArraySchema, isObjectSchema, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'

/** Whether a request can have the ids of several records: `{ ids: [...] }`, `[1, 2]`, `?ids=`. */
export function namesSeveral({ parameters, requestBody }: OperationDraft, collection: CollectionDraft): boolean {
  if (parameters.some(({ in: place, name }) => place === 'query' && /(^|[_-])ids(\[\])?$|[a-z]Ids$/.test(name)))
    return true
  const body = schemaOfBody(requestBody)
  if (!body) return false
  if (isArraySchema(body)) return isKeyOf(body.items, collection)
  return [...fieldsOf(body)].some(([name, field]) => {
    const folded = foldName(name)
    const own = foldName(collection.idField?.at(-1) ?? 'id')
    const isNamed =
      /(^id|ids|keys|uuids)$/.test(folded) || folded === `${own}s` || foldNoun(name) === foldNoun(collection.noun)
    return isNamed && isArraySchema(field) && isKeyOf(field.items, collection)
  })
}

/** Whether a value is a key of the collection's records, or an object with one. */
function isKeyOf(item: Schema | undefined, { idField }: CollectionDraft): boolean {
  if (item && isObjectSchema(item)) return fieldsOf(item).has(idField?.[0] ?? 'id')
  return isScalarSchema(item)
}
