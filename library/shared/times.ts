/** Seconds since 1970. */
export const toUnix = (time: Date): number => Math.floor(time.getTime() / 1_000)

/** A time some seconds later, as the plan reads it. */
export const after = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1_000).toISOString()
