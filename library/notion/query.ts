import type { Fields, Json, Kept, Notion } from './notion.ts'
import { BOT, fieldsOf, isEmpty, listOf, plainOf, propertyOf, uuidOf } from './notion.ts'
import { propertyValue } from './properties.ts'

type Test = (value: Json) => boolean

/** A page's rows that a query's filter lets pass, in the order of its sorts. */
export function select(notion: Notion, source: Fields, rows: readonly Kept[]): Kept[] {
  const { filter, sorts } = notion.body
  const test = filter == null ? () => true : toTest(notion, source, fieldsOf(filter), 0)
  const orders = listOf(sorts).map((sort) => toOrder(notion, source, sort))
  const compare = (a: Fields, b: Fields): number => orders.reduce((order, by) => order || by(a, b), 0)
  const isOldestFirst = listOf(sorts)[0]?.direction === 'ascending'
  const found = rows.filter(test)
  return (isOldestFirst ? found.toReversed() : found).toSorted(compare)
}

function toTest(notion: Notion, source: Fields, filter: Fields, depth: number): (page: Fields) => boolean {
  const group = ['and', 'or'].find((name) => filter[name] !== undefined)
  if (group !== undefined) {
    if (depth === 2) return notion.invalid('body failed validation: filters can be nested two levels deep.')
    const tests = listOf(filter[group]).map((part) => toTest(notion, source, part, depth + 1))
    return (page) => (group === 'and' ? tests.every((test) => test(page)) : tests.some((test) => test(page)))
  }
  const config = configOf(notion, source, filter)
  const type = String(config.type)
  const sent = Object.keys(filter).find((name) => !['property', 'timestamp', 'type'].includes(name))
  if (filter[type] === undefined)
    return notion.invalid(`database property ${type} does not match filter ${sent ?? 'undefined'}`)
  const test = toTests(notion, type, filter[type])
  if (Object.keys(fieldsOf(filter[type])).length === 0)
    return notion.invalid(`body failed validation: body.filter.${type} should have a condition.`)
  return (page) => test(propertyValue(notion, page, source, config))
}

/** Conditions by their operators, which must all be true. */
function toTests(notion: Notion, type: string, conditions: Json | undefined): Test {
  const tests = Object.entries(fieldsOf(conditions)).map(
    ([operator, wanted]) =>
      toCondition(notion, type, operator, wanted) ??
      notion.invalid(`body failed validation: "${operator}" is no condition of a filter of ${type}.`),
  )
  return (value) => tests.every((test) => test(value))
}

/** The property or the time that a filter or a sort names. */
function configOf(notion: Notion, source: Fields, { property, timestamp }: Fields, noun = 'property'): Fields {
  if (timestamp === 'created_time' || timestamp === 'last_edited_time') return { id: timestamp, type: timestamp }
  return propertyOf(source, property) ?? notion.invalid(`Could not find ${noun} with name or id: ${property}`)
}

function toCondition(notion: Notion, type: string, operator: string, wanted: Json): Test | undefined {
  if (operator === 'is_empty') return isEmpty
  if (operator === 'is_not_empty') return (value) => !isEmpty(value)
  const positive = operator.replace(/^does_not_(equal|contain)$/, '$1s')
  const test = CONDITIONS[type]?.(wanted, notion, positive)[positive]
  if (positive === operator || test === undefined) return test
  return /date|time/.test(type) ? undefined : (value) => !test(value)
}

/** Tests by the names of operators. */
type Tests = (wanted: Json, notion: Notion, operator: string) => Readonly<Record<string, Test>>

const text: Tests = (wanted) => {
  const textOf = (value: Json): string => (Array.isArray(value) ? plainOf(value) : String(value ?? ''))
  const has = (by: 'includes' | 'startsWith' | 'endsWith') => (value: Json) =>
    textOf(value).toLowerCase()[by](String(wanted).toLowerCase())
  const parts = { contains: has('includes'), starts_with: has('startsWith'), ends_with: has('endsWith') }
  return { equals: (value) => textOf(value) === wanted, ...parts }
}

const number: Tests = (wanted, notion, operator) => {
  if (typeof wanted !== 'number') notion.unfit(`filter.number.${operator}`, 'a number', wanted)
  const by = (isWanted: (difference: number) => boolean) => (value: Json) => {
    const found = typeof value === 'number' ? value : fieldsOf(value).number
    return typeof found === 'number' && isWanted(found - Number(wanted))
  }
  const [less, more] = [by((one) => one < 0), by((one) => one > 0)]
  const bounds = { greater_than_or_equal_to: by((one) => one >= 0), less_than_or_equal_to: by((one) => one <= 0) }
  return { equals: by((one) => one === 0), greater_than: more, less_than: less, ...bounds }
}

const named: Tests = (wanted) => ({ equals: (value) => [wanted].flat().includes(fieldsOf(value).name ?? null) })

const holds = (value: Json, name: string, wanted: Json): boolean =>
  [value].flat().some((item) => [wanted].flat().includes(fieldsOf(item)[name] ?? null))
const linked: Tests = (wanted) => {
  const id = wanted === 'me' ? BOT.id : (uuidOf(wanted) ?? wanted)
  return { contains: (value) => holds(value, 'id', id) }
}

const date: Tests = (wanted, notion, operator) => {
  const startOf = (value: Json): string => String(typeof value === 'string' ? value : (fieldsOf(value).start ?? ''))
  const range = toRanges(notion)[operator]
  const isWithin = (day: string): boolean => range !== undefined && day >= range[0] && day <= range[1]
  const within: Test = (value) => startOf(value) !== '' && isWithin(dayOf(new Date(startOf(value))))
  if (range !== undefined) return { [operator]: within }
  const want = toNames(notion)[String(wanted)] ?? String(wanted)
  if (Number.isNaN(Date.parse(want)))
    notion.invalid(`body failed validation: "${wanted}" should be a valid ISO 8601 date string.`)
  // A day is compared by days, a time by milliseconds.
  const keyOf = (time: string): number => Date.parse(want.length === 10 ? dayOf(new Date(time)) : time)
  const by = (isWanted: (difference: number) => boolean) => (value: Json) =>
    startOf(value) !== '' && isWanted(keyOf(startOf(value)) - Date.parse(want))
  const bounds = { on_or_before: by((one) => one <= 0), on_or_after: by((one) => one >= 0) }
  return { equals: by((one) => one === 0), before: by((one) => one < 0), after: by((one) => one > 0), ...bounds }
}

/** What the conditions of a formula or a rollup are of: the type of a property, and where the value is. */
const COMPUTED: Readonly<Record<string, readonly [string, string]>> = {
  ...{ string: ['rich_text', 'string'], number: ['number', 'number'] },
  ...{ checkbox: ['checkbox', 'boolean'], date: ['date', 'date'] },
}

/** Conditions of a computed value, or of any, every or none of the values of a rollup. */
const computed: Tests = (wanted, notion, operator) => {
  const [[type = '', conditions] = []] = Object.entries(fieldsOf(wanted))
  const toTest = (of: string, by: Json | undefined, name: string): Test => {
    const test = toTests(notion, of, by)
    return (value) => test(fieldsOf(value)[name] ?? null)
  }
  const [of, name] = COMPUTED[operator] ?? []
  if (of !== undefined && name !== undefined) return { [operator]: toTest(of, wanted, name) }
  const test = toTest(type, conditions, type)
  const all = (value: Json): Fields[] => listOf(fieldsOf(value).array)
  return {
    any: (value) => all(value).some(test),
    every: (value) => all(value).every(test),
    none: (value) => !all(value).some(test),
  }
}

/** The tests of each type of properties. */
const CONDITIONS: Readonly<Record<string, Tests>> = {
  ...{ formula: computed, rollup: computed },
  ...{ title: text, rich_text: text, url: text, email: text, phone_number: text, number, unique_id: number },
  ...{ select: named, status: named, date, created_time: date, last_edited_time: date },
  ...{ people: linked, relation: linked, created_by: linked, last_edited_by: linked },
  checkbox: (wanted, notion, operator) => {
    if (typeof wanted !== 'boolean') notion.unfit(`filter.checkbox.${operator}`, 'a boolean', wanted)
    return { equals: (value) => value === wanted }
  },
  multi_select: (wanted) => ({ contains: (value) => holds(value, 'name', wanted) }),
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** A day that is some days, months or years from now, in UTC. */
function shifted({ of: { now } }: Notion, days: number, months = 0, years = 0): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()] as const
  return dayOf(new Date(Date.UTC(year + years, month + months, day + days)))
}

/** Days that have names. */
const toNames = (notion: Notion): Readonly<Record<string, string>> => ({
  today: shifted(notion, 0),
  tomorrow: shifted(notion, 1),
  yesterday: shifted(notion, -1),
  one_week_ago: shifted(notion, -7),
  one_week_from_now: shifted(notion, 7),
  one_month_ago: shifted(notion, 0, -1),
  one_month_from_now: shifted(notion, 0, 1),
})

/** First and last day of the periods that have names; a week begins on Sunday. */
function toRanges(notion: Notion): Readonly<Record<string, readonly [string, string]>> {
  const today = shifted(notion, 0)
  const sunday = -notion.of.now.getUTCDay()
  return {
    this_week: [shifted(notion, sunday), shifted(notion, sunday + 6)],
    past_week: [shifted(notion, -7), today],
    past_month: [shifted(notion, 0, -1), today],
    past_year: [shifted(notion, 0, 0, -1), today],
    next_week: [today, shifted(notion, 7)],
    next_month: [today, shifted(notion, 0, 1)],
    next_year: [today, shifted(notion, 0, 0, 1)],
  }
}

/** Compares two pages; one without a value comes last. */
function toOrder(notion: Notion, source: Fields, sort: Fields): (a: Fields, b: Fields) => number {
  const config = configOf(notion, source, sort, 'sort property')
  if (sort.direction !== 'ascending' && sort.direction !== 'descending')
    return notion.invalid('body failed validation: body.sorts.direction should be `"ascending"` or `"descending"`.')
  const sign = sort.direction === 'ascending' ? 1 : -1
  return (a, b) => {
    const [one, other] = [a, b].map((page) => keyOf(config, propertyValue(notion, page, source, config)))
    if (one == null || other == null) return Number(one == null) - Number(other == null)
    if (one === other) return 0
    return one < other ? -sign : sign
  }
}

/** What a value is sorted by: options by their place in the schema, times by milliseconds. */
function keyOf(config: Fields, value: Json): string | number | null {
  const type = String(config.type)
  if (isEmpty(value)) return null
  if (type === 'rollup' || type === 'formula')
    return keyOf({ type: fieldsOf(value).type ?? null }, fieldsOf(value)[String(fieldsOf(value).type)] ?? null)
  if (type === 'title' || type === 'rich_text') return plainOf(value).toLowerCase()
  const options = listOf(fieldsOf(config[type]).options)
  const [item] = [value].flat().map(fieldsOf)
  if (options.length > 0) return options.findIndex(({ id }) => id === item?.id)
  if (type === 'date') return Date.parse(String(item?.start))
  if (type.endsWith('_time')) return Date.parse(String(value))
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  if (type === 'unique_id') return Number(item?.number)
  return String(item?.name ?? item?.id ?? value).toLowerCase()
}
