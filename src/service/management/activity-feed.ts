import { ACTIVITY_KINDS, type Activities, type ActivityBurst } from '../../protocol/activity.ts'
import type { EndpointId } from '../../protocol/endpoints.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { Elsewhere } from '../simulation/stored/kept-simulation.ts'
import type { ReaderMemory } from './reader-memory.ts'
import { ServerSentEvents, toMessageText } from './server-sent-events.ts'

/** Activities that a reader who comes back is told. */
const KEPT = 1_000
/** Characters that these have at most, all together: activities of large records are fewer. */
const KEPT_CHARACTERS = 4 * 1024 * 1024
/** Activities that are told one by one within a second; the rest is counted. */
const MOST_A_SECOND = 500
/** The same after a second that had more. Nobody reads so many, and each one costs time. */
const MOST_OF_MANY = 30
/** Characters that are gathered at most. */
const FRAME_CHARACTERS = 1024 * 1024
/** How long activities are gathered, so that readers get them in one piece: usually, and while most are counted. */
const FRAME_MS = { usual: 50, ofMany: 250 }
const SECOND_MS = 1_000
/** How long the feed goes on without a reader: a page that was hidden comes back. */
const REST_MS = 60_000
/** How often it is looked for requests that other nodes have answered, and deliveries that they have made. */
const ELSEWHERE_MS = 250

/** A reader's stream, and the kinds that it wants to know, with commas between. */
interface FeedReader {
  readonly stream: ServerSentEvents
  readonly kinds: string
}

/** One activity, written once for all readers. */
interface ToldActivity {
  readonly id: string
  readonly event: keyof Activities
  readonly text: string
}

/**
 * What happens to one simulation, for those who watch it (`GET .../activity`). It costs nothing before the first reader
 * comes, and nothing any more a minute after the last one has left.
 */
export class ActivityFeed {
  readonly #simulation: Simulation
  readonly #runtime: Runtime
  readonly #memory: ReaderMemory
  readonly #readers = new Set<FeedReader>()
  readonly #secondTimer: WakeTimer
  readonly #restTimer: WakeTimer
  readonly #frameTimer: WakeTimer
  #kept: ToldActivity[] = []
  #keptCharacters = 0
  /** What readers have yet to be told. */
  #frame: ToldActivity[] = []
  #frameCharacters = 0
  /** Sets the ids of this feed apart from those of an earlier one. */
  #token = ''
  #number = 0
  /** Whether a second runs in which is counted what happens. */
  #isCounting = false
  #happenedInSecond = 0
  #mostInSecond = MOST_A_SECOND
  #burst: ActivityBurst | undefined
  #unfollow: (() => void) | undefined
  #elsewhere: Elsewhere | undefined
  readonly #elsewhereTimer: WakeTimer

  constructor(
    simulation: Simulation,
    { runtime, readers }: { readonly runtime: Runtime; readonly readers: ReaderMemory },
  ) {
    this.#simulation = simulation
    this.#runtime = runtime
    this.#memory = readers
    this.#secondTimer = new WakeTimer(runtime.startTimer)
    this.#restTimer = new WakeTimer(runtime.startTimer)
    this.#frameTimer = new WakeTimer(runtime.startTimer)
    this.#elsewhereTimer = new WakeTimer(runtime.startTimer)
  }

  /** Activities from now on; with `lastEventId` from that one on, or from a `gap` on where it is no longer kept. */
  open(lastEventId: string | undefined, kinds: readonly string[] = ACTIVITY_KINDS): ReadableStream<Uint8Array> {
    const { slug } = this.#simulation
    const stream = new ServerSentEvents(this.#runtime, {
      greeting: `activity of ${slug}`,
      lastEventId,
      tooSlow: TOO_SLOW,
      memory: this.#memory,
    })
    const reader = { stream, kinds: [...kinds, 'burst', 'gap'].join() }
    this.#start()
    this.#tellReaders()
    tell(reader, composeFrame(this.#keptAfter(lastEventId), reader.kinds))
    this.#readers.add(reader)
    return stream.open(() => this.#forget(reader))
  }

  /** Tells what a call of the management API has done. */
  noteCall(id: EndpointId): void {
    if (this.#unfollow === undefined) return
    const changed = SETTINGS[id]
    if (changed !== undefined) this.#tell('settings', { changed })
    const effect = EFFECTS[id]
    if (effect === undefined) return
    this.#noteState(effect === 'replaced')
    // A reset goes on after its answer.
    if (!this.#simulation.isReady()) void this.#simulation.ready().then(() => this.#noteState(effect === 'replaced'))
  }

  /** Ends every stream. */
  close(): void {
    this.#tellReaders()
    for (const { stream } of this.#readers) stream.end()
    this.#stop()
  }

  #noteState(isReplaced: boolean): void {
    if (this.#unfollow === undefined) return
    this.#tell('state', { status: this.#simulation.status(), isReplaced })
    this.#tell('clock', this.#simulation.clock())
  }

  /** Begins to watch the simulation. */
  #start(): void {
    this.#restTimer.stop()
    if (this.#unfollow !== undefined) return
    const { requests, webhooks, kept } = this.#simulation
    this.#token = this.#runtime.uuid().slice(0, 8)
    this.#kept = []
    this.#keptCharacters = 0
    this.#number = 0
    requests.log.onSent = (compose) => this.#happened('requests', () => this.#tell('request', compose()))
    webhooks.dispatcher.onAttempt = (webhookId, delivery, compose) => {
      this.#elsewhere?.deliveries.pass(delivery)
      this.#happened('deliveries', () => this.#tell('delivery', { ...compose(), webhookId }))
    }
    const take = ({ type, compose }: { type: string; compose: () => Activities['change'] }) =>
      this.#happened('changes', () => this.#tell('change', compose()), type)
    this.#unfollow = this.#simulation.follow({ take })
    this.#elsewhere = kept?.watchElsewhere()
    if (this.#elsewhere !== undefined) void this.#lookElsewhere(this.#elsewhere)
  }

  /** Tells what other nodes have answered and sent, again and again until the feed stops. */
  async #lookElsewhere(elsewhere: Elsewhere): Promise<void> {
    // Where the store gives no answer the next look tells them.
    const looks = [elsewhere.requests.take().catch(() => []), elsewhere.deliveries.take().catch(() => [])] as const
    const [requests, deliveries] = await Promise.all(looks)
    if (this.#elsewhere !== elsewhere) return
    for (const request of requests) this.#happened('requests', () => this.#tell('request', request))
    for (const delivery of deliveries) this.#happened('deliveries', () => this.#tell('delivery', delivery))
    this.#elsewhereTimer.wakeIn(ELSEWHERE_MS, () => void this.#lookElsewhere(elsewhere))
  }

  #stop(): void {
    this.#secondTimer.stop()
    this.#isCounting = false
    this.#restTimer.stop()
    this.#frameTimer.stop()
    this.#elsewhereTimer.stop()
    this.#elsewhere = undefined
    this.#simulation.requests.log.onSent = undefined
    this.#simulation.webhooks.dispatcher.onAttempt = undefined
    this.#unfollow?.()
    this.#unfollow = undefined
    this.#kept = []
    this.#frame = []
  }

  #forget(reader: FeedReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#restTimer.wakeIn(REST_MS, () => this.#stop())
  }

  /** Tells one of what happens often, or counts it where too much happens within a second. */
  #happened(what: 'changes' | 'requests' | 'deliveries', tellIt: () => void, type?: string): void {
    if (!this.#isCounting) this.#beginSecond(MOST_A_SECOND)
    if (this.#happenedInSecond++ < this.#mostInSecond) {
      tellIt()
      return
    }
    this.#burst ??= { changes: 0, byType: {}, requests: 0, deliveries: 0 }
    this.#burst[what]++
    if (type !== undefined) this.#burst.byType[type] = (this.#burst.byType[type] ?? 0) + 1
  }

  /** @param most activities that are told one by one until it is over */
  #beginSecond(most: number): void {
    this.#isCounting = true
    this.#happenedInSecond = 0
    this.#mostInSecond = most
    this.#secondTimer.wakeIn(SECOND_MS, () => this.#endSecond())
  }

  #endSecond(): void {
    this.#isCounting = false
    if (this.#burst !== undefined) this.#tell('burst', this.#burst)
    this.#burst = undefined
    if (this.#happenedInSecond > MOST_A_SECOND) this.#beginSecond(MOST_OF_MANY)
  }

  #tell<Kind extends keyof Activities>(event: Kind, data: Activities[Kind]): void {
    const activity = toTold(`${this.#token}-${++this.#number}`, event, data)
    this.#keep(activity)
    const ms = this.#mostInSecond === MOST_A_SECOND ? FRAME_MS.usual : FRAME_MS.ofMany
    if (this.#frame.push(activity) === 1) this.#frameTimer.wakeIn(ms, () => this.#tellReaders())
    this.#frameCharacters += activity.text.length
    if (this.#frameCharacters > FRAME_CHARACTERS) this.#tellReaders()
  }

  #keep(activity: ToldActivity): void {
    this.#kept.push(activity)
    this.#keptCharacters += activity.text.length
    while (this.#keptCharacters > KEPT_CHARACTERS && this.#kept.length > 1) this.#keptCharacters -= this.#forgetOldest()
    while (this.#kept.length > KEPT) this.#keptCharacters -= this.#forgetOldest()
  }

  #forgetOldest(): number {
    return this.#kept.shift()?.text.length ?? 0
  }

  /** Gives readers what was gathered for them. Those of the same kinds share its bytes. */
  #tellReaders(): void {
    this.#frameTimer.stop()
    const frame = this.#frame
    this.#frame = []
    this.#frameCharacters = 0
    const composed = new Map<string, ComposedFrame>()
    for (const reader of this.#readers) {
      const bytes = composed.get(reader.kinds) ?? composeFrame(frame, reader.kinds)
      composed.set(reader.kinds, bytes)
      tell(reader, bytes)
    }
  }

  /** What was told after the message with this id, oldest first. */
  #keptAfter(lastId: string | undefined): ToldActivity[] {
    if (lastId === undefined) return []
    const at = this.#kept.findIndex(({ id }) => id === lastId)
    if (at !== -1) return this.#kept.slice(at + 1)
    return [toTold(`${this.#token}-${this.#number}`, 'gap', { after: lastId })]
  }
}

function toTold<Kind extends keyof Activities>(id: string, event: Kind, data: Activities[Kind]): ToldActivity {
  return { id, event, text: toMessageText({ id, event, data }) }
}

/** Several activities as the bytes that readers of the same kinds get. */
interface ComposedFrame {
  readonly bytes: Uint8Array
  readonly lastId: string | undefined
}

/** @param kinds with commas between */
function composeFrame(activities: readonly ToldActivity[], kinds: string): ComposedFrame {
  const known = new Set(kinds.split(','))
  const told = activities.filter(({ event }) => known.has(event))
  return { bytes: Buffer.from(told.map(({ text }) => text).join('')), lastId: told.at(-1)?.id }
}

/** A reader with too much to read is cut off, and begins again with a gap. */
function tell({ stream }: FeedReader, { bytes, lastId }: ComposedFrame): void {
  if (lastId === undefined) return
  if (stream.isFull) stream.giveUp()
  else stream.sendTogether(bytes, lastId)
}

const TOO_SLOW =
  'This reader is too slow, so that activities after the last one that it read were left out. Read faster, or go on with the header `Last-Event-ID`; the latest 1,000 activities are kept.'

/** What endpoints change of the settings. */
const SETTINGS: { readonly [Id in EndpointId]?: Activities['settings']['changed'] } = {
  setBehaviour: 'behaviour',
  addRule: 'rules',
  replaceRule: 'rules',
  removeRule: 'rules',
  setAccess: 'access',
  issueKey: 'keys',
  revokeKey: 'keys',
  runRule: 'behaviour',
  holdTest: 'hold',
  releaseHold: 'hold',
  registerWebhook: 'webhooks',
  removeWebhook: 'webhooks',
  enableWebhook: 'webhooks',
  addWebhookFault: 'webhook-faults',
  removeWebhookFault: 'webhook-faults',
}

/** What endpoints do to state and time; `replaced` where the records are others afterwards. */
const EFFECTS: { readonly [Id in EndpointId]?: 'moved' | 'replaced' } = {
  pause: 'moved',
  resume: 'moved',
  fastForward: 'moved',
  reset: 'replaced',
  restoreSnapshot: 'replaced',
}
