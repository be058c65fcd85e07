import { textOf } from './documents.ts'
import { type Entry, entriesOf, fieldsIn, kindOf, LISTS, toSeconds, valueIn } from './fields.ts'
import type { Collection, Fields, Jira, Json, Kept, Shown } from './jira.ts'
import { fieldsOf, hasWords, idOf, isSubtask, listOf, ref, same, textsOf, valuesOf } from './jira.ts'

type Test = (issue: Kept) => boolean
/** A query that was read. */
export interface Query {
  readonly test: Test
  readonly compare: (one: Kept, other: Kept) => number
  /** Names of fields with the operators of its conditions. */
  readonly conditions: readonly (readonly [name: string, operator: string])[]
  /** Whether it has no condition. */
  readonly isUnbounded: boolean
}

/** A query as `POST jql/parse` shows it, and what makes its tests: names and values are checked then. */
interface Parsed {
  readonly structure: Shown
  readonly toQuery: () => Query
}

/** A clause of a query as it is shown, and what makes its test. */
interface Part {
  readonly clause: Shown
  readonly toTest: () => Test
}

/** A value, list or function as it is shown, and what makes its values. */
interface Operand {
  readonly shown: Shown
  readonly toValues: () => unknown[]
}

interface Token {
  readonly text: string
  readonly at: number
  readonly isQuoted: boolean
}

/** What can be compared in a query: a field of issues, or another value of a kind of fields. */
interface Subject {
  readonly name: string
  readonly kind: string
  valueIn(issue: Kept): Json | undefined
}

const OPERATORS =
  "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
/** Operators, longer ones first. */
const WORDS = 'is not,not in,was not in,was not,was in,is,in,was,changed,!=,<=,>=,!~,=,<,>,~'.split(',')
const PREDICATES = ['from', 'to', 'after', 'before', 'on', 'during', 'by']
const RESERVED = /^(and|or|not|in|is|empty|null|order|by|was|changed)$/i
const DAY_MS = 86_400_000
const PERIODS: Readonly<Record<string, number>> = { w: 7 * DAY_MS, d: DAY_MS, h: DAY_MS / 24, m: 60_000 }

/** A word as a query has it. */
const encode = (text: string): string =>
  /^[\w.\-[\]]+$/.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text)

/** Reads a query. Refuses one that is wrong, as Jira does. */
export const readJql = (jira: Jira, jql: string): Query => parseJql(jira, jql).toQuery()

/** Reads the syntax of a query. */
export function parseJql(jira: Jira, jql: string): Parsed {
  const tokens = toTokens(jira, jql)
  const conditions: [string, string][] = []
  let at = 0
  const peek = (offset = 0): string =>
    tokens[at + offset]?.isQuoted ? '' : (tokens[at + offset]?.text.toLowerCase() ?? '')
  const wrong = (expected: string, after = ''): never => {
    const token = tokens[at]
    const got = token ? `but got '${token.text}'.${after}` : `before the end of the query.${after}`
    return jira.fail(400, `Error in the JQL Query: Expecting ${expected} ${got}${token ? placeOf(token.at) : ''}`)
  }
  const take = (...words: string[]): boolean => {
    const isNext = words.every((word, offset) => peek(offset) === word)
    if (isNext) at += words.length
    return isNext
  }
  const joined = (operator: 'and' | 'or', of: () => Part, sign: string): Part => {
    const parts = [of()]
    while (take(operator) || take(sign, sign)) parts.push(of())
    const [only] = parts
    if (only !== undefined && parts.length === 1) return only
    const toTest = (): Test => {
      const tests = parts.map((part) => part.toTest())
      return (issue) => (operator === 'or' ? tests.some((test) => test(issue)) : tests.every((test) => test(issue)))
    }
    return { clause: { operator, clauses: parts.map(({ clause }) => clause) }, toTest }
  }
  const either = (): Part => joined('or', () => joined('and', one, '&'), '|')
  const one = (): Part => {
    if (take('not') || take('!')) {
      const { clause, toTest } = one()
      const toOther = (): Test => {
        const test = toTest()
        return (issue) => !test(issue)
      }
      return { clause: { operator: 'not', clauses: [clause] }, toTest: toOther }
    }
    if (!take('(')) return condition()
    const part = either()
    return take(')') ? part : wrong("')'")
  }
  const value = (): Operand => {
    const token = tokens[at]
    if (token === undefined) return wrong('either a value, list or function')
    if (take('(')) {
      const all = [value()]
      while (take(',')) all.push(value())
      if (!take(')')) return wrong("either ')' or ','")
      const shown = all.map((each) => each.shown)
      const encodedOperand = `(${shown.map((each) => each.encodedValue ?? each.encodedOperand).join(', ')})`
      return { shown: { encodedOperand, values: shown }, toValues: () => all.flatMap((each) => each.toValues()) }
    }
    const { text, isQuoted } = token
    const quote = ` You must surround '${text}' in quotation marks to use it as a value.`
    if (!isQuoted && (RESERVED.test(text) || !/^[\w.\-/:@+]/.test(text)))
      return wrong('either a value, list or function', quote)
    at += 1
    if (isQuoted || !take('(')) return { shown: { value: text, encodedValue: encode(text) }, toValues: () => [text] }
    const given: string[] = []
    while (!take(')')) {
      if (tokens[at] === undefined) return wrong("')'")
      if (!take(',')) given.push(tokens[at++]?.text ?? '')
    }
    const encodedOperand = `${text}(${given.map(encode).join(', ')})`
    return {
      shown: { function: text, arguments: given, encodedOperand },
      toValues: () => callFunction(jira, text, given),
    }
  }
  const predicates = (): { operator: string; operand: Operand }[] => {
    const operator = PREDICATES.find((name) => take(name))
    return operator === undefined ? [] : [{ operator, operand: value() }, ...predicates()]
  }
  const condition = (): Part => {
    const token = tokens[at]
    if (token === undefined || (!token.isQuoted && !/^[\w.]/.test(token.text))) return wrong('a field name')
    at += 1
    const operator = WORDS.find((name) => take(...name.split(' ')))
    if (operator === undefined) return wrong('operator', ` ${OPERATORS}`)
    const name = token.text
    conditions.push([name, operator])
    const field = { name, encodedName: encode(name) }
    if (operator === 'changed') {
      const all = predicates()
      const shown = all.map((each) => ({ operator: each.operator, operand: each.operand.shown }))
      const toTest = (): Test => {
        const tests = all.map((each): [string, unknown[]] => [each.operator, each.operand.toValues()])
        return changedTest(jira, subjectOf(jira, name).name, tests)
      }
      return { clause: { field, operator, predicates: shown }, toTest }
    }
    const keyword = ['empty', 'null'].find((each) => take(each))
    const isEmpty = keyword !== undefined || (same(name, 'resolution') && take('unresolved'))
    if (operator.startsWith('is') && !isEmpty) return wrong("'EMPTY' or 'NULL'")
    const { shown, toValues } = isEmpty
      ? { shown: { keyword: 'empty', encodedOperand: 'empty' }, toValues: undefined }
      : value()
    const toTest = (): Test => compareWith(jira, subjectOf(jira, name), operator, toValues?.())
    return {
      clause: { field, operator, operand: shown, ...(operator.startsWith('was') && { predicates: [] }) },
      toTest,
    }
  }
  const hasCondition = tokens.length > 0 && !(peek() === 'order' && peek(1) === 'by')
  const where = hasCondition ? either() : undefined
  const orders: { name: string; direction?: 'asc' | 'desc' }[] = []
  if (take('order', 'by'))
    do {
      const name = tokens[at++]?.text ?? wrong('a field name')
      const direction = (['desc', 'asc'] as const).find((each) => take(each))
      orders.push({ name, ...(direction && { direction }) })
    } while (take(','))
  if (at < tokens.length) return wrong("either 'OR' or 'AND'")
  const fields = orders.map(({ name, ...by }) => ({ field: { name, encodedName: encode(name) }, ...by }))
  const toQuery = (): Query => {
    const test = where?.toTest() ?? (() => true)
    const sorts = orders.map(({ name, direction }) => {
      const subject = subjectOf(jira, name, true)
      return (a: Kept, b: Kept): number => (direction === 'desc' ? -1 : 1) * order(jira, subject, a, b)
    })
    if (sorts.length === 0) sorts.push((a, b) => Number(b.id) - Number(a.id))
    const compare = (a: Kept, b: Kept): number =>
      sorts.reduce((found, by) => found || by(a, b), 0) || Number(a.id) - Number(b.id)
    return { test, compare, conditions, isUnbounded: !hasCondition }
  }
  return {
    structure: { ...(where && { where: where.clause }), ...(orders.length > 0 && { orderBy: { fields } }) },
    toQuery,
  }
}

const placeOf = (at: number): string => ` (line 1, character ${at + 1})`

function toTokens(jira: Jira, jql: string): Token[] {
  const tokens: Token[] = []
  const pattern =
    /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|<=|>=|!~|[=<>~(),!&|])|([^\s"'=<>~(),!&|]+)|(["'].*))/gy
  for (const match of jql.trimEnd().matchAll(pattern)) {
    const [whole, double, single, operator, word, open] = match
    const quoted = double ?? single
    const at = match.index + whole.length - whole.trimStart().length
    const wrong = (fact: string): never => jira.fail(400, `Error in the JQL Query: The ${fact}${placeOf(at)}`)
    if (open !== undefined) return wrong(`quoted string '${open.slice(1)}' has not been completed.`)
    const [sign = ''] = /[^\w.\-/:+[\]*\u0080-\uffff]/.exec(word ?? '') ?? []
    const code = `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
    const hint = `You must enclose it in a string or use the escape '${code}' instead.`
    if (sign !== '') return wrong(`character '${sign}' is a reserved JQL character. ${hint}`)
    tokens.push({ text: quoted?.replace(/\\(.)/g, '$1') ?? operator ?? word ?? '', at, isQuoted: quoted !== undefined })
  }
  return tokens
}

function subjectOf(jira: Jira, name: string, isSort = false): Subject {
  const [kind, value] = SUBJECTS[name.toLowerCase()] ?? []
  if (kind !== undefined) return { name, kind, valueIn: (issue) => value?.(issue, jira) }
  const isNamed = (own: unknown): boolean => same(own, name)
  const field = fieldsIn(jira).find((one) => [one.id, one.name, one.clauseNames ?? []].flat().some(isNamed))
  const unknown = `Field '${name}' does not exist or you do not have permission to view it.`
  return field === undefined || field.id === 'timetracking'
    ? jira.fail(400, isSort ? `Not able to sort using field '${name}'.` : unknown)
    : { name, kind: kindOf(field), valueIn: (issue) => valueIn(issue, field) }
}

type Value = (issue: Kept, jira: Jira) => Json | undefined
type Derived = readonly [kind: string, value: Value]
const derived = (kind: string, value: Value): Derived => [kind, value]
const KEY = derived('issues', ({ id }) => ref('issues', id))
const tracked = (name: string): Derived =>
  derived('duration', (issue) => fieldsOf(valuesOf(issue).timetracking)[`${name}Seconds`])
const commentsOf: Value = ({ id }, { records }) =>
  records.comments
    .where({ _issue: id })
    .map(({ body }) => textOf(body))
    .join(' ')
const worklogsOf = ({ id }: Kept, { records }: Jira): Kept[] => records.worklogs.where({ _issue: id })

/** What is no field: its kind, and its value. */
const SUBJECTS: Readonly<Record<string, Derived>> = {
  ...{ key: KEY, id: KEY, issue: KEY, issuekey: KEY },
  text: derived('document', (issue, jira) => {
    const { summary = null, description, environment } = valuesOf(issue)
    return [summary, textOf(description), textOf(environment), commentsOf(issue, jira) ?? null]
  }),
  comment: derived('document', commentsOf),
  statuscategory: derived('categories', (issue, jira) => jira.deref(valuesOf(issue).status)?.statusCategory),
  parentepic: derived('issuelink', (issue, jira) => {
    const { parent } = valuesOf(issue)
    return isSubtask(valuesOf(issue)) ? valuesOf(jira.deref(parent)).parent : parent
  }),
  filter: derived('filters', (issue, jira) => {
    const found = jira.records.filters.where(({ jql }) => readJql(jira, String(jql)).test(issue))
    return found.map(({ id }) => ref('filters', id))
  }),
  issuelinktype: derived('labels', ({ id }, jira) =>
    linkEnds(jira).flatMap(({ from, type, words }) => (from === id ? [type, words] : [])),
  ),
  worklogcomment: derived('document', (issue, jira) => worklogsOf(issue, jira).map(({ comment }) => textOf(comment))),
  worklogauthor: derived('user', (issue, jira) => worklogsOf(issue, jira).map(({ author = null }) => author)),
  worklogdate: derived('date', (issue, jira) =>
    worklogsOf(issue, jira).map(({ started }) => String(started).slice(0, 10)),
  ),
  watcher: derived('user', ({ _watchers }) => _watchers),
  voter: derived('user', ({ _voters }) => _voters),
  votes: derived('number', ({ _voters }) => listOf(_voters).length),
  originalestimate: tracked('originalEstimate'),
  ...{ remainingestimate: tracked('remainingEstimate'), timeestimate: tracked('remainingEstimate') },
  timespent: tracked('timeSpent'),
  attachments: derived('labels', ({ id }, { records }) =>
    records.attachments.where({ _issue: id }).map((one) => String(one.filename)),
  ),
  rank: derived('number', ({ _rank }) => _rank),
}

/** Each link from both of its issues, with the words between. */
const linkEnds = ({ records }: Jira): { from: unknown; to: unknown; type: Json; words: Json }[] =>
  [...records.links].flatMap(({ type: of, inwardIssue, outwardIssue }) => {
    const { name: type = '', inward = '', outward = '' }: Fields = records.link_types.get(String(idOf(of))) ?? {}
    const [one, other] = [idOf(inwardIssue), idOf(outwardIssue)]
    return [
      { from: one, to: other, type, words: outward },
      { from: other, to: one, type, words: inward },
    ]
  })

/** What editors of queries offer: fields with their operators, functions, and reserved words. */
export function completions(jira: Jira): Shown {
  const visibleFieldNames = fieldsIn(jira).flatMap(({ id, name, searchable, orderable, clauseNames, schema }) => {
    const kind = kindOf({ id, name, schema })
    const operators = /^(string|document)$/.test(kind)
      ? '~,!~,is not,is'
      : `=,!=,in,not in,is,is not${/^(date|datetime|number|duration|priority)$/.test(kind) ? ',<,<=,>,>=' : ''}`
    const past = /^(status|assignee|reporter|priority|resolution|fixVersions)$/.test(id)
      ? ',was,was in,was not in,was not,changed'
      : ''
    const facts = {
      orderable: String(orderable),
      searchable: String(searchable),
      operators: `${operators}${past}`.split(','),
    }
    const cfid = /^customfield_(\d+)$/.exec(id)?.[1]
    const own = { auto: 'true', ...facts, types: [TYPES[kind] ?? 'java.lang.String'] }
    if (searchable === false) return []
    if (cfid) return [{ value: `cf[${cfid}]`, displayName: `${name} - cf[${cfid}]`, ...own, cfid: `cf[${cfid}]` }]
    return textsOf(clauseNames).map((value) => ({ value, displayName: value, ...own }))
  })
  const visibleFunctionNames = FUNCTIONS.map((name) => ({
    value: `${name}()`,
    displayName: `${name}()`,
    types: ['java.lang.String'],
  }))
  const jqlReservedWords = 'and,asc,by,changed,desc,empty,in,is,not,null,or,order,was'.split(',')
  return { visibleFieldNames, visibleFunctionNames, jqlReservedWords }
}

/** The values of a field that begin with a text, as editors of queries offer them. */
export function suggestions(jira: Jira, name: unknown, text: unknown): Shown {
  const { kind, valueIn } = subjectOf(jira, String(name ?? ''))
  const list = kind === 'user' ? 'users' : LISTS[kind]
  const used = [...jira.records.issues].map(valueIn)
  const values = list === undefined ? used : jira.all(list).map((one) => ref(list, one.accountId ?? one.id))
  const found = values.flatMap((value) => entriesOf(jira, value)).filter((one) => hasWords(text, one.name))
  const results = [...new Map(found.map((one) => [one.name, one])).values()].map(({ id, name }) => ({
    value: encode(list === 'users' ? id : name),
    displayName: name.replace(new RegExp(String(text ?? '').replace(/\W/g, '\\$&') || '$^', 'i'), '<b>$&</b>'),
  }))
  return { results: results.slice(0, 15) }
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ date: 'java.util.Date', datetime: 'java.util.Date', number: 'java.lang.Number' },
  ...{ user: 'com.atlassian.jira.user.ApplicationUser', project: 'com.atlassian.jira.project.Project' },
  ...{ issuetype: 'com.atlassian.jira.issue.issuetype.IssueType', status: 'com.atlassian.jira.issue.status.Status' },
  ...{ priority: 'com.atlassian.jira.issue.priority.Priority', version: 'com.atlassian.jira.project.version.Version' },
}

function order(jira: Jira, { valueIn }: Subject, one: Kept, other: Kept): number {
  const [[a], [b]] = [entriesOf(jira, valueIn(one)), entriesOf(jira, valueIn(other))]
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const by = Number(a.order) - Number(b.order)
  return Number.isNaN(by) ? a.name.localeCompare(b.name) : by
}

const isOne = ({ id, name, also = [] }: Entry, value: unknown): boolean =>
  [id, name, ...also].some((one) => same(one, value))

function compareWith(jira: Jira, subject: Subject, operator: string, values: readonly unknown[] | undefined): Test {
  const { name, kind } = subject
  const entries = (issue: Kept): Entry[] => entriesOf(jira, subject.valueIn(issue))
  const isNegative = /!|not/.test(operator)
  const unfit = (): never => jira.fail(400, `The operator '${operator}' is not supported by the '${name}' field.`)
  if (values === undefined) return (issue) => (entries(issue).length === 0) !== isNegative
  if (operator.endsWith('~') !== /^(string|document)$/.test(kind)) return unfit()
  if (operator.endsWith('~')) {
    const tests = values.map(toWordTest)
    const namesOf = (issue: Kept): string[] => entries(issue).map((one) => one.name)
    return (issue) => tests.some((test) => test(namesOf(issue).join(' '))) !== isNegative
  }
  const isNumber = /^(date|datetime|number|duration)$/.test(kind)
  const read = (value: unknown): unknown =>
    kind.startsWith('date') ? toMoment(jira, name, value) : kind === 'duration' ? (toSeconds(value) ?? value) : value
  const wanted = values.map(read)
  const list = LISTS[kind] ?? (/^(issues|filters|categories)$/.test(kind) ? (kind as Collection) : undefined)
  const known = list && [...jira.records[list]].flatMap((one) => entriesOf(jira, ref(list, one.id)))
  if (/[<>]/.test(operator)) {
    if (!isNumber && kind !== 'priority') return unfit()
    const bound = known?.find((one) => isOne(one, wanted[0]))?.order ?? Number(wanted[0])
    const sign = operator.startsWith('<') ? -1 : 1
    const isBeyond = (at: number): boolean => sign * (at - bound) > 0 || (operator.endsWith('=') && at === bound)
    return (issue) => entries(issue).some(({ order: at = 0 }) => isBeyond(at))
  }
  const absent = known && wanted.find((value) => !known.some((one) => isOne(one, value)))
  const text = `The value '${absent}' does not exist for the field '${name}'.`
  const key = `An issue with key '${absent}' does not exist for field '${name}'.`
  if (absent !== undefined) return jira.fail(400, kind === 'issues' ? key : text)
  const isWanted = (entry: Entry): boolean =>
    wanted.some((value) => (isNumber ? entry.order === Number(value) : isOne(entry, value)))
  return (issue) => {
    const past = operator.startsWith('was') ? pastOf(jira, issue, name).map(({ was }) => was) : []
    const found = [...past, ...entries(issue)]
    return found.some(isWanted) !== isNegative && (found.length > 0 || !isNegative || operator.startsWith('was'))
  }
}

/** Changes of a field of an issue. */
const pastOf = (jira: Jira, { id }: Kept, name: string) =>
  jira.records.changes.where({ _issue: id }).flatMap(({ items, created, author }) =>
    listOf(items)
      .filter(({ field, fieldId }) => same(field, name) || same(fieldId, name))
      .map(({ from, fromString, to, toString: now }) => ({
        was: { id: String(from), name: String(fromString) },
        became: { id: String(to), name: String(now) },
        at: Date.parse(String(created)),
        by: entriesOf(jira, author),
      })),
  )

/** `changed from a to b after x by y`. */
function changedTest(jira: Jira, name: string, predicates: readonly [string, readonly unknown[]][]): Test {
  const tests = predicates.map(([word, values]) => {
    const isOf = (one: Entry): boolean => values.some((value) => isOne(one, value))
    if (word === 'by') return ({ by }: Past) => by.some(isOf)
    if (word === 'from' || word === 'to') return ({ was, became }: Past) => isOf(word === 'to' ? became : was)
    const [start = 0, end = start + DAY_MS] = values.map((value) => toMoment(jira, name, value))
    return ({ at }: Past) =>
      word === 'after' ? at > start : at < (word === 'before' ? start : end) && (word === 'before' || at >= start)
  })
  return (issue) => pastOf(jira, issue, name).some((one) => tests.every((test) => test(one)))
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
function toMoment(jira: Jira, field: string, value: unknown): number {
  if (typeof value === 'number') return value
  const text = String(value)
  const [, sign, period] = /^([+-]?)((?:\d+[wdhm]\s*)+)$/.exec(text) ?? []
  if (period !== undefined) {
    const parts = period.match(/\d+[wdhm]/g) ?? []
    const sum = parts.reduce((all, part) => all + Number.parseInt(part, 10) * (PERIODS[part.slice(-1)] ?? 0), 0)
    return jira.now.getTime() + (sign === '-' ? -sum : sum)
  }
  const [, day, time] = /^(\d{4}[-/]\d\d?[-/]\d\d?)( \d\d?:\d\d)?$/.exec(text) ?? []
  const at = Date.parse(`${day?.replaceAll('/', '-')}${time === undefined ? '' : `T${time.trim()}Z`}`)
  if (!Number.isNaN(at)) return at
  const formats =
    "'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'"
  return jira.fail(400, `Date value '${text}' for field '${field}' is invalid. Valid formats include: ${formats}.`)
}

const EDGES = ['start', 'end'].flatMap((edge) => ['Day', 'Week', 'Month', 'Year'].map((unit) => `${edge}Of${unit}`))
/** The names of {@link callFunction}, as editors of queries offer them. */
const FUNCTIONS = [
  ...'currentUser now currentLogin openSprints futureSprints closedSprints releasedVersions membersOf'.split(' '),
  ...'unreleasedVersions standardIssueTypes subTaskIssueTypes watchedIssues votedIssues linkedIssues'.split(' '),
  ...['earliestUnreleasedVersion', 'latestReleasedVersion', 'projectsLeadByUser', 'updatedBy', ...EDGES],
]

function callFunction(jira: Jira, name: string, given: readonly string[]): unknown[] {
  const { records, now } = jira
  const [, edge, unit] = /^(start|end)of(day|week|month|year)$/i.exec(name) ?? []
  if (edge !== undefined) return [edgeOf(jira, same(edge, 'end'), String(unit).toLowerCase(), given[0] ?? '')]
  const [first = ''] = given
  const idsOf = (list: Collection, test: (one: Kept) => boolean) => () => records[list].where(test).map((one) => one.id)
  const projects = (): unknown[] => given.map((name) => Number(jira.find('projects', name).id))
  const isAmong = ({ projectId }: Kept): boolean => first === '' || projects().includes(projectId)
  const versions = (released: boolean) =>
    idsOf('versions', (one) => one.released === released && !one.archived && isAmong(one))
  const { accountId: me } = jira.me
  const isMine = (list: '_watchers' | '_voters') => (one: Kept) => listOf(one[list]).some(({ id }) => id === me)
  const functions: Readonly<Record<string, () => unknown[]>> = {
    currentuser: () => [me],
    now: () => [now.getTime()],
    currentlogin: () => [now.getTime()],
    opensprints: idsOf('sprints', ({ state }) => state === 'active'),
    futuresprints: idsOf('sprints', ({ state }) => state === 'future'),
    closedsprints: idsOf('sprints', ({ state }) => state === 'closed'),
    releasedversions: versions(true),
    unreleasedversions: versions(false),
    standardissuetypes: idsOf('issuetypes', ({ subtask }) => subtask === false),
    subtaskissuetypes: idsOf('issuetypes', ({ subtask }) => subtask === true),
    membersof: () =>
      records.users.where((one) => [one._groups].flat().some((own) => same(own, first))).map((one) => one.accountId),
    watchedissues: idsOf('issues', isMine('_watchers')),
    votedissues: idsOf('issues', isMine('_voters')),
    linkedissues: () => {
      const { id } = jira.find('issues', first)
      const isAsked = (words: Json): boolean => given.length < 2 || given.includes(String(words))
      return linkEnds(jira).flatMap(({ from, to, words }) => (from === id && isAsked(words) ? [to] : []))
    },
    earliestunreleasedversion: () => versions(false)().slice(-1),
    latestreleasedversion: () => versions(true)().slice(0, 1),
    projectsleadbyuser: idsOf('projects', ({ lead }) => idOf(lead) === (given.length === 0 ? me : first)),
    updatedby: () =>
      ['changes', 'comments', 'worklogs'].flatMap((list) =>
        records[list as Collection].where({ author: ref('users', first) }).map(({ _issue }) => _issue),
      ),
  }
  const text = `${name}(${given.join(', ')})`
  return functions[name.toLowerCase()]?.() ?? jira.fail(400, `Unable to find JQL function '${text}'.`)
}

/** Start or end of a day, week (from Sunday), month or year, some periods away: `startOfDay(-1d)`, `endOfMonth("+1")`. */
function edgeOf({ now }: Jira, isEnd: boolean, unit: string, shift: string): number {
  const [, count = '0', of = ''] = /^([+-]?\d+)([yMwdhm]?)$/.exec(shift) ?? []
  const by = (letter: string, name: string): number =>
    of === letter || (of === '' && unit === name) ? Number(count) : 0
  const more = (name: string): number => Number(isEnd && unit === name)
  const year = now.getUTCFullYear() + by('y', 'year') + more('year')
  const month = unit === 'year' ? by('M', '') : now.getUTCMonth() + by('M', 'month') + more('month')
  const start = /year|month/.test(unit) ? 1 : now.getUTCDate() - (unit === 'week' ? now.getUTCDay() : 0)
  const day = start + by('d', 'day') + more('day') + 7 * (by('w', 'week') + more('week'))
  return Date.UTC(year, month, day, by('h', ''), by('m', '')) - Number(isEnd)
}
