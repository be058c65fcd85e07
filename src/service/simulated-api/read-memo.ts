import type { Operation } from '../openapi/model.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'

/** Most characters of bodies that are kept in all; past it all are forgotten. */
const CAPACITY = 4 * 1024 * 1024

/** Answers longer than this, in characters, are not kept. */
const LONGEST = 64 * 1024

/** What a kept answer costs beside its body, in characters: its name, its headers, its place in the map. */
const OVERHEAD = 1_024

/**
 * Answers to reads, kept until the data changes: what is shown is a function of the request and the data alone, and pages
 * and tests that poll ask for the same again and again.
 */
export class ReadMemo {
  readonly #answers = new Map<string, ApiResponse>()
  #revision = -1
  #characters = 0

  /** What names a read for repetition; undefined for a request whose answer depends on more than its address. */
  nameOf({ effect, parameters }: Operation, request: ApiRequest, key: string | null | undefined): string | undefined {
    const { method, path, query, headers, origin, body } = request
    if (method !== 'GET' || (effect.kind !== 'list' && effect.kind !== 'read') || body.length > 0) return undefined
    if (headers['if-none-match'] !== undefined || headers.origin !== undefined) return undefined
    for (const parameter of parameters) if (parameter.in === 'header' || parameter.in === 'cookie') return undefined
    return `${path}?${query}\n${origin}\n${headers.accept ?? ''}\n${key ?? ''}`
  }

  /** The answer given before to a read of that name, while the data stands at `revision`. */
  recall(name: string, revision: number): ApiResponse | undefined {
    if (revision !== this.#revision) {
      this.#clear()
      this.#revision = revision
    }
    return this.#answers.get(name)
  }

  /** Keeps an answer; to be called right after {@link ReadMemo.recall} had none. */
  remember(name: string, response: ApiResponse): void {
    if (response.status !== 200 || typeof response.body !== 'string' || response.body.length > LONGEST) return
    if (this.#characters >= CAPACITY) this.#clear()
    this.#characters += response.body.length + OVERHEAD
    this.#answers.set(name, response)
  }

  #clear(): void {
    // To empty a map that is empty allocates a table anew: most changes follow one another without a read between them.
    if (this.#answers.size > 0) this.#answers.clear()
    this.#characters = 0
  }
}
