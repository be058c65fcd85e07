import { toUnix } from '../shared/times.ts'
import { type Fields, type Kept, listOf } from '../shared/values.ts'
import { type Context, find, type Work } from './context.ts'
import { oldestFirst, toPage } from './lists.ts'
import { toInputItems } from './response-items.ts'

type Records = Work['records']

/** The items of a conversation, oldest first. */
export const itemsOf = ({ conversation_items: all }: Records, conversation: string): Fields[] =>
  oldestFirst(all.where({ conversation })).map(({ item }) => item as Fields)

/** Adds items to a conversation. */
export function addItems({ conversation_items: all }: Records, conversation: string, items: readonly Fields[]): void {
  for (const item of items) all.create({ conversation, item })
}

const shown = ({ id, created_at, metadata }: Fields): Fields => ({
  id: id ?? null,
  object: 'conversation',
  created_at: created_at ?? null,
  metadata: metadata ?? {},
})

const findOne = (context: Context): Kept => find(context, 'conversations', 'conversation_id')

export const conversations = {
  'POST /conversations': (context: Context) => {
    const { body, now, records } = context
    const made = records.conversations.create({ created_at: toUnix(now), metadata: body.metadata ?? {} })
    addItems(records, String(made.id), toInputItems(context, body.items ?? []))
    return shown(made)
  },
  'GET /conversations/{conversation_id}': (context: Context) => shown(findOne(context)),
  'POST /conversations/{conversation_id}': (context: Context) =>
    shown(context.records.conversations.update(findOne(context).id, { metadata: context.body.metadata })),
  'DELETE /conversations/{conversation_id}': (context: Context) => {
    const { id } = findOne(context)
    context.records.conversations.remove(id)
    for (const { id: item } of context.records.conversation_items.where({ conversation: id }))
      context.records.conversation_items.remove(item)
    return { id, object: 'conversation.deleted', deleted: true }
  },
  'POST /conversations/{conversation_id}/items': (context: Context) => {
    const { id } = findOne(context)
    const items = toInputItems(context, context.body.items)
    addItems(context.records, String(id), items)
    return { object: 'list', data: items, first_id: items.at(0)?.id, last_id: items.at(-1)?.id, has_more: false }
  },
  'GET /conversations/{conversation_id}/items': (context: Context) =>
    toPage(context, itemsOf(context.records, String(findOne(context).id))),
  'GET /conversations/{conversation_id}/items/{item_id}': (context: Context) => findItem(context).item,
  'DELETE /conversations/{conversation_id}/items/{item_id}': (context: Context) => {
    context.records.conversation_items.remove(findItem(context).id)
    return shown(findOne(context))
  },
}

function findItem(context: Context): Kept {
  const { id } = findOne(context)
  const wanted = context.path.item_id
  const kept = context.records.conversation_items.where({ conversation: id })
  return (
    kept.find(({ item }) => listOf([item])[0]?.id === wanted) ??
    context.refuse(404, { code: 'not_found', message: `Item with id '${wanted}' not found.` })
  )
}
