import { performance } from 'node:perf_hooks'

/** The machine's wall clock, even where fake timers replaced `Date` before this module was loaded. */
const realNow = isNative(Date.now) ? Date.now : findNow()

/** Where time comes from. Both readings are milliseconds. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds since some fixed moment; never goes back. Only differences mean anything. */
  monotonic(): number
}

/** The machine's clock: fake timers installed by a test do not move it. */
export const systemClock: Clock = { now: () => realNow(), monotonic: () => performance.now() }

/**
 * Processor time of this thread so far, milliseconds, and real time where Node does not tell it. Only differences mean anything. What
 * else the machine computes is not in it.
 */
export function computedMs(): number {
  if (!('threadCpuUsage' in process)) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function isNative(value: () => number): boolean {
  return Function.prototype.toString.call(value).includes('[native code]')
}

/** `Date.now` of a new realm, which no fake timers have touched. */
function findNow(): () => number {
  return process.getBuiltinModule('node:vm').runInNewContext('Date.now') as () => number
}
