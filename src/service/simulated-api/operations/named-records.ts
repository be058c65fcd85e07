import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { keyIn } from '../../world/field.ts'
import type { ApiCall, Found } from './call.ts'

/** Names of lists that hold keys, or objects with keys. */
const LIST_NAME = /^(ids?|inputs?|keys?|items?|.*_ids|.*Ids)$/

/** The records that a body asks for one by one: `{ inputs: [{ id }] }`, `{ ids: [...] }`, `[...]`. Only for writes. */
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
