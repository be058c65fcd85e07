import { readField } from '../../../protocol/json.ts'
import { Draft, type RecordPlace } from '../../simulated-api/records/draft.ts'
import { Refusal } from '../../simulated-api/refusal.ts'
import type { Change } from '../../world/change.ts'
import { toFieldPath } from '../../world/field.ts'
import { inBlocks } from '../../world/positions.ts'
import { isBefore, toMillis } from '../../world/timestamp.ts'
import type { World } from '../../world/world.ts'
import { drawTargets, passes } from './draw-targets.ts'
import type { PlannedStep, StepContext, StepOf } from './step.ts'

/** The earliest time, in milliseconds, at which a record is due for the step; infinite where none is. */
export function earliestDue({ collection, field, where = {} }: StepOf<'due'>, world: World): number {
  const view = world.collection(collection)
  const valueAt = view.column(toFieldPath(field))
  const conditions = Object.entries(where).map(([name, is]) => ({ is, valueAt: view.column(toFieldPath(name)) }))
  let earliest = Number.POSITIVE_INFINITY
  for (const block of inBlocks(view.positions))
    for (const position of block) {
      const at = toMillis(valueAt(position)) ?? earliest
      if (at < earliest && conditions.every(({ is, valueAt }) => passes(valueAt(position), is))) earliest = at
    }
  return earliest
}

/** Runs a handler by its name on a record, at world time `at`. Throws a `Refusal`. */
export type RunDue = (name: string, place: RecordPlace, draft: Draft, at: number) => void

/** `due`: runs a handler on each due record, the earliest first, each at its own time. */
export function* planDue(step: StepOf<'due'>, context: StepContext, runDue: RunDue): PlannedStep {
  const { world, at } = context
  const field = toFieldPath(step.field)
  const tests = [{ field, test: isBefore(at + 1) }]
  const view = world.collection(step.collection)
  const drawn = yield* drawTargets(view, step, context, { tests, fallback: 'all' })
  const due = drawn
    .map(({ key, record }) => ({ key, at: toMillis(readField(record, field)) ?? at }))
    .sort((left, right) => left.at - right.at || (left.key < right.key ? -1 : 1))
  let changes: readonly Change[] = []
  for (const { key, at: dueAt } of due) {
    const draft = new Draft(world, dueAt, changes)
    if (draft.get(step.collection, key) === undefined) continue
    try {
      runDue(step.do, { collection: step.collection, key }, draft, dueAt)
      changes = draft.changes()
    } catch (error) {
      // There is no caller for the refusal: only the changes that it keeps count.
      if (!(error instanceof Refusal)) throw error
      if (error.changes.length > 0) changes = error.changes
    }
    yield
  }
  return [...changes]
}
