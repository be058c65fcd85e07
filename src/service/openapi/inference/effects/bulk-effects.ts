import { wordsOf } from '../../../../names/words.ts'
import type { Effect } from '../../model.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { verbInBody } from '../actions/verb-in-body.ts'
import { schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { bodyEnvelope } from '../collections/envelopes.ts'
import { isBulkSegment, lastStatic, type Step } from '../paths/path-shape.ts'
import type { Placed } from '../paths/sites.ts'
import { isVerbSegment, kindOfVerb, verbOf } from '../paths/verbs.ts'
import { namesSeveral } from './named-several.ts'
import type { Kit } from './path-surroundings.ts'

/** Whether a request has several records. */
export const sendsRecords = (draft: OperationDraft, collection: CollectionDraft): boolean =>
  bodyEnvelope(draft, collection)?.shape === 'list'

/** `/contacts/batch`, `/catalog/batch-delete`: the collection that a bulk operation changes. */
export function bulkTarget(kit: Kit, { draft }: Placed, steps: readonly Step[]): CollectionDraft | undefined {
  for (const back of [1, 2]) {
    const step = steps.at(-back)
    if (step?.kind !== 'static' || !isBulkSegment(step.text)) continue
    const outer = steps.slice(0, -back)
    const word = outer.at(-1)
    // `/executions/kill/by-ids`.
    const isSaid = back === 1 && word?.kind === 'static' && isVerbSegment(word.text)
    const around = kit.surroundings.around(outer) ?? (isSaid ? kit.surroundings.around(outer.slice(0, -1)) : undefined)
    if (around?.isRecord) continue
    if (around) return around.collection
    const shown = findList(schemaOfResponse(draft.success), lastStatic(outer))?.item
    const sent = findList(schemaOfBody(draft.requestBody), lastStatic(outer))?.item
    const found =
      kit.surroundings.collectionOf(shown) ?? kit.surroundings.collectionOf(sent) ?? kit.catalogue.onlyOneBelow(outer)
    if (found) return found
  }
  return undefined
}

/** The effect of a bulk operation. */
export function bulkEffect(kit: Kit, operation: Placed, collection: CollectionDraft): Effect {
  const { draft, shape } = operation
  const verb = verbOf(draft)?.kind
  const words = shape.steps.slice(-2).flatMap((step) => (step.kind === 'static' ? wordsOf(step.text) : []))
  const says = (...any: string[]) => words.some((word) => any.includes(word))
  if (draft.method === 'DELETE' || verb === 'delete' || says('delete', 'remove', 'archive')) {
    return kit.build.many(operation, collection, 'bulkDelete')
  }
  if (verb === 'read' || verb === 'list' || verb === 'search' || says('get', 'read', 'fetch', 'retrieve', 'query')) {
    return kit.build.list(operation, collection, 'search')
  }
  const isUpdate = draft.method !== 'POST' || verb === 'update' || says('update', 'patch')
  const act = isUpdate ? undefined : words.find((word) => kindOfVerb(word) === 'action' && !isBulkSegment(word))
  // `/users/bulk { action, ids }`: the body has the verb.
  if (draft.method === 'POST' && namesSeveral(draft, collection) && verbInBody(draft, collection)) {
    return kit.build.action(operation, collection, collection.site.steps, lastStatic(shape.steps))
  }
  // `/users/bulkActivate { ids }` applies `/users/{id}/activate` to several users.
  if (act !== undefined && (namesSeveral(draft, collection) || !sendsRecords(draft, collection))) {
    return kit.build.action(operation, collection, collection.site.steps, act)
  }
  return kit.build.many(operation, collection, isUpdate ? 'bulkUpdate' : 'bulkCreate')
}
