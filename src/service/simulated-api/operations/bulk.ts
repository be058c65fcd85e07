import { findField, findValue } from '../../../names/find-field.ts'
import { singularName } from '../../../names/nouns.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Effect, Operation } from '../../openapi/model.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { keyIn } from '../../world/field.ts'
import { NewKeys } from '../../world/new-keys.ts'
import { itemsOf, unwrapBody } from '../body/sent-records.ts'
import type { Answered, ApiCall, Found, Setting } from '../calls/call.ts'
import { allNames } from '../facts/intake.ts'
import { readFilters } from '../listing/filters.ts'
import type { LevelField } from '../presentation/envelope-writer.ts'
import { firstFields } from '../records/client-fields.ts'
import { makeRecord } from '../records/make-record.ts'
import { keyOfText, requireParents, toScopeMatches } from '../records/scope.ts'
import { Refusal } from '../refusal.ts'
import { answerMade, answerRecords, changedTo, deletionOf, type Made } from './answer.ts'
import { findMeant } from './find-record.ts'
import { updateRecord } from './item.ts'

type BulkEffect = Effect & { kind: 'bulkCreate' | 'bulkUpdate' | 'bulkDelete' }

/** Creates, changes or deletes several records in one request. */
export function bulk(setting: Setting, call: ApiCall, effect: BulkEffect): Answered {
  requireParents(setting, call, effect.scope)
  const body = unwrapBody(call.body.value, effect.body)
  if (effect.kind === 'bulkDelete') return bulkDelete(setting, call, effect, body)
  const only = effect.kind === 'bulkCreate' ? onlyItem(call, effect) : undefined
  if (only) return createOnly(setting, call, effect, only)
  const items = itemsOf(body)
  if (effect.kind === 'bulkCreate' && Array.isArray(body) && body.length === 0) {
    throw new Refusal(400, 'invalid_request', 'Expected the body to hold at least 1 record, got an empty array.')
  }
  const before = isWholeList(setting, call, effect, body) ? allRecords(setting, call, effect) : []
  if (items.length === 0 && before.length === 0) return updateNamed(setting, call, effect, body)
  const made = setting.world.longReads.read(upserting(setting, call, effect, items))
  const kept = new Set(made.map(({ found }) => found.key))
  const { envelope } = effect
  const { response, changes } = answerMade(setting, call, { envelope, made, fill: howMany(STORED, made) })
  return { response, changes: [...before.filter(({ key }) => !kept.has(key)).map(deletionOf), ...changes] }
}

/**
 * Whether a PUT replaces all records of its list: the list of one record (`PUT /policies/{id}/beneficiaries [...]`), or
 * records without a key (`PUT /networks/{id}/firewallRules { rules: [...] }`).
 */
function isWholeList(
  { world }: Setting,
  { operation }: ApiCall,
  { kind, collection, scope, body: place }: BulkEffect,
  body: Json | undefined,
): boolean {
  const { id, alternateKeys } = world.collection(collection).model
  const isKeyless = id.field === undefined && alternateKeys.length === 0
  const lists = [body, ...(isJsonObject(body) ? Object.values(body) : [])].filter((value) => Array.isArray(value))
  const isList = place?.shape === 'list' || lists.length === 1
  const isOfOne =
    scope.length > 0 && !/(batch|bulk)\/?$/i.test(operation.path) && Array.isArray(body) && body.every(isJsonObject)
  return kind === 'bulkUpdate' && operation.method === 'PUT' && (isOfOne || (isKeyless && isList))
}

/**
 * The one record of a body that may have one or several: `{ transaction }` instead of `{ transactions }`, or the record
 * itself instead of `{ items }`.
 */
function onlyItem({ body: { value, schema } }: ApiCall, { body }: BulkEffect): JsonObject | undefined {
  const [name, ...more] = body?.path ?? []
  if (name === undefined || more.length > 0 || !isJsonObject(value) || Array.isArray(value[name])) return undefined
  const one = singularName(name)
  const part = one !== name ? value[one] : undefined
  if (isJsonObject(part)) return part
  const isEither = schema?.variants?.some(({ properties }) => !properties.has(name)) === true
  return isEither && !Object.hasOwn(value, name) && Object.keys(value).length > 0 ? value : undefined
}

/** Makes one record, which stands in the answer by itself too, where the answer has a place for one. */
function createOnly(setting: Setting, call: ApiCall, effect: BulkEffect, sent: JsonObject): Answered {
  const { collection, scope, envelope } = effect
  const { found, change } = makeRecord(setting, call, { collection, scope, sent })
  const one = singularName(envelope.path.at(-1) ?? '')
  const fill = ({ name, schema }: LevelField) =>
    name === one && schema?.types.includes('object') === true
      ? setting.presenter.showOnce(collection, found, schema)
      : undefined
  return { response: answerRecords(setting, call, { envelope, founds: [found], fill }), changes: [change] }
}

/**
 * Each item changes its record, or creates one. Two items with one new id are refused with 409: an item refers to
 * existing records only. Pauses after each.
 */
function* upserting(
  setting: Setting,
  call: ApiCall,
  effect: BulkEffect,
  items: readonly JsonObject[],
): Generator<undefined, Made[]> {
  const { collection, scope } = effect
  const view = setting.world.collection(collection)
  const made: Made[] = []
  const keys = new NewKeys(view)
  const changedBefore = new Map<string, JsonObject>()
  for (const sent of items) {
    yield
    const key = keyOfItem(view, sent)
    const record = key === undefined ? undefined : (changedBefore.get(key) ?? view.get(key))
    if (key !== undefined && record !== undefined) {
      const found = { collection, key, record }
      const changed = updateRecord(setting, call, found, { sent })
      made.push(changedTo(found, changed))
      changedBefore.set(key, changed)
    } else made.push(makeRecord(setting, call, { collection, scope, sent, keys }))
  }
  return made
}

/** Updates the records of ids or filters with one set of values. */
function updateNamed(setting: Setting, call: ApiCall, effect: BulkEffect, body: Json | undefined): Answered {
  const named = recordsNamedBy(setting, call, effect, body)
  if (named.length === 0 && isWhole(call, effect, body)) return putByName(setting, call, effect, body)
  const sent = firstFields(body)
  const made = named.map((found) => changedTo(found, updateRecord(setting, call, found, { sent })))
  return answerMade(setting, call, { envelope: effect.envelope, made, fill: howMany(STORED, made) })
}

/** Whether the body is one record without a key: `PUT /destinations { name, url }`, `PATCH /envs { key, value }`. */
function isWhole({ operation }: ApiCall, { body: place }: BulkEffect, body: Json | undefined): body is JsonObject {
  const isOne = place?.shape === 'record' && isJsonObject(body) && Object.keys(body).length > 0
  return isOne && (operation.method !== 'POST' || makesMissing(operation))
}

const makesMissing = ({ method, path }: Operation): boolean => method === 'PUT' || /upsert[^/]*\/?$/i.test(path)

/** Changes the record with the name in the body. Without one, PUT creates it. */
function putByName(
  setting: Setting,
  call: ApiCall,
  { collection, scope, envelope }: BulkEffect,
  sent: JsonObject,
): Answered {
  const named = findMeant(setting.world.collection(collection), sent, toScopeMatches(setting, call, scope))
  if (named === undefined && !makesMissing(call.operation)) {
    return { response: answerRecords(setting, call, { envelope, founds: [] }), changes: [] }
  }
  const made = named
    ? changedTo(named, updateRecord(setting, call, named, { sent }))
    : makeRecord(setting, call, { collection, scope, sent })
  return answerMade(setting, call, { envelope, made: [made] })
}

/** Deletes the records of ids in the body or the query, those that filters match, or, without either, the whole scope. */
function bulkDelete(setting: Setting, call: ApiCall, effect: BulkEffect, body: Json | undefined): Answered {
  const hasBody = body !== undefined
  const named = recordsNamedBy(setting, call, effect, body)
  const isNarrowed = hasBody || call.query.pairs.length > 0 || named.length > 0
  const founds = isNarrowed
    ? named.length > 0
      ? named
      : recordsLike(setting, call, effect, body)
    : allRecords(setting, call, effect)
  const changes = founds.map(deletionOf)
  const fill = howMany(DELETED, founds)
  return { response: answerRecords(setting, call, { envelope: effect.envelope, founds, fill }), changes }
}

/** Says how many records were written, in fields that are named so. */
export const howMany =
  (names: RegExp, { length }: readonly unknown[]) =>
  ({ name, schema }: Pick<LevelField, 'name' | 'schema'>): number | undefined =>
    schema === undefined
      ? undefined
      : [length, 0].find((count, at) => (at === 0 ? names : FAILED).test(name) && fits(schema, count))

/** Fields that say how many were not. */
const FAILED = /^(failed|skipped|rejected|errors)(_?count)?$/i

/** Fields that say how many records were deleted. */
export const DELETED = /^((num|total)_?)?(deleted|affected|removed)(_?(count|total|rows|records))?$|^count$/i
/** Fields that say how many records were created or changed. */
export const STORED =
  /^((num|total)_?)?(accepted|added|created|imported|ingested|inserted|processed|received|saved|stored|updated|upserted|written)(_?(count|total|rows|records|items))?$|^count$/i

/**
 * The records that have what the body says of them: `DELETE /share { user_id, role_slug }`, where the role is an object,
 * `DELETE /permissions/bulk [{ userId, deviceId }]`.
 */
function recordsLike(setting: Setting, call: ApiCall, effect: BulkEffect, body: Json | undefined): readonly Found[] {
  const view = setting.world.collection(effect.collection)
  const items = [body].flat().filter((item) => isJsonObject(item))
  const [first = {}] = items
  const paths = Object.keys(first).flatMap((name) => {
    const field = keyIn(first[name]) === undefined ? undefined : fieldMeant(view.model.schema, name)
    return field ? [{ name, field }] : []
  })
  const [only] = paths
  if (only === undefined) return []
  const whole = items.filter((item) => paths.every(({ name }) => keyIn(item[name]) !== undefined))
  const wanted = new Set(whole.map((item) => JSON.stringify(paths.map(({ name }) => keyIn(item[name])))))
  const values = new Set(whole.map((item) => keyIn(item[only.name])))
  const where = [{ field: only.field, test: (stored: Json | undefined) => values.has(keyIn(stored)) }]
  return view
    .select({ scope: toScopeMatches(setting, call, effect.scope), where })
    .records.filter(({ record }) =>
      wanted.has(JSON.stringify(paths.map(({ field }) => keyIn(readField(record, field))))),
    )
}

/** The field of a record with this name, or that of its part: `role.slug` for `role_slug`. */
function fieldMeant(schema: Schema | undefined, name: string): FieldPath | undefined {
  const names = allNames(schema)
  if (names.has(name)) return [name]
  for (const [part, stored] of names) {
    const rest = name.startsWith(part) ? name.slice(part.length) : ''
    const inner = rest === '' ? undefined : findField(allNames(stored).keys(), rest.replace(/^_/, ''))
    if (inner !== undefined) return [part, inner]
  }
  return undefined
}

/** An item's own key: by the id field or another key of the collection. */
function keyOfItem(view: CollectionView, sent: JsonObject): string | undefined {
  const { id, alternateKeys } = view.model
  const own = keyIn(id.field === undefined ? findValue(sent, 'id') : readField(sent, id.field))
  const named = own === undefined ? undefined : view.findIn(own, [])
  if (named !== undefined) return named
  for (const field of alternateKeys) {
    const value = keyIn(readField(sent, field))
    const key = value === undefined ? undefined : view.find(field, value)
    if (key !== undefined) return key
  }
  return undefined
}

/** Names of parameters that hold keys: `ids`, `link_ids`, `linkIds`, `key[]`. */
const NAMES_KEYS = /(^(ids?|keys?|IDs?)|_(ids?|keys?|IDs?)|[a-z](Ids?|Keys?|IDs?))(\[\])?$/

/** The records that ids in the body or in the query name, else those that filters match. */
export function recordsNamedBy(
  setting: Setting,
  call: ApiCall,
  effect: Pick<BulkEffect, 'collection' | 'scope'>,
  body: Json | undefined,
): Found[] {
  const view = setting.world.collection(effect.collection)
  const keys = new Set([
    ...idsIn(body),
    ...call.query.pairs.filter(([name]) => NAMES_KEYS.test(name)).flatMap(([, value]) => value.split(',')),
  ])
  for (const item of itemsOf(body)) keys.add(keyOfItem(view, item) ?? '')
  const { where } = readFilters(call.compiled.listParameters, call.query.values)
  const scope = toScopeMatches(setting, call, effect.scope)
  if (keys.size === 0 && where.length > 0) return view.select({ scope, where }).records
  return [...keys].flatMap((key) => view.live(key) ?? view.live(keyOfText(view, key) ?? '') ?? [])
}

/** Ids in a body: `[1, 2]`, `{ ids: [...] }`, `{ ids: "1, 2" }`. */
function idsIn(body: Json | undefined): string[] {
  if (Array.isArray(body)) return body.filter((item) => typeof item !== 'object').map(String)
  if (!isJsonObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (Array.isArray(value)) return idsIn(value)
    return typeof value === 'string' && /(^|_)ids$|[a-z]I[dD]s$/.test(name) ? value.split(/ *, */) : []
  })
}

function allRecords(setting: Setting, call: ApiCall, effect: BulkEffect): Found[] {
  const view = setting.world.collection(effect.collection)
  return view.select({ scope: toScopeMatches(setting, call, effect.scope) }).records
}
