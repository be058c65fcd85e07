import type { JsonObject } from '../../../protocol/json.ts'

/**
 * Most characters that the texts of one simulation take: 10,000 records of 1.3 KB, so that any page of them is at hand.
 */
const CAPACITY = 16 * 1024 * 1024

/** What a kept text costs beside its characters: its entity tag, its objects, its place in two collections. */
const OVERHEAD = 256

/** A record as an answer shows it. */
export interface ShownRecord {
  readonly text: string
  /** Whether the text is ASCII. */
  readonly isAscii: boolean
  /** Entity tag: the same as long as the record does not change. */
  readonly tag: string
}

/** A record's place in its collection. */
interface Place {
  readonly position: number
  /** The record where it is not as generated: it never changes, another one takes its place. */
  changed: JsonObject | undefined
}

/** A text of a record, and what it is good for. */
interface Kept extends Place {
  readonly shelf: Shelf
  text: string
  isAscii: boolean
  tag: string
  /** Whether it was asked for since the hand last passed. */
  isUsed: boolean
}

/** The texts of the records of one collection as one schema shows them, by position: those of a page stand side by side. */
export type Shelf = (Kept | undefined)[]

/**
 * Texts of records as answers show them, each good until its record changes. Past the capacity a hand goes round and
 * takes away those that were not asked for since it last passed (the CLOCK algorithm).
 */
export class RecordTexts {
  /** In no order that matters. */
  readonly #ring: Kept[] = []
  #hand = 0
  #characters = 0

  /** What the record was shown as; undefined where it has changed since, or the text is not kept. */
  recall(shelf: Shelf, { position, changed }: Place): ShownRecord | undefined {
    const kept = shelf[position]
    if (kept === undefined || kept.changed !== changed) return undefined
    kept.isUsed = true
    return kept
  }

  /** Keeps a text; returns it. */
  keep(shelf: Shelf, { position, changed }: Place, shown: ShownRecord): ShownRecord {
    const { text, isAscii, tag } = shown
    const kept = { shelf, position, changed, text, isAscii, tag, isUsed: false }
    const stale = shelf[position]
    if (stale === undefined) this.#add(kept)
    else {
      this.#characters += text.length - stale.text.length
      Object.assign(stale, kept)
    }
    while (this.#characters > CAPACITY) this.#advance()
    return kept
  }

  #add(kept: Kept): void {
    kept.shelf[kept.position] = kept
    this.#ring.push(kept)
    this.#characters += kept.text.length + OVERHEAD
  }

  #advance(): void {
    if (this.#hand >= this.#ring.length) this.#hand = 0
    const kept = this.#ring[this.#hand] as Kept
    if (kept.isUsed) {
      kept.isUsed = false
      this.#hand++
      return
    }
    const last = this.#ring.pop() as Kept
    if (last !== kept) this.#ring[this.#hand] = last
    kept.shelf[kept.position] = undefined
    this.#characters -= kept.text.length + OVERHEAD
  }
}
