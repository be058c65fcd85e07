import { didYouMean } from '../../names/nearest-name.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { ApiModel } from '../openapi/model.ts'

/** Throws `bad_request`, with the id that was probably meant, unless an operation has this id. */
export function checkOperationId({ operations }: ApiModel, name: string): void {
  if (operations.some(({ id }) => id === name)) return
  const shown = name.slice(0, 200)
  const meant = operations.find(({ method, path }) => `${method} ${path}` === name)?.id
  const hint =
    meant === undefined
      ? didYouMean(
          shown,
          operations.map(({ id }) => id),
        )
      : ` Did you mean "${meant}"?`
  throw badRequest(`Expected \`operation\` to be an operation of this API, got ${JSON.stringify(shown)}.${hint}`)
}
