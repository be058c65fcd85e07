import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { hashText, mixPair } from '../../runtime/random.ts'
import type { CollectionModel, Relation } from '../openapi/model.ts'
import type { FieldPath, Schema } from '../openapi/schema.ts'
import { Cell, type Frame, fraction, type Maker, type Trail } from './cell.ts'
import { chooseCodec } from './choose-codec.ts'
import { COMPILER, compilePresent } from './compile.ts'
import type { CreationContext, Table } from './dataset.ts'
import { fits } from './fits.ts'
import type { KeyCodec } from './key-codec.ts'
import { kindOf } from './kind.ts'
import { DAY_MS, floorToSecond, HOUR_MS } from './moment.ts'
import { descend, ObjectMaker, setOwn } from './object-maker.ts'
import { Deal, Permutation } from './permutation.ts'
import { SUBJECTS, subjectFrom } from './person.ts'
import { createTitles } from './phrase.ts'
import { createSurroundings, prefixOfField, References, type TableIndex } from './references.ts'
import { rootSite, type Site, type Surroundings } from './site.ts'
import { TableCalendar } from './table-calendar.ts'
import { TableFrame } from './table-frame.ts'
import { TableKeys } from './table-keys.ts'

/** What a table is made of. */
export interface TableOptions {
  readonly model: CollectionModel
  readonly schema: Schema
  readonly seed: string
  readonly epoch: number
  readonly volume: number
  readonly seedRecords: readonly JsonObject[]
  /** Values that fields are to be drawn from, by dotted field. */
  readonly hints: Readonly<Record<string, readonly Json[]>>
  /** Height above the collections that refer to this one: higher ones are older. */
  readonly level: () => number
  readonly tables: TableIndex
}

/** The generated records of one collection; see {@link Table}. Nothing is made before it is asked for. */
export class GeneratedTable implements Table {
  readonly model: CollectionModel
  readonly references: References
  /** Makes the status of a record; undefined where records have none. */
  readonly statusMaker: Maker | undefined
  readonly #options: TableOptions
  readonly #key: number
  readonly #now: number
  readonly #people: Permutation
  readonly #idField: string | undefined
  readonly #keys: TableKeys
  #calendar: TableCalendar | undefined
  #dealt: Deal | undefined
  #relations: readonly Relation[] | undefined
  #surroundings: Surroundings | undefined
  #root: { make: Maker; object: ObjectMaker | undefined } | undefined
  readonly #fixed = new Map<Schema, Map<string, Maker | undefined>>()
  readonly #kept = new Map<number, JsonObject>()

  constructor(options: TableOptions) {
    this.#options = options
    this.model = options.model
    this.#key = mixPair(hashText(options.seed), hashText(options.model.name))
    this.#now = floorToSecond(options.epoch)
    this.#people = new Permutation(SUBJECTS, mixPair(this.#key, PEOPLE_KEY))
    this.references = new References(this, options.model, options.tables)
    this.#idField = options.model.id.field?.join('.')
    this.#keys = new TableKeys({
      codec: () => this.#chooseKeys(),
      field: options.model.id.field,
      volume: options.volume,
      seedRecords: options.seedRecords,
    })
    const { statusField } = options.model
    this.statusMaker = statusField
      ? (cell) => this.#rootMaker().object && this.valueAt(cell.frame.index, statusField)
      : undefined
  }

  get size(): number {
    return this.#keys.size
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
    const kept = this.#kept.get(index)
    if (kept) return kept
    const record = this.#withId(this.#make(this.cellAt(index)), this.keyValueAt(index))
    if (this.#kept.size >= KEPT_RECORDS) this.#kept.clear()
    this.#kept.set(index, record)
    return record
  }

  valueAt(index: number, field: FieldPath): Json | undefined {
    if (field.length === 1 && field[0] === this.#idField) return this.keyValueAt(index)
    const { object } = this.#rootMaker()
    return object ? object.valueAt(field, object.cellFor(this.cellAt(index))) : descend(this.recordAt(index), field)
  }

  parentAt(index: number): number | undefined {
    const parent = this.#parentTable()
    if (!parent || parent.size === 0) return undefined
    const given = this.#options.seedRecords[index]
    const field = this.model.parent?.field
    const named = given && field ? descend(given, field) : undefined
    if (named !== undefined && named !== null) return parent.indexOf(String(named))
    return this.#deal(parent.size).at(index)
  }

  childrenOf(parentIndex: number): readonly number[] {
    const parent = this.#parentTable()
    if (!parent || parentIndex < 0 || parentIndex >= parent.size) return []
    const found: number[] = []
    const seeded = this.model.parent?.field ? this.#options.seedRecords.length : 0
    for (let index = 0; index < seeded; index++) if (this.parentAt(index) === parentIndex) found.push(index)
    for (const index of this.#deal(parent.size).indexesOf(parentIndex, this.size))
      if (index >= seeded) found.push(index)
    return found
  }

  /** A record around what a client sent. */
  complete(given: JsonObject, context: CreationContext): JsonObject {
    const index = this.#keys.freeIndex(context.ordinal, context.isTaken)
    const reference = (collection: string, draw: number) =>
      context.scope[collection] ?? context.pickKey(collection, draw)
    const at = floorToSecond(context.at)
    const frame: Frame = {
      index,
      rank: index,
      createdAt: at,
      subject: this.subjectAt(index),
      now: at,
      age: 0,
      isNew: true,
      isRequest: false,
      reference,
    }
    const record = this.#make(this.#cell(frame, 0, undefined, given))
    const id = context.id === undefined ? this.#keys.codec.at(index) : this.#asId(context.id)
    return context.id === undefined && this.#hasId(given) ? record : this.#withId(record, id)
  }

  /** Key for a record whose collection keeps it beside the record. */
  keyForNew(ordinal: number, isTaken: (key: string) => boolean): string {
    return String(this.#keys.codec.at(this.#keys.freeIndex(ordinal, isTaken)))
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
      const value = object ? object.valueAt(field, object.cellFor(cell)) : descend(this.#make(cell), field)
      if (attempt === 4 || value !== descend(record, field)) return value
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
    return this.#people.at(rank % SUBJECTS) + SUBJECTS * Math.floor(rank / SUBJECTS)
  }

  /** A maker of objects of `schema` that show records of this table. */
  embeddedMaker(schema: Schema): Maker {
    return compilePresent(rootSite(schema, this.model.singular, this.surroundings))
  }

  get surroundings(): Surroundings {
    this.#surroundings ??= createSurroundings(this.#options.tables, this)
    return this.#surroundings
  }

  /** Values of a field that the model gives: ids, keys, relations, the parent. */
  fixed(path: FieldPath, schema: Schema): Maker | undefined {
    let byPath = this.#fixed.get(schema)
    if (!byPath) {
      byPath = new Map()
      this.#fixed.set(schema, byPath)
    }
    const name = path.join('.')
    if (!byPath.has(name)) byPath.set(name, this.#fixedMaker(path, name, schema))
    return byPath.get(name)
  }

  hintsFor(path: FieldPath): readonly Json[] | undefined {
    const name = path.join('.')
    return Object.hasOwn(this.#options.hints, name) ? this.#options.hints[name] : undefined
  }

  /** Id of the record that `cell` belongs to, for links to it. */
  idOf({ frame }: Cell): string {
    return String(frame.isNew ? this.#keys.codec.at(frame.index) : this.keyValueAt(frame.index))
  }

  isKeyField(path: FieldPath): boolean {
    const name = path.join('.')
    const status = this.model.statusField?.join('.')
    const isStatus = status === name || (status?.startsWith(`${name}.`) ?? false)
    return isStatus || name === this.#idField || name === this.model.parent?.field?.join('.')
  }

  /** The model's relations; those by an object's id stand at the object. */
  get relations(): readonly Relation[] {
    this.#relations ??= this.model.relations.map((relation) => ({ ...relation, field: this.#objectPath(relation) }))
    return this.#relations
  }

  relationAt(path: FieldPath): Relation | undefined {
    const name = path.join('.')
    return this.relations.find(({ field }) => field.join('.') === name)
  }

  /** The record that fields with this prefix tell of. */
  subjectOf(prefix: string): ((cell: Cell) => number) | undefined {
    const relation = this.relations.find(({ field, many }) => !many && prefixOfField(field) === prefix)
    const target = relation && this.#options.tables.find(relation.collection)
    if (!relation || !target || target.size === 0) return undefined
    const key = hashText(relation.field.join('.'))
    return (cell) => target.subjectAt(this.references.indexFor(target, key, cell.frame) ?? 0)
  }

  /** `['user']` of `['user', 'id']`. */
  #objectPath({ form, many, field, collection }: Relation): FieldPath {
    const idName = this.#options.tables.find(collection)?.model.id.field?.at(-1)
    return form === 'object' && !many && field.length > 1 && field.at(-1) === idName ? field.slice(0, -1) : field
  }

  #fixedMaker(path: FieldPath, name: string, schema: Schema): Maker | undefined {
    if (name === this.#idField) return this.#idMaker(schema)
    if (this.model.parent?.field?.join('.') === name) return this.references.parentMaker(schema)
    const relation = this.model.relations.find(({ field }) => field.join('.') === name)
    if (relation) return this.references.makerFor(relation, this.#objectPath(relation), schema)
    const isKey = OWN_ID.test(name) || this.model.alternateKeys.some((field) => field.join('.') === name)
    return isKey && !schema.enum ? this.#alternateMaker(path, schema) : undefined
  }

  /** The id, where `schema` wants one of its kind: objects that stand for a record may have an id of another. */
  #idMaker(schema: Schema): Maker | undefined {
    const make = (cell: Cell) =>
      cell.frame.isNew ? this.#keys.codec.at(cell.frame.index) : this.keyValueAt(cell.frame.index)
    if (schema === this.#idSchema() || this.size === 0) return make
    if (!fits(schema, this.keyValueAt(0))) return undefined
    return (cell) => {
      const id = make(cell)
      return fits(schema, id) ? id : undefined
    }
  }

  #alternateMaker(path: FieldPath, schema: Schema): Maker {
    const codec = chooseCodec({
      name: path.at(-1) ?? '',
      schema,
      owner: this.model.singular,
      chosen: false,
      wanted: this.size,
      key: mixPair(this.#key, hashText(path.join('.'))),
      peopleKey: this.#key,
      titles: this.#titles(),
      fallback: (attempt) => this.#fallbackKey(path.at(-1) ?? '', schema, attempt),
    })
    return (cell) => (codec.capacity === 0 ? undefined : codec.at(cell.frame.rank % codec.capacity))
  }

  #chooseKeys(): KeyCodec {
    const { id, singular } = this.model
    const schema = this.#idSchema()
    return chooseCodec({
      name: id.field?.at(-1) ?? '',
      schema,
      owner: singular,
      chosen: id.clientChosen,
      wanted: this.#options.volume,
      key: this.#key,
      peopleKey: this.#key,
      titles: this.#titles(),
      fallback: (attempt) => this.#fallbackKey(id.field?.at(-1) ?? 'id', schema, attempt),
    })
  }

  /** The titles that records get, for slugs that follow them. */
  #titles(): ((number: number) => string) | undefined {
    const { singular } = this.model
    if (kindOf(singular) !== 'thing') return undefined
    for (const name of ['title', 'name', 'headline']) {
      const schema = this.#options.schema.properties.get(name)
      const isOurs = schema?.types[0] === 'string' && !schema.enum && !Array.isArray(schema.raw.examples)
      if (isOurs && schema !== this.#idSchema()) return createTitles(singular, hashText(name))
    }
    return undefined
  }

  /** Of the id; of the first variant that has one where records are a union. */
  #idSchema(): Schema | undefined {
    const { field, schema } = this.model.id
    if (schema || !field) return schema
    const roots = [this.#options.schema, ...(this.#options.schema.variants ?? [])]
    return roots.map((root) => schemaAt(root, field)).find((found) => found !== undefined)
  }

  #fallbackKey(name: string, schema: Schema | undefined, attempt: number): Json {
    if (!schema) return String(attempt + 1)
    const site: Site = {
      ...rootSite(schema, this.model.singular, { ...this.surroundings, fixed: () => undefined }),
      name,
      snake: name,
      path: undefined,
    }
    const frame: Frame = {
      index: attempt,
      rank: attempt,
      createdAt: this.#now - DAY_MS,
      subject: attempt,
      now: this.#now,
      age: 0.5,
      isNew: false,
      isRequest: false,
    }
    return compilePresent(site)(this.#cell(frame, 0, undefined)) ?? String(attempt + 1)
  }

  /** Where the record at `index` stands. */
  frameAt(index: number): Frame {
    return new TableFrame(this, index, this.size, this.#now)
  }

  /** Newest first, each a little after its parent at the earliest. */
  createdAt(index: number): number {
    const own = this.#dates().createdAt(index, this.size)
    const parent = this.#parentTable()
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
    return field.length === 1 && record[field[0] as string] === id ? record : writeAt(record, field, id)
  }

  #hasId(given: JsonObject): boolean {
    const field = this.model.id.field
    return field !== undefined && descend(given, field) !== undefined && descend(given, field) !== null
  }

  #asId(text: string): Json {
    const { schema } = this.model.id
    const wantsNumber =
      schema &&
      !schema.types.includes('string') &&
      (schema.types.includes('integer') || schema.types.includes('number'))
    return wantsNumber && fits(schema, Number(text)) ? Number(text) : text
  }

  #parentTable(): GeneratedTable | undefined {
    const { parent } = this.model
    return parent && parent.collection !== this.model.name ? this.#options.tables.find(parent.collection) : undefined
  }

  /** How children are dealt to so many parents. */
  #deal(parents: number): Deal {
    if (this.#dealt?.size !== parents) this.#dealt = new Deal(parents, this.#key)
    return this.#dealt
  }
}

function schemaAt(root: Schema, path: FieldPath): Schema | undefined {
  let found: Schema | undefined = root
  for (const name of path) found = found?.properties.get(name)
  return found
}

/** Fields that tell records apart, though no path uses them. */
const OWN_ID = /^(?:id|_id|uuid|guid|gid|sid|node_id|nodeId|key_id)$/
const KEPT_RECORDS = 512
/** What the shuffle of people is made with; name codecs use the same, so that user names are their owners'. */
const PEOPLE_KEY = 0x6e61

function writeAt(record: JsonObject, path: FieldPath, value: Json): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return record
  const copy = { ...record }
  const inner = record[name]
  setOwn(copy, name, rest.length === 0 ? value : writeAt(isJsonObject(inner) ? inner : {}, rest, value))
  return copy
}
