import { randomBytes, randomUUID } from 'node:crypto'
import { type Clock, computedMs, systemClock } from './clock.ts'
import { type CancelTimer, sleep, startTimer } from './timers.ts'

const realRandomUuid = randomUUID
const realRandomBytes = randomBytes

/** Everything that the service takes from the outside world. Tests pass their own; production uses the default. */
export interface Runtime {
  clock: Clock
  /** Processor time of this thread so far, in milliseconds. Other work of the machine does not count. */
  computedMs: () => number
  /** Resolves after `ms` of real time; rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls `run` after `ms` of real time, unless cancelled. */
  startTimer: (ms: number, run: () => void) => CancelTimer
  /** A random UUID (version 4), for ids that must not come from a seed: simulations, webhooks, requests. */
  uuid: () => string
  /** `bytes` random bytes as lowercase hexadecimal digits, for keys and secrets. */
  secret: (bytes: number) => string
  /** Every address of `hostname`; rejects where there is none. */
  resolve: (hostname: string) => Promise<string[]>
}

/** The real outside world. */
export const systemRuntime: Runtime = {
  clock: systemClock,
  computedMs,
  sleep,
  startTimer: (ms, run) => startTimer(ms, run),
  uuid: () => realRandomUuid(),
  secret: (bytes) => realRandomBytes(bytes).toString('hex'),
  resolve: async (hostname) => {
    const { lookup } = process.getBuiltinModule('node:dns/promises')
    return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)
  },
}
