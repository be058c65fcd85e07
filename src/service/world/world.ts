import type { JsonObject } from '../../protocol/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change } from './change.ts'
import { type CollectionOverlay, CollectionState, type Undo } from './collection-state.ts'
import { CollectionView } from './collection-view.ts'
import { Scopes } from './scopes.ts'

/** What changed since the start: the whole state of a world beside its dataset. */
export interface WorldOverlay {
  collections: Map<string, CollectionOverlay>
  singletons: Map<string, JsonObject | null>
}

/** The living data: the dataset, and over it everything that changed. */
export class World {
  readonly dataset: Dataset
  readonly #states: ReadonlyMap<string, CollectionState>
  readonly #views: ReadonlyMap<string, CollectionView>
  #singletons = new Map<string, JsonObject | null>()
  #undos: Undo[] | undefined

  constructor(model: ApiModel, dataset: Dataset) {
    this.dataset = dataset
    const models = new Map(model.collections.map((collection) => [collection.name, collection]))
    this.#states = new Map([...dataset.tables].map(([name, table]) => [name, new CollectionState(table)]))
    const scopes = new Scopes(models, this.#states)
    this.#views = new Map(
      model.collections.map((collection) => [
        collection.name,
        new CollectionView(collection, this.#state(collection.name), scopes),
      ]),
    )
  }

  /** The records of a collection. Throws when the model has no collection of that name. */
  collection(name: string): CollectionView {
    const view = this.#views.get(name)
    if (view === undefined) throw new Error(`Failed to find collection "${name}": the model has none of that name.`)
    return view
  }

  /** The document of a singleton below the records that `scopeKey` names ('' at the top). */
  singleton(name: string, scopeKey: string): JsonObject {
    return this.#singletons.get(singletonKey(name, scopeKey)) ?? this.dataset.singleton(name, scopeKey)
  }

  /** Whether a request has deleted the document since the start. */
  isSingletonDeleted(name: string, scopeKey: string): boolean {
    return this.#singletons.get(singletonKey(name, scopeKey)) === null
  }

  /** The only door through which data changes. Throws when the change names a record that is not there. */
  apply(change: Change): void {
    const undo = this.#write(change)
    this.#undos?.push(undo)
  }

  /** Begins to remember how to take changes back. */
  begin(): void {
    this.#undos = []
  }

  /** Takes back every change since `begin`. */
  undo(): void {
    for (const undo of this.#undos?.reverse() ?? []) undo()
    this.#undos = undefined
  }

  /** Keeps every change since `begin`. */
  commit(): void {
    this.#undos = undefined
  }

  /** A copy of what changed; costs as much as there is of it. */
  dump(): WorldOverlay {
    return {
      collections: new Map([...this.#states].map(([name, state]) => [name, state.dump()])),
      singletons: new Map(this.#singletons),
    }
  }

  /** Goes back to what `dump` gave, or, without one, to the dataset as generated. */
  load(overlay?: WorldOverlay): void {
    for (const [name, state] of this.#states) state.load(overlay?.collections.get(name))
    this.#singletons = new Map(overlay?.singletons)
    this.#undos = undefined
  }

  #write(change: Change): Undo {
    if ('singleton' in change) {
      return this.#putSingleton(
        singletonKey(change.singleton, change.scopeKey),
        change.type === 'deleted' ? null : change.record,
      )
    }
    const state = this.#state(change.collection)
    if (change.type === 'created') return state.create(change.key, change.record, change.scope)
    const position = state.positionOf(change.key)
    if (position === undefined) {
      throw new Error(`Failed to change record "${change.key}" of "${change.collection}": there is none with that key.`)
    }
    return state.put(position, change.type === 'deleted' ? null : change.record)
  }

  #putSingleton(key: string, record: JsonObject | null): Undo {
    const previous = this.#singletons.get(key)
    this.#singletons.set(key, record)
    return () => {
      if (previous === undefined) this.#singletons.delete(key)
      else this.#singletons.set(key, previous)
    }
  }

  #state(name: string): CollectionState {
    const state = this.#states.get(name)
    if (state === undefined) throw new Error(`Failed to find collection "${name}": the dataset has none of that name.`)
    return state
  }
}

const singletonKey = (name: string, scopeKey: string): string => `${name}\u0000${scopeKey}`
