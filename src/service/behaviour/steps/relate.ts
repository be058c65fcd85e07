import type { Json } from '../../../protocol/json.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { toFieldPath } from '../../world/field.ts'
import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/** `relate`: sets a field of the drawn records to the id of a record of `target`. */
export function* planRelates(step: StepOf<'relate'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const targets = context.world.collection(step.target)
  const field = toFieldPath(step.field)
  return yield* planEach(yield* drawTargets(view, step, context), ({ key, record }) => {
    const id = idOf(targets, targets.pickKey(context.random.uint32()))
    return id === undefined ? undefined : updated(view, key, view.writer.set(record, field, id, context.at))
  })
}

/** A record's id as its own field has it: a number stays a number. */
function idOf(view: CollectionView, key: string | undefined): Json | undefined {
  if (key === undefined || view.model.id.field === undefined) return key
  return view.valueOf(key, view.model.id.field) ?? key
}
