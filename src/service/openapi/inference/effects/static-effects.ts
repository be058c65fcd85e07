import { findField } from '../../../../names/find-field.ts'
import { isSameNoun, singularOf } from '../../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { Effect } from '../../model.ts'
import { namesGiven, settingsOf } from '../actions/action-settings.ts'
import {
  countShared,
  fieldsOf,
  isArraySchema,
  isDownload,
  isObjectSchema,
  isScalarSchema,
  schemaOfBody,
  schemaOfResponse,
} from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findList, findRecordShape } from '../bodies/shapes.ts'
import { type CollectionDraft, isSetting } from '../collections/collection-draft.ts'
import { bodyEnvelope, recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { isCountSegment, isSearchSegment, lastStatic, type Step } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import { isVerbSegment, kindOfVerb, verbOf } from '../paths/verbs.ts'
import { isSentAndShown } from './beside-document.ts'
import { bulkEffect, bulkTarget, sendsRecords } from './bulk-effects.ts'
import { callerEffect, ownPartEffect } from './callers.ts'
import { documentAction, stateAction } from './document-actions.ts'
import { makesOne } from './makes-one.ts'
import { memberEffect } from './members.ts'
import { namesSeveral } from './named-several.ts'
import type { Kit } from './path-surroundings.ts'
import { untoldList } from './untold-lists.ts'

/** The effect of unknown operations. */
export const EXAMPLE: Effect = { kind: 'example' }

/** Effects of paths whose last word is not a collection: a search, a verb, a bulk operation, or a document. */
export function staticEffect(kit: Kit, operation: Placed, site: PathSite): Effect {
  const { method } = operation.draft
  const text = lastStatic(site.steps)
  const outer = site.steps.slice(0, -1)
  const isRead = method === 'GET' || method === 'HEAD'
  if (isSearchSegment(text) || method === 'QUERY') {
    const found = searched(kit, operation, text, outer)
    if (found && (isRead || method === 'POST' || method === 'QUERY')) return kit.build.list(operation, found, 'search')
  }
  const own = callerEffect(kit, operation, site)
  if (own) return own
  if (isRead) return staticRead(kit, operation, site)
  const word = outer.at(-1)
  if (word?.kind === 'static' && /^actions?$/.test(word.text) && kit.surroundings.around(outer)?.isRecord) {
    return verbEffect(kit, operation, outer, text)
  }
  const counted = method === 'POST' && isCountSegment(text) ? kit.surroundings.around(outer) : undefined
  if (counted && !counted.isRecord && isObjectSchema(schemaOfResponse(operation.draft.success))) {
    return kit.build.count(operation, counted.collection)
  }
  const bulk = bulkTarget(kit, operation, site.steps)
  if (bulk) return bulkEffect(kit, operation, bulk)
  const isVerb = isVerbSegment(text) || (kindOfVerb(text.toLowerCase()) !== undefined && !isDocument(site))
  return isVerb && !isSentAndShown(operation, site)
    ? verbEffect(kit, operation, outer, text)
    : staticWrite(kit, operation, site)
}

/** `POST /tasks/{id}/move/{target}`, `GET /users/search/{text}`. */
export function belowVerb(kit: Kit, operation: Placed, site: PathSite): Effect {
  const text = lastStatic(site.steps)
  const outer = site.steps.slice(0, -1)
  if (isSearchSegment(text)) {
    const found = searched(kit, operation, text, outer)
    if (found) return kit.build.list(operation, found, 'search')
  }
  return verbEffect(kit, operation, outer, text)
}

/** The effect of a verb on the record or the collection before it in the path. */
export function verbEffect(kit: Kit, operation: Placed, outer: readonly Step[], text: string): Effect {
  const around = kit.surroundings.around(outer) ?? kit.surroundings.enclosing(outer)
  const document =
    around?.isRecord && around.steps.length === outer.length ? undefined : documentAction(kit, operation, outer, text)
  if (document) return document
  if (!around) return EXAMPLE
  const kind = kindOfVerb(wordsOf(text)[0] ?? '')
  const isClearing = kind === 'delete' || /^(reset|empty|prune|flush|wipe)$/.test(text)
  if (!around.isRecord && isClearing) return kit.build.many(operation, around.collection, 'bulkDelete')
  const isMany = sendsRecords(operation.draft, around.collection)
  if (!around.isRecord && kind === 'create') {
    if (isMany) return kit.build.many(operation, around.collection, 'bulkCreate')
    if (sendsRecord(operation, around.collection)) return kit.build.create(operation, around.collection)
  }
  if (!around.isRecord && makesOne(kit, operation, around.collection, text)) {
    return kit.build.create(operation, around.collection)
  }
  // `POST /notes/{id}/delete`, `POST /notes/{id}/update`.
  const isOwn = around.isRecord && around.steps.length === outer.length
  const isWhole = isOwn && operation.draft.method !== 'GET' && wordsOf(text).length === 1
  // `POST /groups/{id}/remove { feed_key }` removes a feed from the group.
  const given = namesGiven(operation.draft)
  const isPart = isWhole && given.length > 0 && settingsOf(text, around.collection.schema, { given }).length > 0
  if (isWhole && !isPart && (kind === 'delete' || kind === 'update'))
    return kit.build.one(operation, around.collection, kind)
  const acted = kit.build.action(operation, around.collection, around.steps, text)
  return (around.isRecord && stateAction(kit, operation, outer, acted)) || acted
}

/** Whether the request body has fields of the collection's records, or the answer is one of them. */
function sendsRecord({ draft }: Placed, collection: CollectionDraft): boolean {
  const sent = bodyEnvelope(draft, collection)
  if (sent === undefined) return false
  return countShared(sent.schema, collection.schema) > 0 || isRecordOf(recordEnvelope(draft, collection), collection)
}

function searched(kit: Kit, operation: Placed, text: string, outer: readonly Step[]): CollectionDraft | undefined {
  const item = findList(schemaOfResponse(operation.draft.success), text)?.item
  return kit.surroundings.collectionOf(item) ?? kit.surroundings.around(outer)?.collection
}

function staticRead(kit: Kit, operation: Placed, site: PathSite): Effect {
  const { draft } = operation
  const answer = schemaOfResponse(draft.success)
  const around = kit.surroundings.around(site.steps.slice(0, -1))
  const untold = around?.isRecord ? untoldList(kit, operation, site) : undefined
  if (untold) return untold
  const isKept = around?.isRecord === true || isWritten(site)
  if (around?.isRecord && /^exists?$/.test(lastStatic(site.steps)) && isObjectSchema(answer)) {
    const effect = kit.build.one(operation, around.collection, 'read')
    return effect.kind === 'read' ? { ...effect, asks: true } : effect
  }
  if (isDownload(draft.success) || !answer) {
    return isKept || (!answer && site.own.size > 1) ? kit.build.singleton(operation, site, 'singletonRead') : EXAMPLE
  }
  if (around?.isRecord && isRecordOf(recordEnvelope(draft, around.collection), around.collection)) {
    return kit.build.one(operation, around.collection, 'read')
  }
  const isCounted = isObjectSchema(answer) || isNumber(answer)
  if (around && !around.isRecord && isCountSegment(lastStatic(site.steps)) && isCounted) {
    return kit.build.count(operation, around.collection)
  }
  const isKeys = /^(all_?)?(ids|keys|uuids|slugs|codes)$/i.test(lastStatic(site.steps)) && isArraySchema(answer)
  if (around && !around.isRecord && isKeys && isScalarSchema(answer.items)) {
    return kit.build.list(operation, around.collection, 'search')
  }
  const related = around?.isRecord ? relatedEffect(kit, operation, site, around.collection) : undefined
  if (related) return related
  const shown = shownOf(kit, operation, site) ?? lookedUp(operation, around?.collection)
  if (shown) return kit.build.list(operation, shown, 'search')
  const isObject = isObjectSchema(answer) || answer.types.includes('object')
  return isObject || isKept ? kit.build.singleton(operation, site, 'singletonRead') : EXAMPLE
}

const isNumber = ({ types }: Schema): boolean => types[0] === 'integer' || types[0] === 'number'

const isWritten = ({ own }: PathSite): boolean => ['PUT', 'PATCH', 'POST'].some((method) => own.has(method))

/** Words that select records of a collection. */
const SOME =
  /^(all|owned|visible|public|private|starred|shared|archived|active|open|closed|pending|mine|recent|latest|newest|last|first|current|default|main|primary|random)$/i

/** `/projects/owned`, `/groups/default`, `/users/{id}/issues`: the collection whose record is the answer. */
function shownOf(kit: Kit, operation: Placed, site: PathSite): CollectionDraft | undefined {
  const word = lastStatic(site.steps)
  if (site.own.size > 1 || site.items.size > 0) return undefined
  const found = shownIn(kit, operation)
  const isBelow =
    found?.inventedKey === undefined && kit.surroundings.around(site.steps.slice(0, -1))?.collection === found
  return isBelow || SOME.test(word) || singularOf(word) !== word ? found : undefined
}

/** `/builds/{id}/app` next to `/apps/{id}`: the app to which the build refers. */
function relatedEffect(kit: Kit, operation: Placed, site: PathSite, owner: CollectionDraft): Effect | undefined {
  const word = lastStatic(site.steps)
  const param = site.steps.at(-2)
  const found =
    site.own.size > 1 || site.items.size > 0 || singularOf(word) !== word ? undefined : shownIn(kit, operation)
  if (!found?.item?.operations.has('GET') || found.inventedKey || param?.kind !== 'param') return undefined
  const to = kit.addressing.referenceTo(owner, found, word)
  return kit.build.one(operation, found, 'read', { of: { collection: owner.name, param: param.name, field: to } })
}

/** The collection of an answer's record, by its component. */
function shownIn(kit: Kit, { draft }: Placed): CollectionDraft | undefined {
  const { schema } = findRecordShape(schemaOfResponse(draft.success), { nouns: [], keys: [] })
  const found = kit.surroundings.collectionOf(schema)
  return found?.idField && isRecordOf(recordEnvelope(draft, found), found) ? found : undefined
}

/** `GET /links/info?external_id=`, `GET /users/email?email=`: the record with the query's value. */
export function lookedUp({ draft }: Placed, collection: CollectionDraft | undefined): CollectionDraft | undefined {
  if (!collection?.idField || !isRecordOf(recordEnvelope(draft, collection), collection)) return undefined
  const asked = draft.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => foldName(name))
  const fields = namedFields(collection.schema)
  const isField = (folded: string) => fields.named(folded).some(({ schema }) => isScalarSchema(schema))
  return asked.some((name) => !/^(fields|include|expand|format)$/.test(name) && isField(name)) ? collection : undefined
}

function staticWrite(kit: Kit, operation: Placed, site: PathSite): Effect {
  const { method } = operation.draft
  // `POST` or `PUT`, and `DELETE`, of the same path add and take away.
  const isBoth = site.own.size === 2 && (site.own.has('POST') || site.own.has('PUT')) && site.own.has('DELETE')
  const member = isBoth ? memberEffect(kit, operation, site, undefined) : undefined
  if (member) return member
  const around = kit.surroundings.around(site.steps.slice(0, -1))
  // `PUT /pods/{name}/status` that answers with the pod.
  const isPut = method === 'PUT' || method === 'PATCH'
  if (isPut && around?.isRecord && isRecordOf(recordEnvelope(operation.draft, around.collection), around.collection)) {
    return kit.build.one(operation, around.collection, 'update')
  }
  const part = method === 'DELETE' || site.own.has('GET') ? undefined : partBelow(kit, site.steps)
  if (part) {
    return kit.build.action(operation, part.collection, part.steps, lastStatic(site.steps), part.field)
  }
  const own = around ? undefined : ownPartEffect(kit, operation, site)
  if (own) return own
  const isMeant = method !== 'POST' || verbOf(operation.draft)?.kind === 'delete'
  // `PUT /movies/editor { movieIds }`: several movies.
  if (
    isMeant &&
    around &&
    !around.isRecord &&
    !site.own.has('GET') &&
    namesSeveral(operation.draft, around.collection)
  ) {
    return kit.build.many(operation, around.collection, isPut ? 'bulkUpdate' : 'bulkDelete')
  }
  const made = method === 'POST' && !site.own.has('GET') ? madeElsewhere(kit, operation, site) : undefined
  if (made) return kit.build.create(operation, made)
  const isWhole = isDocument(site)
  // A write-only path below a record is a part of the record: `PUT /cards/{id}/pos`.
  // `DELETE /albums/{id}/assets { ids }` that answers with a list of results takes these away.
  const isOfSeveral =
    operation.draft.requestBody !== undefined && isArraySchema(schemaOfResponse(operation.draft.success))
  if (around?.isRecord && !site.own.has('GET') && (method !== 'DELETE' || isOfSeveral)) {
    return kit.build.action(operation, around.collection, around.steps, lastStatic(site.steps))
  }
  // `DELETE /domains/{id}/auto_renewal` reverses the PUT.
  const isUndoing = method === 'DELETE' && around?.isRecord && !site.own.has('GET') && site.own.size > 1
  if (isUndoing && settingsOf(`un${lastStatic(site.steps)}`, around.collection.schema).length > 0) {
    return kit.build.action(operation, around.collection, around.steps, lastStatic(site.steps))
  }
  if (method === 'PUT' && (isWhole || !around)) return kit.build.singleton(operation, site, 'singletonReplace')
  if (method === 'PATCH' && (isWhole || !around)) return kit.build.singleton(operation, site, 'singletonUpdate')
  if (method === 'DELETE' && isWhole) return kit.build.singleton(operation, site, 'singletonDelete')
  if (method === 'POST' && isWhole && verbOf(operation.draft)?.kind !== 'action') {
    return kit.build.singleton(operation, site, 'singletonUpdate')
  }
  if (!around) {
    return (
      documentAction(kit, operation, site.steps.slice(0, -1), lastStatic(site.steps)) ?? shownUpdate(kit, operation)
    )
  }
  if (!around.isRecord && method === 'DELETE') return kit.build.many(operation, around.collection, 'bulkDelete')
  return kit.build.action(operation, around.collection, around.steps, lastStatic(site.steps))
}

/** `/boards/{id}/prefs/voting`: the nested field of the record from the path. */
function partBelow(kit: Kit, steps: readonly Step[]) {
  const [outer, inner] = steps.slice(-2)
  if (outer?.kind !== 'static' || inner?.kind !== 'static') return undefined
  const around = kit.surroundings.around(steps.slice(0, -2))
  if (!around?.isRecord) return undefined
  const { collection } = around
  if (collection.isPlain) return { ...around, field: [outer.text, inner.text] }
  const whole = findField(fieldsOf(collection.schema).keys(), outer.text)
  const fields = fieldsOf(whole === undefined ? undefined : fieldsOf(collection.schema).get(whole))
  const name = findField(fields.keys(), inner.text)
  return whole !== undefined && name !== undefined ? { ...around, field: [whole, name] } : undefined
}

/** `POST /push/bills { Bill }` next to `/data/bills`: creates records that other paths read. */
function madeElsewhere(kit: Kit, { draft }: Placed, site: PathSite): CollectionDraft | undefined {
  const sent = findRecordShape(schemaOfBody(draft.requestBody), { nouns: [], keys: [] })
  const found = sent.shape === 'record' ? kit.surroundings.collectionOf(sent.schema) : undefined
  const isMeant = found && isSameNoun(lastStatic(site.steps), found.noun) && found.site.key !== site.key
  return isMeant && kit.catalogue.isReadable(found) ? found : undefined
}

/** `POST /login?flow=...`, named updateLoginFlow, that answers with a flow: changes the flow of the query. */
function shownUpdate(kit: Kit, operation: Placed): Effect {
  const { draft } = operation
  const shown = findRecordShape(schemaOfResponse(draft.success), { nouns: [], keys: [] }).schema
  const collection = kit.surroundings.collectionOf(shown)
  if (!collection || verbOf(draft)?.kind !== 'update' || !kit.addressing.keyInRequest(operation, collection))
    return EXAMPLE
  return kit.build.one(operation, collection, 'update')
}

/** Whether a path that is not a collection has one document, which its operations read or write. */
function isDocument(site: PathSite): boolean {
  const get = site.own.get('GET')
  if (!get) return site.own.has('PUT') || site.own.has('PATCH')
  if (isDownload(get.draft.success)) return isWritten(site)
  const list = findList(schemaOfResponse(get.draft.success), lastStatic(site.steps))
  return !list || (list.path.length === 0 && (!isObjectSchema(list.item) || isSetting(site, list.item)))
}
