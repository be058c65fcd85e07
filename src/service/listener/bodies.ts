import type { IncomingMessage, ServerResponse } from 'node:http'

/** What reading a body comes to. */
export type ReadBody = Uint8Array | 'too-large' | 'refused' | 'no-room'

/** Looks at the bytes of a body while they arrive. */
export interface ByteTest {
  /** False where the body is not wanted any more. */
  take(bytes: Uint8Array): boolean
}

/** Whether a request announces a body (RFC 9112, 6.3). */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** The bodies of requests that are not answered yet: all of them together take a bounded number of bytes. */
export class Bodies {
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /**
   * Reads the body of a request, of at most `maxBytes`. It holds its room until the response is closed. `done` is
   * called once; not at all when the client leaves before the end, or the reading is stopped.
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

  /** Takes room. False where there is too little. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** One body while it arrives. */
class BodyReading {
  readonly #request: IncomingMessage
  readonly #bodies: Bodies
  readonly #bounds: { readonly maxBytes: number; readonly extent?: ByteTest }
  readonly #done: (body: ReadBody) => void
  /** The bytes so far, with room for more. */
  #buffer = NO_BYTES
  #length = 0
  /** Whether the memory of the buffer is its own. */
  #isOwn = false
  /** Room that was taken. */
  #taken = 0
  /** How long it can get. */
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
      // Node throws away what comes once the answer is written: who waits to be asked for a body is not asked.
      this.isOver = true
      done('too-large')
      return
    }
    request.on('data', this.#onData)
    request.on('end', this.#onEnd)
  }

  /** Reads no further, and forgets what it has read. */
  stop(): void {
    this.isOver = true
    this.#request.off('data', this.#onData)
    this.#request.off('end', this.#onEnd)
    this.release()
    // What still comes is read and thrown away, so that the client hears the answer.
    this.#request.resume()
  }

  /** Gives the room back. @param isAnswered the body is not read again: its memory is given back at once, too */
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
   * The first chunk is kept as it came. More are copied together: a chunk of one byte would take hundreds by itself. A memory that gets too small is
   * given back at once, and not when the garbage is collected.
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
