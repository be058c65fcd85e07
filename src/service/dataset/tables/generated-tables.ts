import type { Json } from '../../../protocol/json.ts'
import type { ApiModel } from '../../openapi/model.ts'
import type { DatasetOptions, Table } from '../dataset.ts'
import type { MakerStock } from '../maker-stock.ts'
import type { Collections, OtherRecords } from './embedded-records.ts'
import { GeneratedTable } from './generated-table.ts'
import { RecordAddresses } from './record-addresses.ts'
import { References } from './references.ts'
import type { OutlineIndex } from './table-outline.ts'

/** The tables of all collections, in the model's order: each is made at first use. */
export class GeneratedTables {
  /** Input for values that show records of these tables. */
  readonly collections: Collections
  readonly #names: ReadonlySet<string>
  readonly #hints: NonNullable<DatasetOptions['hints']>
  readonly #made = new Map<string, GeneratedTable>()

  constructor(model: ApiModel, outlines: OutlineIndex, hints: NonNullable<DatasetOptions['hints']>, stock: MakerStock) {
    this.#names = new Set(model.collections.map(({ name }) => name))
    this.#hints = hints
    const records: OtherRecords = {
      makerOf: (table, schema) => this.open(table.model.name).makerOf(schema),
      valueAt: (table, index, field) => this.open(table.model.name).valueAt(index, field),
    }
    const addresses = new RecordAddresses(model, { outlines, valueAt: records.valueAt })
    this.collections = { stock, outlines, references: new References(outlines), records, addresses }
  }

  keys(): SetIterator<string> {
    return this.#names.keys()
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  get(name: string): Table | undefined {
    return this.#find(name)
  }

  /** Throws for an unknown collection. */
  open(name: string): GeneratedTable {
    const table = this.#find(name)
    if (table === undefined)
      throw new RangeError(`Expected \`collection\` to be one of the model's collections, got "${name}".`)
    return table
  }

  #find(name: string): GeneratedTable | undefined {
    const known = this.#made.get(name)
    if (known !== undefined) return known
    const table = this.collections.outlines.find(name)
    if (table === undefined) return undefined
    const hints: Readonly<Record<string, readonly Json[]>> =
      (Object.hasOwn(this.#hints, name) && this.#hints[name]) || {}
    const made = new GeneratedTable({ ...this.collections, table, hints })
    this.#made.set(name, made)
    return made
  }
}
