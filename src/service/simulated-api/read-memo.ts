import type { Operation } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'

/** Most characters of bodies that are kept in all; past it all are forgotten. */
const CAPACITY = 4 * 1024 * 1024

/** Answers longer than this, in characters, are not kept. */
const LONGEST = 64 * 1024

/** What a kept answer costs beside its body, in characters: its name, its headers, its place in the map. */
const OVERHEAD = 1_024

/** An answer, and what of its request it depends on beside the address. */
interface Kept {
  readonly origin: string
  readonly accept: string | undefined
  readonly key: string | null
  readonly response: ApiResponse
}

/**
 * Answers to reads, kept until the data changes: what is shown is a function of the request and the data alone, and pages
 * and tests that poll ask for the same again and again.
 */
export class ReadMemo {
  readonly #kept = new Map<string, Kept>()
  #revision = -1
  #characters = 0

  /** Whether the answer to a request depends on nothing but its address, who asks, and the data. */
  covers({ effect, parameters }: Operation, { method, headers, body }: ApiRequest): boolean {
    if (method !== 'GET' || (effect.kind !== 'list' && effect.kind !== 'read') || body.length > 0) return false
    if (headers['if-none-match'] !== undefined || headers.origin !== undefined) return false
    for (const parameter of parameters) if (parameter.in === 'header' || parameter.in === 'cookie') return false
    return true
  }

  /** The answer given before to such a request, while the data stands at `revision`. */
  recall(request: ApiRequest, key: string | null, revision: number): ApiResponse | undefined {
    if (revision !== this.#revision) {
      this.#clear()
      this.#revision = revision
    }
    const kept = this.#kept.get(addressOf(request))
    if (kept === undefined || kept.origin !== request.origin || kept.key !== key) return undefined
    return kept.accept === request.headers.accept ? kept.response : undefined
  }

  /** Keeps an answer; to be called right after {@link ReadMemo.recall} had none. */
  remember(request: ApiRequest, key: string | null, response: ApiResponse): void {
    if (response.status !== 200 || typeof response.body !== 'string' || response.body.length > LONGEST) return
    if (this.#characters >= CAPACITY) this.#clear()
    this.#characters += response.body.length + OVERHEAD
    const { origin, headers } = request
    this.#kept.set(addressOf(request), { origin, accept: headers.accept, key, response })
  }

  #clear(): void {
    // To empty a map that is empty allocates a table anew: most changes follow one another without a read between them.
    if (this.#kept.size > 0) this.#kept.clear()
    this.#characters = 0
  }
}

/** The path itself where it is all: its hash was computed when it was routed. */
const addressOf = ({ path, query }: ApiRequest): string => (query === '' ? path : `${path}?${query}`)
