/** Requests to one simulation that one node has answered, as they are kept together. */
export interface NewRequestRow {
  /** Unique: a row that is added twice, since the first answer was lost, is kept once. */
  readonly id: string
  readonly simulation: string
  /** The least and the greatest number of its requests. */
  readonly first: number
  readonly last: number
  /** How many requests it has. */
  readonly requests: number
  /** How many of them no earlier row had: a request whose answer was held back is kept again when that has left. */
  readonly arrived: number
  /** What a log shows of them, as JSON: a store does not look into it. */
  readonly entries: string
  /** Their headers, bodies and changes, as JSON. */
  readonly details: string
}

/** What is read of a row at first. */
export type LogRow = Pick<NewRequestRow, 'id' | 'entries'>

/** The requests to simulations, as rows of several requests. Each method is one transaction. */
export interface RequestRows {
  /** Keeps rows; those of simulations that are gone are left out. It may be asked twice. What was kept may be lost when the power fails. */
  add(rows: readonly NewRequestRow[]): Promise<void>
  /** Forgets the oldest rows of a simulation, past so many requests or characters. */
  trim(simulation: string, most: { readonly requests: number; readonly characters: number }): Promise<void>
  /** Rows that may have requests with numbers between these two. */
  read(simulation: string, after: number, before: number): Promise<readonly LogRow[]>
  /** The details of rows, by their ids; a row that was forgotten has none. */
  details(simulation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** How many requests there were to each of these simulations. */
  arrived(simulations: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * Has every node keep requests to a simulation before it answers them, for {@link FOLLOWED_MS} from now on. Returns for how many milliseconds
   * that has been so: nodes hear of it with the next look at the head, and what they have answered before is kept {@link KEPT_WITHIN_MS} later at the latest.
   */
  follow(simulation: string): Promise<number>
  /** Whether the latest look of this node at the head of a simulation, an append to it included, has found it followed. */
  isFollowed(simulation: string): boolean
}

/** How long a log is followed after it was read. */
export const FOLLOWED_MS = 60_000
/** Longest time from an answer until its request is kept, for a simulation whose log was not read lately, where the store and its nodes are well. */
export const KEPT_WITHIN_MS = 250
