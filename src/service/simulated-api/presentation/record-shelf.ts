import type { Json } from '../../../protocol/json.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import { hashesOf } from './record-tag.ts'
import { areNeighbours, type RecordTexts, type Shelf, type ShownRecord } from './record-texts.ts'

/** The records of one collection in one schema. A text is made at first use, and cached until its record changes. */
export class RecordShelf {
  readonly #show: (live: LiveRecord) => Json
  readonly #texts: RecordTexts
  readonly #shelf: Shelf = []

  constructor(show: (live: LiveRecord) => Json, texts: RecordTexts) {
    this.#show = show
    this.#texts = texts
  }

  /** The cached text of a live record; undefined without one. */
  recall(live: LiveRecord): ShownRecord | undefined {
    return this.#texts.recall(this.#shelf, live)
  }

  /** Whether neighbours should be copied as a whole when one of their texts is missing. */
  isScattered(page: readonly LiveRecord[]): boolean {
    return areNeighbours(page) && this.#texts.isScattered(page.map((live) => this.recall(live)))
  }

  /** Copies a text to the end. */
  renew(shown: ShownRecord): void {
    this.#texts.renew(shown)
  }

  /** The text of a live record, from the cache or new. */
  show(live: LiveRecord): ShownRecord {
    return this.recall(live) ?? this.make(live)
  }

  /** Makes and caches the text of a live record. */
  make(live: LiveRecord): ShownRecord {
    const { record } = live
    const json = this.#show(live)
    const text = JSON.stringify(json)
    const hashes = hashesOf(json === record ? text : JSON.stringify(record))
    return this.#texts.keep({ shelf: this.#shelf, position: live.position, changed: live.changed, text, hashes })
  }
}
