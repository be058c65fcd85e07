import { ApiError } from '../../protocol/errors.ts'
import { maskChosenKey } from '../../protocol/mask-secrets.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { AccountLedger } from '../store/ledger.ts'
import { Account } from './account.ts'
import { AccountKey, hashOfKey, newAccountKey } from './account-key.ts'
import type { AccountSettings, Scope } from './account-options.ts'
import { type HeldKey, StoredAccounts } from './stored-accounts.ts'
import { UNLIMITED } from './unlimited.ts'

const NOT_VALID =
  'The account key is not valid. `backlot serve` prints a new one at each start; `--account-key` keeps one.'
const OF_A_SIMULATION = 'The management API takes an account key, got the key of a simulation.'

/** All accounts of a service, found by their keys: those from its options, and those from its store. */
export class Accounts {
  /** The first account's first key; the only key kept in plain text. */
  readonly firstKey: string
  /** Keys from the options. */
  readonly #keys: HeldKey[] = []
  readonly #runtime: Runtime
  readonly #stored: StoredAccounts | undefined

  constructor(given: readonly AccountSettings[], runtime: Runtime, ledger?: AccountLedger | undefined) {
    this.#runtime = runtime
    this.#stored = ledger && new StoredAccounts(ledger, runtime)
    const keys = (given.length === 0 ? [UNLIMITED] : given).map((account) => this.#add(account))
    this.firstKey = keys[0] as string
  }

  /** Saves the accounts from the options in the store, if there is one. Their remaining credit stays. */
  async start(): Promise<void> {
    for (const account of this.configured()) await this.#stored?.keep(account)
    await this.refresh()
  }

  /** Updates the accounts from the store. */
  async refresh(): Promise<void> {
    await this.#stored?.refresh()
  }

  /** The account of the service's own simulations. */
  get first(): Account {
    return (this.#keys[0] as HeldKey).account
  }

  async find(name: string): Promise<Account | undefined> {
    return this.configured().find((account) => account.name === name) ?? this.#stored?.find(name)
  }

  /** Accounts from the options. */
  configured(): Account[] {
    return [...new Set(this.#keys.map(({ account }) => account))]
  }

  /** Accounts from the options, and those used from the store. */
  known(): Account[] {
    return [...new Set([...this.configured(), ...(this.#stored?.all() ?? [])])]
  }

  /**
   * Finds the sender of a request, in the order of the specification's section Authentication: 401, then 403, then 402.
   *
   * @throws {@link ApiError} `unauthorised` or `payment_required`.
   */
  async authenticate(request: {
    authorization: string | undefined
    ip: string
    scope: Scope | undefined
  }): Promise<Account> {
    const { account, key } = await this.#find(request.authorization)
    if (request.scope !== undefined && !key.allows(request.scope)) {
      throw new ApiError(403, 'unauthorised', `The account key lacks the scope \`${request.scope}\`.`)
    }
    if (!key.allowsIp(request.ip)) {
      throw new ApiError(403, 'unauthorised', `The account key may not be used from ${request.ip}.`)
    }
    if (account.terms.suspended) throw new ApiError(403, 'unauthorised', 'The account is suspended.')
    if (account.terms.subscription !== 'active') {
      throw new ApiError(402, 'payment_required', 'The account has no active subscription.')
    }
    return account
  }

  /** Compares every hash, even after a match, so that the time does not reveal the position of the right key. */
  async #find(authorization: string | undefined): Promise<HeldKey> {
    const [, secret] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '') ?? []
    if (secret === undefined) throw unauthorised('Expected the header `Authorization: Bearer <ACCOUNT_KEY>`.')
    const hashed = hashOfKey(secret)
    const [configured] = this.#keys.filter(({ key }) => key.matches(hashed))
    const found = configured ?? (await this.#stored?.findKey(hashed))
    if (found === undefined) throw unauthorised(secret.startsWith('svc_sim_') ? OF_A_SIMULATION : NOT_VALID)
    if (!found.key.isAlive(this.#runtime.clock.now())) throw unauthorised('The account key is revoked or expired.')
    return found
  }

  /** Returns the account's first key. */
  #add({ name, keys, creditUsd, ...terms }: AccountSettings): string {
    const account = new Account(name, { terms, creditUsd }, this.#runtime.clock)
    const named = keys.map(({ key, ...terms }) => ({ key: key ?? newAccountKey(this.#runtime), terms }))
    for (const { key, terms } of named) {
      maskChosenKey(key)
      this.#keys.push({ account, key: new AccountKey(hashOfKey(key), terms) })
    }
    return (named[0] as { key: string }).key
  }
}

const unauthorised = (message: string): ApiError => new ApiError(401, 'unauthorised', message)
