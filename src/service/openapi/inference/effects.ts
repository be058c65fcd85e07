import type { Effect, SecurityScheme } from '../model.ts'
import type { Schema } from '../schema.ts'
import type { Addressing } from './addressing.ts'
import { fieldsOf, isArraySchema, isDownload, isObjectSchema, schemaOfResponse } from './bodies.ts'
import type { Catalogue } from './catalogue.ts'
import { type CollectionDraft, isBulkSegment, isSearchSegment } from './collection-draft.ts'
import { componentOf } from './components.ts'
import { type EffectBuilder, isRecordOf } from './effect-builder.ts'
import { bodyEnvelope, recordEnvelope } from './envelopes.ts'
import { keyOfSteps, lastStatic, type Step } from './path-shape.ts'
import type { RpcCall } from './rpc.ts'
import { findList, findRecord } from './shapes.ts'
import type { Placed, Site } from './sites.ts'
import { isVerbSegment, kindOfVerb, verbOf } from './verbs.ts'
import { singularName, singularOf, wordsOf } from './words.ts'

const EXAMPLE: Effect = { kind: 'example' }

/** What a path goes on from. */
interface Around {
  readonly collection: CollectionDraft
  /** The path up to the collection, or up to the parameters that name one record of it. */
  readonly steps: readonly Step[]
  readonly isRecord: boolean
}

/** Tells what each operation does to the data. */
export class EffectFinder {
  readonly #catalogue: Catalogue
  readonly #addressing: Addressing
  readonly #build: EffectBuilder
  readonly #tokenPaths: readonly string[]

  constructor(catalogue: Catalogue, addressing: Addressing, build: EffectBuilder, schemes: Iterable<SecurityScheme>) {
    this.#catalogue = catalogue
    this.#addressing = addressing
    this.#build = build
    this.#tokenPaths = [...schemes].flatMap((scheme) => ('tokenPaths' in scheme ? scheme.tokenPaths : []))
  }

  /** What the operation does to the data. */
  effectOf(operation: Placed): Effect {
    const { draft, shape } = operation
    if (draft.method === 'OPTIONS' || draft.method === 'TRACE') return EXAMPLE
    if (this.#isTokenEndpoint(operation)) return { kind: 'token' }
    if (shape.verb !== undefined) return this.#verbEffect(operation, shape.steps, shape.verb)
    const parent = this.#shownParent(operation)
    if (parent) return this.#build.action(operation, parent.collection, parent.steps, lastStatic(shape.steps))
    const rpc = this.#catalogue.callOf(operation)
    if (rpc) return this.#rpcEffect(operation, rpc.call, rpc.collection)
    const site = this.#catalogue.sites.get(keyOfSteps(shape.base))
    if (!site) return EXAMPLE
    return shape.trailing.length > 0 ? this.#itemEffect(operation, site) : this.#siteEffect(operation, site)
  }

  #isTokenEndpoint({ draft }: Placed): boolean {
    if (draft.method !== 'POST') return false
    const fields = fieldsOf(schemaOfResponse(draft.success))
    if (!fields.has('access_token') && fields.size > 0) return false
    const path = draft.path.replace(/\/$/, '')
    if (path !== '' && this.#tokenPaths.some((tokenPath) => tokenPath.endsWith(path))) return true
    return fields.has('access_token') && /oauth2?\/(v\d+\/)?(access_)?token$/.test(path)
  }

  #rpcEffect(operation: Placed, { kind, word, site }: RpcCall, collection: CollectionDraft): Effect {
    const key = this.#addressing.keyInRequest(operation, collection)
    const answer = schemaOfResponse(operation.draft.success)
    switch (kind) {
      case 'list':
      case 'search':
        return this.#build.list(operation, collection, kind)
      case 'create':
        return bodyEnvelope(operation.draft, collection)?.shape === 'list'
          ? this.#build.many(operation, collection, 'bulkCreate')
          : this.#build.create(operation, collection)
      case 'read':
        if (key) return this.#build.one(operation, collection, 'read')
        return findList(answer, collection.noun)
          ? this.#build.list(operation, collection, 'list')
          : this.#document(operation)
      case 'delete':
        return key
          ? this.#build.one(operation, collection, 'delete')
          : this.#build.many(operation, collection, 'bulkDelete')
      case 'update':
      case 'replace':
        if (key) return this.#build.one(operation, collection, kind)
        return this.#build.action(operation, collection, site.steps, word)
      case 'action':
        return this.#build.action(operation, collection, site.steps, word)
    }
  }

  /**
   * `POST /carts/{id}/items` that answers with the cart: something is done to the cart, unless the items can be read by
   * themselves.
   */
  #shownParent({ draft, shape }: Placed): Around | undefined {
    if (draft.method === 'GET' || draft.method === 'HEAD' || shape.base.length === 0) return undefined
    const around = this.#enclosing(shape.base.slice(0, -1))
    if (!around || around.steps.length !== shape.base.length - 1) return undefined
    const own = this.#catalogue.shownAt(shape.base)
    if (own === around.collection || (own && this.#catalogue.isReadable(own))) return undefined
    return isRecordOf(recordEnvelope(draft, around.collection), around.collection) ? around : undefined
  }

  /** A path that stands for a document of its own. */
  #document(operation: Placed): Effect {
    const site = this.#catalogue.sites.get(keyOfSteps(operation.shape.steps))
    const isRead = operation.draft.method === 'GET'
    return site && isRead && isObjectSchema(schemaOfResponse(operation.draft.success))
      ? this.#build.singleton(operation, site, 'singletonRead')
      : EXAMPLE
  }

  #itemEffect(operation: Placed, site: Site): Effect {
    const collection = this.#catalogue.shownAt(site.steps)
    if (!collection) return this.#belowVerb(operation, site)
    switch (operation.draft.method) {
      case 'GET':
      case 'HEAD':
        return this.#catalogue.draftAt(site)?.isFilter || this.#isListBelow(operation, site, collection)
          ? this.#build.list(operation, collection, 'list')
          : this.#build.one(operation, collection, 'read')
      case 'PUT':
        return this.#build.one(operation, collection, 'replace')
      case 'PATCH':
        return this.#build.one(operation, collection, 'update')
      case 'DELETE':
        return this.#build.one(operation, collection, 'delete')
      case 'POST':
        return this.#postItem(operation, site, collection)
      case 'QUERY':
        return this.#build.list(operation, collection, 'search')
      default:
        return this.#action(operation, { collection, steps: operation.shape.steps, isRecord: true })
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
    const act = () => this.#build.action(operation, collection, operation.shape.steps, verb?.word ?? 'post')
    if (verb?.kind === 'delete') return this.#build.one(operation, collection, 'delete')
    if (verb?.kind === 'action') return act()
    if (verb?.kind === 'read' || verb?.kind === 'list' || verb?.kind === 'search') {
      const isList = findList(schemaOfResponse(operation.draft.success), collection.noun) !== undefined
      return isList ? this.#build.list(operation, collection, 'search') : this.#build.one(operation, collection, 'read')
    }
    const item = site.items.get(operation.shape.trailing.join(' '))
    const hasOther = item?.operations.has('PUT') || item?.operations.has('PATCH')
    if (hasOther && verb?.kind !== 'update' && verb?.kind !== 'create') return act()
    return this.#build.one(operation, collection, 'update', verb?.kind === 'create')
  }

  #siteEffect(operation: Placed, site: Site): Effect {
    const collection = this.#catalogue.shownAt(site.steps)
    if (!collection) return this.#staticEffect(operation, site)
    const { draft } = operation
    if (isSearchSegment(lastStatic(site.steps))) return this.#build.list(operation, collection, 'search')
    switch (draft.method) {
      case 'GET':
      case 'HEAD':
        return this.#getCollection(operation, site, collection)
      case 'QUERY':
        return this.#build.list(operation, collection, 'search')
      case 'POST':
        return this.#postCollection(operation, site, collection)
      case 'PUT':
      case 'PATCH':
        return this.#putCollection(operation, site, collection)
      case 'DELETE':
        return this.#addressing.keyInRequest(operation, collection)
          ? this.#build.one(operation, collection, 'delete')
          : this.#build.many(operation, collection, 'bulkDelete')
      default:
        return this.#action(operation, { collection, steps: site.steps, isRecord: false })
    }
  }

  #getCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const answer = schemaOfResponse(operation.draft.success)
    const isList = findList(answer, collection.noun) !== undefined
    if (!isList && this.#catalogue.draftAt(site)?.queryKey !== undefined) {
      return this.#build.one(operation, collection, 'read')
    }
    if (answer && isObjectSchema(answer) && !isList && !hasArrayOf(answer, collection)) {
      return this.#build.singleton(operation, site, 'singletonRead')
    }
    return this.#build.list(operation, collection, 'list')
  }

  #postCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    const verb = verbOf(draft)
    if (verb?.kind === 'delete') {
      return this.#addressing.keyInRequest(operation, collection)
        ? this.#build.one(operation, collection, 'delete')
        : this.#build.many(operation, collection, 'bulkDelete')
    }
    const isReading = verb?.kind === 'list' || verb?.kind === 'search'
    if (isReading && findList(schemaOfResponse(draft.success), collection.noun)) {
      return this.#build.list(operation, collection, 'search')
    }
    if (verb?.kind === 'update' && this.#catalogue.draftAt(site)?.queryKey !== undefined) {
      return this.#build.one(operation, collection, 'update')
    }
    const kind = this.#madeBy(operation, site) ?? collection
    return bodyEnvelope(draft, kind)?.shape === 'list'
      ? this.#build.many(operation, kind, 'bulkCreate')
      : this.#build.create(operation, kind)
  }

  /** `POST /databases/postgresql`, called createPostgresqlDatabase: makes one of the databases. */
  #madeBy({ draft }: Placed, site: Site): CollectionDraft | undefined {
    if (site.own.size > 1 || site.items.size > 0 || !draft.named) return undefined
    const outer = site.steps.slice(0, -1)
    const around = outer.at(-1)?.kind === 'static' ? this.#catalogue.shownAt(outer) : undefined
    const isNamed = around && wordsOf(draft.id).map(singularOf).includes(singularName(around.noun))
    return isNamed && this.#catalogue.isReadable(around) && verbOf(draft)?.kind === 'create' ? around : undefined
  }

  #putCollection(operation: Placed, site: Site, collection: CollectionDraft): Effect {
    const { draft } = operation
    const kind = draft.method === 'PUT' ? 'replace' : 'update'
    const isMany = bodyEnvelope(draft, collection)?.shape === 'list'
    if (!isMany && this.#addressing.keyInRequest(operation, collection)) {
      return this.#build.one(operation, collection, kind, verbOf(draft)?.kind === 'create')
    }
    const get = site.own.get('GET')
    const answer = get && schemaOfResponse(get.draft.success)
    if (isObjectSchema(answer) && !findList(answer, collection.noun)) {
      return this.#build.singleton(operation, site, kind === 'replace' ? 'singletonReplace' : 'singletonUpdate')
    }
    return this.#build.many(operation, collection, 'bulkUpdate')
  }

  /** Paths that end in a word which is no collection: a search, a verb, many at once, or a document of its own. */
  #staticEffect(operation: Placed, site: Site): Effect {
    const { method } = operation.draft
    const text = lastStatic(site.steps)
    const outer = site.steps.slice(0, -1)
    const isRead = method === 'GET' || method === 'HEAD'
    if (isSearchSegment(text) || method === 'QUERY') {
      const found = this.#searched(operation, text, outer)
      if (found && (isRead || method === 'POST' || method === 'QUERY'))
        return this.#build.list(operation, found, 'search')
    }
    if (isRead) return this.#staticRead(operation, site)
    const bulk = this.#bulkTarget(site.steps)
    if (bulk) return this.#bulk(operation, bulk)
    const isVerb = isVerbSegment(text) || (kindOfVerb(text.toLowerCase()) !== undefined && !this.#isDocument(site))
    return isVerb ? this.#verbEffect(operation, outer, text) : this.#staticWrite(operation, site)
  }

  #searched(operation: Placed, text: string, outer: readonly Step[]): CollectionDraft | undefined {
    const item = findList(schemaOfResponse(operation.draft.success), text)?.item
    return this.#collectionOf(item) ?? this.#around(outer)?.collection
  }

  #staticRead(operation: Placed, site: Site): Effect {
    const { draft } = operation
    const answer = schemaOfResponse(draft.success)
    if (isDownload(draft.success)) return EXAMPLE
    if (!answer) return site.own.size > 1 ? this.#build.singleton(operation, site, 'singletonRead') : EXAMPLE
    const around = this.#around(site.steps.slice(0, -1))
    if (around?.isRecord && isRecordOf(recordEnvelope(draft, around.collection), around.collection)) {
      return this.#build.one(operation, around.collection, 'read')
    }
    const isObject = isObjectSchema(answer) || answer.types.includes('object')
    return isObject ? this.#build.singleton(operation, site, 'singletonRead') : EXAMPLE
  }

  #staticWrite(operation: Placed, site: Site): Effect {
    const { method } = operation.draft
    const around = this.#around(site.steps.slice(0, -1))
    const isDocument = this.#isDocument(site)
    if (method === 'PUT' && (isDocument || !around)) return this.#build.singleton(operation, site, 'singletonReplace')
    if (method === 'PATCH' && (isDocument || !around)) return this.#build.singleton(operation, site, 'singletonUpdate')
    if (method === 'DELETE' && isDocument) return this.#build.singleton(operation, site, 'singletonDelete')
    if (method === 'POST' && isDocument && verbOf(operation.draft)?.kind !== 'action') {
      return this.#build.singleton(operation, site, 'singletonUpdate')
    }
    if (!around) return this.#shownUpdate(operation)
    if (!around.isRecord && method === 'DELETE') return this.#build.many(operation, around.collection, 'bulkDelete')
    return this.#build.action(operation, around.collection, around.steps, lastStatic(site.steps))
  }

  /** `POST /login?flow=...`, called updateLoginFlow, that answers with a flow: changes the flow that the query names. */
  #shownUpdate(operation: Placed): Effect {
    const { draft } = operation
    const shown = findRecord(schemaOfResponse(draft.success), { nouns: [], keys: [] }).schema
    const collection = this.#collectionOf(shown)
    if (!collection || verbOf(draft)?.kind !== 'update' || !this.#addressing.keyInRequest(operation, collection))
      return EXAMPLE
    return this.#build.one(operation, collection, 'update')
  }

  /** Whether a path that is no collection holds one document, which its operations read or write. */
  #isDocument(site: Site): boolean {
    const get = site.own.get('GET')
    if (!get) return site.own.has('PUT') || site.own.has('PATCH')
    return !findList(schemaOfResponse(get.draft.success), lastStatic(site.steps)) && !isDownload(get.draft.success)
  }

  #verbEffect(operation: Placed, outer: readonly Step[], text: string): Effect {
    const around = this.#around(outer) ?? this.#enclosing(outer)
    if (!around) return EXAMPLE
    const kind = kindOfVerb(wordsOf(text)[0] ?? '')
    const isMany = bodyEnvelope(operation.draft, around.collection)?.shape === 'list'
    if (!around.isRecord && kind === 'create' && isMany)
      return this.#build.many(operation, around.collection, 'bulkCreate')
    return this.#build.action(operation, around.collection, around.steps, text)
  }

  #action(operation: Placed, around: Around): Effect {
    return this.#build.action(operation, around.collection, around.steps, operation.draft.method.toLowerCase())
  }

  /** `POST /tasks/{id}/move/{target}`, `GET /users/search/{text}`. */
  #belowVerb(operation: Placed, site: Site): Effect {
    const text = lastStatic(site.steps)
    const outer = site.steps.slice(0, -1)
    if (isSearchSegment(text)) {
      const found = this.#searched(operation, text, outer)
      if (found) return this.#build.list(operation, found, 'search')
    }
    return this.#verbEffect(operation, outer, text)
  }

  /** `/contacts/batch`, `/contacts/batch/archive`: the collection of which many are meant. */
  #bulkTarget(steps: readonly Step[]): CollectionDraft | undefined {
    for (const back of [1, 2]) {
      const step = steps.at(-back)
      if (step?.kind !== 'static' || !isBulkSegment(step.text)) continue
      const around = this.#around(steps.slice(0, -back))
      if (around && !around.isRecord) return around.collection
    }
    return undefined
  }

  #bulk(operation: Placed, collection: CollectionDraft): Effect {
    const { draft, shape } = operation
    const verb = verbOf(draft)?.kind
    const words = shape.steps.slice(-2).flatMap((step) => (step.kind === 'static' ? wordsOf(step.text) : []))
    const says = (...any: string[]) => words.some((word) => any.includes(word))
    if (draft.method === 'DELETE' || verb === 'delete' || says('delete', 'remove', 'archive')) {
      return this.#build.many(operation, collection, 'bulkDelete')
    }
    if (verb === 'read' || verb === 'list' || verb === 'search' || says('get', 'read', 'fetch')) {
      return this.#build.list(operation, collection, 'search')
    }
    const isUpdate = draft.method !== 'POST' || verb === 'update' || says('update', 'patch')
    return this.#build.many(operation, collection, isUpdate ? 'bulkUpdate' : 'bulkCreate')
  }

  /** The record or the collection that the path goes on from; the word `actions` between is passed over. */
  #around(outer: readonly Step[]): Around | undefined {
    const last = outer.at(-1)
    if (!last) return undefined
    if (last.kind === 'param') {
      const collection = this.#catalogue.itemAt(outer)
      return collection && { collection, steps: outer, isRecord: true }
    }
    const collection = this.#catalogue.shownAt(outer)
    const beyond = /^actions?$/.test(last.text) ? this.#around(outer.slice(0, -1)) : undefined
    return beyond ?? (collection && { collection, steps: outer, isRecord: false })
  }

  /** The nearest record that a path lies below: the app of `/apps/{id}/secret/rotate`. */
  #enclosing(outer: readonly Step[]): Around | undefined {
    const end = outer.findLastIndex((step) => step.kind === 'param') + 1
    return end > 0 ? this.#around(outer.slice(0, end)) : undefined
  }

  #collectionOf(item: Schema | undefined): CollectionDraft | undefined {
    const component = componentOf(item)
    if (component === undefined) return undefined
    return this.#catalogue.collections.find((collection) => componentOf(collection.schema) === component)
  }
}

function hasArrayOf(answer: Schema, collection: CollectionDraft): boolean {
  const component = componentOf(collection.schema)
  if (component === undefined) return false
  return [...answer.properties.values()].some((field) => isArraySchema(field) && componentOf(field.items) === component)
}
