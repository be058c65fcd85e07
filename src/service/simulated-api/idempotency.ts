import { hashText } from '../../runtime/random.ts'
import type { Operation } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import { Refusal } from './refusal.ts'

/** Answers that are remembered; the oldest are forgotten first. */
const CAPACITY = 10_000
const HEADERS = ['idempotency-key', 'x-idempotency-key', 'paypal-request-id', 'x-request-idempotency-key']
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

  /** What names a request for repetition; undefined when it carries no key. */
  nameOf(request: ApiRequest, caller: string | null): string | undefined {
    if (!WRITES.has(request.method)) return undefined
    const header = HEADERS.find((name) => request.headers[name])
    return header && `${caller ?? ''} ${request.method} ${request.path} ${request.headers[header]}`
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
    if (this.#answers.size >= CAPACITY) {
      const oldest = this.#answers.keys().next().value
      if (oldest !== undefined) this.#answers.delete(oldest)
    }
    this.#answers.set(name, { fingerprint: fingerprintOf(request), response })
  }

  clear(): void {
    this.#answers.clear()
  }

  dump(): IdempotencyState {
    return [...this.#answers]
  }

  load(state: IdempotencyState): void {
    this.#answers.clear()
    for (const [name, kept] of state) this.#answers.set(name, kept)
  }
}

const fingerprintOf = ({ body, query }: ApiRequest): number =>
  hashText(`${query}\n${Buffer.from(body).toString('latin1')}`)
