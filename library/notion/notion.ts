import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Json, type Kept, listOf } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf } from '../shared/values.ts'

type Collection =
  | 'blocks'
  | 'comments'
  | 'data_sources'
  | 'databases'
  | 'file_uploads'
  | 'happenings'
  | 'pages'
  | 'users'
  | 'views'
type Context = OperationContext<AnyOperation, Record<Collection, Kept>>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (notion: Notion) => unknown>>

/** The integration, as author. */
export const BOT = { object: 'user', id: '00000000-0000-4000-8000-000000000b07' } as const

/** The id of the workspace, which events have. */
const WORKSPACE = '00000000-0000-4000-8000-000000000001'

/** A UUID with dashes; undefined for another text. */
export function uuidOf(id: unknown): string | undefined {
  const hex = String(id).replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined
}

/** The address of an object for people, for a page with its title: `Tuscan-kale-` and the id. */
export function urlOf({ id }: Fields, title = ''): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? []
  return `https://www.notion.example/${[...words, String(id).replaceAll('-', '')].join('-')}`
}

/** The parent of an entity, as events name it: of a row its database, with the data source. */
export function parentOf({ type, database_id = null, ...parent }: Fields): Fields {
  const name = String(type)
  if (name === 'data_source_id') return { id: database_id, type: 'database', ...parent }
  if (name === 'workspace') return { id: WORKSPACE, type: 'space' }
  return { id: parent[name] ?? null, type: name.replace('_id', '') }
}

export const idsOf = (ids: unknown): string[] => (Array.isArray(ids) ? ids.map(String) : [])

/** Whether a value of a property is none. */
export const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The characters of a list of texts. */
export const plainOf = (texts: unknown): string => listOf(texts).reduce((all, one) => all + one.plain_text, '')

/** A request. */
export class Notion {
  readonly of: Context
  readonly records: Context['records']
  readonly body: Fields
  readonly query: Fields
  /** Whether the request is of a version that has no data sources. */
  readonly isOld: boolean
  /** Whether it is of one that has `in_trash` and `position` in place of `archived` and `after`. */
  readonly isNew: boolean
  /** The time as Notion shows it, to the minute. */
  readonly time: string

  constructor(of: Context) {
    this.of = of
    this.records = of.records
    this.body = of.body
    this.query = of.query
    const version = String(of.headers['notion-version'])
    this.isOld = version < '2025-09-03'
    this.isNew = version >= '2026-03-11'
    const gone = this.isNew && ['archived', 'after'].find((name) => this.body[name] !== undefined)
    if (gone) this.unfit(gone, `not present: use \`${gone === 'after' ? 'position' : 'in_trash'}\``, this.body[gone])
    this.time = `${of.now.toISOString().slice(0, 16)}:00.000Z`
  }

  invalid(message: string): never {
    return this.of.refuse(400, { message })
  }

  /** Refuses a value of the body. @param should such as `a string` */
  unfit(path: string, should: string, value: unknown): never {
    const got = JSON.stringify(value) ?? 'undefined'
    return this.invalid(`body failed validation: body.${path} should be ${should}, instead was \`${got}\`.`)
  }

  /** The record with this id, with dashes or without: by default that of the end of the path. */
  find(collection: Collection, id: unknown = Object.values(this.of.path).at(-1)): Kept {
    const noun = collection.slice(0, -1)
    const [name] = Object.entries(this.of.path).find(([, value]) => value === id) ?? []
    const place = name === undefined ? 'body' : 'path'
    const wrong = `${place} failed validation: ${place}.${name ?? `${noun}_id`} should be a valid uuid, instead was`
    const uuid = uuidOf(id) ?? this.invalid(`${wrong} \`${JSON.stringify(id)}\`.`)
    const message = `Could not find ${noun} with ID: ${uuid}. Make sure the relevant pages and databases are shared with your integration.`
    return this.records[collection].get(uuid) ?? this.of.refuse(404, { code: 'not_found', message })
  }

  /** The data source that a request names, or the first one of its database. */
  source({ data_source_id, database_id }: Fields): Kept {
    if (data_source_id !== undefined) return this.find('data_sources', data_source_id)
    const { id } = this.find('databases', database_id)
    const first = [...this.records.data_sources].findLast((one) => one.database_id === id)
    return first ?? this.invalid(`Database ${id} has no data source.`)
  }

  /** A page of a list, whose cursor is the id of its next item. */
  page<T extends { readonly id: unknown }>(type: string, items: readonly T[], show: (item: T) => unknown) {
    const { start_cursor, page_size = 100 } = { ...this.query, ...this.body }
    const from = start_cursor == null ? 0 : items.findIndex(({ id }) => id === start_cursor)
    if (from < 0) this.invalid(`The start_cursor provided is invalid: ${start_cursor}`)
    const to = from + Number(page_size)
    const next = items[to]
    const results = items.slice(from, to).map(show)
    return { object: 'list', results, next_cursor: next?.id ?? null, has_more: next !== undefined, type, [type]: {} }
  }

  /** Causes an event. */
  happen(type: string, id: string, data?: object): void {
    const entity = { id, type: type.slice(0, type.indexOf('.')) }
    const facts = { type, timestamp: this.of.now.toISOString(), entity }
    this.records.happenings.create({ ...facts, ...(data && { data: data as Fields }) })
  }

  /** Whether something above a record is in the trash. */
  isBelowTrash({ parent, database_id = null }: Fields): boolean {
    const names = parent === undefined ? { database_id } : fieldsOf(parent)
    const name = (['page_id', 'block_id', 'data_source_id', 'database_id'] as const).find((one) => names[one] != null)
    const above = name && this.records[`${name.slice(0, -3)}s` as Collection].get(String(names[name]))
    return above !== undefined && this.isTrash(above)
  }

  isTrash(record: Fields): boolean {
    return record.in_trash === true || this.isBelowTrash(record)
  }

  /** The fields that each object shows of its life. */
  lifeOf(record: Fields) {
    const { created_time, last_edited_time } = record
    const in_trash = this.isTrash(record)
    const archived = this.isNew ? {} : { archived: in_trash }
    return { created_time, last_edited_time, created_by: BOT, last_edited_by: BOT, in_trash, ...archived }
  }

  get inAnHour(): string {
    return new Date(this.of.now.getTime() + 3_600_000).toISOString()
  }

  /** The fields of a new record's life. */
  get born() {
    return { created_time: this.time, last_edited_time: this.time, in_trash: false }
  }

  /** What a request that trashes or restores a record changes of it. */
  trashing(record: Fields): { readonly in_trash?: boolean } {
    const { archived, in_trash = archived } = this.body
    this.refuseTrash(in_trash === undefined ? record : { ...record, in_trash: false })
    return typeof in_trash === 'boolean' && in_trash !== record.in_trash ? { in_trash } : {}
  }

  /** Causes the event of a record that was trashed or restored. */
  tellTrash(noun: string, { id, parent: of }: Kept, { in_trash }: Fields, parent = parentOf(fieldsOf(of))): void {
    if (in_trash === undefined) return
    this.happen(`${noun}.${in_trash === true ? 'deleted' : 'undeleted'}`, id, { parent })
    this.tellRow(id, of)
  }

  /** Causes the event of the data source that a row was added to, or taken from. @param of the parent of the row */
  tellRow(id: string, of: unknown): void {
    const { data_source_id, database_id = null } = fieldsOf(of)
    const data = { parent: { id: database_id, type: 'database' }, updated_blocks: [{ id, type: 'page' }] }
    if (typeof data_source_id === 'string') this.happen('data_source.content_updated', data_source_id, data)
  }

  /** Refuses a change of what is in the trash, or below something that is. */
  refuseTrash(record: Fields): void {
    if (record.in_trash === true)
      this.invalid("Can't edit block that is archived. You must unarchive the block before editing.")
    const advice = 'You must unarchive the ancestor before editing page.'
    if (this.isBelowTrash(record)) this.invalid(`Can't edit page on block with an archived ancestor. ${advice}`)
  }
}

/** The property with this name or id. */
export const propertyOf = (source: Fields, name: unknown): Fields | undefined =>
  listOf(source.schema).find((config) => config.name === name || config.id === decodeURIComponent(String(name)))

/** Reads the value of a page's property. @param source whose property it is */
export type ReadValue = (page: Fields, source: Fields | undefined, property: Fields) => Json
