import type { EventBody } from './outgoing-delivery.ts'

/** Most concurrent first attempts, each of a different record. */
const PARALLEL_RECORDS = 8
/** Most events searched for one of another record. */
const MOST_LOOKED_THROUGH = 256

/** Events that wait for their first attempt, in order. */
export class FirstAttempts {
  /** Most events in one delivery. */
  readonly #batch: number
  #bodies: EventBody[] = []
  #head = 0
  /** Records with a first attempt in progress. */
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

  /** The latest waiting events, at most this many. */
  latest(most: number): EventBody[] {
    return this.#bodies.slice(Math.max(this.#head, this.#bodies.length - most))
  }

  /** Takes the events for one delivery. Events of other records may pass attempts in progress, up to eight at a time. */
  take(): readonly [EventBody, ...EventBody[]] | undefined {
    const at = this.size === 0 ? undefined : this.#findFree()
    if (at === undefined) return undefined
    // Skipped events move up.
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

  /** Notes a first attempt for an event's record as in progress until `done`. */
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

  /** Index of the first event whose record is free; undefined while too many attempts are in progress. */
  #findFree(): number | undefined {
    if (this.#busyRecords.size === 0) return this.#head
    // A batch has events of many records: it passes none.
    if (this.#batch > 1 || this.#busyRecords.size >= PARALLEL_RECORDS) return undefined
    const end = Math.min(this.#bodies.length, this.#head + MOST_LOOKED_THROUGH)
    for (let at = this.#head; at < end; at++) {
      if (!this.#busyRecords.has(recordOf(this.#bodies[at] as EventBody))) return at
    }
    return undefined
  }
}

/** The record of an event. Kinds of events begin with the name of its collection's records. */
const recordOf = ({ type, event }: Pick<EventBody, 'type' | 'event'>): string =>
  `${type.slice(0, type.indexOf('.'))} ${event.recordId}`
