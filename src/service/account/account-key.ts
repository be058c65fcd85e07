import { createHash, timingSafeEqual } from 'node:crypto'
import { type IpRange, isInRanges, parseIpRanges } from '../../protocol/ip-range.ts'
import type { ParsedAccountKey, Scope } from './account-options.ts'

/** A credential of the management API, kept as a hash only. */
export class AccountKey {
  readonly #hash: Buffer
  readonly #scopes: ReadonlySet<Scope>
  readonly #expiresAt: number
  readonly #ipRanges: readonly IpRange[]
  readonly #revoked: boolean

  constructor(key: string, options: Omit<ParsedAccountKey, 'key'>) {
    this.#hash = hash(key)
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
export function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
