import type { ApiModel, Operation } from '../openapi/model.ts'
import type { ApiRequest } from '../simulated-api/exchange.ts'
import { headerLines } from '../simulated-api/header-lines.ts'
import type { GateAnswer } from './request-gate.ts'

/** Most characters that are kept in all; past it all are forgotten. */
const CAPACITY = 4 * 1024 * 1024

/** Answers longer than this, in characters, are not kept. */
const LONGEST = 64 * 1024

/** What a kept answer costs beside its texts, in characters: its objects, its place in the map. */
const OVERHEAD = 1_024

/** Longer bodies, and those that are not of ASCII alone, are kept as the bytes that go on the wire. */
const LONGEST_TEXT = 4_096

/** An answer, and what of its request it depends on beside the address. */
interface Kept {
  readonly sender: Sender
  readonly answer: GateAnswer
}

/** Who asked, and how. */
type Sender = Pick<ApiRequest, 'ip' | 'origin' | 'headers'>

/**
 * Answers to reads, kept until the data or the settings change: an answer is a function of them and the request alone,
 * and pages and tests that poll ask for the same again and again.
 */
export class ReadMemo {
  readonly #kept = new Map<string, Kept>()
  /** Names of the headers that an answer depends on. */
  readonly #headers: readonly string[]
  #revision = -1
  #characters = 0

  constructor({ securitySchemes }: ApiModel) {
    const keys = [...securitySchemes.values()].flatMap((scheme) => {
      if (scheme.kind !== 'apiKey' || scheme.in === 'query') return []
      return scheme.in === 'cookie' ? 'cookie' : scheme.name.toLowerCase()
    })
    this.#headers = [...new Set(['authorization', 'accept', 'origin', 'if-none-match', ...keys])]
  }

  /** The answer given before to such a request, while the data stands at `revision`. */
  recall(request: ApiRequest, revision: number): GateAnswer | undefined {
    if (request.method !== 'GET' || request.body.length > 0) return undefined
    if (revision !== this.#revision) {
      this.clear()
      this.#revision = revision
    }
    const kept = this.#kept.get(addressOf(request))
    return kept !== undefined && this.#isAlike(kept.sender, request) ? kept.answer : undefined
  }

  /** Keeps the answer to a request that is repeatable; to be called right after {@link ReadMemo.recall} had none. */
  remember(request: ApiRequest, answer: GateAnswer): void {
    const { status, body } = answer.response
    if (status !== 200 || answer.trace.warnings.length > 0) return
    if (typeof body !== 'string' || body.length > LONGEST) return
    if (this.#characters >= CAPACITY) this.clear()
    const { ip, origin, headers } = request
    const address = addressOf(request)
    this.#characters += body.length + address.length + lengthOf(headers) + OVERHEAD
    const bytes = Buffer.byteLength(body)
    const isText = bytes === body.length && bytes <= LONGEST_TEXT
    const lines = headerLines(answer.response, bytes)
    const response = { ...answer.response, lines, body: isText ? body : Buffer.from(body) }
    this.#kept.set(address, { sender: { ip, origin, headers }, answer: { ...answer, response } })
  }

  /** To be called when a setting has changed. */
  clear(): void {
    // To empty a map that is empty allocates a table anew: most changes follow one another without a read between them.
    if (this.#kept.size > 0) this.#kept.clear()
    this.#characters = 0
  }

  /** Whether requests for one address are the same in all that an answer depends on. */
  #isAlike(left: Sender, right: Sender): boolean {
    if (left.origin !== right.origin || left.ip !== right.ip) return false
    if (left.headers === right.headers) return true
    return this.#headers.every((name) => left.headers[name] === right.headers[name])
  }
}

/** Whether the answer to a request depends on nothing but its address, who asks, the data and the settings. */
export function isRepeatable({ effect, parameters }: Operation, { method, headers, body }: ApiRequest): boolean {
  if (method !== 'GET' || (effect.kind !== 'list' && effect.kind !== 'read') || body.length > 0) return false
  if (headers['if-none-match'] !== undefined || headers.origin !== undefined) return false
  for (const parameter of parameters) if (parameter.in === 'header' || parameter.in === 'cookie') return false
  return true
}

function lengthOf(headers: Readonly<Record<string, string>>): number {
  let length = 0
  for (const name in headers) length += name.length + (headers[name] as string).length
  return length
}

/** The path itself where it is all. */
const addressOf = ({ path, query }: ApiRequest): string => (query === '' ? path : `${path}?${query}`)
