import { fieldsOf, listOf } from '../openai/context.ts'
import {
  born,
  type Context,
  type Fields,
  find,
  happen,
  invalid,
  type Json,
  type Kept,
  lifeOf,
  parentOf,
  refuseBelowTrash,
  timeOf,
  toPage,
  trashing,
  unfit,
  uuidOf,
} from './context.ts'
import { titleOf } from './properties.ts'
import { plainOf, toFile, toRichText } from './rich-text.ts'

const TEXT = { rich_text: [], color: 'default' }
const FILE = { caption: [] }
/** Types of blocks that can be created, with what each has without more words. */
const TYPES: Readonly<Record<string, Fields>> = {
  paragraph: TEXT,
  heading_1: { ...TEXT, is_toggleable: false },
  heading_2: { ...TEXT, is_toggleable: false },
  heading_3: { ...TEXT, is_toggleable: false },
  heading_4: { ...TEXT, is_toggleable: false },
  bulleted_list_item: TEXT,
  numbered_list_item: TEXT,
  quote: TEXT,
  toggle: TEXT,
  to_do: { ...TEXT, checked: false },
  callout: { ...TEXT, icon: null },
  code: { rich_text: [], caption: [], language: 'plain text' },
  equation: {},
  divider: {},
  breadcrumb: {},
  table_of_contents: { color: 'default' },
  column_list: {},
  column: {},
  table: { has_column_header: false, has_row_header: false },
  table_row: {},
  bookmark: FILE,
  embed: FILE,
  image: FILE,
  video: FILE,
  audio: FILE,
  pdf: FILE,
  file: FILE,
  link_to_page: {},
  synced_block: { synced_from: null },
}
const FILES = new Set(['image', 'video', 'audio', 'pdf', 'file'])

/** The block, page or database with this id. */
function holderOf(context: Context, id: unknown): { collection: 'blocks' | 'databases' | 'pages'; record: Kept } {
  const uuid = uuidOf(id) ?? ''
  for (const collection of ['pages', 'databases'] as const) {
    const record = context.records[collection].get(uuid)
    if (record !== undefined) return { collection, record }
  }
  return { collection: 'blocks', record: find(context, 'blocks', id) }
}

/** A block as it is shown; a page and a database are blocks of their own types. */
function showBlock(context: Context, id: unknown): Fields {
  const { collection, record } = holderOf(context, id)
  const has_children = childrenOf(context, record).length > 0
  const shown = {
    object: 'block',
    id: record.id,
    parent: record.parent ?? null,
    ...lifeOf(context, record),
    has_children,
  }
  if (collection === 'pages')
    return { ...shown, type: 'child_page', child_page: { title: plainOf(titleOf(record)) } } as Fields
  if (collection === 'databases')
    return { ...shown, type: 'child_database', child_database: { title: plainOf(record.title) } } as Fields
  return { ...shown, type: record.type, [String(record.type)]: record.content } as Fields
}

/** The ids of what is below a page or block, in order and without trash. */
function childrenOf({ records }: Context, { children_ids }: Fields): string[] {
  const isTrash = (id: string): boolean =>
    (records.blocks.get(id) ?? records.pages.get(id) ?? records.databases.get(id))?.in_trash !== false
  return Array.isArray(children_ids) ? children_ids.map(String).filter((id) => !isTrash(id)) : []
}

/** Appends blocks with what is below them. @returns their ids */
export function append(
  context: Context,
  { id, children_ids }: Kept,
  given: Json,
  parent: Fields,
  path = 'children',
  at?: number,
): string[] {
  const sent = listOf(given)
  if (sent.length > 0 && path.split('children').length > 4) return unfit(context, path, 'not present', given)
  const ids = sent.map((block, place) => create(context, block, parent, `${path}[${place}]`))
  const known = Array.isArray(children_ids) ? children_ids : []
  const collection = parent.type === 'page_id' ? 'pages' : 'blocks'
  context.records[collection].update(id, { children_ids: known.toSpliced(at ?? known.length, 0, ...ids) })
  return ids
}

function create(context: Context, given: Fields, parent: Fields, path: string): string {
  const type = Object.keys(given).find((name) => name in TYPES)
  if (type === undefined || (given.type !== undefined && given.type !== type))
    return unfit(context, path, 'a block of a known type, with its content', given)
  const { children = given.children ?? [], ...sent } = fieldsOf(given[type])
  const content = toContent(context, type, { ...TYPES[type], ...sent }, `${path}.${type}`)
  const block = context.records.blocks.create({ ...born(context), parent, type, content, children_ids: [] })
  append(context, block, children, { type: 'block_id', block_id: block.id }, `${path}.${type}.children`)
  return block.id
}

function toContent(context: Context, type: string, content: Fields, path: string): Fields {
  const { rich_text, caption, cells, icon } = content
  const whole = FILES.has(type) ? (toFile(context, content) as Fields) : content
  return {
    ...whole,
    ...(rich_text !== undefined && { rich_text: toRichText(context, rich_text, `${path}.rich_text`) }),
    ...(caption !== undefined && { caption: toRichText(context, caption, `${path}.caption`) }),
    ...(Array.isArray(cells) && {
      cells: cells.map((cell, at) => toRichText(context, cell, `${path}.cells[${at}]`)),
    }),
    ...(icon != null && { icon: toFile(context, icon) }),
  }
}

/** The page that a block is on has changed. */
function touch(context: Context, { id }: Kept, updated: readonly string[]): void {
  let { collection, record } = holderOf(context, id)
  while (collection === 'blocks') {
    const { page_id, block_id = page_id } = fieldsOf(record.parent)
    ;({ collection, record } = holderOf(context, block_id))
  }
  context.records.pages.update(record.id, { last_edited_time: timeOf(context) })
  const updated_blocks = updated.map((of) => ({ id: of, type: 'block' }))
  happen(context, 'page.content_updated', record.id, { parent: parentOf(fieldsOf(record.parent)), updated_blocks })
}

/** Whether a page is another, or below it. */
export function isBelow(context: Context, page: Kept, id: string): boolean {
  const { page_id } = fieldsOf(page.parent)
  return page.id === id || (page_id !== undefined && isBelow(context, find(context, 'pages', page_id), id))
}

/** Takes a page from the page that it is below. */
export function unlink({ records }: Context, { id, parent }: Kept): void {
  const above = records.pages.get(String(fieldsOf(parent).page_id ?? ''))
  if (above !== undefined && Array.isArray(above.children_ids))
    records.pages.update(above.id, { children_ids: above.children_ids.filter((child) => child !== id) })
}

/** Where children are put: after a block, at the start, or at the end. */
function placeOf(context: Context, { children_ids }: Fields): number | undefined {
  const { after, position } = context.body
  const { type, after_block } = fieldsOf(position)
  if (type === 'start') return 0
  const id = after ?? fieldsOf(after_block).id
  if (id === undefined) return undefined
  const at = Array.isArray(children_ids) ? children_ids.indexOf(uuidOf(id) ?? '') : -1
  return at < 0 ? invalid(context, `Block ${id} is not a child of the block that is appended to.`) : at + 1
}

export const blocks = {
  'GET /v1/blocks/{block_id}': (context: Context) => showBlock(context, context.path.block_id),
  'PATCH /v1/blocks/{block_id}': (context: Context) => {
    const block = find(context, 'blocks', context.path.block_id)
    const type = String(block.type)
    const other = Object.keys(context.body).find((name) => name in TYPES && name !== type)
    if (other !== undefined) return invalid(context, `Block is of the type ${type}, which cannot become ${other}.`)
    const in_trash = trashing(context, block)
    const given = { ...fieldsOf(block.content), ...fieldsOf(context.body[type]) }
    context.records.blocks.update(block.id, {
      content: toContent(context, type, given, type),
      last_edited_time: timeOf(context),
      ...(in_trash !== undefined && { in_trash }),
    })
    touch(context, block, [block.id])
    return showBlock(context, block.id)
  },
  'DELETE /v1/blocks/{block_id}': (context: Context) => {
    const { collection, record } = holderOf(context, context.path.block_id)
    if (record.in_trash === true) return invalid(context, "Can't edit block that is archived.")
    refuseBelowTrash(context, record)
    context.records[collection].update(record.id, { in_trash: true, last_edited_time: timeOf(context) })
    if (collection === 'blocks') touch(context, record, [record.id])
    else {
      const event = collection === 'pages' ? 'page.deleted' : 'database.deleted'
      happen(context, event, record.id, { parent: parentOf(fieldsOf(record.parent)) })
    }
    return showBlock(context, record.id)
  },
  'GET /v1/blocks/{block_id}/children': (context: Context) => {
    const ids = childrenOf(context, holderOf(context, context.path.block_id).record)
    return toPage(
      context,
      'block',
      ids.map((id) => ({ id })),
      ({ id }) => showBlock(context, id),
    )
  },
  'PATCH /v1/blocks/{block_id}/children': (context: Context) => {
    const { collection, record } = holderOf(context, context.path.block_id)
    if (collection === 'databases') return invalid(context, 'A database has rows, not blocks. Create a page in it.')
    if (record.in_trash === true) return invalid(context, "Can't edit block that is archived.")
    refuseBelowTrash(context, record)
    const type = collection === 'pages' ? 'page_id' : 'block_id'
    const at = placeOf(context, record)
    const ids = append(context, record, context.body.children ?? [], { type, [type]: record.id }, 'children', at)
    touch(context, record, ids)
    const results = ids.map((id) => showBlock(context, id))
    return { object: 'list', results, next_cursor: null, has_more: false, type: 'block', block: {} }
  },
}
