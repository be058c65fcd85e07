/** Requests that an account has made to simulated APIs in a month. */
export interface RequestCount {
  /** Name of the account. */
  readonly account: string
  /** `2026-11`, UTC. */
  readonly month: string
  readonly requests: number
}

/** What is counted of accounts, by all nodes. */
export interface AccountLedger {
  /** Adds to the counts. Returns what each has come to. A call without an answer may have been done: it is not made again. */
  tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]>
}
