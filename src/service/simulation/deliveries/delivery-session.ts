import type { Runtime } from '../../../runtime/runtime.ts'
import { StoreUnavailable } from '../../store/store.ts'
import type { DeliveryLease } from '../../store/work.ts'
import type { Dispatcher } from '../../webhooks/dispatcher.ts'
import { takeKept } from './kept-delivery.ts'
import { readNotes } from './kept-sending.ts'
import { type LeaseParts, SenderLease } from './sender-lease.ts'
import { Settlements } from './settlements.ts'

/** How long a lease is, and how much longer than the longest request of its webhooks. */
export const LEAST_LEASE_MS = 30_000
const BEYOND_REQUEST_MS = 15_000
/** How often a sender renews its lease, and looks for what other nodes have added. */
const RENEW_MS = 500
/** How long a sender goes on before it gives others the turn. */
const LONGEST_MS = 10_000
/** Events of a webhook that are at hand, and chunks that are fetched at a time. */
const EVENTS_AHEAD = 1_000
const CHUNKS_AHEAD = 4
/** Deliveries of a webhook with an attempt to come that are at hand: those that are due first. */
const MOST_WAITING = 5_000
/** Events that may wait behind an endpoint that fails. */
const MOST_BEHIND_FAILING = 10_000
const PAUSE_MS = 200
/** How long a node that goes tries to give a lease back. */
const CLOSING_MS = 1_000

/** What a sender works on. */
export interface SenderParts extends LeaseParts {
  readonly runtime: Runtime
}

/** How a session has ended. */
interface SessionEnd<T> {
  /** After how many milliseconds something is due. */
  readonly dueInMs: number | undefined
  /** What came of the turn of the clock, where there was one. */
  readonly turned?: PromiseSettledResult<T>
}

/** How long a lease for these webhooks has to be, once it was claimed. */
function leaseMsOf({ queues }: Dispatcher): number {
  const timeouts = [...queues.values()].map(({ form }) => form.dialect.delivery.timeoutSeconds * 1_000)
  return Math.max(LEAST_LEASE_MS, BEYOND_REQUEST_MS + Math.max(0, ...timeouts))
}

/** One node sends the deliveries of one simulation under a lease, until nothing is due. */
export class DeliverySession {
  readonly #lease: SenderLease
  readonly #notes: string
  readonly #leaseMs: number
  readonly #parts: SenderParts
  readonly #settlements: Settlements
  /** How far the store's clock is ahead of this machine's. */
  readonly #offsetMs: number
  /** The last chunk of each webhook that was taken. */
  readonly #taken = new Map<string, number>()
  readonly #ended = new AbortController()
  #leaseEndsAt: number
  /** As it was before the chunks were last looked for. */
  #pulse = -1
  #isEnding = false
  #isClosing = false
  #more = Promise.withResolvers<void>()

  /** @param claimed just now, for 30 s @param generation what `look` has given since */
  constructor(claimed: DeliveryLease, generation: number, parts: SenderParts & { readonly offsetMs: number }) {
    this.#lease = new SenderLease(claimed, generation, parts)
    this.#notes = claimed.notes
    this.#leaseMs = leaseMsOf(parts.dispatcher)
    this.#offsetMs = parts.offsetMs
    this.#parts = parts
    this.#settlements = new Settlements(this.#lease, parts)
    this.#leaseEndsAt = parts.runtime.clock.monotonic() + LEAST_LEASE_MS
  }

  /** Something was added: it is looked for at once. */
  nudge(): void {
    this.#more.resolve()
  }

  /** Begins no further request, and ends when those under way are kept. @param isClosing whether the node goes */
  end(isClosing = false): void {
    this.#isEnding = true
    this.#isClosing ||= isClosing
    for (const queue of this.#parts.dispatcher.queues.values()) queue.leaseEndsAt = Number.NEGATIVE_INFINITY
    this.nudge()
  }

  /**
   * Sends what is due, then does `turn` where there is one, and gives the lease back, though `turn` may fail. Returns what came of
   * `turn`, and after how many milliseconds something is due.
   */
  async run<T>(turn?: () => Promise<T>): Promise<SessionEnd<T>> {
    const { dispatcher } = this.#parts
    const notes = readNotes(this.#notes)
    dispatcher.begin({ ...notes, offsetMs: notes.offsetMs + this.#offsetMs }, this.#settlements)
    for (const queue of dispatcher.queues.values()) queue.leaseEndsAt = this.#leaseEndsAt
    void this.#keepLease()
    try {
      await this.#takeWaiting()
      await this.#sendAll(turn === undefined)
      const mayTurn = turn !== undefined && !this.#settlements.isLost
      const [turned] = mayTurn ? await Promise.allSettled([turn()]) : []
      await dispatcher.underWay.quiet()
      // A turn that nothing was sent in has moved the clock all the same.
      if (turn !== undefined) await this.#settlements.keepNotes()
      return { dueInMs: await this.#release(), ...(turned !== undefined && { turned }) }
    } finally {
      this.#ended.abort()
      this.#settlements.lose()
      dispatcher.end()
    }
  }

  /** Until nothing is due. @param isShared whether others get their turn after a time */
  async #sendAll(isShared: boolean): Promise<void> {
    const { dispatcher, runtime } = this.#parts
    const end = runtime.clock.monotonic() + LONGEST_MS
    while (!this.#settlements.isLost) {
      this.#more = Promise.withResolvers()
      const isAdded = !this.#isEnding && (await this.#takeMore())
      dispatcher.goOn()
      const nudged = this.#more.promise.then(() => false)
      const isIdle = await Promise.race([dispatcher.settled(RENEW_MS), nudged])
      if (isIdle && !isAdded && !this.#hasFirst) return
      if (isShared && !this.#isEnding && runtime.clock.monotonic() >= end) this.end()
    }
  }

  /** Whether an event at hand may be sent that was not yet. */
  get #hasFirst(): boolean {
    if (this.#isEnding) return false
    return [...this.#parts.dispatcher.queues.values()].some(
      ({ isOff, isExhausted, first }) => first.size > 0 && !isOff && !isExhausted,
    )
  }

  /** Takes the deliveries with an attempt to come. */
  async #takeWaiting(): Promise<void> {
    const { work, dispatcher } = this.#parts
    const { simulation } = this.#lease.now
    const [waiting] = await Promise.all([work.waiting(simulation, MOST_WAITING), this.#lease.takeFailures()])
    dispatcher.tellExhausted()
    for (const kept of waiting) {
      const queue = dispatcher.queues.get(kept.webhook)
      const delivery = queue && takeKept(kept, queue)
      if (queue === undefined || delivery === undefined || kept.dueAt === null) continue
      delivery.dueAt = kept.dueAt
      dispatcher.schedule.addAt(kept.dueAt, { queue, delivery, isReordered: false })
    }
  }

  /** Takes the next events of each webhook that has few at hand. Returns whether there were any. */
  async #takeMore(): Promise<boolean> {
    const { work, dispatcher } = this.#parts
    const { simulation } = this.#lease.now
    try {
      this.#pulse = (await this.#renew()) ?? -1
      await this.#dropTooMany()
      const hungry = [...dispatcher.queues].filter(([, queue]) => !queue.isOff && queue.first.size < EVENTS_AHEAD)
      const marks = hungry.map(([webhook]) => ({ webhook, after: this.#taken.get(webhook) ?? 0 }))
      const chunks = await work.chunks(simulation, marks, CHUNKS_AHEAD)
      if (this.#settlements.isLost) return false
      for (const chunk of chunks) {
        const queue = dispatcher.queues.get(chunk.webhook)
        if (queue === undefined) continue
        this.#taken.set(chunk.webhook, chunk.id)
        dispatcher.take(queue, this.#settlements.chunks.open(chunk, queue.form))
      }
      return chunks.length > 0
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      await this.#parts.runtime.sleep(PAUSE_MS)
      return true
    }
  }

  /** Behind an endpoint that fails not everything is kept. */
  async #dropTooMany(): Promise<void> {
    for (const [webhook, queue] of this.#parts.dispatcher.queues) {
      if (queue.isFailing) await this.#parts.work.drop(this.#lease.now, webhook, MOST_BEHIND_FAILING)
    }
  }

  async #keepLease(): Promise<void> {
    const { runtime } = this.#parts
    const { signal } = this.#ended
    while (!signal.aborted) {
      const isOver = await runtime.sleep(RENEW_MS, signal).then(
        () => false,
        () => true,
      )
      const pulse = isOver ? undefined : await this.#renew().catch(() => undefined)
      if (pulse !== undefined && pulse !== this.#pulse) this.nudge()
      if (runtime.clock.monotonic() > this.#leaseEndsAt) this.#lose()
    }
  }

  /** Returns the pulse; undefined where the lease is lost. */
  async #renew(): Promise<number | undefined> {
    const { work, runtime, dispatcher } = this.#parts
    const askedAt = runtime.clock.monotonic()
    const renew = () => work.renew(this.#lease.now, this.#leaseMs)
    const renewed = (await renew()) ?? ((await this.#lease.follow()) ? await renew() : undefined)
    if (renewed === undefined) {
      this.#lose()
      return undefined
    }
    this.#leaseEndsAt = askedAt + this.#leaseMs
    if (!this.#isEnding) for (const queue of dispatcher.queues.values()) queue.leaseEndsAt = this.#leaseEndsAt
    return renewed.pulse
  }

  /** What is at hand is another sender's, or past. */
  #lose(): void {
    if (this.#ended.signal.aborted || this.#settlements.isLost) return
    this.#settlements.lose()
    this.#parts.dispatcher.dropWaiting()
    this.nudge()
  }

  /** Returns after how many milliseconds something is due. */
  async #release(): Promise<number | undefined> {
    const { work, dispatcher, runtime } = this.#parts
    const lease = this.#lease.now
    const off = [...dispatcher.queues].flatMap(([id, { isOff, isExhausted }]) => (isOff || isExhausted ? [id] : []))
    const offsetMs = dispatcher.keep().offsetMs - this.#offsetMs
    const next = { pulse: this.#settlements.isLost ? -1 : this.#pulse, off, offsetMs }
    const deadline = runtime.clock.monotonic() + (this.#isClosing ? CLOSING_MS : this.#leaseMs)
    for (;;) {
      try {
        if (this.#settlements.webhooks.size > 0) await work.forgetOld(lease.simulation, [...this.#settlements.webhooks])
        return await work.release(lease, next)
      } catch (error) {
        // A lease that cannot be given back runs out.
        if (runtime.clock.monotonic() > deadline) throw error
      }
      await runtime.sleep(PAUSE_MS)
    }
  }
}
