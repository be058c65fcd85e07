import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/** `touch`: changes only the time of the last change. */
export function* planTouches(step: StepOf<'touch'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  return yield* planEach(yield* drawTargets(view, step, context), ({ key, record }) =>
    updated(view, key, view.writer.touch(record, context.at)),
  )
}
