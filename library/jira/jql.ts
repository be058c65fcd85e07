import {
  allOf,
  fail,
  fieldsOf,
  issueOf,
  type Kept,
  listOf,
  meOf,
  projectOf,
  same,
  textOf,
  type Work,
} from './context.ts'
import { type Entry, entriesOf, type Field, fieldsIn, KINDS, keptValue } from './fields.ts'
import { categoryOf, isSubtask, OPTIONS } from './scheme.ts'

type Test = (issue: Kept) => boolean
/** A query that was read. */
export interface Query {
  readonly test: Test
  readonly compare: (one: Kept, other: Kept) => number
  /** Whether it has no condition. */
  readonly isUnbounded: boolean
}

interface Token {
  readonly text: string
  readonly at: number
  readonly isQuoted: boolean
}

/** What can be compared in a query. */
interface Subject {
  readonly name: string
  /** Ids and names; none for an empty field. */
  entries(issue: Kept): readonly Entry[]
  /** The words that `~` searches. */
  words?(issue: Kept): string
  /** Whether values are times, or numbers. */
  readonly order?: 'time' | 'number' | 'priority' | undefined
  /** What exists, by which unknown values are refused. */
  readonly known?: (() => readonly Entry[]) | undefined
}

const OPERATORS =
  "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
/** Operators, longer ones first. */
const WORDS = [
  ...['is not', 'not in', 'was not in', 'was not', 'was in', 'is', 'in', 'was', 'changed'],
  ...['!=', '<=', '>=', '!~', '=', '<', '>', '~'],
]
const RESERVED = /^(and|or|not|in|is|empty|null|order|by|was|changed)$/i
const DAY_MS = 86_400_000
const PERIODS: Readonly<Record<string, number>> = { w: 7 * DAY_MS, d: DAY_MS, h: DAY_MS / 24, m: 60_000 }

/** Reads a query. Refuses one that is wrong, as Jira does. */
export function readJql(work: Work, jql: string): Query {
  const tokens = toTokens(work, jql)
  let at = 0
  const peek = (offset = 0): string =>
    tokens[at + offset]?.isQuoted ? '' : (tokens[at + offset]?.text.toLowerCase() ?? '')
  const wrong = (expected: string, after = ''): never => {
    const token = tokens[at]
    const got = token ? `but got '${token.text}'.${after}` : `before the end of the query.${after}`
    return refuse(work, `Error in the JQL Query: Expecting ${expected} ${got}${token ? placeOf(token.at) : ''}`)
  }
  const take = (...words: string[]): boolean => {
    const isNext = words.every((word, offset) => peek(offset) === word)
    if (isNext) at += words.length
    return isNext
  }
  const joined = (of: () => Test, word: string, sign: string): Test[] => {
    const tests = [of()]
    while (take(word) || take(sign, sign)) tests.push(of())
    return tests
  }
  const either = (): Test => {
    const tests = joined(both, 'or', '|')
    return (issue) => tests.some((test) => test(issue))
  }
  const both = (): Test => {
    const tests = joined(one, 'and', '&')
    return (issue) => tests.every((test) => test(issue))
  }
  const one = (): Test => {
    const isNegated = take('not') || take('!')
    const test = isNegated ? one() : take('(') ? either() : undefined
    if (test === undefined) return condition()
    if (isNegated) return (issue) => !test(issue)
    return take(')') ? test : wrong("')'")
  }
  const value = (): unknown[] => {
    const token = tokens[at]
    if (token === undefined) return wrong('either a value, list or function')
    if (take('(')) {
      const values = [...value()]
      while (take(',')) values.push(...value())
      return take(')') ? values : wrong("either ')' or ','")
    }
    const quote = ` You must surround '${token.text}' in quotation marks to use it as a value.`
    if (!token.isQuoted && (RESERVED.test(token.text) || !/^[\w.\-/:@+]/.test(token.text)))
      return wrong('either a value, list or function', quote)
    at += 1
    if (token.isQuoted || !take('(')) return [token.text]
    const given: string[] = []
    while (!take(')')) {
      if (tokens[at] === undefined) return wrong("')'")
      if (!take(',')) given.push(tokens[at++]?.text ?? '')
    }
    return callFunction(work, token.text, given)
  }
  const predicates = (): [string, readonly unknown[]][] => {
    const name = ['from', 'to', 'after', 'before', 'on', 'during', 'by'].find((one) => take(one))
    return name === undefined ? [] : [[name, value()], ...predicates()]
  }
  const condition = (): Test => {
    const token = tokens[at]
    if (token === undefined || (!token.isQuoted && !/^[\w.]/.test(token.text))) return wrong('a field name')
    at += 1
    const subject = subjectOf(work, token.text)
    const operator = WORDS.find((name) => take(...name.split(' ')))
    if (operator === undefined) return wrong('operator', ` ${OPERATORS}`)
    if (operator === 'changed') return changedTest(work, subject.name, predicates())
    const isEmpty = take('empty') || take('null') || (same(subject.name, 'resolution') && take('unresolved'))
    if (operator.startsWith('is') && !isEmpty) return wrong("'EMPTY' or 'NULL'")
    return compareWith(work, subject, operator, isEmpty ? undefined : value())
  }
  const hasCondition = tokens.length > 0 && !(peek() === 'order' && peek(1) === 'by')
  const test = hasCondition ? either() : () => true
  const orders: ((one: Kept, other: Kept) => number)[] = []
  if (take('order', 'by'))
    do {
      const subject = subjectOf(work, tokens[at++]?.text ?? wrong('a field name'), true)
      const sign = take('desc') ? -1 : 1
      if (sign === 1) take('asc')
      orders.push((a, b) => sign * order(subject, a, b))
    } while (take(','))
  if (at < tokens.length) return wrong("either 'OR' or 'AND'")
  if (orders.length === 0) orders.push((a, b) => Number(b.id) - Number(a.id))
  const compare = (a: Kept, b: Kept): number =>
    orders.reduce((found, by) => found || by(a, b), 0) || Number(a.id) - Number(b.id)
  return { test, compare, isUnbounded: !hasCondition }
}

const refuse = (work: Work, message: string): never => fail(work, 400, message)
const placeOf = (at: number): string => ` (line 1, character ${at + 1})`

function toTokens(work: Work, jql: string): Token[] {
  const tokens: Token[] = []
  const pattern =
    /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|<=|>=|!~|[=<>~(),!&|])|([^\s"'=<>~(),!&|]+)|(["'].*))/gy
  for (const match of jql.trimEnd().matchAll(pattern)) {
    const [whole, double, single, operator, word, open] = match
    const quoted = double ?? single
    const at = match.index + whole.length - whole.trimStart().length
    const wrong = (fact: string): never => refuse(work, `Error in the JQL Query: The ${fact}${placeOf(at)}`)
    if (open !== undefined) return wrong(`quoted string '${open.slice(1)}' has not been completed.`)
    const [sign = ''] = /[^\w.\-/:+[\]*\u0080-\uffff]/.exec(word ?? '') ?? []
    const code = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
    const hint = `You must enclose it in a string or use the escape '${code}' instead.`
    if (sign !== '') return wrong(`character '${sign}' is a reserved JQL character. ${hint}`)
    tokens.push({ text: quoted?.replace(/\\(.)/g, '$1') ?? operator ?? word ?? '', at, isQuoted: quoted !== undefined })
  }
  return tokens
}

function subjectOf(work: Work, name: string, isSort = false): Subject {
  const special = SUBJECTS[name.toLowerCase()]
  if (special !== undefined) return { name, ...special(work) }
  const field = fieldsIn(work).find(
    ({ id, name: label, clauses = [] }) =>
      [id, label, ...clauses].some((one) => same(one, name)) ||
      (id.startsWith('customfield_') && same(`cf[${id.slice(12)}]`, name)),
  )
  const unknown = `Field '${name}' does not exist or you do not have permission to view it.`
  if (field === undefined || field.kind === 'timetracking')
    return refuse(work, isSort ? `Not able to sort using field '${name}'.` : unknown)
  const { kind } = field
  const entries = (issue: Kept) => entriesOf(work, field, keptValue(issue, field))
  const words = (issue: Kept) =>
    entries(issue)
      .map((one) => one.name)
      .join(' ')
  const isText = kind === 'text' || kind === 'document'
  return { name, entries, ...(isText && { words }), order: ORDERS[kind], known: knownOf(work, field) }
}

const ORDERS: Readonly<Record<string, Subject['order']>> = {
  ...{ day: 'time', moment: 'time', number: 'number', priority: 'priority' },
}

/** What values of a field there are; undefined where any text may be one. */
function knownOf({ records }: Work, { kind }: Field): (() => Entry[]) | undefined {
  if (kind in OPTIONS) return () => [...OPTIONS[kind as 'status']]
  if (!['project', 'components', 'versions', 'sprint'].includes(kind)) return undefined
  const all = records[kind.replace(/s?$/, 's') as 'projects']
  return () => [...all].map(({ id, key, name }) => ({ id, name: String(name), also: [key] }))
}

const seconds = (name: string) => (): Omit<Subject, 'name'> => ({
  order: 'number',
  entries: ({ values }) => {
    const found = fieldsOf(fieldsOf(values).timetracking)[name]
    return found == null ? [] : [{ id: String(found), name: String(found), order: Number(found) }]
  },
})

const keySubject = (work: Work): Omit<Subject, 'name'> => ({
  entries: ({ id, key }) => [{ id, name: String(key), order: Number(id) }],
  known: () => [...work.records.issues].map(({ id, key }) => ({ id, name: String(key) })),
})

/** Everything that `text ~` searches. */
const wordsOf = (work: Work, { id, values }: Kept): string => {
  const { summary, description, environment } = fieldsOf(values)
  return [summary, textOf(description), textOf(environment), commentsOf(work, id)].join(' ')
}
const commentsOf = ({ records }: Work, issue: string): string =>
  records.comments
    .where({ issue })
    .map(({ body }) => textOf(body))
    .join(' ')
const people =
  (name: string) =>
  (work: Work): Omit<Subject, 'name'> => ({
    entries: (issue) => [issue[name]].flat().flatMap((id) => KINDS.user.entries(work, id ?? null)),
  })

/** The day of a time. */
const toDay = (time: unknown): Entry => {
  const day = String(time).slice(0, 10)
  return { id: day, name: day, order: Date.parse(day) }
}

const SUBJECTS: Readonly<Record<string, (work: Work) => Omit<Subject, 'name'>>> = {
  key: keySubject,
  issue: keySubject,
  issuekey: keySubject,
  id: keySubject,
  text: (work) => ({ entries: () => [], words: (issue) => wordsOf(work, issue) }),
  comment: (work) => ({ entries: () => [], words: ({ id }) => commentsOf(work, id) }),
  statuscategory: () => ({
    entries: ({ values }) => {
      const status = OPTIONS.status.find(({ id }) => id === fieldsOf(values).status)?.statusCategory
      return status === undefined ? [] : [{ id: String(status.id), name: status.name, also: [status.key] }]
    },
  }),
  parentepic: (work) => ({
    entries: ({ parent, values }) => {
      const above = allOf(work, 'issues', [parent ?? null])
      const epics = isSubtask(values) ? above.flatMap((one) => allOf(work, 'issues', [one.parent ?? null])) : above
      return epics.map(({ id, key }) => ({ id, name: String(key) }))
    },
  }),
  filter: (work) => ({
    entries: (issue) =>
      [...work.records.filters]
        .filter(({ jql }) => readJql(work, String(jql)).test(issue))
        .map(({ id, name }) => ({ id, name: String(name) })),
    known: () => [...work.records.filters].map(({ id, name }) => ({ id, name: String(name) })),
  }),
  worklogauthor: (work) => ({
    entries: ({ id: issue }) =>
      work.records.worklogs.where({ issue }).flatMap(({ author = null }) => KINDS.user.entries(work, author)),
  }),
  worklogdate: ({ records }) => ({
    order: 'time',
    entries: ({ id }) => records.worklogs.where({ issue: id }).map(({ started }) => toDay(started)),
  }),
  watcher: people('watchers'),
  voter: people('voters'),
  votes: () => ({
    order: 'number',
    entries: ({ voters }) => [{ id: '', name: String([voters].flat().length), order: [voters].flat().length }],
  }),
  originalestimate: seconds('original'),
  remainingestimate: seconds('remaining'),
  timeestimate: seconds('remaining'),
  timespent: seconds('spent'),
  attachments: ({ records }) => ({
    entries: ({ id: issue }) =>
      records.attachments.where({ issue }).map(({ id, filename }) => ({ id, name: String(filename) })),
  }),
  rank: () => ({ order: 'number', entries: ({ rank, id }) => [{ id, name: String(rank), order: Number(rank) }] }),
}

function order(subject: Subject, one: Kept, other: Kept): number {
  const [[a], [b]] = [subject.entries(one), subject.entries(other)]
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a.order === undefined || b.order === undefined ? a.name.localeCompare(b.name) : a.order - b.order
}

const isOne = ({ id, name, also = [] }: Entry, value: unknown): boolean =>
  [id, name, ...also].some((one) => same(one, value))

function compareWith(work: Work, subject: Subject, operator: string, values: readonly unknown[] | undefined): Test {
  const { name, entries, words, known, order } = subject
  const isNegative = /!|not/.test(operator)
  const unfit = (): never => refuse(work, `The operator '${operator}' is not supported by the '${name}' field.`)
  if (values === undefined) return (issue) => (entries(issue).length === 0) !== isNegative
  if (operator.endsWith('~')) {
    if (words === undefined) return unfit()
    const tests = values.map(toWordTest)
    return (issue) => tests.some((test) => test(words(issue))) !== isNegative
  }
  if (words !== undefined) return unfit()
  const wanted = order === 'time' ? values.map((value) => toMoment(work, name, value)) : values
  if (/[<>]/.test(operator)) {
    if (order === undefined) return unfit()
    const rank = OPTIONS.priority.findIndex((one) => isOne(one, wanted[0]))
    const bound = order === 'priority' ? -rank : Number(wanted[0])
    const sign = operator.startsWith('<') ? -1 : 1
    return (issue) =>
      entries(issue).some(({ order: at = 0 }) => sign * (at - bound) > 0 || (operator.endsWith('=') && at === bound))
  }
  for (const value of known === undefined ? [] : wanted)
    if (!known?.().some((one) => isOne(one, value)))
      return isKey(name)
        ? refuse(work, `An issue with key '${value}' does not exist for field '${name}'.`)
        : refuse(work, `The value '${value}' does not exist for the field '${name}'.`)
  const isNumber = order === 'time' || order === 'number'
  const isWanted = (entry: Entry): boolean =>
    wanted.some((value) => (isNumber ? entry.order === Number(value) : isOne(entry, value)))
  const everyOf = (issue: Kept) => [...pastOf(work, issue, name).map(({ was }) => was), ...entries(issue)]
  if (operator.startsWith('was')) return (issue) => everyOf(issue).some(isWanted) !== isNegative
  return (issue) => {
    const found = entries(issue)
    return isNegative ? found.length > 0 && !found.some(isWanted) : found.some(isWanted)
  }
}

const isKey = (name: string): boolean => /^(key|issue|issuekey|id|parent)$/i.test(name)

/** Changes of a field of an issue. */
const pastOf = (work: Work, { id }: Kept, name: string) =>
  work.records.changes.where({ issue: id }).flatMap(({ items, created, author }) =>
    listOf(items)
      .filter(({ field, fieldId }) => same(field, name) || same(fieldId, name))
      .map(({ from, fromString, to, toString: now }) => ({
        was: { id: String(from), name: String(fromString) },
        became: { id: String(to), name: String(now) },
        at: Date.parse(String(created)),
        by: KINDS.user.entries(work, author ?? null),
      })),
  )

/** `changed from a to b after x by y`. */
function changedTest(work: Work, name: string, predicates: readonly [string, readonly unknown[]][]): Test {
  const tests = predicates.map(([word, values]) => {
    if (word === 'from' || word === 'to')
      return (one: Past) => values.some((value) => isOne(word === 'to' ? one.became : one.was, value))
    if (word === 'by') return ({ by }: Past) => by.some((user) => values.some((value) => isOne(user, value)))
    const [start = 0, end = start + DAY_MS] = values.map((value) => toMoment(work, name, value))
    if (word === 'after') return ({ at }: Past) => at > start
    return word === 'before' ? ({ at }: Past) => at < start : ({ at }: Past) => at >= start && at < end
  })
  return (issue) => pastOf(work, issue, name).some((one) => tests.every((test) => test(one)))
}
type Past = ReturnType<typeof pastOf>[number]

/** `~`: all words, in any order; `"\"a phrase\""`; `*` at the end of a part. */
function toWordTest(value: unknown): (text: string) => boolean {
  const text = String(value).toLowerCase()
  const [, phrase] = /^"(.*)"$/.exec(text) ?? []
  if (phrase !== undefined) return (words) => words.toLowerCase().includes(phrase)
  const wanted = text.split(/[^\p{L}\p{N}*?]+/u).filter((word) => word !== '')
  const patterns = wanted.map((word) => new RegExp(`^${word.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'u'))
  return (words) => {
    const all = words.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    return patterns.every((pattern) => all.some((word) => pattern.test(word)))
  }
}

/** Milliseconds of a date, a time, a period such as `-1w 2d`, or of a function. */
function toMoment(work: Work, field: string, value: unknown): number {
  if (typeof value === 'number') return value
  const text = String(value)
  const [, sign, period] = /^([+-]?)((?:\d+[wdhm]\s*)+)$/.exec(text) ?? []
  if (period !== undefined) {
    const parts = period.match(/\d+[wdhm]/g) ?? []
    const sum = parts.reduce((all, part) => all + Number.parseInt(part, 10) * (PERIODS[part.slice(-1)] ?? 0), 0)
    return work.now.getTime() + (sign === '-' ? -sum : sum)
  }
  const at = /^\d{4}[-/]\d\d?[-/]\d\d?( \d\d?:\d\d)?$/.test(text)
    ? Date.parse(`${text.replaceAll('/', '-').replace(' ', 'T')}${text.includes(':') ? 'Z' : ''}`)
    : Number.NaN
  if (!Number.isNaN(at)) return at
  const formats =
    "'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'"
  return refuse(work, `Date value '${text}' for field '${field}' is invalid. Valid formats include: ${formats}.`)
}

function callFunction(work: Work, name: string, given: readonly string[]): unknown[] {
  const { records, now } = work
  const [, edge, unit] = /^(start|end)of(day|week|month|year)$/i.exec(name) ?? []
  if (edge !== undefined) return [edgeOf(work, same(edge, 'end'), String(unit).toLowerCase(), given[0] ?? '')]
  const [first = ''] = given
  const sprints = (state: string) => records.sprints.where({ state }).map(({ id }) => id)
  const versions = (released: boolean) =>
    records.versions
      .where({ released, archived: false })
      .filter(({ project }) => given.length === 0 || given.some((name) => projectOf(work, name).id === project))
      .map(({ id }) => id)
  const types = (subtask: boolean) => OPTIONS.issuetype.filter((one) => one.subtask === subtask).map(({ id }) => id)
  const me = meOf(work).id
  const issuesWith = (list: 'watchers' | 'voters') =>
    [...records.issues].filter((one) => [one[list]].flat().includes(me)).map(({ id }) => id)
  const functions: Readonly<Record<string, () => unknown[]>> = {
    currentuser: () => [me],
    now: () => [now.getTime()],
    currentlogin: () => [now.getTime()],
    opensprints: () => sprints('active'),
    futuresprints: () => sprints('future'),
    closedsprints: () => sprints('closed'),
    releasedversions: () => versions(true),
    unreleasedversions: () => versions(false),
    standardissuetypes: () => types(false),
    subtaskissuetypes: () => types(true),
    membersof: () =>
      [...records.users].filter(({ groups }) => [groups].flat().some((one) => same(one, first))).map(({ id }) => id),
    watchedissues: () => issuesWith('watchers'),
    votedissues: () => issuesWith('voters'),
    linkedissues: () => {
      const { id } = issueOf(work, first)
      const ends = [...records.links].map(({ inward, outward }) => [inward, outward])
      return ends.flatMap((pair) => (pair.includes(id) ? pair.filter((end) => end !== id) : []))
    },
  }
  const text = `${name}(${given.join(', ')})`
  return functions[name.toLowerCase()]?.() ?? refuse(work, `Unable to find JQL function '${text}'.`)
}

/** Start or end of a day, week (from Sunday), month or year, some periods away: `startOfDay(-1d)`, `endOfMonth("+1")`. */
function edgeOf({ now }: Work, isEnd: boolean, unit: string, shift: string): number {
  const [, count = '0', of = ''] = /^([+-]?\d+)([yMwdhm]?)$/.exec(shift) ?? []
  const by = (letter: string, name: string): number =>
    of === letter || (of === '' && unit === name) ? Number(count) : 0
  const week = unit === 'week' ? now.getUTCDay() : 0
  const years = now.getUTCFullYear() + by('y', 'year')
  const months = unit === 'year' ? by('M', 'month') : now.getUTCMonth() + by('M', 'month')
  const days = unit === 'year' || unit === 'month' ? 1 : now.getUTCDate() - week
  const start = new Date(Date.UTC(years, months, days + by('d', 'day') + 7 * by('w', 'week'), by('h', ''), by('m', '')))
  if (!isEnd) return start.getTime()
  const end = new Date(start)
  if (unit === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1)
  else if (unit === 'month') end.setUTCMonth(end.getUTCMonth() + 1)
  else end.setUTCDate(end.getUTCDate() + (unit === 'week' ? 7 : 1))
  return end.getTime() - 1
}

export const isDone = ({ values }: Kept): boolean => categoryOf(fieldsOf(values).status) === 'done'
