import { grouped } from '../../../protocol/grouped.ts'
import { type Json, type JsonObject, readPath } from '../../../protocol/json.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { NewKeys } from '../../world/new-keys.ts'
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
interface Drafted {
  readonly key: string
  readonly record: JsonObject
}

/** Most records that are built whole; for more, fields are tested first. */
const MOST_WHOLE = 2_000
/** Most records that one search may find: they are held together. */
const MOST_FOUND = 50_000
/** Most fields that one request may read; a record counts for about all of its fields. */
const MOST_LOOKED_AT = 20_000_000
const FIELDS_OF_RECORD = 20

type RecordChange = Extract<Change, { readonly collection: string }>

/** The world after the changes of one request: effects read and write here; nothing is applied. */
export class Draft {
  readonly #world: World
  readonly #at: number
  readonly #changes = new Map<string, RecordChange>()
  readonly #others: Change[] = []
  readonly #keys = new Map<string, NewKeys>()
  #lookedAt = 0

  /** @param at world time, milliseconds */
  constructor(world: World, at: number, changes: readonly Change[]) {
    this.#world = world
    this.#at = at
    this.take(changes)
  }

  /** Adds changes that follow those so far. */
  take(changes: readonly Change[]): void {
    for (const change of changes) {
      if ('singleton' in change) this.#others.push(change)
      else {
        if (change.type === 'created') this.#keysOf(change.collection).give(change.key)
        this.#note(change)
      }
    }
  }

  get(collection: string, key: string): JsonObject | undefined {
    const change = this.#changes.get(nameOf(collection, key))
    if (change === undefined) return this.#world.collection(collection).get(key)
    return change.type === 'deleted' ? undefined : change.record
  }

  /** The matching records, newest first. Throws a `Refusal` beyond the limit of one request. */
  select(collection: string, tests: readonly ValueTest[]): Drafted[] {
    const view = this.#world.collection(collection)
    const passes = (record: JsonObject): boolean => tests.every(({ path, test }) => test(readPath(record, path)))
    const own = [...this.#changes.values()].filter((change) => change.collection === collection)
    const created = own.toReversed().flatMap((change) => (change.type === 'created' ? change : []))
    const changed = new Map(own.flatMap((change) => (change.type === 'created' ? [] : [[change.key, change]])))
    const where = view.count > MOST_WHOLE ? tests.filter(({ path }) => !path.some(isPlace)) : []
    this.#look(view.count * (where.length > 0 ? where.length : FIELDS_OF_RECORD), collection)
    const { records } = view.select({
      newestFirst: true,
      where: where.map(({ path, test }) => ({ field: path, test })),
    })
    if (records.length > MOST_FOUND) throw tooMany(collection, records.length)
    const found = changed.size === 0 ? records : withChanged(view, records, changed)
    const held = this.inSlices(making(found, changed, passes))
    return [...created.filter(({ record }) => passes(record)), ...held]
  }

  /** The result of `run`, which takes slices if it is long. It must not change anything. */
  inSlices<T>(run: Generator<undefined, T>): T {
    return this.#world.longReads.read(run)
  }

  /** Creates a whole record with the given values. */
  create(collection: string, given: JsonObject): { key: string; record: JsonObject } {
    const keys = this.#keysOf(collection)
    const { found, change, name } = completeRecord(this.#world, { collection, given, matches: [], at: this.#at, keys })
    keys.give(found.key, name)
    if ('collection' in change) this.#note(change)
    return { key: found.key, record: found.record }
  }

  update({ collection, key }: RecordPlace, record: JsonObject): void {
    const known = this.#changes.get(nameOf(collection, key))
    if (known?.type === 'created') this.#note({ ...known, record })
    else this.#note({ type: 'updated', collection, key, record })
  }

  delete({ collection, key }: RecordPlace): void {
    const name = nameOf(collection, key)
    if (this.#changes.get(name)?.type === 'created') this.#changes.delete(name)
    else this.#note({ type: 'deleted', collection, key })
  }

  /** The changes, one for each record, in order of first use. */
  changes(): Change[] {
    return [...this.#others, ...this.#changes.values()]
  }

  #look(fields: number, collection: string): void {
    this.#lookedAt += fields
    if (this.#lookedAt <= MOST_LOOKED_AT) return
    const message = `Failed to look for so many of ${collection} in one request: send fewer items, or create the simulation with a smaller \`volume\`.`
    throw new Refusal(400, 'invalid_request', message)
  }

  #note(change: RecordChange): void {
    this.#changes.set(nameOf(change.collection, change.key), change)
  }

  #keysOf(collection: string): NewKeys {
    const keys = this.#keys.get(collection) ?? new NewKeys(this.#world.collection(collection))
    this.#keys.set(collection, keys)
    return keys
  }
}

const nameOf = (collection: string, key: string): string => `${collection}\u0000${key}`

/** Whether a name in a path may be an index of a list. */
const isPlace = (name: string): boolean => /^\d+$/.test(name)

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
): Generator<undefined, Drafted[]> {
  const made: Drafted[] = []
  for (const live of found) {
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
