/** An account's requests to simulated APIs in one month. */
export interface RequestCount {
  /** Name of the account. */
  readonly account: string
  /** `2026-11`, UTC. */
  readonly month: string
  readonly requests: number
}

export interface StoredAccount {
  readonly name: string
  /** Plan and subscription, as JSON, opaque to the store. */
  readonly terms: string
  /** Whether the operator has suspended it. */
  readonly isSuspended: boolean
  readonly creditUsd: number
}

/** A key of an account, stored as a hash only. */
export interface StoredAccountKey {
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly hash: string
  /** Name of the account. */
  readonly account: string
  /** The beginning of the key, for recognition. */
  readonly prefix: string
  /** Scopes, addresses and expiry, as JSON. */
  readonly terms: string
  readonly isRevoked: boolean
}

/** A session of the dashboard, or a code for one. The store has neither its token nor, without the token, the account key. */
export interface StoredSession {
  /** Keyed SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string
  /** The account key, encrypted with the token. */
  readonly sealedKey: string
  /** Real time, milliseconds. */
  readonly expiresAt: number
}

/** A test held for a person. */
export interface StoredHold {
  readonly test: string
  /** Real time, milliseconds: its end, unless extended. */
  readonly until: number
}

/** Number of latest sessions that a store keeps. */
export const MOST_SESSIONS = 10_000

/** An account for its operator. */
export interface AccountSummary extends StoredAccount {
  readonly simulations: number
  /** In the requested month. */
  readonly requests: number
  /** Oldest first. */
  readonly keys: readonly StoredAccountKey[]
}

/** Sessions of the dashboard, and holds of tests. */
export interface SessionLedger {
  /** Saves a session, and deletes those that expired before `now`. */
  keepSession(session: StoredSession, now: number): Promise<void>
  findSession(hash: string): Promise<StoredSession | undefined>
  /** False for a missing one: only one of several callers gets a code. */
  removeSession(hash: string): Promise<boolean>
  /** Saves the hold of a test of a simulation, in place of an earlier one. */
  keepHold(simulation: string, hold: StoredHold): Promise<void>
  extendHold(simulation: string, until: number): Promise<void>
  findHold(simulation: string): Promise<StoredHold | undefined>
  removeHold(simulation: string): Promise<void>
}

/** Accounts and their keys, and usage by all nodes. */
export interface AccountLedger extends SessionLedger {
  /** Adds to the counts. Returns the totals. A call without an answer may have been executed: it is not repeated. */
  tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]>
  /** Adds an account. False for an existing name. */
  addAccount(account: Omit<StoredAccount, 'isSuspended'>): Promise<boolean>
  /** Replaces the terms of an account. */
  setTerms(name: string, terms: string): Promise<void>
  /** Suspends an account, or ends its suspension. False for an unknown name. */
  suspend(name: string, isSuspended: boolean): Promise<boolean>
  /** Adds to the credit of an account, or subtracts from it. False, without change, where the credit is too small. */
  addCredit(name: string, usd: number): Promise<boolean>
  accounts(names: readonly string[]): Promise<readonly StoredAccount[]>
  /** Adds a key. False for an unknown account. */
  addKey(key: Omit<StoredAccountKey, 'isRevoked'>): Promise<boolean>
  /** Revokes the keys of an account with this beginning. Returns the number of newly revoked keys. */
  revokeKeys(account: string, beginning: string): Promise<number>
  findKey(hash: string): Promise<StoredAccountKey | undefined>
  /** Every account, by name. @param month `2026-11`, UTC */
  summaries(month: string): Promise<readonly AccountSummary[]>
}

/** The ledger for `backlot account`, while services use the store. */
export interface OpenLedger {
  readonly ledger: AccountLedger
  close(): Promise<void>
}
