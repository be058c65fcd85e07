import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

export type Fields = JsonObject
/** A record. */
export type Kept = Fields & { readonly id: string }

/** The collections of the description. */
type Collections = Record<
  | 'api_keys'
  | 'files'
  | 'invites'
  | 'members'
  | 'message_batches'
  | 'prompt_caches'
  | 'skill_versions'
  | 'skills'
  | 'threads'
  | 'user_profiles'
  | 'users'
  | 'workspaces',
  Kept
>

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections>
/** What a handler of a due record gets. */
export type Due = DueContext<Collections>
/** What both get. */
export type Work = WorldContext<Collections>

export type { Json } from '../../src/protocol/json.ts'

/** Refuses with a code that the SDK has a class for. */
export const refuseCoded = (
  { refuse }: Pick<Context, 'refuse'>,
  status: 400 | 404,
  error_code: string,
  message: string,
) =>
  refuse(status, {
    code: 'coded',
    message,
    ...{ error_code, type: status === 404 ? 'not_found_error' : 'invalid_request_error' },
  })

/** A page of a list, newest first: `after_id` and `before_id` name items. @param items newest first */
export function toPage<T extends { readonly id: unknown }>({ query, refuse }: Context, items: readonly T[]) {
  const { after_id, before_id, page, limit = 20 } = query
  const place = (id: unknown): number => {
    const at = items.findIndex((item) => item.id === id)
    return at === -1 ? refuse(400, { message: `No item has the id ${id}.` }) : at
  }
  const after = after_id ?? page
  const to = before_id === undefined ? items.length : place(before_id)
  const start = after === undefined ? 0 : place(after) + 1
  const from = before_id === undefined ? start : Math.max(0, to - Number(limit))
  const data = items.slice(from, to).slice(0, Number(limit))
  const has_more = before_id === undefined ? from + data.length < to : from > 0
  return {
    data,
    has_more,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    next_page: has_more ? data.at(-1)?.id : null,
  }
}
