import { StoreUnavailable } from '../../store/store.ts'
import type { DeliveryLease } from '../../store/work.ts'
import type { Dispatcher } from '../../webhooks/dispatcher.ts'
import { readNotes, takeKept } from './kept-delivery.ts'
import { SenderLease, type SettlementParts, Settlements } from './settlements.ts'

/** Least duration of a lease, and its excess over the longest request of its webhooks. */
export const LEAST_LEASE_MS = 30_000
const BEYOND_REQUEST_MS = 15_000
/** Interval of renewing a lease, and of checking for additions by other nodes. */
const RENEW_MS = 500
/** How long a sender continues before other simulations get their turn. */
const LONGEST_MS = 10_000
/** Most loaded events of a webhook, and most chunks fetched at a time. */
const EVENTS_AHEAD = 1_000
const CHUNKS_AHEAD = 4
/** Most loaded deliveries of a webhook with a future attempt: those with the earliest due times. */
const MOST_WAITING = 5_000
/** Most events that wait for a failing endpoint. */
const MOST_BEHIND_FAILING = 10_000
const PAUSE_MS = 200
/** How long a closing node tries to release a lease. */
const CLOSING_MS = 1_000

interface SenderParts extends SettlementParts {
  /** Whether the store may be restored from a backup, or fail over, while this node runs. */
  readonly isShared: boolean
}

interface SessionEnd<T> {
  /** Milliseconds until the next due delivery. */
  readonly dueInMs: number | undefined
  /** Result of advancing the clock, if any. */
  readonly turned?: PromiseSettledResult<T>
}

/** Required duration of a lease for these webhooks, after the claim. */
function leaseMsOf({ queues }: Dispatcher): number {
  const timeouts = [...queues.values()].map(({ form }) => form.format.delivery.timeoutSeconds * 1_000)
  return Math.max(LEAST_LEASE_MS, BEYOND_REQUEST_MS + Math.max(0, ...timeouts))
}

/** One node sends the deliveries of one simulation under a lease, until none is due. */
export class DeliverySession {
  readonly #lease: SenderLease
  readonly #leaseMs: number
  readonly #parts: SenderParts
  readonly #settlements: Settlements
  /** The last chunk taken for each webhook. */
  readonly #taken = new Map<string, number>()
  readonly #ended = new AbortController()
  #leaseEndsAt: number
  /** Its value before the last check for chunks. */
  #pulse = -1
  #isEnding = false
  #isClosing = false
  #more = Promise.withResolvers<void>()

  /** @param claimed just now, for 30 s @param generation the result of `look` since then */
  constructor(claimed: DeliveryLease, generation: number, parts: SenderParts) {
    this.#lease = new SenderLease(claimed, generation, parts)
    this.#leaseMs = leaseMsOf(parts.dispatcher)
    this.#parts = parts
    this.#settlements = new Settlements(this.#lease, parts)
    this.#leaseEndsAt = parts.runtime.clock.monotonic() + LEAST_LEASE_MS
  }

  /** Checks for additions at once. */
  nudge(): void {
    this.#more.resolve()
  }

  /** Starts no more requests, and ends when the results of running ones are saved. @param isClosing whether the node closes */
  end(isClosing = false): void {
    this.#isEnding = true
    this.#isClosing ||= isClosing
    for (const queue of this.#parts.dispatcher.queues.values()) queue.leaseEndsAt = Number.NEGATIVE_INFINITY
    this.nudge()
  }

  /**
   * Sends due deliveries, then runs `turn` if given, and releases the lease even if `turn` fails. Returns the result of
   * `turn`, and the milliseconds until the next due delivery.
   */
  async run<T>(turn?: () => Promise<T>): Promise<SessionEnd<T>> {
    const { dispatcher } = this.#parts
    const notes = readNotes(this.#lease.now.notes)
    dispatcher.begin({ ...notes, offsetMs: notes.offsetMs + this.#parts.offsetMs }, this.#settlements)
    for (const queue of dispatcher.queues.values()) queue.leaseEndsAt = this.#leaseEndsAt
    void this.#keepLease()
    try {
      await this.#takeWaiting()
      await this.#sendAll(turn === undefined)
      const mayTurn = turn !== undefined && !this.#settlements.isLost
      const [turned] = mayTurn ? await Promise.allSettled([turn()]) : []
      await dispatcher.underWay.quiet()
      // A turn without any delivery has moved the clock, too.
      if (turn !== undefined) await this.#settlements.keepNotes()
      return { dueInMs: await this.#release(), ...(turned !== undefined && { turned }) }
    } finally {
      this.#ended.abort()
      this.#settlements.lose()
      dispatcher.end()
    }
  }

  /** Sends until nothing is due. @param isShared whether others get their turn after a time */
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

  /** Whether a loaded event may be sent for the first time. */
  get #hasFirst(): boolean {
    if (this.#isEnding) return false
    return [...this.#parts.dispatcher.queues.values()].some(
      ({ isOff, isExhausted, first }) => first.size > 0 && !isOff && !isExhausted,
    )
  }

  /** Loads the deliveries with a future attempt. */
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

  /** Loads the next events of each webhook with few loaded ones. Returns whether there were any. */
  async #takeMore(): Promise<boolean> {
    const { work, dispatcher } = this.#parts
    const { simulation } = this.#lease.now
    try {
      this.#pulse = (await this.#renew()) ?? -1
      await this.#dropTooMany()
      const hungry = [...dispatcher.queues].filter(([, queue]) => !queue.isOff && queue.first.size < EVENTS_AHEAD)
      const marks = hungry.map(([webhook]) => ({ webhook, after: this.#taken.get(webhook) ?? 0 }))
      const chunks = await work.chunks(simulation, marks, CHUNKS_AHEAD)
      // A store that accepts this also has what was read: a database loses the latest commits first.
      if (this.#parts.isShared && chunks.length > 0) await this.#renew()
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

  /** Drops events beyond the limit of a failing endpoint. */
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

  /** Returns the pulse; undefined for a lost lease. */
  async #renew(): Promise<number | undefined> {
    const { work, runtime, dispatcher } = this.#parts
    const askedAt = runtime.clock.monotonic()
    const renew = () => work.renew(this.#lease.now, this.#leaseMs)
    const renewed = (await renew()) ?? ((await this.#lease.follow()) ? await renew() : undefined)
    if (renewed === undefined) {
      this.#lose()
      return undefined
    }
    this.#lease.noteRenewed(renewed.until)
    this.#leaseEndsAt = askedAt + this.#leaseMs
    if (!this.#isEnding) for (const queue of dispatcher.queues.values()) queue.leaseEndsAt = this.#leaseEndsAt
    return renewed.pulse
  }

  /** Loaded deliveries belong to another sender, or are outdated. */
  #lose(): void {
    if (this.#ended.signal.aborted || this.#settlements.isLost) return
    this.#settlements.lose()
    this.#parts.dispatcher.dropWaiting()
    this.nudge()
  }

  /** Returns the milliseconds until the next due delivery. */
  async #release(): Promise<number | undefined> {
    const { work, dispatcher, runtime } = this.#parts
    const lease = this.#lease.now
    const off = [...dispatcher.queues].flatMap(([id, { isOff, isExhausted }]) => (isOff || isExhausted ? [id] : []))
    const offsetMs = dispatcher.keep().offsetMs - this.#parts.offsetMs
    const next = { pulse: this.#settlements.isLost ? -1 : this.#pulse, off, offsetMs }
    const deadline = runtime.clock.monotonic() + (this.#isClosing ? CLOSING_MS : this.#leaseMs)
    for (;;) {
      try {
        if (this.#settlements.webhooks.size > 0) await work.forgetOld(lease.simulation, [...this.#settlements.webhooks])
        return await work.release(lease, next)
      } catch (error) {
        // A lease that cannot be released expires.
        if (runtime.clock.monotonic() > deadline) throw error
      }
      await runtime.sleep(PAUSE_MS)
    }
  }
}
