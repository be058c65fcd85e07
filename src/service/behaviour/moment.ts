import type { Json } from '../../protocol/json.ts'

/** Numbers above this are milliseconds: as seconds it would be the year 5138. */
const LARGEST_SECONDS = 100_000_000_000

/** A timestamp of a record as milliseconds since the Unix epoch; undefined where it is none. */
export function toMillis(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value > LARGEST_SECONDS ? value : value * 1000
  if (typeof value !== 'string') return undefined
  const millis = Date.parse(value)
  return Number.isNaN(millis) ? undefined : millis
}
