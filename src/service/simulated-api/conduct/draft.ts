import type { JsonObject } from '../../../protocol/json.ts'
import type { Change } from '../../world/change.ts'
import { NewKeys } from '../../world/new-keys.ts'
import type { World } from '../../world/world.ts'
import { completeRecord } from '../operations/make-record.ts'

/** A record that effects name. */
export interface RecordPlace {
  readonly collection: string
  readonly key: string
}

type RecordChange = Extract<Change, { readonly collection: string }>

/** The world as it will be after the changes of one request: effects read and write here, and nothing is applied. */
export class Draft {
  readonly #world: World
  readonly #at: number
  readonly #changes = new Map<string, RecordChange>()
  readonly #others: Change[] = []
  readonly #keys = new Map<string, NewKeys>()

  /** @param at world time, milliseconds */
  constructor(world: World, at: number, changes: readonly Change[]) {
    this.#world = world
    this.#at = at
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

  /** The records that pass, newest first. */
  select(collection: string, test: (record: JsonObject) => boolean): { key: string; record: JsonObject }[] {
    const ofDraft = [...this.#changes.values()].filter((change) => change.collection === collection).toReversed()
    const created = ofDraft.flatMap((change) =>
      change.type === 'created' && test(change.record) ? [{ key: change.key, record: change.record }] : [],
    )
    const { records } = this.#world.collection(collection).select({ newestFirst: true })
    const held = records.flatMap(({ key }) => {
      const record = this.get(collection, key)
      return record !== undefined && test(record) ? [{ key, record }] : []
    })
    return [...created, ...held]
  }

  /** Makes a whole record around the given values. */
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

  /** The changes, one for each record, in the order in which the records were first met. */
  changes(): Change[] {
    return [...this.#others, ...this.#changes.values()]
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
