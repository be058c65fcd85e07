import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { readField, writeField } from '../../protocol/json-fields.ts'
import { fraction, hashText, mixPair } from '../../runtime/random.ts'
import { fits } from '../../schema/checker.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { Cell, type Frame, type Maker, type Trail } from './cell.ts'
import { COMPILER, compilePresent } from './compile.ts'
import type { CreationContext, NewRecord, Table } from './dataset.ts'
import { floorToSecond, HOUR_MS } from './moment.ts'
import { ObjectMaker } from './object-maker.ts'
import { Permutation } from './permutation.ts'
import { SUBJECTS, subjectFrom } from './person.ts'
import { PEOPLE_KEY, RecordCodecs } from './record-codecs.ts'
import { RecordFields } from './record-fields.ts'
import { createSurroundings, References } from './references.ts'
import { rootSite, type Surroundings } from './site.ts'
import { TableCalendar } from './table-calendar.ts'
import { NewFrame, TableFrame } from './table-frame.ts'
import { TableKeys } from './table-keys.ts'
import type { TableOptions } from './table-options.ts'
import { TableParents } from './table-parents.ts'

/** The generated records of one collection; see {@link Table}. Nothing is made before it is asked for. */
export class GeneratedTable implements Table {
  readonly model: CollectionModel
  /** Makes the status of a record; undefined where records have none. */
  readonly statusMaker: Maker | undefined
  readonly changeableId: FieldPath | undefined
  readonly #options: TableOptions
  readonly #key: number
  readonly #now: number
  readonly #idField: string | undefined
  readonly #codecs: RecordCodecs
  readonly #keys: TableKeys
  readonly #parents: TableParents
  #references: References | undefined
  #fields: RecordFields | undefined
  #people: Permutation | undefined
  #calendar: TableCalendar | undefined
  #surroundings: Surroundings | undefined
  #root: { make: Maker; object: ObjectMaker | undefined } | undefined

  constructor(options: TableOptions) {
    this.#options = options
    this.model = options.model
    this.#key = mixPair(hashText(options.seed), hashText(options.model.name))
    this.#now = floorToSecond(options.epoch)
    this.#idField = options.model.id.field?.join('.')
    this.changeableId = options.model.id.clientChosen ? options.model.id.field : undefined
    this.#codecs = new RecordCodecs({
      model: options.model,
      schema: options.schema,
      volume: options.volume,
      key: this.#key,
      now: this.#now,
      surroundings: () => this.surroundings,
    })
    this.#keys = new TableKeys({
      codec: () => this.#codecs.chooseIds(),
      field: options.model.id.field,
      volume: options.volume,
      seedRecords: options.seedRecords,
    })
    this.#parents = new TableParents(options, this.#key)
    const { statusField } = options.model
    this.statusMaker = statusField
      ? (cell) => this.#rootMaker().object && this.valueAt(cell.frame.index, statusField)
      : undefined
  }

  get references(): References {
    this.#references ??= new References(this, this.model, this.#options.tables)
    return this.#references
  }

  get fields(): RecordFields {
    const { hints, tables } = this.#options
    this.#fields ??= new RecordFields({ table: this, codecs: this.#codecs, hints, tables })
    return this.#fields
  }

  get size(): number {
    return this.#keys.size
  }

  get room(): number {
    return this.#keys.room
  }

  keyAt(index: number): string {
    return String(this.#keys.at(index))
  }

  /** The id as it stands in the record: a number where ids are numbers. */
  keyValueAt(index: number): Json {
    return this.#keys.at(index)
  }

  indexOf(key: string): number | undefined {
    return this.#keys.indexOf(key)
  }

  recordAt(index: number): JsonObject {
    return this.#withId(this.#make(this.cellAt(index)), this.keyValueAt(index))
  }

  valueAt(index: number, field: FieldPath): Json | undefined {
    if (field.length === 1 && field[0] === this.#idField) return this.keyValueAt(index)
    const { object } = this.#rootMaker()
    return object
      ? object.valueAt(field, this.cellAt(index, 0, object.rootTrail))
      : readField(this.recordAt(index), field)
  }

  readerOf(field: FieldPath): (index: number) => Json | undefined {
    const { object } = this.#rootMaker()
    if (!object || (field.length === 1 && field[0] === this.#idField)) return (index) => this.valueAt(index, field)
    const read = object.readerOf(field)
    return (index) => read(this.cellAt(index, 0, object.rootTrail))
  }

  parentAt(index: number): number | undefined {
    return this.#parents.at(index)
  }

  childrenOf(parentIndex: number): readonly number[] {
    return this.#parents.childrenOf(parentIndex, this.size)
  }

  /** A record around what a client sent; undefined where no id is left for it. */
  complete(given: JsonObject, context: CreationContext): NewRecord | undefined {
    const own = context.id === undefined ? this.#idIn(given) : this.#asId(context.id)
    const index = this.#keys.freeIndex(context.ordinal, context.taken) ?? (own === undefined ? undefined : 0)
    if (index === undefined) return undefined
    const reference = (collection: string, draw: number) =>
      context.scope[collection] ?? context.pickKey(collection, draw)
    const frame = new NewFrame(this, index, floorToSecond(context.at), reference)
    const record = this.#make(this.#cell(frame, 0, undefined, given))
    const id = own ?? this.#keys.codec.at(index)
    return { key: String(id), record: this.#withId(record, id), isFree: own === undefined }
  }

  /** Another value for one field, among the values that the record has now. */
  regenerate(record: JsonObject, field: FieldPath, key: string): Json | undefined {
    const [name] = field
    if (name === undefined) return undefined
    const { [name]: _, ...around } = record
    for (let attempt = 0; ; attempt++) {
      const draw = mixPair(hashText(key), attempt)
      const index = draw % 1_000_003
      const near = this.frameAt(index % Math.max(1, this.size))
      const { rank, createdAt, now } = near
      const age = fraction(mixPair(draw, 1))
      const frame: Frame = {
        index,
        rank,
        createdAt,
        subject: subjectFrom(draw),
        now,
        age,
        isNew: false,
        isRequest: false,
      }
      const cell = this.#cell(frame, 0, undefined, around)
      const { object } = this.#rootMaker()
      const value = object ? object.valueAt(field, object.cellFor(cell)) : readField(this.#make(cell), field)
      if (attempt === 4 || value !== readField(record, field)) return value
    }
  }

  /** What all draws of the record at `index` start from. */
  seedAt(index: number): number {
    return mixPair(this.#key, index)
  }

  cellAt(index: number, depth = 0, trail: Trail | undefined = undefined): Cell {
    return this.#cell(this.frameAt(index), depth, trail, this.#options.seedRecords[index])
  }

  /** Number of the person, company and place that the record at `index` tells of. */
  subjectAt(index: number): number {
    const rank = this.rankOf(index)
    this.#people ??= new Permutation(SUBJECTS, mixPair(this.#key, PEOPLE_KEY))
    return this.#people.at(rank % SUBJECTS) + SUBJECTS * Math.floor(rank / SUBJECTS)
  }

  /** Whether records have a field of this name and type at the top. */
  hasField(name: string, type: string | undefined): boolean {
    const property = this.#options.schema.properties.get(name)
    return property !== undefined && property.types[0] === type
  }

  /** A maker of objects of `schema` that show records of this table. */
  embeddedMaker(schema: Schema): Maker {
    return compilePresent(rootSite(schema, this.model.singular, this.surroundings))
  }

  get surroundings(): Surroundings {
    this.#surroundings ??= createSurroundings(this.#options.tables, this)
    return this.#surroundings
  }

  /** Id of the record that `cell` belongs to, of one that is being made as well. */
  idOf({ frame }: Cell): Json {
    return frame.isNew ? this.#keys.codec.at(frame.index) : this.#keys.at(frame.index)
  }

  /** Where the record at `index` stands. */
  frameAt(index: number): Frame {
    return new TableFrame(this, index, this.size, this.#now)
  }

  /** Newest first, each a little after its parent at the earliest. */
  createdAt(index: number): number {
    const own = this.#dates().createdAt(index, this.size)
    const parent = this.#parents.table
    const parentIndex = parent && this.parentAt(index)
    if (!parent || parent === this || parentIndex === undefined || this.level >= parent.level) return own
    return Math.max(own, Math.min(this.#now - HOUR_MS, parent.createdAt(parentIndex) + HOUR_MS))
  }

  /** Index of the first record that was made before `ms`; the oldest one's where none was. */
  firstBefore(ms: number): number {
    return this.#dates().firstBefore(ms, this.size)
  }

  get level(): number {
    return this.#options.level()
  }

  /** Running number of a record, counting up with time; records made later go on behind. */
  rankOf(index: number): number {
    return this.#keys.rankOf(index)
  }

  #dates(): TableCalendar {
    this.#calendar ??= new TableCalendar(this.#now, this.#key ^ 0x6372, this.level)
    return this.#calendar
  }

  #cell(frame: Frame, depth: number, trail: Trail | undefined, given?: JsonObject): Cell {
    return new Cell(frame, this.seedAt(frame.index), undefined, depth, trail, given)
  }

  #rootMaker(): { make: Maker; object: ObjectMaker | undefined } {
    if (!this.#root) {
      const site = rootSite(this.#options.schema, this.model.singular, this.surroundings)
      const object = site.schema.variants || site.schema.enum ? undefined : new ObjectMaker(site, COMPILER)
      this.#root = { object, make: object ? (cell) => object.make(cell) : compilePresent(site) }
    }
    return this.#root
  }

  #make(cell: Cell): JsonObject {
    const record = this.#rootMaker().make(cell)
    return isJsonObject(record) ? record : {}
  }

  #withId(record: JsonObject, id: Json): JsonObject {
    const field = this.model.id.field
    if (!field || field.length === 0) return record
    return field.length === 1 && record[field[0] as string] === id ? record : writeField(record, field, id)
  }

  #idIn(given: JsonObject): Json | undefined {
    const id = this.model.id.field && readField(given, this.model.id.field)
    return typeof id === 'object' ? undefined : id
  }

  #asId(text: string): Json {
    const { schema } = this.model.id
    const wantsNumber =
      schema &&
      !schema.types.includes('string') &&
      (schema.types.includes('integer') || schema.types.includes('number'))
    return wantsNumber && fits(schema, Number(text)) ? Number(text) : text
  }
}
