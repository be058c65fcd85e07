import { type Fields, fieldsOf, type Json, listOf, type Notion, plainOf, propertyOf, type ReadValue } from './notion.ts'

/** What a formula reads. A date is an object with its start. */
interface Scope {
  readonly now: Date
  readonly prop: (name: string) => Json
}
type Node = (scope: Scope) => Json

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(==|!=|>=|<=|[-+*/%^<>()?:,.!]))/y
/** Operators between two values, the weakest first. */
const LEVELS = [['or'], ['and'], ['==', '!='], ['>', '<', '>=', '<='], ['+', '-'], ['*', '/', '%']] as const
/** Most parts of a formula that are inside each other. */
const MOST_DEPTH = 50
const PROP = /prop\("((?:[^"\\]|\\.)*)"\)/g

const isTrue = (value: Json): boolean => value !== null && value !== false && value !== 0 && value !== ''
const isEmpty = (value: Json): boolean => !isTrue(value) || (Array.isArray(value) && value.length === 0)
const startOf = (value: Json): string => String(fieldsOf(value).start ?? '')
/** A date as milliseconds, others as numbers. */
const toNumber = (value: Json): number =>
  startOf(value) === '' ? Number(value ?? 0) : new Date(startOf(value)).getTime()
const toText = (value: Json): string =>
  Array.isArray(value) ? value.map(toText).join(', ') : startOf(value) || String(value ?? '')
const textsOf = (list: Json): string[] => (Array.isArray(list) ? list : [list]).map(toText)
const isText = (value: Json): boolean => typeof value === 'string'
const flat = (values: readonly Json[]): number[] => values.flat().map((one) => toNumber(one as Json))
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

const OPERATORS: Readonly<Record<string, (one: Json, other: Json) => Json>> = {
  or: (one, other) => isTrue(one) || isTrue(other),
  and: (one, other) => isTrue(one) && isTrue(other),
  '==': (one, other) => toText(one) === toText(other),
  '!=': (one, other) => toText(one) !== toText(other),
  '>': (one, other) => toNumber(one) > toNumber(other),
  '<': (one, other) => toNumber(one) < toNumber(other),
  '>=': (one, other) => toNumber(one) >= toNumber(other),
  '<=': (one, other) => toNumber(one) <= toNumber(other),
  '+': (one, other) => (isText(one) || isText(other) ? toText(one) + toText(other) : toNumber(one) + toNumber(other)),
  '-': (one, other) => toNumber(one) - toNumber(other),
  '*': (one, other) => toNumber(one) * toNumber(other),
  '/': (one, other) => toNumber(one) / toNumber(other),
  '%': (one, other) => toNumber(one) % toNumber(other),
}

const MS: Readonly<Record<string, number>> = { seconds: 1e3, minutes: 6e4, hours: 36e5, days: 864e5, weeks: 6048e5 }
const MONTHS: Readonly<Record<string, number>> = { months: 1, quarters: 3, years: 12 }
const dateOf = (at: number, isDay: boolean): Json => {
  if (Number.isNaN(new Date(at).getTime())) return null
  const time = new Date(at).toISOString()
  return { start: isDay ? time.slice(0, 10) : time, end: null, time_zone: null }
}

function shift(date: Json, count: number, unit: string): Json {
  const at = new Date(toNumber(date))
  if (startOf(date) === '') return null
  if (MONTHS[unit] !== undefined) at.setUTCMonth(at.getUTCMonth() + count * MONTHS[unit])
  const isDay = startOf(date).length === 10 && !/^(second|minute|hour)s$/.test(unit)
  return dateOf(at.getTime() + count * (MS[unit] ?? 0), isDay)
}

function between(one: Json, other: Json, unit: string): Json {
  if (startOf(one) === '' || startOf(other) === '') return null
  const [a, b] = [new Date(toNumber(one)), new Date(toNumber(other))]
  if (MONTHS[unit] === undefined) return Math.trunc((a.getTime() - b.getTime()) / (MS[unit] ?? MS.days ?? 1))
  const months = (a.getUTCFullYear() - b.getUTCFullYear()) * 12 + a.getUTCMonth() - b.getUTCMonth()
  return Math.trunc((months - Number(a.getUTCDate() < b.getUTCDate())) / MONTHS[unit])
}

const part = (value: Json, from: number, to: number): Json =>
  startOf(value) === '' ? null : Number(new Date(toNumber(value)).toISOString().slice(from, to))

/** The start of a date, or its end: that of one day is its start. */
function edge(date: Json, name: string): Json {
  const start = fieldsOf(date)[name] ?? startOf(date)
  return start === '' ? null : { start, end: null, time_zone: null }
}

const FUNCTIONS: Readonly<Record<string, (given: readonly Json[], scope: Scope) => Json>> = {
  if: ([test = null, one = null, other = null]) => (isTrue(test) ? one : other),
  ifs: (given) => {
    const at = given.findIndex((test, place) => place % 2 === 0 && place + 1 < given.length && isTrue(test))
    return (at < 0 ? (given.length % 2 === 1 ? given.at(-1) : null) : given[at + 1]) ?? null
  },
  and: (given) => given.every(isTrue),
  or: (given) => given.some(isTrue),
  not: ([value = null]) => !isTrue(value),
  empty: ([value = null]) => isEmpty(value),
  length: ([value = null]) => (Array.isArray(value) ? value.length : toText(value).length),
  format: ([value = null]) => toText(value),
  style: ([value = null]) => value,
  toNumber: ([value = null]) => toNumber(value),
  concat: (given) => given.map(toText).join(''),
  join: ([list = [], by = '']) => textsOf(list).join(String(by)),
  split: ([text = '', by = ' ']) => toText(text).split(String(by)),
  lower: ([text = '']) => toText(text).toLowerCase(),
  upper: ([text = '']) => toText(text).toUpperCase(),
  trim: ([text = '']) => toText(text).trim(),
  contains: ([text = '', words = '']) => toText(text).includes(toText(words)),
  includes: ([list = [], one = null]) =>
    Array.isArray(list) ? list.includes(one) : toText(list).includes(toText(one)),
  replaceAll: ([text = '', from = '', to = '']) => toText(text).replaceAll(toText(from), toText(to)),
  substring: ([text = '', from = 0, to]) => toText(text).slice(Number(from), to == null ? undefined : Number(to)),
  round: ([value = 0, places = 0]) => Number(toNumber(value).toFixed(Math.min(Math.max(Number(places), 0), 20))),
  floor: ([value = 0]) => Math.floor(toNumber(value)),
  ceil: ([value = 0]) => Math.ceil(toNumber(value)),
  abs: ([value = 0]) => Math.abs(toNumber(value)),
  pow: ([value = 0, by = 1]) => toNumber(value) ** toNumber(by),
  mod: ([value = 0, by = 1]) => toNumber(value) % toNumber(by),
  sqrt: ([value = 0]) => Math.sqrt(toNumber(value)),
  min: (given) => Math.min(...flat(given)),
  max: (given) => Math.max(...flat(given)),
  sum: (given) => sum(flat(given)),
  mean: (given) => sum(flat(given)) / Math.max(flat(given).length, 1),
  unique: ([list = []]) => (Array.isArray(list) ? [...new Set(list)] : list),
  first: ([list = []]) => (Array.isArray(list) ? (list[0] ?? null) : list),
  last: ([list = []]) => (Array.isArray(list) ? (list.at(-1) ?? null) : list),
  now: (_, { now }) => dateOf(now.getTime(), false),
  today: (_, { now }) => dateOf(now.getTime(), true),
  dateAdd: ([date = null, count = 0, unit = 'days']) => shift(date, Number(count), String(unit)),
  dateSubtract: ([date = null, count = 0, unit = 'days']) => shift(date, -Number(count), String(unit)),
  dateBetween: ([one = null, other = null, unit = 'days']) => between(one, other, String(unit)),
  timestamp: ([date = null]) => toNumber(date),
  dateStart: ([date = null]) => edge(date, 'start'),
  dateEnd: ([date = null]) => edge(date, 'end'),
  year: ([date = null]) => part(date, 0, 4),
  month: ([date = null]) => part(date, 5, 7),
  date: ([date = null]) => part(date, 8, 10),
  hour: ([date = null]) => part(date, 11, 13),
  minute: ([date = null]) => part(date, 14, 16),
}

/** Reads an expression, and refuses one with words that are not known here. */
function read(notion: Notion, expression: string, path: string): Node {
  const tokens: { text: string; is: 'number' | 'string' | 'word' | 'sign' }[] = []
  TOKEN.lastIndex = 0
  for (let end = 0; end < expression.trimEnd().length; end = TOKEN.lastIndex) {
    const [, number, string, word, sign] = TOKEN.exec(expression) ?? notion.unfit(path, 'a formula', expression)
    if (number !== undefined) tokens.push({ text: number, is: 'number' })
    else if (string !== undefined) tokens.push({ text: string.replace(/\\(.)/g, '$1'), is: 'string' })
    else tokens.push(word === undefined ? { text: String(sign), is: 'sign' } : { text: word, is: 'word' })
  }
  let at = 0
  let depth = 0
  const wrong = (): never =>
    notion.unfit(path, `a formula: ${tokens[at]?.text ?? 'its end'} is not expected`, expression)
  const takeOne = (...texts: readonly string[]): string | undefined => {
    const next = tokens[at]
    if (next === undefined || next.is === 'string' || !texts.includes(next.text)) return undefined
    at += 1
    return next.text
  }
  const need = (text: string): unknown => takeOne(text) ?? wrong()
  const list = (): Node[] => {
    const nodes: Node[] = []
    if (takeOne(')')) return nodes
    do nodes.push(whole())
    while (takeOne(','))
    need(')')
    return nodes
  }
  const call = (name: string, given: readonly Node[]): Node => {
    const run = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (run === undefined)
      return notion.invalid(`body.${path}: ${name} is not computed here. Use ${Object.keys(FUNCTIONS).join(', ')}.`)
    const valuesIn = (scope: Scope): Json[] => given.map((one) => one(scope))
    return (scope) => run(valuesIn(scope), scope)
  }
  const first = (): Node => {
    const { text, is } = tokens[at] ?? wrong()
    at += 1
    if (is === 'number') return () => Number(text)
    if (is === 'string') return () => text
    if (text === '(') {
      const node = whole()
      need(')')
      return node
    }
    if (text === 'true' || text === 'false') return () => text === 'true'
    if (is === 'sign') {
      at -= 1
      return wrong()
    }
    need('(')
    const name = tokens[at]
    if (text !== 'prop' || name?.is !== 'string') return call(text, list())
    at += 1
    need(')')
    return ({ prop }) => prop(name.text)
  }
  const power = (): Node => {
    let node = first()
    while (takeOne('.')) {
      const name = tokens[at]?.text ?? wrong()
      at += 1
      node = call(name, [node, ...(takeOne('(') ? list() : [])])
    }
    if (takeOne('^') === undefined) return node
    const [base, by] = [node, unary()]
    return (scope) => toNumber(base(scope)) ** toNumber(by(scope))
  }
  const unary = (): Node => {
    const sign = takeOne('not', '!', '-')
    if (sign === undefined) return power()
    const node = unary()
    return (scope) => (sign === '-' ? -toNumber(node(scope)) : !isTrue(node(scope)))
  }
  const binary = (level: number): Node => {
    const signs = LEVELS[level]
    if (signs === undefined) return unary()
    let left = binary(level + 1)
    for (let sign = takeOne(...signs); sign !== undefined; sign = takeOne(...signs)) {
      const [one, other, by] = [left, binary(level + 1), OPERATORS[sign] ?? wrong()]
      left = (scope) => by(one(scope), other(scope))
    }
    return left
  }
  const whole = (): Node => {
    depth += 1
    if (depth > MOST_DEPTH) return wrong()
    const test = binary(0)
    depth -= 1
    if (takeOne('?') === undefined) return test
    const one = whole()
    need(':')
    const other = whole()
    return (scope) => (isTrue(test(scope)) ? one(scope) : other(scope))
  }
  const node = whole()
  return at < tokens.length ? wrong() : node
}

const expressionOf = ({ formula }: Fields): string => String(fieldsOf(formula).expression ?? '')
const namesIn = (config: Fields): string[] => [...expressionOf(config).matchAll(PROP)].map(([, name]) => String(name))

/** A formula of a request, which must be computable, and not read itself. @param schema that it is part of */
export function toFormula(notion: Notion, schema: readonly Fields[], config: Fields): Fields {
  const path = `properties.${config.name}.formula.expression`
  read(notion, expressionOf(config), path)
  const seen = new Set<string>()
  const visit = (one: Fields): void => {
    for (const name of namesIn(one)) {
      const next = propertyOf({ schema: [...schema] }, name)
      if (next === undefined) notion.invalid(`body.${path}: Could not find property with name or id: ${name}`)
      else if (next.id === config.id) notion.invalid(`body.${path}: the formula reads itself.`)
      else if (next.type === 'formula' && !seen.has(name)) {
        seen.add(name)
        visit(next)
      }
    }
  }
  visit(config)
  return config
}

/** A value of a property as formulas read it. */
function plain(type: string, value: Json): Json {
  if (type === 'title' || type === 'rich_text') return plainOf(value)
  if (type === 'select' || type === 'status') return fieldsOf(value).name ?? null
  if (type === 'multi_select' || type === 'people') return listOf(value).map(({ name = null }) => name)
  if (type === 'relation') return listOf(value).map(({ id = null }) => id)
  if (type.endsWith('_time')) return value === null ? null : { start: value, end: null }
  if (type === 'formula' || type === 'rollup') return fieldsOf(value)[String(fieldsOf(value).type)] ?? null
  if (type !== 'unique_id') return value
  const { prefix, number } = fieldsOf(value)
  return prefix == null ? (number ?? null) : `${prefix}-${number}`
}

/** What a page's formula shows. */
export function compute(
  notion: Notion,
  page: Fields,
  { source, config, readValue }: { source: Fields; config: Fields; readValue: ReadValue },
): Fields {
  const prop = (name: string): Json => {
    const property = propertyOf(source, name)
    return property ? plain(String(property.type), readValue(page, source, property)) : null
  }
  const value = read(notion, expressionOf(config), String(config.name))({ now: notion.of.now, prop })
  if (typeof value === 'number') return { type: 'number', number: Number.isFinite(value) ? value : null }
  if (typeof value === 'boolean') return { type: 'boolean', boolean: value }
  if (startOf(value) !== '') return { type: 'date', date: { end: null, time_zone: null, ...fieldsOf(value) } }
  return { type: 'string', string: value === null ? null : toText(value) }
}
