import { type Json, valueText } from '../../src/protocol/json.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const UNITS_MS: Readonly<Record<string, number>> = {
  sec: 1_000,
  min: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
}
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** `in 5 minutes`, `in 1 min`, `in an hour`. */
const FROM_NOW = /^in (\d{1,9}|an?) (sec|min|hour|day|week|month|year)(?:ond|ute)?s?$/
const ON_DAY = new RegExp(`^(tomorrow|${WEEKDAYS.join('|')})(?: at (\\d{1,2})(?::(\\d{2}))? ?(am|pm)?)?$`)

/**
 * A time in words: `in 5 minutes`; `tomorrow`, `friday at 3pm`, in UTC, the next such day, by default at the current
 * hour; else in ISO 8601. An invalid `Date` for any other text.
 */
export function spokenTime(given: Json | undefined, now: Date): Date {
  const text = valueText(given)
  const words = text.trim().toLowerCase()
  const [, count = '', unit = ''] = FROM_NOW.exec(words) ?? []
  if (unit !== '') return new Date(now.getTime() + (/\d/.test(count) ? Number(count) : 1) * (UNITS_MS[unit] ?? 0))
  const [, day = '', hour, minute = '0', half] = ON_DAY.exec(words) ?? []
  if (day === '') return new Date(text)
  const time = new Date(now)
  const weekday = WEEKDAYS.indexOf(day)
  time.setUTCDate(time.getUTCDate() + (weekday < 0 ? 1 : ((weekday - time.getUTCDay() + 6) % 7) + 1))
  if (hour !== undefined)
    time.setUTCHours((Number(hour) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0), Number(minute), 0, 0)
  return time
}
