import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { ApiError } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { SessionLedger } from '../store/ledger.ts'
import { StoreFull, StoreUnavailable } from '../store/store.ts'

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3_600

/** The sessions of the dashboard. Stored data is useless without a session's token. */
export class Sessions {
  readonly #runtime: Runtime
  readonly #ledger: SessionLedger

  constructor(runtime: Runtime, ledger: SessionLedger) {
    this.#runtime = runtime
    this.#ledger = ledger
  }

  /**
   * Opens a session with the rights of an account key, which ends with the key; returns its token of 256 bits, which is
   * not stored.
   */
  async open(key: string): Promise<string> {
    const token = this.#runtime.secret(32)
    const now = this.#runtime.clock.now()
    const session = {
      hash: hashOf('session', token),
      sealedKey: seal('session', key, token),
      expiresAt: now + SESSION_SECONDS * 1_000,
    }
    await this.#ledger.keepSession(session, now).catch(refuse)
    return token
  }

  /** The account key of a session; undefined for an ended one. */
  async find(token: string): Promise<string | undefined> {
    const session = await this.#ask(() => this.#ledger.findSession(hashOf('session', token)))
    if (session === undefined || this.#runtime.clock.now() >= session.expiresAt) return undefined
    return unseal('session', session.sealedKey, token)
  }

  async close(token: string): Promise<void> {
    await this.#ask(() => this.#ledger.removeSession(hashOf('session', token)))
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    return askPatiently(this.#runtime, ask).catch(refuse)
  }
}

function refuse(cause: unknown): never {
  if (cause instanceof StoreFull) {
    const message = "Failed to keep the session: the service's store has no room. Make room on its disk."
    throw new ApiError(507, 'insufficient_storage', message, { cause })
  }
  if (!(cause instanceof StoreUnavailable)) throw cause
  const message = 'Failed to look the session up: the store of the service gives no answer. Try again in a second.'
  throw new ApiError(503, 'unavailable', message, { retryAfterSeconds: 1, cause: 'its store gives no answer' })
}

/** The purpose of a stored account key: each has its own hashes and ciphers, so that a code is not a token. */
type Purpose = 'session' | 'code'

/** The look-up hash of a secret. Secrets are long and random, so that a fast hash is enough. */
export const hashOf = (purpose: Purpose, secret: string): string =>
  createHmac('sha256', `backlot ${purpose}`).update(secret).digest('hex')

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Each secret encrypts only one text, so that the nonce may be constant. */
const NO_NONCE = Buffer.alloc(12)

export function seal(purpose: Purpose, accountKey: string, secret: string): string {
  const cipher = createCipheriv(CIPHER, sealingKey(purpose, secret), NO_NONCE)
  const sealed = Buffer.concat([cipher.update(accountKey, 'utf8'), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts the result of `seal`. */
export function unseal(purpose: Purpose, sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(CIPHER, sealingKey(purpose, secret), NO_NONCE, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(0, TAG_BYTES))
  return decipher.update(bytes.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** The stored hash must not reveal it. */
const sealingKey = (purpose: Purpose, secret: string): Buffer =>
  createHmac('sha256', `backlot ${purpose} key`).update(secret).digest()
