import { snakeCase } from '../../names/words.ts'
import type { Json } from '../../protocol/json.ts'
import { hashText } from '../../runtime/random.ts'
import { fits } from '../../schema/checker.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { Relation } from '../openapi/model.ts'
import type { Cell, Frame, Maker } from './cell.ts'
import type { GeneratedTable } from './generated-table.ts'
import type { RecordCodecs } from './record-codecs.ts'
import { prefixOfField, type TableIndex } from './references.ts'

/** Fields that tell records apart, though no path uses them. */
const OWN_ID = /^(?:id|_id|uuid|guid|gid|sid|node_id|nodeId|key_id)$/
const CURRENCY = /^(?:currency|currency_code)$/
const PAYS = /(?:^|_)(?:payment|charge|refund|dispute|capture)$/
const IS_PAID = /(?:^|_)(?:invoice|order|payment|charge|capture)$/
const AMOUNTS = ['amount_due', 'amountDue', 'total', 'total_amount', 'totalAmount', 'amount_total', 'amount']

/** What the fields of one table are made with. */
export interface RecordFieldsOptions {
  readonly table: GeneratedTable
  readonly codecs: RecordCodecs
  /** Values that fields are to be drawn from, by dotted field. */
  readonly hints: Readonly<Record<string, readonly Json[]>>
  readonly tables: TableIndex
}

/** The fields of a collection that are not free: ids and keys, relations, the parent, what follows from a related record. */
export class RecordFields {
  readonly #table: GeneratedTable
  readonly #codecs: RecordCodecs
  readonly #hints: Readonly<Record<string, readonly Json[]>>
  readonly #tables: TableIndex
  readonly #fixed = new Map<Schema, Map<string, Maker | undefined>>()
  #relations: readonly Relation[] | undefined

  constructor({ table, codecs, hints, tables }: RecordFieldsOptions) {
    this.#table = table
    this.#codecs = codecs
    this.#hints = hints
    this.#tables = tables
  }

  /** The model's relations; those by an object's id stand at the object. */
  get relations(): readonly Relation[] {
    this.#relations ??= this.#table.model.relations.map((relation) => ({
      ...relation,
      field: this.#objectPath(relation),
    }))
    return this.#relations
  }

  relationAt(path: FieldPath): Relation | undefined {
    const name = path.join('.')
    return this.relations.find(({ field }) => field.join('.') === name)
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

  /** Values that a field has from the record that this one refers to: a payment's amount and currency. */
  inherited(path: FieldPath, schema: Schema): Maker | undefined {
    const [name] = path
    if (name === undefined || path.length !== 1) return undefined
    const snake = snakeCase(name)
    const isAmount = snake === 'amount' && PAYS.test(this.#table.model.singular)
    if (!isAmount && !CURRENCY.test(snake)) return undefined
    for (const { target, indexFor } of this.#above()) {
      if (isAmount && !IS_PAID.test(target.model.singular)) continue
      const field = (isAmount ? AMOUNTS : [name]).find((other) => target.hasField(other, schema.types[0]))
      if (field !== undefined) return this.#inheritedMaker(target, indexFor, [field], schema)
    }
    return undefined
  }

  hintsFor(path: FieldPath): readonly Json[] | undefined {
    const name = path.join('.')
    return Object.hasOwn(this.#hints, name) ? this.#hints[name] : undefined
  }

  /** Whether a field says which record it is, where it belongs or where it stands: never left out. */
  isKey(path: FieldPath): boolean {
    const name = path.join('.')
    const { id, parent, statusField } = this.#table.model
    const status = statusField?.join('.')
    const isStatus = status === name || (status?.startsWith(`${name}.`) ?? false)
    return isStatus || name === id.field?.join('.') || name === parent?.field?.join('.')
  }

  /** The record that fields with this prefix tell of. */
  subjectOf(prefix: string): ((cell: Cell) => number) | undefined {
    const relation = this.relations.find(({ field, many }) => !many && prefixOfField(field) === prefix)
    const target = relation && this.#tables.find(relation.collection)
    if (!relation || !target || target.size === 0) return undefined
    const key = hashText(relation.field.join('.'))
    return (cell) => target.subjectAt(this.#table.references.indexFor(target, key, cell.frame) ?? 0)
  }

  /** `['user']` of `['user', 'id']`. */
  #objectPath({ form, many, field, collection }: Relation): FieldPath {
    const idName = this.#tables.find(collection)?.model.id.field?.at(-1)
    return form === 'object' && !many && field.length > 1 && field.at(-1) === idName ? field.slice(0, -1) : field
  }

  #fixedMaker(path: FieldPath, name: string, schema: Schema): Maker | undefined {
    const { model, references, size } = this.#table
    if (name === model.id.field?.join('.')) return this.#idMaker(schema)
    if (model.parent?.field?.join('.') === name) return references.parentMaker(schema)
    const relation = model.relations.find(({ field }) => field.join('.') === name)
    if (relation) return references.makerFor(relation, this.#objectPath(relation), schema)
    const isKey = OWN_ID.test(name) || model.alternateKeys.some((field) => field.join('.') === name)
    return isKey && !schema.enum ? this.#codecs.alternateMaker(path, schema, size) : undefined
  }

  /** The id, where `schema` wants one of its kind: objects that stand for a record may have an id of another. */
  #idMaker(schema: Schema): Maker | undefined {
    const table = this.#table
    if (schema === this.#codecs.idSchema || table.size === 0) return (cell) => table.idOf(cell)
    if (!fits(schema, table.keyValueAt(0))) return undefined
    return (cell) => {
      const id = table.idOf(cell)
      return fits(schema, id) ? id : undefined
    }
  }

  /** Tables that this one's records refer to and that stand higher, so that nothing is inherited in a circle. */
  *#above(): Generator<{ target: GeneratedTable; indexFor: (frame: Frame) => number | undefined }> {
    const { model, references, level } = this.#table
    const parent = model.parent && this.#tables.find(model.parent.collection)
    if (parent && parent.level > level) yield { target: parent, indexFor: ({ index }) => this.#table.parentAt(index) }
    for (const { field, many, collection } of this.relations) {
      const target = many ? undefined : this.#tables.find(collection)
      if (!target || target.level <= level || target.size === 0) continue
      const key = hashText(field.join('.'))
      yield { target, indexFor: (frame) => references.indexFor(target, key, frame) }
    }
  }

  #inheritedMaker(
    target: GeneratedTable,
    indexFor: (frame: Frame) => number | undefined,
    field: FieldPath,
    schema: Schema,
  ): Maker {
    return ({ frame }) => {
      const index = frame.isNew ? undefined : indexFor(frame)
      const value = index === undefined ? undefined : target.valueAt(index, field)
      return value !== undefined && value !== null && fits(schema, value) ? value : undefined
    }
  }
}
