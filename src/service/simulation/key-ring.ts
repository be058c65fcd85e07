import { badRequest } from '../../protocol/errors.ts'

/** How every simulation key begins. */
export const KEY_PREFIX = 'svc_sim_'
const SHOWN_CHARACTERS = 6

/** Keys with their names. */
export type IssuedKeys = readonly (readonly [key: string, name: string])[]

/** The keys of one simulation: the credentials of its simulated API. */
export class KeyRing {
  readonly #keys = new Map<string, { name: string; prefix: string }>()

  /** Takes a key in. Throws `bad_request` when it has not the form of a simulation key. */
  add(name: string, key: string): void {
    if (!/^svc_sim_[A-Za-z0-9_-]{8,200}$/.test(key)) {
      throw badRequest(`Expected \`key\` to be \`${KEY_PREFIX}\` and 8 to 200 of A-Z, a-z, 0-9, _ and -.`)
    }
    this.#keys.set(key, { name, prefix: key.slice(0, KEY_PREFIX.length + SHOWN_CHARACTERS) })
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

  dump(): IssuedKeys {
    return [...this.#keys].map(([key, { name }]) => [key, name])
  }

  load(keys: IssuedKeys): void {
    this.#keys.clear()
    for (const [key, name] of keys) this.add(name, key)
  }
}
