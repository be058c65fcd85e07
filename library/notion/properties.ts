import { fieldsOf, listOf } from '../openai/context.ts'
import { BOT, type Context, type Fields, find, invalid, type Json, type Kept, unfit, uuidOf } from './context.ts'
import { toFile, toRichText } from './rich-text.ts'

/** Types of properties, with what an empty one is; null for those that Notion fills. */
const EMPTY: Readonly<Record<string, () => Json>> = {
  title: () => [],
  rich_text: () => [],
  number: () => null,
  select: () => null,
  status: () => null,
  multi_select: () => [],
  date: () => null,
  people: () => [],
  files: () => [],
  checkbox: () => false,
  url: () => null,
  email: () => null,
  phone_number: () => null,
  relation: () => [],
}
const FILLED = new Set(['created_time', 'created_by', 'last_edited_time', 'last_edited_by', 'unique_id'])
/** Most items of a list that a page shows. */
const SHOWN = 25

/** The name of a property's type in an object that has it as a field. */
const typeOf = (config: Fields): string | undefined =>
  Object.keys(config).find((name) => name in EMPTY || FILLED.has(name) || name === 'formula' || name === 'rollup')

/** A property of a request's schema. @param before the property that it changes */
export function toConfig(context: Context, name: string, given: Fields, before?: Fields): Fields {
  const type = typeOf(given) ?? before?.type
  const path = `properties.${name}`
  if (typeof type !== 'string') return unfit(context, path, 'a property of a known type', given)
  if (type === 'formula' || type === 'rollup')
    return invalid(context, `${path}: properties of the type ${type} are not computed here. Leave the property out.`)
  const id = before?.id ?? (type === 'title' ? 'title' : context.id().slice(3, 7))
  const known = before?.type === type ? fieldsOf(before[type]) : {}
  const details = toDetails(context, type, { ...known, ...fieldsOf(given[type]) }, known)
  const description = given.description ?? before?.description ?? null
  return { id, name: given.name ?? name, description, type, [type]: details }
}

function toDetails(context: Context, type: string, details: Fields, known: Fields): Fields {
  if (type === 'number') return { format: details.format ?? 'number' }
  if (type === 'unique_id') return { prefix: details.prefix ?? null }
  if (type === 'select' || type === 'multi_select')
    return { options: toOptions(context, listOf(details.options), listOf(known.options)) }
  if (type === 'status') return toStatus(context, listOf(details.options), listOf(known.options))
  return type === 'relation' ? toRelation(context, details) : {}
}

function toOptions(context: Context, given: readonly Fields[], known: readonly Fields[]): Fields[] {
  return given.map((option) => {
    const before = known.find(({ id, name }) => id === option.id || name === option.name)
    return { id: context.id(), color: 'default', description: null, ...before, ...option }
  })
}

function toStatus(context: Context, given: readonly Fields[], known: readonly Fields[]): Fields {
  const usual = ['Not started', 'In progress', 'Done'].map((name) => ({ name }))
  const options = toOptions(context, given.length > 0 ? given : usual, known)
  const groups = ['To-do', 'In progress', 'Complete'].map((name, at) => ({
    id: `group-${at}`,
    name,
    color: ['gray', 'blue', 'green'][at] ?? 'default',
    option_ids: options.filter((_, place) => (place === options.length - 1 ? 2 : Math.min(place, 1)) === at).map(idOf),
  }))
  return { options, groups }
}

const idOf = ({ id }: Fields): Json => id ?? null

function toRelation(context: Context, { data_source_id, database_id, dual_property }: Fields): Fields {
  if (dual_property !== undefined)
    return invalid(context, 'A relation with dual_property is not kept in step here. Use single_property.')
  const source =
    data_source_id === undefined
      ? sourceOf(context, find(context, 'databases', database_id))
      : find(context, 'data_sources', data_source_id)
  const { id, database_id: base } = source
  return { database_id: base ?? null, data_source_id: id, type: 'single_property', single_property: {} }
}

/** The first data source of a database. */
export const sourceOf = (context: Context, { id }: Kept): Kept =>
  [...context.records.data_sources].findLast(({ database_id }) => database_id === id) ??
  invalid(context, `Database ${id} has no data source.`)

/** The property with this name or id. */
export const propertyOf = (source: Fields, name: unknown): Fields | undefined =>
  listOf(source.schema).find((config) => config.name === name || config.id === decodeURIComponent(String(name)))

/** Values of a request by the ids of their properties, and the options that they add to the schema. */
export function toValues(context: Context, given: Fields, source: Kept | undefined): Fields[] {
  const schema = structuredClone(listOf(source?.schema ?? [{ id: 'title', name: 'title', type: 'title' }]))
  const values = Object.entries(given).map(([name, sent]) => {
    const config = propertyOf({ schema }, name)
    if (config === undefined) return invalid(context, `${name} is not a property that exists.`)
    const type = String(config.type)
    const value = Array.isArray(sent) ? sent : fieldsOf(sent)[type]
    if (FILLED.has(type)) return invalid(context, `${name} is of the type ${type}, which cannot be set.`)
    if (value === undefined) return invalid(context, `${name} is expected to be ${type}.`)
    return { id: config.id ?? null, value: toValue(context, config, value, `properties.${name}.${type}`) }
  })
  if (source !== undefined && values.length > 0) context.records.data_sources.update(source.id, { schema })
  return values
}

function toValue(context: Context, config: Fields, value: Json, path: string): Json {
  const type = String(config.type)
  const expect = (isFit: boolean, should: string): Json => (isFit ? value : unfit(context, path, should, value))
  const list = (): Fields[] => (Array.isArray(value) ? listOf(value) : unfit(context, path, 'an array', value))
  switch (type) {
    case 'title':
    case 'rich_text':
      return toRichText(context, value, path)
    case 'number':
      return expect(value === null || typeof value === 'number', 'a number or `null`')
    case 'checkbox':
      return expect(typeof value === 'boolean', 'a boolean')
    case 'select':
    case 'status':
      return value === null ? null : toOption(context, config, fieldsOf(value), path)
    case 'multi_select':
      return list().map((option) => toOption(context, config, option, path))
    case 'date':
      return toDate(context, value, path)
    case 'people':
      return list().map(({ id }) => find(context, 'users', id))
    case 'relation':
      return list().map(({ id }) => ({ id: find(context, 'pages', id).id }))
    case 'files':
      return list().map((file) => toFile(context, file))
    default:
      return expect(value === null || typeof value === 'string', 'a string or `null`')
  }
}

/** An option by its id or name; a new name is one more option, but not of a status. */
function toOption(context: Context, config: Fields, { id, name, color }: Fields, path: string): Fields {
  const details = fieldsOf(config[String(config.type)])
  const options = listOf(details.options)
  const found = options.find((option) => (id === undefined ? option.name === name : option.id === id))
  if (found !== undefined) return { id: found.id ?? null, name: found.name ?? null, color: found.color ?? null }
  if (typeof name !== 'string' || config.type === 'status')
    return invalid(context, `body failed validation: body.${path}: there is no option "${name ?? id}".`)
  if (name.includes(',')) return unfit(context, `${path}.name`, 'a name without commas', name)
  const option = { id: context.id(), name, color: color ?? 'default' }
  config[String(config.type)] = { ...details, options: [...options, { ...option, description: null }] }
  return option
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

function toDate(context: Context, value: Json, path: string): Json {
  if (value === null) return null
  const { start, end = null, time_zone = null } = fieldsOf(value)
  for (const [name, time] of Object.entries({ start, ...(end !== null && { end }) }))
    if (!DATE.test(String(time)) || Number.isNaN(Date.parse(String(time))))
      return unfit(context, `${path}.${name}`, 'a valid ISO 8601 date string', time)
  return { start, end, time_zone } as Json
}

/** The value of a page's property. */
export function propertyValue(page: Fields, { id, type, ...config }: Fields): Json {
  const name = String(type)
  if (name === 'created_by' || name === 'last_edited_by') return BOT
  if (name === 'created_time' || name === 'last_edited_time') return page[name] ?? null
  if (name === 'unique_id') return { prefix: fieldsOf(config[name]).prefix ?? null, number: page.number ?? null }
  return listOf(page.values).find((value) => value.id === id)?.value ?? EMPTY[name]?.() ?? null
}

/** The properties of a page by name. @param only names or ids of those that are shown */
export function showProperties(page: Fields, source: Fields | undefined, only?: unknown): Fields {
  const schema = listOf(source?.schema ?? [{ id: 'title', name: 'title', type: 'title' }])
  const wanted = only === undefined ? schema : [only].flat().map((name) => propertyOf({ schema }, name))
  const shown = wanted.flatMap((config) => {
    if (config === undefined) return []
    const [type, value] = [String(config.type), propertyValue(page, config)]
    const list = Array.isArray(value) ? value.slice(0, SHOWN) : value
    const more = type === 'relation' && Array.isArray(value) && { has_more: value.length > SHOWN }
    return [[String(config.name), { id: config.id, type, [type]: list, ...more }]]
  })
  return Object.fromEntries(shown) as Fields
}

/** The texts of a page's title. */
export const titleOf = (page: Fields): Json => listOf(page.values).find(({ id }) => id === 'title')?.value ?? []

/** The id of a record in a parent of a request. */
export const idIn = (parent: Fields, name: string): string | undefined =>
  parent[name] === undefined ? undefined : (uuidOf(parent[name]) ?? String(parent[name]))
