import { isJsonObject, type Json, type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import { fraction, hashText, mixPair } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Cell, Frame, Maker } from '../cell.ts'
import type { CreationContext, NewRecord, Table } from '../dataset.ts'
import type { MakerStock } from '../maker-stock.ts'
import { COMPILER, compilePresent } from '../makers/compile.ts'
import { ObjectMaker } from '../makers/object-maker.ts'
import { floorToSecond } from '../moment.ts'
import { rootSite } from '../site.ts'
import { subjectFrom } from '../words/person.ts'
import { Work } from '../work.ts'
import { RecordFields, type RecordFieldsOptions } from './record-fields.ts'
import type { TableOutline } from './table-outline.ts'

/** The generated records of one collection; see {@link Table}. A value is computed when it is read. */
export class GeneratedTable implements Table {
  readonly outline: TableOutline
  readonly changeableId: FieldPath | undefined
  readonly #fields: RecordFields
  readonly #idField: string | undefined
  readonly #stock: MakerStock
  /** A status inside an alternative is made together with fields that depend on it. */
  #isReadingStatus = false
  #root: { make: Maker; object: ObjectMaker | undefined } | undefined

  constructor(options: RecordFieldsOptions) {
    const { id, statusField } = options.table.model
    const status: Maker | undefined =
      statusField === null
        ? undefined
        : ({ frame }) => {
            if (this.#isReadingStatus || !this.#rootMaker().object) return undefined
            this.#isReadingStatus = true
            try {
              return frame.isNew ? frame.status?.() : this.valueAt(frame.index, statusField)
            } finally {
              this.#isReadingStatus = false
            }
          }
    this.#fields = new RecordFields(options, status)
    this.#stock = options.stock
    this.outline = options.table
    this.#idField = id.field?.join('.')
    this.changeableId = id.clientChosen ? id.field : undefined
    this.#stock.whenFull(() => {
      this.#root = undefined
      this.#fields.drop()
    })
  }

  get size(): number {
    return this.outline.size
  }

  get given(): number {
    return this.outline.keys.given
  }

  get room(): number {
    return this.outline.keys.room
  }

  keyAt(index: number): string {
    return String(this.outline.keys.at(index))
  }

  indexOf(key: string): number | undefined {
    return this.outline.keys.indexOf(key)
  }

  parentAt(index: number): number | undefined {
    return this.outline.parentAt(index)
  }

  childrenOf(parentIndex: number): readonly number[] {
    return this.outline.childrenOf(parentIndex)
  }

  recordAt(index: number): JsonObject {
    return this.#withId(this.#make(this.outline.cellAt(index)), this.outline.keys.at(index))
  }

  valueAt(index: number, field: FieldPath): Json | undefined {
    if (field.length === 1 && field[0] === this.#idField) return this.outline.keys.at(index)
    const { object } = this.#rootMaker()
    return object
      ? object.valueAt(field, this.outline.cellAt(index, object.rootTrail))
      : readField(this.recordAt(index), field)
  }

  readerOf(field: FieldPath): (index: number) => Json | undefined {
    const { object } = this.#rootMaker()
    if (!object || (field.length === 1 && field[0] === this.#idField)) return (index) => this.valueAt(index, field)
    const read = object.readerOf(field)
    return (index) => read(this.outline.cellAt(index, object.rootTrail))
  }

  /** A record with a client's fields; undefined where no id is free. */
  complete(given: JsonObject, context: CreationContext): NewRecord | undefined {
    const prefix = this.outline.resourcePrefix(context.scope)
    const sent = context.id === undefined ? this.#idIn(given) : this.#asId(context.id)
    const own = prefix === undefined ? sent : resourceName(prefix, sent)
    const index = this.outline.keys.freeIndex(context.ordinal, context.taken) ?? (own === undefined ? undefined : 0)
    if (index === undefined) return undefined
    const key = own ?? (prefix === undefined ? undefined : prefix + this.outline.keys.codec.at(index))
    const reference = (collection: string, draw: number) =>
      context.scope[collection] ?? context.pickKey(collection, draw)
    const { object } = this.#rootMaker()
    const { statusField } = this.outline.model
    const status = () => (statusField === null ? undefined : object?.valueAt(statusField, object.cellFor(cell)))
    const frame = new NewFrame(this.outline, { index, now: floorToSecond(context.at), key, reference, status })
    const cell = this.outline.cellIn(frame, { given })
    const record = this.#make(cell)
    const id = this.outline.idOf({ frame })
    return { key: String(id), record: this.#withId(record, id), isFree: own === undefined }
  }

  /** Another value for one field, consistent with the record's current values. */
  regenerate(record: JsonObject, field: FieldPath, key: string): Json | undefined {
    const [name] = field
    if (name === undefined) return undefined
    const { [name]: _, ...around } = record
    for (let attempt = 0; ; attempt++) {
      const draw = mixPair(hashText(key), attempt)
      const index = draw % 1_000_003
      const near = this.outline.frameAt(index % Math.max(1, this.size))
      const { rank, createdAt, now } = near
      const age = fraction(mixPair(draw, 1))
      const frame: Frame = {
        index,
        rank,
        createdAt,
        subject: subjectFrom(draw),
        now,
        age,
        work: new Work(),
      }
      const cell = this.outline.cellIn(frame, { given: around })
      const { object } = this.#rootMaker()
      const value = object ? object.valueAt(field, object.cellFor(cell)) : readField(this.#make(cell), field)
      if (attempt === 4 || value !== readField(record, field)) return value
    }
  }

  /** A maker of objects of `schema` that show this table's records. */
  makerOf(schema: Schema): Maker {
    return compilePresent(rootSite(schema, this.outline.model.singular, this.#fields, this.#stock))
  }

  #rootMaker(): { make: Maker; object: ObjectMaker | undefined } {
    if (this.#root === undefined) {
      const site = rootSite(this.outline.schema, this.outline.model.singular, this.#fields, this.#stock)
      const { variants, enum: values, assertions } = site.schema
      const object = variants || values || assertions ? undefined : new ObjectMaker(site, COMPILER)
      this.#root = {
        object,
        make: object ? (cell) => object.make(cell) : compilePresent(site),
      }
    }
    return this.#root
  }

  #make(cell: Cell): JsonObject {
    const record = this.#rootMaker().make(cell)
    return isJsonObject(record) ? record : {}
  }

  #withId(record: JsonObject, id: Json): JsonObject {
    const field = this.outline.model.id.field
    if (!field || field.length === 0) return record
    return field.length === 1 && record[field[0] as string] === id ? record : writeField(record, field, id)
  }

  #idIn(given: JsonObject): Json | undefined {
    const id = this.outline.model.id.field && readField(given, this.outline.model.id.field)
    return typeof id === 'object' ? undefined : id
  }

  #asId(text: string): Json {
    const { schema } = this.outline.model.id
    const wantsNumber =
      schema &&
      !schema.types.includes('string') &&
      (schema.types.includes('integer') || schema.types.includes('number'))
    return wantsNumber && fits(schema, Number(text)) ? Number(text) : text
  }
}

/** A resource name as sent, or below what its last part was sent for; undefined where neither was sent. */
function resourceName(prefix: string, sent: Json | undefined): string | undefined {
  const parts = String(sent ?? '').split('/')
  if (parts.length === prefix.split('/').length) return parts.join('/')
  return parts.length === 1 && parts[0] !== '' ? prefix + parts[0] : undefined
}

/** The frame of a record that a client creates. */
class NewFrame implements Frame {
  readonly index: number
  readonly now: number
  readonly age = 0
  readonly isNew = true
  readonly work = new Work()
  readonly key: Json | undefined
  readonly reference: Frame['reference']
  readonly status: Frame['status']
  readonly #table: TableOutline

  constructor(
    table: TableOutline,
    { index, now, key, reference, status }: Pick<Frame, 'index' | 'now' | 'key' | 'reference' | 'status'>,
  ) {
    this.#table = table
    this.index = index
    this.now = now
    this.key = key
    this.reference = reference
    this.status = status
  }

  get rank(): number {
    return this.index
  }

  get subject(): number {
    return this.#table.subjectAt(this.index)
  }

  get createdAt(): number {
    return this.now
  }
}
