import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'

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
  const start = of === undefined ? at : toMs(resolve(of), at)
  if (start === undefined) return undefined
  const ms = plus === undefined ? start : movedBy(start, plus, resolve)
  if (ms === undefined) return undefined
  if (!(Math.abs(ms) <= END_OF_TIME)) return undefined
  if (as === 'ms') return ms
  if (as === 'unix') return Math.floor(ms / 1_000)
  const text = new Date(ms).toISOString()
  if (as === 'day') return text.slice(0, -14)
  if (as === 'rfc2822') return new Date(ms).toUTCString().replace('GMT', '+0000')
  return as === 'isoSeconds' ? text.replace(/\.\d+Z$/, 'Z') : text
}

/** A number is seconds or milliseconds since the epoch, by its size. A text is a date, `in 5 minutes`, or `tomorrow at 9am`. */
function toMs(value: Json | undefined, at: number): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < 1e11 ? value * 1_000 : value
  if (typeof value !== 'string') return undefined
  const words = value.trim().toLowerCase()
  const [, count = '', unit = ''] = FROM_NOW.exec(words) ?? []
  if (unit === '') return onDay(words, at) ?? Date.parse(value)
  const whole = SHORT_UNITS[unit] ?? unit
  return moved(at, { count: /\d/.test(count) ? Number(count) : 1, unit: whole }, (given) => given)
}

/** `in 5 minutes`, `in 1 min`, `in an hour`. */
const FROM_NOW = /^in (\d{1,9}|an?) (sec|second|min|minute|hour|day|week|month|year)s?$/
/** `tomorrow`, `friday at 3pm`, `tomorrow at 9:30 am`: in UTC, the next such day, by default at the current hour. */
function onDay(words: string, at: number): number | undefined {
  const [, day = '', hour, minute = '0', half] = ON_DAY.exec(words) ?? []
  if (day === '') return undefined
  const time = new Date(at)
  const weekday = WEEKDAYS.indexOf(day)
  time.setUTCDate(time.getUTCDate() + (weekday < 0 ? 1 : ((weekday - time.getUTCDay() + 6) % 7) + 1))
  if (hour !== undefined)
    time.setUTCHours((Number(hour) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0), Number(minute), 0, 0)
  return time.getTime()
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const ON_DAY = new RegExp(`^(tomorrow|${WEEKDAYS.join('|')})(?: at (\\d{1,2})(?::(\\d{2}))? ?(am|pm)?)?$`)
const SHORT_UNITS: Readonly<Record<string, string>> = { sec: 'second', min: 'minute' }

/** A time shifted by `{ count, unit }`, or by a text such as `P7D` or `PT1H30M` (ISO 8601). Undefined for another text. */
function movedBy(ms: number, plus: Json, resolve: Resolve): number | undefined {
  if (isJsonObject(plus) && !Object.keys(plus).some((name) => name.startsWith('$'))) return moved(ms, plus, resolve)
  const parts = DURATION.exec(String(resolve(plus) ?? ''))?.slice(1)
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined
  return parts.reduce(
    (at, count, place) =>
      count === undefined
        ? at
        : moved(at, { count: Number(count), unit: DURATION_UNITS[place] ?? '' }, (given) => given),
    ms,
  )
}

/** ISO 8601-1:2019, 5.5.2: `P1Y2M3W4DT5H6M7S`. */
const DURATION =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/
const DURATION_UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second']

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
  const unit = String(resolve(plus.unit ?? 'second'))
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
