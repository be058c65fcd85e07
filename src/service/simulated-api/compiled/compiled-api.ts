import { type AccountStep, accountStepOf, takesCredentials } from '../../../names/account-step.ts'
import type { ApiModel, CollectionModel, Operation } from '../../openapi/model.ts'
import { type AuditLog, auditLogsOf } from '../facts/audit-logs.ts'
import { type Counter, findCounters } from '../facts/upkeep.ts'
import { isPublic } from '../find-key.ts'
import { CompiledCollection, CompiledOperation } from './compiled-operation.ts'
import { Router } from './router.ts'

/**
 * Facts about a description before any request: made once for a model, kept by the cache of models and shared by all
 * simulations of the description. They depend only on the model, never on data, settings or requests. Each is computed
 * at first use, so that a large description costs only its used parts.
 *
 * Facts about an operation are getters of {@link CompiledOperation}, those about a collection getters of {@link
 * CompiledCollection}; a getter calls one plain function in another file.
 */
export class CompiledApi {
  /** With the collections of its sign-in or of its accounts. */
  readonly model: ApiModel
  /** What operations do with accounts that clients register. */
  readonly accountSteps: ReadonlyMap<Operation, AccountStep>
  readonly #operations = new Map<Operation, CompiledOperation>()
  readonly #collections = new Map<string, CompiledCollection>()
  readonly #counters = new Map<string, readonly Counter[]>()
  #router: Router | undefined
  #shown: ReadonlySet<string> | undefined
  #auditLogs: readonly AuditLog[] | undefined

  constructor(model: ApiModel) {
    this.accountSteps = accountSteps(model)
    const apart = this.accountSteps.size > 0 ? [accountCollection] : (model.signIn?.collections ?? [])
    this.model = { ...model, collections: [...model.collections, ...apart] }
    for (const collection of this.model.collections) {
      this.#collections.set(collection.name, new CompiledCollection(collection, this.model))
    }
  }

  get router(): Router {
    this.#router ??= new Router(this.model, (operation) => this.operation(operation))
    return this.#router
  }

  /** Whether any operation shows the records of a collection: otherwise clients get their keys elsewhere, or invent them. */
  isShown(collection: string): boolean {
    this.#shown ??= new Set(
      this.model.operations.flatMap(({ effect }) =>
        effect.kind === 'list' || effect.kind === 'search' || effect.kind === 'read' ? effect.collection : [],
      ),
    )
    return this.#shown.has(collection)
  }

  get auditLogs(): readonly AuditLog[] {
    this.#auditLogs ??= auditLogsOf(this.model)
    return this.#auditLogs
  }

  /** The fields of other records that count those of a collection. */
  countersOf(name: string): readonly Counter[] {
    const known =
      this.#counters.get(name) ?? findCounters(this.collection(name).model, (other) => this.collection(other))
    this.#counters.set(name, known)
    return known
  }

  /** One of the model's operations, compiled. */
  operation(operation: Operation): CompiledOperation {
    const known = this.#operations.get(operation)
    if (known !== undefined) return known
    const compiled = new CompiledOperation(operation, this.model, () => this.#collectionOf(operation))
    this.#operations.set(operation, compiled)
    return compiled
  }

  /** Throws for an unknown collection. */
  collection(name: string): CompiledCollection {
    const compiled = this.#collections.get(name)
    if (compiled === undefined) throw new Error(`Failed to find collection "${name}": the model has none such.`)
    return compiled
  }

  #collectionOf({ effect }: Operation): CompiledCollection | undefined {
    return 'collection' in effect ? this.#collections.get(effect.collection) : undefined
  }
}

/** The collection of those who registered with a password: quiet, as the records of a sign-in are. */
export const ACCOUNTS = 'registered_accounts'

/** Collections of people who log in: `users`, `user` of `/user/{userId}`. */
export const USERS = /(user|account|member|customer|employee|admin)s?$/i

/** The steps of an API in which clients register with a password and log in with it; none for another API. */
function accountSteps({ operations, signIn }: ApiModel): ReadonlyMap<Operation, AccountStep> {
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

const accountCollection: CollectionModel = {
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
