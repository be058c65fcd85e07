import type { JsonObject } from '../../protocol/json.ts'
import { onceFor } from '../../runtime/once.ts'
import type { Dataset, RecordScope } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { Change, UploadedFile } from './change.ts'
import type { CollectionState } from './collection-state.ts'
import { CollectionStates, PART, type WorldPart } from './collection-states.ts'
import { CollectionView } from './collection-view.ts'
import { isEmpty, type Journal, mergeInto, type WorldDelta } from './journal.ts'
import { LongReads, runToEnd } from './long-reads.ts'
import { dumpingWorld, type PreparedWorld, preparingWorld } from './prepared-world.ts'

/** Most records of a collection that reads visit in one step. */
const MOST_AT_ONCE = 10_000
/** Records restored between two pauses. */
const RESTORED_AT_ONCE = 2_000

/** The current data: the dataset, with all changes over it. */
export class World {
  readonly model: ApiModel
  readonly dataset: Dataset
  readonly #states: CollectionStates
  readonly #isLarge: boolean
  readonly #views = new Map<string, CollectionView>()
  #singletons = new Map<string, JsonObject | null>()
  #era = 0
  #revision = 0
  /** Open journals, the innermost last. */
  readonly #journals: Journal[] = []

  /** @param longReads those of another world whose commands also read this one. @default its own */
  constructor(model: ApiModel, dataset: Dataset, longReads: LongReads = new LongReads()) {
    this.model = model
    this.dataset = dataset
    this.#isLarge = [...dataset.tables.keys()].some(
      (name) => dataset.wanted(name) > MOST_AT_ONCE && (dataset.tables.get(name)?.size ?? 0) > MOST_AT_ONCE,
    )
    this.#states = new CollectionStates(model, dataset, longReads)
  }

  /** Increases when the data goes back to an earlier state, by `undo` and `load`. */
  get era(): number {
    return this.#era
  }

  /** Increases with every change of the data. */
  get revision(): number {
    return this.#revision
  }

  /** Whether reads may be long. */
  get isLarge(): boolean {
    return this.#isLarge
  }

  get longReads(): LongReads {
    return this.#states.longReads
  }

  /** The part to which reads are bound at present. */
  get part(): WorldPart | undefined {
    return this.#states.part
  }

  /** Runs with the records of one part of the data, and those that no request made; new ones belong to the part. */
  inPart<Result>(part: WorldPart | undefined, run: () => Result): Result {
    const outer = this.#states.part
    this.#states.part = part
    try {
      return run()
    } finally {
      this.#states.part = outer
    }
  }

  /** The scope of a new record in the part that is read: an account's own record is in its own part. */
  scopeInPart(collection: string, key: string, scope: RecordScope): RecordScope {
    const { part } = this.#states
    const name = part?.of === collection ? key : part?.name
    return name ? { [PART]: name, ...scope } : scope
  }

  /** The part to which a record belongs. */
  partOf(change: Change): string | undefined {
    if ('singleton' in change) return undefined
    const { collection, key } = change
    return (change.type === 'created' ? change.scope : this.collection(collection).scopeOf(key))[PART] || undefined
  }

  /** The part of a record with one of these keys, in any collection; undefined where none has one. */
  partWith(keys: readonly string[]): string | undefined {
    for (const [name] of this.#states.opened())
      for (const key of keys) {
        const part = this.collection(name).scopeOf(key)[PART]
        if (part !== undefined) return part
      }
    return undefined
  }

  /** The records of a collection. Throws for an unknown collection. */
  collection(name: string): CollectionView {
    return this.#views.get(name) ?? this.#open(name)
  }

  /** Current number of a collection's records; cheaper than opening the collection. */
  count(name: string): number {
    return this.#states.count(name)
  }

  /** Whether a record was deleted; cheaper than opening the collection. */
  wasDeleted(collection: string, key: string): boolean {
    return this.#states.wasDeleted(collection, key)
  }

  /** The document of a singleton below the records in `scopeKey` ('' at the top). */
  singleton(name: string, scopeKey: string): JsonObject {
    return this.#singletons.get(singletonKey(name, scopeKey)) ?? this.dataset.singleton(name, scopeKey)
  }

  /** Whether a request has changed the document. */
  isSingletonChanged(name: string, scopeKey: string): boolean {
    return this.#singletons.has(singletonKey(name, scopeKey))
  }

  /** Whether a request has deleted the document. */
  isSingletonDeleted(name: string, scopeKey: string): boolean {
    return this.#singletons.get(singletonKey(name, scopeKey)) === null
  }

  /** A client's upload for a record or a document. */
  file(subject: string, key: string): UploadedFile | undefined {
    const kept = this.#singletons.get(singletonKey(`${FILE}${subject}`, key))
    return kept ? { mediaType: String(kept.mediaType), base64: String(kept.base64) } : undefined
  }

  /** The only way to change data. Throws for a missing record. */
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
      else state.put(position, change.type === 'deleted' ? (change.kept ?? null) : change.record)
    }
    this.#keepFile(change)
  }

  /** Starts a journal. May be nested: changes kept by an inner journal become part of the outer one. */
  begin(): void {
    this.#journals.push({ collections: new Map(), singletons: new Map(), beforeStart: undefined })
  }

  /** Reverts every change since the last `begin`. */
  undo(): void {
    runToEnd(this.undoing())
  }

  /** The same with pauses. Must be run to its end. */
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

  /** The changes since the last `begin`. The journal stays open. */
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

  /** Applies a `delta` of another world that was in the same state. While a journal is open, only for a delta from the start. */
  restore(delta: WorldDelta): void {
    if (delta.fromStart) this.load()
    this.#put(delta)
  }

  /** All differences from the dataset; costs as much as their number. */
  dump(): WorldDelta {
    return runToEnd(this.dumping())
  }

  /** The same with pauses, during which nothing may change. */
  dumping(): Generator<undefined, WorldDelta> {
    return dumpingWorld(this.#states, this.#singletons)
  }

  /** Prepares a state, with pauses, to be taken over in one step. Changes nothing. */
  preparing(delta: WorldDelta): Generator<undefined, PreparedWorld> {
    return preparingWorld(delta, this.#states)
  }

  /** Prepares a copy of the current state; nothing may change meanwhile. */
  *copying(): Generator<undefined, PreparedWorld> {
    return yield* this.preparing(yield* this.dumping())
  }

  /** Takes over a prepared state, which is consumed. */
  take({ collections, singletons }: PreparedWorld): void {
    this.load()
    for (const [name, state] of collections) this.#states.state(name).takeOver(state)
    this.#singletons = singletons
  }

  /** Goes back to the generated dataset. */
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

  /** Notes the record at a position before its change. */
  #note(name: string, state: CollectionState, position: number): void {
    const journal = this.#openJournal()
    if (journal === undefined) return
    const noted = onceFor(journal.collections, name, () => ({ created: state.created, positions: new Map() }))
    if (!noted.positions.has(position)) noted.positions.set(position, state.deltaOf(position))
  }

  /** The innermost journal, if it must note changes. */
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

/** Prefix of the names of uploads: no document's name begins with it. */
const FILE = 'file of '

const singletonKey = (name: string, scopeKey: string): string => `${name}\u0000${scopeKey}`
