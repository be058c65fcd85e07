import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { CollectionModel, Operation, Paging } from '../../openapi/model.ts'
import type { FieldPath, Schema } from '../../openapi/schema.ts'
import type { ScopeMatch } from '../../world/collection-view.ts'
import { allNames } from '../operations/client-fields.ts'
import { toCanonical } from '../presentation/field-name.ts'
import { isOperator, type Test, toComparison, toTest } from './comparison.ts'
import { type RecordTest, toRecordTest } from './query-body.ts'
import { toTextTest } from './query-text.ts'

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
const WORDS = /^(q|filter|filters|\$filter|query|search|searchterm|searchtext|keyword|keywords|term|text|searchquery)$/
const FILTER_NAME = /^\$?filters?$/
const AFTER = /^(.+?)(after|since|from|gte|gt|min|start)$/
const BEFORE = /^(.+?)(before|until|to|lte|lt|max|end)$/

/** Reads the parameters that name fields of the records: by value, by comparison, by relation. */
export function readFilters(
  operation: Operation,
  { model, paging, values }: { model: CollectionModel; paging: Paging; values: Readonly<Record<string, Json>> },
): Filters {
  const where: FieldFilter[] = []
  const scope: ScopeMatch[] = []
  const tests: RecordTest[] = []
  let words: string | undefined
  const used = new Set(Object.values(paging).map(String))
  const fields = fieldsOf(model)
  for (const [name, value] of entriesOf(values)) {
    const canonical = toCanonical(name.replace(/\[\]$/, ''))
    if (used.has(name) || value === null) continue
    const filter = fieldFilter(fields, name, value)
    if (filter) where.push({ ...filter, ...mustReferTo(operation, model, { name, value, field: filter.field }) })
    else if (PRESENTATION.test(canonical)) continue
    else if (WORDS.test(canonical) && typeof value === 'string') {
      // `filter=all` is a word of the API's own, not one to look for.
      const plain = FILTER_NAME.test(canonical) ? undefined : plainWords(value)
      words = plain ?? words
      const asText = plain === undefined ? toTextTest(value, (field) => fields.has(toCanonical(field))) : undefined
      if (asText) tests.push(asText)
    } else {
      const parent = parentFilter(model, canonical, value)
      if (parent) scope.push(parent)
    }
  }
  const asked = operation.method === 'GET' ? undefined : toRecordTest({ ...values })
  if (asked) tests.push(asked)
  if (words !== undefined) tests.push((record) => holdsWords(record, words))
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

interface Field {
  readonly path: FieldPath
  readonly schema: Schema
}

const fieldTables = new WeakMap<CollectionModel, ReadonlyMap<string, Field>>()

/** Fields by canonical name: of the list's own schema where that is another, and of JSON:API's attributes. */
function fieldsOf(model: CollectionModel): ReadonlyMap<string, Field> {
  const known = fieldTables.get(model)
  if (known) return known
  const table = new Map<string, Field>()
  const add = (schema: Schema | undefined, path: FieldPath): void => {
    for (const [name, field] of allNames(schema)) {
      const canonical = toCanonical(name)
      if (!table.has(canonical)) table.set(canonical, { path: [...path, name], schema: field })
    }
  }
  add(model.schema, [])
  add(model.listSchema, [])
  for (const holder of ['attributes', 'properties']) add(allNames(model.schema).get(holder), [holder])
  fieldTables.set(model, table)
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

function fieldFilter(
  fields: ReadonlyMap<string, Field>,
  name: string,
  value: Json,
): { field: FieldPath; test: Test } | undefined {
  const dotted = name.split(/__|\./)
  const operator = dotted.length > 1 ? (dotted.at(-1) as string) : undefined
  if (operator !== undefined && isOperator(operator)) {
    const field = findField(fields, dotted.slice(0, -1).join('_'))
    return field && { field: field.path, test: toComparison(operator, value) }
  }
  const field = findField(fields, name)
  if (field) {
    const test = toTest(value, field.schema)
    return test && { field: field.path, test }
  }
  return rangeFilter(fields, toCanonical(name), value)
}

/** `created_after`, `min_price`, `due_date_to`: a bound of a field. */
function rangeFilter(
  fields: ReadonlyMap<string, Field>,
  name: string,
  value: Json,
): { field: FieldPath; test: Test } | undefined {
  if (typeof value === 'object') return undefined
  const after = AFTER.exec(name)?.[1] ?? /^(?:min|from|since)(.+)$/.exec(name)?.[1]
  const before = BEFORE.exec(name)?.[1] ?? /^(?:max|until|to)(.+)$/.exec(name)?.[1]
  const field = (after ?? before) === undefined ? undefined : findField(fields, (after ?? before) as string)
  return field && { field: field.path, test: toComparison(after === undefined ? 'lte' : 'gte', value) }
}

/** The field of that name, give or take `_id` and `_at`. */
function findField(fields: ReadonlyMap<string, Field>, name: string): Field | undefined {
  const canonical = toCanonical(name)
  const base = /^(.+?)(ids?|gids?|uuids?|sids?)$/.exec(canonical)?.[1]
  return (
    fields.get(canonical) ??
    fields.get(`${canonical}id`) ??
    fields.get(`${canonical}at`) ??
    fields.get(`${canonical}date`) ??
    fields.get(`${canonical}s`) ??
    (base === undefined ? undefined : (fields.get(base) ?? fields.get(`${base}id`)))
  )
}

/** `project=12` where records only know by their path which project they are of. */
function parentFilter(model: CollectionModel, name: string, value: Json): ScopeMatch | undefined {
  const { parent } = model
  if (parent === undefined || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  const names = [parent.param, parent.collection, `${parent.collection}id`].map(toCanonical)
  const singular = toCanonical(parent.collection).replace(/s$/, '')
  if (!names.includes(name) && name !== singular && name !== `${singular}id`) return undefined
  return { name: parent.collection, value: String(value), field: parent.field }
}

/** Plain words to look for; undefined for a query language that nobody here speaks. */
function plainWords(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed === '' || trimmed === '*' || /[:=<>(){}[\]"]/.test(trimmed) ? undefined : trimmed.toLowerCase()
}

/** Whether every word is found in one of the texts of a record. */
function holdsWords(record: JsonObject, words: string): boolean {
  const text = JSON.stringify(record).toLowerCase()
  return words.split(/\s+/).every((word) => text.includes(word))
}
