import { createHash } from 'node:crypto'
import { badRequest, notFound } from '../../protocol/errors.ts'
import type { JournaledMap } from '../world/journaled-map.ts'

/** The prefix of every simulation key. */
export const KEY_PREFIX = 'svc_sim_'
const SHOWN_CHARACTERS = 6
/** The key of a service for trying out, behind a provider's prefix: `sk_test_backlot`. With it, any key of that form is accepted. */
export const KNOWN_KEY = 'backlot'
const KNOWN_DIGEST = createHash('sha256').update(KNOWN_KEY).digest('hex')

/** The stored part of a key: its name and its visible prefix. */
export interface KeptKey {
  readonly name: string
  /** `svc_sim_` and 6 characters. */
  readonly prefix: string
  /** World time of its issue, milliseconds. */
  readonly createdAt: number
}

/** The keys of one simulation: the credentials of its simulated API. Only their SHA-256 is kept. */
export class KeyRing {
  readonly #keys: JournaledMap<KeptKey>
  /** Allowed prefixes of keys. */
  readonly #fronts: readonly string[]
  /**
   * The digest of the latest secret, by the secret: successive requests usually have the same one. A map compares
   * hashes first, so that the time does not reveal how much of a guess is right.
   */
  #latest: ReadonlyMap<string, string> = new Map()
  /** The latest accepted secret, with its key. */
  #admitted: { readonly secret: string; readonly kept: KeptKey } | undefined

  /**
   * @param keys by their SHA-256
   * @param fronts allowed prefixes of keys, as in a provider's keys; the empty one for any key
   */
  constructor(keys: JournaledMap<KeptKey>, fronts: readonly string[] = []) {
    this.#keys = keys
    this.#fronts = fronts
  }

  /** Adds a key. Throws `bad_request` for a key without the form of a simulation key. */
  add(name: string, key: string, at: number): void {
    if (key !== KNOWN_KEY && !/^svc_sim_[A-Za-z0-9_-]{8,200}$/.test(key)) {
      throw badRequest(`Expected \`key\` to be \`${KEY_PREFIX}\` and 8 to 200 of A-Z, a-z, 0-9, _ and -.`)
    }
    const prefix = key.slice(0, KEY_PREFIX.length + SHOWN_CHARACTERS)
    this.#keys.set(this.#digestOf(key), { name, prefix, createdAt: at })
  }

  has(secret: string): boolean {
    const key = this.#bare(secret)
    const own = key.startsWith(KEY_PREFIX) ? this.#keys.get(this.#digestOf(key)) : undefined
    const kept = own ?? (this.#isOfProvider(secret) || key === KNOWN_KEY ? this.#keys.get(KNOWN_DIGEST) : undefined)
    this.#admitted = kept && { secret, kept }
    return kept !== undefined
  }

  /** The visible prefix of an accepted key; undefined for one that an API has created. */
  prefixOf(key: string): string | undefined {
    if (key === this.#admitted?.secret) return this.#admitted.kept.prefix
    return this.#keys.get(this.#digestOf(this.#bare(key)))?.prefix
  }

  /** The keys for their owner. */
  list(): KeptKey[] {
    return [...this.#keys.values()]
  }

  /** Revokes the keys with this prefix. Throws `not_found`. */
  revoke(prefix: string): void {
    const digests = this.#keys.dump().flatMap(([digest, key]) => (key.prefix === prefix ? digest : []))
    if (digests.length === 0) throw notFound(`No key "${prefix.slice(0, 100)}" in this simulation.`)
    for (const digest of digests) this.#keys.delete(digest)
  }

  #isOfProvider(secret: string): boolean {
    return this.#fronts.some((front) => secret.length > front.length && secret.startsWith(front))
  }

  #bare(secret: string): string {
    if (this.#fronts.length === 0) return secret
    const front = this.#fronts.find((one) => secret.startsWith(one)) ?? ''
    return secret.slice(front.length)
  }

  #digestOf(secret: string): string {
    const known = this.#latest.get(secret)
    if (known !== undefined) return known
    const digest = createHash('sha256').update(secret).digest('hex')
    this.#latest = new Map([[secret, digest]])
    return digest
  }
}
