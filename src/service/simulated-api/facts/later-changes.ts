import { type Json, readField } from '../../../protocol/json.ts'
import type { Later, Operation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'

/** A change that a request has brought about for later. */
export interface LaterChange extends Pick<Later, 'sets'> {
  /** World time, milliseconds. */
  readonly at: number
  readonly collection: string
  readonly key: string
  /** The status after the request: a record with another one stays as it is. */
  readonly status: Json
}

/** What an operation brings about later for the records that it has made or changed at world time `at`. */
export function laterChanges(
  { effect }: Operation,
  changes: readonly Change[],
  { world, at }: { readonly world: World; readonly at: number },
): readonly LaterChange[] {
  const later = 'later' in effect ? effect.later : undefined
  if (later === undefined || !('collection' in effect)) return NONE
  const { collection } = effect
  const { statusField } = world.collection(collection).model
  return changes.flatMap((change) => {
    if (change.type === 'deleted' || !('collection' in change) || change.collection !== collection) return []
    const status = statusField === null ? null : (readField(change.record, statusField) ?? null)
    return [{ at: at + later.afterSeconds * 1_000, collection, key: change.key, status, sets: later.sets }]
  })
}

const NONE: readonly LaterChange[] = []
