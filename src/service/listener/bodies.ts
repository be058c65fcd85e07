import type { IncomingMessage, ServerResponse } from 'node:http'

export type ReadBody = Uint8Array | 'too-large' | 'refused' | 'no-room'

/** Checks the bytes of a body while they arrive. */
export interface ByteTest {
  /** False to stop reading the body. */
  take(bytes: Uint8Array): boolean
}

/** Whether a request announces a body (RFC 9112, 6.3). */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** The bodies of open requests: their total size is bounded. */
export class Bodies {
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /**
   * Reads the body of a request, of at most `maxBytes`. It holds its room until the response is closed. `done` is
   * called once; never when the client disconnects first, or after `stop`.
   */
  read(
    { request, response }: { request: IncomingMessage; response: ServerResponse },
    bounds: { readonly maxBytes: number; readonly extent?: ByteTest },
    done: (body: ReadBody) => void,
  ): BodyReading {
    const reading = new BodyReading(request, this, bounds, done)
    response.once('close', () => reading.release(response.writableEnded))
    return reading
  }

  /** Reserves room. False where there is too little. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}

class BodyReading {
  readonly #request: IncomingMessage
  readonly #bodies: Bodies
  readonly #bounds: { readonly maxBytes: number; readonly extent?: ByteTest }
  readonly #done: (body: ReadBody) => void
  /** The bytes so far, with room for more. */
  #buffer = NO_BYTES
  #length = 0
  /** Whether the buffer owns its memory. */
  #isOwn = false
  /** Reserved room. */
  #taken = 0
  /** Largest size of the body. */
  readonly #most: number
  isOver = false

  constructor(
    request: IncomingMessage,
    bodies: Bodies,
    bounds: { readonly maxBytes: number; readonly extent?: ByteTest },
    done: (body: ReadBody) => void,
  ) {
    this.#request = request
    this.#bodies = bodies
    this.#bounds = bounds
    this.#done = done
    const announced = Number(request.headers['content-length'] ?? bounds.maxBytes)
    this.#most = Math.min(announced, bounds.maxBytes)
    if (announced > bounds.maxBytes) {
      // Node discards what arrives after the answer: a client that waits for `100 Continue` gets none.
      this.isOver = true
      done('too-large')
      return
    }
    request.on('data', this.#onData)
    request.on('end', this.#onEnd)
  }

  /** Stops reading, and discards the bytes. */
  stop(): void {
    this.isOver = true
    this.#request.off('data', this.#onData)
    this.#request.off('end', this.#onEnd)
    this.release()
    // Later bytes are read and discarded, so that the client receives the answer.
    this.#request.resume()
  }

  /** Releases the room. @param isAnswered the body is not read again: its memory is also freed at once */
  release(isAnswered = false): void {
    this.#bodies.giveBack(this.#taken)
    this.#taken = 0
    if (isAnswered && this.#isOwn) (this.#buffer.buffer as ArrayBuffer).transfer(0)
    this.#buffer = NO_BYTES
    this.#isOwn = false
  }

  readonly #onData = (chunk: Buffer): void => {
    const length = this.#length + chunk.length
    if (length > this.#bounds.maxBytes) this.#end('too-large')
    else if (this.#bounds.extent?.take(chunk) === false) this.#end('refused')
    else if (!this.#add(chunk, length)) this.#end('no-room')
  }

  readonly #onEnd = (): void => {
    this.isOver = true
    this.#done(this.#buffer.subarray(0, this.#length))
  }

  #end(fault: Exclude<ReadBody, Uint8Array>): void {
    this.stop()
    this.#done(fault)
  }

  /**
   * Keeps the first chunk uncopied. Further chunks are copied together: a chunk of one byte would take hundreds on its
   * own. An outgrown buffer is freed at once, not by garbage collection.
   */
  #add(chunk: Buffer, length: number): boolean {
    if (length > this.#buffer.length) {
      const capacity = this.#length === 0 ? length : Math.min(2 * length, this.#most)
      if (!this.#bodies.take(capacity - this.#taken)) return false
      this.#taken = capacity
      if (this.#length === 0) this.#buffer = chunk
      else if (this.#isOwn) this.#buffer = Buffer.from((this.#buffer.buffer as ArrayBuffer).transfer(capacity))
      else {
        const grown = Buffer.allocUnsafeSlow(capacity)
        grown.set(this.#buffer.subarray(0, this.#length))
        this.#buffer = grown
        this.#isOwn = true
      }
    }
    if (this.#buffer !== chunk) this.#buffer.set(chunk, this.#length)
    this.#length = length
    return true
  }
}

const NO_BYTES: Buffer = Buffer.alloc(0)
