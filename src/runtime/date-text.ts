const RealDate = globalThis.Date

/**
 * The moment that was last written, and its text: many things happen in one millisecond, all of world time's runs do.
 */
let lastMs = Number.NaN
let lastText = ''
let lastSeconds: string | undefined

/** ISO 8601 in UTC with milliseconds: `2026-11-21T08:00:00.000Z`. */
export function toIso(ms: number): string {
  if (ms !== lastMs) {
    lastText = new RealDate(ms).toISOString()
    lastMs = ms
    lastSeconds = undefined
  }
  return lastText
}

/** {@link toIso} without the fraction: `2026-11-21T08:00:00Z`. */
export function toIsoSeconds(ms: number): string {
  const text = toIso(ms)
  lastSeconds ??= `${text.slice(0, -5)}Z`
  return lastSeconds
}

/** When the calendar month (UTC) that `ms` lies in is over. */
export function monthEnd(ms: number): number {
  const date = new RealDate(ms)
  return RealDate.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
