import type { Effect } from '../model.ts'
import { isObjectSchema, schemaOfResponse } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import type { Kit } from './kit.ts'
import { findList } from './shapes.ts'
import type { Placed, Site } from './sites.ts'
import { verbOf } from './verbs.ts'

/** Effects of paths that end in a parameter: `/tasks/{id}`. */
export class ItemEffects {
  readonly #kit: Kit

  constructor(kit: Kit) {
    this.#kit = kit
  }

  effectOf(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    switch (operation.draft.method) {
      case 'GET':
      case 'HEAD':
        return this.#kit.catalogue.draftAt(site)?.isFilter || this.#isListBelow(operation, site, collection)
          ? this.#kit.build.list(operation, collection, 'list')
          : this.#kit.build.one(operation, collection, 'read')
      case 'PUT':
        return this.#kit.build.one(operation, collection, 'replace')
      case 'PATCH':
        return this.#kit.build.one(operation, collection, 'update')
      case 'DELETE':
        return this.#kit.build.one(operation, collection, 'delete')
      case 'POST':
        return this.#postItem(operation, site, collection)
      case 'QUERY':
        return this.#kit.build.list(operation, collection, 'search')
      default:
        return this.#kit.build.action(
          operation,
          collection,
          operation.shape.steps,
          operation.draft.method.toLowerCase(),
        )
    }
  }

  /** `GET /times/{user}` beside `GET /times`, `GET /packages/{owner}` beside `GET /packages/{owner}/{name}`. */
  #isListBelow(operation: Placed, site: Site, collection: CollectionDraft): boolean {
    const { draft, shape } = operation
    if (!isObjectSchema(findList(schemaOfResponse(draft.success), collection.noun)?.item)) return false
    const item = site.items.get(shape.trailing.join(' '))
    if (item && [...item.operations.keys()].some((method) => method !== 'GET' && method !== 'HEAD')) return false
    const isOther = shape.trailing.length < (collection.item?.params.length ?? 0)
    return isOther || (verbOf(draft)?.kind === 'list' && site.own.has('GET'))
  }

  #postItem(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const verb = verbOf(operation.draft)
    const act = () => this.#kit.build.action(operation, collection, operation.shape.steps, verb?.word ?? 'post')
    if (verb?.kind === 'delete') return this.#kit.build.one(operation, collection, 'delete')
    if (verb?.kind === 'action') return act()
    if (verb?.kind === 'read' || verb?.kind === 'list' || verb?.kind === 'search') {
      const isList = findList(schemaOfResponse(operation.draft.success), collection.noun) !== undefined
      return isList
        ? this.#kit.build.list(operation, collection, 'search')
        : this.#kit.build.one(operation, collection, 'read')
    }
    const item = site.items.get(operation.shape.trailing.join(' '))
    const hasOther = item?.operations.has('PUT') || item?.operations.has('PATCH')
    if (hasOther && verb?.kind !== 'update' && verb?.kind !== 'create') return act()
    return this.#kit.build.one(operation, collection, 'update', { isCreating: verb?.kind === 'create' })
  }
}
