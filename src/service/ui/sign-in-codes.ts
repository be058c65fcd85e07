import type { Runtime } from '../../runtime/runtime.ts'
import type { SessionLedger } from '../store/ledger.ts'
import { hashOf, seal, unseal } from './sessions.ts'

const LIFETIME_MS = 10 * 60_000

/** Codes for one sign-in to the dashboard within ten minutes, at every node of a store. */
export class SignInCodes {
  readonly #runtime: Pick<Runtime, 'clock' | 'secret'>
  readonly #ledger: SessionLedger
  /** Resolves when the latest code is stored. */
  #keeping: Promise<unknown> = Promise.resolve()

  constructor(runtime: Pick<Runtime, 'clock' | 'secret'>, ledger: SessionLedger) {
    this.#runtime = runtime
    this.#ledger = ledger
  }

  /** A new code of 128 bits, with the rights of an account key. It is valid after `kept`. */
  issue(key: string): { readonly code: string; readonly kept: Promise<void> } {
    const code = this.#runtime.secret(16)
    const now = this.#runtime.clock.now()
    const session = { hash: hashOf('code', code), sealedKey: seal('code', key, code), expiresAt: now + LIFETIME_MS }
    const kept = this.#ledger.keepSession(session, now)
    this.#keeping = Promise.allSettled([this.#keeping, kept])
    return { code, kept }
  }

  /** The account key of a code; undefined for a wrong, expired or used one. */
  async take(code: string): Promise<string | undefined> {
    await this.#keeping
    const hash = hashOf('code', code)
    const found = await this.#ledger.findSession(hash)
    if (found === undefined || !(await this.#ledger.removeSession(hash))) return undefined
    return this.#runtime.clock.now() < found.expiresAt ? unseal('code', found.sealedKey, code) : undefined
  }
}
