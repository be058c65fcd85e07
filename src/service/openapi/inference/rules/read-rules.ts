import { fieldsOf, isDownload, isObjectSchema } from '../bodies/bodies.ts'
import { hasOwnId } from '../bodies/shapes.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import type { PathSite } from '../paths/sites.ts'
import type { Case, Rule } from './rule.ts'

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
              .flatMap((part) => [...fieldsOf(part).values()])
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
export const isWritten = ({ own }: PathSite): boolean => ['PUT', 'PATCH', 'POST'].some((method) => own.has(method))
