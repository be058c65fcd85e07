const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Delay before each attempt after the first, counted from the previous failure (specification, Retries). */
export const RETRY_DELAYS_MS: readonly number[] = [
  1 * MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  12 * HOUR_MS,
]
