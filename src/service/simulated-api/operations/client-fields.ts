import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { CollectionModel, Envelope, Relation } from '../../openapi/model.ts'
import type { Schema } from '../../openapi/schema.ts'
import { findName, toCanonical } from '../presentation/field-name.ts'
import { rankVariants } from '../presentation/rank-variants.ts'
import { checkOf, fits, type SchemaCheck } from '../validation/check.ts'
import type { Call, Setting } from './call.ts'

/** The part of a request body that describes the record: unwrapped where the client wrapped it. */
export function unwrapBody(body: Json | undefined, envelope: Envelope | undefined): Json | undefined {
  if (body === undefined || envelope === undefined) return body
  let at: Json | undefined = body
  for (const name of envelope.path) at = isJsonObject(at) ? at[name] : undefined
  return at === undefined ? body : at
}

/** What a client sent of a record: in the body, or, where the operation takes none, in the query. */
export function sentFields(call: Call, envelope: Envelope | undefined): Json | undefined {
  const { operation, body, query } = call
  if (body.value !== undefined || operation.requestBody !== undefined) return unwrapBody(body.value, envelope)
  return { ...query.values }
}

/** One record's fields out of a body: the first item where the client sent an array. */
export function firstFields(value: Json | undefined): JsonObject {
  const first = Array.isArray(value) ? value[0] : value
  return isJsonObject(first) ? first : {}
}

/**
 * What a client sent, by the record's own names and in the record's own forms: `assigneeId` fills `assignee_id`, and
 * also an `assignee` that is an object, unless that was sent too. Fields that only the server sets are left out.
 */
export function toRecordFields(
  setting: Setting,
  model: CollectionModel,
  sent: JsonObject,
  { call, key }: { call: Call; key: string },
): JsonObject {
  if (isAsRecorded(sent, intakesOf(model, call))) return sent
  const fields: JsonObject = {}
  const names = allNames(model.schema)
  const writable = writableNames(call)
  for (const sentName in sent) {
    if (sentName === '__proto__') continue
    const value = sent[sentName] as Json
    const name = names.has(sentName)
      ? sentName
      : (findName(names.keys(), sentName) ?? relationName(names, sentName, value))
    const field = names.get(name ?? '')
    const isNamed = name !== undefined && (name === sentName || !Object.hasOwn(sent, name))
    if (!isNamed || field === undefined) fields[sentName] = value
    else if (!isServerSet(model, name, field, writable.has(sentName))) {
      fields[name] = isAsKept(value, field)
        ? value
        : toFieldValue(value, field, {
            setting,
            relation: model.relations.find(({ field: path }) => path.length === 1 && path[0] === name),
            key: `${model.name}/${key}.${name}`,
          })
    }
  }
  return fields
}

/** Checks of the record's own fields that clients may set, by name. */
type Intakes = ReadonlyMap<string, SchemaCheck>

/** Whether all that was sent bears the record's own names and has its forms already, as it mostly does. */
function isAsRecorded(sent: JsonObject, intakes: Intakes): boolean {
  for (const name in sent) {
    const check = intakes.get(name)
    const value = sent[name] as Json
    if (check === undefined || (value !== null && check.find(value) !== undefined)) return false
  }
  return true
}

const intakes = new WeakMap<CollectionModel, WeakMap<object, Intakes>>()

function intakesOf(model: CollectionModel, call: Call): Intakes {
  const bySchema = intakes.get(model) ?? new WeakMap<object, Intakes>()
  const schema = writableSchema(call) ?? model
  const known = bySchema.get(schema)
  if (known !== undefined) return known
  const writable = writableNames(call)
  const own = [...allNames(model.schema)].filter(
    ([name, field]) => name !== '__proto__' && !isServerSet(model, name, field, writable.has(name)),
  )
  const found = new Map(own.map(([name, field]) => [name, checkOf(field, 'response')]))
  intakes.set(model, bySchema.set(schema, found))
  return found
}

const writables = new WeakMap<Schema, ReadonlySet<string>>()

const writableSchema = ({ operation: { effect }, body }: Call): Schema | undefined =>
  ('body' in effect ? effect.body?.schema : undefined) ?? body.schema

/** Fields that the operation takes, whatever the record's own schema says of them. */
function writableNames(call: Call): ReadonlySet<string> {
  const schema = writableSchema(call)
  if (schema === undefined) return NO_NAMES
  const known = writables.get(schema)
  if (known !== undefined) return known
  const names = new Set([...allNames(schema)].filter(([, field]) => !field.readOnly).map(([name]) => name))
  writables.set(schema, names)
  return names
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** What a client may not set, unless it chooses the keys of these records. */
function isServerSet(model: CollectionModel, name: string, field: Schema, isWritable: boolean): boolean {
  const isId = model.id.field?.length === 1 && model.id.field[0] === name
  if (isId && !model.id.clientChosen) return field.readOnly || /(^|_)(id|gid|uuid|sid)$|Id$/.test(name)
  return !isId && field.readOnly && !isWritable
}

/** Properties of a schema and of all its alternatives. */
export function allNames(schema: Schema | undefined): ReadonlyMap<string, Schema> {
  if (schema?.variants === undefined) return schema?.properties ?? new Map()
  const names = new Map(schema.properties)
  for (const variant of schema.variants) {
    for (const [name, field] of variant.properties) if (!names.has(name)) names.set(name, field)
  }
  return names
}

/** `project_id` for a record with a `project` object, `project` for one with a `project_id`. */
function relationName(names: ReadonlyMap<string, Schema>, sent: string, value: Json): string | undefined {
  const canonical = toCanonical(sent)
  const base = /^(.+?)(ids?|gids?|uuids?|sids?)$/.exec(canonical)?.[1]
  for (const [name, field] of names) {
    const known = toCanonical(name)
    const holdsObject = field.types.includes('object') || field.items?.types.includes('object')
    if (base !== undefined && holdsObject && (known === base || known === `${base}s`)) return name
    if (typeof value !== 'object' && (known === `${canonical}id` || known === `${canonical}gid`)) return name
  }
  return undefined
}

interface FieldPlace {
  readonly setting: Setting
  /** The relation that the field is, where it is one. */
  readonly relation: Relation | undefined
  readonly key: string
}

/** Whether a value needs no other form to be kept. */
const isAsKept = (value: Json, field: Schema): boolean => value === null || fits(field, value)

/** A value in the form that the record's schema has for it; objects stay as partial as the client sent them. */
function toFieldValue(value: Json, field: Schema | undefined, place: FieldPlace): Json {
  if (field === undefined || isAsKept(value, field)) return value
  const { setting, relation, key } = place
  const schema = field.variants ? (rankVariants(value, field)[0] ?? field) : field
  if (Array.isArray(value) && schema.items) return value.map((item) => toFieldValue(item, schema.items, place))
  if (isJsonObject(value) && schema.types.includes('object')) return toPartialObject(value, schema, place)
  const related =
    relation && typeof value !== 'object' ? setting.world.collection(relation.collection).get(String(value)) : value
  return setting.presenter.projector.fit(related ?? value, field, key) ?? value
}

function toPartialObject(value: JsonObject, schema: Schema, { setting, key }: FieldPlace): JsonObject {
  const names = allNames(schema)
  const rest = restOf(schema)
  const entries = Object.entries(value).map(([sentName, item]): [string, Json] => {
    const name = names.has(sentName) ? sentName : (findName(names.keys(), sentName) ?? sentName)
    return [name, toFieldValue(item, names.get(name) ?? rest, { setting, relation: undefined, key: `${key}.${name}` })]
  })
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

/**
 * A record with what a client sent. Objects merge, unless the whole is replaced; `null` empties a field that may be
 * null and removes any other.
 */
export function mergeFields(
  record: JsonObject,
  sent: JsonObject,
  { schema, isReplace = false, call }: { schema: Schema | undefined; isReplace?: boolean; call: Call },
): JsonObject {
  const isForm = call.body.mediaType === 'application/x-www-form-urlencoded'
  const isMergePatch = call.body.mediaType === 'application/merge-patch+json'
  const names = allNames(schema)
  const merged: JsonObject = { ...record }
  for (const [name, value] of Object.entries(sent)) {
    if (name === '__proto__') continue
    const field = names.get(name) ?? restOf(schema)
    const held = merged[name]
    if (value === null && (field === undefined ? isMergePatch : !fits(field, null))) delete merged[name]
    else if (value === '' && isForm && field !== undefined && !fits(field, '')) delete merged[name]
    else if (!isReplace && isJsonObject(value) && isJsonObject(held))
      merged[name] = mergeFields(held, value, { schema: field, call })
    else merged[name] = value
  }
  return merged
}

const restOf = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
