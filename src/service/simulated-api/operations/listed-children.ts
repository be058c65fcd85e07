import { isJsonObject, type Json, readField } from '../../../protocol/json.ts'
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
  return [...changes, ...[...byCollection].flatMap(([name, own]) => listingsOf(world, name, own))]
}

function listingsOf(world: World, name: string, changes: readonly ChildChange[]): Change[] {
  const view = world.collection(name)
  const { model } = view
  const { parent, listedIn } = model
  if (parent === undefined || listedIn === undefined) return []
  const owners = world.collection(parent.collection)
  const byOwner = Map.groupBy(changes, (change) =>
    change.type === 'created' ? change.scope[owners.model.name] : view.scopeOf(change.key)[owners.model.name],
  )
  return [...byOwner].flatMap(([key, own]): Change[] => {
    const record = key === undefined ? undefined : owners.get(key)
    if (key === undefined || record === undefined) return []
    const held = record[listedIn]
    const list = changedList(model, Array.isArray(held) ? held : [], own)
    if (list === undefined) return []
    return [{ type: 'updated', collection: parent.collection, key, record: { ...record, [listedIn]: list } }]
  })
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
