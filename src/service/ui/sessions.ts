import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { ApiError } from '../../protocol/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { askPatiently } from '../store/ask-patiently.ts'
import type { AccountLedger } from '../store/ledger.ts'
import { StoreFull, StoreUnavailable } from '../store/store.ts'

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3_600

/** Who is signed in to the dashboard. What is kept gives nothing to whoever reads it without a session's token. */
export class Sessions {
  readonly #runtime: Runtime
  readonly #ledger: AccountLedger

  constructor(runtime: Runtime, ledger: AccountLedger) {
    this.#runtime = runtime
    this.#ledger = ledger
  }

  /** Opens a session with the rights of an account key, and ends with it; returns its token of 256 bits, which is not kept. */
  async open(key: string): Promise<string> {
    const token = this.#runtime.secret(32)
    const now = this.#runtime.clock.now()
    const session = { hash: hashOf(token), sealedKey: seal(key, token), expiresAt: now + SESSION_SECONDS * 1_000 }
    await this.#ledger.keepSession(session, now).catch(refuse)
    return token
  }

  /** The account key of a session; undefined where there is none any more. */
  async find(token: string): Promise<string | undefined> {
    const session = await this.#ask(() => this.#ledger.findSession(hashOf(token)))
    if (session === undefined || this.#runtime.clock.now() >= session.expiresAt) return undefined
    return unseal(session.sealedKey, token)
  }

  async close(token: string): Promise<void> {
    await this.#ask(() => this.#ledger.removeSession(hashOf(token)))
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

/** Tokens are long and random, so that a fast hash is enough. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Each token encrypts one text, so that nothing has to tell two apart. */
const NO_NONCE = Buffer.alloc(12)

function seal(text: string, token: string): string {
  const cipher = createCipheriv(CIPHER, sealingKey(token), NO_NONCE)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), sealed]).toString('base64')
}

function unseal(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(CIPHER, sealingKey(token), NO_NONCE, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(0, TAG_BYTES))
  return decipher.update(bytes.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** The hash that is kept must not lead to it. */
const sealingKey = (token: string): Buffer => createHash('sha256').update(`backlot session ${token}`).digest()
