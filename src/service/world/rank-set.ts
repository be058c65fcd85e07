const BITS = 32
const WORDS_PER_BLOCK = 32
const BITS_PER_BLOCK = BITS * WORDS_PER_BLOCK
/** Most members that are kept as a list. */
const FEW = 1_000

/**
 * A set of whole numbers from 0 that finds its nth smallest member: a sorted list while it is small, then a bitmap. A
 * sample drawn through it depends on the members alone, never on the order in which they came.
 */
export class RankSet {
  #members: SortedList | Bitmap = new SortedList()

  get size(): number {
    return this.#members.size
  }

  has(member: number): boolean {
    return this.#members.has(member)
  }

  add(member: number): void {
    this.#members.add(member)
    if (this.#members.size <= FEW || this.#members instanceof Bitmap) return
    const bitmap = new Bitmap()
    for (const each of this.#members) bitmap.add(each)
    this.#members = bitmap
  }

  delete(member: number): void {
    this.#members.delete(member)
  }

  /** The member with `rank` smaller ones. Throws a RangeError outside 0 to size - 1. */
  at(rank: number): number {
    if (!(rank >= 0 && rank < this.size)) {
      throw new RangeError(`Expected \`rank\` to be from 0 to ${this.size - 1}, got ${rank}.`)
    }
    return this.#members.at(rank)
  }

  /** Members in ascending order. */
  [Symbol.iterator](): Iterator<number> {
    return this.#members[Symbol.iterator]()
  }
}

/** Numbers in ascending order. */
class SortedList {
  readonly #members: number[] = []

  get size(): number {
    return this.#members.length
  }

  has(member: number): boolean {
    return this.#members[this.#placeOf(member)] === member
  }

  add(member: number): void {
    const place = this.#placeOf(member)
    if (this.#members[place] !== member) this.#members.splice(place, 0, member)
  }

  delete(member: number): void {
    const place = this.#placeOf(member)
    if (this.#members[place] === member) this.#members.splice(place, 1)
  }

  at(rank: number): number {
    return this.#members[rank] as number
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#members[Symbol.iterator]()
  }

  /** Where `member` is, or where it belongs: most come in ascending order, at the end. */
  #placeOf(member: number): number {
    let [low, high] = [0, this.#members.length]
    if (high === 0 || (this.#members[high - 1] as number) < member) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#members[middle] as number) < member) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** One bit a number, with a count per 1,024 bits. */
class Bitmap {
  #words = new Uint32Array(WORDS_PER_BLOCK)
  #counts: number[] = [0]
  #size = 0

  get size(): number {
    return this.#size
  }

  has(member: number): boolean {
    const word = this.#words[member >>> 5]
    return word !== undefined && (word & (1 << (member & 31))) !== 0
  }

  add(member: number): void {
    this.#grow(member)
    if (this.has(member)) return
    this.#words[member >>> 5] = (this.#words[member >>> 5] as number) | (1 << (member & 31))
    this.#count(member, 1)
  }

  delete(member: number): void {
    if (!this.has(member)) return
    this.#words[member >>> 5] = (this.#words[member >>> 5] as number) & ~(1 << (member & 31))
    this.#count(member, -1)
  }

  at(rank: number): number {
    let left = rank
    let block = 0
    while (left >= (this.#counts[block] as number)) left -= this.#counts[block++] as number
    let word = block * WORDS_PER_BLOCK
    for (let ones = popCount(this.#words[word] as number); left >= ones; ones = popCount(this.#words[word] as number)) {
      left -= ones
      word++
    }
    return word * BITS + nthBit(this.#words[word] as number, left)
  }

  *[Symbol.iterator](): Generator<number> {
    for (let word = 0; word < this.#words.length; word++) {
      for (let bits = this.#words[word] as number; bits !== 0; bits &= bits - 1) {
        yield word * BITS + (31 - Math.clz32(bits & -bits))
      }
    }
  }

  #count(member: number, by: number): void {
    const block = Math.floor(member / BITS_PER_BLOCK)
    this.#counts[block] = (this.#counts[block] as number) + by
    this.#size += by
  }

  #grow(member: number): void {
    if (member >>> 5 < this.#words.length) return
    const blocks = Math.max(Math.ceil((member + 1) / BITS_PER_BLOCK), this.#counts.length * 2)
    const words = new Uint32Array(blocks * WORDS_PER_BLOCK)
    words.set(this.#words)
    this.#words = words
    while (this.#counts.length < blocks) this.#counts.push(0)
  }
}

/** Number of ones in 32 bits. */
function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Position of the one that has `rank` ones below it. */
function nthBit(word: number, rank: number): number {
  let bits = word
  for (let skipped = 0; skipped < rank; skipped++) bits &= bits - 1
  return 31 - Math.clz32(bits & -bits)
}
