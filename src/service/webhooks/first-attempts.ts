import type { EventBody } from './outgoing-delivery.ts'

/** First attempts that may be under way at once, each of a record of its own. */
const PARALLEL_RECORDS = 8
/** How many events are looked through for one of another record. */
const MOST_LOOKED_THROUGH = 256

/** Events that wait for their first attempt, in their order. */
export class FirstAttempts {
  /** Events that go together at most. */
  readonly #batch: number
  #bodies: EventBody[] = []
  #head = 0
  /** Records whose first attempts are under way. */
  readonly #busyRecords = new Set<string>()

  constructor(batch: number) {
    this.#batch = batch
  }

  get size(): number {
    return this.#bodies.length - this.#head
  }

  add(body: EventBody): void {
    this.#bodies.push(body)
  }

  /** The latest that wait, at most so many. */
  latest(most: number): EventBody[] {
    return this.#bodies.slice(Math.max(this.#head, this.#bodies.length - most))
  }

  /** Takes the events that one delivery brings. Attempts under way are passed by with events of other records, eight at a time. */
  take(): readonly [EventBody, ...EventBody[]] | undefined {
    const at = this.size === 0 ? undefined : this.#findFree()
    if (at === undefined) return undefined
    // Those that wait for their record move up.
    const body = this.#bodies[at] as EventBody
    this.#bodies.copyWithin(this.#head + 1, this.#head, at)
    this.#head++
    const more = this.#batch > 1 ? this.#bodies.slice(this.#head, this.#head + this.#batch - 1) : []
    this.#head += more.length
    if (this.#head > 1_024 && this.#head * 2 > this.#bodies.length) {
      this.#bodies = this.#bodies.slice(this.#head)
      this.#head = 0
    }
    return [body, ...more]
  }

  /** Takes all but the oldest `most`. */
  takePast(most: number): EventBody[] {
    return this.#bodies.splice(this.#head + most)
  }

  /** Notes that the first attempt at an event's record is under way until `done`. */
  async hold<T>(event: Pick<EventBody, 'type' | 'event'>, done: Promise<T>): Promise<T> {
    const record = recordOf(event)
    this.#busyRecords.add(record)
    try {
      return await done
    } finally {
      this.#busyRecords.delete(record)
    }
  }

  clear(): void {
    this.#bodies = []
    this.#head = 0
  }

  /** Where the first event waits whose record is free; undefined while too many are under way. */
  #findFree(): number | undefined {
    if (this.#busyRecords.size === 0) return this.#head
    // A batch holds events of many records: it passes nothing by.
    if (this.#batch > 1 || this.#busyRecords.size >= PARALLEL_RECORDS) return undefined
    const end = Math.min(this.#bodies.length, this.#head + MOST_LOOKED_THROUGH)
    for (let at = this.#head; at < end; at++) {
      if (!this.#busyRecords.has(recordOf(this.#bodies[at] as EventBody))) return at
    }
    return undefined
  }
}

/** The record that an event is about. Kinds of events begin with the name of its collection's records. */
const recordOf = ({ type, event }: Pick<EventBody, 'type' | 'event'>): string =>
  `${type.slice(0, type.indexOf('.'))} ${event.recordId}`
