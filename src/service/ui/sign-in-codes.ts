import { createHash } from 'node:crypto'
import type { Runtime } from '../../runtime/runtime.ts'

const LIFETIME_MS = 10 * 60_000
/** Codes that are good at a time: the latest. */
const MOST_CODES = 100

/** Codes that sign in to the dashboard, once each and within ten minutes. */
export class SignInCodes {
  readonly #runtime: Pick<Runtime, 'clock' | 'secret'>
  /** By the SHA-256 of the code, the oldest first. */
  readonly #codes = new Map<string, { readonly key: string; readonly expiresAt: number }>()

  constructor(runtime: Pick<Runtime, 'clock' | 'secret'>) {
    this.#runtime = runtime
  }

  /** A new code of 128 bits, with the rights of an account key. */
  issue(key: string): string {
    const code = this.#runtime.secret(16)
    this.#codes.set(hashOf(code), { key, expiresAt: this.#runtime.clock.monotonic() + LIFETIME_MS })
    for (const oldest of this.#codes.keys()) {
      if (this.#codes.size <= MOST_CODES) break
      this.#codes.delete(oldest)
    }
    return code
  }

  /** The account key that a code stands for; undefined for one that is wrong, old or used. */
  take(code: string): string | undefined {
    const hash = hashOf(code)
    const found = this.#codes.get(hash)
    this.#codes.delete(hash)
    return found !== undefined && this.#runtime.clock.monotonic() < found.expiresAt ? found.key : undefined
  }
}

/** Codes are long and random, so that a fast hash is enough. */
const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url')
