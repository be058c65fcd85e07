import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../protocol/errors.ts'
import { type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import { parseRequest } from '../../protocol/parse-request.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { Account, type AccountOptions, accountOptions, type ParsedAccountKey, type Scope } from './account.ts'

/** A key with the account that it belongs to. */
interface HeldKey {
  readonly account: Account
  readonly key: AccountKey
}

/** All accounts of a service, found by their keys. */
export class Accounts {
  /** The first account's first key; the only one that is kept in plain text. */
  readonly firstKey: string
  readonly #keys: HeldKey[] = []
  readonly #runtime: Pick<Runtime, 'clock' | 'secret'>

  /** @throws {@link ApiError} `invalid_request` that names what is wrong with `options`. */
  constructor(options: readonly AccountOptions[], runtime: Pick<Runtime, 'clock' | 'secret'>) {
    this.#runtime = runtime
    const keys = (options.length === 0 ? [{}] : options).map((account, index) => this.#add(account, index))
    this.firstKey = keys[0] as string
  }

  /** The account that the service's own simulations belong to. */
  get first(): Account {
    return (this.#keys[0] as HeldKey).account
  }

  /** The account of this name. */
  find(name: string): Account | undefined {
    return this.all().find((account) => account.name === name)
  }

  all(): Account[] {
    return [...new Set(this.#keys.map(({ account }) => account))]
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

  /** Compares every hash, also after a match, so that the time taken does not show the position of the right key. */
  #find(authorization: string | undefined): HeldKey {
    const [, secret] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '') ?? []
    if (secret === undefined) throw unauthorised('Expected the header `Authorization: Bearer <ACCOUNT_KEY>`.')
    const hashed = hash(secret)
    const found = this.#keys.filter(({ key }) => key.matches(hashed))[0]
    if (found === undefined) throw unauthorised('The account key is not valid.')
    if (!found.key.isAlive(this.#runtime.clock.now())) throw unauthorised('The account key is revoked or expired.')
    return found
  }

  /** Returns the account's first key. */
  #add(options: AccountOptions, index: number): string {
    const parsed = parseRequest(accountOptions, options, `accounts[${index}]`)
    const account = new Account(parsed, this.#runtime.clock)
    const keys = parsed.keys.map(({ key, ...rest }) => ({ ...rest, key: key ?? `svc_acc_${this.#runtime.secret(24)}` }))
    for (const key of keys) this.#keys.push({ account, key: new AccountKey(key) })
    return (keys[0] as { key: string }).key
  }
}

/** A credential of the management API, kept as a hash only. */
class AccountKey {
  readonly #hash: Buffer
  readonly #scopes: ReadonlySet<Scope>
  readonly #expiresAt: number
  readonly #ipRanges: readonly IpRange[]
  readonly #revoked: boolean

  constructor(options: ParsedAccountKey & { key: string }) {
    this.#hash = hash(options.key)
    this.#scopes = new Set(options.scopes)
    this.#expiresAt = options.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(options.expiresAt)
    this.#ipRanges = parseIpRanges(options.ipRanges, 'ipRanges')
    this.#revoked = options.revoked
  }

  /** Whether `hashed` is this key, in a time that does not depend on where they differ. */
  matches(hashed: Buffer): boolean {
    return timingSafeEqual(this.#hash, hashed)
  }

  /** Whether the key is neither revoked nor expired at `now`. */
  isAlive(now: number): boolean {
    return !this.#revoked && now < this.#expiresAt
  }

  allows(scope: Scope): boolean {
    return this.#scopes.has(scope)
  }

  allowsIp(ip: string): boolean {
    return this.#ipRanges.length === 0 || isInRanges(ip, this.#ipRanges)
  }
}

/** SHA-256 of a key: keys are long and random, so that a fast hash is enough. */
function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

const unauthorised = (message: string): ApiError => new ApiError(401, 'unauthorised', message)
