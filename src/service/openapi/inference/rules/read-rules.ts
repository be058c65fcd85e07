import { singularOf } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import { isArraySchema, isDownload, isObjectSchema, isScalarSchema } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findRecordShape } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { isCountSegment } from '../paths/path-shape.ts'
import type { PathSite } from '../paths/sites.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Rules for reads of paths that end in another word: `GET /tasks/{id}/history`. */
export const readRules: readonly Rule[] = [
  {
    name: 'read-part-shows-record',
    example: 'GET /tasks/{id}/details, which answers with the task',
    confidence: 'likely',
    find: (operation, { build }) => {
      const { around, draft } = operation
      const isOne =
        isWordRead(operation) &&
        around?.isRecord === true &&
        !isDownload(draft.success) &&
        isRecordOf(recordEnvelope(draft, around.collection), around.collection)
      return isOne ? build.one(operation, around.collection, 'read') : undefined
    },
  },
  {
    name: 'exists',
    example: 'GET /users/{id}/exists',
    confidence: 'likely',
    find: (operation, { build }) => {
      const { around, word, answer } = operation
      if (!isWordRead(operation) || !around?.isRecord || !/^exists?$/.test(word) || !isObjectSchema(answer))
        return undefined
      const effect = build.one(operation, around.collection, 'read')
      return effect.kind === 'read' ? { ...effect, asks: true } : effect
    },
  },
  {
    name: 'count',
    example: 'GET /tasks/count',
    confidence: 'likely',
    find: (operation, { build }) => {
      const { around, word, answer, draft } = operation
      const isMeant =
        operation.place === 'word' && (operation.isRead || draft.method === 'POST') && isCountSegment(word)
      const isCounted = isObjectSchema(answer) || answer?.types[0] === 'integer' || answer?.types[0] === 'number'
      return isMeant && around && !around.isRecord && isCounted ? build.count(operation, around.collection) : undefined
    },
  },
  {
    name: 'keys',
    example: 'GET /tasks/ids',
    confidence: 'likely',
    find: (operation, { build }) => {
      const { around, word, answer } = operation
      const isKeys =
        /^(all_?)?(ids|keys|uuids|slugs|codes)$/i.test(word) && isArraySchema(answer) && isScalarSchema(answer?.items)
      return isWordRead(operation) && around && !around.isRecord && isKeys
        ? build.list(operation, around.collection, 'search')
        : undefined
    },
  },
  {
    name: 'selection',
    example: 'GET /projects/owned, which answers with a project',
    confidence: 'guess',
    find: (operation, survey) => {
      const found = isWordRead(operation) ? selectedAt(operation, survey) : undefined
      return found && survey.build.list(operation, found, 'search')
    },
  },
  {
    name: 'lookup-below',
    example: 'GET /links/info?external_id=',
    confidence: 'likely',
    find: (operation, { build }) => {
      const found = isWordRead(operation) ? lookedUp(operation, operation.around?.collection) : undefined
      return found && build.list(operation, found, 'search')
    },
  },
  {
    name: 'document-read',
    example: 'GET /tasks/{id}/settings',
    confidence: 'certain',
    find: (operation, { build }) => {
      const { site, answer, around, draft } = operation
      if (!site || !isWordRead(operation)) return undefined
      const isObject = answer !== undefined && (isObjectSchema(answer) || answer.types.includes('object'))
      const isKept = around?.isRecord === true || isWritten(site) || (answer === undefined && site.own.size > 1)
      return (isObject && !isDownload(draft.success)) || isKept
        ? build.singleton(operation, site, 'singletonRead')
        : undefined
    },
  },
]

const isWordRead = ({ place, isRead }: Case): boolean => place === 'word' && isRead

/** Whether clients write what is at a path. */
export const isWritten = ({ own }: PathSite): boolean => ['PUT', 'PATCH', 'POST'].some((method) => own.has(method))

/** Words that select records of a collection. */
const SOME =
  /^(all|owned|visible|public|private|starred|shared|archived|active|open|closed|pending|mine|recent|latest|newest|last|first|current|default|main|primary|random)$/i

/** `/projects/owned`, `/groups/default`, `/users/{id}/issues`: the collection whose record is the answer, by its component. */
function selectedAt(
  { draft, site, word, around, answer }: Case,
  { surroundings }: Survey,
): CollectionDraft | undefined {
  if (!site || site.own.size > 1 || site.items.size > 0 || isDownload(draft.success)) return undefined
  const found = surroundings.collectionOf(findRecordShape(answer, { nouns: [], keys: [] }).schema)
  if (!found?.idField || !isRecordOf(recordEnvelope(draft, found), found)) return undefined
  const isBelow = found.inventedKey === undefined && around?.collection === found
  return isBelow || SOME.test(word) || singularOf(word) !== word ? found : undefined
}

/** `GET /links/info?external_id=`, `GET /users/email?email=`: the record with the query's value. */
export function lookedUp({ draft }: Case, collection: CollectionDraft | undefined): CollectionDraft | undefined {
  if (!collection?.idField || !isRecordOf(recordEnvelope(draft, collection), collection)) return undefined
  const asked = draft.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => foldName(name))
  const fields = namedFields(collection.schema)
  const isField = (folded: string) => fields.named(folded).some(({ schema }) => isScalarSchema(schema))
  return asked.some((name) => !/^(fields|include|expand|format)$/.test(name) && isField(name)) ? collection : undefined
}
