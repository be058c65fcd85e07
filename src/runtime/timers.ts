// From Node and not from the globals: a test may have faked the globals before this module is loaded.
import {
  clearTimeout as realClearTimeout,
  setImmediate as realSetImmediate,
  setTimeout as realSetTimeout,
} from 'node:timers'
import { runInThisContext } from 'node:vm'

type Realm = typeof globalThis

/** The realm of Node's own `fetch` and sockets. Jest and Vitest's `vmThreads` load this module in another one. */
export const realmOfNode: Realm = runInThisContext('globalThis')

/** The longest delay of `setTimeout`; a longer one would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** Cancels the timer. Further calls do nothing. */
export type CancelTimer = () => void

/**
 * Calls `run` once after `ms` milliseconds of real time. Fake timers do not affect it. A delay of more than 24.8 days
 * fires early; the caller checks the clock and starts another timer.
 *
 * @param options.keepAlive whether a waiting timer keeps the process alive. @default false
 */
export function startTimer(ms: number, run: () => void, options: { keepAlive?: boolean } = {}): CancelTimer {
  const timer = realSetTimeout(run, Math.min(Math.max(0, ms), LONGEST_TIMEOUT_MS))
  if (!options.keepAlive) timer.unref()
  return () => realClearTimeout(timer)
}

/** {@link startTimer}, or a test's replacement. */
type StartTimer = (ms: number, run: () => void) => CancelTimer

/** One real timer for the next due task. */
export class WakeTimer {
  readonly #startTimer: StartTimer
  #cancel: CancelTimer | undefined

  constructor(startTimer: StartTimer) {
    this.#startTimer = startTimer
  }

  /** Calls `run` once after `ms` of real time; replaces a waiting call. */
  wakeIn(ms: number, run: () => void): void {
    this.stop()
    this.#cancel = this.#startTimer(ms, run)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}

/** Resolves after `ms` milliseconds of real time; rejects with the signal's reason when `signal` aborts first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = startTimer(
      ms,
      () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      },
      { keepAlive: true },
    )
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Calls `run` when the event loop has read all available input, independent of fake timers. */
export function atEndOfTurn(run: () => void): void {
  realSetImmediate(run)
}

/** Resolves in the next turn of the event loop, independent of fake timers. */
export function nextTurn(): Promise<void> {
  return new Promise(atEndOfTurn)
}

/** Whether a test has replaced the global timers, usually with fake timers. */
export const areTimersFaked: () => boolean = watchTimers(globalThis)

/** As {@link areTimersFaked}, for the timers that Node's own `fetch` uses. */
export const areNodeTimersFaked: () => boolean = watchTimers(realmOfNode)

/** The timers without fakes are those that this module found, or Node's where they were fakes. */
function watchTimers(realm: Realm): () => boolean {
  const setTimeout = isFake(realm.setTimeout) ? realSetTimeout : realm.setTimeout
  const setImmediate = isFake(realm.setImmediate) ? realSetImmediate : realm.setImmediate
  return () => realm.setTimeout !== setTimeout || realm.setImmediate !== setImmediate
}

/**
 * Why no request ends, and the next step: `sinon.useFakeTimers()` also fakes what Node's sockets wait for. Undefined where
 * requests work.
 *
 * @param realm the realm of the client
 */
export function explainStuckSockets(realm: Realm = realmOfNode): string | undefined {
  const parts = { 'process.nextTick': realm.process.nextTick, queueMicrotask: realm.queueMicrotask }
  const faked = Object.entries(parts).flatMap(([name, part]) => (isFake(part) ? [`\`${name}\``] : []))
  if (faked.length === 0) return undefined
  return `${faked.join(' and ')} ${faked.length === 1 ? 'is' : 'are'} faked, so that no request of this process can end. Fake the rest alone: useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] }); in Jest the option is \`doNotFake\`.`
}

/** The package fake-timers, which Vitest, Jest and sinon use, marks its functions with a property `clock`. */
function isFake(part: object | undefined): boolean {
  return part !== undefined && 'clock' in part
}
