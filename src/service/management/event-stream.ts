import type { ChangeEvent } from '../../protocol/event.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { HostedSimulation } from './hosted-simulation.ts'
import type { ReaderMemory } from './reader-memory.ts'
import { ServerSentEvents } from './server-sent-events.ts'

/**
 * Change events as server-sent events, from now on; with `lastEventId`, after that event within the latest 100. The
 * stream ends with its simulation.
 */
export function streamEvents(
  hosted: HostedSimulation,
  lastEventId: string | undefined,
  { runtime, readers }: { readonly runtime: Runtime; readonly readers: ReaderMemory },
): ReadableStream<Uint8Array> {
  const { simulation } = hosted
  const stream = new ServerSentEvents(runtime, {
    greeting: `events of ${simulation.slug}`,
    lastEventId,
    tooSlow: TOO_SLOW,
    memory: readers,
  })
  const send = (event: ChangeEvent) => stream.send({ id: event.id, event: event.type, data: event })
  for (const event of eventsAfter(simulation.events(), lastEventId)) send(event)
  const unfollow = simulation.follow({
    take: ({ compose }) => send(compose()),
    room: () => stream.room(),
    giveUp: () => stream.giveUp(),
  })
  const forgetEnd = hosted.onClose(() => stream.end())
  return stream.open(() => {
    unfollow()
    forgetEnd()
  })
}

const TOO_SLOW =
  'This reader is too slow, so that events after the last one that it read were left out. Read faster, or go on with the header `Last-Event-ID`; the latest 100 events are kept.'

/** Events after the one with `lastId`, oldest first; all kept events when that one is no longer kept. */
function eventsAfter(newestFirst: readonly ChangeEvent[], lastId: string | undefined): ChangeEvent[] {
  if (lastId === undefined) return []
  const at = newestFirst.findIndex(({ id }) => id === lastId)
  return newestFirst.slice(0, at === -1 ? undefined : at).reverse()
}
