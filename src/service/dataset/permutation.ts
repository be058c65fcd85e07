import { mixPair } from '../../runtime/random.ts'

const ROUNDS = 4

/** A keyed shuffle of the whole numbers below `size`, computed with a Feistel network instead of a table. */
export class Permutation {
  readonly #size: number
  readonly #halfBits: number
  readonly #mask: number
  readonly #keys: readonly number[]

  /** `size` up to 2^32. */
  constructor(size: number, key: number) {
    this.#size = Math.max(1, size)
    this.#halfBits = Math.max(1, Math.ceil(Math.log2(this.#size) / 2))
    this.#mask = 2 ** this.#halfBits - 1
    this.#keys = Array.from({ length: ROUNDS }, (_, round) => mixPair(key, round + 1))
  }

  /** The shuffled number of `index`. Both are below the size. */
  at(index: number): number {
    let value = index
    do value = this.#forward(value)
    while (value >= this.#size)
    return value
  }

  /** The index of a shuffled `value`. */
  indexOf(value: number): number {
    let index = value
    do index = this.#backward(index)
    while (index >= this.#size)
    return index
  }

  #forward(value: number): number {
    let left = Math.floor(value / (this.#mask + 1))
    let right = value & this.#mask
    for (let round = 0; round < ROUNDS; round++) {
      const next = (left ^ mixPair(this.#keys[round] as number, right)) & this.#mask
      left = right
      right = next
    }
    return left * (this.#mask + 1) + right
  }

  #backward(value: number): number {
    let left = Math.floor(value / (this.#mask + 1))
    let right = value & this.#mask
    for (let round = ROUNDS - 1; round >= 0; round--) {
      const previous = (right ^ mixPair(this.#keys[round] as number, left)) & this.#mask
      right = left
      left = previous
    }
    return left * (this.#mask + 1) + right
  }
}

/**
 * Assigns indexes to `size` places in rounds, each place once per round, in a different order each round. It assigns
 * children to parents evenly, so that the children of one parent can be computed.
 */
export class Deal {
  readonly size: number
  readonly #key: number
  readonly #step: number
  readonly #inverse: number

  /** `size` up to 2^26, so that products stay exact. */
  constructor(size: number, key: number) {
    this.size = Math.max(1, size)
    this.#key = key
    let step = Math.max(1, Math.floor(this.size * 0.618))
    while (greatestDivisor(step, this.size) !== 1) step++
    this.#step = step
    this.#inverse = inverseOf(step, this.size)
  }

  /** The place of `index`. */
  at(index: number): number {
    const round = Math.floor(index / this.size)
    return ((index % this.size) * this.#step + this.#shift(round)) % this.size
  }

  /** The indexes below `count` assigned to `place`, ascending. */
  indexesOf(place: number, count: number): number[] {
    const found: number[] = []
    for (let round = 0; round * this.size < count; round++) {
      const distance = (place - this.#shift(round) + this.size) % this.size
      const index = round * this.size + ((distance * this.#inverse) % this.size)
      if (index < count) found.push(index)
    }
    return found
  }

  #shift(round: number): number {
    return mixPair(this.#key, round) % this.size
  }
}

function greatestDivisor(left: number, right: number): number {
  let [a, b] = [left, right]
  while (b !== 0) [a, b] = [b, a % b]
  return a
}

/** The number whose product with `value` is 1 modulo `modulus`. */
function inverseOf(value: number, modulus: number): number {
  let [oldRemainder, remainder, oldFactor, factor] = [value, modulus, 1, 0]
  while (remainder !== 0) {
    const quotient = Math.floor(oldRemainder / remainder)
    ;[oldRemainder, remainder] = [remainder, oldRemainder - quotient * remainder]
    ;[oldFactor, factor] = [factor, oldFactor - quotient * factor]
  }
  return ((oldFactor % modulus) + modulus) % modulus
}
