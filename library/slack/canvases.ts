/** Canvases and lists, which are files: https://docs.slack.dev/surfaces/canvases, https://docs.slack.dev/surfaces/lists */
import { eventOf } from './files.ts'
import {
  defined,
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  listOf,
  type Methods,
  type SlackRequest,
  textOf,
  textsOf,
} from './slack.ts'

const KINDS = {
  canvas: { filetype: 'quip', pretty_type: 'Canvas', mimetype: 'application/vnd.slack-docs' },
  list: { filetype: 'list', pretty_type: 'List', mimetype: 'application/vnd.slack-list' },
} as const
type Kind = keyof typeof KINDS

function create(slack: SlackRequest, kind: Kind, title: string, fields: Fields): Kept {
  const { me, of, records, unix } = slack
  const { filetype } = KINDS[kind]
  const facts = { ...KINDS[kind], mode: filetype, editable: true, state: 'shared', size: 0, origin: of.origin }
  const file = records.files.create({ name: title, title, user: me.id, created: unix, ...facts, ...fields })
  slack.tell({ type: 'file_created', ...eventOf(file.id, me.id) })
  return file
}

function documentOf(slack: SlackRequest, kind: Kind, id = slack.args[`${kind}_id`]): Kept {
  const file = slack.records.files.get(textOf(id))
  return file?.filetype === KINDS[kind].filetype ? file : slack.refuse(`${kind}_not_found`)
}

/** Checks who may read or write a document, and keeps nothing: every token may do everything. */
const setsAccess =
  (kind: Kind) =>
  (slack: SlackRequest): object => {
    const { channel_ids, user_ids, access_level } = slack.args
    documentOf(slack, kind)
    if (access_level !== undefined && !/^(read|write|owner)$/.test(textOf(access_level)))
      slack.refuse('invalid_arguments')
    for (const id of textsOf(channel_ids)) slack.seenChannel(id)
    for (const id of textsOf(user_ids)) slack.person(id)
    return {}
  }

/** The parts of a canvas: its headings and paragraphs. */
const sectionsOf = (slack: SlackRequest, content: Json | undefined): Fields[] =>
  textOf(fieldsOf(content).markdown)
    .split(/\n{2,}|\n(?=#)/)
    .filter((text) => text.trim() !== '')
    .map((text) => ({ id: slack.newId('temp:C:'), text }))

const createCanvas = (slack: SlackRequest): Kept =>
  create(slack, 'canvas', textOf(slack.args.title) || 'Untitled', {
    sections: sectionsOf(slack, slack.args.document_content),
  })

/** Creates the one canvas that a channel shows as its own. */
function addCanvas(slack: SlackRequest, channel: Kept): Kept {
  if (channel.properties != null) slack.refuse('channel_canvas_already_exists')
  const { id } = createCanvas(slack)
  const canvas = { file_id: id, is_empty: false, quip_thread_id: slack.newId('') }
  slack.records.channels.update(channel, { properties: { canvas } })
  return slack.records.files.update(id, { channels: [channel.id] })
}

const WITH_SECTION = /^(insert_before|insert_after|delete)$/

function edit(slack: SlackRequest): object {
  const { args, records } = slack
  const canvas = documentOf(slack, 'canvas')
  const sections = listOf(canvas.sections)
  for (const { operation, section_id, document_content, title_content } of listOf(args.changes)) {
    const at = sections.findIndex(({ id }) => id === section_id)
    if (at < 0 && (section_id !== undefined || WITH_SECTION.test(textOf(operation))))
      slack.refuse('canvas_editing_failed')
    const places: Record<string, [start: number, removed: number]> = {
      insert_at_start: [0, 0],
      insert_at_end: [sections.length, 0],
      insert_before: [at, 0],
      insert_after: [at + 1, 0],
      delete: [at, 1],
      replace: at < 0 ? [0, sections.length] : [at, 1],
      rename: [0, 0],
    }
    const place = places[textOf(operation)] ?? slack.refuse('invalid_arguments')
    sections.splice(...place, ...sectionsOf(slack, document_content))
    const title = textOf(fieldsOf(title_content).markdown)
    if (title !== '') records.files.update(canvas, { title })
  }
  records.files.update(canvas, { sections })
  return {}
}

function lookup(slack: SlackRequest): object {
  const { section_types, contains_text } = fieldsOf(slack.args.criteria)
  const kinds = textsOf(section_types)
  const found = listOf(documentOf(slack, 'canvas').sections).filter(({ text }) => {
    const level = /^#{1,3}(?= )/.exec(textOf(text))?.[0].length
    const fits = kinds.includes(`h${level}`) || (level !== undefined && kinds.includes('any_header'))
    return (kinds.length === 0 || fits) && textOf(text).includes(textOf(contains_text))
  })
  return { sections: found.map(({ id = '' }) => ({ id })) }
}

function remove(slack: SlackRequest): object {
  const { id } = documentOf(slack, 'canvas')
  const channel = slack.records.channels.find({ 'properties.canvas.file_id': id })
  if (channel !== undefined) slack.records.channels.update(channel, { properties: null })
  slack.records.files.remove(id)
  slack.tell({ type: 'file_deleted', file_id: id })
  return {}
}

const NAME = { key: 'name', name: 'Name', type: 'text', is_primary_column: true }
const TODO_COLUMNS = [
  { key: 'todo_completed', name: 'Completed', type: 'todo_completed' },
  { key: 'todo_assignee', name: 'Assignee', type: 'todo_assignee' },
  { key: 'todo_due_date', name: 'Due Date', type: 'todo_due_date' },
]

function createList(slack: SlackRequest): object {
  const { name, schema = [NAME], todo_mode = false, description_blocks = [] } = slack.args
  const columns = [...listOf(schema), ...(todo_mode === true ? TODO_COLUMNS : [])]
  const withIds = columns.map((column) => ({ id: slack.newId('Col'), is_primary_column: false, ...column }))
  const list_metadata = { schema: withIds, subtask_schema: withIds, views: [], todo_mode, description_blocks }
  const { id } = create(slack, 'list', textOf(name), { list_metadata })
  return { list_id: id, list_metadata }
}

/** The letters of rich text. */
const lettersOf = (parts: Json | undefined): string =>
  listOf(parts)
    .map(({ text, elements }) => textOf(text) + lettersOf(elements))
    .join('')

/** Cells as items show them, over those that an item has. */
function withCells(slack: SlackRequest, list: Kept, known: Fields[], sent: Fields[]): Fields[] {
  const columns = listOf(fieldsOf(list.list_metadata).schema)
  return sent.reduce((cells, { row_id: _, ...cell }) => {
    const column = columns.find(({ id }) => id === cell.column_id) ?? slack.refuse('invalid_column_id')
    const [value = null] = Object.entries(cell).flatMap(([name, one]) => (name === 'column_id' ? [] : [one]))
    const text = cell.rich_text === undefined ? null : lettersOf(cell.rich_text)
    const shown = { key: column.key, value: typeof value === 'string' ? value : JSON.stringify(value), ...cell, text }
    return [...cells.filter(({ column_id }) => column_id !== cell.column_id), defined(shown)]
  }, known)
}

function itemOf(slack: SlackRequest, id = slack.args.id, fault = 'item_not_found'): Kept {
  const item = slack.records.list_items.get(textOf(id))
  return item?.list_id === documentOf(slack, 'list').id ? item : slack.refuse(fault)
}

function createItem(slack: SlackRequest): object {
  const { args, me, records, unix } = slack
  const list = documentOf(slack, 'list')
  const { duplicated_item_id: copied, parent_item_id: parent } = args
  const known = copied === undefined ? [] : listOf(itemOf(slack, copied, 'duplicated_item_not_found').fields)
  const item = records.list_items.create({
    ...{ list_id: list.id, date_created: unix, created_by: me.id, updated_by: me.id, updated_timestamp: `${unix}` },
    fields: withCells(slack, list, known, listOf(args.initial_fields)),
    ...(parent !== undefined && { parent_record_id: itemOf(slack, parent).id }),
  })
  return { item: defined(item) }
}

function updateItems(slack: SlackRequest): object {
  const { me, records, unix } = slack
  const list = documentOf(slack, 'list')
  for (const cell of listOf(slack.args.cells)) {
    const item = itemOf(slack, cell.row_id, 'invalid_row_id')
    const fields = withCells(slack, list, listOf(item.fields), [cell])
    records.list_items.update(item, { fields, updated_by: me.id, updated_timestamp: `${unix}` })
  }
  return {}
}

export const canvases: Methods = {
  'POST /canvases.create': (slack) => {
    const { channel_id } = slack.args
    const canvas = channel_id ? addCanvas(slack, slack.seenChannel(channel_id)) : createCanvas(slack)
    return { canvas_id: canvas.id }
  },
  'POST /conversations.canvases.create': (slack) => ({
    canvas_id: addCanvas(slack, slack.joinedChannel()).id,
  }),
  'POST /canvases.edit': edit,
  'POST /canvases.delete': remove,
  'POST /canvases.sections.lookup': lookup,
  'POST /canvases.access.set': setsAccess('canvas'),
  'POST /canvases.access.delete': setsAccess('canvas'),
  'POST /slackLists.access.set': setsAccess('list'),
  'POST /slackLists.access.delete': setsAccess('list'),
  'POST /slackLists.create': createList,
  'POST /slackLists.update': (slack) => {
    const { id, name, todo_mode, description_blocks } = slack.args
    const list = documentOf(slack, 'list', id)
    const list_metadata = { ...fieldsOf(list.list_metadata), ...defined({ todo_mode, description_blocks }) }
    slack.records.files.update(list, { ...defined({ name, title: name }), list_metadata })
    return {}
  },
  'POST /slackLists.items.create': createItem,
  'POST /slackLists.items.update': updateItems,
  'POST /slackLists.items.info': (slack) => {
    const item = itemOf(slack)
    const subtasks = slack.records.list_items.where({ parent_record_id: item.id })
    const { id, title, list_metadata } = documentOf(slack, 'list')
    return {
      list: { id, name: title, title, list_metadata },
      record: defined(item),
      subtasks: subtasks.reverse().map(defined),
    }
  },
  'POST /slackLists.items.list': (slack) => {
    const items = slack.records.list_items.where({ list_id: documentOf(slack, 'list').id }).reverse()
    const { shown, response_metadata } = slack.page(items, defined)
    return { items: shown, response_metadata }
  },
  'POST /slackLists.items.delete': (slack) => {
    slack.records.list_items.remove(itemOf(slack))
    return {}
  },
  'POST /slackLists.items.deleteMultiple': (slack) => {
    for (const { id } of textsOf(slack.args.ids).map((id) => itemOf(slack, id))) slack.records.list_items.remove(id)
    return {}
  },
}
