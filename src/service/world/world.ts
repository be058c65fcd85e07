import type { JsonObject } from '../../protocol/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change, UploadedFile } from './change.ts'
import type { CollectionState } from './collection-state.ts'
import { CollectionStates } from './collection-states.ts'
import { CollectionView } from './collection-view.ts'
import { isEmpty, type Journal, mergeInto, type WorldDelta } from './journal.ts'
import { LongReads } from './long-reads.ts'
import { dumpingWorld, type PreparedWorld, preparingWorld } from './prepared-world.ts'
import { runToEnd } from './run-to-end.ts'

/** Records of a collection that reads look through at once. */
const MOST_AT_ONCE = 10_000
/** Records that are restored between two pauses. */
const RESTORED_AT_ONCE = 2_000

/** The living data: the dataset, and over it everything that changed. */
export class World {
  readonly model: ApiModel
  readonly dataset: Dataset
  readonly #states: CollectionStates
  readonly #isLarge: boolean
  readonly #views = new Map<string, CollectionView>()
  #singletons = new Map<string, JsonObject | null>()
  #era = 0
  #revision = 0
  /** Journals that are open, the innermost last. */
  readonly #journals: Journal[] = []

  /** @param longReads of the world whose commands read this one too. @default its own */
  constructor(model: ApiModel, dataset: Dataset, longReads: LongReads = new LongReads()) {
    this.model = model
    this.dataset = dataset
    this.#isLarge = [...dataset.tables.keys()].some(
      (name) => dataset.wanted(name) > MOST_AT_ONCE && (dataset.tables.get(name)?.size ?? 0) > MOST_AT_ONCE,
    )
    this.#states = new CollectionStates(model, dataset, longReads)
  }

  /** Goes up when the data goes back to an earlier state: by `undo` and `load`. */
  get era(): number {
    return this.#era
  }

  /** Moves with every change of the data. */
  get revision(): number {
    return this.#revision
  }

  /** Whether reads may take long. */
  get isLarge(): boolean {
    return this.#isLarge
  }

  get longReads(): LongReads {
    return this.#states.longReads
  }

  /** The records of a collection. Throws when the model has no collection of that name. */
  collection(name: string): CollectionView {
    return this.#views.get(name) ?? this.#open(name)
  }

  /** How many records a collection has now; costs less than to open it. */
  count(name: string): number {
    return this.#states.count(name)
  }

  /** Whether a record was here and was deleted; costs less than to open the collection. */
  wasDeleted(collection: string, key: string): boolean {
    return this.#states.wasDeleted(collection, key)
  }

  /** The document of a singleton below the records that `scopeKey` names ('' at the top). */
  singleton(name: string, scopeKey: string): JsonObject {
    return this.#singletons.get(singletonKey(name, scopeKey)) ?? this.dataset.singleton(name, scopeKey)
  }

  /** Whether a request has deleted the document since the start. */
  isSingletonDeleted(name: string, scopeKey: string): boolean {
    return this.#singletons.get(singletonKey(name, scopeKey)) === null
  }

  /** What a client uploaded for a record, or for a document. */
  file(subject: string, key: string): UploadedFile | undefined {
    const kept = this.#singletons.get(singletonKey(`${FILE}${subject}`, key))
    return kept ? { mediaType: String(kept.mediaType), base64: String(kept.base64) } : undefined
  }

  /** The only door through which data changes. Throws when the change names a record that is not there. */
  apply(change: Change): void {
    this.#revision++
    if ('singleton' in change) this.#applyToSingleton(change)
    else if (change.type === 'created') {
      const state = this.#states.state(change.collection)
      this.#note(change.collection, state, state.end)
      state.create(change.key, change.record, change.scope)
    } else {
      const state = this.#states.state(change.collection)
      const position = state.positionOf(change.key)
      if (position === undefined) {
        throw new Error(
          `Failed to change record "${change.key}" of "${change.collection}": there is none with that key.`,
        )
      }
      this.#note(change.collection, state, position)
      if (change.type === 'updated' && change.isReverted) state.restore({ position })
      else state.put(position, change.type === 'deleted' ? null : change.record)
    }
    this.#keepFile(change)
  }

  /** Begins to remember changes. May be nested: what an inner journal keeps becomes part of the outer one. */
  begin(): void {
    this.#journals.push({ collections: new Map(), singletons: new Map(), beforeStart: undefined })
  }

  /** Takes back every change since the last `begin`. */
  undo(): void {
    runToEnd(this.undoing())
  }

  /** Does the same with pauses. It has to be run to its end. */
  *undoing(): Generator<undefined, void> {
    const journal = this.#journals.pop()
    if (journal === undefined || isEmpty(journal)) return
    this.#era++
    this.#revision++
    if (journal.beforeStart !== undefined) {
      this.#clear()
      this.#put(journal.beforeStart)
    }
    for (const [name, { created, positions }] of journal.collections) {
      const state = this.#states.state(name)
      let restored = 0
      for (const position of positions.values()) {
        state.restore(position)
        if (++restored % RESTORED_AT_ONCE === 0) yield
      }
      state.created = created
    }
    for (const [key, record] of journal.singletons) {
      if (record === undefined) this.#singletons.delete(key)
      else this.#singletons.set(key, record)
    }
  }

  /** What the changes since the last `begin` came to. The journal stays open. */
  draft(): WorldDelta {
    const journal = this.#journals.at(-1)
    if (journal === undefined) throw new Error('Failed to draft changes: nothing was begun.')
    return journal.beforeStart === undefined ? this.#deltaOf(journal) : this.dump()
  }

  /** Keeps every change since the last `begin`. */
  keep(): void {
    const journal = this.#journals.pop()
    const outer = this.#journals.at(-1)
    if (journal !== undefined && outer !== undefined) mergeInto(outer, journal)
  }

  /**
   * Makes of this world what the changes behind `delta` made of another one, which stood where this one stands. While a
   * journal is open, only for a delta from the start.
   */
  restore(delta: WorldDelta): void {
    if (delta.fromStart) this.load()
    this.#put(delta)
  }

  /** All that differs from the dataset; costs as much as there is of it. */
  dump(): WorldDelta {
    return runToEnd(this.dumping())
  }

  /** Does the same with pauses, in which nothing may change. */
  dumping(): Generator<undefined, WorldDelta> {
    return dumpingWorld(this.#states, this.#singletons)
  }

  /** Makes a state beside the living one, pausing now and then, to be taken over at once. Changes nothing. */
  preparing(delta: WorldDelta): Generator<undefined, PreparedWorld> {
    return preparingWorld(delta, this.#states)
  }

  /** Makes a state as this one is now, in which nothing may change meanwhile. */
  *copying(): Generator<undefined, PreparedWorld> {
    return yield* this.preparing(yield* this.dumping())
  }

  /** Takes over a state that was made for this world. It is used up. */
  take({ collections, singletons }: PreparedWorld): void {
    this.load()
    for (const [name, state] of collections) this.#states.state(name).takeOver(state)
    this.#singletons = singletons
  }

  /** Goes back to the dataset as generated. */
  load(): void {
    const journal = this.#journals.at(-1)
    if (journal !== undefined) journal.beforeStart ??= this.dump()
    this.#clear()
  }

  #clear(): void {
    this.#era++
    this.#revision++
    for (const [, state] of this.#states.opened()) state.clear()
    this.#singletons = new Map()
  }

  #put({ collections, singletons }: WorldDelta): void {
    this.#revision++
    for (const { name, created, positions } of collections) {
      const state = this.#states.state(name)
      for (const position of positions) state.restore(position)
      state.created = created
    }
    for (const [key, record] of singletons) this.#singletons.set(key, record)
  }

  #deltaOf({ collections, singletons }: Journal): WorldDelta {
    return {
      fromStart: false,
      collections: [...collections].map(([name, { positions }]) => {
        const state = this.#states.state(name)
        const deltas = [...positions.keys()].map((position) => state.deltaOf(position))
        return { name, created: state.created, positions: deltas }
      }),
      singletons: [...singletons.keys()].map((key) => [key, this.#singletons.get(key) ?? null]),
    }
  }

  #keepFile(change: Change): void {
    const [subject, scopeKey] =
      'singleton' in change ? [change.singleton, change.scopeKey] : [change.collection, change.key]
    const singleton = `${FILE}${subject}`
    if (change.type === 'deleted') {
      if (this.file(subject, scopeKey)) this.#applyToSingleton({ type: 'deleted', singleton, scopeKey })
    } else if (change.file) this.#applyToSingleton({ type: 'updated', singleton, scopeKey, record: change.file })
  }

  #applyToSingleton(change: Extract<Change, { singleton: string }>): void {
    const key = singletonKey(change.singleton, change.scopeKey)
    const journal = this.#openJournal()
    if (journal !== undefined && !journal.singletons.has(key)) journal.singletons.set(key, this.#singletons.get(key))
    this.#singletons.set(key, change.type === 'deleted' ? null : change.record)
  }

  /** Notes what stands at a position that is about to change. */
  #note(name: string, state: CollectionState, position: number): void {
    const journal = this.#openJournal()
    if (journal === undefined) return
    let noted = journal.collections.get(name)
    if (noted === undefined) {
      noted = { created: state.created, positions: new Map() }
      journal.collections.set(name, noted)
    }
    if (!noted.positions.has(position)) noted.positions.set(position, state.deltaOf(position))
  }

  /** The innermost journal, where it still has to note what changes. */
  #openJournal(): Journal | undefined {
    const journal = this.#journals.at(-1)
    return journal?.beforeStart === undefined ? journal : undefined
  }

  #open(name: string): CollectionView {
    const model = this.#states.model(name)
    if (model === undefined) throw new Error(`Failed to find collection "${name}": the model has none of that name.`)
    const view = new CollectionView(model, this.#states)
    this.#views.set(name, view)
    return view
  }
}

/** What the name of a place begins with that holds an upload: no document has such a name. */
const FILE = 'file of '

const singletonKey = (name: string, scopeKey: string): string => `${name}\u0000${scopeKey}`
