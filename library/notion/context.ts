import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

export type { Json } from '../../src/protocol/json.ts'

export type Fields = JsonObject
/** A record. */
export type Kept = Fields & { readonly id: string }

/** The collections of the description. */
type Collections = Record<
  'blocks' | 'comments' | 'data_sources' | 'databases' | 'file_uploads' | 'happenings' | 'pages' | 'users' | 'views',
  Kept
>

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections>

/** The integration, as author. */
export const BOT = { object: 'user', id: '00000000-0000-4000-8000-000000000b07' } as const

/** Whether the request is of a version that has no data sources. */
export const isOld = ({ headers }: Context): boolean => String(headers['notion-version']) < '2025-09-03'

/** The time as Notion shows it, to the minute. */
export const timeOf = ({ now }: Context): string => `${now.toISOString().slice(0, 16)}:00.000Z`

/** A UUID with dashes; undefined for another text. */
export function uuidOf(id: unknown): string | undefined {
  const hex = String(id).replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined
}

export const invalid = ({ refuse }: Context, message: string): never => refuse(400, { message })

/** Refuses a value of the body. @param should such as `a string` */
export const unfit = (context: Context, path: string, should: string, value: unknown): never =>
  invalid(
    context,
    `body failed validation: body.${path} should be ${should}, instead was \`${JSON.stringify(value) ?? 'undefined'}\`.`,
  )

/** The record with this id, with dashes or without. */
export function find(context: Context, collection: keyof Collections, id: unknown): Kept {
  const uuid = uuidOf(id)
  if (uuid === undefined) return invalid(context, `path failed validation: "${id}" should be a valid uuid.`)
  return context.records[collection].get(uuid) ?? absent(context, collection, uuid)
}

const absent = ({ refuse }: Context, collection: string, id: string): never =>
  refuse(404, {
    code: 'not_found',
    message: `Could not find ${collection.slice(0, -1)} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`,
  })

/** A page of a list, whose cursor is the id of its next item. */
export function toPage<T extends { readonly id: unknown }>(
  context: Context,
  type: string,
  items: readonly T[],
  show: (item: T) => unknown,
) {
  const { start_cursor, page_size = 100 } = { ...context.query, ...context.body } as Fields
  const from = start_cursor == null ? 0 : items.findIndex(({ id }) => id === start_cursor)
  if (from < 0) return invalid(context, `The start_cursor provided is invalid: ${start_cursor}`)
  const to = from + Number(page_size)
  const next = items[to]
  const results = items.slice(from, to).map(show)
  return { object: 'list', results, next_cursor: next?.id ?? null, has_more: next !== undefined, type, [type]: {} }
}

/** Causes an event. */
export function happen({ records, now }: Context, type: string, id: string, data: object = {}): void {
  const entity = { id, type: type.slice(0, type.indexOf('.')) }
  records.happenings.create({ type, timestamp: now.toISOString(), entity, data: data as Fields })
}

/** The parent of an entity, as events name it. */
export function parentOf({ type, ...parent }: Fields): Fields {
  const name = String(type)
  return { id: parent[name] ?? null, type: name.replace('_id', '') }
}

const ABOVE = {
  page_id: 'pages',
  block_id: 'blocks',
  data_source_id: 'data_sources',
  database_id: 'databases',
} as const

/** Whether something above a record is in the trash. */
export function isBelowTrash(context: Context, { parent, database_id }: Fields): boolean {
  const names = { ...(typeof parent === 'object' ? parent : { database_id }) } as Fields
  const [name, collection] = Object.entries(ABOVE).find(([one]) => names[one] !== undefined) ?? []
  const above = name && collection && context.records[collection].get(String(names[name]))
  return above ? isTrash(context, above) : false
}

export const isTrash = (context: Context, record: Fields): boolean =>
  record.in_trash === true || isBelowTrash(context, record)

/** The fields that each object shows of its life. */
export function lifeOf(context: Context, record: Fields) {
  const { created_time, last_edited_time } = record
  const in_trash = isTrash(context, record)
  return { created_time, last_edited_time, created_by: BOT, last_edited_by: BOT, in_trash, archived: in_trash }
}

/** The fields of a new record's life. */
export function born(context: Context): Fields {
  const time = timeOf(context)
  return { created_time: time, last_edited_time: time, in_trash: false }
}

/** Whether a request asks to trash (true) or to restore (false) a record. */
export function trashing(context: Context, record: Fields): boolean | undefined {
  const { archived, in_trash = archived } = context.body
  refuseBelowTrash(context, record)
  if (in_trash === undefined && record.in_trash === true)
    return invalid(context, "Can't edit block that is archived. You must unarchive the block before editing.")
  return typeof in_trash === 'boolean' && in_trash !== record.in_trash ? in_trash : undefined
}

/** Refuses a change of what is below something in the trash. */
export function refuseBelowTrash(context: Context, record: Fields): void {
  if (isBelowTrash(context, record))
    invalid(
      context,
      "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
    )
}
