import type { Json, JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { hashText } from '../../../runtime/random.ts'
import type { LiveRecord } from '../../world/collection-view.ts'

/** Most characters of cached texts for one simulation: 10,000 records of 1.6 kB, so that any page of them is cached. */
const CAPACITY = 16_000_000

/** A record as an answer shows it. */
export class ShownRecord {
  readonly text: string
  /** The changed record, which is immutable and replaced by later changes; undefined for a generated one. */
  readonly changed: JsonObject | undefined
  /** Of the record: the same as long as it does not change. */
  readonly hash: number
  readonly #second: number
  #tag: string | undefined

  constructor(text: string, changed: JsonObject | undefined, hashes: Hashes) {
    this.text = text
    this.changed = changed
    this.hash = hashes[0]
    this.#second = hashes[1]
  }

  /** Entity tag of the record. */
  get tag(): string {
    this.#tag ??= toTag([this.hash, this.#second])
    return this.#tag
  }
}

/** The cached texts of a simulation. Beyond the capacity all are dropped. */
export class RecordTexts {
  readonly #all = new Set<(ShownRecord | undefined)[]>()
  #characters = 0

  /** Caches a text among those of its collection and schema, at the record's position. */
  keep(byPosition: (ShownRecord | undefined)[], position: number, shown: ShownRecord): void {
    this.#characters += shown.text.length
    if (this.#characters > CAPACITY) {
      for (const texts of this.#all) texts.length = 0
      this.#all.clear()
      this.#characters = shown.text.length
    }
    this.#all.add(byPosition)
    byPosition[position] = shown
  }
}

/** The records of one collection in one schema. A text is made at first use, and cached until its record changes. */
export class CollectionTexts {
  /** A record of the collection in the schema. */
  readonly toJson: (keyed: Pick<LiveRecord, 'key' | 'record'>) => Json
  readonly #texts: RecordTexts
  readonly #byPosition: (ShownRecord | undefined)[] = []

  constructor(toJson: CollectionTexts['toJson'], texts: RecordTexts) {
    this.toJson = toJson
    this.#texts = texts
  }

  /** The cached text of a live record; undefined without one. */
  recall({ position, changed }: LiveRecord): ShownRecord | undefined {
    const kept = this.#byPosition[position]
    return kept?.changed === changed ? kept : undefined
  }

  /** The text of a live record, from the cache or new. */
  show(live: LiveRecord): ShownRecord {
    return this.recall(live) ?? this.#make(live)
  }

  #make(live: LiveRecord): ShownRecord {
    const { record, position, changed } = live
    const json = this.toJson(live)
    const text = JSON.stringify(json)
    const shown = new ShownRecord(text, changed, hashesOf(json === record ? text : JSON.stringify(record)))
    this.#texts.keep(this.#byPosition, position, shown)
    return shown
  }

  /** The texts of the first records that fit on a page; at least one. Pauses before each missing text. */
  *makePage(records: readonly LiveRecord[]): Generator<undefined, readonly ShownRecord[]> {
    const page: ShownRecord[] = []
    let characters = 0
    for (const record of records) {
      let shown = this.recall(record)
      if (shown === undefined) {
        yield
        shown = this.#make(record)
      }
      characters += shown.text.length
      if (characters > LIMITS.listedCharacters && page.length > 0) break
      page.push(shown)
    }
    return page
  }
}

/** Two hashes of one text, each of 32 bits. */
type Hashes = readonly [first: number, second: number]

/** @param text of a record, as JSON */
export const hashesOf = (text: string): Hashes => [hashText(text) | 0, hashText(text, 0x9e3779b9) | 0]

/** Entity tag of a record. */
export const toTag = ([first, second]: Hashes): string =>
  `"${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}"`
