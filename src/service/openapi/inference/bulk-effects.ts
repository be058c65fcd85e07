import { wordsOf } from '../../../names/words.ts'
import type { Effect } from '../model.ts'
import type { CollectionDraft } from './collection-draft.ts'
import type { Kit } from './kit.ts'
import type { Step } from './path-shape.ts'
import { isBulkSegment } from './segment-words.ts'
import type { Placed } from './sites.ts'
import { verbOf } from './verbs.ts'

/** Effects of paths that mean many records at once: `/contacts/batch`. */
export class BulkEffects {
  readonly #kit: Kit

  constructor(kit: Kit) {
    this.#kit = kit
  }

  /** `/contacts/batch`, `/contacts/batch/archive`: the collection of which many are meant. */
  targetOf(steps: readonly Step[]): CollectionDraft | undefined {
    for (const back of [1, 2]) {
      const step = steps.at(-back)
      if (step?.kind !== 'static' || !isBulkSegment(step.text)) continue
      const around = this.#kit.surroundings.around(steps.slice(0, -back))
      if (around && !around.isRecord) return around.collection
    }
    return undefined
  }

  effectOf(operation: Placed, collection: CollectionDraft): Effect {
    const { draft, shape } = operation
    const verb = verbOf(draft)?.kind
    const words = shape.steps.slice(-2).flatMap((step) => (step.kind === 'static' ? wordsOf(step.text) : []))
    const says = (...any: string[]) => words.some((word) => any.includes(word))
    if (draft.method === 'DELETE' || verb === 'delete' || says('delete', 'remove', 'archive')) {
      return this.#kit.build.many(operation, collection, 'bulkDelete')
    }
    if (verb === 'read' || verb === 'list' || verb === 'search' || says('get', 'read', 'fetch')) {
      return this.#kit.build.list(operation, collection, 'search')
    }
    const isUpdate = draft.method !== 'POST' || verb === 'update' || says('update', 'patch')
    return this.#kit.build.many(operation, collection, isUpdate ? 'bulkUpdate' : 'bulkCreate')
  }
}
