import { fieldsOf } from '../bodies/bodies.ts'
import { lastStatic } from '../paths/path-shape.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Rules for operations wherever their path leads. */
export const generalRules: readonly Rule[] = [
  {
    name: 'token-endpoint',
    example: 'POST /oauth/token',
    confidence: 'declared',
    find: (operation, survey) => (isTokenEndpoint(operation, survey) ? { kind: 'token' } : undefined),
  },
  {
    name: 'part-answers-with-record',
    example: 'POST /carts/{id}/items, which answers with the cart',
    confidence: 'likely',
    find: (operation, { build, surroundings }) => {
      const parent = operation.place === 'verb' ? undefined : surroundings.shownParent(operation)
      return parent && build.action(operation, parent.collection, parent.steps, lastStatic(operation.shape.steps))
    },
  },
]

function isTokenEndpoint({ draft, answer }: Case, { tokenPaths }: Survey): boolean {
  if (draft.method !== 'POST') return false
  const fields = fieldsOf(answer)
  if (!fields.has('access_token') && fields.size > 0) return false
  const path = draft.path.replace(/\/$/, '')
  if (path !== '' && tokenPaths.some((tokenPath) => tokenPath.endsWith(path))) return true
  return fields.has('access_token') && /oauth2?\/(v\d+\/)?(access_)?token$/.test(path)
}
