import { badRequest } from '../../../protocol/errors.ts'
import { LongRead } from '../../world/long-reads.ts'

/** A simulation to read in slices. */
interface Readable {
  run<T>(work: () => T): T | Promise<T>
  readonly requests: { goOn(read: LongRead, caller: { readonly destroyed: boolean }): Promise<void> }
}

/**
 * Reads a simulation. Reads of many records run in slices, and are repeated with their results.
 *
 * @param left aborts when the caller disconnects
 */
export async function readInSlices<T>(
  { simulation, left }: { readonly simulation: Readable; readonly left: AbortSignal | undefined },
  ask: (read: LongRead | undefined) => T,
): Promise<T> {
  const caller = { destroyed: false }
  left?.addEventListener('abort', () => {
    caller.destroyed = true
  })
  let read: LongRead | undefined
  for (;;) {
    const before = read
    const found = await simulation.run(() => orLongRead(() => ask(before)))
    if (!(found instanceof LongRead)) return found
    await simulation.requests.goOn(found, caller)
    if (left?.aborted) throw badRequest('The caller has left before the records were read.')
    read = found
  }
}

/** A batch of a lane continues when one of its reads is long. */
function orLongRead<T>(ask: () => T): T | LongRead {
  try {
    return ask()
  } catch (error) {
    if (error instanceof LongRead) return error
    throw error
  }
}
