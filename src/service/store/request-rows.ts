/** Requests to one simulation answered by one node, as one row. */
export interface NewRequestRow {
  /** Unique: a row that is added twice, after a lost answer, is saved once. */
  readonly id: string
  readonly simulation: string
  /** The smallest and the largest number of its requests. */
  readonly first: number
  readonly last: number
  readonly requests: number
  /** Number of requests that no earlier row had: a request with a delayed answer is saved again after the answer. */
  readonly arrived: number
  /** The log entries as JSON, opaque to the store. */
  readonly entries: string
  /** Their headers, bodies and changes, as JSON. */
  readonly details: string
}

/** The part of a row that is read first. */
export type LogRow = Pick<NewRequestRow, 'id' | 'entries'>

/** The requests to simulations, in rows of several requests. Each method is one transaction. */
export interface RequestRows {
  /** Saves rows, except those of deleted simulations. May be repeated. A power failure may lose them. */
  add(rows: readonly NewRequestRow[]): Promise<void>
  /** Deletes the oldest rows of a simulation, beyond this number of requests or characters. */
  trim(simulation: string, most: { readonly requests: number; readonly characters: number }): Promise<void>
  /** Rows that may have requests with numbers between these two. */
  read(simulation: string, after: number, before: number): Promise<readonly LogRow[]>
  /** The details of rows, by id; a deleted row has none. */
  details(simulation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  arrived(simulations: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Makes every node save requests to a simulation before answering them, for {@link FOLLOWED_MS} from now on. Returns
   * for how many milliseconds this has been so: nodes learn it at their next read of the head, and earlier requests are
   * saved at most {@link KEPT_WITHIN_MS} later.
   */
  follow(simulation: string): Promise<number>
  /** Whether this node's latest read of a simulation's head, or append to it, found its log followed. */
  isFollowed(simulation: string): boolean
}

/** How long a log is followed after a read. */
export const FOLLOWED_MS = 60_000
/**
 * Longest time from an answer to saving its request, for a simulation whose log was not read recently, while the store
 * and its nodes work.
 */
export const KEPT_WITHIN_MS = 250
