import type { DeliveryActivity } from '../../../protocol/activity.ts'
import type {
  AdvanceRequest,
  Delivery,
  DeliveryDetail,
  ReplayRequest,
  WebhookFault,
  WebhookState,
} from '../../../protocol/webhook.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { WakeTimer } from '../../../runtime/timers.ts'
import { askPatiently } from '../../store/ask-patiently.ts'
import type { Store } from '../../store/store.ts'
import { type DeliveryLease, type DueWork, KEPT_DELIVERIES } from '../../store/work.ts'
import type { Deliveries } from '../../webhooks/deliveries.ts'
import type { DeliveryQueue } from '../../webhooks/delivery-queue.ts'
import type { Dispatcher } from '../../webhooks/dispatcher.ts'
import { bodyGone, toDetail } from '../../webhooks/replay.ts'
import { noDelivery } from '../../webhooks/webhook-settings.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import { busy } from '../running/command-lane-errors.ts'
import type { RunningCore } from '../running/running-core.ts'
import { DeliverySession, LEAST_LEASE_MS } from './delivery-session.ts'
import { readKept, readNotes, showDeliveries, showOff, takeKept } from './kept-delivery.ts'

/** Interval of checking whether another node has sent due deliveries, and has released its lease. */
const LOOK_MS = 25
const LONGEST_TURN_WAIT_MS = 25_000
/** Least time between two checks for due deliveries. */
const LEAST_PAUSE_MS = 20
/** How long running requests may continue while the node closes. */
const CLOSING_MS = 1_000

interface StoredDeliveriesParts {
  readonly id: string
  readonly store: Store
  readonly webhooks: Webhooks
  readonly running: RunningCore
  readonly runtime: Runtime
  /** Runs work on the state shared by all nodes. */
  run<T>(work: () => T): Promise<T>
}

/** The deliveries of one simulation in a store, sent by the node with the lease. */
export class StoredDeliveries implements Deliveries {
  readonly #parts: StoredDeliveriesParts
  readonly #work: DueWork
  readonly #dispatcher: Dispatcher
  readonly #timer: WakeTimer
  /** Local sessions, one after the other. */
  #current: Promise<unknown> = Promise.resolve()
  #session: DeliverySession | undefined
  /** Whether a session will start in a later turn. */
  #isPlanned = false
  #isClosed = false

  constructor(parts: StoredDeliveriesParts) {
    this.#parts = parts
    this.#work = parts.store.work
    this.#dispatcher = parts.webhooks.dispatcher
    this.#timer = new WakeTimer(parts.runtime.startTimer)
  }

  /** Whether this node is sending deliveries, or will soon. */
  get isBusy(): boolean {
    return this.#session !== undefined || this.#isPlanned
  }

  /** Causes sending of possibly due deliveries, here unless another node does it. */
  nudge(): void {
    if (this.#session !== undefined) this.#session.nudge()
    else if (!this.#isPlanned && !this.#isClosed) this.#plan(undefined)
  }

  /** Sends due deliveries under a lease that this node has just got. */
  take(lease: DeliveryLease): void {
    this.#plan(lease)
  }

  async states(): Promise<WebhookState[]> {
    const [lanes, shown] = await Promise.all([
      this.#ask((work) => work.lanes(this.#parts.id)),
      this.#look(() => [...this.#dispatcher.queues.values()].map((queue) => ({ queue, state: queue.state() }))),
    ])
    const failuresOf = new Map(lanes.map(({ webhook, failures }) => [webhook, failures]))
    return shown.map(({ queue, state }) => {
      const failures = failuresOf.get(state.id) ?? 0
      return { ...state, failures, state: isOff(queue, failures) ? 'off' : 'active' }
    })
  }

  async deliveries(id: string): Promise<Delivery[]> {
    const queue = await this.#look(() => this.#dispatcher.queue(id))
    const [lanes, found] = await Promise.all([
      this.#ask((work) => work.lanes(this.#parts.id)),
      this.#ask((work) => work.deliveries(this.#parts.id, id, KEPT_DELIVERIES)),
    ])
    const failures = lanes.find(({ webhook }) => webhook === id)?.failures ?? 0
    return showDeliveries(id, found, { form: queue.form, isOff: isOff(queue, failures), most: KEPT_DELIVERIES })
  }

  async read(id: string, deliveryId: string): Promise<DeliveryDetail> {
    const [queue, { kept }] = await Promise.all([
      this.#look(() => this.#dispatcher.queue(id)),
      this.#ask((work) => work.deliveries(this.#parts.id, id, KEPT_DELIVERIES)),
    ])
    const found = kept.map(readKept).find(({ shown }) => shown.id === deliveryId)
    if (found === undefined) throw noDelivery(deliveryId)
    return toDetail(queue, showOff(found.shown, isOff(queue, queue.failures)), found.sent)
  }

  replay(webhookId: string, deliveryId: string, request: ReplayRequest): Promise<DeliveryDetail> {
    return this.#turn(async () => {
      await this.#fetch(webhookId, deliveryId)
      return this.#parts.webhooks.replay(webhookId, deliveryId, request)
    })
  }

  async faults(): Promise<WebhookFault[]> {
    const settings = await this.#look(() => this.#parts.running.core.webhooks.faults())
    const { faults } = readNotes(await this.#ask((work) => work.notes(this.#parts.id)))
    const firingsOf = new Map(faults.map(({ id, firings }) => [id, firings]))
    return settings.map((fault) => ({ ...fault, events: [...fault.events], firings: firingsOf.get(fault.id) ?? [] }))
  }

  async forgiveFailures(id: string): Promise<void> {
    await this.#ask((work) => work.forgive(this.#parts.id, id))
    this.nudge()
  }

  advance(request: AdvanceRequest): Promise<{ attempts: number }> {
    return this.#turn(() => this.#parts.webhooks.advance(request))
  }

  async settled(timeoutMs: number): Promise<boolean> {
    const { clock, sleep } = this.#parts.runtime
    const deadline = clock.monotonic() + timeoutMs
    this.nudge()
    for (;;) {
      if (await this.#ask((work) => work.isSettled(this.#parts.id))) return true
      if (clock.monotonic() >= deadline) return false
      await sleep(LOOK_MS)
    }
  }

  get dropped(): Promise<number> {
    return this.#ask((work) => work.lanes(this.#parts.id)).then((lanes) =>
      lanes.reduce((sum, { dropped }) => sum + dropped, 0),
    )
  }

  /** Attempts of other nodes from now on. */
  watchElsewhere(): DeliveriesElsewhere {
    const { id, store } = this.#parts
    return new DeliveriesElsewhere(id, store, this.#dispatcher.queues)
  }

  /** Ends local sending; waiting deliveries remain for another node or the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer.stop()
    this.#session?.end(true)
    await Promise.race([this.#current, this.#parts.runtime.sleep(CLOSING_MS)])
    this.#dispatcher.dropWaiting()
    await this.#current
  }

  /** Loads a delivery, if it is finished. Throws `bad_request` where its body is no longer kept. */
  async #fetch(webhook: string, deliveryId: string): Promise<void> {
    const queue = this.#dispatcher.queue(webhook)
    const { kept } = await this.#work.deliveries(this.#parts.id, webhook, KEPT_DELIVERIES)
    const found = kept.find((one) => one.dueAt === null && readKept(one).shown.id === deliveryId)
    if (found !== undefined && takeKept(found, queue) === undefined) throw bodyGone(deliveryId)
  }

  #plan(lease: DeliveryLease | undefined): void {
    this.#isPlanned = true
    this.#current = this.#current.then(() => this.#sendDue(lease)).catch(() => {})
  }

  async #sendDue(claimed: DeliveryLease | undefined): Promise<void> {
    const { id, runtime } = this.#parts
    this.#isPlanned = false
    if (this.#isClosed) return
    const lease = claimed ?? (await this.#work.claim(id, runtime.uuid(), LEAST_LEASE_MS))
    if (lease === undefined) return
    const { dueInMs } = await this.#hold(lease)
    if (dueInMs !== undefined && !this.#isClosed) {
      this.#timer.wakeIn(Math.max(LEAST_PAUSE_MS, dueInMs), () => this.nudge())
    }
  }

  /** Advances the delivery clock after all due deliveries are sent, here or by another node. */
  async #turn<T>(turn: () => Promise<T>): Promise<T> {
    this.#session?.end()
    const result = this.#current.then(async () => {
      const { dueInMs, turned } = await this.#hold(await this.#claim(), turn)
      if (dueInMs !== undefined) this.#timer.wakeIn(Math.max(LEAST_PAUSE_MS, dueInMs), () => this.nudge())
      if (turned === undefined) throw busy('its deliveries were taken over by another node')
      if (turned.status === 'rejected') throw turned.reason
      return turned.value
    })
    this.#current = result.catch(() => {})
    return result
  }

  async #claim(): Promise<DeliveryLease> {
    const { id, runtime } = this.#parts
    const deadline = runtime.clock.monotonic() + LONGEST_TURN_WAIT_MS
    for (;;) {
      const lease = await this.#ask((work) => work.claim(id, runtime.uuid(), LEAST_LEASE_MS))
      if (lease !== undefined) return lease
      if (runtime.clock.monotonic() >= deadline) throw busy('another node is sending its deliveries')
      await runtime.sleep(LOOK_MS)
    }
  }

  /** Runs a session with the current webhooks of all nodes. */
  async #hold<T>(lease: DeliveryLease, turn?: () => Promise<T>) {
    const { store, runtime, running } = this.#parts
    try {
      const look = () => this.#look(() => running.core.log.generation)
      const generation = await look().catch(async (error: unknown) => {
        await this.#work.release(lease, { pulse: -1, off: [], offsetMs: 0 })
        throw error
      })
      const { isShared, offsetMs } = store
      const parts = { work: this.#work, dispatcher: this.#dispatcher, runtime, look, isShared, offsetMs }
      const session = new DeliverySession(lease, generation, parts)
      this.#session = session
      return await session.run(turn)
    } finally {
      this.#session = undefined
    }
  }

  /** The current settings of all nodes. */
  async #look<T>(read: () => T): Promise<T> {
    await this.#parts.run(() => {})
    return read()
  }

  #ask<T>(ask: (work: DueWork) => Promise<T>): Promise<T> {
    return askPatiently(this.#parts.runtime, () => ask(this.#work))
  }
}

/** Whether a webhook is disabled, or will be soon. */
function isOff({ isOff: isSwitchedOff, lanes, form }: DeliveryQueue, failures: number): boolean {
  const { offAfter } = form.format.delivery
  return isSwitchedOff || lanes.refusal !== undefined || (offAfter !== null && failures >= offAfter)
}

/** How late a settlement may become visible, after later ones. */
const LATE_MS = 5_000
/** Longest time from an attempt to saving it: its lease is renewed until then, or another node repeats it. */
const UNKEPT_MS = 60_000

/** Other nodes' delivery attempts of one simulation, as they become known. */
export class DeliveriesElsewhere {
  readonly #id: string
  readonly #store: Store
  readonly #queues: ReadonlyMap<string, DeliveryQueue>
  /**
   * Announced attempts, by delivery and number of attempts, with the time of saving, or its latest possible time, by
   * the store's clock.
   */
  readonly #known = new Map<string, number>()
  readonly #from: number
  #latest: number

  /** Ignores earlier attempts. */
  constructor(id: string, store: Store, queues: ReadonlyMap<string, DeliveryQueue>) {
    this.#id = id
    this.#store = store
    this.#queues = queues
    this.#from = store.clockMs
    this.#latest = this.#from
  }

  /** Notes an attempt of this node, which is announced at once. */
  pass(delivery: Pick<Delivery, 'id' | 'attempts'>): void {
    this.#known.set(nameOf(delivery), this.#store.clockMs + UNKEPT_MS)
  }

  /** Deliveries with a new attempt, in order of saving. */
  async take(): Promise<DeliveryActivity[]> {
    if (this.#queues.size === 0) return []
    const after = Math.max(this.#from, this.#latest - LATE_MS)
    const settled = await this.#store.work.settledAfter(this.#id, after)
    for (const [name, at] of this.#known) if (at < after) this.#known.delete(name)
    return settled.flatMap((kept) => {
      const { shown } = readKept(kept)
      const name = nameOf(shown)
      this.#latest = Math.max(this.#latest, kept.keptAt)
      const isKnown = this.#known.has(name)
      this.#known.set(name, kept.keptAt)
      if (isKnown || shown.attempts.length === 0) return []
      const isOff = this.#queues.get(kept.webhook)?.isActive === false
      return [{ ...showOff(shown, isOff), webhookId: kept.webhook }]
    })
  }
}

const nameOf = ({ id, attempts }: Pick<Delivery, 'id' | 'attempts'>): string => `${id} ${attempts.length}`
