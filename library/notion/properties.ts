import { compute } from './formulas.ts'
import type { Fields, Json, Kept, Notion, ReadValue } from './notion.ts'
import { BOT, fieldsOf, listOf, propertyOf } from './notion.ts'
import { DUAL } from './relations.ts'
import { toFile, toRichText } from './rich-text.ts'
import { rollUp } from './rollups.ts'

/** Reads a value of a request. */
type Read = (notion: Notion, value: Json, path: string, config: Fields) => Json

const expect =
  (test: (value: Json) => boolean, should: string): Read =>
  (notion, value, path) =>
    test(value) ? value : notion.unfit(path, should, value)
const isPlace = ({ lat, lon }: Fields): boolean => typeof lat === 'number' && typeof lon === 'number'
const text = expect((value) => value === null || typeof value === 'string', 'a string or `null`')
const each =
  (read: (notion: Notion, item: Fields, path: string, config: Fields) => Json): Read =>
  (notion, value, path, config) =>
    Array.isArray(value)
      ? listOf(value).map((item) => read(notion, item, path, config))
      : notion.unfit(path, 'an array', value)
const option: Read = (notion, value, path, config) =>
  value === null ? null : toOption(notion, config, fieldsOf(value), path)

/** Types of properties, with what an empty one is, and how a value of a request is read. */
const TYPES: Readonly<Record<string, readonly [Json, Read]>> = {
  title: [[], toRichText],
  rich_text: [[], toRichText],
  number: [null, expect((value) => value === null || typeof value === 'number', 'a number or `null`')],
  select: [null, option],
  status: [null, option],
  multi_select: [[], each((notion, item, path, config) => toOption(notion, config, item, path))],
  date: [null, toDate],
  people: [[], each((notion, { id = '' }) => notion.find('users', id))],
  files: [[], each(toFile)],
  checkbox: [false, expect((value) => typeof value === 'boolean', 'a boolean')],
  url: [null, text],
  email: [null, text],
  phone_number: [null, text],
  place: [null, expect((value) => value === null || isPlace(fieldsOf(value)), 'a place with `lat` and `lon`')],
  button: [{}, text],
  relation: [[], each((notion, { id = '' }) => ({ id: notion.find('pages', id).id }))],
}
/** Types of properties that Notion fills. */
const FILLED = /^(created_time|created_by|last_edited_time|last_edited_by|unique_id|rollup|formula|button)$/
/** Most items of a list that a page shows. */
const SHOWN = 25

/** A property of a request's schema. @param before the property that it changes */
export function toConfig(notion: Notion, name: string, given: Fields, before: Fields = {}): Fields {
  const isType = (one: string): boolean => one in TYPES || FILLED.test(one)
  const type = Object.keys(given).find(isType) ?? before.type
  const path = `properties.${name}`
  if (typeof type !== 'string') return notion.unfit(path, 'a property of a known type', given)
  const id = before.id ?? (type === 'title' ? 'title' : notion.of.id().slice(3, 7))
  const known = before.type === type ? fieldsOf(before[type]) : {}
  const sent = fieldsOf(given[type])
  const details =
    type === 'relation'
      ? toRelation(notion, known, sent)
      : toDetails(notion, type, { ...known, ...sent }, listOf(known.options))
  const description = given.description ?? before.description ?? null
  return { id, name: given.name ?? name, description, type, [type]: details }
}

function toDetails(notion: Notion, type: string, details: Fields, known: readonly Fields[]): Fields {
  if (type === 'number') return { format: details.format ?? 'number' }
  if (type === 'unique_id') return { prefix: details.prefix ?? null }
  if (type === 'rollup' || type === 'formula') return details
  if (!/select$|^status$/.test(type)) return {}
  const usual = type === 'status' ? STATES : []
  const given = listOf(details.options)
  const twice = given.find(({ name }, at) => name !== undefined && given.findIndex((other) => other.name === name) < at)
  if (twice !== undefined) notion.invalid(`Two options cannot have one name: "${twice.name}".`)
  const options = (given.length > 0 ? given : usual).map((option): Fields => {
    const isSame = ({ id, name }: Fields): boolean => name === option.name && !given.some((other) => other.id === id)
    const before = known.find(({ id }) => id === option.id) ?? known.find(isSame)
    if (before !== undefined && option.color !== undefined && option.color !== before.color)
      notion.invalid(`Cannot update color of select with name: ${before.name}.`)
    return { id: notion.of.id(), color: 'default', description: null, ...before, ...option }
  })
  return type === 'status' ? { options, groups: toGroups(options) } : { options }
}

/** The options of a status that names none. */
const STATES: Fields[] = [
  { name: 'Not started' },
  { name: 'In progress', color: 'blue' },
  { name: 'Done', color: 'green' },
]

/** The first option is to do, the last one complete. */
const toGroups = (options: readonly Fields[]): Fields[] =>
  (['gray', 'blue', 'green'] as const).map((color, at) => {
    const isIn = (place: number): boolean => (place === options.length - 1 ? 2 : Math.min(place, 1)) === at
    const option_ids = options.flatMap(({ id = null }, place) => (isIn(place) ? [id] : []))
    return { id: `group-${at}`, name: ['To-do', 'In progress', 'Complete'][at] ?? '', color, option_ids }
  })

function toRelation(notion: Notion, known: Fields, sent: Fields): Fields {
  const { id, database_id = null } = notion.source({ ...known, ...sent })
  const isDual = sent.dual_property !== undefined || (sent.single_property === undefined && known.type === DUAL)
  const type = isDual ? DUAL : 'single_property'
  return { database_id, data_source_id: id, type, [type]: { ...fieldsOf(known[type]), ...fieldsOf(sent[type]) } }
}

/** The properties of a data source; without one, those of a page below another. */
export const schemaOf = (source: Fields | undefined): Json =>
  source?.schema ?? [{ id: 'title', name: 'title', type: 'title' }]

/** Values of a request by the ids of their properties, and the options that they add to the schema. */
export function toValues(notion: Notion, given: Fields, source: Kept | undefined): Fields[] {
  const schema = structuredClone(schemaOf(source))
  const values = Object.entries(given).map(([name, sent]) => {
    const config = propertyOf({ schema }, name) ?? notion.invalid(`${name} is not a property that exists.`)
    const type = String(config.type)
    const value = Array.isArray(sent) ? sent : fieldsOf(sent)[type]
    if (FILLED.test(type)) notion.invalid(`${name} is of the type ${type}, which cannot be set.`)
    if (value === undefined) return notion.invalid(`${name} is expected to be ${type}.`)
    const [, read = text] = TYPES[type] ?? []
    return { id: config.id ?? null, value: read(notion, value, `properties.${name}.${type}`, config) }
  })
  if (source !== undefined && values.length > 0) notion.records.data_sources.update(source, { schema })
  return values
}

/** An option by its id or name; a new name is one more option, but not of a status. */
function toOption(notion: Notion, config: Fields, { id, name, color }: Fields, path: string): Fields {
  const details = fieldsOf(config[String(config.type)])
  const options = listOf(details.options)
  const found = options.find((option) => (id === undefined ? option.name === name : option.id === id))
  if (found !== undefined) return { id: found.id ?? null, name: found.name ?? null, color: found.color ?? null }
  if (typeof name !== 'string' || config.type === 'status')
    return notion.invalid(`body failed validation: body.${path}: there is no option "${name ?? id}".`)
  if (name.includes(',')) return notion.unfit(`${path}.name`, 'a name without commas', name)
  const option = { id: notion.of.id(), name, color: color ?? 'default' }
  // The schema is a copy that is stored after all values.
  Object.assign(details, { options: [...options, { ...option, description: null }] })
  return option
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

export function toDate(notion: Notion, value: Json, path: string): Json {
  if (value === null) return null
  const { start = null, end = null, time_zone = null } = fieldsOf(value)
  for (const [name, time] of Object.entries({ start, ...(end !== null && { end }) }))
    if (!DATE.test(String(time)) || Number.isNaN(Date.parse(String(time))))
      notion.unfit(`${path}.${name}`, 'a valid ISO 8601 date string', time)
  return { start, end, time_zone }
}

/** Options that the schema still has. */
function withoutRemoved(stored: Json | undefined, options: readonly Fields[]): Json | undefined {
  const isThere = (one: Json) => options.some(({ id }) => id === fieldsOf(one).id)
  if (Array.isArray(stored)) return stored.filter(isThere)
  return stored == null || isThere(stored) ? stored : null
}

/** The value of a page's property. @param source whose property it is */
export function propertyValue(notion: Notion, page: Fields, source: Fields | undefined, property: Fields): Json {
  const { id, type, ...config } = property
  const name = String(type)
  const readValue: ReadValue = (...read) => propertyValue(notion, ...read)
  if (name === 'formula') return compute(notion, page, { source: source ?? {}, config: property, readValue })
  if (name === 'rollup')
    return rollUp(notion, page, { source: source ?? {}, rollup: fieldsOf(config.rollup), readValue })
  if (name.endsWith('_by')) return BOT
  if (name.endsWith('_time')) return page[name] ?? null
  if (name === 'unique_id') return { prefix: fieldsOf(config[name]).prefix ?? null, number: page.number ?? null }
  const stored = listOf(page.values).find((value) => value.id === id)?.value
  const kept = /select$|^status$/.test(name) ? withoutRemoved(stored, listOf(fieldsOf(config[name]).options)) : stored
  const [first] = name === 'status' && kept === undefined ? listOf(fieldsOf(config.status).options) : []
  const { id: of = null, color = null } = first ?? {}
  return kept ?? (first && { id: of, name: first.name ?? null, color }) ?? TYPES[name]?.[0] ?? null
}

/** The properties of a page by name. @param only names or ids of those that are shown */
export function showProperties(notion: Notion, page: Fields, source: Fields | undefined, only?: unknown): object {
  const schema = schemaOf(source)
  const wanted = only === undefined ? listOf(schema) : [only].flat().map((name) => propertyOf({ schema }, name))
  const shown = wanted.flatMap((config) => {
    if (config === undefined) return []
    const [type, value] = [String(config.type), propertyValue(notion, page, source, config)]
    const list = Array.isArray(value) ? value.slice(0, SHOWN) : value
    const more = type === 'relation' && Array.isArray(value) && { has_more: value.length > SHOWN }
    return [[String(config.name), { id: config.id, type, [type]: list, ...more }]]
  })
  return Object.fromEntries(shown)
}

/** The texts of a page's title. */
export const titleOf = (page: Fields): Json => listOf(page.values).find(({ id }) => id === 'title')?.value ?? []
