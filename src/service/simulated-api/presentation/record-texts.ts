import type { JsonObject } from '../../../protocol/json.ts'

/** Most bytes that the texts of one simulation take: 10,000 records of 1.3 KB, so that any page of them is at hand. */
const CAPACITY = 16 * 1024 * 1024
const CHUNK = 256 * 1024
/** The first chunk of a simulation; each of those that follow is as large as all before it, up to the size of a chunk. */
const FIRST_CHUNK = 16 * 1024
/** Bodies of lists are put together in memory of this size, one after the other. */
const ROOM = 64 * 1024
/** A page of neighbours whose texts lie at more places is kept anew, in one piece. */
const MOST_PIECES = 4

/** A record's place in its collection. */
interface Place {
  readonly position: number
  /** The record where it is not as generated: it never changes, another one takes its place. */
  readonly changed: JsonObject | undefined
}

/** A text and what is kept with it. */
interface Kept extends Place {
  readonly shelf: Shelf
  readonly text: string
  /** Entity tag: the same as long as the record does not change. */
  readonly tag: string
}

/** The texts of the records of one collection as one schema shows them, by position. */
export type Shelf = (ShownRecord | undefined)[]

/** A record as an answer shows it. */
export class ShownRecord {
  readonly shelf: Shelf
  readonly position: number
  readonly changed: JsonObject | undefined
  readonly tag: string
  /** Characters of the text. */
  readonly length: number
  chunk: TextChunk
  /** Where the text begins in its chunk. */
  start: number
  /** Where the comma ends that follows the text. */
  end: number
  /** Whether it was asked for since it was written to its chunk. */
  isUsed = false

  constructor({ shelf, position, changed, text, tag }: Kept, chunk: TextChunk) {
    this.shelf = shelf
    this.position = position
    this.changed = changed
    this.tag = tag
    this.length = text.length
    this.chunk = chunk
    this.start = chunk.used
    this.end = chunk.add(text, this)
  }

  get text(): string {
    return this.chunk.bytes.toString('utf8', this.start, this.end - 1)
  }

  /** The text in UTF-8. It is never written over. */
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

/** Memory to which texts are written, one after the other, each with a comma behind it. */
class TextChunk {
  readonly bytes: Buffer
  /** Those whose texts were written here; some have moved on. */
  readonly records: ShownRecord[] = []
  used = 0

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size)
  }

  /** Bytes that can be written. */
  get left(): number {
    return this.bytes.length - this.used
  }

  /** Writes the text of a record. Returns where it ends. */
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
 * Texts of records as answers show them, each good until its record changes: bytes outside of V8's heap, in the order in
 * which they were made, so that those of a page mostly stand side by side. Past the capacity the oldest chunk goes, but for
 * texts that were asked for since. Nothing is written over: an answer on its way to a slow client is a part of it.
 */
export class RecordTexts {
  /** The oldest first. */
  readonly #chunks: TextChunk[] = []
  #size = 0
  #room: Buffer = NO_ROOM
  /** Bytes of the room that are taken. */
  #taken = 0

  /** What the record was shown as; undefined where it has changed since, or the text is not kept. */
  recall(shelf: Shelf, { position, changed }: Place): ShownRecord | undefined {
    const kept = shelf[position]
    if (kept === undefined || kept.changed !== changed) return undefined
    kept.isUsed = true
    return kept
  }

  /** Keeps a text; returns it. */
  keep(kept: Kept): ShownRecord {
    const shown = new ShownRecord(kept, this.#chunkFor(Buffer.byteLength(kept.text) + 1))
    kept.shelf[kept.position] = shown
    return shown
  }

  /** Whether so many texts of a page are to be made between others that it is better kept anew as a whole. Undefined: one that is to be made. */
  isScattered(page: readonly (ShownRecord | undefined)[]): boolean {
    let pieces = 0
    for (const [at, shown] of page.entries()) {
      if (at === 0 || (shown === undefined) !== (page[at - 1] === undefined)) pieces++
    }
    return pieces > MOST_PIECES
  }

  /** Keeps a text anew, behind the one that was kept last. */
  renew(shown: ShownRecord): void {
    shown.moveTo(this.#chunkFor(shown.end - shown.start))
  }

  /** The texts of records with commas between them, and with what stands around them. */
  join(records: readonly ShownRecord[], [front, back]: readonly [front: string, back: string]): Uint8Array {
    let length = Buffer.byteLength(front) + Buffer.byteLength(back)
    for (const { start, end } of records) length += end - start
    const room = this.#roomFor(length)
    const begin = this.#taken
    const first = begin + room.write(front, begin)
    let at = first
    let pieces = 0
    for (let next = 0; next < records.length; pieces++) {
      const { chunk, start, end } = records[next++] as ShownRecord
      let last = end
      // Those that stand behind it are copied with it.
      for (let more = records[next]; more?.start === last && more.chunk === chunk; more = records[++next])
        last = more.end
      room.set(chunk.bytes.subarray(start, last), at)
      at += last - start
    }
    if (pieces > MOST_PIECES && areNeighbours(records)) this.#bringTogether(records, at - first)
    // Without the last comma.
    if (records.length > 0) at--
    this.#taken = at + room.write(back, at)
    return room.subarray(begin, this.#taken)
  }

  /** Keeps texts anew, in one piece. */
  #bringTogether(records: readonly ShownRecord[], length: number): void {
    if (length > CHUNK) return
    this.#chunkFor(length)
    for (const record of records) this.renew(record)
  }

  /** Memory in which so many bytes are not taken. */
  #roomFor(length: number): Buffer {
    if (this.#room.length - this.#taken < length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(ROOM, length))
      this.#taken = 0
    }
    return this.#room
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

  /** Drops a chunk. Texts of it that are in use move to `heir`, as long as so many bytes of it are left. */
  #dropOldest(heir: TextChunk, least: number): void {
    const oldest = this.#chunks.shift() as TextChunk
    this.#size -= oldest.bytes.length
    for (const record of oldest.records) {
      const { shelf, position, isUsed, start, end } = record
      if (record.chunk !== oldest || shelf[position] !== record) continue
      if (isUsed && heir.left - (end - start) >= least) record.moveTo(heir)
      else shelf[position] = undefined
    }
  }
}

/** Whether the positions of records follow each other, upwards or downwards: a page in the natural order of its collection. */
export function areNeighbours(records: readonly { readonly position: number }[]): boolean {
  const [first] = records
  const last = records.at(-1)
  return first !== undefined && Math.abs((last ?? first).position - first.position) === records.length - 1
}

const NO_ROOM = Buffer.alloc(0)
