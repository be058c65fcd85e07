import { type Count, countsOf } from '../../../names/counts.ts'
import { type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { once } from '../../../runtime/once.ts'
import { fraction, hashText, mixPair } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, CollectionModel } from '../../openapi/model.ts'
import { Cell, type Frame, type Trail } from '../cell.ts'
import type { RecordScope } from '../dataset.ts'
import { DAY_MS, floorToSecond, HOUR_MS } from '../moment.ts'
import { Deal, Permutation } from '../permutation.ts'
import type { ShownRecords } from '../shown-example.ts'
import { SUBJECTS } from '../words/person.ts'
import { Work } from '../work.ts'
import { PEOPLE_KEY, RecordCodecs } from './record-codecs.ts'
import { TableKeys } from './table-keys.ts'
import { levelsOf } from './volumes.ts'

/** Input of an outline. */
interface OutlineOptions {
  readonly model: CollectionModel
  /** Schema of its records. */
  readonly schema: () => Schema
  readonly seed: string
  readonly epoch: number
  readonly volume: number
  /** Number of seed records. */
  readonly given: number
  /** The seed records, and the examples that are the first of the generated ones. */
  readonly known: () => readonly JsonObject[]
  readonly levels: () => ReadonlyMap<string, number>
  readonly outlines: OutlineIndex
}

/** Ages of the youngest and the oldest record by level, in days: collections to which others refer have a higher level. */
const WINDOWS: readonly (readonly [youngest: number, oldest: number])[] = [
  [0.05, 240],
  [2, 320],
  [45, 460],
  [100, 640],
]

/** Facts about one collection's records without making them: ids, parents, ages and subjects. */
export class TableOutline {
  readonly model: CollectionModel
  readonly codecs: RecordCodecs
  readonly keys: TableKeys
  /** World time: generated past times are earlier. */
  readonly now: number
  readonly #options: OutlineOptions
  readonly #known: () => readonly JsonObject[]
  readonly #key: number
  #dealt: Deal | undefined
  #people: Permutation | undefined

  constructor(options: OutlineOptions) {
    const { model, schema, seed, volume, given } = options
    this.#options = options
    this.model = model
    this.now = floorToSecond(options.epoch)
    this.#key = mixPair(hashText(seed), hashText(model.name))
    this.codecs = new RecordCodecs({ model, schema, volume, key: this.#key, now: this.now })
    this.#known = once(() => options.known().slice(0, given + Math.min(volume, this.#capacity - given)))
    const prefixAt = model.id.resource === undefined ? undefined : (index: number) => this.#prefixAt(index)
    this.keys = new TableKeys({
      codecs: this.codecs,
      field: model.id.field,
      volume,
      given,
      known: this.#known,
      prefixAt,
    })
  }

  /** What stands before the last part of a resource name, by what lies above the record; undefined for other ids. */
  resourcePrefix(above: RecordScope): string | undefined {
    const { id, parent } = this.model
    const parts = id.resource?.split('/').slice(0, -1)
    const owner = parent && above[parent.collection]
    // The name of the parent has all that stands before it.
    const named = owner?.includes('/') ? (parts?.indexOf(`{${parent?.param}}`) ?? -1) : -1
    const texts = parts?.slice(named + 1).map((part) => {
      const param = part.startsWith('{') ? part.slice(1, -1) : undefined
      if (param === undefined) return part
      return above[param] ?? (param === parent?.param ? owner : undefined) ?? `${param}-1`
    })
    return texts && `${[...(named < 0 ? [] : [owner]), ...texts].join('/')}/`
  }

  #prefixAt(index: number): string {
    const { parent } = this
    const above = parent && this.parentAt(index)
    const scope = parent && above !== undefined ? { [parent.model.name]: String(parent.keys.at(above)) } : {}
    return this.resourcePrefix(scope) ?? ''
  }

  /** Schema of its records. The number of records does not need it. */
  get schema(): Schema {
    return this.#options.schema()
  }

  get size(): number {
    return this.keys.size
  }

  /** How many ids there are. */
  get #capacity(): number {
    return this.codecs.hasSpace ? Number.POSITIVE_INFINITY : Math.max(this.#options.given, this.keys.codec.capacity)
  }

  /** Level above the collections that refer to this one; records of higher levels are older. */
  get level(): number {
    return this.#options.levels().get(this.model.name) ?? 0
  }

  /** The id of the record of `cell`, generated or new. */
  idOf({ frame }: Pick<Cell, 'frame'>): Json {
    return frame.isNew ? (frame.key ?? this.keys.codec.at(frame.index)) : this.keys.at(frame.index)
  }

  /** The seed of all draws for the record at `index`. */
  seedAt(index: number): number {
    return mixPair(this.#key, index)
  }

  cellAt(index: number, trail: Trail | undefined = undefined): Cell {
    return this.cellIn(this.frameAt(index), { trail, given: this.#known()[index] })
  }

  /** The cell of the record at `index` inside the object of `outer`, within its work limit. */
  cellInside(outer: Cell, index: number, schema: Schema): Cell {
    const frame = new TableFrame(this, index, outer.frame.work)
    const trail = { schema, above: outer.trail }
    return this.cellIn(frame, { depth: outer.depth + 1, trail, given: this.#known()[index] })
  }

  /** The cell of the record of `frame`, with given fields. */
  cellIn(
    frame: Frame,
    { depth = 0, trail, given }: { depth?: number; trail?: Trail | undefined; given?: JsonObject | undefined } = {},
  ): Cell {
    return new Cell(frame, this.seedAt(frame.index), undefined, depth, trail, given)
  }

  /** The frame of the record at `index`. */
  frameAt(index: number): Frame {
    return new TableFrame(this, index, new Work())
  }

  /** Running number of a record: newer records have higher ones, created records the highest. */
  rankOf(index: number): number {
    return this.keys.rankOf(index)
  }

  /** Number of the person, company and place that the record at `index` describes. */
  subjectAt(index: number): number {
    const rank = this.rankOf(index)
    this.#people ??= new Permutation(SUBJECTS, mixPair(this.#key, PEOPLE_KEY))
    return this.#people.at(rank % SUBJECTS) + SUBJECTS * Math.floor(rank / SUBJECTS)
  }

  /** Whether records have a top-level field of this name and type. */
  hasField(name: string, type: string | undefined): boolean {
    const property = this.schema.properties.get(name)
    return property !== undefined && property.types[0] === type
  }

  /** Creation times: newest first, evenly over a window of time, each at least an hour after its parent's. */
  createdAt(index: number): number {
    const { youngest, span } = this.#window()
    const share = (index + fraction(mixPair(this.#key ^ 0x6372, index))) / Math.max(1, this.size)
    const own = floorToSecond(this.now - (youngest + share * span) * DAY_MS)
    const { parent } = this
    const parentIndex = parent && this.parentAt(index)
    if (!parent || parentIndex === undefined || this.level >= parent.level) return own
    return Math.max(own, Math.min(this.now - HOUR_MS, parent.createdAt(parentIndex) + HOUR_MS))
  }

  /** Index of the newest record created before `ms`, else of the oldest record. */
  firstBefore(ms: number): number {
    const { youngest, span } = this.#window()
    const share = ((this.now - ms) / DAY_MS - youngest) / span
    return Math.max(0, Math.min(this.size - 1, Math.ceil(share * this.size)))
  }

  /** The parent collection; also undefined for a collection that is its own parent. */
  get parent(): TableOutline | undefined {
    const { parent, name } = this.model
    return parent && parent.collection !== name ? this.#options.outlines.find(parent.collection) : undefined
  }

  /** Index of the parent of the record at `index`. */
  parentAt(index: number): number | undefined {
    const { parent } = this
    if (!parent || parent.size === 0) return undefined
    const given = this.#known()[index]
    const field = this.model.parent?.field
    const named = given && field ? readField(given, field) : undefined
    if (named !== undefined && named !== null) return parent.keys.indexOf(String(named))
    return this.#deal(parent.size).at(index)
  }

  /** Indexes of the records below the parent at `parentIndex`. */
  childrenOf(parentIndex: number): readonly number[] {
    const { parent } = this
    if (!parent || parentIndex < 0 || parentIndex >= parent.size) return []
    const found: number[] = []
    const seeded = this.model.parent?.field ? this.#known().length : 0
    for (let index = 0; index < seeded; index++) if (this.parentAt(index) === parentIndex) found.push(index)
    for (const index of this.#deal(parent.size).indexesOf(parentIndex, this.size))
      if (index >= seeded) found.push(index)
    return found
  }

  /** The assignment of children to this number of parents. */
  #deal(parents: number): Deal {
    if (this.#dealt?.size !== parents) this.#dealt = new Deal(parents, this.#key)
    return this.#dealt
  }

  #window(): { youngest: number; span: number } {
    const [youngest, oldest] = WINDOWS[Math.min(this.level, WINDOWS.length - 1)] as readonly [number, number]
    return { youngest, span: oldest - youngest }
  }
}

/** Input of the outlines of all collections. */
interface OutlineIndexOptions {
  readonly model: ApiModel
  readonly seed: string
  readonly epoch: number
  readonly volumeOf: (collection: string) => number
  readonly seedRecords: Readonly<Record<string, readonly JsonObject[]>>
  /** The examples of the description; undefined where they are not used. */
  readonly shown: ShownRecords | undefined
}

/** The outlines of all collections, by name, by schema and by noun; each is made at first use. */
export class OutlineIndex {
  readonly #options: OutlineIndexOptions
  readonly #levels: () => ReadonlyMap<string, number>
  readonly #models: ReadonlyMap<string, CollectionModel>
  readonly #made = new Map<string, TableOutline>()
  #bySchema: Map<Schema, string> | undefined
  #bySingular: Map<string, string | undefined> | undefined

  constructor(options: OutlineIndexOptions) {
    this.#options = options
    this.#levels = once(() => levelsOf(options.model))
    this.#models = new Map(options.model.collections.map((collection) => [collection.name, collection]))
  }

  find(name: string): TableOutline | undefined {
    const known = this.#made.get(name)
    const model = this.#models.get(name)
    if (known !== undefined || model === undefined) return known
    const { model: api, seed, epoch, volumeOf } = this.#options
    const given = this.#givenTo(name)
    const outline = new TableOutline({
      model,
      schema: once(() => {
        const schema = model.schema ?? model.listSchema
        return schema && describesRecord(schema) ? schema : api.plainRecord
      }),
      seed,
      epoch,
      volume: volumeOf(name),
      given: given.length,
      known: once(() => [...given, ...this.#shownOf(model, given)]),
      levels: this.#levels,
      outlines: this,
    })
    this.#made.set(name, outline)
    return outline
  }

  #givenTo(name: string): readonly JsonObject[] {
    const { seedRecords } = this.#options
    return (Object.hasOwn(seedRecords, name) ? seedRecords[name] : undefined) ?? []
  }

  /** The examples of a collection, except those whose keys are given. */
  #shownOf(model: CollectionModel, given: readonly JsonObject[]): readonly JsonObject[] {
    const { field } = model.id
    const keys = new Set(given.map((record) => field && readField(record, field)).map(String))
    const shown = this.#options.shown?.of(model) ?? []
    return given.length === 0 || !field ? shown : shown.filter((record) => !keys.has(String(readField(record, field))))
  }

  /** The numbers in a collection's records that count those of other collections. */
  countsIn(owner: CollectionModel): readonly (Count & { readonly collection: string })[] {
    return [...this.#models.values()].flatMap((model) =>
      countsOf(model, owner).map((count) => ({ ...count, collection: model.name })),
    )
  }

  /** By the schema of its records. */
  findBySchema(schema: Schema): TableOutline | undefined {
    if (!this.#bySchema) {
      this.#bySchema = new Map()
      for (const { name, listSchema, schema: own } of this.#models.values()) {
        for (const shown of [listSchema, own]) if (shown && !this.#bySchema.has(shown)) this.#bySchema.set(shown, name)
      }
    }
    return this.find(this.#bySchema.get(schema) ?? '')
  }

  /** By the singular of its name; undefined where several share it. */
  findBySingular(singular: string): TableOutline | undefined {
    if (!this.#bySingular) {
      this.#bySingular = new Map()
      for (const { name, singular: own } of this.#models.values()) {
        this.#bySingular.set(own, this.#bySingular.has(own) ? undefined : name)
      }
    }
    return this.find(this.#bySingular.get(singular) ?? '')
  }
}

function describesRecord(schema: Schema): boolean {
  const { properties, variants, types, additionalProperties } = schema
  if (properties.size > 0 || variants) return true
  return (types.length === 0 || types.includes('object')) && additionalProperties !== true
}

/** The frame of a generated record; subject and creation time are computed on demand. */
class TableFrame implements Frame {
  readonly index: number
  readonly now: number
  readonly age: number
  readonly isNew = false
  readonly work: Work
  readonly #table: TableOutline
  #createdAt = Number.NaN

  constructor(table: TableOutline, index: number, work: Work) {
    this.#table = table
    this.index = index
    this.age = (index + 0.5) / Math.max(1, table.size)
    this.now = table.now
    this.work = work
  }

  get rank(): number {
    return this.#table.rankOf(this.index)
  }

  get subject(): number {
    return this.#table.subjectAt(this.index)
  }

  get createdAt(): number {
    if (Number.isNaN(this.#createdAt)) this.#createdAt = this.#table.createdAt(this.index)
    return this.#createdAt
  }
}
