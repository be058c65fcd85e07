import { singularOf } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import { type Test, toComparison, toTest } from './comparison.ts'
import { FILTER_OBJECT, isDate, type ListParameters, type Target } from './list-parameters.ts'
import { type RecordTest, toRecordTest, toTextTest } from './search-query.ts'

/** Filters of a list besides its path. */
export interface Filters {
  readonly where: readonly FieldFilter[]
  readonly scope: readonly ScopeMatch[]
  /** A test of whole records: words anywhere, or a query in the body of a search. */
  readonly matches: RecordTest | undefined
}

const NO_FILTERS: Filters = { where: [], scope: [], matches: undefined }

/** The condition of a parameter on one field. */
export interface FieldFilter {
  readonly field: FieldPath
  readonly test: Test
  /** The record to which the field must refer, where the operation requires such a parameter. */
  readonly refersTo?: { readonly collection: string | undefined; readonly key: string }
  /** Whether records without the field fit, too: no other list would show them. */
  readonly isOwner?: boolean
}

/** Reads the parameters that name fields of the records: by value, by comparison, by relation. */
export function readFilters(parameters: ListParameters, values: Readonly<Record<string, Json>>): Filters {
  const { operation, fields, hiding } = parameters
  if (operation.method === 'GET' && hiding.length === 0 && parameters.cutAlone(values)) return NO_FILTERS
  const where: FieldFilter[] = []
  const scope: ScopeMatch[] = []
  const tests: RecordTest[] = []
  let words: string | undefined
  for (const [name, value] of entriesOf(values)) {
    const { role, target, refersTo, isOwner } = parameters.get(name)
    if (role === 'page' || value === null) continue
    const several = target && isPlural(name, target) && typeof value === 'string' ? value.split(',') : value
    const filter = target && !isChoice(target, value) ? toFieldFilter(target, several) : undefined
    if (filter) {
      const mustRefer = refersTo !== undefined && typeof value !== 'object'
      where.push({ ...filter, isOwner, ...(mustRefer && { refersTo: { ...refersTo, key: String(value) } }) })
    } else if ((role === 'words' || role === 'filter') && typeof value === 'string') {
      // `filter=all` is the API's own keyword, not a search text.
      const plain = role === 'filter' ? undefined : plainWords(value)
      words = plain ?? words
      const asText = plain === undefined ? toTextTest(value, (field) => fields.byName.has(foldName(field))) : undefined
      if (asText) tests.push(asText)
    } else if (role === 'parent') scope.push(...parentFilter(parameters, value))
  }
  const asked = operation.method === 'GET' ? undefined : toRecordTest({ ...values })
  if (asked) tests.push(asked)
  if (words !== undefined) tests.push(wordsTest(words))
  // `is_active=false` beside `include_inactive` asks for what is hidden.
  const hidden = hiding.filter(
    ({ parameter, isOnRequest, field }) =>
      /^(true|1|yes)$/i.test(String(values[parameter])) === isOnRequest &&
      where.every((filter) => filter.field.join('.') !== field.join('.')),
  )
  where.push(...hidden)
  const matches = tests.length === 0 ? undefined : (record: JsonObject) => tests.every((test) => test(record))
  return { where, scope, matches }
}

/** `symbols=AAPL,MSFT` of records with a `symbol`. */
const isPlural = (name: string, { field }: Target): boolean =>
  foldName(name) !== foldName(field.path.at(-1) ?? '') &&
  singularOf(foldName(name)) === foldName(field.path.at(-1) ?? '')

/** `properties: ["email"]` of records whose `properties` may be any says which of them to show. */
const isChoice = ({ field: { schema } }: Target, value: Json): boolean =>
  Array.isArray(value) && schema.types.includes('object') && schema.properties.size === 0

/** Deepest nesting of `filter` objects: `{ query: { filter: { status: 'open' } } }`. */
const MOST_FILTERS = 3

/** Parameters, including those inside a `filter` object. */
function* entriesOf(values: Readonly<Record<string, Json>>, depth = 0): Generator<[string, Json]> {
  for (const [name, value] of Object.entries(values)) {
    const isFilter = depth < MOST_FILTERS && FILTER_OBJECT.test(name)
    if (isFilter && isJsonObject(value)) yield* entriesOf(value, depth + 1)
    else yield [name, value]
  }
}

function toFieldFilter(
  { field, operator, isBound }: Target,
  value: Json,
): { field: FieldPath; test: Test } | undefined {
  if (operator === undefined) {
    const test = toTest(value, field.schema)
    return test && { field: field.path, test }
  }
  // `from=BER` of flights is a place.
  const isPlace = typeof value === 'string' && !/\d/.test(value) && isDate(field.schema)
  if (isBound && (isPlace || typeof value === 'object')) return undefined
  const compare = toComparison(operator, value, field.schema)
  const test: Test = isBound ? (stored) => (Array.isArray(stored) ? stored.some(compare) : compare(stored)) : compare
  return { field: field.path, test }
}

/** The parent record of a list, where a parameter identifies it. */
function parentFilter({ model: { parent } }: ListParameters, value: Json): ScopeMatch[] {
  if (parent === undefined || (typeof value !== 'string' && typeof value !== 'number')) return []
  return [{ name: parent.collection, value: String(value), field: parent.field }]
}

function plainWords(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed === '' || trimmed === '*' || /[:=<>(){}[\]"]|~'/.test(trimmed) ? undefined : trimmed.toLowerCase()
}

/** Whether every word occurs in a text or number of a record. */
function wordsTest(words: string): RecordTest {
  const wanted = words.split(/\s+/)
  return (record) => {
    const texts: string[] = []
    addTexts(record, texts)
    const text = texts.join('\n').toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
}

function addTexts(value: Json, texts: string[]): void {
  if (typeof value === 'string' || typeof value === 'number') texts.push(String(value))
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) addTexts(item, texts)
}
