import { foldNoun } from '../../../../names/nouns.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { Effect } from '../../model.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { isObjectSchema, schemaOfBody } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { settableFields } from '../bodies/settable-fields.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Members of a list in a record, or one of its values, that the path names. */
export const memberRule: Rule = {
  name: 'member',
  example: 'PUT and DELETE /customers/{id}/groups/{group_id}, where customers have group_ids',
  confidence: 'likely',
  find: memberEffect,
}

function memberEffect(operation: Case, { build, catalogue }: Survey): Effect | undefined {
  const { draft, shape, site, collection, place, word, around } = operation
  const { method } = draft
  const [param, ...more] = shape.trailing
  if (!site || !around?.isRecord || more.length > 0 || (collection && catalogue.isReadable(collection)))
    return undefined
  const noun = foldNoun(word)
  const isBoth = site.own.size === 2 && (site.own.has('POST') || site.own.has('PUT')) && site.own.has('DELETE')
  const isInBody = method === 'POST' || (method === 'DELETE' && names(draft, noun))
  if (param === undefined ? !isInBody || (place === 'word' && !isBoth) : !/^(PUT|POST|PATCH|DELETE)$/.test(method))
    return undefined
  const field = listOf(around.collection.schema, noun)
  // `PUT /comments/{id}/status/{status}`: the value stands in the path.
  const value = param === undefined || method === 'DELETE' ? undefined : singleValueOf(around.collection.schema, noun)
  if (!field && value && param !== undefined)
    return build.member(operation, around, { field: value, to: 'argument', param })
  // `PUT /orders/{id}/line_items/{item} { quantity }` changes an item of the list.
  const sent = schemaOfBody(draft.requestBody)
  const items = field && schemaBelow(around.collection.schema, field)?.items
  const isItem = param !== undefined && isObjectSchema(sent) && isObjectSchema(items)
  if (method === 'PATCH' && !isItem) return undefined
  const to = method === 'DELETE' ? 'removed' : isItem ? 'item' : 'added'
  return field && build.member(operation, around, param === undefined ? { field, to } : { field, to, param })
}

/** Whether the body has these things: `{ tags }`, `{ droplet_ids }`. */
const names = (draft: OperationDraft, noun: string): boolean =>
  namedFields(schemaOfBody(draft.requestBody)).ofNouns([noun, `${noun}id`]).length > 0

/** The field of a record that is one value and has this name. */
function singleValueOf(schema: Schema | undefined, noun: string): FieldPath | undefined {
  const found = settableFields(schema)
    .named('noun', [noun])
    .find(({ isValue, isFlag, isReadOnly }) => (isValue || isFlag) && !isReadOnly)
  return found && [found.name]
}

/** The list of these things in a record: `group_ids`, `tags`. */
function listOf(schema: Schema | undefined, noun: string): FieldPath | undefined {
  const list = settableFields(schema)
    .named('noun', [noun, `${noun}id`])
    .find(({ isArray }) => isArray)
  return list && [list.name]
}
