import type { ApiModel, Operation } from '../../openapi/model.ts'
import { ExactObjects } from '../presentation/exact.ts'
import { Router } from '../routing/router.ts'
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

  constructor(model: ApiModel) {
    this.model = model
    for (const collection of model.collections) {
      this.#collections.set(collection.name, new CompiledCollection(collection, model))
    }
    for (const operation of model.operations) {
      this.#operations.set(operation, new CompiledOperation(operation, model, this.#collectionOf(operation)))
    }
  }

  get router(): Router {
    this.#router ??= new Router(this.model, this.#operations.values())
    return this.#router
  }

  /** Throws where the operation is not one of the model's. */
  operation(operation: Operation): CompiledOperation {
    const compiled = this.#operations.get(operation)
    if (compiled === undefined) throw new Error(`Failed to find operation "${operation.id}": the model has none such.`)
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
