import type { ChangeEvent } from '../../protocol/event.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Taker } from '../simulation/announcements.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

/** How often a comment is sent while nothing happens, so that no proxy closes the stream. */
const HEARTBEAT_MS = 15_000
/** Bytes that wait for a reader before the events that follow are held back. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024
/** How long events are held back for a reader that reads nothing, before it is cut off. */
const PATIENCE_MS = 5_000
/** Bytes that are given to a reader at a time, unless one event has more. */
const CHUNK_BYTES = 64 * 1024

/**
 * Change events as server-sent events (WHATWG HTML), from now on; with `lastEventId`, from that event on as far as the
 * latest 100 reach.
 */
export function streamEvents(
  hosted: HostedSimulation,
  lastEventId: string | undefined,
  runtime: Runtime,
): ReadableStream<Uint8Array> {
  const stream = new EventStream(hosted, lastEventId, runtime)
  return new ReadableStream<Uint8Array>(
    { pull: (controller) => stream.pull(controller), cancel: () => stream.end() },
    { highWaterMark: 0 },
  )
}

/** What waits for a reader: the text of an event or a comment. */
interface WaitingText {
  readonly bytes: Uint8Array
  /** Id of the event. */
  readonly id?: string
}

/** One reader's stream: it takes events as fast as they are read, and ends with its simulation. */
class EventStream implements Taker<ChangeEvent> {
  readonly #heartbeat: WakeTimer
  readonly #patience: WakeTimer
  readonly #forget: () => void
  #waiting: WaitingText[] = []
  #bytes = 0
  #lastReadId: string | undefined
  #isEnded = false
  #onText = () => {}
  #room: PromiseWithResolvers<void> | undefined

  constructor(hosted: HostedSimulation, lastEventId: string | undefined, runtime: Runtime) {
    const { simulation } = hosted
    this.#heartbeat = new WakeTimer(runtime.startTimer)
    this.#patience = new WakeTimer(runtime.startTimer)
    this.#lastReadId = lastEventId
    this.#add(`: events of ${simulation.slug}\n\n`)
    for (const event of eventsAfter(simulation.events(), lastEventId)) this.take(event)
    const unfollow = simulation.follow(this)
    const forgetEnd = hosted.onClose(() => this.end())
    this.#forget = () => {
      unfollow()
      forgetEnd()
    }
    this.#beat()
  }

  take(event: ChangeEvent): void {
    this.#add(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, event.id)
  }

  room(): Promise<void> | undefined {
    if (this.#bytes < MOST_WAITING_BYTES || this.#isEnded) return undefined
    if (this.#room === undefined) {
      this.#room = Promise.withResolvers()
      this.#patience.wakeIn(PATIENCE_MS, () => this.giveUp())
    }
    return this.#room.promise
  }

  /** Ends the stream of a reader that is too slow, with a last message that says where to go on. */
  giveUp(): void {
    if (this.#isEnded) return
    this.#waiting = []
    this.#bytes = 0
    const lastEventId = this.#lastReadId ?? null
    const id = lastEventId === null ? '' : `id: ${lastEventId}\n`
    this.#add(`event: too-slow\n${id}data: ${JSON.stringify({ lastEventId, message: TOO_SLOW })}\n\n`)
    this.end()
  }

  /** Takes no more events. What waits can still be read. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#heartbeat.stop()
    this.#forget()
    this.#makeRoom()
    this.#onText()
  }

  /** Gives the reader what waits, or waits for something to give. */
  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
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
    this.#bytes -= size
    if (this.#bytes < MOST_WAITING_BYTES / 2) this.#makeRoom()
    else if (this.#room !== undefined) this.#patience.wakeIn(PATIENCE_MS, () => this.giveUp())
    return taken.length === 1 ? (taken[0] as Uint8Array) : Buffer.concat(taken)
  }

  #makeRoom(): void {
    this.#patience.stop()
    this.#room?.resolve()
    this.#room = undefined
  }

  #add(text: string, id?: string): void {
    const bytes = Buffer.from(text)
    this.#waiting.push({ bytes, ...(id !== undefined && { id }) })
    this.#bytes += bytes.length
    this.#onText()
  }

  #beat(): void {
    this.#heartbeat.wakeIn(HEARTBEAT_MS, () => {
      if (this.#waiting.length === 0) this.#add(': still here\n\n')
      this.#beat()
    })
  }
}

const TOO_SLOW =
  'This reader is too slow, so that events after the last one that it read were left out. Read faster, or go on with the header `Last-Event-ID`; the latest 100 events are kept.'

/** Events after the one with `lastId`, oldest first; all that are kept when that one is no longer kept. */
function eventsAfter(newestFirst: readonly ChangeEvent[], lastId: string | undefined): ChangeEvent[] {
  if (lastId === undefined) return []
  const at = newestFirst.findIndex(({ id }) => id === lastId)
  return newestFirst.slice(0, at === -1 ? undefined : at).reverse()
}
