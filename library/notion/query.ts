import { fieldsOf, listOf } from '../openai/context.ts'
import { BOT, type Context, type Fields, invalid, type Json, uuidOf } from './context.ts'
import { propertyOf, propertyValue } from './properties.ts'
import { plainOf } from './rich-text.ts'

type Test = (value: Json) => boolean

/** A page's rows that a query's filter lets pass, in the order of its sorts. */
export function select<P extends Fields>(context: Context, source: Fields, rows: readonly P[]): P[] {
  const { filter, sorts } = context.body
  const test = filter == null ? () => true : toTest(context, source, fieldsOf(filter), 0)
  const orders = listOf(sorts).map((sort) => toOrder(context, source, sort))
  const compare = (a: Fields, b: Fields): number => orders.reduce((order, by) => order || by(a, b), 0)
  return rows.filter(test).toSorted(compare)
}

function toTest(context: Context, source: Fields, filter: Fields, depth: number): (page: Fields) => boolean {
  const group = ['and', 'or'].find((name) => filter[name] !== undefined)
  if (group !== undefined) {
    if (depth === 2) return invalid(context, 'body failed validation: filters can be nested two levels deep.')
    const tests = listOf(filter[group]).map((part) => toTest(context, source, part, depth + 1))
    return (page) => (group === 'and' ? tests.every((test) => test(page)) : tests.some((test) => test(page)))
  }
  const config = configOf(context, source, filter)
  const type = String(config.type)
  const sent = Object.keys(filter).find((name) => !['property', 'timestamp', 'type'].includes(name))
  if (filter[type] === undefined)
    return invalid(context, `database property ${type} does not match filter ${sent ?? 'undefined'}`)
  const tests = Object.entries(fieldsOf(filter[type])).map(([operator, wanted]) => {
    const test = toCondition(context, type, operator, wanted)
    return test ?? invalid(context, `body failed validation: "${operator}" is no condition of a filter of ${type}.`)
  })
  if (tests.length === 0)
    return invalid(context, `body failed validation: body.filter.${type} should have a condition.`)
  return (page) => tests.every((test) => test(propertyValue(page, config)))
}

/** The property or the time that a filter or a sort names. */
function configOf(context: Context, source: Fields, { property, timestamp }: Fields): Fields {
  if (timestamp === 'created_time' || timestamp === 'last_edited_time') return { id: timestamp, type: timestamp }
  return propertyOf(source, property) ?? invalid(context, `Could not find property with name or id: ${property}`)
}

function toCondition(context: Context, type: string, operator: string, wanted: Json): Test | undefined {
  if (operator === 'is_empty') return isEmpty
  if (operator === 'is_not_empty') return (value) => !isEmpty(value)
  switch (type) {
    case 'title':
    case 'rich_text':
      return textTest(operator, wanted, plainOf)
    case 'url':
    case 'email':
    case 'phone_number':
      return textTest(operator, wanted, (value) => String(value ?? ''))
    case 'number':
      return numberTest(operator, Number(wanted), (value) => value)
    case 'unique_id':
      return numberTest(operator, Number(wanted), (value) => fieldsOf(value).number ?? null)
    case 'checkbox':
      return equality(operator, (value) => value === wanted)
    case 'select':
    case 'status':
      return equality(operator, (value) => [wanted].flat().includes(fieldsOf(value).name ?? null))
    case 'multi_select':
      return membership(operator, [wanted].flat(), ({ name }) => name)
    case 'people':
    case 'relation':
    case 'created_by':
    case 'last_edited_by':
      return membership(operator, [wanted === 'me' ? BOT.id : (uuidOf(wanted) ?? wanted)], ({ id }) => id)
    case 'date':
    case 'created_time':
    case 'last_edited_time':
      return dateTest(context, operator, wanted)
    default:
      return undefined
  }
}

const isEmpty: Test = (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

const negated =
  (test: Test): Test =>
  (value) =>
    !test(value)

function equality(operator: string, test: Test): Test | undefined {
  if (operator === 'equals') return test
  return operator === 'does_not_equal' ? negated(test) : undefined
}

function membership(operator: string, wanted: readonly Json[], keyOf: (item: Fields) => unknown): Test | undefined {
  const test: Test = (value) => [value].flat().some((item) => wanted.some((want) => want === keyOf(fieldsOf(item))))
  if (operator === 'contains') return test
  return operator === 'does_not_contain' ? negated(test) : undefined
}

function textTest(operator: string, wanted: Json, textOf: (value: Json) => string): Test | undefined {
  const text = (value: Json): string => textOf(value).toLowerCase()
  const want = String(wanted).toLowerCase()
  const tests: Readonly<Record<string, Test>> = {
    contains: (value) => text(value).includes(want),
    does_not_contain: (value) => !text(value).includes(want),
    starts_with: (value) => text(value).startsWith(want),
    ends_with: (value) => text(value).endsWith(want),
  }
  return equality(operator, (value) => textOf(value) === wanted) ?? tests[operator]
}

function numberTest(operator: string, wanted: number, numberOf: (value: Json) => Json): Test | undefined {
  const by = (compare: (value: number) => boolean): Test => {
    return (value) => {
      const number = numberOf(value)
      return typeof number === 'number' && compare(number)
    }
  }
  const tests: Readonly<Record<string, Test>> = {
    greater_than: by((value) => value > wanted),
    less_than: by((value) => value < wanted),
    greater_than_or_equal_to: by((value) => value >= wanted),
    less_than_or_equal_to: by((value) => value <= wanted),
  }
  return equality(operator, (value) => numberOf(value) === wanted) ?? tests[operator]
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** A day that is some days, months or years from now, in UTC. */
function shifted({ now }: Context, days: number, months = 0, years = 0): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()] as const
  return dayOf(new Date(Date.UTC(year + years, month + months, day + days)))
}

function dateTest(context: Context, operator: string, wanted: Json): Test | undefined {
  const range = toRanges(context)[operator]
  const startOf = (value: Json): string | undefined => {
    const start = typeof value === 'string' ? value : fieldsOf(value).start
    return typeof start === 'string' ? start : undefined
  }
  if (range !== undefined)
    return (value) => {
      const start = startOf(value)
      const day = start === undefined ? '' : dayOf(new Date(start))
      return start !== undefined && day >= range[0] && day <= range[1]
    }
  const want = toNames(context)[String(wanted)] ?? String(wanted)
  if (Number.isNaN(Date.parse(want)))
    return invalid(context, `body failed validation: "${wanted}" should be a valid ISO 8601 date string.`)
  // A day is compared by days, a time by milliseconds.
  const keyOf = (time: string): number => Date.parse(want.length === 10 ? dayOf(new Date(time)) : time)
  const by = (compare: (value: number, to: number) => boolean): Test => {
    return (value) => {
      const start = startOf(value)
      return start !== undefined && compare(keyOf(start), Date.parse(want))
    }
  }
  const tests: Readonly<Record<string, Test>> = {
    equals: by((value, to) => value === to),
    before: by((value, to) => value < to),
    after: by((value, to) => value > to),
    on_or_before: by((value, to) => value <= to),
    on_or_after: by((value, to) => value >= to),
  }
  return tests[operator]
}

/** Days that have names. */
const toNames = (context: Context): Readonly<Record<string, string>> => ({
  today: shifted(context, 0),
  tomorrow: shifted(context, 1),
  yesterday: shifted(context, -1),
  one_week_ago: shifted(context, -7),
  one_week_from_now: shifted(context, 7),
  one_month_ago: shifted(context, 0, -1),
  one_month_from_now: shifted(context, 0, 1),
})

/** First and last day of the periods that have names; a week begins on Sunday. */
function toRanges(context: Context): Readonly<Record<string, readonly [string, string]>> {
  const today = shifted(context, 0)
  const sunday = -context.now.getUTCDay()
  return {
    this_week: [shifted(context, sunday), shifted(context, sunday + 6)],
    past_week: [shifted(context, -7), today],
    past_month: [shifted(context, 0, -1), today],
    past_year: [shifted(context, 0, 0, -1), today],
    next_week: [today, shifted(context, 7)],
    next_month: [today, shifted(context, 0, 1)],
    next_year: [today, shifted(context, 0, 0, 1)],
  }
}

/** Compares two pages; one without a value comes last. */
function toOrder(context: Context, source: Fields, sort: Fields): (a: Fields, b: Fields) => number {
  const config = configOf(context, source, sort)
  if (sort.direction !== 'ascending' && sort.direction !== 'descending')
    return invalid(context, 'body failed validation: body.sorts.direction should be `"ascending"` or `"descending"`.')
  const sign = sort.direction === 'ascending' ? 1 : -1
  return (a, b) => {
    const [one, other] = [keyOf(config, propertyValue(a, config)), keyOf(config, propertyValue(b, config))]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    if (one === other) return 0
    return one < other ? -sign : sign
  }
}

/** What a value is sorted by: options by their place in the schema, times by milliseconds. */
function keyOf(config: Fields, value: Json): string | number | null {
  const type = String(config.type)
  if (isEmpty(value)) return null
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
