import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Operation, Relation } from '../../openapi/model.ts'
import type { Schema } from '../../openapi/schema.ts'
import { keyIn } from '../../world/field.ts'
import type { Call, Found, Setting } from '../operations/call.ts'
import { findName } from '../presentation/field-name.ts'

/** What a caller wants to see of records: some fields only, or related records in place of their ids. */
export interface RecordView {
  readonly fields: ReadonlySet<string> | undefined
  readonly expand: readonly (readonly string[])[]
}

const FIELD_PARAMS = /^(fields|opt_fields|field|select|\$select|only|_fields|include_fields)$/i
const EXPAND_PARAMS = /^(expand|\$expand|_expand|embed|include|includes|with)(\[\])?$/i
const params = new WeakMap<Operation, { fields: string | undefined; expand: string | undefined }>()

/** The view that a request asks for through parameters that the operation declares; undefined for the plain one. */
export function viewOf(call: Call): RecordView | undefined {
  if (call.query.pairs.length === 0) return undefined
  const names = paramsOf(call.operation)
  const fields = names.fields === undefined ? [] : toNames(call.query.values[names.fields])
  const expand = names.expand === undefined ? [] : toNames(call.query.values[names.expand])
  if (fields.length === 0 && expand.length === 0) return undefined
  const tops = fields.map((field) => field.split(/[.(]/, 1)[0] as string)
  return { fields: fields.length === 0 ? undefined : new Set(tops), expand: expand.map((path) => path.split('.')) }
}

/** A record with related ones in the place of their ids, cut to the fields asked for; what is required always stays. */
export function applyView(
  setting: Setting,
  view: RecordView,
  { json, schema, found }: { json: Json; schema: Schema | undefined; found: Found },
): Json {
  if (!isJsonObject(json)) return json
  const expanded = view.expand.reduce((record, path) => expand(setting, record, { path, schema, found }), json)
  if (view.fields === undefined) return expanded
  const { fields } = view
  const known = Object.keys(expanded).some((name) => findName(fields, name) !== undefined)
  if (!known) return expanded
  const kept = Object.entries(expanded).filter(
    ([name]) => schema?.required.has(name) || findName(fields, name) !== undefined,
  )
  return Object.fromEntries(kept)
}

function paramsOf(operation: Operation) {
  const known = params.get(operation)
  if (known) return known
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const found = {
    fields: names.find((name) => FIELD_PARAMS.test(name)),
    expand: names.find((name) => EXPAND_PARAMS.test(name)),
  }
  params.set(operation, found)
  return found
}

function toNames(value: Json | undefined): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  if (Array.isArray(value)) return value.flatMap((item) => toNames(item))
  return isJsonObject(value) ? Object.values(value).flatMap((item) => toNames(item)) : []
}

function expand(
  setting: Setting,
  record: JsonObject,
  { path, schema, found }: { path: readonly string[]; schema: Schema | undefined; found: Found },
): JsonObject {
  const names = path[0] === 'data' ? path.slice(1) : path
  const name = findName(Object.keys(record), names[0] ?? '')
  const field = name === undefined ? undefined : schema?.properties.get(name)
  const relation = setting.world
    .collection(found.collection)
    .model.relations.find(({ field: at }) => at.length === 1 && at[0] === name)
  if (name === undefined || field === undefined || relation === undefined) return record
  const held = record[name]
  const whole = Array.isArray(held)
    ? held.map((item) => related(setting, relation, item, field.items))
    : related(setting, relation, held as Json, field)
  return { ...record, [name]: whole }
}

function related(setting: Setting, relation: Relation, held: Json, schema: Schema | undefined): Json {
  const key = keyIn(held)
  const record = key === undefined ? undefined : setting.world.collection(relation.collection).get(key)
  const objectSchema = schema?.variants?.find((variant) => variant.types.includes('object')) ?? schema
  if (key === undefined || record === undefined || !objectSchema?.types.includes('object')) return held
  return setting.presenter.record(relation.collection, { key, record }, objectSchema).json
}
