import type { Dataset, Table } from '../dataset/dataset.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import { CollectionState } from './collection-state.ts'
import type { LongReads } from './long-reads.ts'

/** A part of the data that requests see alone: the records of one account of the simulated API. */
export interface WorldPart {
  /** Key of the account's record; '' for the records of none. */
  readonly name: string
  /** The collection of the accounts. */
  readonly of: string
  /** Collections that all parts share. */
  readonly shared: ReadonlySet<string>
}

/** The name in a record's scope of the part that it belongs to. */
export const PART = '@part'

/** The collections of a world, with their models and states. One that was never read costs nothing. */
export class CollectionStates {
  readonly #dataset: Dataset
  readonly #models: ReadonlyMap<string, CollectionModel>
  readonly #opened = new Map<string, CollectionState>()
  readonly longReads: LongReads
  /** The part to which reads are bound at present. */
  part: WorldPart | undefined

  constructor(model: ApiModel, dataset: Dataset, longReads: LongReads) {
    this.#dataset = dataset
    this.longReads = longReads
    this.#models = new Map(model.collections.map((collection) => [collection.name, collection]))
  }

  /** Undefined for an unknown collection. */
  model(name: string): CollectionModel | undefined {
    return this.#models.get(name)
  }

  /** How many collections there are. */
  get size(): number {
    return this.#models.size
  }

  /** Throws for an unknown collection. */
  state(name: string): CollectionState {
    return this.#opened.get(name) ?? this.#open(name)
  }

  /** How many records a collection has. */
  count(name: string): number {
    return this.#opened.get(name)?.count ?? this.#table(name).size
  }

  /** Whether a record of a collection was deleted. */
  wasDeleted(name: string, key: string): boolean {
    return this.#opened.get(name)?.wasDeleted(key) ?? false
  }

  /** The states used so far, in the dataset's order: the other collections are as generated. */
  *opened(): Generator<[name: string, state: CollectionState]> {
    for (const name of this.#dataset.tables.keys()) {
      const state = this.#opened.get(name)
      if (state !== undefined) yield [name, state]
    }
  }

  #open(name: string): CollectionState {
    const state = new CollectionState(this.#table(name))
    this.#opened.set(name, state)
    return state
  }

  #table(name: string): Table {
    const table = this.#dataset.tables.get(name)
    if (table === undefined) throw new Error(`Failed to find collection "${name}": the dataset has none of that name.`)
    return table
  }
}
