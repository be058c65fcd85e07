import { ApiError } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { AccountLedger, StoredAccount, StoredAccountKey } from '../store/ledger.ts'
import { StoreUnavailable } from '../store/store.ts'
import { Account } from './account.ts'
import { AccountKey } from './account-key.ts'

/** A key with its account. */
export interface HeldKey {
  readonly account: Account
  readonly key: AccountKey
}

/** How long a found key is cached: after this time a revocation takes effect. */
const KEY_MS = 5_000
/** How long an unknown key is cached. */
const UNKNOWN_KEY_MS = 1_000
/** Most cached keys. */
const MOST_KEYS = 10_000

/** The accounts of a store that this node has used. */
export class StoredAccounts {
  readonly #ledger: AccountLedger
  readonly #runtime: Runtime
  readonly #accounts = new Map<string, Account>()
  /** By the hash of the key, in hexadecimal digits. */
  readonly #keys = new Map<string, { readonly found: HeldKey | undefined; readonly until: number }>()

  constructor(ledger: AccountLedger, runtime: Runtime) {
    this.#ledger = ledger
    this.#runtime = runtime
  }

  /** Accounts that this node has used. */
  all(): readonly Account[] {
    return [...this.#accounts.values()]
  }

  /** Saves an account from the configuration. Its remaining credit stays. */
  async keep(account: Account): Promise<void> {
    const terms = JSON.stringify(account.terms)
    const { name, creditUsd } = account
    if (!(await this.#ledger.addAccount({ name, terms, creditUsd }))) await this.#ledger.setTerms(name, terms)
    this.#accounts.set(name, account)
  }

  async find(name: string): Promise<Account | undefined> {
    if (this.#accounts.has(name)) return this.#accounts.get(name)
    const [row] = await this.#ledger.accounts([name])
    const state = row && (await toHeld(row))
    // Another caller may have loaded it meanwhile; each account is one object.
    if (state !== undefined && !this.#accounts.has(name)) {
      this.#accounts.set(name, new Account(name, state, this.#runtime.clock))
    }
    return this.#accounts.get(name)
  }

  /** The key with this hash, even a revoked or expired one. Rejects with 503 where the store does not answer in 10 s. */
  async findKey(hashed: Buffer): Promise<HeldKey | undefined> {
    const hash = hashed.toString('hex')
    const known = this.#keys.get(hash)
    if (known !== undefined && this.#runtime.clock.monotonic() < known.until) return known.found
    const found = await askPatiently(this.#runtime, () => this.#lookUp(hash)).catch(refuseWithoutAnswer)
    this.#makeRoom()
    const ms = found === undefined ? UNKNOWN_KEY_MS : KEY_MS
    this.#keys.set(hash, { found, until: this.#runtime.clock.monotonic() + ms })
    return found
  }

  /** Updates the used accounts from the store. */
  async refresh(): Promise<void> {
    for (const row of await this.#ledger.accounts([...this.#accounts.keys()])) {
      this.#accounts.get(row.name)?.note(await toHeld(row))
    }
  }

  /** Drops the oldest cached key: many unknown keys must not displace all others. */
  #makeRoom(): void {
    const [oldest] = this.#keys.size >= MOST_KEYS ? this.#keys.keys() : []
    if (oldest !== undefined) this.#keys.delete(oldest)
  }

  async #lookUp(hash: string): Promise<HeldKey | undefined> {
    const row = await this.#ledger.findKey(hash)
    return row && this.#toHeldKey(row)
  }

  async #toHeldKey({ hash, account: name, terms, isRevoked }: StoredAccountKey): Promise<HeldKey | undefined> {
    const account = await this.find(name)
    const { accountKeyTerms } = await loadSchemas()
    const key = new AccountKey(Buffer.from(hash, 'hex'), {
      ...accountKeyTerms.parse(JSON.parse(terms)),
      revoked: isRevoked,
    })
    return account && { account, key }
  }
}

function refuseWithoutAnswer(cause: unknown): never {
  if (!(cause instanceof StoreUnavailable)) throw cause
  const message = 'Failed to look the account key up: the store of the service gives no answer. Try again in a second.'
  throw new ApiError(503, 'unavailable', message, { retryAfterSeconds: 1, cause: 'its store gives no answer' })
}

const loadSchemas = () => import('./account-options.ts')

async function toHeld({ terms, isSuspended, creditUsd }: StoredAccount) {
  const { accountTerms } = await loadSchemas()
  const read = accountTerms.parse(JSON.parse(terms))
  return { terms: { ...read, suspended: read.suspended || isSuspended }, creditUsd }
}
