import { findValue } from '../../../names/find-field.ts'
import { isIdWord } from '../../../names/id-names.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { ItemKey, RefersTo, ScopeParam } from '../../openapi/model.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { keyIn } from '../../world/field.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import { fromTexts } from '../body/parameter-styles.ts'
import type { ApiCall, Found, ItemEffect, Setting } from '../calls/call.ts'
import { allNames, sharedFields, uniqueFields } from '../facts/intake.ts'
import { RESTORES } from '../facts/upkeep.ts'
import { findBy, toScopeMatches } from '../records/scope.ts'
import { Refusal } from '../refusal.ts'
import { accountWith } from './accounts.ts'
import { asFields } from './answer.ts'

/** An operation's identification of one record. */
interface NamedItem {
  readonly collection: string
  readonly scope: readonly ScopeParam[]
  readonly keys: readonly ItemKey[]
}

/** The request's record; undefined without one, and for a deleted one that the request does not restore. */
export function findRecord(setting: Setting, call: ApiCall, effect: NamedItem): LiveRecord | undefined {
  const found = findKept(setting, call, effect)
  const { deletedAt } = setting.api.collection(effect.collection).upkeep
  if (found === undefined || deletedAt === undefined || (found.record[deletedAt] ?? null) === null) return found
  const own = call.operation.effect
  return own.kind === 'action' && RESTORES.test(own.verb) ? found : undefined
}

function findKept(setting: Setting, call: ApiCall, effect: NamedItem): LiveRecord | undefined {
  const view = setting.world.collection(effect.collection)
  const scope = toScopeMatches(setting, call, effect.scope)
  const [only, more] = effect.keys
  if (only !== undefined && more === undefined && isKeyOf(view, only.field)) {
    const { user } = (only.in === 'caller' && accountWith(setting, call.key)) || {}
    const value = keyIn(user?.[view.model.id.field?.at(-1) ?? '']) ?? textOf(call, only)
    const found = value === undefined ? undefined : view.liveIn(value, scope)
    if (found !== undefined) return found
  }
  const wanted = toWanted(call, effect, view)
  // A project that was called `mine`, and is gone, is not the caller's.
  if (wanted.some(({ value }) => OWN_WORDS.test(value) && setting.world.wasDeleted(effect.collection, value)))
    return undefined
  const key = findKey(view, scope, wanted)
  return key === undefined ? undefined : view.live(key)
}

/** The records of a path parameter that is a list, `/rows/2,3`; undefined for another. Refuses with 404 without any. */
export function getSeveral(setting: Setting, call: ApiCall, effect: NamedItem): readonly LiveRecord[] | undefined {
  const [only, more] = effect.keys
  if (only?.in !== 'path' || more !== undefined) return undefined
  const parameter = call.operation.parameters.find(({ in: place, name }) => place === 'path' && name === only.param)
  if (parameter?.schema?.types.includes('array') !== true) return undefined
  const view = setting.world.collection(effect.collection)
  const scope = toScopeMatches(setting, call, effect.scope)
  const keys = new Set([fromTexts(parameter, [call.params[only.param] ?? ''])].flat().map(String))
  const founds = [...keys].flatMap((key) => view.liveIn(key, scope) ?? [])
  if (founds.length > 0) return founds
  throw missing(setting, call, effect)
}

/** The request's record. Refuses with 404 without one. */
export function getRecord(setting: Setting, call: ApiCall, effect: NamedItem): LiveRecord {
  const found = findRecord(setting, call, effect)
  if (found) return found
  throw missing(setting, call, effect)
}

/** The record of a read; the newest one without an id (`GET /bots.info`). Refuses with 404 without one. */
export function getReadRecord(setting: Setting, call: ApiCall, effect: ItemEffect): LiveRecord {
  if (effect.of) return relatedRecord(setting, call, effect, effect.of)
  const named = effect.keys.length === 0 ? undefined : findRecord(setting, call, effect)
  if (named !== undefined) return named
  if (namesRecord(call, effect)) throw missing(setting, call, effect)
  const view = setting.world.collection(effect.collection)
  const scope = toScopeMatches(setting, call, effect.scope)
  const newest = view.first({ scope, newestFirst: true })
  if (newest === undefined) throw missing(setting, call, effect)
  return newest
}

/** The record to which another one refers; the first one without a reference. */
function relatedRecord(
  { world }: Setting,
  call: ApiCall,
  effect: ItemEffect,
  { collection, param, field }: RefersTo,
): LiveRecord {
  const owners = world.collection(collection)
  const owner = owners.findIn(call.params[param] ?? '', [])
  const stored = owner === undefined || field === undefined ? undefined : owners.valueOf(owner, field)
  const view = world.collection(effect.collection)
  const found = owner === undefined || stored === null ? undefined : (view.live(keyIn(stored) ?? '') ?? view.first({}))
  if (found !== undefined) return found
  const keys: ItemKey[] = [{ param, in: 'path', field: undefined }]
  throw missing({ world }, call, owner === undefined ? { collection, scope: [], keys } : effect)
}

/** Whether a request has the values that identify a record. */
export const namesRecord = (call: ApiCall, effect: NamedItem): boolean =>
  effect.keys.some((key) => textOf(call, key) !== undefined)

export function missing(setting: Pick<Setting, 'world'>, call: ApiCall, effect: NamedItem): Refusal {
  const { singular, name: collection } = setting.world.collection(effect.collection).model
  const wanted = toWanted(call, effect, setting.world.collection(effect.collection))
  const named = wanted.map(({ value }) => `"${value}"`)
  return new Refusal(
    404,
    'not_found',
    `Failed to find ${singular} ${named.join(' ') || 'without a key'}: there is none with that key.`,
    undefined,
    { facts: { singular, collection, id: wanted.at(-1)?.value ?? '' } },
  )
}

/** Words for the caller's own record. */
const OWN_WORDS = /^(@?me|self|~|current|authenticated|own|mine)$/i

interface Wanted {
  readonly field: ItemKey['field']
  readonly value: string
  /** Name of the parameter; undefined for a value found in the body. */
  readonly param: string | undefined
}

/** The request's values for the keys of an item, without missing ones. */
function toWanted(call: ApiCall, effect: NamedItem, view: CollectionView): Wanted[] {
  if (effect.keys.length === 0) {
    const value = keyIn(findValue(asFields(call.body.value), view.model.id.field?.at(-1) ?? 'id'))
    return value === undefined ? [] : [{ field: undefined, value, param: undefined }]
  }
  const wanted: Wanted[] = []
  for (const key of effect.keys) {
    const value = textOf(call, key)
    if (value !== undefined) wanted.push({ field: key.field, value, param: key.param })
  }
  return wanted
}

/** Whether a field, or none, is a collection's key. */
function isKeyOf({ model }: CollectionView, field: FieldPath | undefined): boolean {
  const own = model.id.field
  return field === undefined || (field.length === own?.length && field.every((name, at) => name === own[at]))
}

function textOf(call: ApiCall, key: ItemKey): string | undefined {
  if (key.in === 'caller') return 'me'
  if (key.in === 'query') return keyIn(getOwn(call.query.values, key.param))
  if (key.in === 'body') return keyIn(findValue(asFields(call.body.value), key.param))
  return call.params[key.param]
}

function findKey(view: CollectionView, scope: readonly ScopeMatch[], wanted: readonly Wanted[]): string | undefined {
  const [first] = wanted
  if (first === undefined) return undefined
  if (wanted.length > 1) return findComposite(view, scope, wanted)
  const { field, value } = first
  if (field !== undefined && !isKeyOf(view, field)) return view.find(field, value, scope) ?? view.findIn(value, scope)
  return view.findIn(value, scope) ?? findOtherwise(view, scope, first)
}

/** Finds by fields that other paths of the collection use; `me` is the first record. */
function findOtherwise(
  view: CollectionView,
  scope: readonly ScopeMatch[],
  { value, param }: Wanted,
): string | undefined {
  const names = allNames(view.model.schema)
  const own = names.get(view.model.id.field?.[0] ?? '')?.types[0]
  // The parameter names the record, not its id: `{ role }`, `/templates/{template}`.
  const isOpen = param !== undefined && !isIdWord(param)
  // Where names are keys, an id cannot be taken for one.
  const others = [
    ...(own === 'string' ? ['id'] : []),
    // Records below two parents may have one id, and keys of their own.
    ...(scope.length > 0 && view.model.id.field?.length === 1 ? view.model.id.field : []),
    ...alternatives(param, view),
    ...ownIds(view),
    ...uniqueFields(view.model.schema),
    ...(isOpen ? sharedFields(view.model.schema) : []),
  ]
  const named = others.filter((name) => names.has(name)).map((name) => [name])
  const found = findBy(view, [...view.model.alternateKeys, ...named, ...inParts(names)], value, scope)
  if (found !== undefined) return found
  if (OWN_WORDS.test(value)) return view.first({ scope })?.key
  const called = names.has('name') ? view.find(['name'], value, scope) : undefined
  // `POST /keys/verify { key }`: what only the answer to a creation showed.
  return called ?? (param === undefined || names.has(param) ? undefined : view.find([param], value, scope))
}

/** Parts in which records keep what they are called: `profile.login`. */
const PARTS = ['profile', 'attributes']

const inParts = (names: ReadonlyMap<string, Schema>): FieldPath[] =>
  PARTS.flatMap((part) => uniqueFields(names.get(part)).map((name) => [part, name]))

/** `chain_id` of chains that are read by `{identifier}`. */
function ownIds({ model }: CollectionView): string[] {
  const own = `${foldName(model.singular)}id`
  return [...allNames(model.schema).keys()].filter((name) => foldName(name) === own)
}

/** The fields that `{id_or_code}` names: `id`, `code`, and `plan_code` of plans. */
function alternatives(param: string | undefined, { model }: CollectionView): string[] {
  const words = wordsOf(param ?? '')
  if (!words.includes('or')) return []
  const last = foldName(model.singular)
  const wanted = words.filter((word) => word !== 'or').flatMap((word) => [word, last + word])
  return [...allNames(model.schema).keys()].filter((name) => wanted.includes(foldName(name)))
}

/** Several parameters name the record together: `/{owner}/{repo}`. */
function findComposite(
  view: CollectionView,
  scope: readonly ScopeMatch[],
  wanted: readonly Wanted[],
): string | undefined {
  const where = wanted.flatMap(({ field, value }) =>
    field === undefined ? [] : [{ field, test: (stored: Parameters<typeof keyIn>[0]) => keyIn(stored) === value }],
  )
  const direct = wanted.find(({ field }) => field === undefined)
  if (direct === undefined) return view.first({ scope, where })?.key
  const fits = (key: string | undefined) =>
    key !== undefined && where.every(({ field, test }) => test(view.valueOf(key, field))) ? key : undefined
  // `/repos/ada/13`: the repository of Ada with the id 13.
  return fits(view.findIn(direct.value, scope)) ?? fits(findOtherwise(view, scope, direct))
}

/** Names of lists with keys, or with objects that have keys. */
const LIST_NAME = /^(ids?|inputs?|keys?|items?|.*_ids|.*Ids)$/

/** The records listed in a body: `{ inputs: [{ id }] }`, `{ ids: [...] }`, `[...]`. Only for writes. */
export function namedRecords(call: ApiCall, view: CollectionView): Found[] {
  if (call.operation.method === 'GET') return []
  return keysIn(call.body.value).flatMap((key) => view.live(key) ?? [])
}

function keysIn(body: Json | undefined): string[] {
  if (Array.isArray(body)) return body.flatMap((item) => keyIn(item) ?? [])
  if (!isJsonObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) && LIST_NAME.test(name) ? keysIn(value) : [],
  )
}

/** The record with an email, a name or a similar field of the body. */
export function findMeant(
  view: CollectionView,
  sent: JsonObject,
  scope: readonly ScopeMatch[] = [],
): LiveRecord | undefined {
  const { schema } = view.model
  const token = schema?.fields.has('token') ? ['token'] : []
  for (const name of [...uniqueFields(schema), ...token, ...sharedFields(schema)]) {
    const value = keyIn(readField(sent, [name]))
    const key = value === undefined ? undefined : view.find([name], value, scope)
    if (key !== undefined) return view.live(key)
  }
  return undefined
}
