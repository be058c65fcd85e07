import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { keyIn } from '../../world/field.ts'
import type { World } from '../../world/world.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { checkDeclared } from '../records/declared-checks.ts'
import { requireUndeletedParents } from '../records/scope.ts'
import { Refusal } from '../refusal.ts'
import { act, leaveBehind } from './action.ts'
import { bulk } from './bulk.ts'
import { create } from './create.ts'
import { actOnDocument } from './document.ts'
import { showExample } from './example.ts'
import { read, remove, update } from './item.ts'
import { list } from './list.ts'

/**
 * Applies the operation of a call. Throws a `Refusal` for an impossible request; a path that does not fit the
 * description is refused when no record is found.
 */
export function operate(setting: Setting, call: ApiCall): Answered {
  const { pathMisfit } = call
  const answered = pathMisfit === undefined ? run(setting, call) : runMisfit(setting, call, pathMisfit)
  if (answered.changes.length === 0) return answered
  const warnings = [...(answered.warnings ?? []), ...checkDeclared(setting, call, answered.changes)]
  if (setting.entryEffects !== undefined) return { ...answered, warnings }
  const changes = [...withListings(setting.world, answered.changes), ...(answered.parts ?? [])]
  return { ...answered, changes: withCounts(setting, changes), warnings }
}

function runMisfit(setting: Setting, call: ApiCall, pathMisfit: Refusal): Answered {
  if (call.operation.effect.kind === 'example') throw pathMisfit
  try {
    return run(setting, call)
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 && !isDeleted(setting, call) ? pathMisfit : error
  }
}

/** Whether a request identifies a deleted record, whatever the description says of its key. */
export function isDeleted({ world }: Setting, { operation, params }: ApiCall): boolean {
  const { effect } = operation
  const key = 'keys' in effect ? effect.keys.at(-1) : undefined
  return key?.in === 'path' && 'collection' in effect && world.wasDeleted(effect.collection, params[key.param] ?? '')
}

function run(setting: Setting, call: ApiCall): Answered {
  const { effect } = call.operation
  if ('scope' in effect && effect.scope.length > 0) requireUndeletedParents(setting, call, effect.scope)
  switch (effect.kind) {
    case 'list':
    case 'search':
      return list(setting, call, effect)
    case 'read':
      return read(setting, call, effect)
    case 'create':
      return create(setting, call, effect)
    case 'update':
    case 'replace':
      return update(setting, call, effect)
    case 'delete':
      return remove(setting, call, effect)
    case 'action':
      return act(setting, call, effect)
    case 'bulkCreate':
    case 'bulkUpdate':
    case 'bulkDelete': {
      const answered = bulk(setting, call, effect)
      const { makes, body } = effect
      return makes === undefined ? answered : leaveBehind(setting, call, { verb: '', body }, makes, answered.changes)
    }
    case 'singletonRead':
    case 'singletonUpdate':
    case 'singletonReplace':
    case 'singletonDelete':
      return actOnDocument(setting, call, effect)
    case 'signIn':
      throw new Error(`Failed to answer ${call.operation.id}: the model has no sign-in.`)
    case 'computed':
      throw new Refusal(
        501,
        'not_implemented',
        `Failed to answer ${call.operation.method} ${call.operation.path}: model.yaml says that it is computed, and there is no handler and no response rule for it. Add one, or write \`example\` there.`,
      )
    case 'example':
      return showExample(setting, call)
  }
}

/** Most records in a list of their parent: each of their changes writes the whole list. */
const MOST_LISTED = 100

type ChildChange = Extract<Change, { readonly collection: string }>

/** Changes, with those of parents that list the changed records: an asset shows the playback ids that were made below it. */
function withListings(world: World, changes: readonly Change[]): readonly Change[] {
  const children = changes.filter(
    (change): change is ChildChange =>
      'collection' in change && world.collection(change.collection).model.listedIn !== undefined,
  )
  if (children.length === 0) return changes
  const byCollection = Map.groupBy(children, ({ collection }) => collection)
  const all = [...changes]
  for (const [name, own] of byCollection) all.push(...listingsOf(world, name, own, all))
  return all
}

/** @param all the changes of the request so far, among which the parent may be */
function listingsOf(world: World, name: string, changes: readonly ChildChange[], all: readonly Change[]): Change[] {
  const view = world.collection(name)
  const { model } = view
  const { parent, listedIn } = model
  if (parent === undefined || listedIn === undefined) return []
  const owners = world.collection(parent.collection)
  const byOwner = Map.groupBy(changes, (change) =>
    change.type === 'created' ? change.scope[owners.model.name] : view.scopeOf(change.key)[owners.model.name],
  )
  return [...byOwner].flatMap(([key, own]): Change[] => {
    const record = key === undefined ? undefined : lastOf(all, { collection: parent.collection, key }, owners.get(key))
    if (key === undefined || record === undefined) return []
    const stored = record[listedIn]
    const list = changedList(model, Array.isArray(stored) ? stored : [], own)
    if (list === undefined) return []
    return [{ type: 'updated', collection: parent.collection, key, record: { ...record, [listedIn]: list } }]
  })
}

/** Changes, with those of the records that count the created, moved and deleted ones: `appointments_count` of a patient. */
function withCounts({ world, api }: Setting, changes: readonly Change[]): readonly Change[] {
  const all = [...changes]
  for (const change of changes) {
    if (!('collection' in change)) continue
    const counters = api.countersOf(change.collection)
    if (counters.length === 0) continue
    const view = world.collection(change.collection)
    const { statusField } = view.model
    const before = change.type === 'created' ? undefined : view.get(change.key)
    const next = 'record' in change ? change.record : undefined
    const scope = change.type === 'created' ? change.scope : view.scopeOf(change.key)
    for (const { field, collection, counter, status } of counters) {
      const ownerOf = (one: JsonObject | undefined) => {
        const isCounted = status === undefined || (one && statusField && readField(one, statusField)) === status
        return one && isCounted ? keyIn(field === undefined ? scope[collection] : readField(one, field)) : undefined
      }
      const [left, reached] = [ownerOf(before), ownerOf(next)]
      const owners = world.collection(collection)
      if (left === reached) continue
      for (const named of [left, reached]) {
        const key = owners.findIn(named ?? '', [])
        const owner = key === undefined ? undefined : lastOf(all, { collection, key }, owners.get(key))
        const count = owner?.[counter]
        if (key === undefined || owner === undefined || typeof count !== 'number') continue
        const after = Math.max(0, count + (named === reached ? 1 : -1))
        all.push({ type: 'updated', collection, key, record: { ...owner, [counter]: after } })
      }
    }
  }
  return all
}

/** The record after the changes before; undefined without one. */
function lastOf(
  changes: readonly Change[],
  { collection, key }: { readonly collection: string; readonly key: string },
  stored: JsonObject | undefined,
): JsonObject | undefined {
  const last = changes.findLast(
    (change) => 'collection' in change && change.collection === collection && change.key === key,
  )
  return last === undefined ? stored : 'record' in last ? last.record : undefined
}

/** The list after the changes; undefined where it stays as it is. */
function changedList(
  { id }: CollectionModel,
  stored: readonly Json[],
  changes: readonly ChildChange[],
): Json[] | undefined {
  const keyOfItem = (item: Json) => (isJsonObject(item) && id.field ? keyIn(readField(item, id.field)) : keyIn(item))
  const byKey = new Map(stored.map((item) => [keyOfItem(item), item]))
  if (byKey.size < stored.length) return undefined
  let isChanged = false
  for (const change of changes) {
    if (change.type === 'deleted') isChanged = byKey.delete(change.key) || isChanged
    else if (byKey.has(change.key) || (change.type === 'created' && byKey.size < MOST_LISTED)) {
      byKey.set(change.key, change.record)
      isChanged = true
    }
  }
  return isChanged ? [...byKey.values()] : undefined
}
