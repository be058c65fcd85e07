import { runToEnd } from './run-to-end.ts'

/** Positions in the order of a list. */
export interface Sequence {
  readonly size: number
  /** Place of a position; undefined where it is not in the sequence. */
  placeOf(position: number): number | undefined
  slice(start: number, end: number): number[]
}

/** How often a read may pause before it counts as long. */
const FEW_PAUSES = 16

/** What the long reads of one command came to, by their number in the command. */
type ReadResults = ReadonlyMap<number, Sequence>

/**
 * A command looks at so many records that it is not done at once. Run `run` to its end, and ask again with `results`: for as
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
  #results: ReadResults | undefined
  #start = { revision: 0, restarts: 0 }
  #number = 0

  /** From now on a long read throws a {@link LongRead}, unless it is among the results. */
  begin(results: ReadResults, start: { revision: number; restarts: number }): void {
    this.#results = results
    this.#start = start
    this.#number = 0
  }

  /** From now on every read is done at once. */
  end(): void {
    this.#results = undefined
  }

  read(run: Generator<undefined, Sequence>): Sequence {
    const results = this.#results
    if (results === undefined) return runToEnd(run)
    const number = this.#number++
    const known = results.get(number)
    if (known !== undefined) return known
    for (let pauses = 0; pauses < FEW_PAUSES; pauses++) {
      const step = run.next()
      if (step.done) return step.value
    }
    const more = new Map(results)
    throw new LongRead(finish(run, more, number), more, this.#start)
  }
}

function* finish(
  run: Generator<undefined, Sequence>,
  results: Map<number, Sequence>,
  number: number,
): Generator<undefined, void> {
  results.set(number, yield* run)
}
