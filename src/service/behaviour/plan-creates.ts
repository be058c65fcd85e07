import type { BehaviourStep, StepValues } from '../../protocol/behaviour.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Scope } from '../dataset/dataset.ts'
import type { Change } from '../world/change.ts'
import type { CollectionView } from '../world/collection-view.ts'
import { toFieldPath, writeField } from '../world/field.ts'
import { keyForNew } from '../world/key-of.ts'
import type { StepContext } from './step-context.ts'

/** Makes the records that a `create` step adds: `count`, else `fraction` of those there are, else one; up to `maxRecords`. */
export function planCreates(step: Extract<BehaviourStep, { kind: 'create' }>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  const room = Math.max(0, (step.maxRecords ?? Number.POSITIVE_INFINITY) - view.count)
  const wanted = step.count ?? (step.fraction === undefined ? 1 : context.portion(view.count * step.fraction))
  const taken = new Set<string>()
  const changes: Change[] = []
  for (let made = 0; made < Math.min(wanted, room); made++) {
    const scope = drawScope(view, context)
    const record = context.world.dataset.complete(step.collection, toRecord(step.values), {
      ordinal: view.created + made,
      at: context.at,
      scope,
      pickKey: (collection, draw) => context.world.collection(collection).pickKey(draw),
      isTaken: (key) => taken.has(key) || view.hasCreated(key),
    })
    const key = keyForNew(view, record, made)
    taken.add(key)
    changes.push({ type: 'created', collection: step.collection, key, record, scope })
  }
  return changes
}

/** A living parent for a record of a nested collection. */
function drawScope(view: CollectionView, context: StepContext): Scope {
  const parent = view.model.parent?.collection
  if (parent === undefined) return {}
  const parents = context.world.collection(parent)
  const key = parents.pickKey(context.random.uint32())
  return key === undefined ? {} : { ...parents.scopeOf(key), [parent]: key }
}

function toRecord(values: StepValues = {}): JsonObject {
  return Object.entries(values).reduce<JsonObject>(
    (record, [name, value]) => writeField(record, toFieldPath(name), value),
    {},
  )
}
