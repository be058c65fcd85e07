import { type CancelTimer, startTimer } from '../runtime/timers.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import type { RejectedRequest } from './rejection.ts'

/** A moment in an inbox: what arrives later has a higher number. */
export interface Mark {
  readonly sequence: number
}

/** Which webhooks, or requests, a caller asks for. */
export interface InboxQuery<Item> {
  matches: (item: Item) => boolean
  /** Only what arrived after this moment. */
  since?: Mark | undefined
  /** Whether to skip what is claimed, and to claim what is returned. @default true */
  claim?: boolean | undefined
  /** The attempt asked for: a retry of a claimed delivery counts as unclaimed for a higher attempt. */
  attempt?: number | undefined
}

/** Is called for everything that arrives in an inbox. */
export interface InboxObserver<Item> {
  /** A webhook arrived, or was attempted again. */
  received?: (item: Item) => void
  rejected?: (request: RejectedRequest) => void
}

interface Entry<Item> {
  readonly item: Item
  readonly sequence: number
  /** The attempt up to which it has been claimed; 0 when unclaimed. */
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
 * The webhooks that one simulation sent, or the requests that reached it, in order of arrival. An arrival resolves the
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

  /** @param options.capacity how much to keep at most; the oldest go first. @default 100_000 */
  constructor(options: { capacity?: number } = {}) {
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY
  }

  /** All that is here, or that arrived after a mark, oldest first. */
  all(since?: Mark): readonly Item[] {
    return this.#select({ matches: () => true, since, claim: false }).map(({ item }) => item)
  }

  /** The latest 1000 requests that the sink refused, oldest first. */
  rejected(since?: Mark): readonly RejectedRequest[] {
    const after = since?.sequence ?? 0
    return this.#rejected.filter(({ sequence }) => sequence > after).map(({ request }) => request)
  }

  /** This moment, to ask later for what arrived after it. */
  mark(): Mark {
    return { sequence: this.#sequence }
  }

  /** Forgets what was received, rejected and claimed. Waiters go on waiting. */
  clear(): void {
    this.#entries = new Map()
    this.#rejected = []
    for (const waiter of this.#waiters) waiter.found.clear()
  }

  /** Puts an item in and resolves the waiters that it completes. */
  add(item: Item): void {
    const entry: Entry<Item> = { item, sequence: ++this.#sequence, claimedAttempt: 0 }
    this.#entries.set(item, entry)
    dropOldest(this.#entries, this.#capacity)
    this.#offer(entry)
  }

  /** Announces that a webhook was attempted again, or a request answered; one that was cleared away comes back. */
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

  /** Calls `observer` for everything that arrives until the returned function is called. */
  observe(observer: InboxObserver<Item>): () => void {
    this.#observers.add(observer)
    return () => {
      this.#observers.delete(observer)
    }
  }

  /** What matches now, oldest first; claims it unless `claim` is false. */
  take(query: InboxQuery<Item>, count: number = Number.POSITIVE_INFINITY): Item[] {
    return claim(query, this.#select(query, count))
  }

  /** Whether `item` has been claimed. */
  isClaimed(item: Item): boolean {
    return (this.#entries.get(item)?.claimedAttempt ?? 0) > 0
  }

  /**
   * Resolves with the first `count` that match, as soon as they are here; with undefined when `timeoutMs` have
   * passed or the inbox closes; rejects with what `matches` throws. Earlier callers are served first.
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

  #finish(waiter: Waiter<Item>, tell: () => void): void {
    waiter.cancelTimer()
    this.#waiters.delete(waiter)
    tell()
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

/** A request has but one attempt. */
function attemptOf(item: object): number {
  return 'attempt' in item && typeof item.attempt === 'number' ? item.attempt : 1
}

/**
 * Keeps a Map at or below `capacity` by dropping a tenth of it at a time, oldest first. One by one would be slow: to find
 * the oldest key, V8 walks over all keys that were deleted before it.
 */
export function dropOldest(map: Map<unknown, unknown>, capacity: number): void {
  if (map.size <= capacity) return
  let left = Math.max(map.size - capacity, Math.floor(capacity / 10))
  for (const key of map.keys()) {
    if (left-- <= 0) break
    map.delete(key)
  }
}
