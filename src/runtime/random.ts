/**
 * Counter-based pseudo-randomness: every draw is a pure function of its key, so nothing depends on the order of the
 * draws. The mixer is the finaliser of MurmurHash3 (Appleby, public domain), over 2 x 32 bits.
 */

/** A 32-bit hash of `text`, started from `seed`. FNV-1a over UTF-16 units, then mixed. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed | 0
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix32(hash)
}

/** A 32-bit hash of two 32-bit numbers. `mixPair(a, b)` and `mixPair(b, a)` differ. */
export function mixPair(left: number, right: number): number {
  return mix32(Math.imul(left ^ mix32(right + 0x9e3779b9), 0x85ebca6b) + 0x165667b1)
}

/** Scrambles 32 bits; a permutation, so different inputs give different outputs. */
function mix32(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** `draw` (32 bits) as a number from 0 (inclusive) to 1 (exclusive). */
export function fraction(draw: number): number {
  return draw / 4_294_967_296
}

/** The item of a list that `draw` selects. */
export function pickBy<T>(items: readonly T[], draw: number): T {
  return items[Math.floor(fraction(draw) * items.length)] as T
}

/** `count` hexadecimal digits of `draw`. */
export function hexDigits(draw: number, count: number): string {
  let digits = ''
  for (let place = 0; place < count; place++) {
    digits += '0123456789abcdef'[(place < 8 ? draw >>> (place * 4) : mixPair(draw, place)) & 15]
  }
  return digits
}

/** A stream of draws determined by its key. It holds only two numbers, so make one where it is used. */
export class Random {
  readonly #key: number
  #counter = 0

  constructor(key: number) {
    this.#key = key >>> 0
  }

  /** A stream for the key `parts`, each a text or a number: `Random.for(seed, 'tasks', 12)`. */
  static for(...parts: readonly (string | number)[]): Random {
    let key = 0x2545f491
    for (const part of parts) key = mixPair(key, typeof part === 'string' ? hashText(part) : part | 0)
    return new Random(key)
  }

  /** 32 random bits as a number from 0 to 4,294,967,295. */
  uint32(): number {
    return mixPair(this.#key, this.#counter++)
  }

  /** A number from 0 (inclusive) to 1 (exclusive), with 53 random bits. */
  next(): number {
    return ((this.uint32() >>> 5) * 67_108_864 + (this.uint32() >>> 6)) / 9_007_199_254_740_992
  }

  /** A whole number from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** One of `items`. Throws a RangeError for an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('Expected `items` to hold at least one item, got none.')
    return items[Math.floor(this.next() * items.length)] as T
  }

  /** `count` different whole numbers below `size`, in the order of the draws (Floyd's algorithm). */
  sample(size: number, count: number): number[] {
    const chosen = new Set<number>()
    for (let top = size - Math.min(count, size); top < size; top++) {
      const candidate = this.integer(0, top)
      chosen.add(chosen.has(candidate) ? top : candidate)
    }
    return [...chosen]
  }
}
