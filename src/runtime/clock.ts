import { performance } from 'node:perf_hooks'

/** The machine's wall clock, even where fake timers replaced `Date` before this module was loaded. */
const realNow = isNative(Date.now) ? Date.now : findNow()

/** The source of time. Both readings are milliseconds. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds since some fixed moment; never goes back. Only differences mean anything. */
  monotonic(): number
}

/** The machine's clock: fake timers installed by a test do not move it. */
export const systemClock: Clock = { now: () => realNow(), monotonic: () => performance.now() }

/**
 * Processor time of this thread so far, in milliseconds; real time where Node cannot measure it. Only differences mean
 * anything. Other work of the machine does not count.
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
