import { mixPair } from '../../runtime/random.ts'

const ROUNDS = 4

/** A keyed shuffle of the whole numbers below `size` that needs no table: a Feistel network that walks its cycles. */
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

  /** Where `index` goes. Both are below the size. */
  at(index: number): number {
    let value = index
    do value = this.#forward(value)
    while (value >= this.#size)
    return value
  }

  /** The index that goes to `value`. */
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
