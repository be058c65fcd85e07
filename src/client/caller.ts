import { ApiError } from '../protocol/errors.ts'
import type { ManagementAnswer } from '../protocol/management-exchange.ts'
import { type Call, type Sender, send } from './send.ts'

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

/** Calls with JSON in and out. Each rejects with the service's {@link ApiError}. */
export class Caller {
  readonly #sender: Sender

  constructor(sender: Sender) {
    this.#sender = sender
  }

  get baseUrl(): string {
    return this.#sender.baseUrl
  }

  get<T>(path: string, what: string, options: CallOptions = {}): Promise<T> {
    return this.json({ method: 'GET', path, what, ...options })
  }

  post<T>(path: string, body: unknown, what: string, options: CallOptions & Pick<Call, 'repeatable'> = {}): Promise<T> {
    return this.json({ method: 'POST', path, body, what, ...options })
  }

  put<T>(path: string, body: unknown, what: string): Promise<T> {
    return this.json({ method: 'PUT', path, body, what })
  }

  /** Resolves with false when there was nothing to delete any more. */
  async delete(path: string, what: string, options: CallOptions = {}): Promise<boolean> {
    try {
      await this.send({ method: 'DELETE', path, what, ...options })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }

  async json<T>(call: Call): Promise<T> {
    const { body: text } = await this.send(call)
    if (typeof text !== 'string' || text === '') return undefined as T
    try {
      return JSON.parse(text) as T
    } catch (cause) {
      const shown = JSON.stringify(text.trim().slice(0, 80))
      throw new Error(
        `Failed to ${call.what}: the answer of ${this.baseUrl}${call.path} is no JSON but ${shown}. Check that BACKLOT_URL (or \`service.baseUrl\`) is the address of a simulation service.`,
        { cause },
      )
    }
  }

  send(call: Call): Promise<ManagementAnswer> {
    return send(this.#sender, call)
  }
}
