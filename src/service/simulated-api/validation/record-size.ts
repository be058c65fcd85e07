import { grouped } from '../../../protocol/grouped.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { sizeOf, valuesIn } from '../../../protocol/size-of.ts'
import type { Change } from '../../world/change.ts'

/** An exceeded bound, and the field with the largest share. */
export interface RecordExcess {
  readonly message: string
  readonly field: string
}

/** If all values have this size, a record within the bound of bytes is within that of values. */
const BYTES_OF_VALUE = Math.ceil(LIMITS.recordBytes / LIMITS.recordValues)

const BOUNDS = [
  { most: LIMITS.recordBytes, unit: 'bytes', measure: (value: JsonObject[string]) => sizeOf(value) },
  { most: LIMITS.recordValues, unit: 'values', measure: (value: JsonObject[string]) => valuesIn(value) },
] as const

/**
 * Why a record to write is too large; undefined where none is. Many small changes make a large record, although each
 * request is within its bounds.
 */
export function findExcess(changes: readonly Change[]): RecordExcess | undefined {
  for (const change of changes) {
    if (change.type === 'deleted' || sizeOf(change.record, BYTES_OF_VALUE) <= LIMITS.recordBytes) continue
    for (const { most, unit, measure } of BOUNDS) {
      const size = measure(change.record)
      if (size <= most) continue
      const [field = ''] = Object.entries(change.record).reduce((left, right) =>
        measure(left[1]) >= measure(right[1]) ? left : right,
      )
      const [bound, got] = [most, size].map(grouped)
      const message = `Expected the record to have at most ${bound} ${unit}, got ${got}: \`${field.slice(0, 100)}\` has the most. Leave a part of it out.`
      return { message, field }
    }
  }
  return undefined
}
