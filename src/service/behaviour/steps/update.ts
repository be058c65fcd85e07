import { writeField } from '../../../protocol/json.ts'
import { toFieldPath } from '../../world/field.ts'
import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/** `update`: writes `set` into the drawn records, and generates the fields in `regenerate` again. */
export function* planUpdates(step: StepOf<'update'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  return yield* planEach(yield* drawTargets(view, step, context), ({ key, record }) => {
    let changed = record
    for (const [name, value] of Object.entries(step.set ?? {})) changed = writeField(changed, toFieldPath(name), value)
    for (const name of step.regenerate ?? []) {
      const draw = `${context.random.uint32()}`
      const value = context.world.dataset.regenerate(step.collection, changed, toFieldPath(name), draw)
      if (value !== undefined) changed = writeField(changed, toFieldPath(name), value)
    }
    return updated(view, key, view.writer.touch(changed, context.at))
  })
}
