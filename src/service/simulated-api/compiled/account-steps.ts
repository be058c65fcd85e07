import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, CollectionModel, Operation } from '../../openapi/model.ts'
import { isPublic } from '../find-key.ts'

/** The collection of those who registered with a password: quiet, as the records of a sign-in are. */
export const ACCOUNTS = 'registered_accounts'

export const NAME = /^(e_?mail(_?address)?|user_?name|login|phone(_?number)?)$/i
export const PASSWORD = /^(password|passwd|pwd)$/i
const LOGIN = /(log-?_?in|sign-?_?in|sessions?|auth|authenticate|tokens?)\/?$/i
const REFRESH = /refresh(-?_?tokens?)?\/?$/i
export const REFRESH_TOKEN = /^(refresh(_?token)?|token)$/i
const REGISTRATION = /(register|registration|sign-?_?up)\/?$/i

/** What an operation does with a name and a password that it takes without a key. */
export type AccountStep = 'register' | 'logIn' | 'refresh'

/** The steps of an API in which clients register with a password and log in with it; none for another API. */
export function accountSteps({ operations, signIn }: ApiModel): ReadonlyMap<Operation, AccountStep> {
  const steps = new Map<Operation, AccountStep>()
  for (const operation of signIn === undefined ? operations : []) {
    const { method, path } = operation
    // First what needs no effect: those of a large entry are read one by one.
    if (method !== 'POST' || !isPublic(operation)) continue
    const isKnown = [REGISTRATION, LOGIN, REFRESH].some((form) => form.test(path))
    if (!isKnown && operation.effect.kind !== 'create') continue
    const [schema] = operation.requestBody?.content.values() ?? []
    if (schema && hasCredentials(schema)) steps.set(operation, LOGIN.test(path) ? 'logIn' : 'register')
    else if (REFRESH.test(path) && [...(schema?.properties.keys() ?? [])].some((name) => REFRESH_TOKEN.test(name)))
      steps.set(operation, 'refresh')
  }
  const kinds = new Set(steps.values())
  return kinds.has('logIn') && kinds.has('register') ? steps : new Map()
}

const hasCredentials = (schema: Schema): boolean =>
  [schema, ...schema.properties.values()].some(({ properties }) =>
    [PASSWORD, NAME].every((wanted) => [...properties.keys()].some((name) => wanted.test(name))),
  )

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
