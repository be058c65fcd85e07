import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** Evaluates an inner expression of a time. */
type Resolve = (value: Json | undefined) => Json | undefined

/** Bound of a `Date`, in milliseconds on either side of 1970 (ECMAScript, 21.4.1.1). */
const END_OF_TIME = 8.64e15

/**
 * `unix`, or `{ of, plus: { count, unit }, as }`: a time of the record or of now, shifted. Undefined without a time, or
 * beyond the bound of a `Date`.
 */
export function timeFrom(given: Json, at: number, resolve: Resolve): Json | undefined {
  const { of, plus, as = 'unix' } = isJsonObject(given) ? given : { of: undefined, plus: undefined, as: given }
  const start = of === undefined ? at : toMs(resolve(of))
  if (start === undefined) return undefined
  const ms = isJsonObject(plus) ? moved(start, plus, resolve) : start
  if (!(Math.abs(ms) <= END_OF_TIME)) return undefined
  if (as === 'ms') return ms
  if (as === 'unix') return Math.floor(ms / 1_000)
  const text = new Date(ms).toISOString()
  return as === 'isoSeconds' ? text.replace(/\.\d+Z$/, 'Z') : text
}

/** A number is seconds or milliseconds since the epoch, by its size. */
function toMs(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < 1e11 ? value * 1_000 : value
  return typeof value === 'string' ? Date.parse(value) : undefined
}

const UNITS_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}

/** A month later is the same day, or the last day of a shorter month. */
function moved(ms: number, plus: JsonObject, resolve: Resolve): number {
  const count = Number(resolve(plus.count ?? 1) ?? 1)
  const unit = String(plus.unit ?? 'second')
  const fixed = UNITS_MS[unit]
  if (fixed !== undefined) return ms + count * fixed
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

/** A value with each `{ $time: … }` replaced by its time from `at`; the same value without any. */
export function withTimes(value: Json, at: number): Json {
  if (Array.isArray(value)) {
    const dated = value.map((item) => withTimes(item, at))
    return dated.every((item, place) => item === value[place]) ? value : dated
  }
  if (!isJsonObject(value)) return value
  const names = Object.keys(value)
  if (names.length === 1 && names[0] === '$time') return timeFrom(value.$time ?? null, at, (given) => given) ?? null
  const dated = Object.entries(value).map(([name, below]) => [name, withTimes(below, at)] as const)
  return dated.every(([name, below]) => below === value[name]) ? value : Object.fromEntries(dated)
}
