import type {
  AccountLedger,
  AccountSummary,
  RequestCount,
  StoredAccount,
  StoredAccountKey,
} from '../../../src/service/store/ledger.ts'
import { MemorySessions } from '../../../src/service/store/memory-sessions.ts'

/** Accounts without a disk. */
export class MemoryLedger extends MemorySessions implements AccountLedger {
  readonly #requests = new Map<string, number>()
  readonly #accounts = new Map<string, StoredAccount>()
  readonly #keys = new Map<string, StoredAccountKey>()
  readonly #countSimulations: (account: string) => number

  constructor(countSimulations: (account: string) => number = () => 0) {
    super()
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
