import type { JsonObject } from '../../protocol/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change } from './change.ts'
import { CollectionState, type PositionDelta, type Undo } from './collection-state.ts'
import { CollectionView } from './collection-view.ts'
import { Scopes } from './scopes.ts'

/** What a run of changes made of a world: enough to make the same of another one on the same dataset. Plain JSON. */
export interface WorldDelta {
  /** Whether it starts from the dataset as generated; else from where the world stood. */
  readonly fromStart: boolean
  readonly collections: readonly {
    readonly name: string
    /** How many records were ever created. */
    readonly created: number
    readonly positions: readonly PositionDelta[]
  }[]
  /** Documents that changed; null where one was deleted. */
  readonly singletons: readonly (readonly [key: string, record: JsonObject | null])[]
}

/** The changes since a `begin`. */
interface Journal {
  /** Whether the world went back to its dataset meanwhile. */
  fromStart: boolean
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
    this.#journals.push({ fromStart: false, undos: [], touched: new Map(), singletons: new Set() })
  }

  /** Takes back every change since the last `begin`. */
  undo(): void {
    for (const undo of this.#journals.pop()?.undos.reverse() ?? []) undo()
  }

  /** Keeps every change since the last `begin` and returns what they came to. */
  commit(): WorldDelta {
    const journal = this.#journals.pop()
    if (journal === undefined) throw new Error('Failed to commit changes: nothing was begun.')
    const outer = this.#journals.at(-1)
    if (outer !== undefined) mergeInto(outer, journal)
    return journal.fromStart ? this.dump() : this.#deltaOf(journal)
  }

  /** Makes of this world what the changes behind `delta` made of another one, which stood where this one stands. */
  restore(delta: WorldDelta): void {
    if (delta.fromStart) this.load()
    for (const { name, created, positions } of delta.collections) {
      const state = this.#state(name)
      for (const position of positions) state.restore(position)
      state.created = created
    }
    for (const [key, record] of delta.singletons) this.#singletons.set(key, record)
  }

  /** All that differs from the dataset; costs as much as there is of it. */
  dump(): WorldDelta {
    return {
      fromStart: true,
      collections: [...this.#states].flatMap(([name, state]) =>
        state.created === 0 && state.changed().length === 0
          ? []
          : [{ name, created: state.created, positions: state.changed() }],
      ),
      singletons: [...this.#singletons],
    }
  }

  /** Goes back to the dataset as generated. */
  load(): void {
    const journal = this.#journals.at(-1)
    if (journal !== undefined) {
      const before = this.dump()
      journal.fromStart = true
      journal.undos.push(() => this.restore(before))
    }
    for (const state of this.#states.values()) state.clear()
    this.#singletons = new Map()
  }

  #deltaOf({ touched, singletons }: Journal): WorldDelta {
    return {
      fromStart: false,
      collections: [...touched].map(([name, positions]) => {
        const state = this.#state(name)
        return { name, created: state.created, positions: [...positions].map((position) => state.deltaOf(position)) }
      }),
      singletons: [...singletons].map((key) => [key, this.#singletons.get(key) ?? null]),
    }
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

/** What an inner journal kept is the outer one's to take back. */
function mergeInto(outer: Journal, inner: Journal): void {
  outer.fromStart ||= inner.fromStart
  for (const undo of inner.undos) outer.undos.push(undo)
  for (const key of inner.singletons) outer.singletons.add(key)
  for (const [name, positions] of inner.touched) {
    const known = outer.touched.get(name) ?? new Set()
    for (const position of positions) known.add(position)
    outer.touched.set(name, known)
  }
}

const singletonKey = (name: string, scopeKey: string): string => `${name}\u0000${scopeKey}`
