import { isVerbSegment, kindOfVerb, verbOf } from '../../../../names/verbs.ts'
import { wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import type { Effect } from '../../model.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import type { SettingFinder } from '../actions/setting-rules.ts'
import { statusLedTo, verbInBody } from '../actions/status.ts'
import { fieldsOf, isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList, findRecordShape } from '../bodies/shapes.ts'
import { namesSeveral } from '../collections/addressing.ts'
import type { Around } from '../collections/catalogue.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { findStatusField } from '../collections/record-fields.ts'
import { ofItems } from '../effects/effect-builder.ts'
import { isBulkSegment, keyOfSteps, lastStatic, type Step } from '../paths/path-shape.ts'
import { isSearchSite, type PathSite, shownAt } from '../paths/sites.ts'
import { sendsList } from './record-rules.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Rules for paths that search the collection before their last word: `/tasks/search`. */
export const searchRules: readonly Rule[] = [
  {
    name: 'search',
    example: 'POST /tasks/search',
    confidence: 'certain',
    // `GET /accounts/search/{text}`
    isGuess: (_, __, effect) => 'scope' in effect && effect.scope.some((one) => !one.collection && !one.field),
    find: (operation, { build, catalogue }) => {
      const { place, site, collection, word, draft, answer, around } = operation
      const isSearch = draft.method === 'QUERY' || (site !== undefined && isSearchSite(site))
      if (!isSearch || place === 'item' || !/^(GET|HEAD|POST|QUERY)$/.test(draft.method)) return undefined
      const found = collection ?? catalogue.alike(findList(answer, word)?.item)[0] ?? around?.collection
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
    // `POST /units/bulk { prefix, count }`, `POST /tasks/bulk { task_ids, values }`
    isGuess: (_, __, effect) =>
      (effect.kind === 'bulkCreate' || effect.kind === 'bulkUpdate') &&
      effect.body?.shape === 'record' &&
      fieldsOf(effect.body.schema).size > 0,
    find: (operation, survey) => {
      const isBulk = operation.place === 'word' && !operation.isRead
      const target = isBulk ? bulkTarget(operation, survey) : undefined
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
        : documentAction(survey, operation),
    ),
  },
  {
    name: 'action',
    example: 'POST /tasks/{id}/close, POST /tasks/{id}/delete',
    confidence: 'certain',
    find: ofVerbs((operation, { build }, around) => {
      if (!around?.isRecord) return undefined
      const { draft, word, outer } = operation
      const isOwn = around.steps.length === outer.length && draft.method !== 'GET' && wordsOf(word).length === 1
      const kind = kindOfVerb(wordsOf(word)[0] ?? '')
      return isOwn && (kind === 'delete' || kind === 'update')
        ? build.one(operation, around.collection, kind)
        : build.action(operation, around.collection, around.steps, word)
    }),
  },
  {
    name: 'collection-action',
    example: 'POST /tasks/reorder',
    confidence: 'guess',
    find: ofVerbs((operation, { build }, around) =>
      around && !around.isRecord ? build.action(operation, around.collection, around.steps, operation.word) : undefined,
    ),
  },
]

function ofVerbs(
  find: (operation: Case, survey: Survey, around: Around | undefined) => Effect | undefined,
): Rule['find'] {
  return (operation, survey) =>
    hasVerb(operation)
      ? find(operation, survey, operation.around ?? survey.catalogue.enclosing(operation.outer))
      : undefined
}

/** Whether the last word of a path is a verb, or is followed by a key: `/tasks/{id}/move/{target}`. */
export function hasVerb(operation: Case): boolean {
  const { place, site, word, isRead } = operation
  if (place === 'verb' || place === 'below') return true
  if (place !== 'word' || !site || isRead) return false
  return isVerbSegment(word) || (kindOfVerb(word.toLowerCase()) !== undefined && !isDocument(site))
}

/** Whether a path that is not a collection has one document, which its operations read or write. */
export function isDocument(site: PathSite): boolean {
  const get = site.own.get('GET')
  if (!get) return site.own.has('PUT') || site.own.has('PATCH')
  const list = findList(schemaOfResponse(get.draft.success), lastStatic(site.steps))
  return !list || (list.path.length === 0 && !isObjectSchema(list.item))
}

/** `/contacts/batch`, `/catalog/batch-delete`: the collection that a bulk operation changes. */
function bulkTarget(operation: Case, { catalogue }: Survey): CollectionDraft | undefined {
  const { site, around: above, word } = operation
  // `/users/createWithList [{ name }, { name }]`.
  const isCreation = kindOfVerb(wordsOf(word)[0] ?? '') === 'create'
  if (isCreation && above && !above.isRecord && sendsList(operation, above.collection)) return above.collection
  const steps = site?.steps ?? []
  for (const back of [1, 2]) {
    const step = steps.at(-back)
    if (step?.kind !== 'static' || !isBulkSegment(step.text)) continue
    const around = catalogue.around(steps.slice(0, -back))
    if (around && !around.isRecord) return around.collection
  }
  return undefined
}

function bulkEffect(operation: Case, { build, settings }: Survey, collection: CollectionDraft): Effect {
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
  const isInBody = draft.method === 'POST' && isNamed && verbInBody(draft, collection, settings) !== undefined
  const inPath = isUpdate ? undefined : words.find((word) => kindOfVerb(word) === 'action' && !isBulkSegment(word))
  const act = isInBody ? lastStatic(shape.steps) : isNamed || !sendsList(operation, collection) ? inPath : undefined
  if (act !== undefined) return build.action(operation, collection, collection.site.steps, act)
  return build.many(operation, collection, isUpdate ? 'bulkUpdate' : 'bulkCreate')
}

/** `POST /recordings/start` next to `GET /recordings/status`, `PUT /maintenance/enable` next to `GET /maintenance`. */
export function documentAction({ build, catalogue, settings }: Survey, operation: Case): Effect | undefined {
  const { draft, shape, outer, isRead, word } = operation
  if (isRead) return undefined
  for (const text of ['', 'status', 'state', 'settings', 'config']) {
    const steps: readonly Step[] = text === '' ? outer : [...outer, { kind: 'static', text }]
    const site = steps.length > 0 ? catalogue.sites.get(keyOfSteps(steps)) : undefined
    const schema = site && !catalogue.shownAt(steps) ? documentOf(site) : undefined
    const verb = draft.method === 'DELETE' ? `un${word}` : word
    const sets = (schema ? settingsOn(schema, verb, settings) : []).map((one) =>
      ofItems(one, schemaBelow(schema, one.field), { method: draft.method, inPath: shape.trailing }),
    )
    if (site && sets.length > 0) return { ...build.singleton(operation, site, 'singletonUpdate'), sets } as Effect
  }
  return undefined
}

function documentOf(site: PathSite): Schema | undefined {
  const { shape, schema } = findRecordShape(shownAt(site), { nouns: [], keys: [] })
  return shape === 'record' && isObjectSchema(schema) ? schema : undefined
}

function settingsOn(schema: Schema, verb: string, settings: SettingFinder): readonly ActionSetting[] {
  const field = findStatusField(schema)
  const value = statusLedTo(verb, schema)
  const status = field && value !== undefined ? [{ field, to: { value } }] : []
  return [...status, ...settings.settingsOf(verb, schema)]
}
