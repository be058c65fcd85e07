import { createHash, timingSafeEqual } from 'node:crypto'
import { type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { AccountKeyTerms, Scope } from './account-options.ts'

/** A credential of the management API, kept as a hash only. */
export class AccountKey {
  readonly #hash: Buffer
  readonly #scopes: ReadonlySet<Scope>
  readonly #expiresAt: number
  readonly #ipRanges: readonly IpRange[]
  readonly #revoked: boolean

  constructor(hash: Buffer, terms: AccountKeyTerms) {
    this.#hash = hash
    this.#scopes = new Set(terms.scopes)
    this.#expiresAt = terms.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(terms.expiresAt)
    this.#ipRanges = parseIpRanges(terms.ipRanges, 'ipRanges')
    this.#revoked = terms.revoked
  }

  /** Whether `hashed` is this key. The time does not depend on where they differ. */
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

/** A new, random key. */
export function newAccountKey({ secret }: Pick<Runtime, 'secret'>): string {
  return `svc_acc_${secret(24)}`
}

/** SHA-256 of a key: keys are long and random, so that a fast hash is enough. */
export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
