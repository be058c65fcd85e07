import type { Json } from '../../protocol/json.ts'
import type { Frame } from './cell.ts'

/** What a frame asks of its table, when it is asked itself. */
interface FrameSource {
  rankOf(index: number): number
  subjectAt(index: number): number
  createdAt(index: number): number
}

/** Where a generated record stands; what takes time is computed when it is asked for. */
export class TableFrame implements Frame {
  readonly index: number
  readonly now: number
  readonly age: number
  readonly isNew = false
  readonly isRequest = false
  readonly reference = undefined
  readonly #table: FrameSource
  #createdAt = Number.NaN

  constructor(table: FrameSource, index: number, size: number, now: number) {
    this.#table = table
    this.index = index
    this.age = (index + 0.5) / Math.max(1, size)
    this.now = now
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

/** Where a record stands that a client makes at this moment. */
export class NewFrame implements Frame {
  readonly index: number
  readonly now: number
  readonly age = 0
  readonly isNew = true
  readonly isRequest = false
  readonly reference: (collection: string, draw: number) => Json | undefined
  readonly #table: FrameSource

  constructor(table: FrameSource, index: number, now: number, reference: NonNullable<Frame['reference']>) {
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
