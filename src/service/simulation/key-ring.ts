import { badRequest } from '../../protocol/errors.ts'

const PREFIX = 'svc_sim_'
const SHOWN_CHARACTERS = 6

/** The keys of one simulation: the credentials of its simulated API. */
export class KeyRing {
  readonly #keys = new Map<string, { name: string; prefix: string }>()
  readonly #secret: (bytes: number) => string

  constructor(secret: (bytes: number) => string) {
    this.#secret = secret
  }

  /** Issues a key under `name`, or adopts `key`. Throws `bad_request` when that has not the form of a simulation key. */
  issue(name: string, key = `${PREFIX}${this.#secret(16)}`): string {
    if (!/^svc_sim_[A-Za-z0-9_-]{8,200}$/.test(key)) {
      throw badRequest('Expected `key` to be `svc_sim_` and 8 to 200 of A-Z, a-z, 0-9, _ and -.')
    }
    this.#keys.set(key, { name, prefix: key.slice(0, PREFIX.length + SHOWN_CHARACTERS) })
    return key
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  /** What may be shown of a key: `svc_sim_` and 6 characters. */
  prefixOf(key: string): string | undefined {
    return this.#keys.get(key)?.prefix
  }

  prefixes(): string[] {
    return [...this.#keys.values()].map(({ prefix }) => prefix)
  }
}
