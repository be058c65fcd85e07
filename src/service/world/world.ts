import type { JsonObject } from '../../protocol/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change } from './change.ts'
import { type CollectionOverlay, CollectionState, type PositionDelta, type Undo } from './collection-state.ts'
import { CollectionView } from './collection-view.ts'
import { Scopes } from './scopes.ts'

/** What changed since the start: the whole state of a world beside its dataset. */
export interface WorldOverlay {
  collections: Map<string, CollectionOverlay>
  singletons: Map<string, JsonObject | null>
}

/** What a run of changes made of the world: enough to make the same of another world on the same dataset. */
export interface WorldDelta {
  readonly collections: readonly {
    readonly name: string
    readonly created: number
    readonly positions: readonly PositionDelta[]
  }[]
  readonly singletons: readonly { readonly key: string; readonly record: JsonObject | null }[]
}

/** The changes since a `begin`. */
interface Journal {
  readonly undos: Undo[]
  readonly touched: Map<string, Set<number>>
  readonly singletons: Set<string>
}

/** The living data: the dataset, and over it everything that changed. */
export class World {
  readonly dataset: Dataset
  readonly #states: ReadonlyMap<string, CollectionState>
  readonly #views: ReadonlyMap<string, CollectionView>
  #singletons = new Map<string, JsonObject | null>()
  /** Journals that are open, the innermost last. */
  readonly #journals: Journal[] = []

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
    this.#journals.at(-1)?.undos.push(undo)
  }

  /** Begins to remember changes. May be nested: what an inner journal keeps becomes part of the outer one. */
  begin(): void {
    this.#journals.push({ undos: [], touched: new Map(), singletons: new Set() })
  }

  /** Takes back every change since the last `begin`. */
  undo(): void {
    for (const undo of this.#journals.pop()?.undos.reverse() ?? []) undo()
  }

  /** Keeps every change since the last `begin` and returns what they came to. */
  commit(): WorldDelta {
    const journal = this.#journals.pop()
    if (journal === undefined) return { collections: [], singletons: [] }
    const outer = this.#journals.at(-1)
    for (const undo of journal.undos) outer?.undos.push(undo)
    for (const [name, positions] of journal.touched) {
      for (const position of positions) this.#touch(name, position)
    }
    for (const key of journal.singletons) outer?.singletons.add(key)
    return {
      collections: [...journal.touched].map(([name, positions]) => ({
        name,
        created: this.#state(name).created,
        positions: [...positions].map((position) => this.#state(name).deltaOf(position)),
      })),
      singletons: [...journal.singletons].map((key) => ({ key, record: this.#singletons.get(key) ?? null })),
    }
  }

  /** Makes of this world what the changes behind `delta` made of another one, which stood where this one stands. */
  restore(delta: WorldDelta): void {
    for (const { name, created, positions } of delta.collections) {
      for (const position of positions) this.#state(name).restore(position, created)
    }
    for (const { key, record } of delta.singletons) this.#singletons.set(key, record)
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
    this.#journals.length = 0
  }

  #write(change: Change): Undo {
    if ('singleton' in change) {
      const key = singletonKey(change.singleton, change.scopeKey)
      return this.#putSingleton(key, change.type === 'deleted' ? null : change.record)
    }
    const state = this.#state(change.collection)
    if (change.type === 'created') {
      this.#touch(change.collection, state.end)
      return state.create(change.key, change.record, change.scope)
    }
    const position = state.positionOf(change.key)
    if (position === undefined) {
      throw new Error(`Failed to change record "${change.key}" of "${change.collection}": there is none with that key.`)
    }
    this.#touch(change.collection, position)
    return state.put(position, change.type === 'deleted' ? null : change.record)
  }

  #touch(collection: string, position: number): void {
    const journal = this.#journals.at(-1)
    if (journal === undefined) return
    const positions = journal.touched.get(collection) ?? new Set()
    journal.touched.set(collection, positions.add(position))
  }

  #putSingleton(key: string, record: JsonObject | null): Undo {
    const previous = this.#singletons.get(key)
    this.#singletons.set(key, record)
    this.#journals.at(-1)?.singletons.add(key)
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
