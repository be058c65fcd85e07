import { verbOf } from '../../../../names/verbs.ts'
import type { Effect } from '../../model.ts'
import { isArraySchema } from '../bodies/bodies.ts'
import type { PathSite } from '../paths/sites.ts'
import type { Case, Rule, Survey } from './rule.ts'
import { hasVerb, isDocument } from './verb-rules.ts'

/** Rules for writes to paths that end in a word that is no verb: `PUT /tasks/{id}/position`. */
export const writeRules: readonly Rule[] = [
  {
    name: 'part-of-record',
    example: 'PUT /cards/{id}/pos',
    confidence: 'likely',
    find: ofWrites(/./, (operation, { build, settings }, site) => {
      const { around, draft, word, answer } = operation
      if (!around?.isRecord || site.own.has('GET')) return undefined
      // `DELETE /albums/{id}/assets { ids }` takes these away; `DELETE /domains/{id}/auto_renewal` reverses the PUT.
      const isOfSeveral = draft.requestBody !== undefined && isArraySchema(answer)
      const isUndoing = (): boolean =>
        site.own.size > 1 && settings.settingsOf(`un${word}`, around.collection.schema).length > 0
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
