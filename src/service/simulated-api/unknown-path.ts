import type { ApiModel } from '../openapi/model.ts'
import { nearestOperations } from './compiled/router.ts'
import type { ApiRequest } from './exchange.ts'
import type { ConductBook } from './facts/conduct-book.ts'

/** Why a path has no operation, with the nearest ones. The real API may have a path that a library entry lacks. */
export function explainUnknownPath(
  model: ApiModel,
  book: ConductBook | undefined,
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
): string {
  const near = nearestOperations(model, method, path)
  const slug = book === undefined || book.isJoined ? undefined : String(book.facts.slug)
  const api = slug === undefined ? model.title : `the library entry "${slug}"`
  const hint = near.length === 0 ? '' : ` The nearest operations are ${near.join(', ')}.`
  const remedy =
    slug === undefined
      ? ''
      : ` A path that the entry lacks comes from the provider's own description: { library: '${slug}', spec: '<its file>' }.`
  return `Failed to find ${method} ${path}: ${api} has no such path.${hint}${remedy}`
}
