import type { Json, JsonObject } from '../../protocol/json.ts'
import type { RecordScope } from '../dataset/dataset.ts'
import { ValueIndex } from './value-index.ts'

/** Indexes of one collection; past it the one that was used longest ago goes. */
const MOST_INDEXES = 16
/** Positions that are indexed between two pauses. */
const INDEXED_AT_ONCE = 1_024

/** What is kept of a created record beside its fields. */
export interface Made {
  readonly key: string
  readonly scope: RecordScope
}

/** A live record as an index reads it: `record` is undefined for a generated one, `made` for one that was not created. */
export interface Living {
  readonly record: JsonObject | undefined
  readonly made: Made | undefined
}

/** Reads what an index is about. */
export type ReadValue = (position: number, record: JsonObject | undefined, made: Made | undefined) => Json | undefined

/** The records that indexes are made of. */
interface IndexedRecords {
  /** One more than the last position that was ever used. */
  readonly end: number
  livingAt(position: number): Living | undefined
}

interface KeptIndex {
  readonly read: ReadValue
  /** Undefined where there are too many values. */
  values: ValueIndex | undefined
  /** Positions from here on are indexed when the index is next asked for. */
  upTo: number
}

/** The indexes of a collection that were asked for last, kept up with its changes. */
export class Indexes {
  readonly #records: IndexedRecords
  /** By what they are about, the one that was used last at the end. */
  readonly #kept = new Map<string, KeptIndex>()

  constructor(records: IndexedRecords) {
    this.#records = records
  }

  get size(): number {
    return this.#kept.size
  }

  /** The index of a name, undefined where it has too many values. `prepare` gives the reader of what it is about. */
  get(name: string, prepare: () => ReadValue): ValueIndex | undefined {
    const index = this.#find(name, prepare)
    this.#extend(index, Number.POSITIVE_INFINITY)
    return index.values
  }

  /** Makes the index that `get` gives, pausing now and then: changes meanwhile are part of it. */
  *making(name: string, prepare: () => ReadValue): Generator<undefined, ValueIndex | undefined> {
    const index = this.#find(name, prepare)
    while (this.#extend(index, index.upTo + INDEXED_AT_ONCE)) yield
    // It may have gone in a pause.
    return this.#kept.get(name) === index ? index.values : this.get(name, prepare)
  }

  /** Takes a change of what lives at a position. */
  follow(position: number, before: Living | undefined, after: Living | undefined): void {
    for (const index of this.#kept.values()) {
      if (position >= index.upTo) continue
      const held = before && index.read(position, before.record, before.made)
      const value = after && index.read(position, after.record, after.made)
      if (before && after && value === held) continue
      if (before) index.values?.delete(position, held)
      if (after) index.values?.add(position, value)
      if (index.values?.isTooWide) index.values = undefined
    }
  }

  clear(): void {
    this.#kept.clear()
  }

  /** An index, which may still have to be made. */
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

  /** Makes an index up to a position. Returns whether there is more to make. */
  #extend(index: KeptIndex, until: number): boolean {
    const { values } = index
    const { end } = this.#records
    if (values === undefined || index.upTo >= end) return false
    const last = Math.min(until, end)
    for (let position = index.upTo; position < last && !values.isTooWide; position++) {
      const living = this.#records.livingAt(position)
      if (living !== undefined) values.add(position, index.read(position, living.record, living.made))
    }
    index.upTo = last
    if (values.isTooWide) index.values = undefined
    return !values.isTooWide && last < end
  }
}
