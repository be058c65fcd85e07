import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Scope } from '../dataset/dataset.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { FieldPath } from '../openapi/schema.ts'
import type { CollectionState } from './collection-state.ts'
import { keyIn } from './field.ts'
import type { FieldIndex } from './field-index.ts'
import type { Scopes } from './scopes.ts'
import { type Selection, selectPositions } from './select.ts'

/** One path parameter that records must agree with. */
export interface ScopeMatch {
  /** Collection whose record the parameter names; the parameter's own name where it names nothing that is kept. */
  readonly name: string
  readonly value: string
  /** Field of the record that is compared instead of the scope it was created in. */
  readonly field?: FieldPath | undefined
}

/** The live records of one collection, to read. `World.apply` is the only way to write. */
export class CollectionView {
  readonly model: CollectionModel
  readonly #state: CollectionState
  readonly #scopes: Scopes

  constructor(model: CollectionModel, state: CollectionState, scopes: Scopes) {
    this.model = model
    this.#state = state
    this.#scopes = scopes
  }

  /** How many records there are now. */
  get count(): number {
    return this.#state.count
  }

  /** How many records were ever created beside the generated ones: the `ordinal` of the next. */
  get created(): number {
    return this.#state.created
  }

  has(key: string): boolean {
    return this.#state.positionOf(key) !== undefined
  }

  /** Whether a record that was created since the start has this key: cheaper than {@link CollectionView.has}. */
  hasCreated(key: string): boolean {
    return this.#state.hasCreated(key)
  }

  get(key: string): JsonObject | undefined {
    const position = this.#state.positionOf(key)
    return position === undefined ? undefined : this.#state.recordAt(position)
  }

  /** One value of a live record, without making the rest of it. */
  valueOf(key: string, field: FieldPath): Json | undefined {
    const position = this.#state.positionOf(key)
    return position === undefined ? undefined : this.#state.valueAt(position, field)
  }

  /** Keys of the records that it lives below. Empty for an unknown key. */
  scopeOf(key: string): Scope {
    const position = this.#state.positionOf(key)
    return position === undefined ? {} : this.#scopes.of(this.model, position)
  }

  /** Keys in order: generated records first, then created ones. */
  *keys(): Generator<string> {
    for (const position of this.#state.live()) yield this.#state.keyAt(position)
  }

  /** Key of the live record that `draw` (32 random bits) falls on; undefined when there are none. */
  pickKey(draw: number): string | undefined {
    if (this.count === 0) return undefined
    const rank = Math.floor(((draw >>> 0) / 2 ** 32) * this.count)
    return this.#state.keyAt(this.#state.isWhole ? rank : this.#state.indexOn([]).with(undefined).at(rank))
  }

  /** Key of the first record whose `field` holds `value` and that lies in `scope`. */
  find(field: FieldPath, value: string, scope: readonly ScopeMatch[] = []): string | undefined {
    const test = (held: Json | undefined) => keyIn(held) === value
    return this.select({ scope, where: [{ field, test }], limit: 1 }).keys[0]
  }

  /** Key of the record that has this id, or had it at first and no other has it now, when it lies in `scope`. */
  findIn(id: string, scope: readonly ScopeMatch[]): string | undefined {
    const position = this.#state.positionOf(id)
    const isKey = position !== undefined && this.#liesIn(scope, position)
    if (isKey && !this.#state.isRenamed(position)) return id
    for (const other of this.#state.renamedTo(id)) if (this.#liesIn(scope, other)) return this.#state.keyAt(other)
    return isKey ? id : undefined
  }

  /** Key of the record in `scope` that has this id now. `isNoKey`: it is known that none has it for its key. */
  findOwner(id: string, scope: readonly ScopeMatch[], isNoKey = false): string | undefined {
    if (isNoKey && !this.#state.hasRenames) return undefined
    const key = this.findIn(id, scope)
    const position = key === id ? this.#state.positionOf(id) : undefined
    return position !== undefined && this.#state.isRenamed(position) ? undefined : key
  }

  /** Keys of one page, and the number of records that match in all. */
  select(selection: Selection): { keys: string[]; total: number } {
    const matchers = (selection.scope ?? []).map((match) => this.#scopes.matcher(this.model, match))
    const { positions, total } = selectPositions(this.#state, selection, matchers)
    return { keys: positions.map((position) => this.#state.keyAt(position)), total }
  }

  /** Live records by the value of `field`, for steps that draw from them; kept up to date from the first call on. */
  indexOn(field: FieldPath): FieldIndex {
    return this.#state.indexOn(field)
  }

  /** Key of a record by its position, as an index gives it. */
  keyAt(position: number): string {
    return this.#state.keyAt(position)
  }

  /** Reads one field of live records by their position; faster than record by record where many are looked at. */
  column(field: FieldPath): (position: number) => Json | undefined {
    return this.#state.column(field)
  }

  /** A live record by its position, as an index gives it. */
  recordAt(position: number): JsonObject {
    return this.#state.recordAt(position)
  }

  #liesIn(scope: readonly ScopeMatch[], position: number): boolean {
    return scope.every((match) => this.#scopes.matcher(this.model, match)(position))
  }
}
