import {
  type AccountLedger,
  type AccountSummary,
  MOST_SESSIONS,
  type RequestCount,
  type StoredAccount,
  type StoredAccountKey,
  type StoredHold,
  type StoredSession,
} from './ledger.ts'

/** Accounts without a disk. */
export class MemoryLedger implements AccountLedger {
  readonly #requests = new Map<string, number>()
  readonly #accounts = new Map<string, StoredAccount>()
  readonly #keys = new Map<string, StoredAccountKey>()
  /** By hash, oldest first. */
  readonly #sessions = new Map<string, StoredSession>()
  readonly #holds = new Map<string, StoredHold>()
  readonly #countSimulations: (account: string) => number

  constructor(countSimulations: (account: string) => number = () => 0) {
    this.#countSimulations = countSimulations
  }

  async tally(counts: readonly RequestCount[]): Promise<readonly RequestCount[]> {
    return counts.map(({ account, month, requests }) => {
      const name = `${month} ${account}`
      const total = (this.#requests.get(name) ?? 0) + requests
      this.#requests.set(name, total)
      return { account, month, requests: total }
    })
  }

  async addAccount(account: Omit<StoredAccount, 'isSuspended'>): Promise<boolean> {
    if (this.#accounts.has(account.name)) return false
    this.#accounts.set(account.name, { ...account, isSuspended: false })
    return true
  }

  async setTerms(name: string, terms: string): Promise<void> {
    this.#change(name, { terms })
  }

  async suspend(name: string, isSuspended: boolean): Promise<boolean> {
    return this.#change(name, { isSuspended })
  }

  async addCredit(name: string, usd: number): Promise<boolean> {
    const creditUsd = (this.#accounts.get(name)?.creditUsd ?? 0) + usd
    return creditUsd >= 0 && this.#change(name, { creditUsd })
  }

  async accounts(names: readonly string[]): Promise<readonly StoredAccount[]> {
    return names.flatMap((name) => this.#accounts.get(name) ?? [])
  }

  async addKey(key: Omit<StoredAccountKey, 'isRevoked'>): Promise<boolean> {
    if (!this.#accounts.has(key.account)) return false
    this.#keys.set(key.hash, { ...key, isRevoked: false })
    return true
  }

  async revokeKeys(account: string, beginning: string): Promise<number> {
    const revoked = this.#keysOf(account).filter((key) => key.prefix.startsWith(beginning) && !key.isRevoked)
    for (const key of revoked) this.#keys.set(key.hash, { ...key, isRevoked: true })
    return revoked.length
  }

  async findKey(hash: string): Promise<StoredAccountKey | undefined> {
    return this.#keys.get(hash)
  }

  async keepSession(session: StoredSession, now: number): Promise<void> {
    this.#sessions.set(session.hash, session)
    for (const { hash, expiresAt } of this.#sessions.values()) {
      if (expiresAt < now || this.#sessions.size > MOST_SESSIONS) this.#sessions.delete(hash)
    }
  }

  async findSession(hash: string): Promise<StoredSession | undefined> {
    return this.#sessions.get(hash)
  }

  async removeSession(hash: string): Promise<boolean> {
    return this.#sessions.delete(hash)
  }

  async keepHold(simulation: string, hold: StoredHold): Promise<void> {
    this.#holds.set(simulation, hold)
  }

  async extendHold(simulation: string, until: number): Promise<void> {
    const hold = this.#holds.get(simulation)
    if (hold !== undefined) this.#holds.set(simulation, { ...hold, until })
  }

  async findHold(simulation: string): Promise<StoredHold | undefined> {
    return this.#holds.get(simulation)
  }

  async removeHold(simulation: string): Promise<void> {
    this.#holds.delete(simulation)
  }

  async summaries(month: string): Promise<readonly AccountSummary[]> {
    const byName = [...this.#accounts.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))
    return byName.map((account) => ({
      ...account,
      simulations: this.#countSimulations(account.name),
      requests: this.#requests.get(`${month} ${account.name}`) ?? 0,
      keys: this.#keysOf(account.name),
    }))
  }

  #keysOf(account: string): StoredAccountKey[] {
    return [...this.#keys.values()].filter((key) => key.account === account)
  }

  #change(name: string, change: Partial<StoredAccount>): boolean {
    const account = this.#accounts.get(name)
    if (account !== undefined) this.#accounts.set(name, { ...account, ...change })
    return account !== undefined
  }
}
