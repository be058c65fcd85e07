import { append, isBelow, link, placeOf, unlink } from './blocks.ts'
import { splitHeading, toBlocks } from './markdown.ts'
import type { Fields, Json, Kept, Notion, Operations } from './notion.ts'
import { fieldsOf, idsOf, listOf, parentOf, plainOf, propertyOf, urlOf } from './notion.ts'
import { propertyValue, schemaOf, showProperties, titleOf, toValues } from './properties.ts'
import { relate } from './relations.ts'
import { toFile } from './rich-text.ts'

/** The data source of a page; undefined for a page below another. */
const sourceOf = ({ records }: Notion, page: Fields): Kept | undefined =>
  records.data_sources.get(String(fieldsOf(page.parent).data_source_id))

/** A page as the request's version shows it. */
export function showPage(notion: Notion, page: Kept): object {
  const parent = fieldsOf(page.parent)
  const { type, database_id } = parent
  const { is_locked = false, icon = null, cover = null } = page
  return {
    ...{ object: 'page', id: page.id, ...notion.lifeOf(page), is_archived: notion.isTrash(page) },
    ...{ is_locked, icon, cover },
    parent: type === 'data_source_id' && notion.isOld ? { type: 'database_id', database_id } : parent,
    properties: showProperties(notion, page, sourceOf(notion, page), notion.query.filter_properties),
    ...{ url: urlOf(page, plainOf(titleOf(page))), public_url: null },
  }
}

/** The parent that a request names, and what holds it, which is not in the trash. */
function toParent(notion: Notion): { parent: Fields; source?: Kept; above?: Kept } {
  const given = fieldsOf(notion.body.parent)
  if (given.page_id !== undefined) {
    const above = notion.find('pages', given.page_id)
    notion.refuseTrash(above)
    return { parent: { type: 'page_id', page_id: above.id }, above }
  }
  if (given.data_source_id !== undefined || given.database_id !== undefined) {
    const source = notion.source(given)
    notion.refuseTrash(source)
    const { id, database_id = null } = source
    return { parent: { type: 'data_source_id', data_source_id: id, database_id }, source }
  }
  if (given.workspace === true) return { parent: { type: 'workspace', workspace: true } }
  return notion.invalid('body failed validation: body.parent.page_id or body.parent.data_source_id should be defined.')
}

const toLooks = (notion: Notion, { icon, cover }: Fields): Fields => ({
  ...(icon !== undefined && { icon: toFile(notion, icon) }),
  ...(cover !== undefined && { cover: toFile(notion, cover) }),
})

function refuseTemplate(notion: Notion): void {
  const { type = 'none' } = fieldsOf(notion.body.template)
  if (type !== 'none') notion.invalid('There are no templates here. Send children or markdown instead.')
}

export const pages: Operations = {
  'POST /v1/pages': (notion) => {
    const { markdown, content = [], children = content } = notion.body
    refuseTemplate(notion)
    if (typeof markdown === 'string' && listOf(children).length > 0)
      notion.invalid('body failed validation: body.markdown and body.children cannot be sent together.')
    const { parent, source, above } = toParent(notion)
    const at = above && placeOf(notion, above)
    const sent = toValues(notion, fieldsOf(notion.body.properties), source)
    const { heading, text } = sent.some(({ id }) => id === 'title') ? { text: markdown } : splitHeading(markdown)
    const values = heading === undefined ? sent : [...sent, ...toValues(notion, { title: heading }, source)]
    const number = Number(source?.last_number ?? 0) + 1
    if (source !== undefined) notion.records.data_sources.update(source, { last_number: number })
    const looks = toLooks(notion, { icon: null, cover: null, ...notion.body })
    const page = notion.records.pages.create({ ...notion.born, parent, values, number, ...looks, children_ids: [] })
    link(notion, above, page, at)
    relate(notion, page, source && notion.find('data_sources', source.id), [])
    append(notion, page, typeof text === 'string' ? toBlocks(text) : children, { type: 'page_id', page_id: page.id })
    notion.happen('page.created', page.id, { parent: parentOf(parent) })
    notion.tellRow(page.id, parent)
    return showPage(notion, notion.find('pages', page.id))
  },
  'GET /v1/pages/{page_id}': (notion) => showPage(notion, notion.find('pages')),
  'PATCH /v1/pages/{page_id}': (notion) => {
    const page = notion.find('pages')
    const { properties, is_locked, erase_content } = notion.body
    refuseTemplate(notion)
    const trashed = notion.trashing(page)
    const values = toValues(notion, fieldsOf(properties), sourceOf(notion, page))
    const kept = listOf(page.values).filter(({ id }) => !values.some((value) => value.id === id))
    const facts = { values: [...kept, ...values], last_edited_time: notion.time, ...trashed }
    const changed = notion.records.pages.update(page, {
      ...{ ...facts, ...toLooks(notion, notion.body), ...(is_locked !== undefined && { is_locked }) },
      ...(erase_content === true && { children_ids: [] }),
    })
    relate(notion, changed, sourceOf(notion, page), page.values)
    const parent = parentOf(fieldsOf(page.parent))
    const updated_properties = values.map(({ id }) => id)
    if (values.length > 0) notion.happen('page.properties_updated', page.id, { parent, updated_properties })
    const updated_blocks = idsOf(page.children_ids).map((id) => ({ id, type: 'block' }))
    if (erase_content === true) notion.happen('page.content_updated', page.id, { parent, updated_blocks })
    notion.tellTrash('page', page, trashed)
    if (is_locked !== undefined && is_locked !== page.is_locked)
      notion.happen(is_locked === true ? 'page.locked' : 'page.unlocked', page.id, { parent })
    return showPage(notion, notion.find('pages', page.id))
  },
  'POST /v1/pages/{page_id}/move': (notion) => {
    const page = notion.find('pages')
    notion.refuseTrash(page)
    const { parent, source, above } = toParent(notion)
    if (above !== undefined && isBelow(notion, above, page.id)) notion.invalid('A page cannot be moved below itself.')
    unlink(notion, page)
    link(notion, above, page)
    const isSame = source?.id === sourceOf(notion, page)?.id
    const values = listOf(page.values).filter(({ id }) => isSame || id === 'title')
    const moved = notion.records.pages.update(page, { parent, values, last_edited_time: notion.time })
    notion.happen('page.moved', page.id, { parent: parentOf(parent) })
    if (!isSame) for (const place of [page.parent, parent]) notion.tellRow(page.id, place)
    return showPage(notion, moved)
  },
  'GET /v1/pages/{page_id}/properties/{property_id}': (notion) => {
    const { page_id, property_id } = notion.of.path
    const page = notion.find('pages', page_id)
    const source = sourceOf(notion, page)
    const named = (name: unknown): Fields =>
      propertyOf({ schema: schemaOf(source) }, name) ?? notion.invalid(`${property_id} is not a property that exists.`)
    const readOf = (config: Fields): Json => propertyValue(notion, page, source, config)
    const own = named(property_id)
    const [{ id = null }, rollup] = [own, fieldsOf(own.rollup)]
    // The items of a rollup are those of its relation.
    const listed = own.type === 'rollup' ? named(rollup.relation_property_id) : own
    const value = readOf(listed)
    const show = ({ id = null, type }: Fields, of: Json): Fields => {
      return { object: 'property_item', id, type: String(type), [String(type)]: of }
    }
    if (!Array.isArray(value) || !/^(title|rich_text|people|relation)$/.test(String(listed.type)))
      return show(own, value)
    const items = value.map((item, at) => ({ id: String(at), item }))
    const list = notion.page('property_item', items, ({ item }) => show(listed, item))
    const next = `${notion.of.origin}/v1/pages/${page.id}/properties/${id}?start_cursor=${list.next_cursor}`
    const { object: _, ...item } = show(own, own === listed ? {} : readOf(own))
    return { ...list, property_item: { ...item, next_url: list.has_more ? next : null } }
  },
}
