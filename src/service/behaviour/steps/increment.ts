import { type Json, readField } from '../../../protocol/json.ts'
import { toFieldPath } from '../../world/field.ts'
import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/** `increment`: adds `by` to a number, kept within the clamps. */
export function* planIncrements(step: StepOf<'increment'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const field = toFieldPath(step.field)
  const tests = [{ field, test: (value: Json | undefined) => typeof value === 'number' }]
  return yield* planEach(yield* drawTargets(view, step, context, { tests }), ({ key, record }) => {
    const held = readField(record, field) as number
    const value = clamp(held + drawAmount(step.by, Number.isInteger(held), context), step.clampMin, step.clampMax)
    return updated(view, key, view.writer.set(record, field, value, context.at))
  })
}

function drawAmount(by: StepOf<'increment'>['by'], isWhole: boolean, { random }: StepContext): number {
  if (typeof by === 'number') return by
  if (isWhole && Number.isInteger(by.min) && Number.isInteger(by.max)) return random.integer(by.min, by.max)
  return Math.round((by.min + random.next() * (by.max - by.min)) * 100) / 100
}

const clamp = (value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number =>
  Math.min(Math.max(value, min), max)
