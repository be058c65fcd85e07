import type { Json } from '../../../protocol/json.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { LARGEST_SECONDS } from '../../world/timestamp.ts'

/** A timestamp of a record in milliseconds since the Unix epoch; undefined without one. */
export function toMillis(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value > LARGEST_SECONDS ? value : value * 1000
  if (typeof value !== 'string') return undefined
  const millis = Date.parse(value)
  return Number.isNaN(millis) ? undefined : millis
}

/**
 * A test whether a timestamp lies before `at` (milliseconds). Text in UTC is compared as text, which is several times
 * faster than parsing it, and exact to the second.
 */
export function isBefore(at: number): (value: Json | undefined) => boolean {
  const text = toIso(at)
  return (value) => {
    if (typeof value === 'string' && value.endsWith('Z')) return value < text
    return (toMillis(value) ?? Number.POSITIVE_INFINITY) < at
  }
}
