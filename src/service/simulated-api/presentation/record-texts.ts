import type { Json, JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import type { LentBody } from '../exchange.ts'
import { type Hashes, hashesOf, toTag } from './record-tag.ts'

/** Most bytes of cached texts for one simulation: 10,000 records of 1.3 KB, so that any page of them is cached. */
const CAPACITY = 16 * 1024 * 1024
const CHUNK = 256 * 1024
/** The first chunk of a simulation; later chunks are as large as all earlier ones, up to the size of a chunk. */
const FIRST_CHUNK = 16 * 1024
/** A page of neighbours whose texts lie at more places is kept anew, in one piece. */
const MOST_PIECES = 4

/** A record's place in its collection. */
interface Place {
  readonly position: number
  /** The changed record, which is immutable and replaced by later changes; undefined for a generated one. */
  readonly changed: JsonObject | undefined
}

/** A text and its metadata. */
interface Kept extends Place {
  readonly collection: TextsByPosition
  readonly text: string
  /** Of the record: the same as long as it does not change. */
  readonly hashes: Hashes
}

/** The texts of one collection's records in one schema, by position. */
export type TextsByPosition = (ShownRecord | undefined)[]

/** A record as an answer shows it. */
export class ShownRecord {
  readonly collection: TextsByPosition
  readonly position: number
  readonly changed: JsonObject | undefined
  /** The first of its hashes: the tag of a page is made of them. */
  readonly hash: number
  readonly #second: number
  #tag: string | undefined
  /** Characters of the text. */
  readonly length: number
  chunk: TextChunk
  /** Start of the text in its chunk. */
  start: number
  /** End of the comma after the text. */
  end: number
  /** Whether it was used since it was written to its chunk. */
  isUsed = false

  constructor({ collection, position, changed, text, hashes: [hash, second] }: Kept, chunk: TextChunk) {
    this.collection = collection
    this.position = position
    this.changed = changed
    this.hash = hash
    this.#second = second
    this.length = text.length
    this.chunk = chunk
    this.start = chunk.used
    this.end = chunk.add(text, this)
  }

  /** Entity tag of the record. */
  get tag(): string {
    this.#tag ??= toTag([this.hash, this.#second])
    return this.#tag
  }

  get text(): string {
    return this.chunk.bytes.toString('utf8', this.start, this.end - 1)
  }

  /** The text in UTF-8. It is never overwritten. */
  get bytes(): Uint8Array {
    return this.chunk.bytes.subarray(this.start, this.end - 1)
  }

  moveTo(chunk: TextChunk): void {
    const { bytes } = this.chunk
    const { start, end } = this
    this.start = chunk.used
    this.end = chunk.addCopy(bytes.subarray(start, end), this)
    this.chunk = chunk
    this.isUsed = false
  }
}

/** Memory for texts in sequence, each followed by a comma. */
class TextChunk {
  readonly bytes: Buffer
  /** Records whose texts were written here; some have been moved. */
  readonly records: ShownRecord[] = []
  used = 0

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size)
  }

  /** Free bytes. */
  get left(): number {
    return this.bytes.length - this.used
  }

  /** Writes the text of a record. Returns its end. */
  add(text: string, record: ShownRecord): number {
    this.used += this.bytes.write(`${text},`, this.used)
    this.records.push(record)
    return this.used
  }

  addCopy(text: Uint8Array, record: ShownRecord): number {
    this.bytes.set(text, this.used)
    this.used += text.length
    this.records.push(record)
    return this.used
  }
}

/**
 * A cache of records' texts as answers show them, each valid until its record changes: bytes outside of V8's heap, in
 * order of creation, so that a page's texts are mostly adjacent. Beyond the capacity the oldest chunk is dropped,
 * except recently used texts. Nothing is overwritten: an answer to a slow client refers to these bytes.
 */
export class RecordTexts {
  /** Oldest first. */
  readonly #chunks: TextChunk[] = []
  #size = 0
  readonly #buffers = new BodyBuffers()

  /** The cached text of a record; undefined where it has changed or is not cached. */
  recall(collection: TextsByPosition, { position, changed }: Place): ShownRecord | undefined {
    const kept = collection[position]
    if (kept === undefined || kept.changed !== changed) return undefined
    kept.isUsed = true
    return kept
  }

  /** Caches a text and returns it. */
  keep(kept: Kept): ShownRecord {
    const shown = new ShownRecord(kept, this.#chunkFor(Buffer.byteLength(kept.text) + 1))
    kept.collection[kept.position] = shown
    return shown
  }

  /**
   * Whether a page needs so many new texts between cached ones that the whole page should be copied into one piece.
   * Undefined: a missing text.
   */
  isScattered(page: readonly (ShownRecord | undefined)[]): boolean {
    let pieces = 0
    for (const [at, shown] of page.entries()) {
      if (at === 0 || (shown === undefined) !== (page[at - 1] === undefined)) pieces++
    }
    return pieces > MOST_PIECES
  }

  /** Copies a text to the end. */
  renew(shown: ShownRecord): void {
    shown.moveTo(this.#chunkFor(shown.end - shown.start))
  }

  /** The texts of records with commas between them, and with what stands around them. */
  join(records: readonly ShownRecord[], [front, back]: readonly [front: string, back: string]): LentBody {
    let length = Buffer.byteLength(front) + Buffer.byteLength(back)
    for (const { start, end } of records) length += end - start
    const buffer = this.#buffers.withFree(length)
    const { bytes, taken } = buffer
    const first = taken + bytes.write(front, taken)
    let at = first
    let pieces = 0
    for (let next = 0; next < records.length; pieces++) {
      const { chunk, start, end } = records[next++] as ShownRecord
      let last = end
      // Adjacent texts are copied together.
      for (let more = records[next]; more?.start === last && more.chunk === chunk; more = records[++next])
        last = more.end
      at += chunk.bytes.copy(bytes, at, start, last)
    }
    if (pieces > MOST_PIECES && areNeighbours(records)) this.#bringTogether(records, at - first)
    // Without the last comma.
    if (records.length > 0) at--
    return buffer.lend(at + bytes.write(back, at))
  }

  /** Copies texts into one piece. */
  #bringTogether(records: readonly ShownRecord[], length: number): void {
    if (length > CHUNK) return
    this.#chunkFor(length)
    for (const record of records) this.renew(record)
  }

  /** A chunk to which so many bytes can be written. */
  #chunkFor(length: number): TextChunk {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.left >= length) return last
    const usual = Math.min(CHUNK, Math.max(FIRST_CHUNK, this.#size))
    const chunk = new TextChunk(Math.max(usual, length))
    this.#size += chunk.bytes.length
    while (this.#size > CAPACITY && this.#chunks.length > 0) this.#dropOldest(chunk, length + CHUNK / 2)
    this.#chunks.push(chunk)
    return chunk
  }

  /** Drops a chunk. Recently used texts move to `heir`, while it has at least so many free bytes. */
  #dropOldest(heir: TextChunk, least: number): void {
    const oldest = this.#chunks.shift() as TextChunk
    this.#size -= oldest.bytes.length
    for (const record of oldest.records) {
      const { collection, position, isUsed, start, end } = record
      if (record.chunk !== oldest || collection[position] !== record) continue
      if (isUsed && heir.left - (end - start) >= least) record.moveTo(heir)
      else collection[position] = undefined
    }
  }
}

/** The records of one collection in one schema. A text is made at first use, and cached until its record changes. */
export class CollectionTexts {
  readonly #show: (live: LiveRecord) => Json
  readonly #texts: RecordTexts
  readonly #byPosition: TextsByPosition = []

  constructor(show: (live: LiveRecord) => Json, texts: RecordTexts) {
    this.#show = show
    this.#texts = texts
  }

  /** The cached text of a live record; undefined without one. */
  recall(live: LiveRecord): ShownRecord | undefined {
    return this.#texts.recall(this.#byPosition, live)
  }

  /** The text of a live record, from the cache or new. */
  show(live: LiveRecord): ShownRecord {
    return this.recall(live) ?? this.make(live)
  }

  make(live: LiveRecord): ShownRecord {
    const { record } = live
    const json = this.#show(live)
    const text = JSON.stringify(json)
    const hashes = hashesOf(json === record ? text : JSON.stringify(record))
    return this.#texts.keep({
      collection: this.#byPosition,
      position: live.position,
      changed: live.changed,
      text,
      hashes,
    })
  }

  /** {@link makePage}, when all texts are cached; undefined when one is missing. */
  recallPage(records: readonly LiveRecord[]): readonly ShownRecord[] | undefined {
    const page: ShownRecord[] = []
    let characters = 0
    for (const record of records) {
      const shown = this.recall(record)
      if (shown === undefined) return undefined
      characters += shown.length
      if (characters > LIMITS.listedCharacters && page.length > 0) return page
      page.push(shown)
    }
    return page
  }

  /** The texts of the first records that fit on a page; at least one. Pauses before each missing text. */
  *makePage(records: readonly LiveRecord[]): Generator<undefined, readonly ShownRecord[]> {
    const page: ShownRecord[] = []
    // Neighbours are copied as a whole when some of their texts are missing.
    const isScattered = areNeighbours(records) && this.#texts.isScattered(records.map((live) => this.recall(live)))
    let characters = 0
    for (const record of records) {
      let shown = this.recall(record)
      if (shown === undefined) {
        yield
        shown = this.make(record)
      } else if (isScattered) this.#texts.renew(shown)
      characters += shown.length
      if (characters > LIMITS.listedCharacters && page.length > 0) break
      page.push(shown)
    }
    return page
  }
}

/** Whether the positions of records are consecutive, upwards or downwards: a page in the natural order of its collection. */
function areNeighbours(records: readonly { readonly position: number }[]): boolean {
  const [first] = records
  const last = records.at(-1)
  return first !== undefined && Math.abs((last ?? first).position - first.position) === records.length - 1
}

/** Bodies are put together in memory of this size, one after the other. */
const SIZE = 64 * 1024
/** Most buffers that wait for the next body: the answers of one turn fill two. */
const MOST_FREE = 2

/** Memory that bodies are written to. */
class BodyBuffer {
  readonly bytes: Buffer
  /** Bytes that are taken. */
  taken = 0
  #lent = 0
  readonly #onFree: (buffer: BodyBuffer) => void

  constructor(size: number, onFree: (buffer: BodyBuffer) => void) {
    this.bytes = Buffer.allocUnsafeSlow(size)
    this.#onFree = onFree
  }

  /** The bytes up to `end` that were not taken before: a body, until it is given back. */
  lend(end: number): LentBody {
    const body = this.bytes.subarray(this.taken, end)
    this.taken = end
    this.#lent++
    return { body, giveBack: this.#giveBack }
  }

  /** Takes a body back. When all are back they are written over; where one never comes back, the buffer is left to the collector. */
  readonly #giveBack = (): void => {
    if (--this.#lent > 0) return
    this.taken = 0
    this.#onFree(this)
  }
}

/**
 * The buffers of one simulation. Memory outside of V8's heap that each answer left to the collector would make it run all the time: it counts as
 * much as old objects (`decisions/cost-of-a-request.md`).
 */
class BodyBuffers {
  readonly #free: BodyBuffer[] = []
  #current: BodyBuffer | undefined

  /** A buffer in which so many bytes are free. */
  withFree(length: number): BodyBuffer {
    const current = this.#current
    if (current !== undefined && current.bytes.length - current.taken >= length) return current
    if (length > SIZE) return new BodyBuffer(length, () => {})
    this.#current = this.#free.pop() ?? new BodyBuffer(SIZE, this.#onFree)
    return this.#current
  }

  readonly #onFree = (buffer: BodyBuffer): void => {
    if (buffer !== this.#current && this.#free.length < MOST_FREE) this.#free.push(buffer)
  }
}
