import { foldNoun } from '../../../names/nouns.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Effect } from '../model.ts'
import { fieldsOf } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { lastStatic } from './path-shape.ts'
import type { Kit } from './path-surroundings.ts'
import { settableFields } from './settable-fields.ts'
import type { PathSite, Placed } from './sites.ts'

/**
 * `PUT` and `DELETE /customers/{id}/groups/{group_id}` without a read, where customers have `group_ids`, and `POST
 * /tickets/{id}/tags` where tickets have `tags: { data: [] }`.
 */
export function memberEffect(
  kit: Kit,
  operation: Placed,
  site: PathSite,
  collection: CollectionDraft,
): Effect | undefined {
  const { method } = operation.draft
  const [param, ...more] = operation.shape.trailing
  const isPost = method === 'POST' && param === undefined
  if (!isPost && (param === undefined || more.length > 0 || !/^(PUT|POST|DELETE)$/.test(method))) return undefined
  const owner = kit.surroundings.around(site.steps.slice(0, -1))
  if (!owner?.isRecord || kit.catalogue.isReadable(collection)) return undefined
  const noun = foldNoun(lastStatic(site.steps))
  const field = listOf(owner.collection.schema, noun)
  // `PUT /comments/{id}/status/{status}`: the value stands in the path.
  const value = param === undefined || method === 'DELETE' ? undefined : singleValueOf(owner.collection.schema, noun)
  if (!field && value && param !== undefined)
    return kit.build.member(operation, owner, { field: value, to: 'argument', param })
  const to = method === 'DELETE' ? 'removed' : 'added'
  return field && kit.build.member(operation, owner, param === undefined ? { field, to } : { field, to, param })
}

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
