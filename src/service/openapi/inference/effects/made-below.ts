import { wordsOf } from '../../../../names/words.ts'
import type { Effect } from '../../model.ts'
import { countShared, fieldsOf, isObjectSchema, isScalarSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { isBulkSegment, isCountSegment, isSearchSegment, keyOfSteps, lastStatic } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import { kindOfVerb } from '../paths/verbs.ts'
import { createIn } from './call-effects.ts'
import type { Kit } from './path-surroundings.ts'

/**
 * `POST /voices/add`, `POST /documents/url`, `POST /dictionaries/add-from-rules`: another way to make a record of the
 * collection above, with whose key it answers. `POST /files/content` answers with a list of the files that it made.
 */
export function madeBelow(kit: Kit, operation: Placed): Effect | undefined {
  const { draft, shape } = operation
  const outer = shape.steps.slice(0, -1)
  if (draft.method !== 'POST' || draft.requestBody === undefined || outer.at(-1)?.kind !== 'static') return undefined
  const site = kit.catalogue.sites.get(keyOfSteps(shape.base))
  const around = kit.catalogue.shownAt(outer)
  if (!around?.item?.operations.has('GET') || (site && !isOnlyPosted(site))) return undefined
  if (!mayMake(lastStatic(shape.steps)) || kit.addressing.keyInRequest(operation, around)) return undefined
  const listed = findList(schemaOfResponse(operation.draft.success), around.noun)?.item
  const isMade =
    draft.success.status === 201 || [...draft.requestBody.content.keys()].some((type) => /^multipart/.test(type))
  const isListed = isMade && listed !== undefined && kit.surroundings.collectionOf(listed) === around
  return isListed || answersWithKey(operation, around) ? createIn(kit, operation, around) : undefined
}

/** Whether nothing is read or changed at a path or by keys below it: `POST /voices/add/{user}/{voice}`. */
const isOnlyPosted = ({ own, items }: PathSite): boolean =>
  [own, ...[...items.values()].map(({ operations }) => operations)].every((all) =>
    [...all.keys()].every((method) => method === 'POST' || method === 'OPTIONS'),
  )

/** Whether a word is no verb, or one that makes. */
function mayMake(word: string): boolean {
  if (isBulkSegment(word) || isCountSegment(word) || isSearchSegment(word)) return false
  const [first = ''] = wordsOf(word)
  if (/^(add|create|new|register|upload|from)$/.test(first)) return true
  const kind = kindOfVerb(first)
  return kind === 'create' || (kind === undefined && kindOfVerb(word.toLowerCase()) === undefined)
}

/** Whether the answer has the key by its own name, or as its `id` among what records say. */
function answersWithKey({ draft }: Placed, { idField, item, schema }: CollectionDraft): boolean {
  const answer = schemaOfResponse(draft.success)
  const [name, ...deeper] = idField ?? []
  if (!isObjectSchema(answer) || name === undefined || deeper.length > 0) return false
  const fields = fieldsOf(answer)
  const named = [name, item?.params.at(-1) ?? name].filter((key) => key !== 'id')
  if (named.some((key) => isScalarSchema(fields.get(key)))) return true
  return fields.has(name) && countShared(answer, schema) >= Math.max(2, fields.size * 0.7)
}
