import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type Fields, fieldsOf, type Kept, withoutKept } from '../shared/values.ts'
import { type Collections, type Context, find } from './context.ts'

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

/** Whether a record has the metadata that the query asks for. */
export const hasMetadata = ({ query }: Pick<OperationContext, 'query'>, { metadata }: Fields): boolean =>
  Object.entries(fieldsOf(query.metadata as Fields)).every(([name, value]) => fieldsOf(metadata)[name] === value)

/** How records are listed, shown and deleted. */
interface Plain {
  readonly path: string
  /** The parameter of the path that names one. */
  readonly name: string
  readonly show?: (record: Kept, context: Context) => Fields
  /** What a deletion answers. */
  readonly deleted?: string
}

/** The operations that list and show the records of a collection, and delete them where that is answered. */
export function plainOperations(collection: keyof Collections, { path, name, show = withoutKept, deleted }: Plain) {
  return {
    [`GET ${path}`]: (context: Context) =>
      toPage(
        context,
        oldestFirst(context.records[collection]).flatMap((one) =>
          hasMetadata(context, one) ? [show(one as Kept, context)] : [],
        ),
      ),
    [`GET ${path}/{${name}}`]: (context: Context) => show(find(context, collection, name), context),
    ...(deleted !== undefined && {
      [`DELETE ${path}/{${name}}`]: (context: Context) => {
        const { id } = find(context, collection, name)
        context.records[collection].remove(id)
        return { id, object: deleted, deleted: true }
      },
    }),
  }
}
