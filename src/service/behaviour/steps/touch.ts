import type { Change } from '../../world/change.ts'
import { drawTargets } from './draw-targets.ts'
import { type StepContext, type StepOf, updated } from './step.ts'

/** `touch`: changes nothing but the time of the last change. */
export function planTouches(step: StepOf<'touch'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  return drawTargets(view, step, context).map(({ key, record }) =>
    updated(view, key, view.writer.touch(record, context.at)),
  )
}
