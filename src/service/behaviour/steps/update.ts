import { type Json, readField, writeField } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { schemaAt, toFieldPath } from '../../world/field.ts'
import { valueNamed } from '../field-values.ts'
import { drawTargets, planEach } from './draw-targets.ts'
import { type PlannedStep, type StepContext, type StepOf, updated } from './step.ts'

/**
 * `update`: writes `set` into the drawn records, and generates the fields in `regenerate` again. `touch`: changes only
 * the time of the last change.
 */
export function* planUpdates(step: StepOf<'update' | 'touch'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const { set = {}, regenerate = [] } = step.kind === 'update' ? step : {}
  return yield* planEach(yield* drawTargets(view, step, context), ({ key, record }) => {
    let changed = record
    for (const [name, value] of Object.entries(set)) changed = writeField(changed, toFieldPath(name), value)
    for (const name of regenerate) {
      const draw = `${context.random.uint32()}`
      const value = context.world.dataset.regenerate(step.collection, changed, toFieldPath(name), draw)
      if (value !== undefined) changed = writeField(changed, toFieldPath(name), value)
    }
    return updated(view, key, view.writer.touch(changed, context.at))
  })
}

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

/** `increment`: adds `by` to a number, kept within the clamps. */
export function* planIncrements(step: StepOf<'increment'>, context: StepContext): PlannedStep {
  const view = context.world.collection(step.collection)
  const field = toFieldPath(step.field)
  const tests = [{ field, test: (value: Json | undefined) => typeof value === 'number' }]
  return yield* planEach(yield* drawTargets(view, step, context, { tests }), ({ key, record }) => {
    const current = readField(record, field) as number
    const value = clamp(current + drawAmount(step.by, Number.isInteger(current), context), step.clampMin, step.clampMax)
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
