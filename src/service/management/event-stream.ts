import type { ChangeEvent } from '../../protocol/event.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { CancelTimer } from '../../runtime/timers.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

/** How often a comment is sent while nothing happens, so that no proxy closes the stream. */
const HEARTBEAT_MS = 15_000
/** Chunks that a slow reader may leave waiting before it is cut off; it resumes with `Last-Event-ID`. */
const MAX_WAITING_CHUNKS = 10_000

/**
 * Change events as server-sent events (WHATWG HTML), from now on; with `lastEventId`, from that event on as far as the
 * latest 100 reach.
 */
export function streamEvents(
  hosted: HostedSimulation,
  lastEventId: string | undefined,
  runtime: Runtime,
): ReadableStream<Uint8Array> {
  const { simulation } = hosted
  const missed = eventsAfter(simulation.events(), lastEventId)
  const hello = `: events of ${simulation.slug}\n\n${missed.map(toText).join('')}`
  let forget = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        forget = follow(hosted, runtime, controller)
        controller.enqueue(ENCODER.encode(hello))
      },
      cancel: () => forget(),
    },
    { highWaterMark: 1 },
  )
}

const ENCODER = new TextEncoder()

/**
 * Writes events to the stream until its simulation ends, its reader falls too far behind, or the returned function is
 * called. In the first two cases the stream is closed.
 */
function follow(
  hosted: HostedSimulation,
  runtime: Runtime,
  controller: ReadableStreamDefaultController<Uint8Array>,
): () => void {
  const send = (text: string) => {
    if ((controller.desiredSize ?? 0) <= 1 - MAX_WAITING_CHUNKS) end()
    else controller.enqueue(ENCODER.encode(text))
  }
  const beat = (): CancelTimer =>
    runtime.startTimer(HEARTBEAT_MS, () => {
      cancelBeat = beat()
      send(': still here\n\n')
    })
  let cancelBeat = beat()
  const unsubscribe = hosted.simulation.subscribe((event) => send(toText(event)))
  const forgetEnd = hosted.onClose(() => end())
  const forget = () => {
    cancelBeat()
    unsubscribe()
    forgetEnd()
  }
  const end = () => {
    forget()
    controller.close()
  }
  return forget
}

/** Events after the one with `lastId`, oldest first; all that are kept when that one is no longer kept. */
function eventsAfter(newestFirst: readonly ChangeEvent[], lastId: string | undefined): ChangeEvent[] {
  if (lastId === undefined) return []
  const at = newestFirst.findIndex(({ id }) => id === lastId)
  return newestFirst.slice(0, at === -1 ? undefined : at).reverse()
}

function toText(event: ChangeEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
