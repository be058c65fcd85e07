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
  /** Records with a first attempt in progress. */
  readonly #busyRecords = new Set<string>()

  constructor(batch: number) {
    this.#batch = batch
  }

  get size(): number {
    return this.#bodies.length
  }

  add(body: EventBody): void {
    this.#bodies.push(body)
  }

  /** The latest waiting events, at most this many. */
  latest(most: number): EventBody[] {
    return this.#bodies.slice(-most)
  }

  /** Takes the events for one delivery. Events of other records may pass attempts in progress, up to eight at a time. */
  take(): readonly [EventBody, ...EventBody[]] | undefined {
    const at = this.size === 0 ? undefined : this.#findFree()
    if (at === undefined) return undefined
    const [body] = this.#bodies.splice(at, 1)
    return [body as EventBody, ...this.#bodies.splice(0, this.#batch - 1)]
  }

  /** Takes all but the oldest `most`. */
  takePast(most: number): EventBody[] {
    return this.#bodies.splice(most)
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
  }

  /** Index of the first event whose record is free; undefined while too many attempts are in progress. */
  #findFree(): number | undefined {
    if (this.#busyRecords.size === 0) return 0
    // A batch has events of many records: it passes none.
    if (this.#batch > 1 || this.#busyRecords.size >= PARALLEL_RECORDS) return undefined
    const at = this.#bodies.slice(0, MOST_LOOKED_THROUGH).findIndex((body) => !this.#busyRecords.has(recordOf(body)))
    return at === -1 ? undefined : at
  }
}

/** The record of an event. Kinds of events begin with the name of its collection's records. */
const recordOf = ({ type, event }: Pick<EventBody, 'type' | 'event'>): string =>
  `${type.slice(0, type.indexOf('.'))} ${event.recordId}`
