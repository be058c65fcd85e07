import type { Json } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import { schemaAt, toFieldPath } from '../../world/field.ts'
import { valueNamed } from '../field-values.ts'
import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/** `transition`: moves the drawn records from one value of a field (by default the status) to another. */
export function* planTransitions(step: StepOf<'transition'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const field = step.field === undefined ? view.model.statusField : toFieldPath(step.field)
  if (field === null) return []
  const from = step.from === undefined ? undefined : Array.isArray(step.from) ? step.from : [step.from]
  const targets = yield* drawTargets(view, step, context, {
    ...(from && { among: { field, values: from } }),
    ...(!from && { tests: [{ field, test: (value: Json | undefined) => value !== step.to }] }),
  })
  const schema = schemaAt(view.model.schema, field)
  return yield* planEach(targets, ({ key, record }) =>
    updated(view, key, view.writer.setStatus(record, field, drawValue(step.to, schema, context), context.at)),
  )
}

/** One value, or one of several by weight: the names stand for the field's own values. */
function drawValue(to: StepOf<'transition'>['to'], schema: Schema | undefined, context: StepContext): Json {
  if (typeof to !== 'object' || to === null) return to
  const weights = Object.entries(to)
  let left = context.random.next() * weights.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of weights) {
    left -= weight
    if (left < 0) return valueNamed(schema, value)
  }
  return valueNamed(schema, weights.at(-1)?.[0] ?? '')
}
