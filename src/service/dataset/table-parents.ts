import { readField } from '../../protocol/json-fields.ts'
import type { GeneratedTable } from './generated-table.ts'
import { Deal } from './permutation.ts'
import type { TableOptions } from './table-options.ts'

/** Which records of the parent collection the records of one table live below. */
export class TableParents {
  readonly #options: TableOptions
  readonly #key: number
  #dealt: Deal | undefined

  /** `key`: what the children are dealt with. */
  constructor(options: TableOptions, key: number) {
    this.#options = options
    this.#key = key
  }

  /** The parent collection's; a collection that is its own parent has none. */
  get table(): GeneratedTable | undefined {
    const { model, tables } = this.#options
    return model.parent && model.parent.collection !== model.name ? tables.find(model.parent.collection) : undefined
  }

  /** Index of the parent of the record at `index`. */
  at(index: number): number | undefined {
    const { table } = this
    if (!table || table.size === 0) return undefined
    const { model, seedRecords } = this.#options
    const given = seedRecords[index]
    const field = model.parent?.field
    const named = given && field ? readField(given, field) : undefined
    if (named !== undefined && named !== null) return table.indexOf(String(named))
    return this.#deal(table.size).at(index)
  }

  /** Indexes below `count` of the records below the parent at `parentIndex`. */
  childrenOf(parentIndex: number, count: number): readonly number[] {
    const { table } = this
    if (!table || parentIndex < 0 || parentIndex >= table.size) return []
    const found: number[] = []
    const { model, seedRecords } = this.#options
    const seeded = model.parent?.field ? seedRecords.length : 0
    for (let index = 0; index < seeded; index++) if (this.at(index) === parentIndex) found.push(index)
    for (const index of this.#deal(table.size).indexesOf(parentIndex, count)) if (index >= seeded) found.push(index)
    return found
  }

  /** How children are dealt to so many parents. */
  #deal(parents: number): Deal {
    if (this.#dealt?.size !== parents) this.#dealt = new Deal(parents, this.#key)
    return this.#dealt
  }
}
