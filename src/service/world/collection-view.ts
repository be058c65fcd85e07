import type { Json, JsonObject } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { RecordScope } from '../dataset/dataset.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { CollectionState } from './collection-state.ts'
import { type CollectionStates, PART } from './collection-states.ts'
import { keyIn } from './field.ts'
import { inBlocks, type Positions } from './positions.ts'
import { RecordWriter } from './record-writer.ts'
import { type ScopeMatch, Scopes } from './scopes.ts'
import { type Selection, selectPositions } from './select.ts'
import { MOST_VALUES, type ValueIndex } from './value-index.ts'

/** A live record of a collection, valid until the next change. A generated one is made at first read. */
export class LiveRecord {
  readonly collection: string
  readonly position: number
  readonly #state: CollectionState
  #key: string | undefined
  #record: JsonObject | undefined

  constructor(collection: string, state: CollectionState, position: number) {
    this.collection = collection
    this.position = position
    this.#state = state
  }

  get key(): string {
    this.#key ??= this.#state.keyAt(this.position)
    return this.#key
  }

  get record(): JsonObject {
    this.#record ??= this.#state.recordAt(this.position)
    return this.#record
  }

  /** The changed record: the same object until it changes again; undefined for a generated one. */
  get changed(): JsonObject | undefined {
    return this.#state.changedAt(this.position)
  }

  /** The record as generated or given; undefined for a created one. */
  get asMade(): JsonObject | undefined {
    const { table, generated } = this.#state
    return this.position < generated ? table.recordAt(this.position) : undefined
  }
}

/** Read access to the live records of one collection. Only `World.apply` writes. */
export class CollectionView {
  readonly model: CollectionModel
  /** Writes changes into copies of its records. */
  readonly writer: RecordWriter
  readonly #collections: CollectionStates
  readonly #state: CollectionState
  readonly #scopes: Scopes

  constructor(model: CollectionModel, collections: CollectionStates) {
    this.model = model
    this.writer = new RecordWriter(model)
    this.#collections = collections
    this.#state = collections.state(model.name)
    this.#scopes = new Scopes(collections, model)
  }

  /** Current number of records. */
  get count(): number {
    return this.#inPart === undefined ? this.#state.count : this.select({ limit: 0 }).total
  }

  /** Increases with every change of a record. */
  get revision(): number {
    return this.#state.revision
  }

  /** Whether every field can have an index: without one, {@link CollectionView.find} reads all records. */
  get isIndexable(): boolean {
    return this.#state.count <= MOST_VALUES
  }

  /** Number of generated records: the positions of created records follow theirs. */
  get generated(): number {
    return this.#state.generated
  }

  /** Number of records ever created besides the generated ones: the `ordinal` of the next. */
  get created(): number {
    return this.#state.created
  }

  has(key: string): boolean {
    return this.#state.positionOf(key) !== undefined
  }

  /** Whether a created record has this key: cheaper than {@link CollectionView.has}. */
  hasCreated(key: string): boolean {
    return this.#state.hasCreated(key)
  }

  get(key: string): JsonObject | undefined {
    const position = this.#positionOf(key)
    return position === undefined ? undefined : this.#state.recordAt(position)
  }

  /** The record with this key, read on demand. */
  live(key: string): LiveRecord | undefined {
    const position = this.#positionOf(key)
    return position === undefined ? undefined : this.at(position)
  }

  /** One value of a live record, without making its other fields. */
  valueOf(key: string, field: FieldPath): Json | undefined {
    const position = this.#positionOf(key)
    return position === undefined ? undefined : this.#state.valueAt(position, field)
  }

  /** Keys of the record's parents. Empty for an unknown key. */
  scopeOf(key: string): RecordScope {
    const position = this.#state.positionOf(key)
    return position === undefined ? {} : this.#scopes.of(position)
  }

  /** Key of the live record that `draw` (32 random bits) selects; undefined without records. */
  pickKey(draw: number): string | undefined {
    if (this.count === 0) return undefined
    return this.#state.keyAt(this.#state.live.at(Math.floor(((draw >>> 0) / 2 ** 32) * this.count)))
  }

  /** Key of the first record in `scope` whose `field` has `value`. */
  find(field: FieldPath, value: string, scope: readonly ScopeMatch[] = []): string | undefined {
    return this.first({ scope, where: [{ field, test: (found) => keyIn(found) === value }] })?.key
  }

  /** Key of the record in `scope` with this id now, or at first where no other record has it now. */
  findIn(id: string, scope: readonly ScopeMatch[]): string | undefined {
    const position = this.#positionIn(id, scope)
    if (position === undefined) return undefined
    const isKey = this.#state.renames.size === 0 || position === this.#state.positionOf(id)
    return isKey ? id : this.#state.keyAt(position)
  }

  /** The record of {@link CollectionView.findIn}. */
  liveIn(id: string, scope: readonly ScopeMatch[]): LiveRecord | undefined {
    const position = this.#positionIn(id, scope)
    return position === undefined ? undefined : this.at(position)
  }

  #positionIn(id: string, scope: readonly ScopeMatch[]): number | undefined {
    const { renames } = this.#state
    const position = this.#positionOf(id)
    const isKey = position !== undefined && (scope.length === 0 || this.#liesIn(scope, position))
    if (isKey && (renames.size === 0 || !renames.has(position))) return position
    for (const other of renames.positionsOf(id)) if (this.#liesIn(scope, other)) return other
    return isKey ? position : undefined
  }

  /** Key of the record in `scope` with this id now. `isNoKey`: no record has this key. */
  findOwner(id: string, scope: readonly ScopeMatch[], isNoKey = false): string | undefined {
    const { renames } = this.#state
    if (isNoKey && renames.size === 0) return undefined
    const key = this.findIn(id, scope)
    const position = key === id ? this.#state.positionOf(id) : undefined
    return position !== undefined && renames.has(position) ? undefined : key
  }

  /** The records of one page, and the total number of matches. */
  select(selection: Selection): { records: LiveRecord[]; total: number } {
    const { positions, total } = selectPositions(
      this.#state,
      this.#scopes,
      { ...selection, isIn: this.#inPart },
      this.#collections.longReads,
    )
    return { records: positions.map((position) => this.at(position)), total }
  }

  /** The first record of a selection. */
  first(selection: Selection): LiveRecord | undefined {
    return this.select({ ...selection, limit: 1 }).records[0]
  }

  /** Positions of all live records. */
  get positions(): Positions {
    return this.#state.live
  }

  /** The index on a field, undefined for too many values. Pauses while it is made. */
  indexing(field: FieldPath): Generator<undefined, ValueIndex | undefined> {
    return this.#state.indexing(field)
  }

  /** Number of records for each value of a field; undefined for too many values. */
  counts(field: FieldPath): readonly (readonly [value: Json | undefined, records: number])[] | undefined {
    return this.#collections.longReads.read(this.indexing(field))?.sizes()
  }

  /** The records whose `field` passes a test. Pauses during long searches. */
  *where(field: FieldPath, test: (value: Json | undefined) => boolean): Generator<undefined, LiveRecord[]> {
    const index = yield* this.indexing(field)
    const valueAt = this.#state.column(field)
    const found: LiveRecord[] = []
    for (const block of inBlocks(index?.where(test) ?? this.#state.live)) {
      for (const position of block) if (index !== undefined || test(valueAt(position))) found.push(this.at(position))
      yield
    }
    return found
  }

  /** Reads one field of live records by position; faster than single reads of many records. */
  column(field: FieldPath): (position: number) => Json | undefined {
    return this.#state.column(field)
  }

  at(position: number): LiveRecord {
    return new LiveRecord(this.model.name, this.#state, position)
  }

  /** Tests whether a position is of the part of the data that is read; undefined where all are. */
  get #inPart(): ((position: number) => boolean) | undefined {
    const { part } = this.#collections
    if (part === undefined || part.shared.has(this.model.name)) return undefined
    if (this.#collections.count(part.of) === 0) return undefined
    return (position) => {
      const made = this.#state.madeScope(position)
      return made === undefined || (made[PART] ?? '') === part.name
    }
  }

  #positionOf(key: string): number | undefined {
    const position = this.#state.positionOf(key)
    return position === undefined || this.#inPart?.(position) === false ? undefined : position
  }

  #liesIn(scope: readonly ScopeMatch[], position: number): boolean {
    return scope.every((match) => this.#scopes.matcher(match)(position))
  }
}
