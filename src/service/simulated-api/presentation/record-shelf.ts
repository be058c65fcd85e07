import { hashText } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { Projector } from './project.ts'
import { areNeighbours, type RecordTexts, type Shelf, type ShownRecord } from './record-texts.ts'

/** The records of one collection as one schema shows them. A text is made when it is first asked for, and kept until its record changes. */
export class RecordShelf {
  readonly #collection: string
  readonly #schema: Schema | undefined
  readonly #projector: Projector
  readonly #texts: RecordTexts
  readonly #shelf: Shelf = []

  constructor(
    { collection, schema }: { collection: string; schema: Schema | undefined },
    projector: Projector,
    texts: RecordTexts,
  ) {
    this.#collection = collection
    this.#schema = schema
    this.#projector = projector
    this.#texts = texts
  }

  /** The text of a live record; undefined where it has to be made. */
  recall(live: LiveRecord): ShownRecord | undefined {
    return this.#texts.recall(this.#shelf, live)
  }

  /** Whether neighbours are better kept anew as a whole when one of their texts has to be made. */
  isScattered(page: readonly LiveRecord[]): boolean {
    return areNeighbours(page) && this.#texts.isScattered(page.map((live) => this.recall(live)))
  }

  /** Keeps a text anew, behind the one that was kept last. */
  renew(shown: ShownRecord): void {
    this.#texts.renew(shown)
  }

  /** The text of a live record, be it kept or not. */
  show(live: LiveRecord): ShownRecord {
    return this.recall(live) ?? this.make(live)
  }

  /** Makes the text of a live record, and keeps it. */
  make(live: LiveRecord): ShownRecord {
    const { key, record } = live
    const json = this.#projector.project(record, this.#schema, `${this.#collection}/${key}`)
    const text = JSON.stringify(json)
    const tag = toTag(json === record ? text : JSON.stringify(record))
    return this.#texts.keep({ shelf: this.#shelf, position: live.position, changed: live.changed, text, tag })
  }
}

/** Entity tag of a record whose JSON is `text`. */
export const toTag = (text: string): string =>
  `"${hashText(text).toString(36)}${hashText(text, 0x9e3779b9).toString(36)}"`
