import { type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { TakenKeys } from '../dataset.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { RecordCodecs } from './record-codecs.ts'

/** Most ids tried to find a free one. */
const MAX_TRIES = 100_000

/** Input of a table's ids. */
interface TableKeysOptions {
  /** Chooses the codec of the ids at the first use. */
  readonly codecs: RecordCodecs
  readonly field: FieldPath | undefined
  readonly volume: number
  /** Number of seed records. */
  readonly given: number
  /** The seed records, and examples; their ids are kept. */
  readonly known: () => readonly JsonObject[]
  /** What stands before the id of the codec, by index. */
  readonly prefixAt: ((index: number) => string) | undefined
}

/** The ids of generated records whose own id a seed record has. */
interface Displaced {
  /** Rank of the record's replacement id, by index. */
  readonly ranks: ReadonlyMap<number, number>
  /** The record's index, by the rank of its id. */
  readonly indexes: ReadonlyMap<number, number>
}

/** The ids of one table: of seed records, of generated ones, and free ones for created records. */
export class TableKeys {
  readonly #options: TableKeysOptions
  #codec: KeyCodec | undefined
  #size: number | undefined
  #given: Map<string, number> | undefined
  #displaced: Displaced | undefined

  constructor(options: TableKeysOptions) {
    this.#options = options
  }

  get codec(): KeyCodec {
    this.#codec ??= this.#options.codecs.chooseIds()
    return this.#codec
  }

  /** Number of records: seed records, and the requested number of generated ones, as far as ids suffice. */
  get size(): number {
    const { given, volume } = this.#options
    this.#size ??= volume === 0 ? given : given + Math.min(volume, this.#roomBesideGiven())
    return this.#size
  }

  /** Number of seed records: the first ones. */
  get given(): number {
    return this.#options.given
  }

  /** Running number of a record: newer records have higher ones, created records the highest. */
  rankOf(index: number): number {
    return index < this.size ? this.size - 1 - index : index
  }

  /** Number of seed records that can be without an id: as many as ids are free. */
  get room(): number {
    return (
      this.codec.capacity - [...this.#givenKeys().keys()].filter((key) => this.codec.indexOf(key) !== undefined).length
    )
  }

  /** The id in the record's type: a number where ids are numbers. */
  at(index: number): Json {
    const given = this.#givenKey(index)
    if (given !== undefined) return given
    const { ranks } = this.#displacedKeys()
    const own = this.codec.at((ranks.size > 0 ? ranks.get(index) : undefined) ?? this.rankOf(index))
    const { prefixAt } = this.#options
    return prefixAt === undefined ? own : prefixAt(index) + own
  }

  /** The index of the record with this id. */
  indexOf(key: string): number | undefined {
    const given = this.#givenKeys().get(key)
    if (given !== undefined) return given
    if (this.#options.prefixAt === undefined) return this.#indexOfOwn(key)
    const index = this.#indexOfOwn(key.slice(key.lastIndexOf('/') + 1))
    return index !== undefined && this.at(index) === key ? index : undefined
  }

  #indexOfOwn(key: string): number | undefined {
    const rank = this.codec.indexOf(key)
    if (rank === undefined) return undefined
    const displaced = this.#displacedKeys().indexes.get(rank)
    if (displaced !== undefined || rank >= this.size) return displaced
    const index = this.size - 1 - rank
    return this.#givenKey(index) === undefined ? index : undefined
  }

  /** Index of a free id: after those of generated records, else a deleted record's. Undefined where all are in use. */
  freeIndex(ordinal: number, taken: TakenKeys): number | undefined {
    const { capacity } = this.codec
    const tries = Math.min(capacity, MAX_TRIES)
    for (let index = this.size + ordinal, tried = 0; tried < tries; index++, tried++) {
      const rank = index % capacity
      if (!this.#isTaken(rank, taken)) return rank
    }
    return undefined
  }

  /** Only seed records and created records can have an id after the generated ones. */
  #isTaken(rank: number, taken: TakenKeys): boolean {
    const key = String(this.codec.at(rank))
    return rank < this.size || this.#givenKeys().size > 0 ? taken.has(key) : taken.hasCreated(key)
  }

  /** Number of free ids when every seed record has one. */
  #roomBesideGiven(): number {
    if (this.given > 0) return Math.max(0, this.room - (this.given - this.#givenKeys().size))
    return this.#options.codecs.hasSpace ? Number.POSITIVE_INFINITY : this.codec.capacity
  }

  #givenKey(index: number): Json | undefined {
    const record = this.#options.known()[index]
    const id = record && this.#options.field ? readField(record, this.#options.field) : undefined
    return id === null ? undefined : id
  }

  #givenKeys(): ReadonlyMap<string, number> {
    if (!this.#given) {
      this.#given = new Map()
      for (let index = 0; index < this.#options.known().length; index++) {
        const key = this.#givenKey(index)
        if (key !== undefined) this.#given.set(String(key), index)
      }
    }
    return this.#given
  }

  /** Records whose own id a seed record has (or that does not exist), with replacement ids. */
  #displacedKeys(): Displaced {
    if (!this.#displaced) {
      const ranks = new Map<number, number>()
      if (this.#givenKeys().size > 0) {
        const taken = new Set([...this.#givenKeys().keys()].map((key) => this.codec.indexOf(key)))
        const isFree = (rank: number): boolean => rank < this.codec.capacity && !taken.has(rank)
        const free = [...this.#givenKeys().values()].map((index) => this.rankOf(index)).filter(isFree)
        const displaced = this.#ownersOf(taken).filter((index) => this.#givenKey(index) === undefined)
        for (const [at, rank] of free.entries()) {
          const index = displaced[at]
          if (index !== undefined) ranks.set(index, rank)
        }
      }
      this.#displaced = { ranks, indexes: new Map([...ranks].map(([index, rank]) => [rank, index])) }
    }
    return this.#displaced
  }

  /** Indexes, in order, of the records whose ids have these ranks, and of those without an id. */
  #ownersOf(ranks: ReadonlySet<number | undefined>): number[] {
    const owners: number[] = []
    for (const rank of ranks) if (rank !== undefined && rank < this.size) owners.push(this.size - 1 - rank)
    for (let rank = this.codec.capacity; rank < this.size; rank++) owners.push(this.size - 1 - rank)
    return [...new Set(owners)].sort((a, b) => a - b)
  }
}
