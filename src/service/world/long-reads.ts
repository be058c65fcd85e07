/** Positions in the order of a list. */
export interface Sequence {
  readonly size: number
  /** Place of a position; undefined where it is not in the sequence. */
  placeOf(position: number): number | undefined
  slice(start: number, end: number): number[]
}

/** Time limit of a command before it counts as long. */
export interface Patience {
  readonly isSpent: boolean
}

/** Results of one command's long reads, by their number in the command; each gives its value or throws its error. */
type ReadResults = ReadonlyMap<number, () => unknown>

/**
 * Thrown when a command reads or makes so many records that it takes several turns. Run `run` to its end, and repeat
 * the command with `results`: while the world has the same revision, the command continues from there.
 */
export class LongRead extends Error {
  readonly run: Generator<undefined, void>
  readonly results: ReadResults
  readonly revision: number
  /** Number of the request in the log, if the command is a request. */
  request: number | undefined
  /** Number of restarts because the world had changed. */
  readonly restarts: number

  constructor(run: Generator<undefined, void>, results: ReadResults, start: { revision: number; restarts: number }) {
    super('A command looks at too many records to be done at once.')
    this.run = run
    this.results = results
    this.revision = start.revision
    this.restarts = start.restarts
  }
}

/** The long reads of a world: run at once, unless the caller can wait. */
export class LongReads {
  #patience: Patience | undefined
  #results = NO_RESULTS
  #start = { revision: 0, restarts: 0 }
  #number = 0
  /** Whether a read is in progress: inner reads are part of it. */
  #isReading = false
  /** The interruption of this command, which must end it. */
  #interruption: LongRead | undefined

  /** From now on a read throws a {@link LongRead} when `patience` is used up, unless it has a result. */
  begin(patience: Patience, results: ReadResults, start: { revision: number; restarts: number }): void {
    this.#patience = patience
    this.#results = results
    this.#start = start
    this.#number = 0
    this.#interruption = undefined
  }

  /** From now on every read runs at once. */
  end(): void {
    this.#patience = undefined
    this.#interruption = undefined
  }

  /** Throws the {@link LongRead} of this command again, where other code has caught it. */
  throwAgain(): void {
    if (this.#interruption !== undefined) throw this.#interruption
  }

  /** The result of `run`. The same command has the same reads in the same order. */
  read<T>(run: Generator<undefined, T>): T {
    const patience = this.#patience
    if (patience === undefined || this.#isReading) return runToEnd(run)
    this.throwAgain()
    const number = this.#number++
    const known = this.#results.get(number)
    if (known !== undefined) return known() as T
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
    this.#interruption = new LongRead(finish(run, more, number), more, this.#start)
    throw this.#interruption
  }
}

/** For a command without results yet. */
export const NO_RESULTS: ReadResults = new Map()

function* finish(
  run: Generator<undefined, unknown>,
  results: Map<number, () => unknown>,
  number: number,
): Generator<undefined, void> {
  try {
    const value = yield* run
    results.set(number, () => value)
  } catch (error) {
    // The repeated command fails with this error, as it would have at once.
    results.set(number, () => {
      throw error
    })
  }
}

/** Runs a computation with pauses to its end without pausing. */
export function runToEnd<T>(run: Generator<unknown, T>): T {
  for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
}
