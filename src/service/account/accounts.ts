import { ApiError } from '../../protocol/errors.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { Account } from './account.ts'
import { AccountKey, hash } from './account-key.ts'
import { type AccountOptions, accountOptions, type Scope } from './account-options.ts'

/** An account with one of its keys, found by a request's credentials. */
export interface Caller {
  readonly account: Account
  readonly key: AccountKey
}

/** All accounts of a service, found by their keys. */
export class Accounts {
  /** The first account's first key; the only one that is kept as it was given. */
  readonly firstKey: string
  readonly #callers: Caller[] = []
  readonly #runtime: Pick<Runtime, 'clock' | 'secret'>

  /** @throws {@link ApiError} `invalid_request` that names what is wrong with `options`. */
  constructor(options: readonly AccountOptions[], runtime: Pick<Runtime, 'clock' | 'secret'>) {
    this.#runtime = runtime
    const keys = (options.length === 0 ? [{}] : options).map((account, index) => this.#add(account, index))
    this.firstKey = keys[0] as string
  }

  /** The account that the service's own simulations belong to. */
  get first(): Account {
    return (this.#callers[0] as Caller).account
  }

  /**
   * Finds who sent a request, in the order of the specification's section Authentication: 401, then 403, then 402.
   *
   * @throws {@link ApiError} `unauthorised` or `payment_required`.
   */
  authenticate(request: { authorization: string | undefined; ip: string; scope: Scope | undefined }): Account {
    const { account, key } = this.#find(request.authorization)
    if (request.scope !== undefined && !key.allows(request.scope)) {
      throw new ApiError(403, 'unauthorised', `The account key lacks the scope \`${request.scope}\`.`)
    }
    if (!key.allowsIp(request.ip)) {
      throw new ApiError(403, 'unauthorised', `The account key may not be used from ${request.ip}.`)
    }
    if (account.isSuspended) throw new ApiError(403, 'unauthorised', 'The account is suspended.')
    if (!account.hasSubscription) {
      throw new ApiError(402, 'payment_required', 'The account has no active subscription.')
    }
    return account
  }

  /** Every hash is compared, so that the time taken says nothing about how many keys there are before the right one. */
  #find(authorization: string | undefined): Caller {
    const [, secret] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '') ?? []
    if (secret === undefined) throw unauthorised('Expected the header `Authorization: Bearer <ACCOUNT_KEY>`.')
    const hashed = hash(secret)
    const found = this.#callers.filter(({ key }) => key.matches(hashed))[0]
    if (found === undefined) throw unauthorised('The account key is not valid.')
    if (!found.key.isAlive(this.#runtime.clock.now())) throw unauthorised('The account key is revoked or expired.')
    return found
  }

  /** Answers with the account's first key. */
  #add(options: AccountOptions, index: number): string {
    const parsed = parseRequest(accountOptions, options, `accounts[${index}]`)
    const account = new Account(parsed, this.#runtime.clock)
    const keys = (parsed.keys ?? [DEFAULT_KEY]).map((key) => ({ ...key, key: key.key ?? this.#newKey() }))
    for (const { key, ...rest } of keys) this.#callers.push({ account, key: new AccountKey(key, rest) })
    return (keys[0] as { key: string }).key
  }

  #newKey(): string {
    return `svc_acc_${this.#runtime.secret(24)}`
  }
}

const DEFAULT_KEY = {
  key: undefined,
  scopes: ['simulations:read', 'simulations:write'] as Scope[],
  ipRanges: [],
  revoked: false,
}

const unauthorised = (message: string): ApiError => new ApiError(401, 'unauthorised', message)
