import type { Runtime } from '../../runtime/runtime.ts'
import { StoreUnavailable } from './store.ts'

const PATIENCE_MS = 10_000
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 200

/** Repeats a call while a store does not answer, for at most 10 s. Only for calls that may run twice. */
export async function askPatiently<T>({ clock, sleep }: Runtime, ask: () => Promise<T>): Promise<T> {
  const deadline = clock.monotonic() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || clock.monotonic() >= deadline) throw error
    }
    await sleep(pauseMs)
  }
}
