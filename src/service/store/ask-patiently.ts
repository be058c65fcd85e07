import type { Runtime } from '../../runtime/runtime.ts'
import { StoreUnavailable } from './store.ts'

const PATIENCE_MS = 10_000
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 200

/** Asks a store again for as long as it gives no answer, 10 s at most: for what may be asked twice. */
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
