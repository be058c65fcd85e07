const RealDate = globalThis.Date

/** The moment that was last written: a run of a plan writes one moment into thousands of records (`decisions/014`). */
let latest = { ms: Number.NaN, text: '' }

/** ISO 8601 in UTC with milliseconds: `2026-11-21T08:00:00.000Z`. */
export function toIso(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new RealDate(ms).toISOString() }
  return latest.text
}

/** {@link toIso} without the fraction: `2026-11-21T08:00:00Z`. */
export function toIsoSeconds(ms: number): string {
  return `${toIso(ms).slice(0, -5)}Z`
}

/** When the calendar month (UTC) that `ms` lies in is over. */
export function monthEnd(ms: number): number {
  const date = new RealDate(ms)
  return RealDate.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
