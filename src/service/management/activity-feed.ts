import type { Activities, ActivityBurst } from '../../protocol/activity.ts'
import type { EndpointId } from '../../protocol/endpoints.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { Elsewhere } from '../simulation/stored/kept-simulation.ts'
import type { ReaderMemory } from './reader-memory.ts'
import { ServerSentEvents, toMessageText } from './server-sent-events.ts'

/** Activities kept for returning readers. */
const KEPT = 1_000
/** Most characters of all kept activities. */
const KEPT_CHARACTERS = 4 * 1024 * 1024
/** Most single activities within a second; more are only counted. */
const MOST_A_SECOND = 500
/** The same after a second that had more. No person reads so many, and each one costs time. */
const MOST_OF_MANY = 30
/** Most characters of one batch. */
const FRAME_CHARACTERS = 1024 * 1024
/** How long activities are collected into one batch: usually, and while most are only counted. */
const FRAME_MS = { usual: 50, ofMany: 250 }
const SECOND_MS = 1_000
/** How long the feed continues without a reader: a hidden page may return. */
const REST_MS = 60_000
/** Interval of checks for other nodes' requests and deliveries. */
const ELSEWHERE_MS = 250

/** A reader's stream, with its comma-separated kinds; undefined for all. */
interface FeedReader {
  readonly stream: ServerSentEvents
  readonly kinds: string | undefined
}

/** One activity, serialised once for all readers. */
interface SentActivity {
  readonly id: string
  readonly event: keyof Activities
  readonly text: string
}

/**
 * The activity of one simulation, for its readers (`GET .../activity`). It costs nothing before the first reader, and
 * nothing from a minute after the last one.
 */
export class ActivityFeed {
  readonly #simulation: Simulation
  readonly #runtime: Runtime
  readonly #memory: ReaderMemory
  readonly #readers = new Set<FeedReader>()
  readonly #secondTimer: WakeTimer
  readonly #restTimer: WakeTimer
  readonly #frameTimer: WakeTimer
  #kept: SentActivity[] = []
  #keptCharacters = 0
  /** Activities not yet sent to readers. */
  #frame: SentActivity[] = []
  #frameCharacters = 0
  /** Distinguishes the ids of this feed from those of an earlier one. */
  #token = ''
  #number = 0
  /** Whether activities are being counted in a current second. */
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

  /** Activities from now on, of all kinds or these; with `lastEventId` after that one, or after a `gap` where it is no longer kept. */
  open(lastEventId: string | undefined, kinds?: string): ReadableStream<Uint8Array> {
    const { slug } = this.#simulation
    const stream = new ServerSentEvents(this.#runtime, {
      greeting: `activity of ${slug}`,
      lastEventId,
      tooSlow: TOO_SLOW,
      memory: this.#memory,
    })
    const reader = { stream, kinds: kinds && `${kinds},burst,gap` }
    this.#start()
    this.#sendToReaders()
    deliver(reader, composeFrame(this.#keptAfter(lastEventId), reader.kinds))
    this.#readers.add(reader)
    return stream.open(() => this.#forget(reader))
  }

  /** Announces the effect of a management API call. */
  noteCall(id: EndpointId): void {
    if (this.#unfollow === undefined) return
    const changed = SETTINGS[id]
    if (changed !== undefined) this.#send('settings', { changed })
    const effect = EFFECTS[id]
    if (effect === undefined) return
    this.#noteState(effect === 'replaced')
    // A reset continues after its answer.
    if (!this.#simulation.isReady()) void this.#simulation.ready().then(() => this.#noteState(effect === 'replaced'))
  }

  /** Ends every stream. */
  close(): void {
    this.#sendToReaders()
    for (const { stream } of this.#readers) stream.end()
    this.#stop()
  }

  #noteState(isReplaced: boolean): void {
    if (this.#unfollow === undefined) return
    this.#send('state', { status: this.#simulation.status(), isReplaced })
    this.#send('clock', this.#simulation.clock())
  }

  /** Starts watching the simulation. */
  #start(): void {
    this.#restTimer.stop()
    if (this.#unfollow !== undefined) return
    const { requests, webhooks, kept } = this.#simulation
    this.#token = this.#runtime.uuid().slice(0, 8)
    this.#kept = []
    this.#keptCharacters = 0
    this.#number = 0
    requests.log.onSent = (compose) => this.#happened('requests', () => this.#send('request', compose()))
    webhooks.dispatcher.onAttempt = (webhookId, delivery, compose) => {
      this.#elsewhere?.deliveries.pass(delivery)
      this.#happened('deliveries', () => this.#send('delivery', { ...compose(), webhookId }))
    }
    this.#unfollow = this.#simulation.follow(({ type, compose }) =>
      this.#happened('changes', () => this.#send('change', compose()), type),
    )
    this.#elsewhere = kept?.watchElsewhere()
    if (this.#elsewhere !== undefined) void this.#lookElsewhere(this.#elsewhere)
  }

  /** Announces other nodes' requests and deliveries until the feed stops. */
  async #lookElsewhere(elsewhere: Elsewhere): Promise<void> {
    // If the store does not answer, the next check announces them.
    const looks = [elsewhere.requests.take().catch(() => []), elsewhere.deliveries.take().catch(() => [])] as const
    const [requests, deliveries] = await Promise.all(looks)
    if (this.#elsewhere !== elsewhere) return
    for (const request of requests) this.#happened('requests', () => this.#send('request', request))
    for (const delivery of deliveries) this.#happened('deliveries', () => this.#send('delivery', delivery))
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

  /** Announces a frequent activity, or counts it where too many happen within a second. */
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

  /** @param most single activities until its end */
  #beginSecond(most: number): void {
    this.#isCounting = true
    this.#happenedInSecond = 0
    this.#mostInSecond = most
    this.#secondTimer.wakeIn(SECOND_MS, () => this.#endSecond())
  }

  #endSecond(): void {
    this.#isCounting = false
    if (this.#burst !== undefined) this.#send('burst', this.#burst)
    this.#burst = undefined
    if (this.#happenedInSecond > MOST_A_SECOND) this.#beginSecond(MOST_OF_MANY)
  }

  #send<Kind extends keyof Activities>(event: Kind, data: Activities[Kind]): void {
    const activity = toSent(`${this.#token}-${++this.#number}`, event, data)
    this.#keep(activity)
    const ms = this.#mostInSecond === MOST_A_SECOND ? FRAME_MS.usual : FRAME_MS.ofMany
    if (this.#frame.push(activity) === 1) this.#frameTimer.wakeIn(ms, () => this.#sendToReaders())
    this.#frameCharacters += activity.text.length
    if (this.#frameCharacters > FRAME_CHARACTERS) this.#sendToReaders()
  }

  #keep(activity: SentActivity): void {
    this.#kept.push(activity)
    this.#keptCharacters += activity.text.length
    while (this.#keptCharacters > KEPT_CHARACTERS && this.#kept.length > 1) this.#keptCharacters -= this.#forgetOldest()
    while (this.#kept.length > KEPT) this.#keptCharacters -= this.#forgetOldest()
  }

  #forgetOldest(): number {
    return this.#kept.shift()?.text.length ?? 0
  }

  /** Sends the collected batch to readers. Readers of the same kinds share its bytes. */
  #sendToReaders(): void {
    this.#frameTimer.stop()
    const frame = this.#frame
    this.#frame = []
    this.#frameCharacters = 0
    const composed = new Map<string | undefined, ComposedFrame>()
    for (const reader of this.#readers) {
      const bytes = composed.get(reader.kinds) ?? composeFrame(frame, reader.kinds)
      composed.set(reader.kinds, bytes)
      deliver(reader, bytes)
    }
  }

  /** Activities after the message with this id, oldest first. */
  #keptAfter(lastId: string | undefined): SentActivity[] {
    if (lastId === undefined) return []
    const at = this.#kept.findIndex(({ id }) => id === lastId)
    if (at !== -1) return this.#kept.slice(at + 1)
    return [toSent(`${this.#token}-${this.#number}`, 'gap', { after: lastId })]
  }
}

function toSent<Kind extends keyof Activities>(id: string, event: Kind, data: Activities[Kind]): SentActivity {
  return { id, event, text: toMessageText({ id, event, data }) }
}

/** The bytes of a batch for readers of the same kinds. */
interface ComposedFrame {
  readonly bytes: Uint8Array
  readonly lastId: string | undefined
}

/** @param kinds comma-separated; undefined for all */
function composeFrame(activities: readonly SentActivity[], kinds: string | undefined): ComposedFrame {
  const known = kinds?.split(',')
  const sent = activities.filter(({ event }) => known?.includes(event) !== false)
  return { bytes: Buffer.from(sent.map(({ text }) => text).join('')), lastId: sent.at(-1)?.id }
}

/** A slow reader's stream ends, and it continues with a gap. */
function deliver({ stream }: FeedReader, { bytes, lastId }: ComposedFrame): void {
  if (lastId === undefined) return
  if (stream.isFull) stream.giveUp()
  else stream.send(bytes, lastId)
}

const TOO_SLOW =
  'This reader is too slow, so that activities after the last one that it read were left out. Read faster, or go on with the header `Last-Event-ID`; the latest 1,000 activities are kept.'

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

/** Effects of endpoints on state and time; `replaced` means other records. */
const EFFECTS: { readonly [Id in EndpointId]?: 'moved' | 'replaced' } = {
  pause: 'moved',
  resume: 'moved',
  fastForward: 'moved',
  advanceClock: 'moved',
  reset: 'replaced',
  restoreSnapshot: 'replaced',
}
