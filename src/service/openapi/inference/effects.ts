import { schemaAt } from '../lazy-schema.ts'
import type { Effect, ItemKey, ScopeParam, SecurityScheme } from '../model.ts'
import type { Schema } from '../schema.ts'
import {
  fieldsOf,
  isArraySchema,
  isDownload,
  isObjectSchema,
  isScalarSchema,
  schemaOfBody,
  schemaOfResponse,
} from './bodies.ts'
import { type Catalogue, withoutTrailing } from './catalogue.ts'
import { type CollectionDraft, isBulkSegment, isSearchSegment, paramSchemaOf } from './collection-draft.ts'
import { componentOf } from './components.ts'
import { bodyEnvelope, deleteEnvelope, listEnvelope, NO_RECORD, recordEnvelope } from './envelopes.ts'
import { findKeyField, findOuterKeyField } from './identity.ts'
import { findPaging } from './paging.ts'
import { keyOfSteps, lastStatic, type Step } from './path-shape.ts'
import { findStatusField } from './record-fields.ts'
import type { RelationFinder } from './relations.ts'
import { findList, hasOwnId } from './shapes.ts'
import type { SingletonFinder } from './singletons.ts'
import type { Placed, Site } from './sites.ts'
import { isVerbSegment, statusAfter, type VerbKind, verbOfName } from './verbs.ts'
import { foldName, singularName, wordsOf } from './words.ts'

const EXAMPLE: Effect = { kind: 'example' }

/** Tells what each operation does to the data. */
export class EffectFinder {
  readonly #catalogue: Catalogue
  readonly #relations: RelationFinder
  readonly #singletons: SingletonFinder
  readonly #tokenPaths: ReadonlySet<string>

  constructor(
    catalogue: Catalogue,
    relations: RelationFinder,
    singletons: SingletonFinder,
    schemes: Iterable<SecurityScheme>,
  ) {
    this.#catalogue = catalogue
    this.#relations = relations
    this.#singletons = singletons
    this.#tokenPaths = new Set([...schemes].flatMap((scheme) => ('tokenPaths' in scheme ? scheme.tokenPaths : [])))
  }

  /** What the operation does to the data. */
  effectOf(operation: Placed): Effect {
    const { method } = operation.draft
    if (method === 'OPTIONS' || method === 'TRACE') return EXAMPLE
    if (this.#isTokenEndpoint(operation)) return { kind: 'token' }
    if (operation.shape.verb !== undefined)
      return this.#verbEffect(operation, operation.shape.steps, operation.shape.verb)
    const site = this.#catalogue.sites.get(keyOfSteps(operation.shape.base))
    if (!site) return EXAMPLE
    return operation.shape.trailing.length > 0 ? this.#itemEffect(operation, site) : this.#siteEffect(operation, site)
  }

  #isTokenEndpoint({ draft }: Placed): boolean {
    if (draft.method !== 'POST' && draft.method !== 'GET') return false
    const fields = fieldsOf(schemaOfResponse(draft.success))
    if (!fields.has('access_token') && fields.size > 0) return false
    const path = draft.path.replace(/\/$/, '')
    return (
      [...this.#tokenPaths].some((tokenPath) => tokenPath.endsWith(path) && path !== '') ||
      (fields.has('access_token') && /oauth2?\/(v\d\/)?(access_)?token$/.test(path))
    )
  }

  #itemEffect(operation: Placed, site: Site): Effect {
    const collection = this.#catalogue.shownAt(site.steps)
    if (!collection) return this.#belowVerb(operation, site)
    const { draft } = operation
    switch (draft.method) {
      case 'GET':
      case 'HEAD':
        return this.#isFilteredList(operation, site, collection)
          ? this.#list(operation, collection, 'list')
          : this.#one(operation, collection, 'read')
      case 'PUT':
        return this.#one(operation, collection, 'replace')
      case 'PATCH':
        return this.#one(operation, collection, 'update')
      case 'DELETE':
        return this.#one(operation, collection, 'delete')
      case 'POST':
        return this.#postItem(operation, site, collection)
      case 'QUERY':
        return this.#list(operation, collection, 'search')
      default:
        return this.#action(operation, collection, operation.shape.steps, draft.method.toLowerCase())
    }
  }

  /** `GET /pets/byOwner/{owner}` answers with a list of other records than the one that its parameter names. */
  #isFilteredList({ draft }: Placed, site: Site, collection: CollectionDraft): boolean {
    const list = findList(schemaOfResponse(draft.success), collection.noun)
    if (!list || !isObjectSchema(list.item)) return false
    const others = [...site.items.values()].some((item) =>
      [...item.operations.keys()].some((method) => method !== 'GET'),
    )
    return !others && (collection.site !== site || verbOf(draft)?.kind === 'list' || verbOf(draft)?.kind === 'search')
  }

  #postItem(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const verb = verbOf(operation.draft)
    if (verb?.kind === 'delete') return this.#one(operation, collection, 'delete')
    if (verb?.kind === 'action') return this.#action(operation, collection, operation.shape.steps, verb.word)
    const item = site.items.get(operation.shape.trailing.join(' '))
    const hasOther = item?.operations.has('PUT') || item?.operations.has('PATCH')
    if (hasOther && verb?.kind !== 'update' && verb?.kind !== 'create') {
      return this.#action(operation, collection, operation.shape.steps, verb?.word ?? 'post')
    }
    return this.#one(operation, collection, 'update', verb?.kind === 'create')
  }

  #siteEffect(operation: Placed, site: Site): Effect {
    const collection = this.#catalogue.shownAt(site.steps)
    if (collection) return this.#collectionEffect(operation, site, collection)
    return this.#staticEffect(operation, site)
  }

  #collectionEffect(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    const answer = schemaOfResponse(draft.success)
    switch (draft.method) {
      case 'GET':
      case 'HEAD':
        if (
          answer &&
          isObjectSchema(answer) &&
          !findList(answer, collection.noun) &&
          !this.#isListOf(answer, collection)
        ) {
          return this.#singleton(operation, site, 'singletonRead')
        }
        return this.#list(operation, collection, 'list')
      case 'QUERY':
        return this.#list(operation, collection, 'search')
      case 'POST':
        return this.#postCollection(operation, collection)
      case 'PUT':
      case 'PATCH':
        return this.#putCollection(operation, site, collection)
      case 'DELETE':
        return this.#deleteCollection(operation, collection)
      default:
        return this.#action(operation, collection, operation.shape.steps, draft.method.toLowerCase())
    }
  }

  #isListOf(answer: Schema, collection: CollectionDraft): boolean {
    return [...answer.properties.values()].some(
      (field) =>
        isArraySchema(field) &&
        componentOf(field.items) === componentOf(collection.schema) &&
        componentOf(field.items) !== undefined,
    )
  }

  #postCollection(operation: Placed, collection: CollectionDraft): Effect {
    const { draft } = operation
    const verb = verbOf(draft)
    const body = bodyEnvelope(draft, collection)
    if (verb?.kind === 'delete') return this.#many(operation, collection, 'bulkDelete')
    if (
      (verb?.kind === 'list' || verb?.kind === 'search') &&
      findList(schemaOfResponse(draft.success), collection.noun)
    ) {
      return this.#list(operation, collection, 'search')
    }
    if (body?.shape === 'list') return this.#many(operation, collection, 'bulkCreate')
    return {
      kind: 'create',
      collection: collection.name,
      scope: this.#scope(operation.shape.steps, collection),
      envelope: recordEnvelope(draft, collection),
      body,
    }
  }

  #putCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    const kind = draft.method === 'PUT' ? 'replace' : 'update'
    const key = this.#keyInRequest(operation, collection)
    const body = bodyEnvelope(draft, collection)
    if (body?.shape !== 'list' && key) return this.#one(operation, collection, kind, verbOf(draft)?.kind === 'create')
    const get = site.own.get('GET')
    if (
      get &&
      !findList(schemaOfResponse(get.draft.success), collection.noun) &&
      isObjectSchema(schemaOfResponse(get.draft.success))
    ) {
      return this.#singleton(operation, site, kind === 'replace' ? 'singletonReplace' : 'singletonUpdate')
    }
    return this.#many(operation, collection, 'bulkUpdate')
  }

  #deleteCollection(operation: Placed, collection: CollectionDraft): Effect {
    const key = this.#keyInRequest(operation, collection)
    return key ? this.#one(operation, collection, 'delete') : this.#many(operation, collection, 'bulkDelete')
  }

  /** Paths that end in a word which is no collection: a search, a verb, many at once, or a document of its own. */
  #staticEffect(operation: Placed, site: Site): Effect {
    const { draft, shape } = operation
    const text = lastStatic(shape.steps)
    const outer = shape.steps.slice(0, -1)
    const around = this.#around(outer)
    const list = findList(schemaOfResponse(draft.success), text)
    const isWrite = draft.method !== 'GET' && draft.method !== 'HEAD'
    if (isSearchSegment(text) || draft.method === 'QUERY') {
      const found = this.#collectionOf(list?.item) ?? around?.collection
      if (found && (draft.method === 'GET' || draft.method === 'POST' || draft.method === 'QUERY'))
        return this.#list(operation, found, 'search')
    }
    if (isBulkSegment(text) && isWrite && around && !around.isRecord) return this.#bulk(operation, around.collection)
    if (isVerbSegment(text) && isWrite) return this.#verbEffect(operation, outer, text)
    if (draft.method === 'GET' || draft.method === 'HEAD') return this.#staticRead(operation, site, around)
    return this.#staticWrite(operation, site, around)
  }

  #staticRead(operation: Placed, site: Site, around: Around | undefined): Effect {
    const answer = schemaOfResponse(operation.draft.success)
    if (isDownload(operation.draft.success)) return EXAMPLE
    if (!answer) return site.own.size > 1 ? this.#singleton(operation, site, 'singletonRead') : EXAMPLE
    if (around?.isRecord && isRecordOf(recordEnvelope(operation.draft, around.collection).schema, around.collection)) {
      return this.#one(operation, around.collection, 'read')
    }
    return isObjectSchema(answer) || answer.types.includes('object')
      ? this.#singleton(operation, site, 'singletonRead')
      : EXAMPLE
  }

  #staticWrite(operation: Placed, site: Site, around: Around | undefined): Effect {
    const { method } = operation.draft
    const isDocument = this.#isDocument(site)
    const text = lastStatic(site.steps)
    if (method === 'PUT' && (isDocument || !around)) return this.#singleton(operation, site, 'singletonReplace')
    if (method === 'PATCH' && (isDocument || !around)) return this.#singleton(operation, site, 'singletonUpdate')
    if (method === 'DELETE' && isDocument) return this.#singleton(operation, site, 'singletonDelete')
    if (method === 'POST' && isDocument && verbOf(operation.draft)?.kind !== 'action') {
      return this.#singleton(operation, site, 'singletonUpdate')
    }
    if (around?.isRecord) return this.#action(operation, around.collection, site.steps.slice(0, -1), text)
    if (around && method === 'DELETE') return this.#many(operation, around.collection, 'bulkDelete')
    if (around) return this.#action(operation, around.collection, site.steps.slice(0, -1), text)
    return EXAMPLE
  }

  #isDocument(site: Site): boolean {
    const get = site.own.get('GET')
    if (!get) return site.own.has('PUT') || site.own.has('PATCH')
    const answer = schemaOfResponse(get.draft.success)
    return !findList(answer, lastStatic(site.steps)) && !isDownload(get.draft.success)
  }

  #verbEffect(operation: Placed, outer: readonly Step[], text: string): Effect {
    const around = this.#around(outer)
    return around ? this.#action(operation, around.collection, outer, text) : EXAMPLE
  }

  /** `POST /tasks/{id}/move/{target}`, `GET /users/search/{text}`. */
  #belowVerb(operation: Placed, site: Site): Effect {
    const text = lastStatic(site.steps)
    const outer = withoutLast(site.steps)
    if (isSearchSegment(text)) {
      const found =
        this.#collectionOf(findList(schemaOfResponse(operation.draft.success), text)?.item) ??
        this.#around(outer)?.collection
      if (found) return this.#list(operation, found, 'search')
    }
    return this.#verbEffect(operation, outer, text)
  }

  #bulk(operation: Placed, collection: CollectionDraft): Effect {
    const verb = verbOf(operation.draft)?.kind
    const words = wordsOf(lastStatic(operation.shape.steps))
    if (operation.draft.method === 'DELETE' || verb === 'delete' || words.includes('delete')) {
      return this.#many(operation, collection, 'bulkDelete')
    }
    if (verb === 'read' || verb === 'list' || verb === 'search' || words.includes('get'))
      return this.#list(operation, collection, 'search')
    const isUpdate = operation.draft.method !== 'POST' || verb === 'update' || words.includes('update')
    return this.#many(operation, collection, isUpdate ? 'bulkUpdate' : 'bulkCreate')
  }

  /** The record or the collection that the path goes on from; words like `actions` between are passed over. */
  #around(outer: readonly Step[]): Around | undefined {
    const last = outer.at(-1)
    if (!last) return undefined
    if (last.kind === 'param') {
      const collection = this.#catalogue.itemAt(outer)
      return collection && { collection, isRecord: true }
    }
    const collection = this.#catalogue.shownAt(outer)
    if (last.text === 'actions' || last.text === 'action')
      return this.#around(outer.slice(0, -1)) ?? (collection && { collection, isRecord: false })
    return collection && { collection, isRecord: false }
  }

  #collectionOf(item: Schema | undefined): CollectionDraft | undefined {
    const component = componentOf(item)
    if (component === undefined) return undefined
    return this.#catalogue.collections.find((collection) => componentOf(collection.schema) === component)
  }

  #list(operation: Placed, collection: CollectionDraft, kind: 'list' | 'search'): Effect {
    return {
      kind,
      collection: collection.name,
      scope: this.#scope(operation.shape.steps, collection),
      envelope: listEnvelope(operation.draft, collection),
      paging: findPaging(operation.draft.parameters),
    }
  }

  #one(
    operation: Placed,
    collection: CollectionDraft,
    kind: 'read' | 'update' | 'replace' | 'delete',
    upsert = false,
  ): Effect {
    const { draft } = operation
    const steps = operation.shape.trailing.length > 0 ? operation.shape.steps : untilParam(operation.shape.steps)
    const inPath = this.#keys(steps, collection)
    const inRequest = inPath.keys.length === 0 ? this.#keyInRequest(operation, collection) : undefined
    const verb = verbOf(draft)?.kind
    return {
      kind,
      collection: collection.name,
      scope: this.#scope(inPath.outer, collection),
      keys: inRequest ? [inRequest] : inPath.keys,
      envelope: kind === 'delete' ? deleteEnvelope(draft, collection) : recordEnvelope(draft, collection),
      body: kind === 'read' || kind === 'delete' ? undefined : bodyEnvelope(draft, collection),
      upsert: upsert || (kind === 'replace' && (verb === 'create' || !collection.site.own.has('POST'))),
    }
  }

  #many(operation: Placed, collection: CollectionDraft, kind: 'bulkCreate' | 'bulkUpdate' | 'bulkDelete'): Effect {
    return {
      kind,
      collection: collection.name,
      scope: this.#scope(operation.shape.steps, collection),
      envelope: kind === 'bulkDelete' ? NO_RECORD : listEnvelope(operation.draft, collection),
      body: bodyEnvelope(operation.draft, collection),
    }
  }

  #action(operation: Placed, collection: CollectionDraft, target: readonly Step[], verb: string): Effect {
    const { keys, outer } = this.#keys(untilParam(target), collection)
    const inRequest = keys.length === 0 ? this.#keyInRequest(operation, collection) : undefined
    const status = findStatusField(collection.schema)
    const envelope = recordEnvelope(operation.draft, collection)
    return {
      kind: 'action',
      collection: collection.name,
      scope: this.#scope(keys.length > 0 ? outer : target, collection),
      keys: inRequest ? [inRequest] : keys,
      verb,
      toStatus: status ? statusAfter(verb, schemaAt(collection.schema, status), status.at(-1) ?? '') : undefined,
      envelope: isRecordOf(envelope.schema, collection) ? envelope : NO_RECORD,
      body: bodyEnvelope(operation.draft, collection),
    }
  }

  #singleton(
    operation: Placed,
    site: Site,
    kind: 'singletonRead' | 'singletonUpdate' | 'singletonReplace' | 'singletonDelete',
  ): Effect {
    const singleton = this.#singletons.at(site)
    const { draft } = operation
    const isWrite = kind === 'singletonUpdate' || kind === 'singletonReplace'
    return {
      kind,
      singleton: singleton.name,
      scope: this.#scope(site.steps, undefined),
      envelope: this.#singletons.envelopeOf(singleton, schemaOfResponse(draft.success), kind === 'singletonDelete'),
      body: isWrite ? this.#singletons.bodyOf(singleton, schemaOfBody(draft.requestBody)) : undefined,
    }
  }

  /** The parameters at the end of an item path, and the steps before them. */
  #keys(steps: readonly Step[], collection: CollectionDraft): { keys: ItemKey[]; outer: readonly Step[] } {
    const base = withoutTrailing(steps)
    const names = steps.slice(base.length).flatMap((step) => (step.kind === 'param' ? [step.name] : []))
    const last = names.at(-1)
    if (last === undefined) return { keys: [], outer: steps }
    const field = this.keyField(collection, last)
    const outer: Step[] = [...base]
    const keys: ItemKey[] = []
    for (const name of names.slice(0, -1)) {
      const found = findOuterKeyField(collection.schema, name)
      if (found) keys.push({ param: name, in: 'path', field: found })
      else outer.push({ kind: 'param', name })
    }
    keys.push({ param: last, in: 'path', field })
    return { keys, outer }
  }

  /** Field that a path parameter of a collection is compared with; undefined for the key itself. */
  keyField(collection: CollectionDraft, param: string): ItemKey['field'] {
    const paramSchema = collection.item && paramSchemaOf(collection.item, param)
    const field = findKeyField({ schema: collection.schema, noun: collection.noun, param, paramSchema })
    const own = collection.idField
    return field && own && field.join('.') !== own.join('.') ? field : undefined
  }

  /** A query parameter or a field of the body that names one record. */
  #keyInRequest({ draft }: Placed, collection: CollectionDraft): ItemKey | undefined {
    const singular = foldName(singularName(collection.noun))
    const own = collection.idField?.at(-1)
    const names = [
      ...new Set(
        [own, 'id', `${singular}id`, `${singular}gid`, singular, `${singular}key`, `${singular}uuid`].filter(
          (name) => name !== undefined,
        ),
      ),
    ].map(foldName)
    const query = draft.parameters.filter((parameter) => parameter.in === 'query')
    const body = bodyEnvelope(draft, collection)
    for (const name of names) {
      const parameter = query.find((candidate) => foldName(candidate.name) === name)
      if (
        parameter &&
        (parameter.required || draft.method === 'GET' || draft.method === 'DELETE') &&
        isScalarSchema(parameter.schema ?? body?.schema)
      ) {
        return { param: parameter.name, in: 'query', field: this.#fieldOfKey(collection, parameter.name) }
      }
      const field = [...fieldsOf(body?.shape === 'record' ? body.schema : undefined)].find(
        ([key, schema]) => foldName(key) === name && isScalarSchema(schema),
      )
      if (field) return { param: field[0], in: 'body', field: this.#fieldOfKey(collection, field[0]) }
    }
    return undefined
  }

  #fieldOfKey(collection: CollectionDraft, name: string): ItemKey['field'] {
    const own = collection.idField
    return own && foldName(own.at(-1) ?? '') !== foldName(name) && fieldsOf(collection.schema).has(name)
      ? [name]
      : undefined
  }

  /** How the parameters among `steps` narrow `collection`. */
  #scope(steps: readonly Step[], collection: CollectionDraft | undefined): ScopeParam[] {
    return steps.flatMap((step, at): ScopeParam[] => {
      if (step.kind !== 'param') return []
      const isLastOfRun = steps[at + 1]?.kind !== 'param'
      const named = isLastOfRun ? this.#catalogue.itemAt(steps.slice(0, at + 1)) : undefined
      const unknown: ScopeParam = { param: step.name, collection: undefined, field: undefined, key: undefined }
      if (!named) return [unknown]
      const key = this.keyField(named, step.name)
      if (!collection) return [{ param: step.name, collection: named.name, field: undefined, key }]
      const field = this.#relations.fieldFor(collection, named, step.name)
      if (!field && !this.#catalogue.isBelow(collection, named)) return [unknown]
      return [{ param: step.name, collection: named.name, field, key }]
    })
  }
}

interface Around {
  readonly collection: CollectionDraft
  /** Whether the path names one record of it. */
  readonly isRecord: boolean
}

function verbOf({
  id,
  named,
  summary,
}: {
  id: string
  named: boolean
  summary: string | undefined
}): { word: string; kind: VerbKind } | undefined {
  return (named ? verbOfName(id) : undefined) ?? verbOfName(summary)
}

/** Whether a body's record is one of the collection: the same component, or the id and half of the fields. */
function isRecordOf(schema: Schema | undefined, collection: CollectionDraft): boolean {
  if (!schema || !collection.schema) return false
  if (schema === collection.schema) return true
  const component = componentOf(schema)
  if (component !== undefined && component === componentOf(collection.schema)) return true
  const [left, right] = [fieldsOf(schema), fieldsOf(collection.schema)]
  const shared = [...left.keys()].filter((name) => right.has(name)).length
  return hasOwnId(schema, collection.hints.keys) && shared >= Math.min(left.size, right.size) / 2 && shared > 1
}

/** `steps` up to the last parameter. */
function untilParam(steps: readonly Step[]): readonly Step[] {
  return steps.at(-1)?.kind === 'param'
    ? steps
    : steps.slice(0, steps.findLastIndex((step) => step.kind === 'param') + 1)
}

function withoutLast(steps: readonly Step[]): readonly Step[] {
  return steps.slice(0, -1)
}
