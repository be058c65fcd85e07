import type { Json, JsonObject } from '../../protocol/json.ts'
import { readField } from '../../protocol/json-fields.ts'
import type { Scope, Table } from '../dataset/dataset.ts'
import type { FieldPath } from '../openapi/schema.ts'
import { type CollectionOverlay, emptyOverlay, type Made } from './collection-overlay.ts'
import { keyIn } from './field.ts'
import { FieldIndex } from './field-index.ts'

/** Generated keys that are remembered at most; past it all are forgotten. */
const MOST_KNOWN_KEYS = 50_000

/** Size of a table above which no column of it is kept. */
const MOST_COLUMN_VALUES = 100_000

/** What became of one position: the record, null where it was deleted, absent where it is as generated again. */
export interface PositionDelta {
  readonly position: number
  readonly record?: JsonObject | null
  /** Key and scope, of a created record. */
  readonly made?: Made
}

/**
 * The records of one collection: generated ones from the table under an overlay of what changed. A record's position is
 * its index in the table, or the table's size plus its number of creation, which gives one total order.
 */
export class CollectionState {
  readonly table: Table
  #overlay: CollectionOverlay
  /** Keys of generated records that were asked for, both ways: turning one into the other costs more than a look-up. */
  readonly #knownKeys = new Map<number, string>()
  readonly #knownIndexes = new Map<string, number>()
  readonly #columns = new Map<string, (Json | undefined)[]>()
  readonly #indexes = new Map<string, FieldIndex>()

  constructor(table: Table) {
    this.table = table
    this.#overlay = emptyOverlay(table)
  }

  get count(): number {
    return this.#overlay.count
  }

  /** How many records were ever created. */
  get created(): number {
    return this.#overlay.created
  }

  set created(created: number) {
    this.#overlay.created = created
  }

  /** One more than the last position that was ever used. */
  get end(): number {
    return this.table.size + this.#overlay.created
  }

  /** Position of the live record with this key. */
  positionOf(key: string): number | undefined {
    const made = this.#overlay.positions.get(key)
    if (made !== undefined) return made
    const index = this.#knownIndexes.get(key) ?? this.table.indexOf(key)
    return index !== undefined && this.isLive(index) ? index : undefined
  }

  /** Whether a record that was created later has this key, and lives. */
  hasCreated(key: string): boolean {
    return this.#overlay.positions.has(key)
  }

  /** Whether the id of any record reads otherwise than its key. */
  get hasRenames(): boolean {
    return this.#overlay.renames.size > 0
  }

  /** Whether the id of the record reads otherwise than its key. */
  isRenamed(position: number): boolean {
    return this.#overlay.renames.has(position)
  }

  /** Positions of live records that have this id, though it is not their key. */
  renamedTo(id: string): Iterable<number> {
    return this.#overlay.renames.positionsOf(id)
  }

  isLive(position: number): boolean {
    return this.#isLiveAs(this.#overlay.records.get(position), position)
  }

  /** Whether every generated record is still there, so that positions and ranks are the same up to the table's size. */
  get isWhole(): boolean {
    return this.#overlay.count === this.end
  }

  keyAt(position: number): string {
    return this.#madeAt(position)?.key ?? this.#knownKeys.get(position) ?? this.#learnKey(position)
  }

  /** Scope that a created record was given; undefined for generated ones. */
  madeScope(position: number): Scope | undefined {
    return this.#madeAt(position)?.scope
  }

  /** The live record at `position`. */
  recordAt(position: number): JsonObject {
    return this.#overlay.records.get(position) ?? this.table.recordAt(position)
  }

  /** One value of the live record at `position`; undefined for the empty field. */
  valueAt(position: number, field: FieldPath): Json | undefined {
    return this.#valueIn(this.#overlay.records.get(position), position, field)
  }

  /** {@link CollectionState.valueAt} of one field for many positions; of small tables what is generated is kept. */
  column(field: FieldPath): (position: number) => Json | undefined {
    const generated = this.#generatedColumn(field)
    return (position) => {
      const { records } = this.#overlay
      const changed = records.size === 0 ? undefined : records.get(position)
      return changed ? readField(changed, field) : generated(position)
    }
  }

  /** Live positions in order. */
  *live(from = 0): Generator<number> {
    const end = this.end
    for (let position = from; position < end; position++) if (this.isLive(position)) yield position
  }

  /**
   * Live positions, created records first, the last one made in front; `start` positions of that order are left out.
   */
  *newestFirst(start = 0): Generator<number> {
    const size = this.table.size
    for (let position = this.end - 1 - start; position >= size; position--) if (this.isLive(position)) yield position
    for (let position = Math.max(0, start - this.created); position < size; position++) {
      if (this.isLive(position)) yield position
    }
  }

  /** {@link CollectionState.live}, all of them: a call for each is faster than a generator. */
  visitLive(visit: (position: number) => void): void {
    this.#visit(0, this.end, visit)
  }

  /** {@link CollectionState.newestFirst}, all of them. */
  visitNewestFirst(visit: (position: number) => void): void {
    const { size } = this.table
    for (let position = this.end - 1; position >= size; position--) if (this.isLive(position)) visit(position)
    this.#visit(0, size, visit)
  }

  /** Live positions by the value of `field`; kept up to date from the first call on. */
  indexOn(field: FieldPath): FieldIndex {
    const name = field.join('\u0000')
    let index = this.#indexes.get(name)
    if (index === undefined) {
      index = new FieldIndex(field)
      for (const position of this.live()) index.add(position, this.valueAt(position, field))
      this.#indexes.set(name, index)
    }
    return index
  }

  /** Throws where a live record has the key: two of one key could not be told apart any more. */
  create(key: string, record: JsonObject, scope: Scope): void {
    if (this.positionOf(key) !== undefined)
      throw new Error(`Failed to create record "${key}": there is one with that key.`)
    const overlay = this.#overlay
    const position = this.end
    overlay.created++
    overlay.positions.set(key, position)
    overlay.made[position - this.table.size] = { key, scope }
    this.#set(position, record)
  }

  /** Replaces (or, with null, deletes) the record at `position`. */
  put(position: number, record: JsonObject | null): void {
    this.#set(position, record)
    const made = record === null ? this.#madeAt(position) : undefined
    if (made !== undefined) this.#overlay.positions.delete(made.key)
  }

  /** What stands at `position` now, to be put back, or into another state of the same table, by `restore`. */
  deltaOf(position: number): PositionDelta {
    const record = this.#overlay.records.get(position)
    const made = this.#madeAt(position)
    return { position, ...(record !== undefined && { record }), ...(made !== undefined && { made }) }
  }

  /** {@link CollectionState.deltaOf} every position that differs from the table. */
  changed(): PositionDelta[] {
    return [...this.#overlay.records.keys()].map((position) => this.deltaOf(position))
  }

  /** Puts in what `deltaOf` gave, here or elsewhere. */
  restore({ position, record, made }: PositionDelta): void {
    const { positions, made: known } = this.#overlay
    const before = this.#madeAt(position)
    if (before !== undefined && positions.get(before.key) === position) positions.delete(before.key)
    if (before !== undefined || made !== undefined) known[position - this.table.size] = made
    this.#set(position, record)
    if (made !== undefined && record) positions.set(made.key, position)
  }

  /** Goes back to the table as generated. */
  clear(): void {
    this.#indexes.clear()
    this.#overlay = emptyOverlay(this.table)
  }

  #generatedColumn(field: FieldPath): (position: number) => Json | undefined {
    const read = this.table.readerOf(field)
    if (this.table.size > MOST_COLUMN_VALUES) return read
    const name = field.join('\u0000')
    const kept = this.#columns.get(name) ?? Array.from({ length: this.table.size }, (_, index) => read(index))
    this.#columns.set(name, kept)
    return (position) => kept[position]
  }

  #visit(start: number, end: number, visit: (position: number) => void): void {
    const { isWhole } = this
    for (let position = start; position < end; position++) if (isWhole || this.isLive(position)) visit(position)
  }

  #madeAt(position: number): Made | undefined {
    return position < this.table.size ? undefined : this.#overlay.made[position - this.table.size]
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

  #set(position: number, record: JsonObject | null | undefined): void {
    const { records } = this.#overlay
    const before = records.get(position)
    if (record === undefined) records.delete(position)
    else records.set(position, record)
    const wasLive = this.#isLiveAs(before, position)
    const isLive = this.#isLiveAs(record, position)
    for (const index of this.#indexes.values()) {
      const held = wasLive ? this.#valueIn(before, position, index.field) : undefined
      const value = isLive ? this.#valueIn(record, position, index.field) : undefined
      if (wasLive && isLive && value === held) continue
      if (wasLive) index.delete(position, held)
      if (isLive) index.add(position, value)
    }
    this.#overlay.count += Number(isLive) - Number(wasLive)
    const { changeableId } = this.table
    if (changeableId)
      this.#overlay.renames.set(position, record ? this.#newIdOf(position, record, changeableId) : undefined)
  }

  /** The id of a record, where it is not its key. */
  #newIdOf(position: number, record: JsonObject, field: FieldPath): string | undefined {
    const id = keyIn(readField(record, field))
    return id === this.keyAt(position) ? undefined : id
  }

  /** Whether a record lives at `position` where the overlay holds `changed` for it. */
  #isLiveAs(changed: JsonObject | null | undefined, position: number): boolean {
    return changed === undefined ? position < this.table.size : changed !== null
  }

  /** One value at `position` where the overlay holds `changed` for it; undefined for the empty field. */
  #valueIn(changed: JsonObject | null | undefined, position: number, field: FieldPath): Json | undefined {
    if (field.length === 0) return undefined
    return changed ? readField(changed, field) : this.table.valueAt(position, field)
  }
}
