import type { Fields, Json, Kept, Notion, Operations } from './notion.ts'
import { fieldsOf, idsOf, listOf, parentOf, plainOf, uuidOf } from './notion.ts'
import { titleOf } from './properties.ts'
import { COLORS, toFile, toRichText } from './rich-text.ts'

const TEXT = { rich_text: [], color: 'default' }
const PARAGRAPH = { ...TEXT, icon: null }
const HEADING = { ...TEXT, is_toggleable: false }
const FILE = { caption: [] }
/** Types of blocks that can be created, with what each has without more words. */
const TYPES: Readonly<Record<string, Fields>> = {
  paragraph: PARAGRAPH,
  ...{ bulleted_list_item: TEXT, numbered_list_item: TEXT, quote: TEXT, toggle: TEXT },
  ...{ heading_1: HEADING, heading_2: HEADING, heading_3: HEADING, heading_4: HEADING },
  ...{ equation: {}, divider: {}, breadcrumb: {}, column_list: {}, column: {}, table_row: {}, link_to_page: {} },
  ...{ bookmark: FILE, embed: FILE, image: FILE, video: FILE, audio: FILE, pdf: FILE, file: FILE },
  to_do: { ...TEXT, checked: false },
  callout: PARAGRAPH,
  ...{ tab: {}, template: { rich_text: [] } },
  code: { rich_text: [], caption: [], language: 'plain text' },
  table_of_contents: { color: 'default' },
  table: { has_column_header: false, has_row_header: false },
  synced_block: { synced_from: null },
}
/** What a new block needs besides texts. */
const NEEDED: Readonly<Record<string, string>> = {
  ...{ bookmark: 'url', embed: 'url', equation: 'expression', table: 'table_width', table_row: 'cells' },
}
/** Fewest children of a new block. */
const LEAST: Readonly<Record<string, number>> = { column_list: 2, tab: 1, table: 1 }
/** Most blocks of one list. */
const MOST = 100
const TEXT_FIELDS = new Set(['rich_text', 'color', 'icon', 'is_toggleable'])
/** The languages of code. */
export const LANGUAGES: ReadonlySet<string> = new Set(
  'abap,abc,agda,arduino,ascii art,assembly,bash,basic,bnf,c,c#,c++,clojure,coffeescript,coq,css,dart,dhall,diff,docker,ebnf,elixir,elm,erlang,f#,flow,fortran,gherkin,glsl,go,graphql,groovy,haskell,hcl,html,idris,java,javascript,json,julia,kotlin,latex,less,lisp,livescript,llvm ir,lua,makefile,markdown,markup,matlab,mathematica,mermaid,nix,notion formula,objective-c,ocaml,pascal,perl,php,plain text,powershell,prolog,protobuf,purescript,python,r,racket,reason,ruby,rust,sass,scala,scheme,scss,shell,smalltalk,solidity,sql,swift,toml,typescript,vb.net,verilog,vhdl,visual basic,webassembly,xml,yaml,java/c/c++/c#'.split(
    ',',
  ),
)
const FILES = new Set(['image', 'video', 'audio', 'pdf', 'file'])

interface Holder {
  readonly collection: 'blocks' | 'databases' | 'pages'
  readonly record: Kept
}

/** The block, page or database with this id. */
function holderOf(notion: Notion, id: unknown = notion.of.path.block_id): Holder {
  const uuid = uuidOf(id) ?? ''
  for (const collection of ['pages', 'databases'] as const) {
    const record = notion.records[collection].get(uuid)
    if (record !== undefined) return { collection, record }
  }
  return { collection: 'blocks', record: notion.find('blocks', id) }
}

/** A block as it is shown; a page and a database are blocks of their own types. */
function showBlock(notion: Notion, id?: unknown): object {
  const { collection, record } = holderOf(notion, id)
  const has_children = childrenOf(notion, record).length > 0
  const { parent = null, type: own, content } = record
  const shown = { object: 'block', id: record.id, parent, ...notion.lifeOf(record), has_children }
  const type = { blocks: String(own), pages: 'child_page', databases: 'child_database' }[collection]
  const title = plainOf(collection === 'pages' ? titleOf(record) : record.title)
  return { ...shown, type, [type]: collection === 'blocks' ? content : { title } }
}

/** The ids of what is below a page or block, in order and without trash. */
function childrenOf({ records: { blocks, pages, databases } }: Notion, { children_ids }: Fields): string[] {
  const isThere = (id: string): boolean => (blocks.get(id) ?? pages.get(id) ?? databases.get(id))?.in_trash === false
  return idsOf(children_ids).filter(isThere)
}

/** Appends blocks with what is below them. @returns their ids */
export function append(
  notion: Notion,
  { id, children_ids }: Kept,
  given: Json,
  parent: Fields,
  path = 'children',
  at?: number,
): string[] {
  const sent = listOf(given)
  if (sent.length > MOST) return notion.unfit(`${path}.length`, `≤ \`${MOST}\``, sent.length)
  if (sent.length > 0 && path.split('children').length > 4) return notion.unfit(path, 'not present', given)
  const { type: of, content }: Fields = notion.records.blocks.get(id) ?? {}
  const width = of === 'table' ? Number(fieldsOf(content).table_width) : undefined
  for (const [place, { table_row }] of sent.entries()) {
    const { length } = listOf(fieldsOf(table_row).cells)
    if (width !== undefined && length !== width)
      notion.unfit(`${path}[${place}].table_row.cells.length`, `\`${width}\`, the width of the table`, length)
  }
  const ids = sent.map((block, place) => create(notion, block, parent, `${path}[${place}]`))
  const known = idsOf(children_ids)
  const collection = parent.type === 'page_id' ? 'pages' : 'blocks'
  notion.records[collection].update(id, { children_ids: known.toSpliced(at ?? known.length, 0, ...ids) })
  return ids
}

function create(notion: Notion, given: Fields, parent: Fields, path: string): string {
  const type = Object.keys(given).find((name) => name in TYPES)
  if (type === undefined || (given.type !== undefined && given.type !== type))
    return notion.unfit(path, 'a block of a known type, with its content', given)
  const { children = given.children ?? [], ...sent } = fieldsOf(given[type])
  const strange =
    TYPES[type] === TEXT || type === 'paragraph' ? Object.keys(sent).find((name) => !TEXT_FIELDS.has(name)) : undefined
  if (strange !== undefined) return notion.unfit(`${path}.${type}.${strange}`, 'not present', sent[strange])
  if (type === 'code' && sent.language !== undefined && !LANGUAGES.has(String(sent.language)))
    return notion.unfit(`${path}.code.language`, 'a language such as `"javascript"`', sent.language)
  const needed = NEEDED[type] ?? ('rich_text' in (TYPES[type] ?? {}) ? 'rich_text' : undefined)
  if (needed !== undefined && sent[needed] === undefined)
    return notion.unfit(`${path}.${type}.${needed}`, 'defined', undefined)
  const least = LEAST[type] ?? 0
  if (listOf(children).length < least)
    return notion.unfit(`${path}.${type}.children.length`, `≥ \`${least}\``, listOf(children).length)
  const content = toContent(notion, type, { ...TYPES[type], ...sent }, `${path}.${type}`)
  const block = notion.records.blocks.create({ ...notion.born, parent, type, content, children_ids: [] })
  append(notion, block, children, { type: 'block_id', block_id: block.id }, `${path}.${type}.children`)
  return block.id
}

/** A reference with its type, which a request may leave out. */
const withType = (reference: Fields): Fields => ({
  type: Object.keys(reference).find((name) => name.endsWith('_id')) ?? null,
  ...reference,
})

function toContent(notion: Notion, type: string, content: Fields, path: string): Fields {
  const { rich_text, caption, cells, icon, synced_from } = content
  const textsOf = (value: Json, name: string): Fields[] => toRichText(notion, value, `${path}.${name}`)
  if (content.color !== undefined && !COLORS.test(String(content.color)))
    notion.unfit(`${path}.color`, 'a color such as `"gray"` or `"gray_background"`', content.color)
  if (content.checked !== undefined && typeof content.checked !== 'boolean')
    notion.unfit(`${path}.checked`, 'a boolean', content.checked)
  const shown = fieldsOf(FILES.has(type) ? toFile(notion, content) : content)
  const { url } = fieldsOf(shown[String(shown.type)])
  return {
    ...shown,
    ...(type === 'file' && { name: content.name ?? decodeURIComponent(String(url).split('/').pop() ?? '') }),
    ...(rich_text !== undefined && { rich_text: textsOf(rich_text, 'rich_text') }),
    ...(caption !== undefined && { caption: textsOf(caption, 'caption') }),
    ...(Array.isArray(cells) && { cells: cells.map((cell, at) => textsOf(cell, `cells[${at}]`)) }),
    ...(icon != null && { icon: toFile(notion, icon) }),
    ...(type === 'link_to_page' && withType(content)),
    ...(synced_from != null && { synced_from: withType(fieldsOf(synced_from)) }),
  }
}

/** The page that a block is on has changed. */
function touch(notion: Notion, { id }: Kept, updated: readonly string[]): void {
  let { collection, record } = holderOf(notion, id)
  while (collection === 'blocks') {
    const { page_id, block_id = page_id } = fieldsOf(record.parent)
    ;({ collection, record } = holderOf(notion, block_id))
  }
  notion.records.pages.update(record.id, { last_edited_time: notion.time })
  const updated_blocks = updated.map((of) => ({ id: of, type: 'block' }))
  notion.happen('page.content_updated', record.id, { parent: parentOf(fieldsOf(record.parent)), updated_blocks })
}

/** Whether a page is another, or below it. */
export function isBelow(notion: Notion, page: Kept, id: string): boolean {
  const { page_id } = fieldsOf(page.parent)
  return page.id === id || (page_id !== undefined && isBelow(notion, notion.find('pages', page_id), id))
}

/** Puts a page or a database below a page. @param at its place: by default the last */
export function link({ records }: Notion, above: Kept | undefined, { id }: Kept, at?: number): void {
  const kept = above && records.pages.get(above.id)
  const known = idsOf(kept?.children_ids)
  if (kept) records.pages.update(kept, { children_ids: known.toSpliced(at ?? known.length, 0, id) })
}

/** Takes a page or a database from the page that it is below. */
export function unlink({ records }: Notion, { id, parent }: Kept): void {
  const above = records.pages.get(String(fieldsOf(parent).page_id))
  const others = idsOf(above?.children_ids).filter((child) => child !== id)
  if (above !== undefined) records.pages.update(above, { children_ids: others })
}

/** Where children are put: after a block, at the start, or at the end. */
export function placeOf(notion: Notion, { children_ids }: Fields): number | undefined {
  const { after, position } = notion.body
  const { type, after_block } = fieldsOf(position)
  if (type === 'start' || type === 'page_start') return 0
  const id = after ?? fieldsOf(after_block).id
  if (id === undefined) return undefined
  const at = idsOf(children_ids).indexOf(uuidOf(id) ?? '')
  return at < 0 ? notion.invalid(`Block ${id} is not a child of the block that is appended to.`) : at + 1
}

export const blocks: Operations = {
  'GET /v1/blocks/{block_id}': (notion) => showBlock(notion),
  'PATCH /v1/blocks/{block_id}': (notion) => {
    const block = notion.find('blocks')
    const type = String(block.type)
    const other = Object.keys(notion.body).find((name) => name in TYPES && name !== type)
    if (other !== undefined) notion.invalid(`Block is of the type ${type}, which cannot become ${other}.`)
    const trashed = notion.trashing(block)
    const content = toContent(notion, type, { ...fieldsOf(block.content), ...fieldsOf(notion.body[type]) }, type)
    notion.records.blocks.update(block, { content, last_edited_time: notion.time, ...trashed })
    touch(notion, block, [block.id])
    return showBlock(notion, block.id)
  },
  'DELETE /v1/blocks/{block_id}': (notion) => {
    const { collection, record } = holderOf(notion)
    notion.refuseTrash(record)
    notion.records[collection].update(record.id, { in_trash: true, last_edited_time: notion.time })
    if (collection === 'blocks') touch(notion, record, [record.id])
    else notion.tellTrash(collection.slice(0, -1), record, { in_trash: true })
    return showBlock(notion, record.id)
  },
  'GET /v1/blocks/{block_id}/children': (notion) => {
    const items = childrenOf(notion, holderOf(notion).record).map((id) => ({ id }))
    return notion.page('block', items, ({ id }) => showBlock(notion, id))
  },
  'PATCH /v1/blocks/{block_id}/children': (notion) => {
    const { collection, record } = holderOf(notion)
    if (collection === 'databases') return notion.invalid('A database has rows, not blocks. Create a page in it.')
    notion.refuseTrash(record)
    const type = collection === 'pages' ? 'page_id' : 'block_id'
    const at = placeOf(notion, record)
    const ids = append(notion, record, notion.body.children ?? [], { type, [type]: record.id }, 'children', at)
    touch(notion, record, ids)
    const results = ids.map((id) => showBlock(notion, id))
    return { object: 'list', results, next_cursor: null, has_more: false, type: 'block', block: {} }
  },
}
