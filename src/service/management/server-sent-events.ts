import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { ReaderMemory } from './reader-memory.ts'

/** Interval of comments without other messages, so that no proxy closes the stream. */
const HEARTBEAT_MS = 15_000
/** Most bytes waiting for a reader. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** Bytes given to a reader at a time, unless one message is longer. */
const CHUNK_BYTES = 64 * 1024

/** One message of a stream (WHATWG HTML, server-sent events). */
export interface StreamMessage {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

export const toMessageText = ({ id, event, data }: StreamMessage): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The waiting text of a message or a comment. */
interface WaitingText {
  readonly bytes: Uint8Array
  /** Id of the message. */
  readonly id?: string
}

/** The server-sent events of one reader, at the reader's speed. */
export class ServerSentEvents {
  readonly #heartbeat: WakeTimer
  readonly #tooSlow: string
  readonly #memory: ReaderMemory
  #waiting: WaitingText[] = []
  #bytes = 0
  #lastReadId: string | undefined
  #isEnded = false
  #onEnd = () => {}
  #onText = () => {}

  /** @param init.tooSlow the last message for a slow reader */
  constructor(
    runtime: Pick<Runtime, 'startTimer'>,
    init: { greeting: string; lastEventId: string | undefined; tooSlow: string; memory: ReaderMemory },
  ) {
    this.#heartbeat = new WakeTimer(runtime.startTimer)
    this.#lastReadId = init.lastEventId
    this.#tooSlow = init.tooSlow
    this.#memory = init.memory
    this.#add(Buffer.from(`: ${init.greeting}\n\n`))
    this.#beat()
  }

  /** The body of the answer. @param onEnd called once, when the reader has disconnected or the stream ends */
  open(onEnd: () => void): ReadableStream<Uint8Array> {
    this.#onEnd = onEnd
    return new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#leave() },
      { highWaterMark: 0 },
    )
  }

  /** Sends messages. @param lastId id of the last one */
  send(bytes: Uint8Array, lastId: string): void {
    this.#add(bytes, lastId)
  }

  /** Whether so much waits for this reader, or for all readers including this one, that its stream should end. */
  get isFull(): boolean {
    if (this.#isEnded) return false
    return this.#bytes >= MOST_WAITING_BYTES || (this.#bytes > 0 && this.#memory.isFull)
  }

  /** Ends the stream of a slow reader, with a last message that names the place to continue. */
  giveUp(): void {
    if (this.#isEnded) return
    this.#forgetWaiting()
    const lastEventId = this.#lastReadId ?? null
    const id = lastEventId === null ? '' : `id: ${lastEventId}\n`
    const data = JSON.stringify({ lastEventId, message: this.#tooSlow })
    this.#add(Buffer.from(`event: too-slow\n${id}data: ${data}\n\n`))
    this.end()
  }

  /** Accepts no more messages. Waiting ones can still be read. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#heartbeat.stop()
    this.#onEnd()
    this.#onText()
  }

  /** Ends the stream of a disconnected reader. */
  #leave(): void {
    this.end()
    this.#forgetWaiting()
  }

  #forgetWaiting(): void {
    this.#waiting = []
    this.#count(-this.#bytes)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#memory.add(bytes)
  }

  /** Gives the reader waiting text, or waits for some. */
  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#onText = resolve
      })
    }
    if (this.#waiting.length > 0) controller.enqueue(this.#takeChunk())
    else controller.close()
  }

  #takeChunk(): Uint8Array {
    const taken: Uint8Array[] = []
    let size = 0
    for (const { bytes, id } of this.#waiting) {
      if (taken.length > 0 && size + bytes.length > CHUNK_BYTES) break
      taken.push(bytes)
      size += bytes.length
      this.#lastReadId = id ?? this.#lastReadId
    }
    this.#waiting.splice(0, taken.length)
    this.#count(-size)
    return taken.length === 1 ? (taken[0] as Uint8Array) : Buffer.concat(taken)
  }

  #add(bytes: Uint8Array, id?: string): void {
    this.#waiting.push({ bytes, ...(id !== undefined && { id }) })
    this.#count(bytes.length)
    this.#onText()
  }

  #beat(): void {
    this.#heartbeat.wakeIn(HEARTBEAT_MS, () => {
      if (this.#waiting.length === 0) this.#add(Buffer.from(': still here\n\n'))
      this.#beat()
    })
  }
}
