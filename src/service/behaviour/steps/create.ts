import type { StepValues } from '../../../protocol/behaviour.ts'
import { type JsonObject, writeField } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { RecordScope } from '../../dataset/dataset.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { toFieldPath } from '../../world/field.ts'
import { NewKeys } from '../../world/new-keys.ts'
import type { PlannedStep, StepContext, StepOf } from './step.ts'

/**
 * Creates the records of a `create` step: `count`, else `fraction` of the existing ones, else one; up to `maxRecords`,
 * while ids are free.
 */
export function* planCreates(step: StepOf<'create'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const free = Math.max(0, (step.maxRecords ?? Number.POSITIVE_INFINITY) - view.count)
  const wanted = step.count ?? (step.fraction === undefined ? 1 : context.portion(view.count * step.fraction))
  const most = Math.min(wanted, free, LIMITS.behaviourChangesPerRun)
  const keys = new NewKeys(view)
  const changes: Change[] = []
  while (changes.length < most) {
    const scope = drawScope(view, context)
    const made = context.world.dataset.complete(step.collection, toRecord(step.values), {
      ordinal: keys.ordinal,
      at: context.at,
      scope,
      pickKey: (collection, draw) => context.world.collection(collection).pickKey(draw),
      taken: keys,
    })
    if (made === undefined) break
    keys.give(made.key)
    changes.push({ type: 'created', collection: step.collection, key: made.key, record: made.record, scope })
    yield
  }
  return changes
}

/** An existing parent for a record of a nested collection. */
function drawScope(view: CollectionView, context: StepContext): RecordScope {
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
