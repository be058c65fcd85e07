import { link, unlink } from './blocks.ts'
import { toFormula } from './formulas.ts'
import type { Fields, Kept, Notion, Operations } from './notion.ts'
import { fieldsOf, listOf, parentOf, plainOf, propertyOf, urlOf } from './notion.ts'
import { showPage } from './pages.ts'
import { titleOf, toConfig } from './properties.ts'
import { select } from './query.ts'
import { pairRelations } from './relations.ts'
import { toFile, toRichText } from './rich-text.ts'
import { toRollup } from './rollups.ts'
import { createView } from './views.ts'

const PLAIN = { title: [], description: [], icon: null, cover: null, is_inline: false, is_locked: false }

/** The looks that a request gives: texts, icon and cover. */
function toLooks(notion: Notion): Fields {
  const given = Object.entries(notion.body).flatMap(([name, value]) => {
    if (name === 'title' || name === 'description') return [[name, toRichText(notion, value, name)]]
    if (name === 'icon' || name === 'cover') return [[name, toFile(notion, value)]]
    return name in PLAIN ? [[name, value]] : []
  })
  return Object.fromEntries(given)
}

/** The schema after the changes of a request: null removes a property. */
function toChanged(notion: Notion, source: Fields, given: Fields): Fields[] {
  let changed = listOf(source.schema)
  for (const [name, sent] of Object.entries(given)) {
    const before = propertyOf({ schema: changed }, name)
    if (before === undefined && sent === null) notion.unfit(`properties.${name}`, 'a property that exists', sent)
    if (before?.type === 'title' && sent === null) notion.invalid('Cannot delete the title property.')
    const after = sent === null ? [] : [toConfig(notion, String(before?.name ?? name), fieldsOf(sent), before)]
    changed = changed.toSpliced(before === undefined ? changed.length : changed.indexOf(before), 1, ...after)
  }
  if (changed.filter(({ type }) => type === 'title').length !== 1)
    notion.invalid('Title is not provided: `properties` should have one property of the type title.')
  if (new Set(changed.map(({ name }) => name)).size < changed.length)
    notion.invalid('Two properties of a data source cannot have one name.')
  return changed.map((config) => {
    if (config.type === 'formula') return toFormula(notion, changed, config)
    return config.type === 'rollup' ? toRollup(notion, changed, config) : config
  })
}

const propertiesOf = ({ schema }: Fields): Fields =>
  Object.fromEntries(listOf(schema).map((config) => [String(config.name), config]))

const shownOf = (notion: Notion, record: Kept) => ({
  id: record.id,
  ...Object.fromEntries(Object.keys(PLAIN).map((name) => [name, record[name]])),
  ...notion.lifeOf(record),
  ...{ url: urlOf(record), public_url: null },
})

/** A database, in a version without data sources with the properties of its first one. */
function showDatabase(notion: Notion, database: Kept): object {
  const sources = notion.records.data_sources.where({ database_id: database.id }).toReversed()
  const of = notion.isOld
    ? { properties: propertiesOf(sources[0] ?? {}) }
    : { data_sources: sources.map(({ id, title }) => ({ id, name: plainOf(title) })) }
  return { object: 'database', ...shownOf(notion, database), parent: database.parent, ...of }
}

/** A data source, or in a version without them its database. */
function showSource(notion: Notion, source: Kept): object {
  const database = notion.find('databases', source.database_id)
  if (notion.isOld) return showDatabase(notion, database)
  const parents = { parent: { type: 'database_id', database_id: database.id }, database_parent: database.parent }
  const shown = { ...shownOf(notion, source), is_locked: undefined }
  return { object: 'data_source', ...shown, ...parents, properties: propertiesOf(source) }
}

function createSource(notion: Notion, database_id: string, given: Fields, looks: Fields): Kept {
  const schema = toChanged(notion, {}, fieldsOf(given.properties))
  const facts = { ...PLAIN, ...looks, ...notion.born, database_id, schema, last_number: 0 }
  const source = notion.records.data_sources.create(facts)
  pairRelations(notion, source)
  return notion.find('data_sources', source.id)
}

function query(notion: Notion, source: Kept) {
  const { archived = false, in_trash = archived, result_type = 'page' } = notion.body
  const rows = notion.records.pages.where({ 'parent.data_source_id': source.id })
  const found = rows.filter((page) => result_type === 'page' && notion.isTrash(page) === in_trash)
  return list(notion, select(notion, source, found))
}

/** A page of pages and data sources. */
const list = (notion: Notion, found: readonly Kept[]) =>
  notion.page(notion.isOld ? 'page_or_database' : 'page_or_data_source', found, (one) =>
    one.schema === undefined ? showPage(notion, one) : showSource(notion, one),
  )

/** Puts a data source with its rows into another database. */
function moveSource(notion: Notion, source: Kept): void {
  const database = notion.find('databases', fieldsOf(notion.body.parent).database_id)
  notion.refuseTrash(database)
  const { id: database_id } = database
  notion.records.data_sources.update(source, { database_id })
  for (const row of notion.records.pages.where({ 'parent.data_source_id': source.id }))
    notion.records.pages.update(row, { parent: { ...fieldsOf(row.parent), database_id } })
  notion.happen('data_source.moved', source.id, { parent: { id: database_id, type: 'database' } })
}

function changeSource(notion: Notion, source: Kept, change: Fields): Kept {
  const given = fieldsOf(notion.body.properties)
  const schema = toChanged(notion, source, given)
  const changed = notion.records.data_sources.update(source, { ...change, last_edited_time: notion.time, schema })
  pairRelations(notion, changed, source.schema)
  const parent = { id: source.database_id ?? null, type: 'database' }
  const updated_properties = Object.keys(given).map((name) => {
    const { id } = propertyOf(changed, name) ?? propertyOf(source, name) ?? {}
    const was = propertyOf(source, name) !== undefined
    return { id, name, action: was ? (given[name] === null ? 'deleted' : 'updated') : 'created' }
  })
  if (notion.body.properties !== undefined)
    notion.happen('data_source.schema_updated', source.id, { parent, updated_properties })
  if (change.title !== undefined)
    notion.happen('data_source.content_updated', source.id, { parent, updated_blocks: [] })
  notion.tellTrash('data_source', source, change, parent)
  return notion.find('data_sources', source.id)
}

/** Where a request puts a database, which is not in the trash. */
function toPlace(notion: Notion): { parent: Fields; above?: Kept } {
  const { page_id, workspace } = fieldsOf(notion.body.parent)
  if (page_id === undefined && workspace === true) return { parent: { type: 'workspace', workspace: true } }
  if (page_id === undefined) notion.invalid('body failed validation: body.parent.page_id should be defined.')
  const above = notion.find('pages', page_id)
  notion.refuseTrash(above)
  return { parent: { type: 'page_id', page_id: above.id }, above }
}

export const databases: Operations = {
  'POST /v1/search': (notion) => {
    const { query = '', filter, sort } = notion.body
    const { value, in_trash = false } = fieldsOf(filter)
    const kinds = ['page', notion.isOld ? 'database' : 'data_source']
    if (value !== undefined && !kinds.includes(String(value)))
      notion.unfit('filter.value', kinds.map((kind) => `\`"${kind}"\``).join(' or '), value)
    const words = String(query).toLowerCase()
    const isFound = (record: Kept): boolean =>
      notion.isTrash(record) === in_trash &&
      plainOf(record.title ?? titleOf(record))
        .toLowerCase()
        .includes(words)
    const sources = value === 'page' ? [] : [...notion.records.data_sources]
    const pages = value === undefined || value === 'page' ? [...notion.records.pages] : []
    const sign = fieldsOf(sort).direction === 'ascending' ? 1 : -1
    const by = (a: Kept, b: Kept): number => sign * String(a.last_edited_time).localeCompare(String(b.last_edited_time))
    return list(notion, [...sources, ...pages].filter(isFound).toSorted(by))
  },
  'POST /v1/databases': (notion) => {
    const { parent, above } = toPlace(notion)
    const looks = toLooks(notion)
    const database = notion.records.databases.create({ ...PLAIN, ...looks, ...notion.born, parent })
    const initial = notion.isOld ? notion.body : fieldsOf(notion.body.initial_data_source)
    const given: Fields = { properties: { Name: { title: {} } }, ...initial }
    const { title = [], icon = null } = looks
    createView(notion, createSource(notion, database.id, given, { title, icon }), {})
    link(notion, above, database)
    notion.happen('database.created', database.id, { parent: parentOf(parent) })
    return showDatabase(notion, database)
  },
  'GET /v1/databases/{database_id}': (notion) => showDatabase(notion, notion.find('databases')),
  'PATCH /v1/databases/{database_id}': (notion) => {
    const database = notion.find('databases')
    const change = { ...notion.trashing(database), ...toLooks(notion) }
    if (notion.body.parent !== undefined) {
      const { parent, above } = toPlace(notion)
      unlink(notion, database)
      link(notion, above, database)
      notion.records.databases.update(database, { parent })
      notion.happen('database.moved', database.id, { parent: parentOf(parent) })
    }
    const changed = notion.records.databases.update(database, { ...change, last_edited_time: notion.time })
    if (notion.isOld) changeSource(notion, notion.source({ database_id: database.id }), change)
    notion.tellTrash('database', database, change)
    return showDatabase(notion, changed)
  },
  'POST /v1/databases/{database_id}/query': (notion) => {
    if (!notion.isOld) notion.of.refuse(400, { code: 'invalid_request_url', message: 'Invalid request URL.' })
    return query(notion, notion.source({ database_id: notion.find('databases').id }))
  },
  'POST /v1/data_sources': (notion) => {
    const database = notion.find('databases', fieldsOf(notion.body.parent).database_id)
    notion.refuseTrash(database)
    const { id } = database
    const source = createSource(notion, id, notion.body, toLooks(notion))
    notion.happen('data_source.created', source.id, { parent: { id, type: 'database' } })
    return showSource(notion, source)
  },
  'GET /v1/data_sources/{data_source_id}': (notion) => showSource(notion, notion.find('data_sources')),
  'PATCH /v1/data_sources/{data_source_id}': (notion) => {
    const source = notion.find('data_sources')
    const trashed = notion.trashing(source)
    if (notion.body.parent !== undefined) moveSource(notion, source)
    return showSource(notion, changeSource(notion, source, { ...trashed, ...toLooks(notion) }))
  },
  'GET /v1/data_sources/{data_source_id}/templates': (notion) =>
    notion.find('data_sources') && { templates: [], has_more: false, next_cursor: null },
  'POST /v1/data_sources/{data_source_id}/query': (notion) => query(notion, notion.find('data_sources')),
}
