import type { Json, JsonObject } from '../../protocol/json.ts'
import type { FieldPath } from '../openapi/schema.ts'
import type { KeyCodec } from './key-codec.ts'
import { descend } from './object-path.ts'

const MAX_TRIES = 10_000

/** Where the ids of a table come from. */
export interface TableKeysOptions {
  /** Asked for when the first id is needed. */
  readonly codec: () => KeyCodec
  readonly field: FieldPath | undefined
  readonly volume: number
  /** Records given by the user; their ids are respected. */
  readonly seedRecords: readonly JsonObject[]
}

/** The ids of one table: those of given records, those of generated ones, and free ones for records made later. */
export class TableKeys {
  readonly #options: TableKeysOptions
  #codec: KeyCodec | undefined
  #size: number | undefined
  #given: Map<string, number> | undefined
  #displaced: Map<number, number> | undefined

  constructor(options: TableKeysOptions) {
    this.#options = options
  }

  get codec(): KeyCodec {
    this.#codec ??= this.#options.codec()
    return this.#codec
  }

  /** How many records there are: as many as wished for, given or possible. */
  get size(): number {
    this.#size ??= Math.max(this.#options.seedRecords.length, Math.min(this.#options.volume, this.codec.capacity))
    return this.#size
  }

  /** Running number of a record, counting up with time; records made later go on behind. */
  rankOf(index: number): number {
    return index < this.size ? this.size - 1 - index : index
  }

  /** The id as it stands in the record: a number where ids are numbers. */
  at(index: number): Json {
    const given = this.#givenKey(index)
    if (given !== undefined) return given
    const displaced = this.#displacedKeys()
    return this.codec.at((displaced.size > 0 ? displaced.get(index) : undefined) ?? this.rankOf(index))
  }

  /** The index of the record with this id. */
  indexOf(key: string): number | undefined {
    const given = this.#givenKeys().get(key)
    if (given !== undefined) return given
    const rank = this.codec.indexOf(key)
    if (rank === undefined) return undefined
    for (const [index, displaced] of this.#displacedKeys()) if (displaced === rank) return index
    if (rank >= this.size) return undefined
    const index = this.size - 1 - rank
    return this.#givenKey(index) === undefined && !this.#displacedKeys().has(index) ? index : undefined
  }

  /** Index, past the generated records, of an id that is not taken. */
  freeIndex(ordinal: number, isTaken: (key: string) => boolean): number {
    const { capacity } = this.codec
    let index = this.size + ordinal
    for (let tries = 0; tries < MAX_TRIES && index < capacity; tries++, index++) {
      if (!this.#isUsedPast(String(this.codec.at(index)), isTaken)) return index
    }
    for (let rank = 0; rank < Math.min(capacity, this.size + MAX_TRIES); rank++) {
      const key = String(this.codec.at(rank))
      if (!isTaken(key) && this.indexOf(key) === undefined) return rank
    }
    return index % Math.max(1, capacity)
  }

  /** Whether an id past the generated ones is in use: only a given record can have brought it in. */
  #isUsedPast(key: string, isTaken: (key: string) => boolean): boolean {
    return isTaken(key) || (this.#givenKeys().size > 0 && this.indexOf(key) !== undefined)
  }

  #givenKey(index: number): Json | undefined {
    const record = this.#options.seedRecords[index]
    const id = record && this.#options.field ? descend(record, this.#options.field) : undefined
    return id === null ? undefined : id
  }

  #givenKeys(): Map<string, number> {
    if (!this.#given) {
      this.#given = new Map()
      for (let index = 0; index < this.#options.seedRecords.length; index++) {
        const key = this.#givenKey(index)
        if (key !== undefined && !this.#given.has(String(key))) this.#given.set(String(key), index)
      }
    }
    return this.#given
  }

  /** Generated records whose id a given record has taken, with the place of the id that they get instead. */
  #displacedKeys(): Map<number, number> {
    if (!this.#displaced) {
      this.#displaced = new Map()
      for (const key of this.#givenKeys().keys()) {
        const rank = this.codec.indexOf(key)
        const index = rank === undefined || rank >= this.size ? undefined : this.size - 1 - rank
        if (index !== undefined && this.#givenKey(index) === undefined) {
          this.#displaced.set(index, this.codec.capacity - 1 - this.#displaced.size)
        }
      }
    }
    return this.#displaced
  }
}
