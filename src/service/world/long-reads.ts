import { runToEnd } from './run-to-end.ts'

/** Positions in the order of a list. */
export interface Sequence {
  readonly size: number
  /** Place of a position; undefined where it is not in the sequence. */
  placeOf(position: number): number | undefined
  slice(start: number, end: number): number[]
}

/** How long a command may take before it counts as long. */
export interface Patience {
  readonly isSpent: boolean
}

/** What the long reads of one command came to, by their number in the command. */
type ReadResults = ReadonlyMap<number, unknown>

/**
 * A command looks at so many records, or makes so many, that it is not done at once. Run `run` to its end, and ask again with `results`: for as
 * long as the world has the same revision, the command goes on from there.
 */
export class LongRead extends Error {
  readonly run: Generator<undefined, void>
  readonly results: ReadResults
  readonly revision: number
  /** Number of the request in the log, where a request is the command. */
  request: number | undefined
  /** How often it began anew, since the world had changed. */
  readonly restarts: number

  constructor(run: Generator<undefined, void>, results: ReadResults, start: { revision: number; restarts: number }) {
    super('A command looks at too many records to be done at once.')
    this.run = run
    this.results = results
    this.revision = start.revision
    this.restarts = start.restarts
  }
}

/** The long reads of a world: done at once, unless the caller can wait. */
export class LongReads {
  #patience: Patience | undefined
  #results = NO_RESULTS
  #start = { revision: 0, restarts: 0 }
  #number = 0
  /** Whether a read is under way: what it reads is part of it. */
  #isReading = false

  /** From now on a read throws a {@link LongRead} when `patience` is spent, unless it is among the results. */
  begin(patience: Patience, results: ReadResults, start: { revision: number; restarts: number }): void {
    this.#patience = patience
    this.#results = results
    this.#start = start
    this.#number = 0
  }

  /** From now on every read is done at once. */
  end(): void {
    this.#patience = undefined
  }

  /** {@link LongReads.read}, unless what it returns is `known`: a read in the order of the command's reads all the same. */
  readUnless<T>(known: T | undefined, run: () => Generator<undefined, T>): T {
    if (known === undefined) return this.read(run())
    if (this.#patience !== undefined && !this.#isReading) this.#number++
    return known
  }

  /** What `run` returns. The same command has the same reads in the same order. */
  read<T>(run: Generator<undefined, T>): T {
    const patience = this.#patience
    if (patience === undefined || this.#isReading) return runToEnd(run)
    const number = this.#number++
    const known = this.#results.get(number)
    if (known instanceof FailedRead) throw known.error
    if (this.#results.has(number)) return known as T
    this.#isReading = true
    try {
      for (let step = run.next(); ; step = run.next()) {
        if (step.done) return step.value
        if (patience.isSpent) break
      }
    } finally {
      this.#isReading = false
    }
    const more = new Map(this.#results)
    throw new LongRead(finish(run, more, number), more, this.#start)
  }
}

/** Where a command has no results yet. */
export const NO_RESULTS: ReadResults = new Map()

function* finish(
  run: Generator<undefined, unknown>,
  results: Map<number, unknown>,
  number: number,
): Generator<undefined, void> {
  try {
    results.set(number, yield* run)
  } catch (error) {
    // The command fails of it when it is executed again, as it would have at once.
    results.set(number, new FailedRead(error))
  }
}

/** What a read threw. */
class FailedRead {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}
