const realNow = Date.now
const realPerformanceNow = performance.now.bind(performance)

/** Where time comes from. Both readings are milliseconds. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds since some fixed moment; never goes back. Only differences mean anything. */
  monotonic(): number
}

/** The machine's clock, captured when this module was loaded: fake timers installed by a test do not move it. */
export const systemClock: Clock = { now: () => realNow(), monotonic: () => realPerformanceNow() }
