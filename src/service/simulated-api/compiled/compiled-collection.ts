import type { CollectionModel } from '../../openapi/model.ts'
import { type FilterFields, findFilterFields } from '../listing/list-parameters.ts'

/** One collection and what is known of it before any request. */
export class CompiledCollection {
  readonly model: CollectionModel
  #filterFields: FilterFields | undefined

  constructor(model: CollectionModel) {
    this.model = model
  }

  /** The fields that parameters of lists may name. */
  get filterFields(): FilterFields {
    this.#filterFields ??= findFilterFields(this.model)
    return this.#filterFields
  }
}
