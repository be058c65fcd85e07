import { hashText } from '../../runtime/random.ts'
import type { Operation } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import { Refusal } from './refusal.ts'

/** Answers that are remembered; the oldest are forgotten first. */
const MOST_ANSWERS = 10_000
/** Size of all of them, in characters of text or bytes. The latest is remembered whatever its size. */
const MOST_SIZE = 32 * 1024 * 1024
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Answers that are remembered, by the name of their request. Plain JSON. */
export type IdempotencyState = readonly (readonly [name: string, kept: KeptAnswer])[]

interface KeptAnswer {
  readonly fingerprint: number
  readonly response: ApiResponse
}

/** Answers to requests that carried an idempotency key. */
export class IdempotencyKeys {
  readonly #answers = new Map<string, KeptAnswer>()
  #size = 0

  /** What names a request for repetition; undefined when it carries no key. */
  nameOf(request: ApiRequest, caller: string | null): string | undefined {
    if (!WRITES.has(request.method)) return undefined
    const { headers } = request
    const key =
      headers['idempotency-key'] ||
      headers['x-idempotency-key'] ||
      headers['paypal-request-id'] ||
      headers['x-request-idempotency-key']
    return key ? `${caller ?? ''} ${request.method} ${request.path} ${key}` : undefined
  }

  /** The answer given before. Refuses a key that came with another body: 409 or 422, as the operation declares. */
  recall(name: string, request: ApiRequest, operation: Operation): ApiResponse | undefined {
    const known = this.#answers.get(name)
    if (known === undefined) return undefined
    if (known.fingerprint !== fingerprintOf(request)) {
      const status = operation.responses.has('409') ? 409 : 422
      throw new Refusal(
        status,
        'idempotency_key_reused',
        'Expected the request to be the one that this idempotency key was first sent with, got another body.',
      )
    }
    return known.response
  }

  remember(name: string, request: ApiRequest, response: ApiResponse): void {
    this.#forget(name)
    this.#keep(name, { fingerprint: fingerprintOf(request), response })
    for (const [oldest] of this.#answers) {
      if (oldest === name || (this.#answers.size <= MOST_ANSWERS && this.#size <= MOST_SIZE)) return
      this.#forget(oldest)
    }
  }

  clear(): void {
    this.#answers.clear()
    this.#size = 0
  }

  dump(): IdempotencyState {
    return [...this.#answers]
  }

  load(state: IdempotencyState): void {
    this.clear()
    for (const [name, kept] of state) this.#keep(name, kept)
  }

  #keep(name: string, kept: KeptAnswer): void {
    this.#answers.set(name, kept)
    this.#size += sizeOf(name, kept)
  }

  #forget(name: string): void {
    const kept = this.#answers.get(name)
    if (kept === undefined) return
    this.#answers.delete(name)
    this.#size -= sizeOf(name, kept)
  }
}

const sizeOf = (name: string, { response: { body } }: KeptAnswer): number => name.length + (body?.length ?? 0)

const fingerprintOf = ({ body, query }: ApiRequest): number =>
  hashText(`${query}\n${Buffer.from(body).toString('latin1')}`)
