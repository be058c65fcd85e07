import { findField } from '../../../names/find-field.ts'
import { isIdWord, nounOfId } from '../../../names/id-names.ts'
import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { CheckEffort } from '../../../schema/check-effort.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Envelope, Relation } from '../../openapi/model.ts'
import { unwrapBody } from '../body/sent-records.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import { allNames, type Intake, isServerSet } from '../facts/intake.ts'
import { rankVariants } from '../presentation/project.ts'

/**
 * The client's fields of a record: in the body, with its fields beside the wrapped record (`{ workspaceId, folder: {} }`),
 * or, where the operation has none, in the query.
 */
export function sentFields(
  { operation, body, query, compiled }: ApiCall,
  envelope: Envelope | undefined,
): Json | undefined {
  if (body.value === undefined && operation.requestBody === undefined) return { ...query.values }
  const record = unwrapBody(body.value, envelope)
  if (record === body.value || !isJsonObject(record) || !isJsonObject(body.value)) return record
  const own = allNames(compiled.collection?.model.schema)
  const beside = Object.entries(body.value).filter(([name, value]) => typeof value !== 'object' && own.has(name))
  return { ...Object.fromEntries(beside), ...record }
}

/** One record's fields from a body: the first item of an array. */
export function firstFields(value: Json | undefined): JsonObject {
  const first = Array.isArray(value) ? value[0] : value
  return isJsonObject(first) ? first : {}
}

/**
 * The client's fields by the record's own names and types: `assigneeId` fills `assignee_id`, and also an object
 * `assignee`, unless that was sent too. Fields that only the server sets are omitted.
 */
export function toRecordFields(
  setting: Setting,
  model: CollectionModel,
  sent: JsonObject,
  { call, key }: { call: ApiCall; key: string },
): JsonObject {
  const intake = call.compiled.intakeOf(call.body.schema)
  if (isAsRecorded(sent, intake)) return sent
  const fields: JsonObject = {}
  const names = allNames(model.schema)
  for (const sentName in sent) {
    if (sentName === '__proto__') continue
    const value = sent[sentName] as Json
    const isOwn = names.has(sentName)
    const alike = isOwn ? sentName : findField(names.keys(), sentName)
    const part = isOwn || alike === undefined ? intake.parts.get(sentName) : undefined
    const name = alike ?? recordField(model, names, sentName, value)
    const field = names.get(name ?? '')
    if (part !== undefined && !Object.hasOwn(sent, part)) {
      const value = toPartialObject({ [sentName]: sent[sentName] as Json }, names.get(part) as Schema, {
        setting,
        relation: undefined,
        key: `${model.name}/${key}.${part}`,
        noun: foldNoun(part),
      })
      fields[part] = { ...(isJsonObject(fields[part]) ? fields[part] : {}), ...value }
      continue
    }
    const isNamed = name !== undefined && (name === sentName || !Object.hasOwn(sent, name))
    if (!isNamed || field === undefined) fields[sentName] = value
    else if (!isServerSet(model, name, field, { isOpen: intake.isOpen, isWritable: intake.writable.has(sentName) })) {
      fields[name] = isAsKept(value, field)
        ? value
        : toFieldValue(value, field, {
            setting,
            relation: model.relations.find(({ field: [first, id, ...more] }) => {
              return first === name && more.length === 0 && (id === undefined || isIdWord(id))
            }),
            key: `${model.name}/${key}.${name}`,
            noun: foldNoun(name),
          })
    }
  }
  return fields
}

/** The field of a record that keeps a sent one; undefined without one. */
export const recordField = (
  model: Pick<CollectionModel, 'singular'>,
  names: ReadonlyMap<string, Schema>,
  sent: string,
  value: Json,
): string | undefined =>
  findField(names.keys(), sent) ?? relationName(names, sent, value) ?? ownName(model, names, sent)

/** `project_name` of projects that have a `name`; `name` of those that have a `display_name`. */
function ownName(
  { singular }: Pick<CollectionModel, 'singular'>,
  names: ReadonlyMap<string, Schema>,
  sent: string,
): string | undefined {
  const own = foldName(singular)
  const folded = foldName(sent)
  const name = folded === 'name' ? 'displayname' : ['name', 'title'].find((word) => folded === own + word)
  return name === undefined ? undefined : findField(names.keys(), name)
}

/** Whether all sent fields already have the record's own names and types, as is usual. */
function isAsRecorded(sent: JsonObject, { checks }: Intake): boolean {
  for (const name in sent) {
    const check = checks.get(name)
    const value = sent[name] as Json
    if (check === undefined || (value !== null && check(value) !== undefined)) return false
  }
  return true
}

/** `project_id` for a record with a `project` object, `project` for one with a `project_id`. */
export function relationName(names: ReadonlyMap<string, Schema>, sent: string, value: Json): string | undefined {
  const folded = foldName(sent)
  const base = nounOfId(sent)
  for (const [name, field] of names) {
    const known = foldName(name)
    const holdsObject = field.types.includes('object') || field.items?.types.includes('object')
    if (base !== undefined && holdsObject && (known === base || known === `${base}s`)) return name
    if (typeof value !== 'object' && (known === `${folded}id` || known === `${folded}gid`)) return name
  }
  return undefined
}

interface FieldPlace {
  readonly setting: Setting
  /** The field's relation, if it is one. */
  readonly relation: Relation | undefined
  readonly key: string
  /** The field's name, folded, in the singular. */
  readonly noun: string
}

/** Whether a value needs no conversion. */
const isAsKept = (value: Json, field: Schema): boolean => value === null || fits(field, value)

/** A value converted to the record's schema; objects stay as partial as sent. */
function toFieldValue(value: Json, field: Schema | undefined, place: FieldPlace): Json {
  if (field === undefined || isAsKept(value, field)) return value
  const { setting, relation, key, noun } = place
  const schema = field.variants
    ? (rankVariants(value, field, new CheckEffort(LIMITS.generatedChecks))[0] ?? field)
    : field
  if (Array.isArray(value) && schema.items) return value.map((item) => toFieldValue(item, schema.items, place))
  if (isJsonObject(value) && schema.types.includes('object')) return toPartialObject(value, schema, place)
  const isScalar = typeof value !== 'object'
  const related = isScalar && relation && setting.world.collection(relation.collection).get(String(value))
  const own = isScalar && !related ? named(schema, noun) : undefined
  if (own !== undefined) return toPartialObject({ [own]: value }, schema, place)
  const id = isScalar ? relation?.field[1] : undefined
  return setting.presenter.projector.fit(related || (id === undefined ? value : { [id]: value }), field, key) ?? value
}

/** The property of `email_addresses` items for which a text stands: `email_address`. The `parent` of a `parent` takes none. */
const named = (schema: Schema, noun: string): string | undefined =>
  [...schema.properties].find(([name, { types }]) => foldNoun(name) === noun && !types.includes('object'))?.[0]

function toPartialObject(value: JsonObject, schema: Schema, { setting, key }: FieldPlace): JsonObject {
  const names = allNames(schema)
  const rest = restOf(schema)
  const entries = Object.entries(value).map(([sentName, item]): [string, Json] => {
    const name = names.has(sentName) ? sentName : (findField(names.keys(), sentName) ?? sentName)
    const place = { setting, relation: undefined, key: `${key}.${name}`, noun: foldNoun(name) }
    return [name, toFieldValue(item, names.get(name) ?? rest, place)]
  })
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

/**
 * A record with the client's fields. Objects merge, unless the whole is replaced; `null` empties a nullable field and
 * removes any other.
 */
export function mergeFields(
  record: JsonObject,
  sent: JsonObject,
  {
    schema,
    isReplace = false,
    call,
  }: { schema: Schema | undefined; isReplace?: boolean; call: { readonly body: Pick<ApiCall['body'], 'mediaType'> } },
): JsonObject {
  const isForm = call.body.mediaType === 'application/x-www-form-urlencoded'
  const isMergePatch = call.body.mediaType === 'application/merge-patch+json'
  const names = allNames(schema)
  const merged: JsonObject = { ...record }
  for (const [name, value] of Object.entries(sent)) {
    if (name === '__proto__') continue
    const field = names.get(name) ?? restOf(schema)
    const stored = getOwn(merged, name)
    if (value === null && (field === undefined ? isMergePatch : !fits(field, null))) delete merged[name]
    else if (value === '' && isForm && field !== undefined && !fits(field, '')) delete merged[name]
    else if (!isReplace && isJsonObject(value) && isJsonObject(stored))
      merged[name] = mergeFields(stored, value, { schema: field, call })
    else merged[name] = value
  }
  return merged
}

const restOf = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
