/** Requests that an account has made to simulated APIs in a month. */
export interface RequestCount {
  /** Name of the account. */
  readonly account: string
  /** `2026-11`, UTC. */
  readonly month: string
  readonly requests: number
}

/** An account, by what a store knows of it. */
export interface StoredAccount {
  readonly name: string
  /** Plan and subscription, as JSON: a store does not look into it. */
  readonly terms: string
  /** Whether whoever hosts the service has suspended it, whatever its terms say. */
  readonly isSuspended: boolean
  readonly creditUsd: number
}

/** A key of an account, which the store does not hold. */
export interface StoredAccountKey {
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly hash: string
  /** Name of the account. */
  readonly account: string
  /** The beginning of the key, to tell it from others. */
  readonly prefix: string
  /** Scopes, addresses and expiry, as JSON. */
  readonly terms: string
  readonly isRevoked: boolean
}

/** A session of the dashboard, or a code that opens one. The store has neither its token nor, without that, the key whose rights it has. */
export interface StoredSession {
  /** Keyed SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string
  /** The account key, encrypted by the token. */
  readonly sealedKey: string
  /** Real time, milliseconds. */
  readonly expiresAt: number
}

/** A test that is held while a person looks at its simulation. */
export interface StoredHold {
  readonly test: string
  /** Real time, milliseconds: when it is over, unless it is extended. */
  readonly until: number
}

/** Sessions that a store keeps, the latest. */
export const MOST_SESSIONS = 10_000

/** What a host is shown of an account. */
export interface AccountSummary extends StoredAccount {
  readonly simulations: number
  /** In the month that was asked for. */
  readonly requests: number
  /** Oldest first. */
  readonly keys: readonly StoredAccountKey[]
}

/** Accounts, their keys, sessions and held tests, and what is counted of them by all nodes. */
export interface AccountLedger {
  /** Adds to the counts. Returns what each has come to. A call without an answer may have been done: it is not made again. */
  tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]>
  /** Keeps a new account. False where there is one of this name. */
  addAccount(account: Omit<StoredAccount, 'isSuspended'>): Promise<boolean>
  /** Puts other terms in place of those of an account. */
  setTerms(name: string, terms: string): Promise<void>
  /** Suspends an account, or ends that. False where there is none of this name. */
  suspend(name: string, isSuspended: boolean): Promise<boolean>
  /** Adds to the credit of an account, or takes from it as much as is there. False, with nothing done, where that is too little. */
  addCredit(name: string, usd: number): Promise<boolean>
  /** The accounts of these names. */
  accounts(names: readonly string[]): Promise<readonly StoredAccount[]>
  /** Keeps a key. False where its account is not there. */
  addKey(key: Omit<StoredAccountKey, 'isRevoked'>): Promise<boolean>
  /** Revokes the keys of an account that begin so. Returns how many were not revoked before. */
  revokeKeys(account: string, beginning: string): Promise<number>
  findKey(hash: string): Promise<StoredAccountKey | undefined>
  /** Keeps a session, and forgets those that were over before `now`. */
  keepSession(session: StoredSession, now: number): Promise<void>
  findSession(hash: string): Promise<StoredSession | undefined>
  /** False where it was not there: of several that take a code, one gets it. */
  removeSession(hash: string): Promise<boolean>
  /** Keeps a test that is held at a simulation, in place of an earlier one. */
  keepHold(simulation: string, hold: StoredHold): Promise<void>
  /** Has a hold go on until then, where it is there. */
  extendHold(simulation: string, until: number): Promise<void>
  findHold(simulation: string): Promise<StoredHold | undefined>
  removeHold(simulation: string): Promise<void>
  /** Every account, by its name. @param month `2026-11`, UTC */
  summaries(month: string): Promise<readonly AccountSummary[]>
}

/** What `backlot account` works on, beside services that have the store open. */
export interface OpenLedger {
  readonly ledger: AccountLedger
  close(): Promise<void>
}
