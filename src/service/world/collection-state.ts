import { type Json, type JsonObject, readField } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { RecordScope, Table } from '../dataset/dataset.ts'
import { keyIn } from './field.ts'
import { Indexes, type LiveRecord, type Made, type ReadValue } from './indexes.ts'
import { PositionSet } from './position-set.ts'
import { AllPositions, type Positions } from './positions.ts'
import type { ValueIndex } from './value-index.ts'

/** Most cached generated keys; beyond it all are dropped. */
const MOST_KNOWN_KEYS = 50_000

/** The state of one position: the record, null for a deleted one, absent for a generated one. */
export interface PositionDelta {
  readonly position: number
  readonly record?: JsonObject | null
  /** Key and scope of a created record. */
  readonly made?: Made
}

/**
 * The records of one collection: generated ones from the table, with changes over them. A record's position is its
 * index in the table, or the table's size plus its number of creation, which gives one total order.
 */
export class CollectionState {
  readonly table: Table
  /** Size of the table: later positions are of created records. */
  readonly generated: number
  /** Number of records ever created. */
  created = 0
  /** Increases with every change of a record. */
  revision = 0
  /** Records that differ from the table, by position; null for deleted ones. */
  #records = new Map<number, JsonObject | null>()
  /** Keys and scopes of created records, in order of creation. */
  #made: (Made | undefined)[] = []
  /** Positions of live created records, by key. */
  #positions = new Map<string, number>()
  /** Keys of deleted created records. */
  #gone = new Set<string>()
  #count: number
  #renames = new Renames()
  /** Live positions, kept up to date after the first use in a collection with gaps. */
  #live: PositionSet | undefined
  /** Cached keys of generated records, both ways: computing one costs more than a look-up. */
  readonly #knownKeys = new Map<number, string>()
  readonly #knownIndexes = new Map<string, number>()
  readonly #columns: GeneratedColumns
  readonly #indexes = new Indexes(this)

  constructor(table: Table) {
    this.table = table
    this.#columns = new GeneratedColumns(table)
    this.generated = table.size
    this.#count = this.generated
  }

  /** Current number of records. */
  get count(): number {
    return this.#count
  }

  /** One more than the last used position. */
  get end(): number {
    return this.generated + this.created
  }

  /** Records whose id is different from their key. */
  get renames(): Renames {
    return this.#renames
  }

  get live(): Positions {
    if (this.#count === this.end) return new AllPositions(this.end)
    this.#live ??= this.#collectLive()
    return this.#live
  }

  /** Position of the live record with this key. */
  positionOf(key: string): number | undefined {
    const made = this.#positions.get(key)
    if (made !== undefined) return made
    const index = this.#knownIndexes.get(key) ?? this.table.indexOf(key)
    return index !== undefined && this.#records.get(index) !== null ? index : undefined
  }

  wasDeleted(key: string): boolean {
    if (this.#records.size === 0 || this.positionOf(key) !== undefined) return false
    const index = this.table.indexOf(key)
    return this.#gone.has(key) || (index !== undefined && this.#records.get(index) === null)
  }

  hasCreated(key: string): boolean {
    return this.#positions.has(key)
  }

  keyAt(position: number): string {
    return this.#madeAt(position)?.key ?? this.#knownKeys.get(position) ?? this.#learnKey(position)
  }

  /** Scope of a created record; undefined for generated ones. */
  madeScope(position: number): RecordScope | undefined {
    return this.#madeAt(position)?.scope
  }

  /** The live record at `position`. */
  recordAt(position: number): JsonObject {
    return this.#records.get(position) ?? this.table.recordAt(position)
  }

  /** The changed record at `position`: the same object until it changes again; undefined for a generated one. */
  changedAt(position: number): JsonObject | undefined {
    return this.#records.size === 0 ? undefined : (this.#records.get(position) ?? undefined)
  }

  /** One value of the live record at `position`. */
  valueAt(position: number, field: FieldPath): Json | undefined {
    const changed = this.#records.get(position)
    return changed ? readField(changed, field) : this.table.valueAt(position, field)
  }

  /** {@link CollectionState.valueAt} of one field for many positions; for small tables generated values are cached. */
  column(field: FieldPath): (position: number) => Json | undefined {
    const generated = this.#columns.of(field)
    return (position) => {
      const changed = this.#records.size === 0 ? undefined : this.#records.get(position)
      return changed ? readField(changed, field) : generated(position)
    }
  }

  /** Live positions by the value of `field`, kept up to date from the first call on; undefined for too many values. */
  indexing(field: FieldPath): Generator<undefined, ValueIndex | undefined> {
    return this.indexingBy(`field ${field.join('\u0000')}`, () => this.#fieldReader(field))
  }

  /** Live positions by the value that the reader from `prepare` gives; `name` identifies it. Pauses while it is made. */
  indexingBy(name: string, prepare: () => ReadValue): Generator<undefined, ValueIndex | undefined> {
    return this.#indexes.making(name, prepare)
  }

  /** Throws where a live record has the key: keys are unique. */
  create(key: string, record: JsonObject, scope: RecordScope): void {
    if (this.positionOf(key) !== undefined)
      throw new Error(`Failed to create record "${key}": there is one with that key.`)
    const position = this.end
    this.created++
    this.#write(position, record, { key, scope })
  }

  /** Replaces (or, with null, deletes) the record at `position`. */
  put(position: number, record: JsonObject | null): void {
    this.#write(position, record, this.#madeAt(position))
  }

  liveAt(position: number): LiveRecord | undefined {
    const record = this.#records.size === 0 ? undefined : this.#records.get(position)
    return this.#isLiveAs(record, position) ? { record: record ?? undefined, made: this.#madeAt(position) } : undefined
  }

  /** The state of `position`, for `restore` here or in another state of the same table. */
  deltaOf(position: number): PositionDelta {
    const record = this.#records.get(position)
    const made = this.#madeAt(position)
    return { position, ...(record !== undefined && { record }), ...(made !== undefined && { made }) }
  }

  /** Positions that differ from the table. */
  changed(): Iterable<number> {
    return this.#records.keys()
  }

  /** Restores a result of `deltaOf`, from here or elsewhere. */
  restore({ position, record, made }: PositionDelta): void {
    this.#write(position, record, made)
  }

  /** Goes back to the generated table. */
  clear(): void {
    this.takeOver(new CollectionState(this.table))
  }

  /** Takes over all contents of another state of the same table, which is consumed. */
  takeOver(other: CollectionState): void {
    this.revision++
    this.created = other.created
    this.#records = other.#records
    this.#made = other.#made
    this.#positions = other.#positions
    this.#gone = other.#gone
    this.#count = other.#count
    this.#renames = other.#renames
    this.#live = other.#live
    this.#indexes.clear()
  }

  /** The only place that changes a position: keys, names, live positions and indexes are updated. */
  #write(position: number, record: JsonObject | null | undefined, made: Made | undefined): void {
    this.revision++
    const before = this.#records.get(position)
    const madeBefore = this.#madeAt(position)
    const wasLive = this.#isLiveAs(before, position)
    const isLive = this.#isLiveAs(record, position)
    if (this.#indexes.size > 0) {
      const old = wasLive ? { record: before ?? undefined, made: madeBefore } : undefined
      this.#indexes.follow(position, old, isLive ? { record: record ?? undefined, made } : undefined)
    }
    if (record === undefined) this.#records.delete(position)
    else this.#records.set(position, record)
    if (wasLive !== isLive || made !== madeBefore) this.#writeKey(position, { madeBefore, made, isLive })
    this.#count += Number(isLive) - Number(wasLive)
    const { changeableId } = this.table
    if (changeableId) this.#renames.set(position, record ? this.#newIdOf(position, record, changeableId) : undefined)
  }

  #writeKey(
    position: number,
    { madeBefore, made, isLive }: { madeBefore: Made | undefined; made: Made | undefined; isLive: boolean },
  ): void {
    if (madeBefore !== undefined && this.#positions.get(madeBefore.key) === position) {
      this.#positions.delete(madeBefore.key)
    }
    if (madeBefore !== undefined) this.#gone.delete(madeBefore.key)
    if (made !== undefined && !isLive) this.#gone.add(made.key)
    if (position >= this.generated) this.#made[position - this.generated] = made
    if (made !== undefined && isLive) this.#positions.set(made.key, position)
    if (isLive) this.#live?.add(position)
    else this.#live?.delete(position)
  }

  #fieldReader(field: FieldPath): ReadValue {
    const generated = this.table.readerOf(field)
    return (position, record) => (record ? readField(record, field) : generated(position))
  }

  #collectLive(): PositionSet {
    const live = PositionSet.below(this.end)
    for (const [position, record] of this.#records) if (record === null) live.delete(position)
    for (let position = this.generated; position < this.end; position++) {
      if (!this.#records.get(position)) live.delete(position)
    }
    return live
  }

  #madeAt(position: number): Made | undefined {
    return position < this.generated ? undefined : this.#made[position - this.generated]
  }

  #learnKey(index: number): string {
    const key = this.table.keyAt(index)
    if (this.#knownKeys.size >= MOST_KNOWN_KEYS) {
      this.#knownKeys.clear()
      this.#knownIndexes.clear()
    }
    this.#knownKeys.set(index, key)
    this.#knownIndexes.set(key, index)
    return key
  }

  /** A record's id, where it is not its key. */
  #newIdOf(position: number, record: JsonObject, field: FieldPath): string | undefined {
    const id = keyIn(readField(record, field))
    return id === this.keyAt(position) ? undefined : id
  }

  /** Whether a record is live at `position` when its change is `changed`. */
  #isLiveAs(changed: JsonObject | null | undefined, position: number): boolean {
    return changed === undefined ? position < this.generated : changed !== null
  }
}

/** Largest table with cached columns. */
const MOST_COLUMN_VALUES = 100_000

/** Stands in a column for a value that was not read yet. */
const UNREAD = Symbol('unread')

/** Generated values of a table's records by field; cached for small tables. */
class GeneratedColumns {
  readonly #table: Table
  readonly #kept = new Map<string, (Json | undefined | typeof UNREAD)[]>()

  constructor(table: Table) {
    this.#table = table
  }

  /** Reads one field of a generated record. */
  of(field: FieldPath): (position: number) => Json | undefined {
    const read = this.#table.readerOf(field)
    if (this.#table.size > MOST_COLUMN_VALUES) return read
    const name = field.join('\u0000')
    const kept = this.#kept.get(name) ?? new Array<Json | undefined | typeof UNREAD>(this.#table.size).fill(UNREAD)
    this.#kept.set(name, kept)
    return (position) => {
      const known = kept[position]
      if (known !== UNREAD) return known
      const value = read(position)
      kept[position] = value
      return value
    }
  }
}

/** Records whose id is different from their key, by position: the id was changed, or another record had the key. */
class Renames {
  readonly #names = new Map<number, string>()
  readonly #positions = new Map<string, Set<number>>()

  get size(): number {
    return this.#names.size
  }

  has(position: number): boolean {
    return this.#names.has(position)
  }

  /** Positions of records with this name now. */
  positionsOf(name: string): Iterable<number> {
    return this.#positions.get(name) ?? []
  }

  /** Notes the id at a position; undefined where it equals the key, or the record is deleted. */
  set(position: number, name: string | undefined): void {
    const before = this.#names.get(position)
    if (before === name) return
    if (before !== undefined) this.#forget(position, before)
    if (name === undefined) return
    this.#names.set(position, name)
    this.#positions.set(name, (this.#positions.get(name) ?? new Set()).add(position))
  }

  #forget(position: number, name: string): void {
    const positions = this.#positions.get(name)
    positions?.delete(position)
    if (positions?.size === 0) this.#positions.delete(name)
    this.#names.delete(position)
  }
}
