import { badRequest } from '../../../protocol/errors.ts'
import { LongRead } from '../../world/long-reads.ts'

/** What is read in slices. */
interface Readable {
  run<T>(work: () => T): T | Promise<T>
  readonly requests: { goOn(read: LongRead, caller: { readonly destroyed: boolean }): Promise<void> }
}

/**
 * Reads a simulation. What looks at many records is done in slices, and asked for again with what it has found.
 *
 * @param left aborts when the caller leaves
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

/** A batch of a lane goes on where a read of it is long. */
function orLongRead<T>(ask: () => T): T | LongRead {
  try {
    return ask()
  } catch (error) {
    if (error instanceof LongRead) return error
    throw error
  }
}
