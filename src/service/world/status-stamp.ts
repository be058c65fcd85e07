import type { Json, JsonObject } from '../../protocol/json.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { readField, writeField } from './field.ts'
import { schemaAt, toTimestamp, touch } from './touch.ts'

/** Words that APIs use for the moment of a status whose own name they do not use. */
const STAMP_WORDS: Readonly<Record<string, readonly string[]>> = {
  done: ['completed', 'finished'],
  complete: ['completed'],
  completed: ['finished'],
  succeeded: ['completed', 'finished'],
  cancelled: ['canceled'],
  canceled: ['cancelled'],
  won: ['closed'],
  lost: ['closed'],
  active: ['activated', 'started'],
  in_progress: ['started'],
  inactive: ['deactivated', 'disabled'],
}

/**
 * A copy of `record` with `status` in `field`, touched, and with the moment noted where the API has a field for it: `paid`
 * sets an empty `paid_at` or `paidAt`, `done` an empty `completed_at`.
 */
export function withStatus(
  model: CollectionModel,
  record: JsonObject,
  field: readonly string[],
  status: Json,
  at: number,
): JsonObject {
  const changed = touch(model, writeField(record, field, status), at)
  const around = field.slice(0, -1)
  const known = schemaAt(model.schema, around)?.properties
  for (const name of stampNames(status)) {
    const stamp = [...around, name]
    const held = readField(changed, stamp)
    const schema = known?.get(name)
    const isMoment = schema !== undefined && !schema.types.includes('boolean') && !schema.types.includes('object')
    if (isMoment && (held === undefined || held === null)) {
      return writeField(changed, stamp, toTimestamp(at, undefined, schema))
    }
  }
  return changed
}

function stampNames(status: Json): string[] {
  if (typeof status !== 'string') return []
  const word = status.toLowerCase().replace(/[\s-]+/g, '_')
  return [word, ...(STAMP_WORDS[word] ?? [])].flatMap((name) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    return [`${name}_at`, `${camel}At`, `${name}_on`, `${camel}On`, `${name}_date`, `${camel}Date`]
  })
}
