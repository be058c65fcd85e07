import { badRequest } from '../../../protocol/errors.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { LongRead, NO_RESULTS, type Patience } from '../../world/long-reads.ts'
import type { SimulationCore } from '../core/core.ts'
import type { Slices } from '../slices.ts'
import type { Lifecycle } from './lifecycle.ts'

/** How long a request may read before the rest runs in slices. */
const PATIENCE_MS = 10
/** The same for a repeated request, which first does all again: a batch of many small reads would be repeated for each. */
const REPEATED_PATIENCE_MS = 80
/** Most restarts of a long read after changes of the data. Then commands wait for the read. */
const MOST_RESTARTS = 3

interface ReadParts {
  readonly runtime: Runtime
  readonly slices: Slices
  readonly isStored: boolean
}

/** The long reads of requests to one simulation. */
export class RequestReads implements Patience {
  readonly #core: SimulationCore
  readonly #lifecycle: Lifecycle
  readonly #parts: ReadParts
  /** End of the request's time limit. */
  #patienceEnds = 0

  constructor(core: SimulationCore, lifecycle: Lifecycle, parts: ReadParts) {
    this.#core = core
    this.#lifecycle = lifecycle
    this.#parts = parts
  }

  /**
   * Starts a request, which from now on throws a {@link LongRead} when it takes too long, unless it must run at once.
   *
   * @param read its reads so far
   */
  begin(read: LongRead | undefined): void {
    const { world, rules } = this.#core
    const { revision } = world
    const isStale = read !== undefined && read.revision !== revision
    const restarts = (read?.restarts ?? 0) + Number(isStale)
    // An operation changes nothing before its end, but response rules have counted the request.
    if (!rules.isEmpty) for (const part of rules.counts) part.begin()
    // Commands of other nodes cannot wait.
    if (this.#parts.isStored && restarts > MOST_RESTARTS) return
    this.#patienceEnds =
      this.#parts.runtime.clock.monotonic() + (read === undefined ? PATIENCE_MS : REPEATED_PATIENCE_MS)
    const results = read === undefined || isStale ? NO_RESULTS : read.results
    world.longReads.begin(this, results, { revision, restarts })
  }

  get isSpent(): boolean {
    return this.#parts.runtime.clock.monotonic() >= this.#patienceEnds
  }

  /** Ends a request. */
  end(isDone: boolean): void {
    const { world, rules } = this.#core
    world.longReads.end()
    if (rules.isEmpty) return
    for (const part of rules.counts) {
      if (isDone) part.keep()
      else part.undo()
    }
  }

  /**
   * Continues a long read in slices, until its end or the caller disconnects. After three restarts by changes of the
   * data, commands wait for it.
   */
  async goOn({ run, restarts }: LongRead, caller: { readonly destroyed: boolean }): Promise<void> {
    if (restarts > MOST_RESTARTS) {
      await this.#lifecycle.read(unless(caller, run))
      return
    }
    while (this.#parts.slices.run(run) === undefined && !caller.destroyed && !this.#lifecycle.isClosed) {
      await this.#parts.slices.next()
    }
  }
}

/** A computation that ends early when its caller has disconnected. */
function* unless(caller: { readonly destroyed: boolean }, run: Generator<undefined, void>): Generator<undefined, void> {
  while (!caller.destroyed && run.next().done !== true) yield
}

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
