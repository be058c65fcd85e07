import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isOperator, toComparison } from './comparison.ts'

/** Whether a record passes a query. */
export type RecordTest = (record: JsonObject) => boolean

const FIELD_KEYS = 'field propertyName property attribute fieldName field_name column key name member'.split(' ')
const OPERATOR_KEYS = ['operator', 'op', 'operation', 'comparator', 'condition', 'comparison', 'match', 'type']
const VALUE_KEYS = ['value', 'values', 'operand', 'match', 'term']
const GROUP_KEYS = 'filters conditions rules children operands value queries predicates clauses'.split(' ')
const MAX_DEPTH = 10

/**
 * The test in a search's body, in query languages common to many APIs: conditions `{ field, operator, value }`, joined
 * by `{ operator: 'AND' | 'OR', value: [...] }`, `{ and: [...] }`, or groups of filters, of which one must match.
 * Undefined without a query.
 */
export function toRecordTest(body: Json | undefined, depth = 0): RecordTest | undefined {
  if (!isJsonObject(body) || depth > MAX_DEPTH) return undefined
  const own = toCondition(body) ?? toGroup(body, depth)
  if (own) return own
  const inner = Object.entries(body)
    .filter(([name]) => /^(query|filters?|filter_?groups?|where|conditions?|search|criteria)$/i.test(name))
    .map(([name, value]) => toNested(name, value, depth))
    .filter((test) => test !== undefined)
  return inner.length === 0 ? undefined : all(inner)
}

function toNested(name: string, value: Json, depth: number): RecordTest | undefined {
  if (!Array.isArray(value)) return toRecordTest(value, depth + 1)
  const tests = value.map((item) => toRecordTest(item, depth + 1)).filter((test) => test !== undefined)
  if (tests.length === 0) return undefined
  return /groups?$/i.test(name) ? any(tests) : all(tests)
}

/** `{ field, operator, value }`. */
function toCondition(body: JsonObject): RecordTest | undefined {
  const field = textAt(body, FIELD_KEYS)
  const operator = textAt(body, OPERATOR_KEYS)
  if (field === undefined || operator === undefined) return undefined
  const word = operator.replace(/_/g, '').toLowerCase()
  if (word === 'between') {
    const low = toComparison('gte', body.value ?? null)
    const high = toComparison('lte', body.highValue ?? body.to ?? null)
    return (record) => low(fieldValue(record, field)) && high(fieldValue(record, field))
  }
  if (word === 'nothasproperty') return (record) => (fieldValue(record, field) ?? null) === null
  const negated = /^(?:not_?|!)(?!=)(.+)$/i.exec(operator)?.[1]
  const name = negated ?? operator
  if (!isOperator(name)) return undefined
  const wanted = VALUE_KEYS.map((key) => body[key]).find((value) => value !== undefined) ?? null
  const test = toComparison(name, wanted)
  return (record) => test(fieldValue(record, field)) === (negated === undefined)
}

/** `{ operator: 'OR', value: [...] }`, `{ or: [...] }`. */
function toGroup(body: JsonObject, depth: number): RecordTest | undefined {
  const joint = textAt(body, OPERATOR_KEYS)?.toLowerCase()
  const key = GROUP_KEYS.find((name) => Array.isArray(body[name]))
  const [joined, items] =
    (joint === 'and' || joint === 'or') && key !== undefined
      ? [joint, body[key]]
      : (Object.entries(body).find(([name, value]) => /^\$?(and|or)$/i.test(name) && Array.isArray(value)) ?? [])
  if (joined === undefined || !Array.isArray(items)) return undefined
  const tests = items.map((item) => toRecordTest(item, depth + 1)).filter((test) => test !== undefined)
  return /or$/i.test(joined) ? any(tests) : all(tests)
}

const all =
  (tests: readonly RecordTest[]): RecordTest =>
  (record) =>
    tests.every((test) => test(record))
const any =
  (tests: readonly RecordTest[]): RecordTest =>
  (record) =>
    tests.some((test) => test(record))

function textAt(body: JsonObject, names: readonly string[]): string | undefined {
  const value = names.map((name) => body[name]).find((candidate) => typeof candidate === 'string')
  return typeof value === 'string' ? value : undefined
}

/** The value of a dotted field; fields of `attributes` and `properties` count as the record's own. */
function fieldValue(record: JsonObject, field: string): Json | undefined {
  const whole = ownField(record, field)
  if (whole !== undefined) return whole
  let value: Json | undefined = record
  for (const name of field.split('.')) value = isJsonObject(value) ? ownField(value, name) : undefined
  if (value !== undefined) return value
  for (const holder of ['attributes', 'properties', 'custom_attributes', 'fields']) {
    const stored = record[holder]
    const inner = isJsonObject(stored) ? ownField(stored, field) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

function ownField(record: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(record, name)) return record[name]
  const wanted = foldName(name)
  const found = Object.keys(record).find((key) => foldName(key) === wanted)
  return found === undefined ? undefined : record[found]
}

/** `status:"open"`, `amount>100`, `-label:bug`, `metadata['order']:'1'`; `status eq "ACTIVE"`, `name co 'x'`. */
const CLAUSE =
  /(-?)([\w.$]+(?:\[["']?\w+["']?\])*)(?:\s*(:|!=|>=|<=|=|~|>|<)\s*|\s+(eq|ne|gt|ge|lt|le|co|sw|ew|in)\s+)("[^"]*"|'[^']*'|[^\s()]+)/gi
const MAX_CLAUSES = 50
const MAX_CHARACTERS = 2_000
/** SCIM's and search engines' names for operators. */
const WORDS: Readonly<Record<string, string>> = { ':': 'eq', co: 'contains' }

/**
 * The test in a query text: clauses of search engines, SCIM and OData, joined by AND or OR. Clauses about unknown
 * fields have no effect. Undefined without a clause.
 */
export function toTextTest(text: string, isField: (name: string) => boolean): RecordTest | undefined {
  const clauses = [...text.slice(0, MAX_CHARACTERS).matchAll(CLAUSE)].slice(0, MAX_CLAUSES)
  const tests = clauses.map((clause) => toClauseTest(clause, isField)).filter((test) => test !== undefined)
  if (tests.length === 0) return undefined
  const isAny = /\s(or|\|\|)\s/i.test(text)
  return (record) => (isAny ? tests.some((test) => test(record)) : tests.every((test) => test(record)))
}

function toClauseTest(clause: RegExpExecArray, isField: (name: string) => boolean): RecordTest | undefined {
  const [, negation, written = '', symbol, word, quoted = ''] = clause
  const field = written.replace(/\[["']?(\w+)["']?\]/g, '.$1')
  if (!isField(field.split('.')[0] ?? '')) return undefined
  const operator = WORDS[(symbol ?? word ?? 'eq').toLowerCase()] ?? symbol ?? word ?? 'eq'
  if (!isOperator(operator)) return undefined
  const wanted: Json = /^["']/.test(quoted) ? quoted.slice(1, -1) : quoted
  const test = toComparison(operator, wanted)
  return (record) => test(fieldValue(record, field)) === (negation !== '-')
}
