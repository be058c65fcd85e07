import { wordsOf } from '../../../../names/words.ts'
import type { Effect } from '../../model.ts'
import { namesGiven, settingsOf } from '../actions/action-settings.ts'
import { namesSeveral } from '../actions/keys-in-request.ts'
import { verbInBody } from '../actions/verb-in-body.ts'
import { countShared, fieldsOf, isDownload, isObjectSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { type CollectionDraft, isSetting } from '../collections/collection-draft.ts'
import { bodyEnvelope, recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { isBulkSegment, isSearchSegment, lastStatic } from '../paths/path-shape.ts'
import { type PathSite, shownAt } from '../paths/sites.ts'
import { isVerbSegment, kindOfVerb, verbOf } from '../paths/verbs.ts'
import { create, sendsList } from './collection-rules.ts'
import { documentAction, stateAction } from './document-actions.ts'
import type { Around } from './path-surroundings.ts'
import { isWritten } from './read-rules.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Rules for paths that search the collection before their last word: `/tasks/search`. */
export const searchRules: readonly Rule[] = [
  {
    name: 'search',
    example: 'POST /tasks/search',
    confidence: 'certain',
    find: (operation, { build, surroundings }) => {
      const { place, word, draft, answer, around } = operation
      const isMeant = (place === 'word' || place === 'below') && (isSearchSegment(word) || draft.method === 'QUERY')
      if (!isMeant || (place === 'word' && !/^(GET|HEAD|POST|QUERY)$/.test(draft.method))) return undefined
      const found = surroundings.collectionOf(findList(answer, word)?.item) ?? around?.collection
      return found && build.list(operation, found, 'search')
    },
  },
]

/** Rules for verbs after a record or a collection: `POST /tasks/{id}/close`, `POST /tasks:close`. */
export const verbRules: readonly Rule[] = [
  {
    name: 'bulk',
    example: 'POST /contacts/batch',
    confidence: 'likely',
    find: (operation, survey) => {
      const isMeant = operation.place === 'word' && !operation.isRead
      const target = isMeant ? bulkTarget(operation, survey) : undefined
      return target && bulkEffect(operation, survey, target)
    },
  },
  {
    name: 'document-action',
    example: 'POST /recordings/start beside GET /recordings/status',
    confidence: 'likely',
    find: ofVerbs((operation, survey, around) =>
      around?.isRecord && around.steps.length === operation.outer.length
        ? undefined
        : documentAction(survey, operation, operation.outer, operation.word),
    ),
  },
  {
    name: 'clear',
    example: 'POST /tasks/clear',
    confidence: 'likely',
    find: ofVerbs((operation, { build }, around) => {
      const isClearing = kindOf(operation) === 'delete' || /^(reset|empty|prune|flush|wipe)$/.test(operation.word)
      return around && !around.isRecord && isClearing
        ? build.many(operation, around.collection, 'bulkDelete')
        : undefined
    }),
  },
  {
    name: 'verb-that-creates',
    example: 'POST /messages/send, which answers with a message',
    confidence: 'likely',
    find: ofVerbs((operation, survey, around) =>
      around && !around.isRecord && makesOne(operation, survey, around.collection, operation.word)
        ? create(operation, survey, around.collection)
        : undefined,
    ),
  },
  {
    name: 'item-verb',
    example: 'POST /tasks/{id}/delete, POST /tasks/{id}/update',
    confidence: 'certain',
    find: ofVerbs((operation, { build }, around) => {
      const { draft, word, outer } = operation
      const kind = kindOf(operation)
      const isOwn = around?.isRecord && around.steps.length === outer.length && draft.method !== 'GET'
      if (!isOwn || wordsOf(word).length > 1 || (kind !== 'delete' && kind !== 'update')) return undefined
      // `POST /groups/{id}/remove { feed_key }` removes a feed from the group.
      const given = namesGiven(draft)
      const isPart = given.length > 0 && settingsOf(word, around.collection.schema, { given }).length > 0
      return isPart ? undefined : build.one(operation, around.collection, kind)
    }),
  },
  {
    name: 'state-document',
    example: 'POST /apps/{id}/stop beside GET /apps/{id}/status',
    confidence: 'likely',
    find: ofVerbs((operation, survey, around) => {
      if (!around?.isRecord) return undefined
      const acted = survey.build.action(operation, around.collection, around.steps, operation.word)
      return stateAction(survey, operation, operation.outer, acted)
    }),
  },
  {
    name: 'action',
    example: 'POST /tasks/{id}/close',
    confidence: 'certain',
    find: ofVerbs((operation, { build }, around) =>
      around?.isRecord ? build.action(operation, around.collection, around.steps, operation.word) : undefined,
    ),
  },
  {
    name: 'collection-action',
    example: 'POST /tasks/reorder',
    confidence: 'guess',
    find: ofVerbs((operation, { build }, around) =>
      around ? build.action(operation, around.collection, around.steps, operation.word) : undefined,
    ),
  },
]

function ofVerbs(
  find: (operation: Case, survey: Survey, around: Around | undefined) => Effect | undefined,
): Rule['find'] {
  return (operation, survey) =>
    hasVerb(operation)
      ? find(operation, survey, operation.around ?? survey.surroundings.enclosing(operation.outer))
      : undefined
}

/** Whether the last word of a path is a verb, or is followed by a key: `/tasks/{id}/move/{target}`. */
export function hasVerb(operation: Case): boolean {
  const { place, site, word, isRead } = operation
  if (place === 'verb' || place === 'below') return true
  if (place !== 'word' || !site || isRead) return false
  const isVerb = isVerbSegment(word) || (kindOfVerb(word.toLowerCase()) !== undefined && !isDocument(site))
  return isVerb && !isSentAndShown(operation, site)
}

const kindOf = ({ word }: Case) => kindOfVerb(wordsOf(word)[0] ?? '')

/** Whether a path shows most of what is sent to it: then it is a document, whatever verb its last word is. */
function isSentAndShown({ draft }: Case, site: PathSite): boolean {
  const answer = shownAt(site)
  const sent = schemaOfBody(draft.requestBody)
  const { size } = fieldsOf(sent)
  return isObjectSchema(answer) && size > 1 && countShared(sent, answer) >= size * 0.6
}

/** Whether a path that is not a collection has one document, which its operations read or write. */
export function isDocument(site: PathSite): boolean {
  const get = site.own.get('GET')
  if (!get) return site.own.has('PUT') || site.own.has('PATCH')
  if (isDownload(get.draft.success)) return isWritten(site)
  const list = findList(schemaOfResponse(get.draft.success), lastStatic(site.steps))
  return !list || (list.path.length === 0 && (!isObjectSchema(list.item) || isSetting(site, list.item)))
}

/** Verbs that create a record, where the answer shows it. */
const MAKES =
  /^(send|submit|schedule|initiate|start|request|invite|purchase|buy|issue|enqueue|launch|trigger|run|execute)/i

/** `POST /requests/send` that answers with a request and identifies none, or `POST /users/createWithList [{...}]`. */
export function makesOne(
  operation: Case,
  { addressing, catalogue }: Survey,
  collection: CollectionDraft,
  verb: string,
): boolean {
  const { draft } = operation
  if (draft.method !== 'POST' || draft.requestBody === undefined) return false
  const isCreation = kindOfVerb(wordsOf(verb)[0] ?? '') === 'create'
  if (isCreation && sendsList(operation, collection)) return true
  const shown = recordEnvelope(draft, collection)
  const isShown = shown.shape === 'record' && isRecordOf(shown, collection)
  if (isCreation && (isShown || countShared(bodyEnvelope(draft, collection)?.schema, collection.schema) > 0))
    return true
  if (!MAKES.test(verb) || !collection.idField || !catalogue.isReadable(collection) || namesSeveral(draft, collection))
    return false
  return isShown && !addressing.keyInRequest(operation, collection)
}

/** `/contacts/batch`, `/catalog/batch-delete`: the collection that a bulk operation changes. */
function bulkTarget({ draft, site, answer }: Case, { catalogue, surroundings }: Survey): CollectionDraft | undefined {
  const steps = site?.steps ?? []
  for (const back of [1, 2]) {
    const step = steps.at(-back)
    if (step?.kind !== 'static' || !isBulkSegment(step.text)) continue
    const outer = steps.slice(0, -back)
    const word = outer.at(-1)
    // `/executions/kill/by-ids`.
    const isAfterVerb = back === 1 && word?.kind === 'static' && isVerbSegment(word.text)
    const around = surroundings.around(outer) ?? (isAfterVerb ? surroundings.around(outer.slice(0, -1)) : undefined)
    if (around?.isRecord) continue
    if (around) return around.collection
    const shown = findList(answer, lastStatic(outer))?.item
    const sent = findList(schemaOfBody(draft.requestBody), lastStatic(outer))?.item
    const found = surroundings.collectionOf(shown) ?? surroundings.collectionOf(sent) ?? catalogue.onlyOneBelow(outer)
    if (found) return found
  }
  return undefined
}

function bulkEffect(operation: Case, { build }: Survey, collection: CollectionDraft): Effect {
  const { draft, shape } = operation
  const verb = verbOf(draft)?.kind
  const words = shape.steps.slice(-2).flatMap((step) => (step.kind === 'static' ? wordsOf(step.text) : []))
  const has = (...any: string[]) => words.some((word) => any.includes(word))
  if (draft.method === 'DELETE' || verb === 'delete' || has('delete', 'remove', 'archive')) {
    return build.many(operation, collection, 'bulkDelete')
  }
  if (verb === 'read' || verb === 'list' || verb === 'search' || has('get', 'read', 'fetch', 'retrieve', 'query')) {
    return build.list(operation, collection, 'search')
  }
  const isUpdate = draft.method !== 'POST' || verb === 'update' || has('update', 'patch')
  const isNamed = namesSeveral(draft, collection)
  // `/users/bulkActivate { ids }` applies `/users/{id}/activate`; the body of `/users/bulk { action, ids }` has the verb.
  const inBody =
    draft.method === 'POST' && isNamed && verbInBody(draft, collection) ? lastStatic(shape.steps) : undefined
  const inPath = isUpdate ? undefined : words.find((word) => kindOfVerb(word) === 'action' && !isBulkSegment(word))
  const act = inBody ?? (isNamed || !sendsList(operation, collection) ? inPath : undefined)
  if (act !== undefined) return build.action(operation, collection, collection.site.steps, act)
  return build.many(operation, collection, isUpdate ? 'bulkUpdate' : 'bulkCreate')
}
