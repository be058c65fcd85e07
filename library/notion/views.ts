import { BOT, type Fields, fieldsOf, type Kept, type Notion, type Operations, urlOf } from './notion.ts'

const TYPES = ['table', 'board', 'list', 'calendar', 'timeline', 'gallery', 'form', 'chart', 'map', 'dashboard']

/** The parts of a view that a request gives. */
const PARTS = ['name', 'filter', 'sorts', 'quick_filters', 'configuration']

/** A new view of a data source; each database begins with a table. */
export function createView(notion: Notion, source: Kept, given: Fields): Kept {
  const { type = 'table', name = 'Default view' } = given
  if (!TYPES.includes(String(type)))
    notion.invalid(`body failed validation: body.type should be one of ${TYPES.join(', ')}.`)
  const { id: data_source_id, database_id = null } = source
  const empty = { filter: null, sorts: null, quick_filters: null, configuration: null }
  const facts = { data_source_id, database_id, type, created_time: notion.time, last_edited_time: notion.time }
  return notion.records.views.create({ ...empty, ...partsOf(given), ...facts, name })
}

/** Causes the event of a view. */
function tell(notion: Notion, verb: string, view: Kept, more: object = {}): Kept {
  notion.happen(`view.${verb}`, view.id, { parent: { id: view.database_id ?? null, type: 'database' }, ...more })
  return view
}

const partsOf = (given: Fields): Fields =>
  Object.fromEntries(Object.entries(given).filter(([name]) => PARTS.includes(name)))

const show = ({ database_id = null, ...view }: Kept): object => ({
  ...{ object: 'view', ...view, parent: { type: 'database_id', database_id } },
  ...{ created_by: BOT, last_edited_by: BOT },
  url: `${urlOf({ id: database_id })}?v=${view.id.replaceAll('-', '')}`,
})

export const views: Operations = {
  'GET /v1/views': (notion) => {
    const { database_id, data_source_id } = notion.query
    if (database_id === undefined && data_source_id === undefined)
      notion.invalid('query failed validation: query.database_id or query.data_source_id should be defined.')
    const found = notion.records.views.where({
      ...(database_id !== undefined && { database_id: notion.find('databases', database_id).id }),
      ...(data_source_id !== undefined && { data_source_id: notion.find('data_sources', data_source_id).id }),
    })
    return notion.page('view', found.toReversed(), show)
  },
  'POST /v1/views': (notion) => {
    const view = createView(notion, notion.source(notion.body), notion.body)
    return show(tell(notion, 'created', view, { view_type: view.type }))
  },
  'GET /v1/views/{view_id}': (notion) => show(notion.find('views')),
  'PATCH /v1/views/{view_id}': (notion) => {
    const { id, configuration } = notion.find('views')
    const parts = partsOf(notion.body)
    const merged = { ...fieldsOf(configuration), ...fieldsOf(parts.configuration) }
    const change = { ...parts, ...(parts.configuration != null && { configuration: merged }) }
    const view = notion.records.views.update(id, { ...change, last_edited_time: notion.time })
    const updated_fields = Object.keys(parts).filter((name) => name !== 'quick_filters')
    return show(tell(notion, 'updated', view, { updated_fields }))
  },
  'DELETE /v1/views/{view_id}': (notion) => {
    const view = notion.find('views')
    if (notion.records.views.count({ database_id: view.database_id }) === 1)
      notion.invalid('The last view of a database cannot be deleted.')
    notion.records.views.remove(view)
    return show(tell(notion, 'deleted', view))
  },
}
