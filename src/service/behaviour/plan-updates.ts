import type { BehaviourStep } from '../../protocol/behaviour.ts'
import { type Json, type JsonObject, readField, writeField } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Change } from '../world/change.ts'
import type { CollectionView } from '../world/collection-view.ts'
import { schemaAt, toFieldPath } from '../world/field.ts'
import { change, touch } from '../world/touch.ts'
import { drawTargets, type Target } from './candidates.ts'
import { valueNamed } from './field-values.ts'
import { isBefore } from './moment.ts'
import type { StepContext } from './step-context.ts'

type Step<Kind extends BehaviourStep['kind']> = Extract<BehaviourStep, { kind: Kind }>

/** `update`: writes `set` into the records drawn, and makes the fields in `regenerate` anew. */
export function planUpdates(step: Step<'update'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  return drawTargets(view, step, context).map(({ key, record }) => {
    let changed = record
    for (const [name, value] of Object.entries(step.set ?? {})) changed = writeField(changed, toFieldPath(name), value)
    for (const name of step.regenerate ?? []) {
      const draw = `${context.random.uint32()}`
      const value = context.world.dataset.regenerate(step.collection, changed, toFieldPath(name), draw)
      if (value !== undefined) changed = writeField(changed, toFieldPath(name), value)
    }
    return updated(view, key, touch(view.model, changed, context.at))
  })
}

/** `transition`: moves the records drawn from one value of a field (the status, by default) to another. */
export function planTransitions(step: Step<'transition'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  const field = step.field === undefined ? view.model.statusField : toFieldPath(step.field)
  if (field === null) return []
  const from = step.from === undefined ? undefined : Array.isArray(step.from) ? step.from : [step.from]
  const targets = drawTargets(view, step, context, {
    ...(from && { among: { field, values: from } }),
    ...(!from && { tests: [{ field, test: (value: Json | undefined) => value !== step.to }] }),
  })
  const schema = schemaAt(view.model.schema, field)
  return targets.map(({ key, record }) =>
    updated(view, key, view.statuses.write(record, field, drawValue(step.to, schema, context), context.at)),
  )
}

/** `increment`: adds `by` to a number, kept within the clamps. */
export function planIncrements(step: Step<'increment'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  const field = toFieldPath(step.field)
  const tests = [{ field, test: (value: Json | undefined) => typeof value === 'number' }]
  return drawTargets(view, step, context, { tests }).map(({ key, record }) => {
    const held = readField(record, field) as number
    const value = clamp(held + drawAmount(step.by, Number.isInteger(held), context), step.clampMin, step.clampMax)
    return updated(view, key, change(view.model, record, field, value, context.at))
  })
}

/**
 * `expire`: acts on the records whose timestamp is older than `olderThanSeconds`; on all of them unless told
 * otherwise.
 */
export function planExpiries(step: Step<'expire'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  const field = toFieldPath(step.field)
  const target = step.action === 'delete' ? null : (step.action.field?.split('.') ?? view.model.statusField)
  const to = step.action === 'delete' ? null : step.action.to
  const isOld = isBefore(context.at - step.olderThanSeconds * 1000)
  const tests = [{ field, test: isOld }]
  if (target !== null) tests.push({ field: [...target], test: (value) => value !== to })
  const targets = drawTargets(view, step, context, { tests, fallback: 'all' })
  if (target === null) return targets.map(({ key }) => ({ type: 'deleted', collection: step.collection, key }))
  return targets.map(({ key, record }) => updated(view, key, view.statuses.write(record, target, to, context.at)))
}

/** `touch`: changes nothing but the time of the last change. */
export function planTouches(step: Step<'touch'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  return drawTargets(view, step, context).map(({ key, record }) =>
    updated(view, key, touch(view.model, record, context.at)),
  )
}

/** `relate`: points a field of the records drawn to a record of `target`. */
export function planRelates(step: Step<'relate'>, context: StepContext): Change[] {
  const view = context.world.collection(step.collection)
  const targets = context.world.collection(step.target)
  const field = toFieldPath(step.field)
  return drawTargets(view, step, context).flatMap(({ key, record }: Target) => {
    const id = idOf(targets, targets.pickKey(context.random.uint32()))
    return id === undefined ? [] : [updated(view, key, change(view.model, record, field, id, context.at))]
  })
}

function updated(view: CollectionView, key: string, record: JsonObject): Change {
  return { type: 'updated', collection: view.model.name, key, record }
}

/** A record's id as its own field holds it: a number stays a number. */
function idOf(view: CollectionView, key: string | undefined): Json | undefined {
  if (key === undefined || view.model.id.field === undefined) return key
  return view.valueOf(key, view.model.id.field) ?? key
}

/** One value, or one of several by weight: their names stand for the field's own values. */
function drawValue(to: Step<'transition'>['to'], schema: Schema | undefined, context: StepContext): Json {
  if (typeof to !== 'object' || to === null) return to
  const weights = Object.entries(to)
  let left = context.random.next() * weights.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of weights) {
    left -= weight
    if (left < 0) return valueNamed(schema, value)
  }
  return valueNamed(schema, weights.at(-1)?.[0] ?? '')
}

function drawAmount(by: Step<'increment'>['by'], isWhole: boolean, { random }: StepContext): number {
  if (typeof by === 'number') return by
  if (isWhole && Number.isInteger(by.min) && Number.isInteger(by.max)) return random.integer(by.min, by.max)
  return Math.round((by.min + random.next() * (by.max - by.min)) * 100) / 100
}

const clamp = (value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number =>
  Math.min(Math.max(value, min), max)
