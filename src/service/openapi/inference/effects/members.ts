import { foldNoun } from '../../../../names/nouns.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { Effect } from '../../model.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { fieldsOf, isObjectSchema, schemaOfBody } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { settableFields } from '../bodies/settable-fields.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { lastStatic } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import type { Kit } from './path-surroundings.ts'

/**
 * `PUT` and `DELETE /customers/{id}/groups/{group_id}` without a read, where customers have `group_ids`, and `POST` and
 * `DELETE /tickets/{id}/tags { tags }` where tickets have `tags: { data: [] }`.
 */
export function memberEffect(
  kit: Kit,
  operation: Placed,
  site: PathSite,
  collection: CollectionDraft | undefined,
): Effect | undefined {
  const { method } = operation.draft
  const [param, ...more] = operation.shape.trailing
  const noun = foldNoun(lastStatic(site.steps))
  const isInBody = param === undefined && (method === 'POST' || (method === 'DELETE' && names(operation, noun)))
  if (!isInBody && (param === undefined || more.length > 0 || !/^(PUT|POST|PATCH|DELETE)$/.test(method)))
    return undefined
  const owner = kit.surroundings.around(site.steps.slice(0, -1))
  if (!owner?.isRecord || (collection && kit.catalogue.isReadable(collection))) return undefined
  const field = listOf(owner.collection.schema, noun)
  // `PUT /comments/{id}/status/{status}`: the value stands in the path.
  const value = param === undefined || method === 'DELETE' ? undefined : singleValueOf(owner.collection.schema, noun)
  if (!field && value && param !== undefined)
    return kit.build.member(operation, owner, { field: value, to: 'argument', param })
  // `PUT /orders/{id}/line_items/{item} { quantity }` changes an item of the list.
  const sent = schemaOfBody(operation.draft.requestBody)
  const items = field && schemaBelow(owner.collection.schema, field)?.items
  const isItem = param !== undefined && isObjectSchema(sent) && isObjectSchema(items)
  if (method === 'PATCH' && !isItem) return undefined
  const to = method === 'DELETE' ? 'removed' : isItem ? 'item' : 'added'
  return field && kit.build.member(operation, owner, param === undefined ? { field, to } : { field, to, param })
}

/** Whether the body has these things: `{ tags }`, `{ droplet_ids }`. */
const names = ({ draft }: Placed, noun: string): boolean =>
  namedFields(schemaOfBody(draft.requestBody)).ofNouns([noun, `${noun}id`]).length > 0

/** The field of a record that is one value and has this name. */
function singleValueOf(schema: Schema | undefined, noun: string): FieldPath | undefined {
  const found = settableFields(schema)
    .named('noun', [noun])
    .find(({ isValue, isFlag, isReadOnly }) => (isValue || isFlag) && !isReadOnly)
  return found && [found.name]
}

/** The list of these things in a record: `group_ids`, `tags`, `tags: { data }`. */
function listOf(schema: Schema | undefined, noun: string): FieldPath | undefined {
  const own = settableFields(schema).named('noun', [noun, `${noun}id`])
  const list = own.find(({ isArray }) => isArray)
  if (list) return [list.name]
  for (const { name } of own) {
    const inner = settableFields(fieldsOf(schema).get(name))
    const held = inner.named('noun', [noun, 'data', 'item']).find(({ isArray }) => isArray)
    if (held) return [name, held.name]
  }
  return undefined
}
