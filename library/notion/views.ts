import { fieldsOf } from '../openai/context.ts'
import { BOT, type Context, type Fields, find, invalid, type Kept, timeOf, toPage } from './context.ts'
import { sourceOf } from './properties.ts'

const TYPES = ['table', 'board', 'list', 'calendar', 'timeline', 'gallery', 'form', 'chart', 'map', 'dashboard']

/** The parts of a view that a request gives. */
const PARTS = ['name', 'filter', 'sorts', 'quick_filters', 'configuration'] as const

/** A new view of a data source; each database begins with a table. */
export function createView(context: Context, source: Kept, given: Fields): Kept {
  const { type = 'table', name = 'Default view' } = given
  if (!TYPES.includes(String(type)))
    return invalid(context, `body failed validation: body.type should be one of ${TYPES.join(', ')}.`)
  const { id: data_source_id, database_id = null } = source
  const time = timeOf(context)
  const empty = { filter: null, sorts: null, quick_filters: null, configuration: null }
  const facts = { data_source_id, database_id, type, created_time: time, last_edited_time: time }
  return context.records.views.create({ ...empty, ...partsOf(given), ...facts, name })
}

const partsOf = (given: Fields): Fields =>
  Object.fromEntries(PARTS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

const show = ({ database_id = null, ...view }: Kept): Fields =>
  ({
    object: 'view',
    ...view,
    parent: { type: 'database_id', database_id },
    created_by: BOT,
    last_edited_by: BOT,
    url: `https://www.notion.example/${String(database_id).replaceAll('-', '')}?v=${view.id.replaceAll('-', '')}`,
  }) as Fields

export const views = {
  'GET /v1/views': (context: Context) => {
    const { database_id, data_source_id } = context.query
    const base = database_id === undefined ? undefined : find(context, 'databases', database_id).id
    const source = data_source_id === undefined ? undefined : find(context, 'data_sources', data_source_id).id
    if (base === undefined && source === undefined)
      return invalid(context, 'query failed validation: query.database_id or query.data_source_id should be defined.')
    const found = [...context.records.views].filter(
      (view) =>
        (base ?? view.database_id) === view.database_id && (source ?? view.data_source_id) === view.data_source_id,
    )
    return toPage(context, 'view', found.toReversed(), show)
  },
  'POST /v1/views': (context: Context) => {
    const { data_source_id, database_id } = context.body
    const source =
      data_source_id === undefined
        ? sourceOf(context, find(context, 'databases', database_id))
        : find(context, 'data_sources', data_source_id)
    return show(createView(context, source, context.body))
  },
  'GET /v1/views/{view_id}': (context: Context) => show(find(context, 'views', context.path.view_id)),
  'PATCH /v1/views/{view_id}': (context: Context) => {
    const { id, configuration } = find(context, 'views', context.path.view_id)
    const parts = partsOf(context.body)
    const merged = { ...fieldsOf(configuration), ...fieldsOf(parts.configuration) }
    const change = { ...parts, ...(parts.configuration != null && { configuration: merged }) }
    return show(context.records.views.update(id, { ...change, last_edited_time: timeOf(context) }))
  },
  'DELETE /v1/views/{view_id}': (context: Context) => {
    const view = find(context, 'views', context.path.view_id)
    if (context.records.views.count({ database_id: view.database_id }) === 1)
      return invalid(context, 'The last view of a database cannot be deleted.')
    context.records.views.remove(view.id)
    return show(view)
  },
}
