import { findField, findValue } from '../../../names/find-field.ts'
import { singularName } from '../../../names/nouns.ts'
import { isJsonObject, type Json, type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ActionSetting, CollectionModel, Effect } from '../../openapi/model.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { keyIn, schemaAt } from '../../world/field.ts'
import { toTimestamp } from '../../world/timestamp.ts'
import { allNames } from '../compiled/intake.ts'
import { answerRecord, answerRecords } from './answer.ts'
import type { Answered, ApiCall, Found, Setting } from './call.ts'
import { firstFields, mergeFields, sentFields, toRecordFields, unwrapBody } from './client-fields.ts'
import { createSeveral } from './create.ts'
import { showExample } from './example.ts'
import { findRecord, missing, namedRecords, namesRecord } from './find-record.ts'
import { makeRecord } from './make-record.ts'
import { toScopeMatches } from './scope.ts'

/** Does something to one record: sets the status that the verb leads to, and what the body names of the record. */
export function act(setting: Setting, call: ApiCall, effect: Effect & { kind: 'action' }): Answered {
  const found = findRecord(setting, call, effect)
  if (found === undefined && !namesRecord(call, effect)) return actOnCollection(setting, call, effect)
  if (found === undefined) throw missing(setting, call, effect)
  const record = actOn(setting, call, setting.world.collection(found.collection), found, effect)
  const isChanged = JSON.stringify(record) !== JSON.stringify(found.record)
  const response = answerRecord(setting, call, {
    envelope: effect.envelope,
    found: isChanged ? { ...found, record } : found,
  })
  return {
    response,
    changes: isChanged ? [{ type: 'updated', collection: found.collection, key: found.key, record }] : [],
  }
}

function actOn(
  setting: Setting,
  call: ApiCall,
  { model, writer }: CollectionView,
  { key, record }: Found,
  { toStatus, sets, body }: Effect & { kind: 'action' },
): JsonObject {
  const sent = firstFields(sentFields(call, body))
  const known = knownFields(model, sent)
  const filled = mergeFields(record, toRecordFields(setting, model, known, { call, key }), {
    schema: model.schema,
    call,
  })
  const merged = sets.reduce((changed, one) => applySetting(setting, call, { model, key, sent, one }, changed), filled)
  if (toStatus === undefined || model.statusField === null) return writer.touch(merged, call.at)
  return writer.setStatus(merged, model.statusField, toStatus, call.at)
}

/** A copy of `record` with a field as the action sets it. */
function applySetting(
  setting: Setting,
  call: ApiCall,
  { model, key, sent, one }: { model: CollectionModel; key: string; sent: JsonObject; one: ActionSetting },
  record: JsonObject,
): JsonObject {
  const { field, to } = one
  const schema = schemaAt(model.schema, field)
  const name = field.at(-1) ?? ''
  const held = readField(record, field)
  if (typeof to === 'object') return writeField(record, field, to.value)
  if (to === 'now') return writeField(record, field, toTimestamp(call.at, held ?? undefined, schema))
  const toForm = (value: Json, of: Schema | undefined) =>
    of && setting.presenter.projector.fit(value, of, `${model.name}/${key}.${name}`)
  const given = argumentFor(sent, name)
  if (given === undefined) return record
  if (to === 'argument') {
    const value = toForm(given, schema)
    return value === undefined ? record : writeField(record, field, value)
  }
  const items = (Array.isArray(given) ? given : [given]).flatMap(
    (item) => toForm(toItem(item, schema?.items), schema?.items) ?? [],
  )
  const isNamed = (item: Json) => items.some((other) => keyIn(other) === keyIn(item) && keyIn(item) !== undefined)
  const others = (Array.isArray(held) ? held : []).filter((item) => !isNamed(item))
  return writeField(record, field, to === 'added' ? [...others, ...items] : others)
}

/** An id in the form in which a list holds its items: objects carry it. */
function toItem(item: Json, schema: Schema | undefined): Json {
  if (isJsonObject(item) || !schema?.types.includes('object')) return item
  const name = ['id', 'gid', 'uuid', 'key', 'name'].find((candidate) => schema.properties.has(candidate))
  return name === undefined ? item : { [name]: item }
}

/** What a request gives for a field: under its name, under `value`, or as its only value. */
function argumentFor(sent: JsonObject, name: string): Json | undefined {
  const own =
    findValue(sent, name) ?? findValue(sent, singularName(name)) ?? findValue(sent, `new_${name}`) ?? sent.value
  if (own !== undefined) return own
  const values = Object.values(sent).filter((value) => value !== null)
  return values.length === 1 ? values[0] : undefined
}

/** Fields of an action's body that the record has too. */
function knownFields(model: CollectionModel, sent: JsonObject): Record<string, Json> {
  const names = allNames(model.schema)
  return Object.fromEntries(Object.entries(sent).filter(([name]) => findField(names.keys(), name) !== undefined))
}

type ActionEffect = Effect & { kind: 'action' }

/** Verbs that leave a new record behind. */
const MAKES =
  /^(create|add|new|import|migrate|provision|generate|clone|copy|duplicate|fork|upload|claim|issue|register|signup|invite|restore)/i
/** Fields that identify a person whose id is not given. */
const NATURAL_KEYS = ['email', 'username', 'login', 'name', 'slug', 'token', 'code']

/** An action that names no record: it makes one, or shows the one that the body is about. */
export function actOnCollection(setting: Setting, call: ApiCall, effect: ActionEffect): Answered {
  const { collection, scope, envelope } = effect
  const view = setting.world.collection(collection)
  const body = unwrapBody(call.body.value, effect.body)
  const isWrite = call.operation.method !== 'GET' && envelope.shape !== 'none'
  if (isWrite && Array.isArray(body) && body.every((item) => isJsonObject(item))) {
    return createSeveral(setting, call, { collection, scope, envelope }, body)
  }
  if (isWrite && (call.operation.success.status === 201 || MAKES.test(effect.verb))) {
    const { found, change } = makeRecord(setting, call, { collection, scope, sent: firstFields(body) })
    return { response: answerRecord(setting, call, { envelope, found }), changes: [change] }
  }
  const named = envelope.shape === 'list' ? namedRecords(call, view) : []
  if (named.length > 0) return { response: answerRecords(setting, call, { envelope, founds: named }), changes: [] }
  const found =
    findMeant(view, firstFields(body)) ?? view.first({ scope: toScopeMatches(setting, call, scope), newestFirst: true })
  if (found === undefined || envelope.shape === 'none') return showExample(setting, call)
  const isList = envelope.shape === 'list' || envelope.shape === 'ids'
  const response = isList
    ? answerRecords(setting, call, { envelope, founds: [found] })
    : answerRecord(setting, call, { envelope, found })
  return { response, changes: [] }
}

/** The record that has an email, a name or the like of a body. */
function findMeant(view: CollectionView, sent: JsonObject): LiveRecord | undefined {
  const names = allNames(view.model.schema)
  for (const name of NATURAL_KEYS) {
    const value = names.has(name) ? keyIn(readField(sent, [name])) : undefined
    const key = value === undefined ? undefined : view.find([name], value)
    if (key !== undefined) return view.live(key)
  }
  return undefined
}
