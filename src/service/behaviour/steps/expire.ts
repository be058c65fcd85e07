import { toFieldPath } from '../../world/field.ts'
import { isBefore } from '../../world/timestamp.ts'
import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/** `expire`: acts on the records whose timestamp is older than `olderThanSeconds`; by default on all of them. */
export function* planExpiries(step: StepOf<'expire'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const field = toFieldPath(step.field)
  const target = step.action === 'delete' ? null : (step.action.field?.split('.') ?? view.model.statusField)
  const to = step.action === 'delete' ? null : step.action.to
  const isOld = isBefore(context.at - step.olderThanSeconds * 1000)
  const tests = [{ field, test: isOld }]
  if (target !== null) tests.push({ field: [...target], test: (value) => value !== to })
  const targets = yield* drawTargets(view, step, context, { tests, fallback: 'all' })
  if (target === null) return targets.map(({ key }) => ({ type: 'deleted', collection: step.collection, key }))
  return yield* planEach(targets, ({ key, record }) =>
    updated(view, key, view.writer.setStatus(record, target, to, context.at)),
  )
}
