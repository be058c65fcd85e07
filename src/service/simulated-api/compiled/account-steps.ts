import { type AccountStep, accountStepOf, takesCredentials } from '../../../names/account-step.ts'
import type { ApiModel, CollectionModel, Operation } from '../../openapi/model.ts'
import { isPublic } from '../find-key.ts'

/** The collection of those who registered with a password: quiet, as the records of a sign-in are. */
export const ACCOUNTS = 'registered_accounts'

/** Collections of people who log in. */
export const USERS = /(user|account|member|customer|employee|admin)s$/i

/** The steps of an API in which clients register with a password and log in with it; none for another API. */
export function accountSteps({ operations, signIn }: ApiModel): ReadonlyMap<Operation, AccountStep> {
  const steps = new Map<Operation, AccountStep>()
  for (const operation of signIn === undefined ? operations : []) {
    const step = accountStepOf(operation)
    // An administrator registers users, too.
    if (step === 'register' || (step !== undefined && isPublic(operation))) steps.set(operation, step)
  }
  const posts = [...steps.values()].includes('logIn') ? operations.filter(({ method }) => method === 'POST') : []
  for (const operation of posts) {
    const [schema] = operation.requestBody?.content.values() ?? []
    if (steps.has(operation) || !takesCredentials(schema) || operation.effect.kind !== 'create') continue
    if (isPublic(operation) || USERS.test(operation.effect.collection)) steps.set(operation, 'register')
  }
  return [...steps.values()].includes('register') ? steps : new Map()
}

export const accountCollection: CollectionModel = {
  name: ACCOUNTS,
  singular: 'registered_account',
  schema: undefined,
  listSchema: undefined,
  id: { field: ['id'], schema: undefined, clientChosen: true },
  alternateKeys: [],
  statusField: null,
  timestamps: { created: undefined, updated: undefined },
  parent: undefined,
  relations: [],
  linked: undefined,
  vocabulary: new Map(),
  isApart: 'quiet',
}
