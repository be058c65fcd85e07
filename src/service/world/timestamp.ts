import type { Json } from '../../protocol/json.ts'
import { toIso, toIsoSeconds } from '../../runtime/date-text.ts'
import type { Schema } from '../../schema/schema.ts'

/** Numbers above this are milliseconds: as seconds it would be the year 5138. */
const LARGEST_SECONDS = 100_000_000_000

/**
 * A time in the API's format: like `previous`, if given (seconds, milliseconds, text with or without a fraction), else
 * by `schema`, else ISO 8601 with milliseconds.
 */
export function toTimestamp(at: number, previous: Json | undefined, schema: Schema | undefined): Json {
  if (typeof previous === 'number') return previous > LARGEST_SECONDS ? at : Math.floor(at / 1000)
  const isNumber =
    schema?.types.some((type) => type === 'integer' || type === 'number') && !schema.types.includes('string')
  if (typeof previous !== 'string' && isNumber) return Math.floor(at / 1000)
  const text = toIso(at)
  if (schema?.format === 'date') return text.slice(0, 10)
  if (typeof previous === 'string' && /^\d{4}-\d\d-\d\d$/.test(previous)) return text.slice(0, 10)
  if (typeof previous === 'string' && /:\d\dZ$/.test(previous)) return toIsoSeconds(at)
  if (typeof previous === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(previous))
    return text.slice(0, 19).replace('T', ' ')
  if (typeof previous === 'string' && /^\/Date\(\d+/.test(previous)) return `/Date(${at}+0000)/`
  if (typeof previous === 'string' && /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /.test(previous)) return toRfc2822(at)
  if (typeof previous === 'string' && /\d[+-]\d\d:?\d\d$/.test(previous)) return `${text.slice(0, 19)}+00:00`
  return text
}

/** `Fri, 24 May 2019 17:44:46 +0000` */
const toRfc2822 = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000')

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
