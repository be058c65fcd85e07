import type { Effect } from '../../model.ts'
import { settingsOf } from '../actions/action-settings.ts'
import { isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList, findRecordShape } from '../bodies/shapes.ts'
import type { Catalogue } from '../collections/catalogue.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { bodyEnvelope, recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { keyOfSteps, lastStatic } from '../paths/path-shape.ts'
import type { RpcCall } from '../paths/rpc.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import type { VerbKind } from '../paths/verbs.ts'
import { makesOne } from './makes-one.ts'
import { namedEffect } from './named-record.ts'
import { namesSeveral } from './named-several.ts'
import type { Kit } from './path-surroundings.ts'
import { EXAMPLE } from './static-effects.ts'

/** The effect of an RPC-like path: `/users.list`, `/transactions/get`; undefined for other paths. */
export function effectOfCall(kit: Kit, operation: Placed): Effect | undefined {
  const rpc = kit.catalogue.callOf(operation)
  if (!rpc) return undefined
  const only = onlyEffect(kit, operation, rpc.call)
  return (
    only ?? partEffect(kit, operation, rpc) ?? (rpc.collection && callEffect(kit, operation, rpc.call, rpc.collection))
  )
}

/** `keys.addRoles`, `keys.setPermissions`: an action on the key, where keys have such a field. */
function partEffect(
  kit: Kit,
  operation: Placed,
  { call, owner, collection }: NonNullable<ReturnType<Catalogue['callOf']>>,
): Effect | undefined {
  const { addressing, build, catalogue } = kit
  const { kind, word } = call
  const isUpdate = kind === 'update' || kind === 'replace'
  const isRead = collection !== undefined && catalogue.isReadable(collection)
  const key = owner && (isUpdate || kind === 'create' || kind === 'delete') && addressing.keyInRequest(operation, owner)
  if (!owner) return undefined
  // `notification.createSlack` next to `notification.updateSlack { notificationId }`: creates a notification.
  const update = call.site.items.get('')?.operations.get('PATCH')
  const isOwner = !key && kind === 'create' && !isRead && catalogue.isReadable(owner)
  if (isOwner && update && addressing.keyInRequest(update, owner)) return createIn(kit, operation, owner)
  if (!key) return undefined
  if (settingsOf(word, owner.schema).length > 0) return build.action(operation, owner, owner.site.steps, word)
  // `application.saveEnvironment { applicationId, env }` without a read: fields of the application.
  return isUpdate && !isRead ? build.one(operation, owner, 'update', { key }) : undefined
}

/** `/team/create`, `/team/destroy` next to `GET /team` with the only team. */
function onlyEffect(
  { addressing, build, catalogue }: Kit,
  operation: Placed,
  { kind, site }: RpcCall,
): Effect | undefined {
  const own = catalogue.sites.get(keyOfSteps(site.steps))
  const get = own?.own.get('GET')
  const effect = ONLY_KINDS.get(kind)
  if (!own || !get || !effect || catalogue.shownAt(own.steps) || own.items.size > 0 || site.own.has('GET'))
    return undefined
  const shown = schemaOfResponse(get.draft.success)
  if (!isObjectSchema(shown) || findList(shown, lastStatic(own.steps)) || addressing.onlyIdInRequest(operation))
    return undefined
  return build.singleton(operation, own, effect)
}

const ONLY_KINDS: ReadonlyMap<VerbKind, 'singletonUpdate' | 'singletonReplace' | 'singletonDelete'> = new Map([
  ['create', 'singletonUpdate'],
  ['update', 'singletonUpdate'],
  ['replace', 'singletonReplace'],
  ['delete', 'singletonDelete'],
])

function callEffect(
  kit: Kit,
  operation: Placed,
  { kind, word, site, isLoose }: RpcCall,
  collection: CollectionDraft,
): Effect | undefined {
  const { addressing } = kit
  if (isLoose) return looseEffect(kit, operation, word, collection)
  const document = calledDocument(kit, operation, kind, site, collection)
  if (document) return document
  const isKeyed = kind === 'read' || kind === 'delete' || kind === 'update' || kind === 'replace'
  const key = isKeyed
    ? (addressing.keyInRequest(operation, collection) ?? addressing.onlyIdInRequest(operation))
    : undefined
  const answer = schemaOfResponse(operation.draft.success)
  switch (kind) {
    case 'list':
    case 'search':
      return kit.build.list(operation, collection, kind)
    case 'create':
      return createIn(kit, operation, collection)
    case 'read':
      if (key) return kit.build.one(operation, collection, 'read', { key })
      return findList(answer, collection.noun)
        ? kit.build.list(operation, collection, 'list')
        : (namedEffect(kit, operation, true) ??
            readByField(kit, operation, collection) ??
            documentEffect(kit, operation))
    case 'delete':
      if (key) return kit.build.one(operation, collection, 'delete', { key })
      if (namesSeveral(operation.draft, collection) || sendsWhole(operation, collection)) {
        return kit.build.many(operation, collection, 'bulkDelete')
      }
      return kit.build.action(operation, collection, site.steps, word)
    case 'update':
    case 'replace':
      if (key) return kit.build.one(operation, collection, kind, { key })
      return /^upsert/i.test(word) || sendsWhole(operation, collection)
        ? kit.build.many(operation, collection, 'bulkUpdate')
        : kit.build.action(operation, collection, site.steps, word)
    case 'action':
      return makesOne(kit, operation, collection, word)
        ? kit.build.create(operation, collection)
        : kit.build.action(operation, collection, site.steps, word)
  }
}

/** `/bots/getByName?name=` that answers with a bot. */
function readByField({ addressing, build }: Kit, operation: Placed, collection: CollectionDraft): Effect | undefined {
  const key = addressing.onlyFieldInRequest(operation, collection)
  const isOne = key !== undefined && isRecordOf(recordEnvelope(operation.draft, collection), collection)
  return isOne ? build.one(operation, collection, 'read', { key }) : undefined
}

/**
 * `/invoice/send-to-client { id }`, `/invoice/pdf?id=`: about the invoice; `/exports/rejects` that answers with an
 * export creates it.
 */
function looseEffect(
  { addressing, build, surroundings }: Kit,
  operation: Placed,
  word: string,
  collection: CollectionDraft,
): Effect | undefined {
  const { method, success } = operation.draft
  const other = surroundings.collectionOf(findRecordShape(schemaOfResponse(success), { nouns: [], keys: [] }).schema)
  if (other !== undefined && other !== collection) return undefined
  const key = addressing.keyInRequest(operation, collection)
  if (key && method === 'GET') return build.one(operation, collection, 'read', { key })
  if (key) return build.action(operation, collection, collection.site.steps, word)
  const isMade = method === 'POST' && isRecordOf(recordEnvelope(operation.draft, collection), collection)
  return isMade && collection.idField ? build.create(operation, collection) : undefined
}

/** `/settings.getTheme` and `/settings.updateTheme`, without a record's id: one document. */
function calledDocument(
  { addressing, build }: Kit,
  operation: Placed,
  kind: VerbKind,
  site: PathSite,
  collection: CollectionDraft,
): Effect | undefined {
  const own = site.items.get('')?.operations ?? new Map<string, Placed>()
  const isRead = own.has('GET') && (own.has('PATCH') || own.has('PUT'))
  if (!isRead || site.own.size > 0 || !DOCUMENT_KINDS.has(kind)) return undefined
  const isNamed = [...own.values()].some(
    (other) => addressing.keyInRequest(other, collection) ?? addressing.onlyIdInRequest(other),
  )
  const document = { key: site.key, steps: site.steps, own, items: new Map() }
  return isNamed ? undefined : build.singleton(operation, document, DOCUMENT_KINDS.get(kind) ?? 'singletonRead')
}

const DOCUMENT_KINDS: ReadonlyMap<VerbKind, 'singletonRead' | 'singletonUpdate' | 'singletonReplace'> = new Map([
  ['read', 'singletonRead'],
  ['update', 'singletonUpdate'],
  ['replace', 'singletonReplace'],
])

/** `/delete-cert { owner, name, … }`: the body is the record, whose own fields identify it. */
function sendsWhole({ draft }: Placed, collection: CollectionDraft): boolean {
  const sent = bodyEnvelope(draft, collection)
  return sent?.shape === 'record' && sent.schema?.name !== undefined && isRecordOf(sent, collection)
}

/** The effect of a document's path. */
function documentEffect(kit: Kit, operation: Placed): Effect {
  const site = kit.catalogue.sites.get(keyOfSteps(operation.shape.steps))
  return site && isObjectSchema(schemaOfResponse(operation.draft.success))
    ? kit.build.singleton(operation, site, 'singletonRead')
    : EXAMPLE
}

/** Many records where the body is a list, else one. */
export function createIn({ build }: Kit, operation: Placed, collection: CollectionDraft): Effect {
  return bodyEnvelope(operation.draft, collection)?.shape === 'list'
    ? build.many(operation, collection, 'bulkCreate')
    : build.create(operation, collection)
}
