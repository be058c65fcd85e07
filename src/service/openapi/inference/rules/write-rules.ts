import { isSameNoun } from '../../../../names/nouns.ts'
import type { Effect } from '../../model.ts'
import { settingsOf } from '../actions/action-settings.ts'
import { namesSeveral } from '../actions/keys-in-request.ts'
import { isArraySchema, schemaOfBody } from '../bodies/bodies.ts'
import { findRecordShape } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import type { PathSite } from '../paths/sites.ts'
import { verbOf } from '../paths/verbs.ts'
import { documentAction } from './document-actions.ts'
import type { Case, Rule, Survey } from './rule.ts'
import { hasVerb, isDocument } from './verb-rules.ts'

/** Rules for writes to paths that end in a word that is no verb: `PUT /tasks/{id}/position`. */
export const writeRules: readonly Rule[] = [
  {
    name: 'part-update-shows-record',
    example: 'PUT /pods/{name}/status, which answers with the pod',
    confidence: 'likely',
    find: ofWrites(/^(PUT|PATCH)$/, (operation, { build }) => {
      const { around, draft } = operation
      return around?.isRecord && isRecordOf(recordEnvelope(draft, around.collection), around.collection)
        ? build.one(operation, around.collection, 'update')
        : undefined
    }),
  },
  {
    name: 'several-in-body',
    example: 'PUT /movies/editor { movieIds }',
    confidence: 'likely',
    find: ofWrites(/^(PUT|PATCH|DELETE|POST)$/, (operation, { build }, site) => {
      const { around, draft } = operation
      const isMeant = draft.method !== 'POST' || verbOf(draft)?.kind === 'delete'
      const isSeveral =
        isMeant && around && !around.isRecord && !site.own.has('GET') && namesSeveral(draft, around.collection)
      const kind = draft.method === 'PUT' || draft.method === 'PATCH' ? 'bulkUpdate' : 'bulkDelete'
      return isSeveral ? build.many(operation, around.collection, kind) : undefined
    }),
  },
  {
    name: 'create-elsewhere',
    example: 'POST /push/bills { Bill } beside /data/bills',
    confidence: 'guess',
    find: ofWrites(/^POST$/, (operation, survey, site) => {
      const made = site.own.has('GET') ? undefined : madeElsewhere(operation, survey, site)
      return made && survey.build.create(operation, made)
    }),
  },
  {
    name: 'part-of-record',
    example: 'PUT /cards/{id}/pos',
    confidence: 'likely',
    find: ofWrites(/./, (operation, { build }, site) => {
      const { around, draft, word, answer } = operation
      if (!around?.isRecord || site.own.has('GET')) return undefined
      // `DELETE /albums/{id}/assets { ids }` takes these away; `DELETE /domains/{id}/auto_renewal` reverses the PUT.
      const isOfSeveral = draft.requestBody !== undefined && isArraySchema(answer)
      const isUndoing = (): boolean => site.own.size > 1 && settingsOf(`un${word}`, around.collection.schema).length > 0
      const isMeant = draft.method !== 'DELETE' || isOfSeveral || isUndoing()
      return isMeant ? build.action(operation, around.collection, around.steps, word) : undefined
    }),
  },
  {
    name: 'document-write',
    example: 'PUT /tasks/{id}/settings',
    confidence: 'certain',
    find: ofWrites(/^(PUT|PATCH|DELETE|POST)$/, (operation, { build }, site) => {
      const { draft, around } = operation
      const { method } = draft
      const isWhole = isDocument(site)
      const isPut = method === 'PUT' || method === 'PATCH'
      const isPost = method === 'POST' && verbOf(draft)?.kind !== 'action'
      if (!(isWhole && (isPost || method === 'DELETE')) && !(isPut && (isWhole || !around))) return undefined
      const kind = method === 'PUT' ? 'singletonReplace' : method === 'DELETE' ? 'singletonDelete' : 'singletonUpdate'
      return build.singleton(operation, site, kind)
    }),
  },
  {
    name: 'document-action-by-noun',
    example: 'POST /telemetry/subscription beside GET /telemetry',
    confidence: 'guess',
    find: ofWrites(/./, (operation, survey) =>
      operation.around ? undefined : documentAction(survey, operation, operation.outer, operation.word),
    ),
  },
  {
    name: 'update-shown',
    example: 'POST /login?flow=, called updateLoginFlow',
    confidence: 'likely',
    find: ofWrites(/./, (operation, { addressing, build, surroundings }) => {
      const { draft, around, answer } = operation
      const collection = around
        ? undefined
        : surroundings.collectionOf(findRecordShape(answer, { nouns: [], keys: [] }).schema)
      const isMeant = collection && verbOf(draft)?.kind === 'update' && addressing.keyInRequest(operation, collection)
      return isMeant ? build.one(operation, collection, 'update') : undefined
    }),
  },
  {
    name: 'delete-words',
    example: 'DELETE /tasks/finished',
    confidence: 'guess',
    find: ofWrites(/^DELETE$/, (operation, { build }) =>
      operation.around && !operation.around.isRecord
        ? build.many(operation, operation.around.collection, 'bulkDelete')
        : undefined,
    ),
  },
  {
    name: 'action-by-noun',
    example: 'POST /tasks/archive-job',
    confidence: 'guess',
    find: ofWrites(/./, (operation, { build }) => {
      const { around, word } = operation
      return around && build.action(operation, around.collection, around.steps, word)
    }),
  },
]

function ofWrites(
  methods: RegExp,
  find: (operation: Case, survey: Survey, site: PathSite) => Effect | undefined,
): Rule['find'] {
  return (operation, survey) => {
    const { place, site, isRead, draft } = operation
    const isWrite = place === 'word' && !isRead && methods.test(draft.method) && !hasVerb(operation)
    return isWrite && site ? find(operation, survey, site) : undefined
  }
}

/** `POST /push/bills { Bill }` next to `/data/bills`: creates records that other paths read. */
function madeElsewhere(
  { draft, word }: Case,
  { catalogue, surroundings }: Survey,
  site: PathSite,
): CollectionDraft | undefined {
  const sent = findRecordShape(schemaOfBody(draft.requestBody), { nouns: [], keys: [] })
  const found = sent.shape === 'record' ? surroundings.collectionOf(sent.schema) : undefined
  const isMeant = found && isSameNoun(word, found.noun) && found.site.key !== site.key
  return isMeant && catalogue.isReadable(found) ? found : undefined
}
