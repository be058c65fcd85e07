import { createHash } from 'node:crypto'
import { hashText } from '../../runtime/random.ts'
import type { Operation } from '../openapi/model.ts'
import { JournaledMap } from '../world/journaled-map.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import { Refusal } from './refusal.ts'
import type { RequestContext } from './request-context.ts'

/** Most cached answers; the oldest are dropped first. */
const MOST_ANSWERS = 10_000
/** Most characters of all cached answers. The latest is kept whatever its size. */
const MOST_SIZE = 32 * 1024 * 1024
/** Most characters of a key that is for one path. */
const LONGEST_KEY = 255
/** How long a key repeats its answer, by the simulation's clock. */
const LIFE_MS = 24 * 60 * 60 * 1000
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A cached answer. Plain JSON: bytes are kept as base64. */
export interface RememberedAnswer {
  readonly fingerprint: number
  /** Where it was asked, with a key for all paths. */
  readonly path?: string
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly body: string | null
  readonly isBase64?: true
  readonly at?: number
}

/** A request, and when it came. */
type Asked = Pick<RequestContext, 'request' | 'at'>

/** Answers to requests with an idempotency key. */
export class IdempotencyKeys {
  readonly #answers: JournaledMap<RememberedAnswer>
  readonly #isForAll: boolean
  #size = 0
  /** The revision of the answers for `#size`. */
  #sizedAt = -1

  /**
   * @param answers by the name of their request
   * @param isForAll whether a key may be used at one path alone: at another it is refused
   */
  constructor(answers: JournaledMap<RememberedAnswer> = new JournaledMap(), isForAll = false) {
    this.#answers = answers
    this.#isForAll = isForAll
  }

  /** The name of a request for repetition: a hash, since it includes the caller's key. Undefined without a key. */
  nameOf(request: ApiRequest, caller: string | null): string | undefined {
    if (!WRITES.has(request.method)) return undefined
    const { headers } = request
    const key =
      headers['idempotency-key'] ||
      headers['x-idempotency-key'] ||
      headers['paypal-request-id'] ||
      headers['x-request-idempotency-key']
    if (this.#isForAll && key !== undefined && key.length > LONGEST_KEY) {
      const message = `Expected an idempotency key of at most ${LONGEST_KEY} characters, got ${key.length}.`
      const facts = { fault: 'value', length: key.length }
      throw new Refusal(400, 'idempotency_key_reused', message, undefined, { facts })
    }
    return key ? this.nameWith(key, request, caller) : undefined
  }

  nameWith(key: string, { method, path }: ApiRequest, caller: string | null): string {
    return createHash('sha256')
      .update([caller ?? '', ...(this.#isForAll ? [] : [method, path]), key].join('\u0000'))
      .digest('base64url')
  }

  /** The earlier answer of the last day. Refuses a key with another body: 409 or 422, as declared. */
  recall(name: string, { request, at }: Asked, operation: Operation): ApiResponse | undefined {
    const known = this.#answers.get(name)
    if (known === undefined || at - (known.at ?? at) > LIFE_MS) return undefined
    const isElsewhere = known.path !== undefined && known.path !== request.path
    if (isElsewhere || known.fingerprint !== fingerprintOf(request)) {
      const status = operation.responses.has('409') ? 409 : 422
      throw new Refusal(
        status,
        'idempotency_key_reused',
        `Expected the request to be the one that this idempotency key was first sent with, got another ${isElsewhere ? 'path' : 'body'}.`,
        undefined,
        isElsewhere ? { facts: { fault: 'path', first: known.path } } : undefined,
      )
    }
    return toResponse(known)
  }

  remember(name: string, { request, at }: Asked, { status, headers, body }: ApiResponse): void {
    const isText = typeof body === 'string' || body === null
    const text = isText ? body : Buffer.from(body).toString('base64')
    const path = this.#isForAll && { path: request.path }
    const answer = { fingerprint: fingerprintOf(request), ...path, status, headers, body: text, at }
    const size = this.#countSize() - sizeOf(name, this.#answers.get(name))
    this.#answers.set(name, isText ? answer : { ...answer, isBase64: true })
    this.#size = size + sizeOf(name, this.#answers.get(name))
    this.#forgetOldest(name)
    this.#sizedAt = this.#answers.revision
  }

  #forgetOldest(latest: string): void {
    for (const oldest of this.#answers.names()) {
      if (oldest === latest || (this.#answers.size <= MOST_ANSWERS && this.#size <= MOST_SIZE)) return
      this.#size -= sizeOf(oldest, this.#answers.get(oldest))
      this.#answers.delete(oldest)
    }
  }

  /** Counted again after a restore or an external change. */
  #countSize(): number {
    if (this.#sizedAt === this.#answers.revision) return this.#size
    let size = 0
    for (const [name, answer] of this.#answers.dump()) size += sizeOf(name, answer)
    return size
  }
}

const toResponse = ({ status, headers, body, isBase64 }: RememberedAnswer): ApiResponse => ({
  status,
  headers,
  body: isBase64 && body !== null ? Buffer.from(body, 'base64') : body,
})

function sizeOf(name: string, answer: RememberedAnswer | undefined): number {
  return answer === undefined ? 0 : name.length + (answer.body?.length ?? 0)
}

const fingerprintOf = ({ body, query }: ApiRequest): number =>
  hashText(`${query}\n${Buffer.from(body).toString('latin1')}`)
