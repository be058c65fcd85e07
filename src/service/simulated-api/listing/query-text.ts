import type { Json } from '../../../protocol/json.ts'
import { isOperator, toComparison } from './comparison.ts'
import { fieldValue, type RecordTest } from './query-body.ts'

/** `status:"open"`, `amount>100`, `-label:bug`, `metadata['order']:'1'`; `status eq "ACTIVE"`, `name co 'x'`. */
const CLAUSE =
  /(-?)([\w.$]+(?:\[["']?\w+["']?\])*)(?:\s*(:|!=|>=|<=|=|~|>|<)\s*|\s+(eq|ne|gt|ge|lt|le|co|sw|ew|in)\s+)("[^"]*"|'[^']*'|[^\s()]+)/gi
const MAX_CLAUSES = 50
const MAX_CHARACTERS = 2_000
/** Words of SCIM and of search engines for comparisons that have other names elsewhere. */
const WORDS: Readonly<Record<string, string>> = { ':': 'eq', co: 'contains' }

/**
 * The test that a query in a text asks for: clauses as search engines, SCIM and OData write them, joined by AND or OR.
 * Clauses about fields that records do not have ask for nothing. Undefined where there is no clause.
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
