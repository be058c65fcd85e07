import type { Json, JsonObject } from '../../protocol/json.ts'
import type { RecordScope } from '../dataset/dataset.ts'
import { ValueIndex } from './value-index.ts'

/** Most indexes of one collection; beyond it the least recently used one is dropped. */
const MOST_INDEXES = 16
/** Positions indexed between two pauses. */
const INDEXED_AT_ONCE = 1_024

/** Key and scope of a created record. */
export interface Made {
  readonly key: string
  readonly scope: RecordScope
}

/** A live record for an index: `record` is undefined for a generated one, `made` for one that was not created. */
export interface LiveRecord {
  readonly record: JsonObject | undefined
  readonly made: Made | undefined
}

export type ReadValue = (position: number, record: JsonObject | undefined, made: Made | undefined) => Json | undefined

interface IndexedRecords {
  /** One more than the last used position. */
  readonly end: number
  liveAt(position: number): LiveRecord | undefined
}

interface KeptIndex {
  readonly read: ReadValue
  /** Undefined for too many values. */
  values: ValueIndex | undefined
  /** Later positions are indexed at the next use. */
  upTo: number
}

/** The most recently used indexes of a collection, updated with its changes. */
export class Indexes {
  readonly #records: IndexedRecords
  /** By name, the most recently used last. */
  readonly #kept = new Map<string, KeptIndex>()

  constructor(records: IndexedRecords) {
    this.#records = records
  }

  get size(): number {
    return this.#kept.size
  }

  /**
   * The index of a name, undefined for too many values. `prepare` gives the reader of the indexed value. Pauses while it
   * is made: it includes changes made meanwhile. One that was dropped in a pause is made again without pauses: many reads
   * at a time would otherwise drop each other's indexes for ever.
   */
  *making(name: string, prepare: () => ReadValue): Generator<undefined, ValueIndex | undefined> {
    const first = this.#find(name, prepare)
    let index = first
    while (this.#extend(index)) {
      if (index === first) yield
      index = this.#find(name, prepare)
    }
    return index.values
  }

  /** Updates the indexes after a change at a position. */
  follow(position: number, before: LiveRecord | undefined, after: LiveRecord | undefined): void {
    for (const index of this.#kept.values()) {
      if (position >= index.upTo) continue
      const previous = before && index.read(position, before.record, before.made)
      const value = after && index.read(position, after.record, after.made)
      if (before && after && value === previous) continue
      if (before) index.values?.delete(position, previous)
      if (after) index.values?.add(position, value)
      if (index.values?.isTooWide) index.values = undefined
    }
  }

  clear(): void {
    this.#kept.clear()
  }

  /** An index, possibly incomplete. */
  #find(name: string, prepare: () => ReadValue): KeptIndex {
    const index = this.#kept.get(name) ?? { read: prepare(), values: new ValueIndex(), upTo: 0 }
    this.#kept.delete(name)
    this.#kept.set(name, index)
    if (this.#kept.size > MOST_INDEXES) {
      const [oldest] = this.#kept.keys()
      this.#kept.delete(oldest as string)
    }
    return index
  }

  /** Extends an index by some positions. Returns whether it is still incomplete. */
  #extend(index: KeptIndex): boolean {
    const { values } = index
    const { end } = this.#records
    if (values === undefined || index.upTo >= end) return false
    const last = Math.min(index.upTo + INDEXED_AT_ONCE, end)
    for (let position = index.upTo; position < last && !values.isTooWide; position++) {
      const live = this.#records.liveAt(position)
      if (live !== undefined) values.add(position, index.read(position, live.record, live.made))
    }
    index.upTo = last
    if (values.isTooWide) index.values = undefined
    return !values.isTooWide && last < end
  }
}
