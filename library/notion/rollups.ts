import type { Fields, Json, Notion, ReadValue } from './notion.ts'
import { fieldsOf, isEmpty, listOf, plainOf, propertyOf } from './notion.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const keyOf = (value: Json): string => (Array.isArray(value) ? plainOf(value) : '') || JSON.stringify(value)

/** Tests of values of related pages: functions give the number of those that pass and, with `percent_`, the share. */
const COUNTED: Readonly<Record<string, (value: Json) => boolean>> = {
  empty: isEmpty,
  not_empty: (value) => !isEmpty(value),
  checked: (value) => value === true,
  unchecked: (value) => value === false,
}
/** What other functions make of the values. */
const COUNTS: Readonly<Record<string, (values: readonly Json[]) => number>> = {
  count: (values) => values.length,
  count_values: (values) => sum(values.map((one) => (isEmpty(one) ? 0 : Array.isArray(one) ? one.length : 1))),
  unique: (values) => new Set(values.filter((one) => !isEmpty(one)).map(keyOf)).size,
  ...Object.fromEntries(
    Object.entries(COUNTED).flatMap(([name, test]): [string, (values: readonly Json[]) => number][] => [
      [name, (values) => values.filter(test).length],
      [`percent_${name}`, (values) => values.filter(test).length / Math.max(values.length, 1)],
    ]),
  ),
}
const NUMBERS: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  sum,
  average: (numbers) => sum(numbers) / numbers.length,
  median: (numbers) => {
    const [sorted, half] = [numbers.toSorted((a, b) => a - b), (numbers.length - 1) / 2]
    return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2
  },
  min: (numbers) => Math.min(...numbers),
  max: (numbers) => Math.max(...numbers),
  range: (numbers) => Math.max(...numbers) - Math.min(...numbers),
}
const DATES = ['earliest_date', 'latest_date', 'date_range']
const FUNCTIONS = [...Object.keys(COUNTS), ...Object.keys(NUMBERS), ...DATES, 'show_original', 'show_unique']

/** A rollup of a request, with the ids and names of what it reads. @param schema where its relation is */
export function toRollup(notion: Notion, schema: readonly Fields[], config: Fields): Fields {
  const given = fieldsOf(config.rollup)
  const { relation_property_id, relation_property_name, rollup_property_id, rollup_property_name } = given
  const path = `properties.${config.name}.rollup`
  const relation = propertyOf({ schema: [...schema] }, relation_property_name ?? relation_property_id)
  const { data_source_id } = fieldsOf(relation?.relation)
  if (relation === undefined || data_source_id === undefined)
    return notion.unfit(`${path}.relation_property_name`, 'the name of a relation', relation_property_name)
  const target = propertyOf(notion.find('data_sources', data_source_id), rollup_property_name ?? rollup_property_id)
  if (target === undefined)
    return notion.unfit(`${path}.rollup_property_name`, 'a property of the related data source', rollup_property_name)
  if (!FUNCTIONS.includes(String(given.function)))
    return notion.unfit(`${path}.function`, `one of ${FUNCTIONS.join(', ')}`, given.function)
  const [{ id: of = null, name = null }, { id = null, name: title = null }] = [relation, target]
  const ids = { relation_property_id: of, relation_property_name: name, rollup_property_id: id }
  return { ...config, rollup: { ...ids, rollup_property_name: title, function: given.function ?? null } }
}

/** What a page's rollup shows. */
export function rollUp(
  notion: Notion,
  page: Fields,
  { source, rollup, readValue }: { source: Fields; rollup: Fields; readValue: ReadValue },
): Fields {
  const name = String(rollup.function)
  const relation = propertyOf(source, rollup.relation_property_id)
  const other = notion.records.data_sources.get(String(fieldsOf(relation?.relation).data_source_id))
  const property = other && propertyOf(other, rollup.rollup_property_id)
  const related = relation ? listOf(readValue(page, source, relation)) : []
  const rows = related.flatMap(({ id }) => notion.records.pages.get(String(id)) ?? [])
  const values = property ? rows.map((row) => readValue(row, other, property)) : []
  const show = (type: string, value: Json): Fields => ({ type, [type]: value, function: name })
  if (COUNTS[name]) return show('number', COUNTS[name](values))
  const numbers = values.flatMap((one) => fieldsOf(one).number ?? one).filter((one) => typeof one === 'number')
  if (NUMBERS[name]) return show('number', numbers.length === 0 ? (name === 'sum' ? 0 : null) : NUMBERS[name](numbers))
  if (DATES.includes(name)) {
    const times = values.flatMap((one) => {
      const { start = one, end } = fieldsOf(one)
      return [start, end ?? start].filter((time) => typeof time === 'string')
    })
    const [first = null, last = null] = ((all) => [all[0], all.at(-1)])(times.toSorted())
    const start = name === 'latest_date' ? last : first
    return show('date', start === null ? null : { start, end: name === 'date_range' ? last : null, time_zone: null })
  }
  const type = String(property?.type)
  const unique = [...new Map(values.map((one) => [keyOf(one), one])).values()]
  const shown = name === 'show_unique' ? unique : values
  return show(
    'array',
    shown.map((value) => ({ type, [type]: value })),
  )
}
