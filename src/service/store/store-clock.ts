import type { Runtime } from '../../runtime/runtime.ts'
import type { Store } from './store.ts'

/** A runtime whose clock is the store's: for times that several nodes compare, whose machines may be set wrong. */
export function withClockOf(store: Store | undefined, runtime: Runtime): Runtime {
  if (store === undefined) return runtime
  const { clock } = runtime
  return { ...runtime, clock: { now: () => clock.now() + store.offsetMs, monotonic: () => clock.monotonic() } }
}
