import { type CancelTimer, startTimer } from '../runtime/timers.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import type { RejectedRequest } from './rejection.ts'

/** A position in an inbox: later arrivals have a higher number. */
export interface Mark {
  readonly sequence: number
}

/** The webhooks or requests that a caller wants. */
export interface InboxQuery<Item> {
  matches: (item: Item) => boolean
  /** Only arrivals after this mark. */
  since?: Mark | undefined
  /** Whether to skip claimed items, and to claim the returned ones. @default true */
  claim?: boolean | undefined
  /** The wanted attempt: a retry of a claimed delivery counts as unclaimed for a higher attempt. */
  attempt?: number | undefined
}

/** Receives all arrivals of an inbox. */
export interface InboxObserver<Item> {
  /** A webhook arrived, or another attempt of it. */
  received?: (item: Item) => void
  rejected?: (request: RejectedRequest) => void
}

interface Entry<Item> {
  readonly item: Item
  readonly sequence: number
  /** The highest claimed attempt; 0 when unclaimed. */
  claimedAttempt: number
}

interface Waiter<Item> {
  readonly query: InboxQuery<Item>
  readonly count: number
  readonly found: Set<Entry<Item>>
  readonly resolve: (items: Item[] | undefined) => void
  readonly reject: (error: unknown) => void
  readonly cancelTimer: CancelTimer
}

/** How many webhooks an inbox keeps by default. */
export const DEFAULT_CAPACITY = 100_000
const MAX_REJECTED = 1_000

/**
 * The webhooks that one simulation sent, or the requests that it received, in order of arrival. An arrival resolves the
 * waiters that it completes.
 */
export class Inbox<Item extends object = ReceivedWebhook> {
  readonly #capacity: number
  readonly #waiters = new Set<Waiter<Item>>()
  readonly #observers = new Set<InboxObserver<Item>>()
  #entries = new Map<Item, Entry<Item>>()
  #rejected: { request: RejectedRequest; sequence: number }[] = []
  #sequence = 0
  #closed = false

  /** @param options.capacity most items to keep; the oldest are dropped first. @default 100_000 */
  constructor(options: { capacity?: number } = {}) {
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY
  }

  /** All items, or those after a mark, oldest first. */
  all(since?: Mark): readonly Item[] {
    return this.#select({ matches: () => true, since, claim: false }).map(({ item }) => item)
  }

  /** The latest 1000 requests that the sink refused, oldest first. */
  rejected(since?: Mark): readonly RejectedRequest[] {
    const after = since?.sequence ?? 0
    return this.#rejected.filter(({ sequence }) => sequence > after).map(({ request }) => request)
  }

  /** The current position, for later queries. */
  mark(): Mark {
    return { sequence: this.#sequence }
  }

  /** Forgets all received, rejected and claimed items. Waiters keep waiting. */
  clear(): void {
    this.#entries = new Map()
    this.#rejected = []
    for (const waiter of this.#waiters) waiter.found.clear()
  }

  /** Adds an item and resolves the waiters that it completes. */
  add(item: Item): void {
    const entry: Entry<Item> = { item, sequence: ++this.#sequence, claimedAttempt: 0 }
    this.#entries.set(item, entry)
    dropOldest(this.#entries, this.#capacity)
    this.#offer(entry)
  }

  /** Announces another attempt of a webhook, or the answer to a request; a cleared item is added again. */
  update(item: Item): void {
    const entry = this.#entries.get(item)
    if (entry) this.#offer(entry)
    else this.add(item)
  }

  reject(request: RejectedRequest): void {
    this.#rejected.push({ request, sequence: ++this.#sequence })
    if (this.#rejected.length > MAX_REJECTED) this.#rejected.shift()
    for (const observer of this.#observers) observer.rejected?.(request)
  }

  /** Calls `observer` for all arrivals until the returned function is called. */
  observe(observer: InboxObserver<Item>): () => void {
    this.#observers.add(observer)
    return () => {
      this.#observers.delete(observer)
    }
  }

  /** Matching items now, oldest first; claims them unless `claim` is false. */
  take(query: InboxQuery<Item>, count: number = Number.POSITIVE_INFINITY): Item[] {
    return claim(query, this.#select(query, count))
  }

  /** Whether `item` has been claimed. */
  isClaimed(item: Item): boolean {
    return (this.#entries.get(item)?.claimedAttempt ?? 0) > 0
  }

  /**
   * Resolves with the first `count` matching items as soon as they have arrived; with undefined when `timeoutMs` have
   * passed or the inbox closes; rejects with an error that `matches` throws. Earlier callers are served first.
   */
  waitFor(
    query: InboxQuery<Item>,
    options: { count?: number | undefined; timeoutMs: number },
  ): Promise<Item[] | undefined> {
    return new Promise((resolve, reject) => {
      const count = options.count ?? 1
      const here = this.#select(query, count)
      if (here.length >= count) return resolve(claim(query, here))
      if (this.#closed) return resolve(undefined)
      const giveUp = () => this.#finish(waiter, () => resolve(undefined))
      const cancelTimer = startTimer(options.timeoutMs, giveUp, { keepAlive: true })
      const waiter: Waiter<Item> = { query, count, found: new Set(here), resolve, reject, cancelTimer }
      this.#waiters.add(waiter)
    })
  }

  /** Ends every wait. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiters) this.#finish(waiter, () => waiter.resolve(undefined))
  }

  #select(query: InboxQuery<Item>, count: number = Number.POSITIVE_INFINITY): Entry<Item>[] {
    const found: Entry<Item>[] = []
    for (const entry of this.#entries.values()) {
      if (found.length >= count) break
      if (isWanted(query, entry)) found.push(entry)
    }
    return found
  }

  #offer(entry: Entry<Item>): void {
    for (const observer of this.#observers) observer.received?.(entry.item)
    for (const waiter of this.#waiters) {
      try {
        this.#offerTo(waiter, entry)
      } catch (error) {
        this.#finish(waiter, () => waiter.reject(error))
      }
    }
  }

  #offerTo(waiter: Waiter<Item>, entry: Entry<Item>): void {
    if (!isWanted(waiter.query, entry)) return
    waiter.found.add(entry)
    for (const other of waiter.found) if (!isFree(waiter.query, other)) waiter.found.delete(other)
    if (waiter.found.size < waiter.count) return
    this.#finish(waiter, () => waiter.resolve(claim(waiter.query, [...waiter.found])))
  }

  #finish(waiter: Waiter<Item>, settle: () => void): void {
    waiter.cancelTimer()
    this.#waiters.delete(waiter)
    settle()
  }
}

function isWanted<Item>(query: InboxQuery<Item>, entry: Entry<Item>): boolean {
  return entry.sequence > (query.since?.sequence ?? 0) && isFree(query, entry) && query.matches(entry.item)
}

function isFree<Item>(query: InboxQuery<Item>, entry: Entry<Item>): boolean {
  return query.claim === false || entry.claimedAttempt < (query.attempt ?? 1)
}

function claim<Item extends object>(query: InboxQuery<Item>, entries: readonly Entry<Item>[]): Item[] {
  if (query.claim !== false) for (const entry of entries) entry.claimedAttempt = attemptOf(entry.item)
  return entries.map(({ item }) => item)
}

/** A request has only one attempt. */
function attemptOf(item: object): number {
  return 'attempt' in item && typeof item.attempt === 'number' ? item.attempt : 1
}

/**
 * Keeps a Map at or below `capacity` by dropping a tenth at a time, oldest first. One by one would be slow: to find the
 * oldest key, V8 passes over all earlier deleted keys.
 */
export function dropOldest(map: Map<unknown, unknown>, capacity: number): void {
  if (map.size <= capacity) return
  let left = Math.max(map.size - capacity, Math.floor(capacity / 10))
  for (const key of map.keys()) {
    if (left-- <= 0) break
    map.delete(key)
  }
}
