import type { Json } from '../../protocol/json.ts'
import type { Frame } from './cell.ts'
import type { TableOutline } from './table-outline.ts'
import { Work } from './work.ts'

/** The frame of a record that a client creates now. */
export class NewFrame implements Frame {
  readonly index: number
  readonly now: number
  readonly age = 0
  readonly isNew = true
  readonly isRequest = false
  readonly work = new Work()
  readonly reference: (collection: string, draw: number) => Json | undefined
  readonly #table: TableOutline

  constructor(table: TableOutline, index: number, now: number, reference: NonNullable<Frame['reference']>) {
    this.#table = table
    this.index = index
    this.now = now
    this.reference = reference
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
