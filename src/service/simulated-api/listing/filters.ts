import { foldNoun, singularOf } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation, Paging } from '../../openapi/model.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import { allNames } from '../compiled/intake.ts'
import { isOperator, type Test, toComparison, toTest } from './comparison.ts'
import { type RecordTest, toRecordTest, toTextTest } from './search-query.ts'

/** What narrows a list beside its path. */
export interface Filters {
  readonly where: readonly FieldFilter[]
  readonly scope: readonly ScopeMatch[]
  /** A test of whole records: words to be found anywhere, or a query in the body of a search. */
  readonly matches: RecordTest | undefined
}

/** What a parameter asks of one field. */
export interface FieldFilter {
  readonly field: FieldPath
  readonly test: Test
  /** The record that the field has to refer to, where the operation insists on such a parameter. */
  readonly refersTo?: { readonly collection: string | undefined; readonly key: string }
}

/** Parameters that say how a list is shown, not what is in it. */
const PRESENTATION =
  /^(sort|sortby|sortorder|sortdir|sortdirection|sortfield|sortkey|orderby|ordering|order|orderdir|orderdirection|direction|dir|fields|optfields|optpretty|pretty|select|expand|include|includes|embed|with|format|locale|lang|language|version|apiversion|accesstoken|apikey|key|token|callback|include\w+|with\w+|omit\w*|exclude\w*)$/
const WORDS = /^(q|filter|filters|query|search|searchterm|searchtext|keyword|keywords|term|text|searchquery)$/
const FILTER_NAME = /^filters?$/
/** A span of time without a field of that name: it is about the one date that records have. */
const FROM_DATE =
  /^(?:(?:start|from|begin|min|since|after|earliest)(?:date|day|time|datetime)?|(?:date|day|time)(?:from|start|since|after|min|gte))$/
const TO_DATE =
  /^(?:(?:end|to|until|max|before|latest)(?:date|day|time|datetime)?|(?:date|day|time)(?:to|end|until|before|max|lte))$/
const STATUS = /^(state|status|stat(?:e|us)filter)$/
const AFTER = /^(.+?)(after|since|from|gte|gt|min|start)$/
const BEFORE = /^(.+?)(before|until|to|lte|lt|max|end)$/

/** A collection, and the fields of it that parameters may name. */
export interface FilteredCollection {
  readonly model: CollectionModel
  readonly filterFields: FilterFields
}

/** Reads the parameters that name fields of the records: by value, by comparison, by relation. */
export function readFilters(
  operation: Operation,
  { model, filterFields: fields }: FilteredCollection,
  { paging, values }: { paging: Paging; values: Readonly<Record<string, Json>> },
): Filters {
  const where: FieldFilter[] = []
  const scope: ScopeMatch[] = []
  const tests: RecordTest[] = []
  let words: string | undefined
  const used = new Set(Object.values(paging).map(String))
  for (const [name, value] of entriesOf(values)) {
    const folded = foldName(name)
    if (used.has(name) || value === null) continue
    const filter = fieldFilter(fields, name, value)
    if (filter) where.push({ ...filter, ...mustReferTo(operation, model, { name, value, field: filter.field }) })
    else if (PRESENTATION.test(folded)) continue
    else if (WORDS.test(folded) && typeof value === 'string') {
      // `filter=all` is a word of the API's own, not one to look for.
      const plain = FILTER_NAME.test(folded) ? undefined : plainWords(value)
      words = plain ?? words
      const asText = plain === undefined ? toTextTest(value, (field) => fields.byName.has(foldName(field))) : undefined
      if (asText) tests.push(asText)
    } else {
      const parent = parentFilter(model, folded, value)
      if (parent) scope.push(parent)
    }
  }
  const asked = operation.method === 'GET' ? undefined : toRecordTest({ ...values })
  if (asked) tests.push(asked)
  if (words !== undefined) tests.push(wordsTest(words))
  const matches = tests.length === 0 ? undefined : (record: JsonObject) => tests.every((test) => test(record))
  return { where, scope, matches }
}

/** Parameters, with those that stand in a `filter` object of their own brought to the top. */
function* entriesOf(values: Readonly<Record<string, Json>>): Generator<[string, Json]> {
  for (const [name, value] of Object.entries(values)) {
    if (/^(filters?|where|query|_filter|\$filter)$/i.test(name) && isJsonObject(value)) yield* Object.entries(value)
    else yield [name, value]
  }
}

/** Names of the query parameters of a list that nothing here reads: whatever they ask for, the list stays as it is. */
export function findUnreadParameters(
  { effect, parameters }: Operation,
  { model, filterFields: fields }: FilteredCollection,
): string[] {
  if (effect.kind !== 'list' && effect.kind !== 'search') return []
  const used = new Set(Object.values(effect.paging).map(String))
  const isRead = (name: string): boolean => {
    const folded = foldName(name)
    if (used.has(name) || PRESENTATION.test(folded) || WORDS.test(folded) || /^(sort|order|ids$)/.test(folded))
      return true
    return findTarget(fields, name) !== undefined || parentFilter(model, folded, '') !== undefined
  }
  return parameters.filter((parameter) => parameter.in === 'query' && !isRead(parameter.name)).map(({ name }) => name)
}

interface Field {
  readonly path: FieldPath
  readonly schema: Schema
}

/** The fields of a collection's records that parameters may name. */
export interface FilterFields {
  readonly byName: ReadonlyMap<string, Field>
  readonly status: Field | undefined
  /** The one date that records have, beside those of their keeping. */
  readonly date: Field | undefined
}

export function findFilterFields(model: CollectionModel): FilterFields {
  const byName = fieldsByName(model)
  const status = model.statusField?.length === 1 ? byName.get(foldName(model.statusField[0] ?? '')) : undefined
  return { byName, status, date: findDate(model, byName) }
}

function findDate({ timestamps }: CollectionModel, byName: ReadonlyMap<string, Field>): Field | undefined {
  const kept = [timestamps.created?.[0], timestamps.updated?.[0]]
  const dates = [...byName.values()].filter(({ path, schema }) => isDate(schema) && !kept.includes(path[0]))
  return dates.length > 1 ? dates.find(({ path }) => foldName(path.at(-1) ?? '') === 'date') : dates[0]
}

const isDate = ({ format, items }: Schema): boolean => /^date(-time)?$/.test(format ?? items?.format ?? '')

/** Fields by folded name: of the list's own schema where that is another, and of JSON:API's attributes. */
function fieldsByName(model: CollectionModel): ReadonlyMap<string, Field> {
  const table = new Map<string, Field>()
  const add = (schema: Schema | undefined, path: FieldPath): void => {
    for (const [name, field] of allNames(schema)) {
      const folded = foldName(name)
      if (!table.has(folded)) table.set(folded, { path: [...path, name], schema: field })
    }
  }
  add(model.schema, [])
  add(model.listSchema, [])
  for (const holder of ['attributes', 'properties']) add(allNames(model.schema).get(holder), [holder])
  return table
}

/** Tells the required filters by relations from others: what they name may be unknown here. */
function mustReferTo(
  operation: Operation,
  model: CollectionModel,
  { name, value, field }: { name: string; value: Json; field: FieldPath },
): Pick<FieldFilter, 'refersTo'> {
  const isRequired = operation.parameters.some((parameter) => parameter.required && parameter.name === name)
  if (!isRequired || typeof value === 'object') return {}
  const relation = model.relations.find((candidate) => candidate.field[0] === field[0])
  const schema = allNames(model.schema).get(field[0] ?? '')
  const isObject = schema?.types.includes('object') || schema?.items?.types.includes('object')
  return relation || isObject ? { refersTo: { collection: relation?.collection, key: String(value) } } : {}
}

function fieldFilter(fields: FilterFields, name: string, value: Json): { field: FieldPath; test: Test } | undefined {
  const target = findTarget(fields, name)
  if (target === undefined) return undefined
  const { field, operator, isBound } = target
  if (operator === undefined) {
    const test = toTest(value, field.schema)
    return test && { field: field.path, test }
  }
  if (isBound && typeof value === 'object') return undefined
  const compare = toComparison(operator, value)
  const test: Test = isBound ? (held) => (Array.isArray(held) ? held.some(compare) : compare(held)) : compare
  return { field: field.path, test }
}

/** What a parameter asks about. */
interface Target {
  readonly field: Field
  /** @default equality */
  readonly operator?: string
  /** Whether it bounds the field: `created_after`, `min_price`, `startDate`. */
  readonly isBound?: true
}

function findTarget(fields: FilterFields, name: string): Target | undefined {
  const dotted = name.split(/__|\./)
  const operator = dotted.length > 1 ? (dotted.at(-1) as string) : undefined
  if (operator !== undefined && isOperator(operator)) {
    const field = findField(fields, dotted.slice(0, -1).join('_'))
    return field && { field, operator }
  }
  const field = findField(fields, name)
  return field ? { field } : findBound(fields, foldName(name).replace(/utc$/, ''))
}

/** `created_after`, `min_price`, `due_date_to`: a bound of a field. `startDate`, `dateTo`: one of the only date. */
function findBound(fields: FilterFields, name: string): Target | undefined {
  const after = AFTER.exec(name)?.[1] ?? /^(?:min|from|since)(.+)$/.exec(name)?.[1]
  const before = BEFORE.exec(name)?.[1] ?? /^(?:max|until|to)(.+)$/.exec(name)?.[1]
  const named = (after ?? before) === undefined ? undefined : findField(fields, (after ?? before) as string)
  if (named) return { field: named, operator: after === undefined ? 'lte' : 'gte', isBound: true }
  const { date } = fields
  if (date && FROM_DATE.test(name)) return { field: date, operator: 'gte', isBound: true }
  return date && TO_DATE.test(name) ? { field: date, operator: 'lte', isBound: true } : undefined
}

/** The field of that name, give or take `_id` and `_at`, one for many and one word for the status. */
function findField({ byName, status }: FilterFields, name: string): Field | undefined {
  const folded = foldName(name)
  const base = /^(.+?)(ids?|gids?|uuids?|sids?)$/.exec(folded)?.[1]
  const one = singularOf(folded)
  return (
    byName.get(folded) ??
    byName.get(`${folded}id`) ??
    byName.get(`${folded}at`) ??
    byName.get(`${folded}utc`) ??
    byName.get(`${folded}date`) ??
    byName.get(`${folded}s`) ??
    (base === undefined ? undefined : (byName.get(base) ?? byName.get(`${base}id`))) ??
    byName.get(one) ??
    (STATUS.test(one) || STATUS.test(folded) ? status : undefined)
  )
}

/** `project=12` where records only know by their path which project they are of. */
function parentFilter(model: CollectionModel, name: string, value: Json): ScopeMatch | undefined {
  const { parent } = model
  if (parent === undefined || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  const names = [parent.param, parent.collection, `${parent.collection}id`].map(foldName)
  const singular = foldNoun(parent.collection)
  if (!names.includes(name) && name !== singular && name !== `${singular}id`) return undefined
  return { name: parent.collection, value: String(value), field: parent.field }
}

/** Plain words to look for; undefined for a query language that nobody here speaks. */
function plainWords(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed === '' || trimmed === '*' || /[:=<>(){}[\]"]/.test(trimmed) ? undefined : trimmed.toLowerCase()
}

/** Whether every word is found in one of the texts and numbers of a record. */
function wordsTest(words: string): RecordTest {
  const wanted = words.split(/\s+/)
  return (record) => {
    const text = [...textsIn(record)].join('\n').toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
}

function* textsIn(value: Json): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* textsIn(item)
}
