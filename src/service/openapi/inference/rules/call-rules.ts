import type { Effect } from '../../model.ts'
import { settingsOf } from '../actions/action-settings.ts'
import { namesSeveral } from '../actions/keys-in-request.ts'
import { isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { bodyEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { keyOfSteps, lastStatic } from '../paths/path-shape.ts'
import type { RpcCall } from '../paths/rpc.ts'
import type { VerbKind } from '../paths/verbs.ts'
import { create } from './collection-rules.ts'
import { namedEffect } from './request-rules.ts'
import type { Case, Rule, Survey } from './rule.ts'
import { makesOne } from './verb-rules.ts'

/** Rules for paths that contain the verb: `/users.list`, `/transactions/get`. */
export const callRules: readonly Rule[] = [
  {
    name: 'call-on-document',
    example: 'POST /team/create and /team/destroy beside GET /team',
    confidence: 'likely',
    find: (operation, survey) => operation.call && onDocument(operation, survey, operation.call.call),
  },
  {
    name: 'call-on-part',
    example: 'POST /keys.addRoles, where keys have roles',
    confidence: 'likely',
    find: (operation, { addressing, build }) => {
      const { call, owner } = operation.call ?? {}
      const isChange = call && /^(update|replace|create|delete)$/.test(call.kind)
      if (!isChange || !owner || !addressing.keyInRequest(operation, owner)) return undefined
      return settingsOf(call.word, owner.schema).length > 0
        ? build.action(operation, owner, owner.site.steps, call.word)
        : undefined
    },
  },
  {
    name: 'call-on-many',
    example: 'GET /users.list, POST /users.create',
    confidence: 'certain',
    find: ofCalls((operation, survey, { kind }, collection) => {
      if (kind === 'create') return create(operation, survey, collection)
      return kind === 'list' || kind === 'search' ? survey.build.list(operation, collection, kind) : undefined
    }),
  },
  {
    name: 'call-on-one',
    example: 'POST /users.update { id }',
    confidence: 'certain',
    find: ofCalls((operation, { addressing, build }, { kind }, collection) => {
      if (kind !== 'read' && kind !== 'delete' && kind !== 'update' && kind !== 'replace') return undefined
      const key = addressing.keyInRequest(operation, collection) ?? addressing.onlyIdInRequest(operation)
      return key && build.one(operation, collection, kind, { key })
    }),
  },
  {
    name: 'call-that-reads',
    example: 'GET /channels.history?channel=',
    confidence: 'guess',
    find: ofCalls((operation, survey, { kind }, collection) => {
      const { build } = survey
      if (kind !== 'read') return undefined
      if (findList(operation.answer, collection.noun)) return build.list(operation, collection, 'list')
      const named = namedEffect(operation, survey, true)
      const site = survey.catalogue.sites.get(keyOfSteps(operation.shape.steps))
      const isShown = site && isObjectSchema(operation.answer)
      return named ?? (isShown ? build.singleton(operation, site, 'singletonRead') : { kind: 'example' })
    }),
  },
  {
    name: 'call-with-records',
    example: 'POST /certificates/delete { owner, name }, where the body is the record',
    confidence: 'likely',
    find: ofCalls((operation, { build }, { kind, word }, collection) => {
      const isWhole = sendsRecord(operation, collection)
      if (kind === 'delete')
        return isWhole || namesSeveral(operation.draft, collection)
          ? build.many(operation, collection, 'bulkDelete')
          : undefined
      const isUpdate = kind === 'update' || kind === 'replace'
      return isUpdate && (isWhole || /^upsert/i.test(word))
        ? build.many(operation, collection, 'bulkUpdate')
        : undefined
    }),
  },
  {
    name: 'call-that-creates',
    example: 'POST /messages.send, which answers with a message',
    confidence: 'likely',
    find: ofCalls((operation, survey, { kind, word }, collection) =>
      kind === 'action' && makesOne(operation, survey, collection, word)
        ? survey.build.create(operation, collection)
        : undefined,
    ),
  },
  {
    name: 'call-that-acts',
    example: 'POST /channels.archive { channel }',
    confidence: 'likely',
    find: ofCalls((operation, { build }, { word }, collection) =>
      build.action(operation, collection, collection.site.steps, word),
    ),
  },
]

function ofCalls(
  find: (operation: Case, survey: Survey, call: RpcCall, collection: CollectionDraft) => Effect | undefined,
): Rule['find'] {
  return (operation, survey) => {
    const { call, collection } = operation.call ?? {}
    return call && collection ? find(operation, survey, call, collection) : undefined
  }
}

const DOCUMENT_KINDS: ReadonlyMap<VerbKind, 'singletonUpdate' | 'singletonReplace' | 'singletonDelete'> = new Map([
  ['create', 'singletonUpdate'],
  ['update', 'singletonUpdate'],
  ['replace', 'singletonReplace'],
  ['delete', 'singletonDelete'],
])

function onDocument(
  operation: Case,
  { addressing, build, catalogue }: Survey,
  { kind, site }: RpcCall,
): Effect | undefined {
  const own = catalogue.sites.get(keyOfSteps(site.steps))
  const get = own?.own.get('GET')
  const effect = DOCUMENT_KINDS.get(kind)
  if (!own || !get || !effect || catalogue.shownAt(own.steps) || own.items.size > 0 || site.own.has('GET'))
    return undefined
  const shown = schemaOfResponse(get.draft.success)
  const isDocument = isObjectSchema(shown) && !findList(shown, lastStatic(own.steps))
  return isDocument && !addressing.onlyIdInRequest(operation) ? build.singleton(operation, own, effect) : undefined
}

/** Whether the body is a record, whose own fields identify it. */
function sendsRecord({ draft }: Case, collection: CollectionDraft): boolean {
  const sent = bodyEnvelope(draft, collection)
  return sent?.shape === 'record' && sent.schema?.name !== undefined && isRecordOf(sent, collection)
}
