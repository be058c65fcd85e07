import { isIdName } from '../../../names/id-names.ts'
import { snakeCase } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { onceFor } from '../../../runtime/once.ts'
import { hashText } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Relation } from '../../openapi/model.ts'
import type { Cell, Frame, Maker } from '../cell.ts'
import type { Site, Surroundings } from '../site.ts'
import { type Collections, embeddedMaker } from './embedded-records.ts'
import { indexAbove } from './record-addresses.ts'
import { prefixOfField, type References } from './references.ts'
import type { OutlineIndex, TableOutline } from './table-outline.ts'

/** Identifying fields that no path uses. */
const isOwnId = (name: string): boolean => isIdName(name) || /^(?:node_id|nodeId|key_id)$/.test(name)
const CURRENCY = /^(?:currency|currency_code)$/
const PAYS = /(?:^|_)(?:payment|charge|refund|dispute|capture)$/
const IS_PAID = /(?:^|_)(?:invoice|order|payment|charge|capture)$/
const AMOUNTS = ['amount_due', 'amountDue', 'total', 'total_amount', 'totalAmount', 'amount_total', 'amount']

/** Input of one table's fields. */
export interface RecordFieldsOptions extends Collections {
  readonly table: TableOutline
  /** The user's values, by dotted field. */
  readonly hints: Readonly<Record<string, readonly Json[]>>
}

/** The records of a collection to which those of another refer. */
interface Related {
  readonly target: TableOutline
  /** Index of the record for that of `frame`; undefined without one. */
  readonly indexFor: (frame: Frame) => number | undefined
}

/** Model-based values of a collection's fields: ids, relations, the parent, related records. */
export class RecordFields implements Surroundings {
  readonly status: Maker | undefined
  readonly #options: RecordFieldsOptions
  readonly #table: TableOutline
  readonly #outlines: OutlineIndex
  readonly #references: References
  readonly #fixed = new Map<Schema, Map<string, Maker | undefined>>()
  #counts: ReturnType<OutlineIndex['countsIn']> | undefined
  /** By dotted field; of two for one field, the first. */
  #relations: ReadonlyMap<string, Relation> | undefined

  /** `status` makes the status of a record; undefined without one. */
  constructor(options: RecordFieldsOptions, status: Maker | undefined) {
    this.status = status
    this.#options = options
    this.#table = options.table
    this.#outlines = options.outlines
    this.#references = options.references
  }

  /** Drops makers; they are compiled again at the next use. */
  drop(): void {
    this.#fixed.clear()
  }

  get collection(): string {
    return this.#table.model.name
  }

  get statuses(): readonly Json[] {
    const { schema, model } = this.#table
    const field = model.statusField?.reduce<Schema | undefined>((inner, name) => inner?.properties.get(name), schema)
    return field?.enum ?? []
  }

  idOf(cell: Cell): string {
    return String(this.#table.idOf(cell))
  }

  addressOf(noun: string): ((cell: Cell) => string | undefined) | undefined {
    const { addresses } = this.#options
    const own = ({ frame }: Cell) => addresses.of(this.#table, frame)
    if (noun === '') return own
    const part = addresses.partBelow(this.#table, noun)
    if (part !== undefined) return (cell) => own(cell)?.replace(/\/?$/, `/${part}`)
    const linked = this.#parentOf(noun) ?? this.#relatedBy(noun) ?? this.#relationship(noun)
    if (linked === undefined) return undefined
    const { target, indexFor } = linked
    return ({ frame }) => {
      const index = indexFor(frame)
      return index === undefined ? undefined : addresses.of(target, target.frameAt(index))
    }
  }

  embedded(site: Site): Maker | undefined {
    return embeddedMaker(site, this.#options, this.#table)
  }

  vocabularyFor(path: FieldPath): readonly Json[] | undefined {
    return path.length === 1 ? this.#table.model.vocabulary.get(path[0] as string) : undefined
  }

  /** Values of a field that the model determines: ids, keys, relations, the parent. */
  fixed(path: FieldPath, schema: Schema): Maker | undefined {
    const byPath = onceFor(this.#fixed, schema, () => new Map<string, Maker | undefined>())
    return onceFor(byPath, path.join('.'), (name) => this.#fixedMaker(path, name, schema))
  }

  /** Values of a field from the record to which this one refers: a payment's amount and currency. */
  inherited(path: FieldPath, schema: Schema): Maker | undefined {
    const [name] = path
    if (name === undefined || path.length !== 1) return undefined
    const snake = snakeCase(name)
    const isAmount = snake === 'amount' && PAYS.test(this.#table.model.singular)
    if (!isAmount && !CURRENCY.test(snake)) return undefined
    for (const { target, indexFor } of this.#above()) {
      if (isAmount && !IS_PAID.test(target.model.singular)) continue
      const field = (isAmount ? AMOUNTS : [name]).find((other) => target.hasField(other, schema.types[0]))
      if (field === undefined) continue
      return ({ frame }) => {
        const index = frame.isNew ? undefined : indexFor(frame)
        const value = index === undefined ? undefined : this.#options.records.valueAt(target, index, [field])
        return value !== undefined && value !== null && fits(schema, value) ? value : undefined
      }
    }
    return undefined
  }

  hintsFor(path: FieldPath): readonly Json[] | undefined {
    const { hints } = this.#options
    const name = path.join('.')
    return Object.hasOwn(hints, name) ? hints[name] : undefined
  }

  /** Whether a field holds the record's id, parent or status: such a field is never omitted. */
  isKey(path: FieldPath): boolean {
    const name = path.join('.')
    const { id, parent, statusField, outerKeys = [] } = this.#table.model
    const status = statusField?.join('.')
    const isStatus = status === name || (status?.startsWith(`${name}.`) ?? false)
    const isOuter = outerKeys.some((field) => path.every((one, at) => one === field[at]))
    return isStatus || isOuter || name === id.field?.join('.') || name === parent?.field?.join('.')
  }

  /** The subject of the record for fields with this prefix. */
  subjectOf(prefix: string): ((cell: Cell) => number) | undefined {
    const related = this.#relatedBy(prefix)
    return related && (({ frame }) => related.target.subjectAt(related.indexFor(frame) ?? 0))
  }

  /** The records to which a field with this prefix refers, one for each record. */
  #relatedBy(prefix: string): Related | undefined {
    const relation = this.#references
      .relationsOf(this.#table)
      .find(({ field, many }) => !many && prefixOfField(field) === prefix)
    const target = relation && this.#outlines.find(relation.collection)
    if (!relation || !target || target.size === 0) return undefined
    return this.#related(target, relation.field)
  }

  #related(target: TableOutline, field: FieldPath): Related {
    const key = hashText(field.join('.'))
    return { target, indexFor: (frame) => this.#references.indexFor(this.#table, target, key, frame) }
  }

  /** What `relationships: { account: { data: { id } } }` refers to, in JSON:API. */
  #relationship(noun: string): Related | undefined {
    const path = ['relationships', noun, 'data', 'id']
    const isThere = path.reduce<Schema | undefined>((schema, name) => schema?.properties.get(name), this.#table.schema)
    const target = isThere && (noun === 'parent' ? this.#table : this.#outlines.findBySingular(noun))
    return target && this.#related(target, path)
  }

  #parentOf(noun: string): Related | undefined {
    const target = this.#table.parent
    if (target === undefined || target.model.singular !== noun) return undefined
    return { target, indexFor: (frame) => indexAbove(this.#table, target, frame) }
  }

  #fixedMaker(path: FieldPath, name: string, schema: Schema): Maker | undefined {
    const table = this.#table
    const { model } = table
    if (name === model.id.field?.join('.')) return this.#idMaker(schema)
    if (model.parent?.field?.join('.') === name) return this.#references.parentMaker(table, schema)
    this.#relations ??= new Map(model.relations.toReversed().map((one) => [one.field.join('.'), one]))
    const relation = this.#relations.get(name)
    if (relation) return this.#references.makerFor(table, relation, schema)
    const count = this.#countMaker(name)
    if (count) return count
    const isKey = isOwnId(name) || model.alternateKeys.some((field) => field.join('.') === name)
    return isKey && !schema.enum ? table.codecs.alternateMaker(path, schema, table.size) : undefined
  }

  /** The number of the records that refer to this one: `appointments_count`. */
  #countMaker(name: string): Maker | undefined {
    const table = this.#table
    this.#counts ??= this.#outlines.countsIn(table.model)
    const { collection, status } = this.#counts.find(({ counter }) => counter === name) ?? {}
    const others = this.#outlines.find(collection ?? '')
    const referring = others && this.#references.referring(others, table)
    if (others === undefined || referring === undefined) return undefined
    const { statusField } = others.model
    const isCounted = (index: number) =>
      status === undefined || (statusField && this.#options.records.valueAt(others, index, statusField)) === status
    return ({ frame: { index, isNew } }) => {
      if (!isNew && index >= table.size) return undefined
      return isNew ? 0 : (referring().get(index) ?? []).filter(isCounted).length
    }
  }

  /** The id, where `schema` allows it: an object that shows a record may have another type of id. */
  #idMaker(schema: Schema): Maker | undefined {
    const table = this.#table
    if (schema === table.model.id.schema || table.size === 0) return (cell) => table.idOf(cell)
    if (!fits(schema, table.keys.at(0))) return undefined
    return (cell) => {
      const id = table.idOf(cell)
      return fits(schema, id) ? id : undefined
    }
  }

  /** Tables to which this one's records refer, only at higher levels, so that inheritance has no cycle. */
  *#above(): Generator<Related> {
    const { model, level } = this.#table
    const parent = model.parent && this.#outlines.find(model.parent.collection)
    if (parent && parent.level > level) yield { target: parent, indexFor: ({ index }) => this.#table.parentAt(index) }
    for (const { field, many, collection } of this.#references.relationsOf(this.#table)) {
      const target = many ? undefined : this.#outlines.find(collection)
      if (!target || target.level <= level || target.size === 0) continue
      yield this.#related(target, field)
    }
  }
}
