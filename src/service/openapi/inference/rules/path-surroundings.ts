import { isSameNoun } from '../../../../names/nouns.ts'
import type { Schema } from '../../../../schema/schema.ts'
import { componentOf } from '../bodies/bodies.ts'
import type { Catalogue } from '../collections/catalogue.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { keyOfSteps, lastStatic, type Step, untilParam } from '../paths/path-shape.ts'
import type { Placed } from '../paths/sites.ts'

/** The record or collection of a path's beginning. */
export interface Around {
  readonly collection: CollectionDraft
  /** The path up to the collection, or up to the parameters of one record. */
  readonly steps: readonly Step[]
  readonly isRecord: boolean
}

/** Finds the collections of operations: by their path, or by their answer. */
export class PathSurroundings {
  readonly #catalogue: Catalogue
  #byComponent: ReadonlyMap<string, CollectionDraft> | undefined

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** The record or the collection of a path, without a final word `actions`. */
  around(outer: readonly Step[]): Around | undefined {
    const last = outer.at(-1)
    if (!last) return undefined
    if (last.kind === 'param') {
      const collection = this.#catalogue.itemAt(outer)
      return collection && { collection, steps: outer, isRecord: true }
    }
    const collection = this.#catalogue.shownAt(outer)
    const beyond = /^actions?$/.test(last.text) ? this.around(outer.slice(0, -1)) : undefined
    return beyond ?? (collection && { collection, steps: outer, isRecord: false })
  }

  /** The nearest record above a path: the app of `/apps/{id}/secret/rotate`. */
  enclosing(outer: readonly Step[]): Around | undefined {
    return this.around(untilParam(outer))
  }

  /** The collection with records of this component. */
  collectionOf(item: Schema | undefined): CollectionDraft | undefined {
    const component = componentOf(item)
    if (component === undefined) return undefined
    this.#byComponent ??= new Map(
      this.#catalogue.collections.toReversed().flatMap((collection) => {
        const name = componentOf(collection.schema)
        return name === undefined ? [] : [[name, collection] as const]
      }),
    )
    return this.#byComponent.get(component)
  }

  /** `POST /carts/{id}/items` that answers with the cart: an action on the cart, unless the items can be read separately. */
  shownParent({ draft, shape }: Placed): Around | undefined {
    if (draft.method === 'GET' || draft.method === 'HEAD' || shape.base.length === 0) return undefined
    const around = this.enclosing(shape.base.slice(0, -1))
    if (!around || around.steps.length !== shape.base.length - 1) return undefined
    const site = this.#catalogue.sites.get(keyOfSteps(shape.base))
    const isRead =
      site?.own.has('GET') || [...(site?.items.values() ?? [])].some(({ operations }) => operations.has('GET'))
    if (isRead || isSameNoun(lastStatic(shape.base), around.collection.noun)) return undefined
    return isRecordOf(recordEnvelope(draft, around.collection), around.collection) ? around : undefined
  }
}
