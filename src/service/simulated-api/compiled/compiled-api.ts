import type { ApiModel, Operation } from '../../openapi/model.ts'
import { runToEnd } from '../../world/run-to-end.ts'
import { ExactObjects } from '../presentation/exact.ts'
import { Router } from '../routing/router.ts'
import { type AuditLog, auditLogsOf } from './audit-logs.ts'
import { CompiledCollection, CompiledOperation } from './compiled-operation.ts'

/**
 * What is known of a description before any request: made once for a model, kept by the cache of models and shared by all
 * simulations of the description. It depends on the model alone, never on data, settings or requests. Each part is
 * worked out when it is first asked for, so that a large description costs what is used of it.
 *
 * What is known of one operation is a getter of {@link CompiledOperation}, what is known of one collection a getter of
 * {@link CompiledCollection}; a getter calls one plain function, which stays in the file of its idea.
 */
export class CompiledApi {
  readonly model: ApiModel
  /** What is known of the schemas that answers are shown by. */
  readonly exactObjects = new ExactObjects()
  readonly #operations = new Map<Operation, CompiledOperation>()
  readonly #collections = new Map<string, CompiledCollection>()
  #router: Router | undefined
  #shown: ReadonlySet<string> | undefined
  #auditLogs: readonly AuditLog[] | undefined

  constructor(model: ApiModel) {
    this.model = model
    for (const collection of model.collections) {
      this.#collections.set(collection.name, new CompiledCollection(collection, model))
    }
  }

  get router(): Router {
    if (this.#router === undefined) runToEnd(this.compiling())
    return this.#router as Router
  }

  /** Compiles all operations and their routes, as the first request would, in a generator that can be paused. */
  *compiling(): Generator<undefined, void> {
    if (this.#router !== undefined) return
    const router = new Router(this.model)
    for (const operation of this.model.operations) {
      router.add(this.operation(operation))
      yield
    }
    this.#router ??= router
  }

  /** Whether any operation shows the records of a collection: else clients have their keys from elsewhere, or make them up. */
  isShown(collection: string): boolean {
    this.#shown ??= new Set(
      this.model.operations.flatMap(({ effect }) =>
        effect.kind === 'list' || effect.kind === 'search' || effect.kind === 'read' ? effect.collection : [],
      ),
    )
    return this.#shown.has(collection)
  }

  /** The lists of what has happened. */
  get auditLogs(): readonly AuditLog[] {
    this.#auditLogs ??= auditLogsOf(this.model)
    return this.#auditLogs
  }

  /** One of the model's operations, compiled. */
  operation(operation: Operation): CompiledOperation {
    const known = this.#operations.get(operation)
    if (known !== undefined) return known
    const compiled = new CompiledOperation(operation, this.model, this.#collectionOf(operation))
    this.#operations.set(operation, compiled)
    return compiled
  }

  /** Throws where the model has no collection of that name. */
  collection(name: string): CompiledCollection {
    const compiled = this.#collections.get(name)
    if (compiled === undefined) throw new Error(`Failed to find collection "${name}": the model has none such.`)
    return compiled
  }

  #collectionOf({ effect }: Operation): CompiledCollection | undefined {
    return 'collection' in effect ? this.#collections.get(effect.collection) : undefined
  }
}
