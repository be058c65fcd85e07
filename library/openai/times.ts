/** Seconds since 1970. */
export const toUnix = (time: Date): number => Math.floor(time.getTime() / 1_000)
