import { checkRank, type Positions } from './positions.ts'

const BITS = 32
const WORDS_PER_BLOCK = 32
const BITS_PER_BLOCK = BITS * WORDS_PER_BLOCK
/** Most members of a list. */
const FEW = 64
/** A longer list becomes a bitmap when it has more than one member per this many positions. */
const SPARSE = 64

/**
 * A set of positions that finds its nth smallest member: a sorted list while the members are sparse, a bitmap from then
 * on. A sample depends only on the members, never on the order of adding them.
 */
export class PositionSet implements Positions {
  #members: SortedList | Bitmap

  /** An empty set, or the set of `words`: bit n of word w is position 32w + n. */
  constructor(words?: Uint32Array) {
    this.#members = words === undefined ? new SortedList() : new Bitmap(words)
  }

  /** All positions below `end`. */
  static below(end: number): PositionSet {
    const words = wordsUpTo(end)
    words.fill(0xffffffff, 0, end >>> 5)
    if ((end & 31) !== 0) words[end >>> 5] = 2 ** (end & 31) - 1
    return new PositionSet(words)
  }

  /** The positions in at least one of `sets`; a single set is returned itself. */
  static union(sets: readonly PositionSet[]): PositionSet {
    if (sets.length === 1) return sets[0] as PositionSet
    const words = wordsUpTo(Math.max(0, ...sets.map((set) => set.#members.end)))
    for (const set of sets) set.#members.addTo(words)
    return new PositionSet(words)
  }

  /** The positions in all of `sets`; a single set is returned itself. */
  static intersection(sets: readonly PositionSet[]): PositionSet {
    const [first, ...others] = sets
    if (first === undefined || others.length === 0) return first ?? new PositionSet()
    const words = first.#members.toWords()
    for (const set of others) set.#members.toBitmap().retainIn(words)
    return new PositionSet(words)
  }

  get size(): number {
    return this.#members.size
  }

  has(position: number): boolean {
    return this.#members.has(position)
  }

  add(position: number): void {
    this.#members.add(position)
    if (this.#members instanceof Bitmap) return
    if (this.size > FEW && this.size * SPARSE > this.#members.end) this.#members = this.#members.toBitmap()
  }

  delete(position: number): void {
    this.#members.delete(position)
  }

  at(rank: number): number {
    checkRank(rank, this.size)
    return this.#members.at(rank)
  }

  rankOf(position: number): number {
    return this.#members.rankOf(position)
  }

  slice(start = 0, end = this.size): number[] {
    return this.#members.slice(start, Math.min(end, this.size))
  }
}

/** Words with a bit for each position below `end`, in whole blocks. */
const wordsUpTo = (end: number): Uint32Array => new Uint32Array(Math.ceil(end / BITS_PER_BLOCK) * WORDS_PER_BLOCK)

/** Numbers in ascending order. */
class SortedList {
  readonly #members: number[] = []

  get size(): number {
    return this.#members.length
  }

  /** One more than the largest number. */
  get end(): number {
    return (this.#members.at(-1) ?? -1) + 1
  }

  has(member: number): boolean {
    return this.#members[this.rankOf(member)] === member
  }

  add(member: number): void {
    const place = this.rankOf(member)
    if (this.#members[place] !== member) this.#members.splice(place, 0, member)
  }

  delete(member: number): void {
    const place = this.rankOf(member)
    if (this.#members[place] === member) this.#members.splice(place, 1)
  }

  at(rank: number): number {
    return this.#members[rank] as number
  }

  slice(start: number, end: number): number[] {
    return this.#members.slice(start, end)
  }

  /** The index of `member`, or its place: most come in ascending order, at the end. */
  rankOf(member: number): number {
    let [low, high] = [0, this.#members.length]
    if (high === 0 || (this.#members[high - 1] as number) < member) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#members[middle] as number) < member) low = middle + 1
      else high = middle
    }
    return low
  }

  addTo(words: Uint32Array): void {
    for (const member of this.#members) words[member >>> 5] = (words[member >>> 5] as number) | (1 << (member & 31))
  }

  toWords(): Uint32Array {
    const words = wordsUpTo(this.end)
    this.addTo(words)
    return words
  }

  toBitmap(): Bitmap {
    return new Bitmap(this.toWords())
  }
}

/** One bit for each number, with a count for each block of 1,024 bits. */
class Bitmap {
  #words: Uint32Array
  #counts: Uint16Array
  #size = 0

  /** Takes over `words`, which are whole blocks. */
  constructor(words: Uint32Array) {
    this.#words = words
    this.#counts = new Uint16Array(words.length / WORDS_PER_BLOCK)
    for (let at = 0; at < words.length; at++) {
      if (words[at] !== 0) this.#count(at * BITS, popCount(words[at] as number))
    }
  }

  get size(): number {
    return this.#size
  }

  /** One more than the largest possible number. */
  get end(): number {
    return this.#words.length * BITS
  }

  has(member: number): boolean {
    const word = this.#words[member >>> 5]
    return word !== undefined && (word & (1 << (member & 31))) !== 0
  }

  add(member: number): void {
    if (member >= this.end) this.#grow(member)
    const word = this.#words[member >>> 5] as number
    const bit = 1 << (member & 31)
    if ((word & bit) !== 0) return
    this.#words[member >>> 5] = word | bit
    this.#count(member, 1)
  }

  delete(member: number): void {
    if (!this.has(member)) return
    this.#words[member >>> 5] = (this.#words[member >>> 5] as number) & ~(1 << (member & 31))
    this.#count(member, -1)
  }

  rankOf(member: number): number {
    if (member >= this.end) return this.#size
    const block = member >>> 10
    let rank = 0
    for (let at = 0; at < block; at++) rank += this.#counts[at] as number
    const last = member >>> 5
    for (let at = block * WORDS_PER_BLOCK; at < last; at++) rank += popCount(this.#words[at] as number)
    return rank + popCount((this.#words[last] as number) & ((1 << (member & 31)) - 1))
  }

  at(rank: number): number {
    const [at, skipped] = this.#wordOf(rank)
    let bits = this.#words[at] as number
    for (let left = rank - skipped; left > 0; left--) bits &= bits - 1
    return at * BITS + (31 - Math.clz32(bits & -bits))
  }

  slice(start: number, end: number): number[] {
    const found: number[] = []
    if (start >= end) return found
    const [first, skipped] = this.#wordOf(start)
    let toSkip = start - skipped
    for (let at = first; at < this.#words.length; at++) {
      for (let bits = this.#words[at] as number; bits !== 0; bits &= bits - 1) {
        if (toSkip-- > 0) continue
        found.push(at * BITS + (31 - Math.clz32(bits & -bits)))
        if (found.length === end - start) return found
      }
    }
    return found
  }

  /** The word with the member of this rank, and the number of members before that word. */
  #wordOf(rank: number): readonly [at: number, skipped: number] {
    let skipped = 0
    let block = 0
    while (rank - skipped >= (this.#counts[block] as number)) skipped += this.#counts[block++] as number
    let at = block * WORDS_PER_BLOCK
    for (let ones = popCount(this.#words[at] as number); rank - skipped >= ones; ) {
      skipped += ones
      ones = popCount(this.#words[++at] as number)
    }
    return [at, skipped]
  }

  addTo(words: Uint32Array): void {
    for (let at = 0; at < this.#words.length; at++) words[at] = (words[at] as number) | (this.#words[at] as number)
  }

  retainIn(words: Uint32Array): void {
    for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & (this.#words[at] ?? 0)
  }

  toWords(): Uint32Array {
    return this.#words.slice()
  }

  toBitmap(): Bitmap {
    return this
  }

  #count(member: number, by: number): void {
    const block = member >>> 10
    this.#counts[block] = (this.#counts[block] as number) + by
    this.#size += by
  }

  #grow(member: number): void {
    const words = wordsUpTo(Math.max(member + 1, this.end * 2))
    words.set(this.#words)
    this.#words = words
    const counts = new Uint16Array(words.length / WORDS_PER_BLOCK)
    counts.set(this.#counts)
    this.#counts = counts
  }
}

/** Number of ones in 32 bits. */
function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
