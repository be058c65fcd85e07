import type { Clock } from '../../runtime/clock.ts'
import { nextTurn } from '../../runtime/timers.ts'

/** How long is computed before others have a turn. */
const SLICE_MS = 50

/**
 * Runs a generator to its end, giving way to the rest of the process every 50 ms.
 *
 * @param interrupt asked after each pause; what it returns is thrown into the generator
 */
export async function runInSlices<T>(
  run: Generator<void, T>,
  clock: Clock,
  interrupt: () => Error | undefined,
): Promise<T> {
  let sliceEnd = clock.monotonic() + SLICE_MS
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return step.value
    if (clock.monotonic() < sliceEnd) continue
    await nextTurn()
    const error = interrupt()
    if (error !== undefined) run.throw(error)
    sliceEnd = clock.monotonic() + SLICE_MS
  }
}
