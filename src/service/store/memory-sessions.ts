import { MOST_SESSIONS, type SessionLedger, type StoredHold, type StoredSession } from './ledger.ts'

/** Sessions and holds of tests that end with the process. */
export class MemorySessions implements SessionLedger {
  /** By hash, oldest first. */
  readonly #sessions = new Map<string, StoredSession>()
  readonly #holds = new Map<string, StoredHold>()

  async keepSession(session: StoredSession, now: number): Promise<void> {
    this.#sessions.set(session.hash, session)
    for (const { hash, expiresAt } of this.#sessions.values()) {
      if (expiresAt < now || this.#sessions.size > MOST_SESSIONS) this.#sessions.delete(hash)
    }
  }

  async findSession(hash: string): Promise<StoredSession | undefined> {
    return this.#sessions.get(hash)
  }

  async removeSession(hash: string): Promise<boolean> {
    return this.#sessions.delete(hash)
  }

  async keepHold(simulation: string, hold: StoredHold): Promise<void> {
    this.#holds.set(simulation, hold)
  }

  async extendHold(simulation: string, until: number): Promise<void> {
    const hold = this.#holds.get(simulation)
    if (hold !== undefined) this.#holds.set(simulation, { ...hold, until })
  }

  async findHold(simulation: string): Promise<StoredHold | undefined> {
    return this.#holds.get(simulation)
  }

  async removeHold(simulation: string): Promise<void> {
    this.#holds.delete(simulation)
  }
}
