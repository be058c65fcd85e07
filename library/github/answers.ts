import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { listOf } from '../shared/values.ts'

export type Handler = (context: OperationContext) => object | undefined

export function refused({ refuse }: OperationContext, status: number, text: string, errors?: Json): never {
  const facts = { code: 'refused', text, ...(errors !== undefined && { errors }) }
  return refuse(status, facts)
}

export const isThere = (context: OperationContext, is: boolean): object =>
  is ? context.respond({ status: 204 }) : refused(context, 404, 'Not Found')

export const created = ({ respond }: OperationContext, body: JsonObject): object =>
  respond({ status: 201, headers: { Location: String(body.url) }, body })

export const pick = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))

/** World time, as records have it. */
export const secondsOf = ({ now }: OperationContext): string => now.toISOString().replace(/\.\d+/, '')

/** A path of the description with the parameters of the request. */
export const filled = ({ path }: Pick<OperationContext, 'path'>, at: string): string =>
  at.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))

/** All items of a list, over its pages. */
export function allOf({ call }: OperationContext, path: string): JsonObject[] {
  const all: JsonObject[] = []
  for (let page = 1; all.length === (page - 1) * MOST; page++)
    all.push(...listOf(call('GET', `${path}?per_page=${MOST}&page=${page}`).body))
  return all
}

export const MOST = 100

/** The `Link` to other pages of the list at a path of the description; undefined where there are none. */
export function linkHeader(
  context: Pick<OperationContext, 'origin' | 'path' | 'query'>,
  at: string,
  { page, last }: { page: number; last: number },
): string | undefined {
  if (page <= 1 && page >= last) return undefined
  const url = new URL(context.origin + filled(context, at))
  for (const [key, value] of Object.entries(context.query)) url.searchParams.set(key, String(value))
  const link = (to: number, rel: string) => {
    url.searchParams.set('page', String(to))
    return `<${url}>; rel="${rel}"`
  }
  const prev = page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []
  const on = page < last ? [link(page + 1, 'next'), link(last, 'last')] : []
  return [...prev, ...on, ...(page > 1 ? [link(1, 'first')] : [])].join(', ')
}

/** A page of the list at a path of the description, with its `Link`; below a name, with `total_count`. */
export function paged(context: OperationContext, at: string, rows: readonly JsonObject[], name?: string): object {
  const { per_page = 30, page = 1 } = context.query as { per_page?: number; page?: number }
  const size = Math.min(per_page, MOST)
  const Link = linkHeader(context, at, { page, last: Math.max(1, Math.ceil(rows.length / size)) })
  const shown = rows.slice((page - 1) * size, page * size)
  return context.respond({
    status: 200,
    ...(Link !== undefined && { headers: { Link } }),
    body: name === undefined ? shown : { total_count: rows.length, [name]: shown },
  })
}

/** Of an account, what other records show of it. */
export const personOf = (account: JsonObject): JsonObject =>
  pick(
    account,
    Object.keys(account).filter((name) =>
      /_url$|^(login|id|node_id|gravatar_id|url|type|user_view_type|site_admin)$/.test(name),
    ),
  )
