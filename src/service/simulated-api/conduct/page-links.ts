import type { JsonObject } from '../../../protocol/json.ts'
import type { ApiRequest } from '../exchange.ts'

/** Where a page stands among those of its list, by number. */
interface PageAmong {
  readonly first: number
  readonly page: number
  readonly last: number
}

/** The `Link` header (RFC 8288) that leads to other pages; undefined where there are none. */
export function linkHeader(request: ApiRequest, name: string, { first, page, last }: PageAmong): string | undefined {
  const to = (number: number) => `<${request.origin}${pathOf(request, { [name]: number })}>`
  const back = page > first ? [`${to(Math.min(page - 1, last))}; rel="prev"`] : []
  const on = page < last ? [`${to(page + 1)}; rel="next"`, `${to(last)}; rel="last"`] : []
  const start = page > first ? [`${to(first)}; rel="first"`] : []
  const links = [...back, ...on, ...start]
  return links.length === 0 ? undefined : links.join(', ')
}

/** Paths with queries that lead to pages, this one among them; null where there is none. */
export function linksOf(
  request: ApiRequest,
  { number: name, size }: { readonly number: string; readonly size: string },
  { first, page, last, limit }: PageAmong & { readonly limit: number },
): JsonObject {
  const to = (number: number) => pathOf(request, { [size]: limit, [name]: number })
  return {
    here: to(page),
    first: to(first),
    previous: page > first ? to(page - 1) : null,
    next: page < last ? to(page + 1) : null,
  }
}

/** The path of a request with its query, some parameters of which are others. */
function pathOf({ path, query }: ApiRequest, changed: Readonly<Record<string, number>>): string {
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changed)) parameters.set(name, String(value))
  return `${path}?${parameters}`
}
