import { grouped } from '../../../protocol/grouped.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, readPath } from '../../../protocol/json.ts'
import { onceFor } from '../../../runtime/once.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { runToEnd } from '../../world/long-reads.ts'
import { NewKeys } from '../../world/new-keys.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import type { World } from '../../world/world.ts'
import { Refusal } from '../refusal.ts'
import { completeRecord } from './make-record.ts'

/** A record for effects. */
export interface RecordPlace {
  readonly collection: string
  readonly key: string
}

/** A condition on the value at a path, which depends only on the value. */
export interface ValueTest {
  readonly path: readonly string[]
  readonly test: (value: Json | undefined) => boolean
}

/** A record with its key. */
export interface Drafted {
  readonly key: string
  readonly record: JsonObject
}

/** Most records that one search may find: they are held together. */
const MOST_FOUND = 50_000
/** Most fields that one request may read; a record counts for about all of its fields. */
const MOST_LOOKED_AT = 20_000_000
const FIELDS_OF_RECORD = 20

type RecordChange = Extract<Change, { readonly collection: string }>

/** The world after the changes of one request: effects read and write here; nothing is applied. */
export class Draft {
  /** World time to which the request advances the clock, milliseconds. */
  advanceTo: number | undefined
  readonly #world: World
  readonly #at: number
  readonly #changes = new Map<string, RecordChange>()
  /** Changes of documents, and deletions before another record has the key. */
  readonly #others: Change[] = []
  /** Increases with every change. */
  revision = 0
  readonly #events: (RecordPlace & { readonly event: string })[] = []
  readonly #keys = new Map<string, NewKeys>()
  #lookedAt = 0
  #sealed: string | undefined

  /** @param at world time, milliseconds */
  constructor(world: World, at: number, changes: readonly Change[]) {
    this.#world = world
    this.#at = at
    this.take(changes)
  }

  /** Makes each further change fail with this message: its request is answered. */
  seal(why: string): void {
    this.#sealed = why
  }

  /** Adds changes that follow those so far. */
  take(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#change()
      if ('singleton' in change) this.#others.push(change)
      else {
        if (change.type === 'created') this.#keysOf(change.collection).give(change.key)
        this.#note(change)
      }
    }
  }

  /** Takes back what changes from now on, when it is called. */
  mark(): () => void {
    const [changes, others, events] = [[...this.#changes], this.#others.length, this.#events.length]
    return () => {
      this.#change()
      this.#changes.clear()
      for (const [name, change] of changes) this.#changes.set(name, change)
      this.#others.length = others
      this.#events.length = events
    }
  }

  /** The result of `work`, during which the world has the changes so far. */
  amid<T>(work: () => T): T {
    if (this.revision === 0) return work()
    this.#world.begin()
    try {
      for (const change of this.changes()) this.#world.apply(change)
      return work()
    } finally {
      this.#world.undo()
    }
  }

  /** The result of `work`, which reads the records of another account. */
  ofAccount<T>(name: string, work: () => T): T {
    const { part } = this.#world
    return part === undefined ? work() : this.#world.inPart({ ...part, name }, work)
  }

  get(collection: string, key: string): JsonObject | undefined {
    const change = this.#changes.get(nameOf(collection, key))
    if (change === undefined) return this.#world.collection(collection).get(key)
    return change.type === 'deleted' ? undefined : change.record
  }

  /** A document after the changes. */
  document(singleton: string, scopeKey: string): JsonObject {
    const change = this.#others.findLast(
      (one) => 'singleton' in one && one.singleton === singleton && one.scopeKey === scopeKey,
    )
    return change?.type === 'updated' ? change.record : this.#world.singleton(singleton, scopeKey)
  }

  /** Whether the draft changes a record. */
  hasChanged(collection: string, key: string): boolean {
    return this.#changes.has(nameOf(collection, key))
  }

  /**
   * The matching records, newest first. Fields are tested by index where they can have one. Throws a `Refusal` beyond
   * the limit of one request.
   *
   * @param matches a test of whole records
   * @param most ends the search
   */
  select(
    collection: string,
    tests: readonly ValueTest[],
    { matches, most = Number.POSITIVE_INFINITY }: { matches?: (record: JsonObject) => boolean; most?: number } = {},
  ): Drafted[] {
    const view = this.#world.collection(collection)
    const passes = (record: JsonObject): boolean =>
      tests.every(({ path, test }) => test(readPath(record, path))) && matches?.(record) !== false
    const own = this.#changesOf(collection)
    const created = own.toReversed().flatMap((change) => (change.type === 'created' ? change : []))
    const changed = new Map(own.flatMap((change) => (change.type === 'created' ? [] : [[change.key, change]])))
    const where = toFieldTests(tests)
    this.#look(view.count * (where.length > 0 ? where.length : FIELDS_OF_RECORD), collection)
    const { records } = view.select({ newestFirst: true, where })
    if (records.length > MOST_FOUND) throw tooMany(collection, records.length)
    const found = changed.size === 0 ? records : withChanged(view, records, changed)
    const fresh = created.filter(({ record }) => passes(record)).slice(0, most)
    const run = making(found, changed, passes, most - fresh.length)
    // A command that is repeated after a long read changes records at a later time, with other ids.
    return [...fresh, ...(changed.size === 0 ? this.inSlices(run) : runToEnd(run))]
  }

  /** Number of matching records; by index where the fields can have one. */
  count(collection: string, tests: readonly ValueTest[] = []): number {
    const view = this.#world.collection(collection)
    const where = toFieldTests(tests)
    if (this.#changesOf(collection).length > 0 || where.length < tests.length)
      return tests.length === 0 ? this.#countAll(collection, view.count) : this.select(collection, tests).length
    this.#look(view.count * where.length, collection)
    return view.select({ where, limit: 0 }).total
  }

  /** The result of `run`, which takes slices if it is long. It must not change anything. */
  inSlices<T>(run: Generator<undefined, T>): T {
    return this.#world.longReads.read(run)
  }

  /** Ends what has caught the interruption of a long read. */
  throwAgain(): void {
    this.#world.longReads.throwAgain()
  }

  /** Creates a whole record with the given values, below the records of `matches`. */
  create(collection: string, given: JsonObject, matches: readonly ScopeMatch[] = []): Drafted {
    const keys = this.#keysOf(collection)
    const isGone = (key: string) => this.#changes.get(nameOf(collection, key))?.type === 'deleted'
    const making = { collection, given, matches, at: this.#at, keys, isGone }
    const { found, change, name } = completeRecord(this.#world, making)
    keys.give(found.key, name)
    if ('collection' in change) this.#note(change)
    return { key: found.key, record: found.record }
  }

  update({ collection, key }: RecordPlace, record: JsonObject): void {
    this.#note({ type: 'updated', collection, key, record })
  }

  delete({ collection, key }: RecordPlace): void {
    this.#note({ type: 'deleted', collection, key })
  }

  /** Announces an event of a record, after the changes. */
  emit({ collection, key }: RecordPlace, event: string): void {
    this.#change()
    this.#events.push({ collection, key, event })
  }

  /** The changes, one for each record, in order of first use; and events, as changes to nothing. */
  changes(): Change[] {
    const events = this.#events.flatMap(({ collection, key, event }): Change[] => {
      const record = this.get(collection, key)
      return record === undefined ? [] : [{ type: 'updated', collection, key, record, event }]
    })
    return [...this.#others, ...this.#changes.values(), ...events]
  }

  #change(): void {
    if (this.#sealed !== undefined) throw new Error(this.#sealed)
    this.revision++
  }

  #changesOf(collection: string): RecordChange[] {
    const isOf = (change: Change): change is RecordChange => 'collection' in change && change.collection === collection
    return [...this.#others, ...this.#changes.values()].filter(isOf)
  }

  #countAll(collection: string, before: number): number {
    const steps = this.#changesOf(collection).map(({ type }) => (type === 'created' ? 1 : type === 'deleted' ? -1 : 0))
    return steps.reduce<number>((sum, step) => sum + step, before)
  }

  #look(fields: number, collection: string): void {
    this.#lookedAt += fields
    if (this.#lookedAt <= MOST_LOOKED_AT) return
    const message = `Failed to look for so many of ${collection} in one request: send fewer items, or create the simulation with a smaller \`volume\`.`
    throw new Refusal(400, 'invalid_request', message)
  }

  /** A record that the request creates stays new when it is changed, and is forgotten when it is deleted. */
  #note(change: RecordChange): void {
    this.#change()
    const name = nameOf(change.collection, change.key)
    const known = this.#changes.get(name)
    if (known?.type === 'created' && change.type === 'deleted') {
      this.#changes.delete(name)
      return
    }
    // A new record in the place of another one.
    if (known?.type === 'deleted' && change.type === 'created') this.#others.push(known)
    const noted = known?.type === 'created' && change.type === 'updated' ? { ...known, record: change.record } : change
    const { schema } = this.#world.collection(change.collection).model
    this.#changes.set(name, whole(noted, schema))
  }

  #keysOf(collection: string): NewKeys {
    return onceFor(this.#keys, collection, () => new NewKeys(this.#world.collection(collection)))
  }
}

/** A change with the declared defaults of a new record's fields, and of the fields of its objects. */
function whole(change: RecordChange, schema: Schema | undefined): RecordChange {
  if (change.type === 'deleted' || schema === undefined) return change
  const record = change.type === 'created' ? withMissing(change.record, schema) : change.record
  return { ...change, record: filled(record, schema) as JsonObject }
}

/** A value whose objects have the declared defaults of the fields that they lack; the same one where nothing lacks. */
function filled(value: Json, schema: Schema | undefined): Json {
  if (schema === undefined || !isJsonObject(value)) return value
  const more: JsonObject = {}
  for (const [name, field] of schema.properties) {
    const own = getOwn(value, name)
    if (!isJsonObject(own)) continue
    const whole = filled(withMissing(own, field), field)
    if (whole !== own) more[name] = whole
  }
  return Object.keys(more).length === 0 ? value : { ...value, ...more }
}

/** The declared defaults of an object's fields: those of its own default, else those of each. */
function withMissing(value: JsonObject, { default: usual, properties }: Schema): JsonObject {
  const declared = [...properties].flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  )
  return withUsual(value, isJsonObject(usual) ? usual : (Object.fromEntries(declared) as JsonObject))
}

function withUsual(value: JsonObject, usual: JsonObject): JsonObject {
  const more: JsonObject = {}
  for (const [name, other] of Object.entries(usual)) {
    const own = getOwn(value, name)
    const whole = own === undefined ? other : isJsonObject(own) && isJsonObject(other) ? withUsual(own, other) : own
    if (whole !== own) more[name] = whole
  }
  return Object.keys(more).length === 0 ? value : { ...value, ...more }
}

const nameOf = (collection: string, key: string): string => `${collection}\u0000${key}`

/** The tests without those of an item of a list, which only a whole record shows. */
const toFieldTests = (tests: readonly ValueTest[]): { field: readonly string[]; test: ValueTest['test'] }[] =>
  tests.filter(({ path }) => !path.some((name) => /^\d+$/.test(name))).map(({ path, test }) => ({ field: path, test }))

/** The records, with the draft's changes: their current values decide whether they match. */
function withChanged(
  view: CollectionView,
  records: readonly LiveRecord[],
  changed: ReadonlyMap<string, RecordChange>,
): LiveRecord[] {
  const others = [...changed.keys()].flatMap((key) => view.live(key) ?? [])
  const orderOf = ({ position }: LiveRecord) => (position < view.generated ? position : -position)
  return [...records.filter(({ key }) => !changed.has(key)), ...others].sort((one, two) => orderOf(one) - orderOf(two))
}

function* making(
  found: readonly LiveRecord[],
  changed: ReadonlyMap<string, RecordChange>,
  passes: (record: JsonObject) => boolean,
  most: number,
): Generator<undefined, Drafted[]> {
  const made: Drafted[] = []
  for (const live of found) {
    if (made.length >= most) break
    const change = changed.size === 0 ? undefined : changed.get(live.key)
    const record = change === undefined ? live.record : 'record' in change ? change.record : undefined
    if (record !== undefined && passes(record)) made.push({ key: live.key, record })
    yield
  }
  return made
}

function tooMany(collection: string, count: number): Refusal {
  const [most, got] = [MOST_FOUND, count].map(grouped)
  const message = `Expected this operation to find at most ${most} of ${collection}, got ${got}: create the simulation with a smaller \`volume.${collection}\`.`
  return new Refusal(400, 'invalid_request', message, collection)
}
