import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

/** A page of a list, newest first unless `order=asc`: `after` and `before` name items. @param items oldest first */
export function toPage(
  { query, refuse }: Pick<OperationContext, 'query' | 'refuse'>,
  items: readonly JsonObject[],
  usual = 20,
) {
  const { after, before, limit = usual, order = 'desc' } = query
  const all = order === 'asc' ? items : items.toReversed()
  const place = (id: unknown, field: string): number => {
    const at = all.findIndex((item) => item.id === id)
    return at === -1 ? refuse(400, { message: `No item with id '${id}'.`, field }) : at
  }
  const from = after === undefined ? 0 : place(after, 'after') + 1
  const to = before === undefined ? all.length : place(before, 'before')
  const data = all.slice(from, to).slice(0, Number(limit))
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < to,
  }
}

/** The records of a collection, oldest first. */
export const oldestFirst = (records: Iterable<JsonObject>): JsonObject[] => [...records].toReversed()
