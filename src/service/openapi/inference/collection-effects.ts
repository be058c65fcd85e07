import { singularName, singularOf } from '../../../names/nouns.ts'
import { wordsOf } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Effect } from '../model.ts'
import { isArraySchema, isObjectSchema, schemaOfResponse } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { componentOf } from './components.ts'
import { bodyEnvelope } from './envelopes.ts'
import type { Kit } from './kit.ts'
import { lastStatic } from './path-shape.ts'
import { isSearchSegment } from './segment-words.ts'
import { findList } from './shapes.ts'
import type { Placed, Site } from './sites.ts'
import { verbOf } from './verbs.ts'

/** Effects of paths that stand for a whole collection: `/tasks`. */
export class CollectionEffects {
  readonly #kit: Kit

  constructor(kit: Kit) {
    this.#kit = kit
  }

  effectOf(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    if (isSearchSegment(lastStatic(site.steps))) return this.#kit.build.list(operation, collection, 'search')
    switch (draft.method) {
      case 'GET':
      case 'HEAD':
        return this.#getCollection(operation, site, collection)
      case 'QUERY':
        return this.#kit.build.list(operation, collection, 'search')
      case 'POST':
        return this.#postCollection(operation, site, collection)
      case 'PUT':
      case 'PATCH':
        return this.#putCollection(operation, site, collection)
      case 'DELETE':
        return this.#kit.addressing.keyInRequest(operation, collection)
          ? this.#kit.build.one(operation, collection, 'delete')
          : this.#kit.build.many(operation, collection, 'bulkDelete')
      default:
        return this.#kit.build.action(operation, collection, site.steps, draft.method.toLowerCase())
    }
  }

  #getCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const answer = schemaOfResponse(operation.draft.success)
    const isList = findList(answer, collection.noun) !== undefined
    if (!isList && this.#kit.catalogue.draftAt(site)?.queryKey !== undefined) {
      return this.#kit.build.one(operation, collection, 'read')
    }
    if (answer && isObjectSchema(answer) && !isList && !hasArrayOf(answer, collection)) {
      return this.#kit.build.singleton(operation, site, 'singletonRead')
    }
    return this.#kit.build.list(operation, collection, 'list')
  }

  #postCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    const verb = verbOf(draft)
    if (verb?.kind === 'delete') {
      return this.#kit.addressing.keyInRequest(operation, collection)
        ? this.#kit.build.one(operation, collection, 'delete')
        : this.#kit.build.many(operation, collection, 'bulkDelete')
    }
    const isReading = verb?.kind === 'list' || verb?.kind === 'search'
    if (isReading && findList(schemaOfResponse(draft.success), collection.noun)) {
      return this.#kit.build.list(operation, collection, 'search')
    }
    const isMany = bodyEnvelope(draft, collection)?.shape === 'list'
    if (verb?.kind === 'update' && isMany) return this.#kit.build.many(operation, collection, 'bulkUpdate')
    if (verb?.kind === 'update' && this.#kit.catalogue.draftAt(site)?.queryKey !== undefined) {
      return this.#kit.build.one(operation, collection, 'update')
    }
    const kind = this.#madeBy(operation, site) ?? collection
    return bodyEnvelope(draft, kind)?.shape === 'list'
      ? this.#kit.build.many(operation, kind, 'bulkCreate')
      : this.#kit.build.create(operation, kind)
  }

  /** `POST /databases/postgresql`, called createPostgresqlDatabase: makes one of the databases. */
  #madeBy({ draft }: Placed, site: Site): CollectionDraft | undefined {
    if (site.own.size > 1 || site.items.size > 0 || !draft.named) return undefined
    const outer = site.steps.slice(0, -1)
    const around = outer.at(-1)?.kind === 'static' ? this.#kit.catalogue.shownAt(outer) : undefined
    const isNamed = around && wordsOf(draft.id).map(singularOf).includes(singularName(around.noun))
    return isNamed && this.#kit.catalogue.isReadable(around) && verbOf(draft)?.kind === 'create' ? around : undefined
  }

  #putCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    const kind = draft.method === 'PUT' ? 'replace' : 'update'
    const isMany = bodyEnvelope(draft, collection)?.shape === 'list'
    if (!isMany && this.#kit.addressing.keyInRequest(operation, collection)) {
      return this.#kit.build.one(operation, collection, kind, { isCreating: verbOf(draft)?.kind === 'create' })
    }
    const get = site.own.get('GET')
    const answer = get && schemaOfResponse(get.draft.success)
    if (isObjectSchema(answer) && !findList(answer, collection.noun)) {
      return this.#kit.build.singleton(operation, site, kind === 'replace' ? 'singletonReplace' : 'singletonUpdate')
    }
    return this.#kit.build.many(operation, collection, verbOf(draft)?.kind === 'create' ? 'bulkCreate' : 'bulkUpdate')
  }
}

function hasArrayOf(answer: Schema, collection: CollectionDraft): boolean {
  const component = componentOf(collection.schema)
  if (component === undefined) return false
  return [...answer.properties.values()].some((field) => isArraySchema(field) && componentOf(field.items) === component)
}
