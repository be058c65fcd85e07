import { createHash } from 'node:crypto'
import type { Runtime } from '../../runtime/runtime.ts'

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3_600
/** Sessions that are open at a time: the latest. */
const MOST_SESSIONS = 1_000
const WINDOW_MS = 60_000
/** Wrong codes and keys of one address within a minute. */
const MOST_GUESSES = 10
/** Addresses whose guesses are counted. */
const MOST_ADDRESSES = 10_000

interface Session {
  /** The account key that the session has the rights of. It ends with that key. */
  readonly key: string
  readonly expiresAt: number
}

/** Who is signed in to the dashboard. */
export class Sessions {
  readonly #runtime: Pick<Runtime, 'clock' | 'secret'>
  /** By the SHA-256 of the token, the oldest first. */
  readonly #sessions = new Map<string, Session>()
  readonly #guesses = new Map<string, { count: number; since: number }>()

  constructor(runtime: Pick<Runtime, 'clock' | 'secret'>) {
    this.#runtime = runtime
  }

  /** Opens a session; returns its token of 256 bits, which is not kept. */
  open(key: string): string {
    const token = this.#runtime.secret(32)
    this.#sessions.set(hashOf(token), { key, expiresAt: this.#now() + SESSION_SECONDS * 1_000 })
    dropOldest(this.#sessions, MOST_SESSIONS)
    return token
  }

  /** The account key of a session; undefined where there is none any more. */
  find(token: string): string | undefined {
    const session = this.#sessions.get(hashOf(token))
    return session !== undefined && this.#now() < session.expiresAt ? session.key : undefined
  }

  close(token: string): void {
    this.#sessions.delete(hashOf(token))
  }

  /** Whether an address has guessed so often within a minute that it has to wait. */
  mustWait(ip: string): boolean {
    const guesses = this.#guesses.get(ip)
    return guesses !== undefined && this.#now() - guesses.since < WINDOW_MS && guesses.count >= MOST_GUESSES
  }

  noteWrongGuess(ip: string): void {
    const guesses = this.#guesses.get(ip)
    if (guesses !== undefined && this.#now() - guesses.since < WINDOW_MS) guesses.count++
    else this.#guesses.set(ip, { count: 1, since: this.#now() })
    dropOldest(this.#guesses, MOST_ADDRESSES)
  }

  #now(): number {
    return this.#runtime.clock.monotonic()
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) break
    map.delete(oldest)
  }
}

/** Tokens are long and random, so that a fast hash is enough. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')
