import type { ClockReading } from '../../protocol/reads.ts'
import { report } from './report.ts'

/** `03:56:48.918`, in UTC like the API. A year may have more than four digits. */
export function clockText(iso: string): string {
  return iso.slice(iso.indexOf('T') + 1, -1)
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

export const dateText = (ms: number): string => DATE.format(ms).replace(',', '')

const YEAR_MINUTES = 525_600

/** `+1 d 3 h` for a duration; from two years on in years of 365 days. */
export function spanText(ms: number): string {
  const sign = ms < 0 ? '−' : '+'
  const all = Math.round(Math.abs(ms) / 60_000)
  const years = all < 2 * YEAR_MINUTES ? 0 : Math.floor(all / YEAR_MINUTES)
  const minutes = all - years * YEAR_MINUTES
  const parts = [
    [years, 'y'],
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ].filter(([count]) => count !== 0)
  return parts.length === 0 ? '' : `${sign}${parts.slice(0, 2).flat().join(' ')}`
}

/** `3 s`, `2 min`, `5 h`: time before or after now. */
export function roughSpan(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000)
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 129_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}

/** World time as known to the page, with the page's own time of the reading. */
export interface KnownClock extends ClockReading {
  readonly learntAt: number
}

/** World time now, in milliseconds. */
export function worldMs(clock: KnownClock | undefined): number {
  if (clock === undefined) return Date.now()
  return Date.parse(clock.now) + (clock.paused || report !== undefined ? 0 : Date.now() - clock.learntAt)
}
