import { LIMITS } from '../../../protocol/limits.ts'
import { toLoggedBody } from '../../../protocol/logged-message.ts'
import type { LoggedMessage } from '../../../protocol/reads.ts'

/** Place of a body's beginning in a {@link BodyStore}. */
export interface StoredBody {
  /** Number of bytes stored before it. */
  readonly at: number
  /** Number of its stored bytes. */
  readonly stored: number
  /** Length of the whole body, in bytes. */
  readonly bytes: number
}

const MOST = LIMITS.loggedBodyBytes
const CHUNK = 16 * MOST
const LONGEST_CHARACTER = 4
const CHUNKS = LIMITS.loggedBodiesBytes / CHUNK

/**
 * The beginnings of the latest bodies of one simulation, 8 MiB of them. A copy costs less than a reference: texts that
 * outlive their request must be moved during garbage collection (`decisions/request-log.md`).
 */
export class BodyStore {
  /** Made at first use, then overwritten in turn. */
  readonly #chunks: Buffer[] = []
  /** Number of bytes stored so far. */
  #end = 0

  /** Memory, in bytes. */
  get size(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, 0)
  }

  /** Stores the first 16 KiB; null without a body. */
  add(body: string | Uint8Array | null): StoredBody | null {
    if (body === null || body.length === 0) return null
    const left = CHUNK - (this.#end % CHUNK)
    if (left < MOST) this.#end += left
    const at = this.#end
    const chunk = this.#chunkAt(at)
    const stored = typeof body === 'string' ? chunk.write(body, at % CHUNK, MOST) : copy(body, chunk, at % CHUNK)
    this.#end += stored
    return { at, stored, bytes: stored < MOST - LONGEST_CHARACTER ? stored : Buffer.byteLength(body) }
  }

  /** The body for the log. */
  show(body: StoredBody | null): Omit<LoggedMessage, 'headers'> {
    return body === null ? toLoggedBody(NO_BYTES, 0) : toLoggedBody(this.#read(body), body.bytes)
  }

  /** Empty where later bodies have overwritten it. */
  #read({ at, stored }: StoredBody): Uint8Array {
    const first = (Math.floor(this.#end / CHUNK) - CHUNKS + 1) * CHUNK
    if (at < first) return NO_BYTES
    return this.#chunkAt(at).subarray(at % CHUNK, (at % CHUNK) + stored)
  }

  #chunkAt(at: number): Buffer {
    const place = Math.floor(at / CHUNK) % CHUNKS
    this.#chunks[place] ??= Buffer.allocUnsafeSlow(CHUNK)
    return this.#chunks[place]
  }
}

function copy(body: Uint8Array, to: Buffer, start: number): number {
  const beginning = body.length > MOST ? body.subarray(0, MOST) : body
  to.set(beginning, start)
  return beginning.length
}

const NO_BYTES = new Uint8Array(0)
