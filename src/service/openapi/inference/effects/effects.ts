import { singularName, singularOf } from '../../../../names/nouns.ts'
import { wordsOf } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { Confidence, Effect, Reason } from '../../model.ts'
import type { SecurityScheme } from '../../security-scheme.ts'
import { statusLedTo, statusShown } from '../actions/verb-in-body.ts'
import { componentOf, fieldsOf, isArraySchema, isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList, openList } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { bodyEnvelope, listOfRecords, recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { asksForList } from '../paths/asks-for-list.ts'
import { keyOfSteps, lastStatic } from '../paths/path-shape.ts'
import { endingVerbOf } from '../paths/sayings.ts'
import { isSearchSite, type PathSite, type Placed } from '../paths/sites.ts'
import { verbOf } from '../paths/verbs.ts'
import { documentBeside } from './beside-document.ts'
import { createIn, effectOfCall } from './call-effects.ts'
import { ownOf, registration } from './callers.ts'
import { madeBelow } from './made-below.ts'
import { mapEffect } from './maps.ts'
import { memberEffect } from './members.ts'
import { namedEffect } from './named-record.ts'
import { namesSeveral } from './named-several.ts'
import type { Kit } from './path-surroundings.ts'
import { relationshipEffect } from './relationships.ts'
import { belowVerb, EXAMPLE, lookedUp, staticEffect, verbEffect } from './static-effects.ts'

interface Rule {
  readonly name: string
  readonly confidence: Confidence
  readonly find: (operation: Placed) => Effect | undefined
}

/** Finds the effect of each operation on the data. */
export class EffectFinder {
  readonly #kit: Kit
  readonly #tokenPaths: readonly string[]

  constructor(kit: Kit, schemes: Iterable<SecurityScheme>) {
    this.#kit = kit
    this.#tokenPaths = [...schemes].flatMap((scheme) => ('tokenPaths' in scheme ? scheme.tokenPaths : []))
  }

  /** The effect of an operation on the data, and the rule that found it. */
  find(operation: Placed): { readonly effect: Effect; readonly reason: Reason } {
    for (const { name, confidence, find } of this.#rules) {
      const effect = find(operation)
      if (!effect) continue
      const second = this.#secondThought(operation, effect)
      if (second) return second
      return { effect, reason: { rule: name, confidence: effect.kind === 'example' ? 'example' : confidence } }
    }
    throw new Error('Expected a rule for every operation.')
  }

  /** What the request names, where a path alone leaves the effect unclear. */
  #secondThought(operation: Placed, effect: Effect): { effect: Effect; reason: Reason } | undefined {
    const isKeyless = effect.kind === 'action' && effect.keys.length === 0
    const isLoose =
      effect === EXAMPLE ||
      isKeyless ||
      (effect.kind === 'singletonRead' && this.#isOnlyRead(operation)) ||
      (effect.kind === 'read' && this.#isOnlyAsked(operation))
    const named = isLoose ? namedEffect(this.#kit, operation) : undefined
    if (named && !(effect.kind === 'action' && effect.many)) {
      return { effect: named, reason: { rule: 'request-names-record', confidence: 'likely' } }
    }
    const beside = effect === EXAMPLE ? documentBeside(this.#kit, operation) : undefined
    return beside && { effect: beside, reason: { rule: 'document-beside', confidence: 'guess' } }
  }

  readonly #rules: readonly Rule[] = [
    {
      name: 'no-data-method',
      confidence: 'example',
      find: ({ draft }) => (draft.method === 'OPTIONS' || draft.method === 'TRACE' ? EXAMPLE : undefined),
    },
    {
      name: 'token-endpoint',
      confidence: 'declared',
      find: (operation) => (this.#isTokenEndpoint(operation) ? { kind: 'token' } : undefined),
    },
    {
      name: 'verb-after-colon',
      confidence: 'certain',
      find: (operation) => {
        const { steps, verb } = operation.shape
        return verb === undefined ? undefined : verbEffect(this.#kit, operation, steps, verb)
      },
    },
    {
      name: 'relationship',
      confidence: 'certain',
      find: (operation) => relationshipEffect(this.#kit, operation),
    },
    {
      name: 'part-that-answers-with-its-record',
      confidence: 'likely',
      find: (operation) => {
        const parent = this.#kit.surroundings.shownParent(operation)
        const verb = lastStatic(operation.shape.steps)
        return parent && this.#kit.build.action(operation, parent.collection, parent.steps, verb)
      },
    },
    { name: 'other-way-to-create', confidence: 'likely', find: (operation) => madeBelow(this.#kit, operation) },
    { name: 'registration', confidence: 'likely', find: (operation) => registration(this.#kit, operation) },
    { name: 'verb-in-path', confidence: 'likely', find: (operation) => effectOfCall(this.#kit, operation) },
    { name: 'path-and-method', confidence: 'certain', find: (operation) => this.#placedEffect(operation) },
  ]

  /** Whether a document's path is read-only, so that it may belong to an identified record. */
  #isOnlyRead({ shape, draft }: Placed): boolean {
    const site = this.#kit.catalogue.sites.get(keyOfSteps(shape.steps))
    return draft.method === 'GET' && site?.own.size === 1 && !this.#kit.surroundings.enclosing(shape.steps)
  }

  /** `POST /portal-access/{app_id}`: no operation makes or shows what the path is called, so that it is about the app. */
  #isOnlyAsked({ draft, shape }: Placed): boolean {
    const collection = draft.method === 'POST' ? this.#kit.catalogue.shownAt(shape.base) : undefined
    return collection !== undefined && !this.#kit.catalogue.isReadable(collection)
  }

  #placedEffect(operation: Placed): Effect {
    const site = this.#kit.catalogue.sites.get(keyOfSteps(operation.shape.base))
    if (!site) return EXAMPLE
    const collection = this.#kit.catalogue.shownAt(site.steps)
    const isItem = operation.shape.trailing.length > 0
    const map = mapEffect(this.#kit, operation, site, collection)
    if (map) return map
    if (isItem && collection) return itemEffect(this.#kit, operation, site, collection)
    if (isItem) return belowVerb(this.#kit, operation, site)
    return collection
      ? collectionEffect(this.#kit, operation, site, collection)
      : staticEffect(this.#kit, operation, site)
  }

  #isTokenEndpoint({ draft }: Placed): boolean {
    if (draft.method !== 'POST') return false
    const fields = fieldsOf(schemaOfResponse(draft.success))
    if (!fields.has('access_token') && fields.size > 0) return false
    const path = draft.path.replace(/\/$/, '')
    if (path !== '' && this.#tokenPaths.some((tokenPath) => tokenPath.endsWith(path))) return true
    return fields.has('access_token') && /oauth2?\/(v\d+\/)?(access_)?token$/.test(path)
  }
}

/** Effects of collection paths: `/tasks`. */
function collectionEffect(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const { draft } = operation
  if (isSearchSite(site)) return kit.build.list(operation, collection, 'search')
  switch (draft.method) {
    case 'GET':
    case 'HEAD':
      return getCollection(kit, operation, site, collection)
    case 'QUERY':
      return kit.build.list(operation, collection, 'search')
    case 'POST':
      return memberEffect(kit, operation, site, collection) ?? postCollection(kit, operation, site, collection)
    case 'PUT':
    case 'PATCH':
      return putCollection(kit, operation, site, collection)
    case 'DELETE':
      return memberEffect(kit, operation, site, collection) ?? deleteIn(kit, operation, collection)
    default:
      return kit.build.action(operation, collection, site.steps, draft.method.toLowerCase())
  }
}

function getCollection(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const { draft } = operation
  const answer = schemaOfResponse(draft.success)
  const isList =
    (findList(answer, collection.noun) ?? listOfRecords(answer, collection) ?? openAnswer(site, answer)) !== undefined
  if (!isList && kit.catalogue.draftAt(site)?.queryKey !== undefined) {
    return kit.build.one(operation, collection, 'read')
  }
  const isDocument = answer && isObjectSchema(answer) && !isList && !hasArrayOf(answer, collection)
  if (isDocument && lookedUp(operation, collection)) return kit.build.list(operation, collection, 'search')
  if (isDocument && !isListOfOne(operation, collection)) {
    // `GET /config/host` next to `PUT /config/host/{id}`: the only host.
    if (site.own.size === 1 && isRecordOf(recordEnvelope(draft, collection), collection) && isKept(collection)) {
      return ownOf(kit, operation, collection, 'read')
    }
    return kit.build.singleton(operation, site, 'singletonRead')
  }
  return kit.build.list(operation, collection, 'list')
}

/** Where the records of a list stand, if nothing is described of them, beside paths of single records. */
const openAnswer = ({ items }: PathSite, answer: Schema | undefined): FieldPath | undefined =>
  answer !== undefined && items.size > 0 ? openList(answer) : undefined

/** Whether clients change single records of a collection. */
const isKept = ({ item }: CollectionDraft): boolean =>
  item?.operations.has('PUT') === true || item?.operations.has('PATCH') === true

/** `GET /groups`, or "Get all groups" of `/group`, described as one group, as converters of annotated code write it. */
function isListOfOne({ draft }: Placed, collection: CollectionDraft): boolean {
  const isMany = singularName(collection.noun) !== collection.noun || verbOf(draft)?.kind === 'list' || saysAll(draft)
  return isMany && isRecordOf(recordEnvelope(draft, collection), collection)
}

const saysAll = ({ id, named, summary = '' }: Placed['draft']): boolean =>
  wordsOf(named ? id : summary).includes('all') || /\b(all|list of)\b/i.test(summary)

function postCollection(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const { draft } = operation
  const verb = verbOf(draft)
  if (verb?.kind === 'delete') return deleteIn(kit, operation, collection)
  const isNaming = verb?.kind === 'read' && namesSeveral(draft, collection)
  const isAsking = !site.own.has('GET') && asksForList(draft, collection.noun)
  const isReading = verb?.kind === 'list' || verb?.kind === 'search' || isNaming || isAsking
  if (isReading && findList(schemaOfResponse(draft.success), collection.noun)) {
    return kit.build.list(operation, collection, 'search')
  }
  const isMany = bodyEnvelope(draft, collection)?.shape === 'list'
  if (verb?.kind === 'update' && isMany) return kit.build.many(operation, collection, 'bulkUpdate')
  if (verb?.kind === 'update' && kit.catalogue.draftAt(site)?.queryKey !== undefined) {
    return kit.build.one(operation, collection, 'update')
  }
  return createIn(kit, operation, madeBy(kit, operation, site) ?? collection)
}

/** Deletes one record where the request identifies it, else many. */
function deleteIn({ addressing, build }: Kit, operation: Placed, collection: CollectionDraft): Effect {
  return addressing.keyInRequest(operation, collection)
    ? build.one(operation, collection, 'delete')
    : build.many(operation, collection, 'bulkDelete')
}

/** `POST /databases/postgresql`, named createPostgresqlDatabase: creates a database. */
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
  if (verbOf(draft)?.kind !== 'create') return kit.build.many(operation, collection, 'bulkUpdate')
  // `PUT /filters`, named createFilter, of which no body is described: makes one.
  return draft.requestBody === undefined
    ? kit.build.create(operation, collection)
    : kit.build.many(operation, collection, 'bulkCreate')
}

function hasArrayOf(answer: Schema, collection: CollectionDraft): boolean {
  const component = componentOf(collection.schema)
  if (component === undefined) return false
  return [...answer.properties.values()].some((field) => isArraySchema(field) && componentOf(field.items) === component)
}

/** Effects of paths that end in a parameter: `/tasks/{id}`. */
function itemEffect(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const member = memberEffect(kit, operation, site, collection)
  if (member) return member
  switch (operation.draft.method) {
    case 'GET':
    case 'HEAD':
      return kit.catalogue.draftAt(site)?.isFilter ||
        isListBelow(operation, site, collection) ||
        isUntoldBy(kit, operation, site, collection)
        ? kit.build.list(operation, collection, 'list')
        : kit.build.one(operation, collection, 'read')
    case 'PUT':
      return kit.build.one(operation, collection, 'replace')
    case 'PATCH':
      return kit.build.one(operation, collection, 'update')
    case 'DELETE':
      return ended(kit, operation, collection) ?? kit.build.one(operation, collection, 'delete')
    case 'POST':
      return postItem(kit, operation, site, collection)
    case 'QUERY':
      return kit.build.list(operation, collection, 'search')
    default:
      return kit.build.action(operation, collection, operation.shape.steps, operation.draft.method.toLowerCase())
  }
}

/** `DELETE /items/{id}`, called deactivate, that answers with the item: it is inactive from then on, and still there. */
function ended(kit: Kit, operation: Placed, collection: CollectionDraft): Effect | undefined {
  const { draft } = operation
  const verb = endingVerbOf(draft)
  const status = verb && (statusLedTo(verb, collection.schema) ?? statusShown(draft.success, collection.schema))
  if (verb === undefined || status === undefined) return undefined
  if (!isRecordOf(recordEnvelope(draft, collection), collection)) return undefined
  return kit.build.ending(operation, collection, verb, status)
}

/** `/skills/by-field/{fieldId}` of which no answer is described: the skills of the field, not one skill. */
function isUntoldBy(kit: Kit, { draft, shape }: Placed, site: PathSite, collection: CollectionDraft): boolean {
  const param = shape.trailing.length === 1 ? shape.trailing[0] : undefined
  if (param === undefined || kit.catalogue.draftAt(site) === collection || schemaOfResponse(draft.success)) return false
  const named = kit.catalogue.namedBy(param)
  return named !== undefined && named !== collection
}

/** `GET /times/{user}` beside `GET /times`, `GET /packages/{owner}` beside `GET /packages/{owner}/{name}`. */
function isListBelow(operation: Placed, site: PathSite, collection: CollectionDraft): boolean {
  const { draft, shape } = operation
  if (!isObjectSchema(findList(schemaOfResponse(draft.success), collection.noun)?.item)) return false
  const item = site.items.get(shape.trailing.join(' '))
  const { params = [], operations } = collection.item ?? {}
  const ofList = shape.trailing.length < params.length ? /^(GET|HEAD|POST)$/ : /^(GET|HEAD)$/
  if (item && [...item.operations.keys()].some((method) => !ofList.test(method))) return false
  const isOther =
    shape.trailing.length < params.length || (shape.trailing.length > params.length && showsOne(operations))
  return isOther || (verbOf(draft)?.kind === 'list' && site.own.has('GET'))
}

/** Whether the records of a collection are read one by one, by an answer that is no list: other paths then list them. */
function showsOne(operations: ReadonlyMap<string, Placed> | undefined): boolean {
  const get = operations?.get('GET')
  return get !== undefined && findList(schemaOfResponse(get.draft.success), '') === undefined
}

function postItem(kit: Kit, operation: Placed, site: PathSite, collection: CollectionDraft): Effect {
  const verb = verbOf(operation.draft)
  const act = () => kit.build.action(operation, collection, operation.shape.steps, verb?.word ?? 'post')
  if (verb?.kind === 'delete') return kit.build.one(operation, collection, 'delete')
  if (verb?.kind === 'action') return act()
  if (verb?.kind === 'read' || verb?.kind === 'list' || verb?.kind === 'search') {
    const isList = findList(schemaOfResponse(operation.draft.success), collection.noun) !== undefined
    return isList ? kit.build.list(operation, collection, 'search') : kit.build.one(operation, collection, 'read')
  }
  const item = site.items.get(operation.shape.trailing.join(' '))
  // `POST /flags/{project}` beside `GET /flags/{project}` and `/flags/{project}/{flag}`.
  const list = item?.operations.get('GET')
  if (list && isListBelow(list, site, collection)) return createIn(kit, operation, collection)
  const hasOther = item?.operations.has('PUT') || item?.operations.has('PATCH')
  if (hasOther && verb?.kind !== 'update' && verb?.kind !== 'create') return act()
  return kit.build.one(operation, collection, 'update', { isCreating: verb?.kind === 'create' })
}
