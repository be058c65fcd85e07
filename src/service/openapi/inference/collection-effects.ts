import { singularName, singularOf } from '../../../names/nouns.ts'
import { wordsOf } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Effect } from '../model.ts'
import { componentOf, isArraySchema, isObjectSchema, schemaOfResponse } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { bodyEnvelope } from './envelopes.ts'
import { isSearchSegment, lastStatic } from './path-shape.ts'
import type { Kit } from './path-surroundings.ts'
import { findList } from './shapes.ts'
import type { PathSite, Placed } from './sites.ts'
import { verbOf } from './verbs.ts'

/** Effects of paths that stand for a whole collection: `/tasks`. */
export function collectionEffect(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const { draft } = operation
  if (isSearchSegment(lastStatic(site.steps))) return kit.build.list(operation, collection, 'search')
  switch (draft.method) {
    case 'GET':
    case 'HEAD':
      return getCollection(kit, operation, site, collection)
    case 'QUERY':
      return kit.build.list(operation, collection, 'search')
    case 'POST':
      return postCollection(kit, operation, site, collection)
    case 'PUT':
    case 'PATCH':
      return putCollection(kit, operation, site, collection)
    case 'DELETE':
      return kit.addressing.keyInRequest(operation, collection)
        ? kit.build.one(operation, collection, 'delete')
        : kit.build.many(operation, collection, 'bulkDelete')
    default:
      return kit.build.action(operation, collection, site.steps, draft.method.toLowerCase())
  }
}

function getCollection(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const answer = schemaOfResponse(operation.draft.success)
  const isList = findList(answer, collection.noun) !== undefined
  if (!isList && kit.catalogue.draftAt(site)?.queryKey !== undefined) {
    return kit.build.one(operation, collection, 'read')
  }
  if (answer && isObjectSchema(answer) && !isList && !hasArrayOf(answer, collection)) {
    return kit.build.singleton(operation, site, 'singletonRead')
  }
  return kit.build.list(operation, collection, 'list')
}

function postCollection(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const { draft } = operation
  const verb = verbOf(draft)
  if (verb?.kind === 'delete') {
    return kit.addressing.keyInRequest(operation, collection)
      ? kit.build.one(operation, collection, 'delete')
      : kit.build.many(operation, collection, 'bulkDelete')
  }
  const isReading = verb?.kind === 'list' || verb?.kind === 'search'
  if (isReading && findList(schemaOfResponse(draft.success), collection.noun)) {
    return kit.build.list(operation, collection, 'search')
  }
  const isMany = bodyEnvelope(draft, collection)?.shape === 'list'
  if (verb?.kind === 'update' && isMany) return kit.build.many(operation, collection, 'bulkUpdate')
  if (verb?.kind === 'update' && kit.catalogue.draftAt(site)?.queryKey !== undefined) {
    return kit.build.one(operation, collection, 'update')
  }
  const kind = madeBy(kit, operation, site) ?? collection
  return bodyEnvelope(draft, kind)?.shape === 'list'
    ? kit.build.many(operation, kind, 'bulkCreate')
    : kit.build.create(operation, kind)
}

/** `POST /databases/postgresql`, called createPostgresqlDatabase: makes one of the databases. */
function madeBy(kit: Kit, { draft }: Placed, site: PathSite): CollectionDraft | undefined {
  if (site.own.size > 1 || site.items.size > 0 || !draft.named) return undefined
  const outer = site.steps.slice(0, -1)
  const around = outer.at(-1)?.kind === 'static' ? kit.catalogue.shownAt(outer) : undefined
  const isNamed = around && wordsOf(draft.id).map(singularOf).includes(singularName(around.noun))
  return isNamed && kit.catalogue.isReadable(around) && verbOf(draft)?.kind === 'create' ? around : undefined
}

function putCollection(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const { draft } = operation
  const kind = draft.method === 'PUT' ? 'replace' : 'update'
  const isMany = bodyEnvelope(draft, collection)?.shape === 'list'
  if (!isMany && kit.addressing.keyInRequest(operation, collection)) {
    return kit.build.one(operation, collection, kind, { isCreating: verbOf(draft)?.kind === 'create' })
  }
  const get = site.own.get('GET')
  const answer = get && schemaOfResponse(get.draft.success)
  if (isObjectSchema(answer) && !findList(answer, collection.noun)) {
    return kit.build.singleton(operation, site, kind === 'replace' ? 'singletonReplace' : 'singletonUpdate')
  }
  return kit.build.many(operation, collection, verbOf(draft)?.kind === 'create' ? 'bulkCreate' : 'bulkUpdate')
}

function hasArrayOf(answer: Schema, collection: CollectionDraft): boolean {
  const component = componentOf(collection.schema)
  if (component === undefined) return false
  return [...answer.properties.values()].some((field) => isArraySchema(field) && componentOf(field.items) === component)
}
