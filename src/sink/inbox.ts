import { type CancelTimer, startTimer } from '../runtime/timers.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import type { RejectedRequest } from './rejection.ts'

/** A moment in an inbox: webhooks that arrive later have a higher number. */
export interface Mark {
  readonly sequence: number
}

/** Which webhooks a caller asks for. */
export interface InboxQuery {
  matches: (webhook: ReceivedWebhook) => boolean
  /** Only webhooks that arrived after this moment. */
  since?: Mark | undefined
  /** Whether to skip claimed webhooks, and to claim those that are returned. @default true */
  claim?: boolean | undefined
  /** The attempt asked for: a retry of a claimed delivery counts as unclaimed for a higher attempt. */
  attempt?: number | undefined
}

/** Is called for everything that arrives in an inbox. */
export interface InboxObserver {
  /** A webhook arrived, or was attempted again. */
  received?: (webhook: ReceivedWebhook) => void
  rejected?: (request: RejectedRequest) => void
}

interface Entry {
  readonly webhook: ReceivedWebhook
  readonly sequence: number
  /** The attempt up to which it has been claimed; 0 when unclaimed. */
  claimedAttempt: number
}

interface Waiter {
  readonly query: InboxQuery
  readonly count: number
  readonly found: Set<Entry>
  readonly resolve: (webhooks: ReceivedWebhook[] | undefined) => void
  readonly reject: (error: unknown) => void
  readonly cancelTimer: CancelTimer
}

/** How many webhooks an inbox keeps by default. */
export const DEFAULT_CAPACITY = 100_000
const MAX_REJECTED = 1_000

/** The webhooks that one simulation sent, in order of arrival. An arrival resolves the waiters that it completes. */
export class Inbox {
  readonly #capacity: number
  readonly #waiters = new Set<Waiter>()
  readonly #observers = new Set<InboxObserver>()
  #entries = new Map<ReceivedWebhook, Entry>()
  #rejected: { request: RejectedRequest; sequence: number }[] = []
  #sequence = 0
  #closed = false

  /** @param options.capacity the most webhooks to keep; the oldest go first. @default 100_000 */
  constructor(options: { capacity?: number } = {}) {
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY
  }

  /** Every webhook, or every one after a mark, oldest first. */
  all(since?: Mark): readonly ReceivedWebhook[] {
    return this.#select({ matches: () => true, since, claim: false }).map(({ webhook }) => webhook)
  }

  /** The latest 1000 requests that the sink refused, oldest first. */
  rejected(since?: Mark): readonly RejectedRequest[] {
    const after = since?.sequence ?? 0
    return this.#rejected.filter(({ sequence }) => sequence > after).map(({ request }) => request)
  }

  /** This moment, to ask later for the webhooks after it. */
  mark(): Mark {
    return { sequence: this.#sequence }
  }

  /** Forgets what was received, rejected and claimed. Waiters go on waiting. */
  clear(): void {
    this.#entries = new Map()
    this.#rejected = []
    for (const waiter of this.#waiters) waiter.found.clear()
  }

  /** Puts a webhook in and resolves the waiters that it completes. */
  add(webhook: ReceivedWebhook): void {
    const entry: Entry = { webhook, sequence: ++this.#sequence, claimedAttempt: 0 }
    this.#entries.set(webhook, entry)
    dropOldest(this.#entries, this.#capacity)
    this.#offer(entry)
  }

  /** Announces that a webhook was attempted again; one that was cleared away comes back. */
  update(webhook: ReceivedWebhook): void {
    const entry = this.#entries.get(webhook)
    if (entry) this.#offer(entry)
    else this.add(webhook)
  }

  reject(request: RejectedRequest): void {
    this.#rejected.push({ request, sequence: ++this.#sequence })
    if (this.#rejected.length > MAX_REJECTED) this.#rejected.shift()
    for (const observer of this.#observers) observer.rejected?.(request)
  }

  /** Calls `observer` for everything that arrives until the returned function is called. */
  observe(observer: InboxObserver): () => void {
    this.#observers.add(observer)
    return () => {
      this.#observers.delete(observer)
    }
  }

  /** The webhooks that match now, oldest first; claims them unless `claim` is false. */
  take(query: InboxQuery, count: number = Number.POSITIVE_INFINITY): ReceivedWebhook[] {
    return claim(query, this.#select(query, count))
  }

  /** Whether `webhook` has been claimed. */
  isClaimed(webhook: ReceivedWebhook): boolean {
    return (this.#entries.get(webhook)?.claimedAttempt ?? 0) > 0
  }

  /**
   * Resolves with the first `count` webhooks that match, as soon as they are here; with undefined when `timeoutMs` have
   * passed or the inbox closes; rejects with what `matches` throws. Earlier callers are served first.
   */
  waitFor(
    query: InboxQuery,
    options: { count?: number | undefined; timeoutMs: number },
  ): Promise<ReceivedWebhook[] | undefined> {
    return new Promise((resolve, reject) => {
      const count = options.count ?? 1
      const here = this.#select(query, count)
      if (here.length >= count) return resolve(claim(query, here))
      if (this.#closed) return resolve(undefined)
      const giveUp = () => this.#finish(waiter, () => resolve(undefined))
      const cancelTimer = startTimer(options.timeoutMs, giveUp, { keepAlive: true })
      const waiter: Waiter = { query, count, found: new Set(here), resolve, reject, cancelTimer }
      this.#waiters.add(waiter)
    })
  }

  /** Ends every wait. */
  close(): void {
    this.#closed = true
    for (const waiter of this.#waiters) this.#finish(waiter, () => waiter.resolve(undefined))
  }

  #select(query: InboxQuery, count: number = Number.POSITIVE_INFINITY): Entry[] {
    const found: Entry[] = []
    for (const entry of this.#entries.values()) {
      if (found.length >= count) break
      if (isWanted(query, entry)) found.push(entry)
    }
    return found
  }

  #offer(entry: Entry): void {
    for (const observer of this.#observers) observer.received?.(entry.webhook)
    for (const waiter of this.#waiters) {
      try {
        this.#offerTo(waiter, entry)
      } catch (error) {
        this.#finish(waiter, () => waiter.reject(error))
      }
    }
  }

  #offerTo(waiter: Waiter, entry: Entry): void {
    if (!isWanted(waiter.query, entry)) return
    waiter.found.add(entry)
    for (const other of waiter.found) if (!isFree(waiter.query, other)) waiter.found.delete(other)
    if (waiter.found.size < waiter.count) return
    this.#finish(waiter, () => waiter.resolve(claim(waiter.query, [...waiter.found])))
  }

  #finish(waiter: Waiter, tell: () => void): void {
    waiter.cancelTimer()
    this.#waiters.delete(waiter)
    tell()
  }
}

function isWanted(query: InboxQuery, entry: Entry): boolean {
  return entry.sequence > (query.since?.sequence ?? 0) && isFree(query, entry) && query.matches(entry.webhook)
}

function isFree(query: InboxQuery, entry: Entry): boolean {
  return query.claim === false || entry.claimedAttempt < (query.attempt ?? 1)
}

function claim(query: InboxQuery, entries: readonly Entry[]): ReceivedWebhook[] {
  if (query.claim !== false) for (const entry of entries) entry.claimedAttempt = entry.webhook.attempt
  return entries.map(({ webhook }) => webhook)
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
