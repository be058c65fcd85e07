import { fieldsOf, listOf } from '../openai/context.ts'
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
  unfit,
} from './context.ts'
import { showPage } from './pages.ts'
import { propertyOf, sourceOf, toConfig } from './properties.ts'
import { select } from './query.ts'
import { plainOf, toFile, toRichText } from './rich-text.ts'
import { createView } from './views.ts'

/** The looks that a request gives: texts, icon and cover. */
function toLooks(context: Context): Fields {
  const { title, description, icon, cover, is_inline, is_locked } = context.body
  return {
    ...(title !== undefined && { title: toRichText(context, title, 'title') }),
    ...(description !== undefined && { description: toRichText(context, description, 'description') }),
    ...(icon !== undefined && { icon: toFile(context, icon) }),
    ...(cover !== undefined && { cover: toFile(context, cover) }),
    ...(is_inline !== undefined && { is_inline }),
    ...(is_locked !== undefined && { is_locked }),
  }
}

const PLAIN = { title: [], description: [], icon: null, cover: null, is_inline: false, is_locked: false }

/** The schema of a new data source. */
function toSchema(context: Context, given: Fields): Fields[] {
  const schema = Object.entries(given).map(([name, config]) => toConfig(context, name, fieldsOf(config)))
  if (schema.filter(({ type }) => type === 'title').length !== 1)
    return invalid(context, 'Title is not provided: `properties` should have one property of the type title.')
  return schema
}

/** The schema after the changes of a request: null removes a property. */
function toChanged(context: Context, source: Kept, given: Fields): Fields[] {
  let changed = listOf(source.schema)
  for (const [name, sent] of Object.entries(given)) {
    const before = propertyOf({ schema: changed }, name)
    if (before === undefined && sent === null)
      return unfit(context, `properties.${name}`, 'a property that exists', sent)
    if (before?.type === 'title' && sent === null) return invalid(context, 'Cannot delete the title property.')
    const after = sent === null ? [] : [toConfig(context, String(before?.name ?? name), fieldsOf(sent), before)]
    const at = before === undefined ? changed.length : changed.indexOf(before)
    changed = changed.toSpliced(at, 1, ...after)
  }
  if (changed.filter(({ type }) => type === 'title').length !== 1)
    return invalid(context, 'A data source has one property of the type title.')
  if (new Set(changed.map(({ name }) => name)).size < changed.length)
    return invalid(context, 'Two properties of a data source cannot have one name.')
  return changed
}

const propertiesOf = ({ schema }: Fields): Fields =>
  Object.fromEntries(listOf(schema).map((config) => [String(config.name), config]))

/** A database, in a version without data sources with the properties of its first one. */
function showDatabase(context: Context, database: Kept): Fields {
  const { id } = database
  const sources = [...context.records.data_sources].filter(({ database_id }) => database_id === id).toReversed()
  const of = isOld(context)
    ? { properties: propertiesOf(sourceOf(context, database)) }
    : { data_sources: sources.map((source) => ({ id: source.id, name: plainOf(source.title) })) }
  return { object: 'database', ...shownOf(context, database), parent: database.parent, ...of } as Fields
}

const shownOf = (context: Context, record: Kept) => ({
  id: record.id,
  ...Object.fromEntries(Object.keys(PLAIN).map((name) => [name, record[name]])),
  ...lifeOf(context, record),
  url: `https://www.notion.example/${record.id.replaceAll('-', '')}`,
  public_url: null,
})

/** A data source, or in a version without them its database. */
export function showSource(context: Context, source: Kept): Fields {
  const database = find(context, 'databases', source.database_id)
  if (isOld(context)) return showDatabase(context, database)
  const parents = { parent: { type: 'database_id', database_id: database.id }, database_parent: database.parent }
  const { is_locked: _, ...shown } = shownOf(context, source) as Fields
  return { object: 'data_source', ...shown, ...parents, properties: propertiesOf(source) } as Fields
}

function createSource(context: Context, database_id: string, given: Fields, looks: Fields): Kept {
  const schema = toSchema(context, fieldsOf(given.properties))
  const facts = { ...PLAIN, ...looks, ...born(context), database_id, schema, last_number: 0 }
  return context.records.data_sources.create(facts)
}

function query(context: Context, source: Kept) {
  const rows = [...context.records.pages].filter(
    (page) =>
      fieldsOf(page.parent).data_source_id === source.id && isTrash(context, page) === (context.body.in_trash ?? false),
  )
  return toPage(
    context,
    isOld(context) ? 'page_or_database' : 'page_or_data_source',
    select(context, source, rows),
    (page) => showPage(context, page),
  )
}

function changeSource(context: Context, source: Kept, change: Fields): Kept {
  const { properties } = context.body
  const schema = properties === undefined ? undefined : toChanged(context, source, fieldsOf(properties))
  const time = { last_edited_time: timeOf(context) }
  const changed = context.records.data_sources.update(source.id, { ...change, ...time, ...(schema && { schema }) })
  const parent = { id: source.database_id ?? null, type: 'database' }
  if (schema !== undefined) {
    const updated_properties = Object.keys(fieldsOf(properties)).map((name) => {
      const { id } = propertyOf(changed, name) ?? propertyOf(source, name) ?? {}
      const was = propertyOf(source, name) !== undefined
      return { id, name, action: was ? (fieldsOf(properties)[name] === null ? 'deleted' : 'updated') : 'created' }
    })
    happen(context, 'data_source.schema_updated', source.id, { parent, updated_properties })
  }
  if (change.title !== undefined) happen(context, 'data_source.content_updated', source.id, { parent })
  if (change.in_trash !== undefined)
    happen(context, change.in_trash === true ? 'data_source.deleted' : 'data_source.undeleted', source.id, { parent })
  return changed
}

export const databases = {
  'POST /v1/databases': (context: Context) => {
    const { page_id, workspace } = fieldsOf(context.body.parent)
    if (page_id === undefined && workspace !== true)
      return invalid(context, 'body failed validation: body.parent.page_id should be defined.')
    const above = page_id === undefined ? undefined : find(context, 'pages', page_id)
    const parent: Fields = above ? { type: 'page_id', page_id: above.id } : { type: 'workspace', workspace: true }
    const looks = toLooks(context)
    const database = context.records.databases.create({ ...PLAIN, ...looks, ...born(context), parent })
    const initial = isOld(context) ? context.body : fieldsOf(context.body.initial_data_source)
    const { title = [], icon = null } = looks
    const usual = { properties: { Name: { title: {} } } }
    createView(context, createSource(context, database.id, { ...usual, ...initial } as Fields, { title, icon }), {})
    if (above !== undefined) {
      const children: Json[] = Array.isArray(above.children_ids) ? above.children_ids : []
      context.records.pages.update(above.id, { children_ids: [...children, database.id] })
    }
    happen(context, 'database.created', database.id, { parent: parentOf(parent) })
    return showDatabase(context, database)
  },
  'GET /v1/databases/{database_id}': (context: Context) =>
    showDatabase(context, find(context, 'databases', context.path.database_id)),
  'PATCH /v1/databases/{database_id}': (context: Context) => {
    const database = find(context, 'databases', context.path.database_id)
    const in_trash = trashing(context, database)
    const change = { ...toLooks(context), ...(in_trash !== undefined && { in_trash }) }
    const time = { last_edited_time: timeOf(context) }
    const changed = context.records.databases.update(database.id, { ...change, ...time })
    if (isOld(context)) changeSource(context, sourceOf(context, database), change)
    const parent = parentOf(fieldsOf(database.parent))
    if (in_trash !== undefined)
      happen(context, in_trash ? 'database.deleted' : 'database.undeleted', database.id, { parent })
    return showDatabase(context, changed)
  },
  'POST /v1/databases/{database_id}/query': (context: Context) => {
    if (!isOld(context)) return context.refuse(400, { code: 'invalid_request_url', message: 'Invalid request URL.' })
    return query(context, sourceOf(context, find(context, 'databases', context.path.database_id)))
  },
  'POST /v1/data_sources': (context: Context) => {
    const database = find(context, 'databases', fieldsOf(context.body.parent).database_id)
    const source = createSource(context, database.id, context.body, toLooks(context))
    happen(context, 'data_source.created', source.id, { parent: { id: database.id, type: 'database' } })
    return showSource(context, source)
  },
  'GET /v1/data_sources/{data_source_id}': (context: Context) =>
    showSource(context, find(context, 'data_sources', context.path.data_source_id)),
  'PATCH /v1/data_sources/{data_source_id}': (context: Context) => {
    const source = find(context, 'data_sources', context.path.data_source_id)
    const in_trash = trashing(context, source)
    return showSource(
      context,
      changeSource(context, source, { ...toLooks(context), ...(in_trash !== undefined && { in_trash }) }),
    )
  },
  'GET /v1/data_sources/{data_source_id}/templates': (context: Context) => {
    find(context, 'data_sources', context.path.data_source_id)
    return { templates: [], has_more: false, next_cursor: null }
  },
  'POST /v1/data_sources/{data_source_id}/query': (context: Context) =>
    query(context, find(context, 'data_sources', context.path.data_source_id)),
}
