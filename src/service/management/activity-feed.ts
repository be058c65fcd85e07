import { ACTIVITY_KINDS, type Activities, type ActivityBurst } from '../../protocol/activity.ts'
import type { EndpointId } from '../../protocol/endpoints.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { ServerSentEvents, type StreamMessage } from './server-sent-events.ts'

/** Activities that a reader who comes back is told. */
const KEPT = 1_000
/** Activities that are told one by one within a second; the rest is counted. */
const MOST_A_SECOND = 500
const SECOND_MS = 1_000
/** How long the feed goes on without a reader: a page that was hidden comes back. */
const REST_MS = 60_000

/** A reader's stream, and what it wants to know. */
interface FeedReader {
  readonly stream: ServerSentEvents
  readonly kinds: ReadonlySet<string>
}

/**
 * What happens to one simulation, for those who watch it (`GET .../activity`). It costs nothing before the first reader
 * comes, and nothing any more a minute after the last one has left.
 */
export class ActivityFeed {
  readonly #simulation: Simulation
  readonly #runtime: Runtime
  readonly #readers = new Set<FeedReader>()
  readonly #burstTimer: WakeTimer
  readonly #restTimer: WakeTimer
  #kept: StreamMessage[] = []
  /** Sets the ids of this feed apart from those of an earlier one. */
  #token = ''
  #number = 0
  #second = 0
  #toldInSecond = 0
  #burst: ActivityBurst | undefined
  #unfollow: (() => void) | undefined

  constructor(simulation: Simulation, runtime: Runtime) {
    this.#simulation = simulation
    this.#runtime = runtime
    this.#burstTimer = new WakeTimer(runtime.startTimer)
    this.#restTimer = new WakeTimer(runtime.startTimer)
  }

  /** Activities from now on; with `lastEventId` from that one on, or from a `gap` on where it is no longer kept. */
  open(lastEventId: string | undefined, kinds: readonly string[] = ACTIVITY_KINDS): ReadableStream<Uint8Array> {
    const { slug } = this.#simulation
    const stream = new ServerSentEvents(this.#runtime, {
      greeting: `activity of ${slug}`,
      lastEventId,
      tooSlow: TOO_SLOW,
    })
    const reader = { stream, kinds: new Set([...kinds, 'burst', 'gap']) }
    this.#start()
    for (const message of this.#keptAfter(lastEventId)) tell(reader, message)
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
    const { requests, webhooks } = this.#simulation
    this.#token = this.#runtime.uuid().slice(0, 8)
    this.#kept = []
    this.#number = 0
    requests.log.onSent = (compose) => this.#happened('requests', () => this.#tell('request', compose()))
    webhooks.onAttempt = (webhookId, compose) =>
      this.#happened('deliveries', () => this.#tell('delivery', { ...compose(), webhookId }))
    const take = ({ type, compose }: { type: string; compose: () => Activities['change'] }) =>
      this.#happened('changes', () => this.#tell('change', compose()), type)
    this.#unfollow = this.#simulation.follow({ take })
  }

  #stop(): void {
    this.#burstTimer.stop()
    this.#restTimer.stop()
    this.#simulation.requests.log.onSent = undefined
    this.#simulation.webhooks.onAttempt = undefined
    this.#unfollow?.()
    this.#unfollow = undefined
    this.#kept = []
  }

  #forget(reader: FeedReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#restTimer.wakeIn(REST_MS, () => this.#stop())
  }

  /** Tells one of what happens often, or counts it where too much happens within a second. */
  #happened(what: 'changes' | 'requests' | 'deliveries', tellIt: () => void, type?: string): void {
    const now = this.#runtime.clock.monotonic()
    if (now - this.#second >= SECOND_MS) {
      this.#second = now
      this.#toldInSecond = 0
    }
    if (this.#burst === undefined && this.#toldInSecond < MOST_A_SECOND) {
      this.#toldInSecond++
      tellIt()
      return
    }
    this.#burst ??= this.#beginBurst()
    this.#burst[what]++
    if (type !== undefined) this.#burst.byType[type] = (this.#burst.byType[type] ?? 0) + 1
  }

  #beginBurst(): ActivityBurst {
    this.#burstTimer.wakeIn(SECOND_MS, () => {
      const { burst } = { burst: this.#burst }
      this.#burst = undefined
      if (burst !== undefined) this.#tell('burst', burst)
    })
    return { changes: 0, byType: {}, requests: 0, deliveries: 0 }
  }

  #tell<Kind extends keyof Activities>(event: Kind, data: Activities[Kind]): void {
    const message = { id: `${this.#token}-${++this.#number}`, event, data }
    this.#kept.push(message)
    if (this.#kept.length >= 2 * KEPT) this.#kept = this.#kept.slice(-KEPT)
    for (const reader of this.#readers) tell(reader, message)
  }

  /** What was told after the message with this id, oldest first. */
  #keptAfter(lastId: string | undefined): StreamMessage[] {
    if (lastId === undefined) return []
    const at = this.#kept.findIndex(({ id }) => id === lastId)
    if (at !== -1) return this.#kept.slice(at + 1)
    return [{ id: `${this.#token}-${this.#number}`, event: 'gap', data: { after: lastId } }]
  }
}

/** A reader with too much to read is cut off, and begins again with a gap. */
function tell({ stream, kinds }: FeedReader, message: StreamMessage): void {
  if (!kinds.has(message.event)) return
  stream.send(message)
  void stream.room()
}

const TOO_SLOW =
  'This reader is too slow, so that activities after the last one that it read were left out. Read faster, or go on with the header `Last-Event-ID`; the latest 1,000 activities are kept.'

/** What endpoints change of the settings. */
const SETTINGS: { readonly [Id in EndpointId]?: Activities['settings']['changed'] } = {
  setBehaviour: 'behaviour',
  addRule: 'rules',
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
