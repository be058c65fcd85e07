import { readField } from '../../../protocol/json.ts'
import type { LaterChange } from '../../simulated-api/facts/later-changes.ts'
import type { Change } from '../../world/change.ts'
import { schemaAt } from '../../world/field.ts'
import { toTimestamp } from '../../world/timestamp.ts'
import type { World } from '../../world/world.ts'
import { updated } from './step.ts'

/** The change, at its time; undefined for a record that is gone or has moved on. */
export function planLater(world: World, { collection, key, status, sets, at }: LaterChange): Change | undefined {
  const view = world.collection(collection)
  const record = view.get(key)
  const { statusField } = view.model
  if (record === undefined || (statusField !== null && (readField(record, statusField) ?? null) !== status))
    return undefined
  const changed = sets.reduce((whole, { field, to }) => {
    const value =
      typeof to === 'object' && 'value' in to
        ? to.value
        : to === 'now'
          ? toTimestamp(at, readField(whole, field) ?? undefined, schemaAt(view.model.schema, field))
          : null
    const isStatus = field.join('.') === statusField?.join('.')
    return isStatus ? view.writer.setStatus(whole, field, value, at) : view.writer.set(whole, field, value, at)
  }, record)
  return updated(view, key, changed)
}
