import type { LentBody } from '../exchange.ts'

/** Bodies are put together in memory of this size, one after the other. */
const SIZE = 64 * 1024
/** Most buffers that wait for the next body: the answers of one turn fill two. */
const MOST_FREE = 2

/** Memory that bodies are written to. */
export class BodyBuffer {
  readonly bytes: Buffer
  /** Bytes that are taken. */
  taken = 0
  #lent = 0
  readonly #onFree: (buffer: BodyBuffer) => void

  constructor(size: number, onFree: (buffer: BodyBuffer) => void) {
    this.bytes = Buffer.allocUnsafeSlow(size)
    this.#onFree = onFree
  }

  /** The bytes up to `end` that were not taken before: a body, until it is given back. */
  lend(end: number): LentBody {
    const body = this.bytes.subarray(this.taken, end)
    this.taken = end
    this.#lent++
    return { body, giveBack: this.#giveBack }
  }

  /** Takes a body back. When all are back they are written over; where one never comes back, the buffer is left to the collector. */
  readonly #giveBack = (): void => {
    if (--this.#lent > 0) return
    this.taken = 0
    this.#onFree(this)
  }
}

/**
 * The buffers of one simulation. Memory outside of V8's heap that each answer left to the collector would make it run all the time: it counts as
 * much as old objects (`decisions/cost-of-a-request.md`).
 */
export class BodyBuffers {
  readonly #free: BodyBuffer[] = []
  #current: BodyBuffer | undefined

  /** A buffer in which so many bytes are free. */
  withFree(length: number): BodyBuffer {
    const current = this.#current
    if (current !== undefined && current.bytes.length - current.taken >= length) return current
    if (length > SIZE) return new BodyBuffer(length, () => {})
    this.#current = this.#free.pop() ?? new BodyBuffer(SIZE, this.#onFree)
    return this.#current
  }

  readonly #onFree = (buffer: BodyBuffer): void => {
    if (buffer !== this.#current && this.#free.length < MOST_FREE) this.#free.push(buffer)
  }
}
