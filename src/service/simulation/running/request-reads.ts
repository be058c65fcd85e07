import type { Clock } from '../../../runtime/clock.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { type LongRead, NO_RESULTS, type Patience } from '../../world/long-reads.ts'
import type { SimulationCore } from '../core/core.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Slices } from './slices.ts'

/** How long a request may take before the rest of its reads is made in slices. */
const PATIENCE_MS = 10
/** How often a long read begins anew where the data has changed meanwhile. Past it commands wait for the read. */
const MOST_RESTARTS = 3

/** The long reads of the requests to one simulation. */
export class RequestReads implements Patience {
  readonly #core: SimulationCore
  readonly #lifecycle: Lifecycle
  readonly #slices: Slices
  readonly #isStored: boolean
  readonly #clock: Clock
  /** When the request has taken its time. */
  #patienceEnds = 0

  constructor(
    core: SimulationCore,
    lifecycle: Lifecycle,
    { runtime, slices, isStored }: { runtime: Runtime; slices: Slices; isStored: boolean },
  ) {
    this.#core = core
    this.#lifecycle = lifecycle
    this.#slices = slices
    this.#isStored = isStored
    this.#clock = runtime.clock
  }

  /**
   * Before a request, which from now on throws a {@link LongRead} where it takes too long, unless it has to be done at once.
   *
   * @param read what it has read already
   */
  begin(read: LongRead | undefined): void {
    const { world } = this.#core
    const { revision } = world
    const isStale = read !== undefined && read.revision !== revision
    const restarts = (read?.restarts ?? 0) + Number(isStale)
    // An operation changes nothing before it is done; response rules have counted the request by then.
    for (const part of this.#core.rules.counts) part.begin()
    // Nothing holds back the commands of other nodes.
    if (this.#isStored && restarts > MOST_RESTARTS) return
    this.#patienceEnds = this.#clock.monotonic() + PATIENCE_MS
    const results = read === undefined || isStale ? NO_RESULTS : read.results
    world.longReads.begin(this, results, { revision, restarts })
  }

  get isSpent(): boolean {
    return this.#clock.monotonic() >= this.#patienceEnds
  }

  /** After a request. */
  end(isDone: boolean): void {
    this.#core.world.longReads.end()
    for (const part of this.#core.rules.counts) {
      if (isDone) part.keep()
      else part.undo()
    }
  }

  /**
   * Goes on with a long read in slices, until it is done or the caller leaves. Where the data has changed so often that the
   * read began anew three times, commands wait for it.
   */
  async goOn({ run, restarts }: LongRead, caller: { readonly destroyed: boolean }): Promise<void> {
    if (restarts > MOST_RESTARTS) {
      await this.#lifecycle.read(unless(caller, run))
      return
    }
    while (this.#slices.run(run) === undefined && !caller.destroyed && !this.#lifecycle.isClosed) {
      await this.#slices.next()
    }
  }
}

/** A computation that ends early where its caller has left. */
function* unless(caller: { readonly destroyed: boolean }, run: Generator<undefined, void>): Generator<undefined, void> {
  while (!caller.destroyed && run.next().done !== true) yield
}
