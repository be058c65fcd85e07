import { foldNoun, singularName } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import { fieldsOf, isDownload, isObjectSchema, isOpenObject, isOpenSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findRecordShape, hasOwnId } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { isRecordOf, recordEnvelope } from '../collections/envelopes.ts'
import { isTopLevel, lastStatic } from '../paths/path-shape.ts'
import type { PathSite } from '../paths/sites.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Path words for the caller. */
const OWN =
  /^(me|self|myself|my|current|own|whoami|viewer|profile|account|user|verifycredentials|(current|my|own|authenticated)(user|account|profile|member))$/

const KINDS: ReadonlyMap<string, 'read' | 'update' | 'replace' | 'delete'> = new Map([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['PATCH', 'update'],
  ['POST', 'update'],
  ['PUT', 'replace'],
  ['DELETE', 'delete'],
])

/** Rules for the record of whoever asks. */
export const callerRules: readonly Rule[] = [
  {
    name: 'caller',
    example: 'GET /me, PATCH /users/me, GET /account beside /accounts',
    confidence: 'likely',
    find: (operation, survey) => {
      const { place, site, draft } = operation
      const kind = KINDS.get(draft.method)
      const collection = place === 'word' && site && kind ? callersAt(operation, survey, site) : undefined
      const param = lastStatic(operation.shape.steps)
      return collection && kind
        ? survey.build.one(operation, collection, kind, { key: { param, in: 'caller', field: undefined } })
        : undefined
    },
  },
]

/** The collection of the caller's record at a path. */
function callersAt({ around }: Case, survey: Survey, site: PathSite): CollectionDraft | undefined {
  const word = lastStatic(site.steps)
  if (!isTopLevel(site.steps)) return undefined
  const shown = site.own.get('GET') ?? site.own.get('PATCH') ?? site.own.get('PUT')
  const answer = shown && schemaOfResponse(shown.draft.success)
  if (!shown || isDownload(shown.draft.success)) return undefined
  if (answer === undefined || isOpenSchema(answer) || isOpenObject(answer)) return undefined
  const record = findRecordShape(answer, { nouns: [word, singularName(word)], keys: [] })
  if (record.shape !== 'record') return undefined
  const outer = around && !around.isRecord ? around.collection : undefined
  const isOwn = OWN.test(foldName(word))
  const people = isOwn ? survey.catalogue.collections.filter(isPeople) : []
  const found = [survey.catalogue.alike(record.schema)[0], outer, ...people].find((collection) => {
    if (!collection?.item?.operations.has('GET')) return false
    return isRecordOf(recordEnvelope(shown.draft, collection), collection)
  })
  const isOwnOne = found && singularName(word) === word && foldNoun(word) === foldNoun(found.noun)
  return isOwn || isOwnOne ? found : undefined
}

/** Whether the records of a collection are possible callers. */
const isPeople = ({ noun, site }: CollectionDraft): boolean =>
  isTopLevel(site.steps) && /^(user|account|member|person|profile)$/.test(foldNoun(noun))

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
    name: 'document-read',
    example: 'GET /tasks/{id}/settings',
    confidence: 'certain',
    // `GET /statistics`: numbers that no request changes. `GET /readings/latest`: one of the readings. `GET /quote?weight=2`.
    isGuess: ({ site, answer, around, draft }) =>
      site?.own.size === 1 &&
      answer !== undefined &&
      (draft.parameters.some(({ in: at, required }) => at === 'query' && required) ||
        (hasOwnId(answer)
          ? around?.isRecord === false && isRecordOf(recordEnvelope(draft, around.collection), around.collection)
          : [answer, ...fieldsOf(answer).values()]
              .flatMap((part) => [...fieldsOf(part).values(), part.additionalProperties])
              .flatMap((one) => (typeof one === 'object' ? [one, ...fieldsOf(one).values()] : []))
              .some(({ types }) => /number|integer/.test(types.join())))),
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
const isWritten = ({ own }: PathSite): boolean => ['PUT', 'PATCH', 'POST'].some((method) => own.has(method))
