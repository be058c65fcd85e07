import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { keyIn } from '../../world/field.ts'
import type { World } from '../../world/world.ts'

/** Most records in a list of their parent: each of their changes writes the whole list. */
const MOST_LISTED = 100

type ChildChange = Extract<Change, { readonly collection: string }>

/** Changes, with those of parents that list the changed records: an asset shows the playback ids that were made below it. */
export function withListings(world: World, changes: readonly Change[]): readonly Change[] {
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
    const held = record[listedIn]
    const list = changedList(model, Array.isArray(held) ? held : [], own)
    if (list === undefined) return []
    return [{ type: 'updated', collection: parent.collection, key, record: { ...record, [listedIn]: list } }]
  })
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
  held: readonly Json[],
  changes: readonly ChildChange[],
): Json[] | undefined {
  const keyOfItem = (item: Json) => (isJsonObject(item) && id.field ? keyIn(readField(item, id.field)) : keyIn(item))
  const byKey = new Map(held.map((item) => [keyOfItem(item), item]))
  if (byKey.size < held.length) return undefined
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
