import { foldName } from '../../../../names/words.ts'
import { fieldsOf, schemaOfBody } from '../bodies/bodies.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { lastStatic } from '../paths/path-shape.ts'
import { isPeople } from './caller-rules.ts'
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
  {
    name: 'registration',
    example: 'POST /register { email, password } beside /users',
    confidence: 'likely',
    find: (operation, survey) => {
      const isMeant = operation.draft.method === 'POST' && REGISTERS.test(foldName(lastStatic(operation.shape.steps)))
      const people = isMeant && operation.place !== 'verb' ? registeredPeople(operation, survey) : undefined
      return people && survey.build.create(operation, people)
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

const REGISTERS = /^(register|signup|registration|registrations|createaccount)$/
const NAMES_OF_PEOPLE = ['email', 'username', 'login', 'uid', 'phone', 'name']

function registeredPeople({ draft }: Case, { catalogue }: Survey): CollectionDraft | undefined {
  const sent = fieldsOf(schemaOfBody(draft.requestBody))
  return catalogue.collections.find(
    (collection) =>
      collection.idField &&
      catalogue.isReadable(collection) &&
      isPeople(collection) &&
      NAMES_OF_PEOPLE.some((name) => sent.has(name) && fieldsOf(collection.schema).has(name)),
  )
}
