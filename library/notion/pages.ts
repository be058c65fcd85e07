import { fieldsOf, listOf } from '../openai/context.ts'
import { append, isBelow, unlink } from './blocks.ts'
import {
  born,
  type Context,
  type Fields,
  find,
  happen,
  invalid,
  isOld,
  isTrash,
  type Json,
  type Kept,
  lifeOf,
  parentOf,
  timeOf,
  toPage,
  trashing,
} from './context.ts'
import { propertyOf, propertyValue, showProperties, sourceOf, toValues } from './properties.ts'
import { toFile } from './rich-text.ts'

/** The data source of a page; undefined for a page below another. */
const sourceOfPage = ({ records }: Context, page: Fields): Kept | undefined =>
  records.data_sources.get(String(fieldsOf(page.parent).data_source_id ?? ''))

/** A page as the request's version shows it. */
export function showPage(context: Context, page: Kept): Fields {
  const parent = fieldsOf(page.parent)
  const { database_id = null } = parent
  const isRow = parent.type === 'data_source_id'
  return {
    object: 'page',
    id: page.id,
    ...lifeOf(context, page),
    is_archived: isTrash(context, page),
    is_locked: page.is_locked ?? false,
    icon: page.icon ?? null,
    cover: page.cover ?? null,
    parent: isRow && isOld(context) ? { type: 'database_id', database_id } : parent,
    properties: showProperties(page, sourceOfPage(context, page), context.query.filter_properties),
    url: `https://www.notion.example/${page.id.replaceAll('-', '')}`,
    public_url: null,
  } as Fields
}

/** The parent that a request names, and what holds it. */
function toParent(context: Context, given: Fields): { parent: Fields; source?: Kept; above?: Kept } {
  if (given.page_id !== undefined) {
    const above = find(context, 'pages', given.page_id)
    return { parent: { type: 'page_id', page_id: above.id }, above }
  }
  if (given.data_source_id !== undefined || given.database_id !== undefined) {
    const source =
      given.data_source_id === undefined
        ? sourceOf(context, find(context, 'databases', given.database_id))
        : find(context, 'data_sources', given.data_source_id)
    const { id, database_id = null } = source
    return { parent: { type: 'data_source_id', data_source_id: id, database_id }, source }
  }
  if (given.workspace === true) return { parent: { type: 'workspace', workspace: true } }
  return invalid(
    context,
    'body failed validation: body.parent.page_id or body.parent.data_source_id should be defined.',
  )
}

export const pages = {
  'POST /v1/pages': (context: Context) => {
    const { properties = {}, icon = null, cover = null, children = [] } = context.body
    const { parent, source, above } = toParent(context, fieldsOf(context.body.parent))
    const values = toValues(context, fieldsOf(properties), source)
    const number = Number(source?.last_number ?? 0) + 1
    if (source !== undefined) context.records.data_sources.update(source.id, { last_number: number })
    const looks = { icon: toFile(context, icon), cover: toFile(context, cover) }
    const page = context.records.pages.create({ ...born(context), parent, values, number, ...looks, children_ids: [] })
    if (above !== undefined)
      context.records.pages.update(above.id, { children_ids: [...idsOf(above.children_ids), page.id] })
    append(context, page, children, { type: 'page_id', page_id: page.id })
    happen(context, 'page.created', page.id, { parent: parentOf(parent) })
    return showPage(context, find(context, 'pages', page.id))
  },
  'GET /v1/pages/{page_id}': (context: Context) => showPage(context, find(context, 'pages', context.path.page_id)),
  'PATCH /v1/pages/{page_id}': (context: Context) => {
    const page = find(context, 'pages', context.path.page_id)
    const { properties, icon, cover, is_locked, erase_content } = context.body
    const in_trash = trashing(context, page)
    const values = toValues(context, fieldsOf(properties), sourceOfPage(context, page))
    const kept = listOf(page.values).filter(({ id }) => !values.some((value) => value.id === id))
    const changed = context.records.pages.update(page.id, {
      values: [...kept, ...values],
      last_edited_time: timeOf(context),
      ...(icon !== undefined && { icon: toFile(context, icon) }),
      ...(cover !== undefined && { cover: toFile(context, cover) }),
      ...(is_locked !== undefined && { is_locked }),
      ...(erase_content === true && { children_ids: [] }),
      ...(in_trash !== undefined && { in_trash }),
    })
    const parent = parentOf(fieldsOf(page.parent))
    const updated_properties = values.map(({ id }) => id)
    if (values.length > 0) happen(context, 'page.properties_updated', page.id, { parent, updated_properties })
    if (in_trash !== undefined) happen(context, in_trash ? 'page.deleted' : 'page.undeleted', page.id, { parent })
    if (is_locked !== undefined && is_locked !== page.is_locked)
      happen(context, is_locked === true ? 'page.locked' : 'page.unlocked', page.id, { parent })
    return showPage(context, changed)
  },
  'POST /v1/pages/{page_id}/move': (context: Context) => {
    const page = find(context, 'pages', context.path.page_id)
    const { parent, source, above } = toParent(context, fieldsOf(context.body.parent))
    if (above !== undefined && isBelow(context, above, page.id))
      return invalid(context, 'A page cannot be moved below itself.')
    unlink(context, page)
    if (above !== undefined)
      context.records.pages.update(above.id, {
        children_ids: [...idsOf(find(context, 'pages', above.id).children_ids), page.id],
      })
    const values = listOf(page.values).filter(
      ({ id }) => source?.id === sourceOfPage(context, page)?.id || id === 'title',
    )
    const moved = context.records.pages.update(page.id, { parent, values, last_edited_time: timeOf(context) })
    happen(context, 'page.moved', page.id, { parent: parentOf(parent) })
    return showPage(context, moved)
  },
  'GET /v1/pages/{page_id}/properties/{property_id}': (context: Context) => {
    const page = find(context, 'pages', context.path.page_id)
    const schema = sourceOfPage(context, page)?.schema ?? [{ id: 'title', name: 'title', type: 'title' }]
    const config = propertyOf({ schema }, context.path.property_id)
    if (config === undefined)
      return invalid(context, `Could not find property with name or id: ${context.path.property_id}`)
    const [type, value] = [String(config.type), propertyValue(page, config)]
    const show = (of: Json): Fields => ({ object: 'property_item', id: config.id ?? null, type, [type]: of })
    if (!Array.isArray(value) || !['title', 'rich_text', 'people', 'relation'].includes(type)) return show(value)
    const items = value.map((item, at) => ({ id: String(at), item }))
    const list = toPage(context, 'property_item', items, ({ item }) => show(item))
    const next = `${context.origin}/v1/pages/${page.id}/properties/${config.id}?start_cursor=${list.next_cursor}`
    return { ...list, property_item: { id: config.id, type, [type]: {}, next_url: list.has_more ? next : null } }
  },
}

const idsOf = (ids: unknown): string[] => (Array.isArray(ids) ? ids.map(String) : [])
